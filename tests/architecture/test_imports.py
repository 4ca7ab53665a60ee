"""The direction of imports, as the design draws it; and heavy third parties live in one place each."""

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import kakurenbo as kb
from kakurenbo.extras import EXTRAS

FAMILIES = {"deidentify", "attacks", "utility", "risk"}
GROUND = {
    "kernels", "theory", "files", "data", "mappings", "measure", "parameters", "provenance", "plan",
    "sheet", "progress", "threads", "memory", "document", "chance", "about", "extras", "notebook",
    "errors",
}  # fmt: skip
RUNNING = {"progress", "threads"}
LISTS = {"methods", "cheats", "attacks", "measures"}
MAY_IMPORT = {
    "errors": set(),
    "door": set(),
    "__main__": {"door", "cli"},
    "about": set(),
    "chance": set(),
    "theory": set(),
    "threads": set(),
    "memory": set(),
    "toml": set(),
    "document": {"errors"},
    "extras": {"errors"},
    "notebook": set(),
    "parameters": {"errors"},
    "progress": {"errors"},
    "plan": {"about", "errors", "toml"},
    "provenance": {"plan"},
    "data": {"provenance", "plan", "chance", "document", "about", "notebook", "errors"} | RUNNING,
    "mappings": {"data", "errors", "progress"},
    "measure": {"mappings", "data", "parameters", "about", "chance", "progress", "errors"},
    "sheet": {"document", "about", "errors"},
    "files": {"chance", "sheet", "toml", "plan", "provenance", "data", "parameters", "extras", "errors"}
    | RUNNING,
    "kernels": {"data", "theory", "threads", "errors"},
    "demo": {"files", "data", "progress", "errors"},
    "datasets": {"files"},
    **dict.fromkeys(FAMILIES, GROUND),
    "methods": {"deidentify"},
    "cheats": {"deidentify"},
    "measures": {"utility", "risk"},
    "catalogue": LISTS | FAMILIES | GROUND,
    "auditing": {"catalogue", "demo"} | FAMILIES | GROUND,
    "spark": {"auditing", "catalogue"} | FAMILIES | GROUND,
    "handover": {"auditing", "deidentify", "files", "sheet", "data", "progress"},
    "tuning": {"auditing", "catalogue"} | FAMILIES | GROUND,
    "reproduction": {"auditing", "catalogue", "demo"} | FAMILIES | GROUND,
    "report": {
        "provenance",
        "auditing",
        "tuning",
        "reproduction",
        "files",
        "theory",
        "data",
        "risk",
        "plan",
        "progress",
        "extras",
        "errors",
    },
    "web": {"report", "extras", "errors"},
    "contest": {"web", "report", "auditing", "catalogue", "demo", "toml"} | FAMILIES | GROUND,
    "cli": {
        "contest",
        "door",
        "handover",
        "spark",
        "report",
        "auditing",
        "tuning",
        "reproduction",
        "catalogue",
        "demo",
    }
    | FAMILIES
    | GROUND,
}
PAGES = {"web", "contest/pages", "contest/api", "contest/site.py", "contest/static_pages.py"}  # have routes
ASK_THE_KIND = {"data", "files", "cli", "report"}  # the door, the command line and the report
HOMES = {  # where each may be imported: packages, or parts of them
    "numba": {"kernels"}, "llvmlite": {"kernels"}, "sklearn": {"kernels"},
    "altair": {"report/charts"}, "vl_convert": {"report/charts"},
    "jinja2": {"report", "web"}, "markupsafe": {"report", "web", "contest/pages"},
    "typer": {"cli"}, "click": {"cli"}, "rich": {"cli"},
    "fastexcel": {"files"}, "narwhals": {"data"}, "optuna": {"tuning"},
    "pyspark": {"spark"}, "py4j": {"spark"}, "pyarrow": {"spark"},
    "fastapi": PAGES, "starlette": PAGES, "uvicorn": {"web"}, "python_multipart": {"web"}, "argon2": {"web"},
    "sqlalchemy": {"contest"}, "alembic": {"contest"}, "cryptography": {"contest"}, "psycopg": {"contest"},
}  # fmt: skip
WITHOUT_EXTRAS = {
    "contest/judging",
    "contest/rules.py",
    "contest/client.py",
    "contest/asking.py",
    "contest/uploads.py",
}
RESULTS = tuple(
    f"kakurenbo.{part}." for part in ("auditing.results", "tuning.results", "reproduction.results")
)
WORKSHOPS = ("kakurenbo.auditing.", "kakurenbo.tuning.", "kakurenbo.reproduction.")
THEORY_NEEDS = {"numpy", "scipy", *sys.stdlib_module_names}


def test_imports_go_one_way(modules):
    seen = 0
    for module in modules:
        if module.part == "__init__":
            continue
        for name in module.imported():
            if name.startswith("kakurenbo."):
                target = name.split(".")[1]
                allowed = MAY_IMPORT[module.part] | {module.part}
                assert target in allowed or target == "__version__", f"{module.path} imports {name}"
                seen += 1
    assert seen > 50, "the rule was applied to real imports"


def test_private_modules_stay_in_their_package_and_private_names_in_their_module(modules):
    for module in modules:
        home = ("kakurenbo", *module.path.split("/")[:-1])
        for name in module.imported():
            parts = tuple(name.split("."))
            private = [i for i, part in enumerate(parts) if part.startswith("_") and not part.endswith("__")]
            if parts[0] == "kakurenbo" and private:
                assert parts[: private[0]] == home[: private[0]], f"{module.path} imports {name}"


def test_reports_see_results_and_never_how_they_came_about(modules):
    seen = 0
    for module in modules:
        if module.part == "report":
            names = [name for name in module.imported() if name.startswith(WORKSHOPS)]
            assert all(name.startswith(RESULTS) for name in names), f"{module.path}: {names}"
            seen += len(names)
    assert seen > 5, "the rule was applied to real imports"


def test_heavy_third_parties_live_in_one_place(modules):
    for module in modules:
        for name in module.imported():
            homes = HOMES.get(name.split(".")[0])
            places = {module.part, module.place}
            assert homes is None or homes & places, f"{module.path} imports {name}, which belongs to {homes}"


def test_a_submission_is_judged_and_sent_without_any_extra(modules):
    extra = {module for modules in EXTRAS.values() for module in modules} | {"kakurenbo.web"}
    seen = 0
    for module in modules:
        if module.place in WITHOUT_EXTRAS:
            for name in module.imported():
                wanted = ".".join(name.split(".")[: 2 if name.startswith("kakurenbo.") else 1])
                assert wanted not in extra, f"{module.path} imports {name}"
                seen += 1
    assert seen > 50, "the rule was applied to real imports"


def test_theory_imports_only_numbers(modules):
    for module in modules:
        if module.part == "theory":
            for name in module.imported():
                assert name.split(".")[0] in THEORY_NEEDS or name.startswith("kakurenbo.theory"), (
                    f"{module.path}: {name}"
                )


def test_every_package_of_the_design_has_its_rule(modules):
    parts = {module.part for module in modules} - {"__init__"}
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
    "pyspark",
    "fastapi",
    "uvicorn",
    "sqlalchemy",
    "alembic",
    "cryptography",
    "argon2",
]
COMPILER_AND_PLOTS = ["numba", "pandas", "altair", "sklearn"]


# Steps of one process: what is loaded is looked at after each.
STEPS = {
    "package": ("import kakurenbo", HEAVY),
    "help": ("from kakurenbo.cli.main import run; run(['--help'])", COMPILER_AND_PLOTS),
    "methods": ("run(['methods', '--json'])", COMPILER_AND_PLOTS),
    "report": ("import kakurenbo.report", ["altair", "vl_convert", "jinja2"]),
}


@pytest.fixture(scope="module")
def loaded():
    """What each step left loaded of what it should not load."""
    lines = ["import json, sys", "told = {}"]
    for name, (step, unwanted) in STEPS.items():
        lines += [step, f"told[{name!r}] = [name for name in {unwanted!r} if name in sys.modules]"]
    code = "\n".join([*lines, "print(json.dumps(told), file=sys.stderr)"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stderr)


def test_importing_the_package_loads_nothing_heavy(loaded):
    assert loaded["package"] == []


def test_importing_the_report_loads_nothing_that_draws(loaded):
    assert loaded["report"] == []


@pytest.mark.parametrize("command", ["methods", "help"])
def test_small_commands_load_no_compiler_and_no_plots(command, loaded):
    assert loaded[command] == []


def names_of(tree):
    return {name for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)
            for name in [getattr(node, "id", None) or getattr(node, "attr", None)]}  # fmt: skip


def test_only_the_door_the_command_line_and_the_report_ask_which_kind_of_data_it_is(modules):
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                kinds = names_of(node.args[1]) & {"Purchases", "Microdata"}
                assert not kinds or module.part in ASK_THE_KIND, f"{module.path}:{node.lineno}"


def test_no_module_asks_what_kind_of_attack_measure_or_method_it_has(modules):
    things = {entry.what.__name__ for entry in kb.CATALOGUE} | {
        "LikenessAttack",
        "PurchasesAttack",
        "MicrodataAttack",
    }
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                assert not names_of(node.args[1]) & things, f"{module.path}:{node.lineno}"


def test_no_two_packages_import_each_other_not_even_round_a_corner(modules):
    """Whatever is allowed above, the packages as they are can be put into one line."""
    needs = {}
    for module in modules:
        targets = {name.split(".")[1] for name in module.imported() if name.startswith("kakurenbo.")}
        needs.setdefault(module.part, set()).update(targets - {module.part, "__version__"})
    needs.pop("__init__")
    order = list(TopologicalSorter(needs).static_order())  # raises CycleError with the packages in it
    assert order.index("errors") < order.index("data") < order.index("auditing") < order.index("cli")


def test_the_shop_window_is_small_and_everything_in_it_is_there():
    assert 25 <= len(dir(kb)) <= 38
    for name in dir(kb):
        assert getattr(kb, name) is not None
    with pytest.raises(AttributeError):
        kb.nonsense  # noqa: B018


def test_cheats_do_not_stand_among_the_tools():
    named = {
        entry.what.__name__ for entry in kb.CATALOGUE if "cheat" in (entry.what.__doc__ or "").lower()[:12]
    }
    assert {"Shift", "Random", "MultiRandom", "PushAway"} <= named
    for name in named:
        assert hasattr(kb.cheats, name)
        assert not hasattr(kb.methods, name)
        assert not hasattr(kb, name)


def test_importing_starts_no_thread_of_polars():
    """Whoever forks after the import, as servers do, must not inherit a pool whose threads are gone."""
    code = (
        "import os, polars, numpy, scipy\n"
        "count = lambda: len(os.listdir('/proc/self/task'))\n"
        "before = count()\n"
        "import kakurenbo.cli.main, kakurenbo.catalogue, kakurenbo.kernels.nearest.loops\n"
        "raise SystemExit(count() - before)"
    )
    if not Path("/proc/self/task").exists():
        pytest.skip("threads are counted in /proc")
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
