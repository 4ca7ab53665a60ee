"""The direction of imports, as the design draws it; and heavy third parties live in one place each."""

import ast
import subprocess
import sys

import pytest

import kakurenbo as kb

FAMILIES = {"deidentify", "attacks", "utility", "risk"}
GROUND = {"kernels", "theory", "files", "data", "measure", "parameters", "progress", "document", "errors"}
MAY_IMPORT = {
    "errors": set(),
    "document": {"errors"},
    "parameters": {"errors"},
    "progress": {"errors"},
    "measure": {"data", "parameters", "errors"},
    "theory": set(),
    "data": {"errors"},
    "files": {"data", "parameters", "errors"},
    "kernels": {"data", "theory", "errors"},
    "demo": {"data", "errors"},
    "datasets": {"files"},
    **dict.fromkeys(FAMILIES, GROUND),
    "catalogue": FAMILIES | GROUND,
    "plan": {"catalogue"} | FAMILIES | GROUND,
    "microdata": {"auditing"} | FAMILIES,
    "auditing": {"catalogue"} | FAMILIES | GROUND,
    "tuning": {"plan", "auditing", "catalogue"} | FAMILIES | GROUND,
    "reproduction": {"auditing", "catalogue", "demo"} | FAMILIES | GROUND,
    "report": {"auditing", "tuning", "reproduction", "files", "theory", "data", "progress", "errors"},
    "cli": {"report", "auditing", "tuning", "plan", "reproduction", "catalogue", "demo"} | FAMILIES | GROUND,
}
HOMES = {
    "numba": "kernels", "llvmlite": "kernels", "sklearn": "kernels",
    "altair": "report/charts", "vl_convert": "report/charts", "jinja2": "report",
    "typer": "cli", "click": "cli", "rich": "cli",
    "fastexcel": "files", "narwhals": "data", "optuna": "tuning",
}  # fmt: skip
RESULTS = tuple(
    f"kakurenbo.{part}."
    for part in ("auditing.results", "tuning.results", "tuning.records", "reproduction.results")
)
WORKSHOPS = ("kakurenbo.auditing.", "kakurenbo.tuning.", "kakurenbo.reproduction.")
THEORY_NEEDS = {"numpy", "scipy", *sys.stdlib_module_names}


def modules(root):
    package = root / "src" / "kakurenbo"
    for path in sorted(package.rglob("*.py")):
        yield path.relative_to(package), ast.parse(path.read_text())


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_go_one_way(root):
    seen = 0
    for path, tree in modules(root):
        part = path.parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        for name in imported(tree):
            if name.startswith("kakurenbo."):
                target = name.split(".")[1]
                allowed = MAY_IMPORT[part] | {part}
                assert target in allowed or target == "__version__", f"{path} imports {name}"
                seen += 1
    assert seen > 50, "the rule was applied to real imports"


def test_private_modules_stay_in_their_package_and_private_names_in_their_module(root):
    for path, tree in modules(root):
        home = ("kakurenbo", *path.parts[:-1])
        for name in imported(tree):
            parts = tuple(name.split("."))
            private = [i for i, part in enumerate(parts) if part.startswith("_") and not part.endswith("__")]
            if parts[0] == "kakurenbo" and private:
                assert parts[: private[0]] == home[: private[0]], f"{path} imports {name}"


def test_reports_see_results_and_never_how_they_came_about(root):
    seen = 0
    for path, tree in modules(root):
        if path.parts[0] == "report":
            names = [name for name in imported(tree) if name.startswith(WORKSHOPS)]
            assert all(name.startswith(RESULTS) for name in names), f"{path}: {names}"
            seen += len(names)
    assert seen > 5, "the rule was applied to real imports"


def test_heavy_third_parties_live_in_one_place(root):
    for path, tree in modules(root):
        for name in imported(tree):
            home = HOMES.get(name.split(".")[0])
            place = "/".join(path.parts[:2]) if home == "report/charts" else path.parts[0]
            assert home in {None, place}, f"{path} imports {name}, which belongs to {home}"


def test_theory_imports_only_numbers(root):
    for path, tree in modules(root):
        if path.parts[0] == "theory":
            for name in imported(tree):
                assert name.split(".")[0] in THEORY_NEEDS or name.startswith("kakurenbo.theory"), (
                    f"{path}: {name}"
                )


def test_every_package_of_the_design_has_its_rule(root):
    parts = {path.parts[0].removesuffix(".py") for path, _ in modules(root)} - {"__init__"}
    assert parts <= set(MAY_IMPORT)


HEAVY = [
    "numba",
    "pandas",
    "pyarrow",
    "sklearn",
    "scipy",
    "altair",
    "vl_convert",
    "typer",
    "rich",
    "jinja2",
    "optuna",
    "polars",
    "numpy",
]


def test_importing_the_package_loads_nothing_heavy():
    probe = f"import sys, kakurenbo; print([m for m in {HEAVY!r} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_importing_the_report_loads_nothing_that_draws():
    drawers = ["altair", "vl_convert", "jinja2"]
    probe = f"import sys, kakurenbo.report; print([m for m in {drawers!r} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [["methods", "--json"], ["--help"]])
def test_small_commands_load_no_compiler_and_no_plots(command):
    probe = (
        f"import sys; from kakurenbo.cli.main import run; run({command!r}); "
        "print([m for m in ('numba', 'pandas', 'altair', 'sklearn') if m in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert result.stderr.strip() == "[]"


PUBLIC = [
    "Alter",
    "Balanced",
    "Baskets",
    "CATALOGUE",
    "Chain",
    "ChanceAttack",
    "Coarsen",
    "Compact",
    "ContainmentAttack",
    "CosineAttack",
    "Deal",
    "Delete",
    "EvidenceAttack",
    "Excess",
    "Guess",
    "InputError",
    "JaccardAttack",
    "KMeans",
    "KakurenboError",
    "Microdata",
    "MultiRandom",
    "MultisetAttack",
    "Noise",
    "OrderAttack",
    "Pairing",
    "ParameterError",
    "Pseudonymize",
    "PseudonymizeMicrodata",
    "Purchases",
    "PushAway",
    "Random",
    "Release",
    "RowsAttack",
    "Shift",
    "StripAttack",
    "Tfidf",
    "TotalsAttack",
    "WeightedAttack",
    "WriteError",
    "__version__",
    "audit",
    "datasets",
    "demo",
    "microdata",
    "profile",
    "read_microdata",
    "read_pairing",
    "read_purchases",
    "reidentification",
    "report",
    "theory",
    "tune",
    "write_pairing",
    "write_release",
]


def test_the_shop_window_shows_these_names_and_each_is_there():
    assert dir(kb) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(kb, name) is not None
    with pytest.raises(AttributeError):
        kb.nonsense  # noqa: B018


def test_the_window_and_its_types_agree(root):
    tree = ast.parse((root / "src" / "kakurenbo" / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    typed = {
        alias.asname: node.module if node.module != "kakurenbo" else f"kakurenbo.{alias.name}"
        for node in block.body
        for alias in node.names
    }
    assert typed == kb._HOME
