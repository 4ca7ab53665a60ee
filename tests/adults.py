"""A made-up census in the layout of UCI's Adult: correlated, with `?` where nobody answered."""

import numpy as np
import polars as pl

import kakurenbo as kb
from kakurenbo.data.hierarchy import Hierarchy

QI = ("age", "education", "marital", "race", "sex", "hours", "country")
JOBS = ("Tech-support", "Craft-repair", "Sales", "Exec-managerial", "Prof-specialty", "Adm-clerical", "?")
SCHOOLS = {
    "9th": "Without degree", "HS-grad": "School", "Some-college": "School", "Bachelors": "University",
    "Masters": "University", "Doctorate": "University",
}  # fmt: skip
COUNTRIES = {
    "United-States": "North America", "Canada": "North America", "Mexico": "Latin America",
    "Cuba": "Latin America", "Germany": "Europe", "Italy": "Europe", "Japan": "Asia", "India": "Asia",
    "?": "Unknown",
}  # fmt: skip
TREES = {"education": Hierarchy.of(SCHOOLS), "country": Hierarchy.of(COUNTRIES)}


def adult_frame(rows, seed=1):
    """Return people whose schooling goes with their age, their work with both, and their income with all."""
    rng = np.random.default_rng(seed)
    age = np.clip(np.round(rng.gamma(6, 6.5, rows)) + 10, 17, 90).astype(int)
    school = np.clip(rng.normal(2.2 + (age > 25), 1.3, rows).round(), 0, 5).astype(int)
    job = np.where(rng.random(rows) < 0.06, 6, np.clip(rng.normal(school, 1.4), 0, 5).astype(int))
    hours = np.clip(rng.normal(40 + 3 * (job == 3), 9, rows).round(), 1, 99).astype(int)
    married = rng.random(rows) < np.clip((age - 18) / 40, 0.05, 0.7)
    rich = rng.random(rows) < 1 / (1 + np.exp(5.5 - 0.9 * school - 0.03 * age - 1.1 * married))
    draw = rng.choice
    return pl.DataFrame({
        "age": age,
        "workclass": draw(["Private", "Self-emp", "Local-gov", "?"], rows, p=[0.72, 0.12, 0.1, 0.06]),
        "education": np.array(list(SCHOOLS))[school],
        "marital": np.where(married, "Married", draw(["Never-married", "Divorced"], rows, p=[0.7, 0.3])),
        "occupation": np.array(JOBS)[job],
        "race": draw(["White", "Black", "Asian", "Other"], rows, p=[0.84, 0.1, 0.04, 0.02]),
        "sex": draw(["Male", "Female"], rows, p=[0.66, 0.34]),
        "hours": hours,
        "country": draw(list(COUNTRIES), rows, p=[0.88, 0.01, 0.04, 0.01, 0.01, 0.01, 0.01, 0.01, 0.02]),
        "income": np.where(rich, ">50K", "<=50K"),
    })  # fmt: skip


def adults(rows, seed=1, *, sa=("occupation",), qi=QI):
    """Return them as microdata with hierarchies of schools and countries."""
    trees = {name: tree for name, tree in TREES.items() if name in qi}
    return kb.Microdata.from_frame(adult_frame(rows, seed), qi=qi, sa=sa, hierarchies=trees)
