"""The rules in sentences: what stands in the TOML stands on the page, and nothing else."""

import pytest

from kakurenbo.contest.pages.telling import sections
from kakurenbo.contest.rules import Rules


def told(rules):
    """Return the rules as English text, by section."""
    return {
        section.slug: " ".join(
            [*(sentence.said(str.format) for sentence in section.sentences),
             *(f"{line.name}: {line.said.said(str.format)}" for line in section.lines)]
        )
        for section in sections(rules)
    }  # fmt: skip


def changed(rules, **parts):
    new = {name: getattr(rules, name).model_copy(update=values) for name, values in parts.items()}
    return rules.model_copy(update=new)


def test_the_rules_of_2017_name_their_measures_attacks_and_files():
    page = told(Rules.preset("pws2017"))
    assert list(page) == ["release", "utility", "attacks", "guess", "told", "score", "quotas", "fairness"]
    assert all(name in page["utility"] for name in ("E1:", "E2:", "E3_topk:", "E3_sim:", "E4:", "E5:", "E6:"))
    assert all(f"S{number}:" in page["attacks"] for number in range(1, 7))
    assert "At least 50\u00a0% of the rows must be kept." in page["release"]
    assert "Score = (utility + security) / 2." in page["score"]
    assert "Fh25.csv" in page["guess"]


def test_catalogue_entries_are_told_by_label_name_and_summary():
    page = told(Rules.preset("pws2016"))
    assert "U1 (u1-cmae): U1-cMAE: spending by groups of customers" in page["utility"]
    assert "jaccard: Algorithm 1: knows what everybody bought" in page["attacks"]
    assert "at most 99 of them" in page["release"]


def test_what_is_learnt_is_told_where_the_rules_ask_for_it():
    custom = Rules.preset("custom")
    assert "2 records: 2 of everybody's records, whole" in told(custom)["learnt"]
    assert "laid open at the worst kind of knowledge" in told(custom)["score"]
    quiet = changed(custom, scoring={"learnt_counts": False})
    assert "does not change the score" in told(quiet)["learnt"]
    assert "laid open" not in told(quiet)["score"]


@pytest.mark.parametrize(
    ("seek", "sentence"),
    [
        ({"tells": "nothing"}, "told whether its guess is valid, and nothing else"),
        (
            {"tells": "ladder", "step": 0.05, "share": 0.5},
            "rose by at least 5\u00a0%; it is measured on 50\u00a0%",
        ),
        (
            {"tells": "rounded", "decimals": 2, "share": 0.25},
            "rounded to 2 decimals; it is measured on 25\u00a0%",
        ),
    ],
)
def test_what_is_told_about_guesses(seek, sentence):
    assert sentence in told(changed(Rules.preset("pws2017"), seek=seek))["told"]


def test_quotas_limits_and_weights_are_those_of_the_rules():
    rules = changed(
        Rules.preset("pws2017"), hide={"tries": 7, "tries_a_day": 2}, seek={"tries": 5, "tries_a_day": 1},
        limits={"megabytes": 3, "rows": 12345, "members": 4},
        scoring={"utility_weight": 0.25, "utility": "mean"},
    )  # fmt: skip
    page = told(rules)
    assert "may submit 7 releases, 2 within 24 hours" in page["quotas"]
    assert "may submit 5 guesses about each other team, 1 within 24 hours" in page["quotas"]
    assert "at most 3 MB" in page["quotas"]
    assert "12,345 rows" in page["quotas"]
    assert "at most 4 members" in page["quotas"]
    assert "Score = 0.25 * utility + 0.75 * security." in page["score"]
    assert "Utility is the mean of the losses." in page["score"]


def test_a_contest_without_seeking_says_nothing_about_guesses():
    rules = Rules.preset("pws2017")
    without = rules.model_copy(update={"phases": tuple(one for one in rules.phases if one.name != "seek")})
    page = told(without)
    assert not {"guess", "told"} & set(page)
    assert "guess" not in page["quotas"]
