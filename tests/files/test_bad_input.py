"""Every bad input ends in one plain sentence, exit code 2 (74 where writing failed), and nothing written."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from polars.exceptions import PanicException

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.cli.main import run

ROLES = [
    "--customer",
    "who",
    "--goods",
    "what",
    "--price",
    "cost",
    "--quantity",
    "pieces",
    "--time",
    "when",
    "--receipt",
    "slip",
]
WHO = ROLES[:4]
HEAD = b"who,what,slip,when,cost,pieces\n"
GOOD = b"ann,milk,r1,2024-01-05,1.5,1\n"
SECRET_WORDS = ("ann", "milk", "1.5")

CASES = {
    "empty file": (b"", [], "file-empty"),
    "only a byte order mark": (b"\xef\xbb\xbf", [], "file-empty"),
    "blank lines only": (b"\n\n\n", [], "file-empty"),
    "header only": (HEAD, ROLES, "file-empty"),
    "unknown layout without roles": (HEAD + GOOD, [], "roles"),
    "no header, unknown layout": (b"ann,milk,5\nbob,tea,6\n", [], "roles"),
    "missing column": (b"who,what\nann,milk\n", ROLES, "column-missing"),
    "unknown column named": (HEAD + GOOD, ["--customer", "client", "--goods", "what"], "column-missing"),
    "goods without customer": (HEAD + GOOD, ["--goods", "what"], "roles"),
    "one column with two roles": (HEAD + GOOD, ["--customer", "who", "--goods", "who"], "roles"),
    "two columns of one name": (
        b"who,who\nann,milk\n",
        ["--customer", "who", "--goods", "who"],
        "column-missing",
    ),
    "missing customer": (HEAD + GOOD + b",milk,r1,2024-01-05,1.5,1\n", ROLES, "missing-id"),
    "missing goods": (HEAD + b"ann,,r1,2024-01-05,1.5,1\n", ROLES, "missing-id"),
    "cancelled receipt": (HEAD + b"ann,milk,C5,2024-01-05,1.5,1\n", ROLES, "cancellation"),
    "negative quantity": (HEAD + b"ann,milk,r1,2024-01-05,1.5,-1\n", ROLES, "not-positive"),
    "price zero": (HEAD + b"ann,milk,r1,2024-01-05,0,1\n", ROLES, "not-positive"),
    "30 February": (HEAD + GOOD + b"ann,milk,r1,2024-02-30,1.5,1\n", ROLES, "not-date"),
    "no date": (HEAD + b"ann,milk,r1,,1.5,1\n", ROLES, "not-date"),
    "non-numeric price": (HEAD + b"ann,milk,r1,2024-01-05,cheap,1\n", ROLES, "not-number"),
    "figures of another script": (
        HEAD + "ann,milk,r1,2024-01-05,\u0661\u0662,1\n".encode(),
        ROLES,
        "not-number",
    ),
    "full-width date": (HEAD + GOOD + "ann,milk,r1,2024-01-0\uff15,1,1\n".encode(), ROLES, "not-date"),
    "half a piece": (HEAD + b"ann,milk,r1,2024-01-05,1.5,0.5\n", ROLES, "not-whole"),
    "NUL byte": (HEAD + GOOD + b"ann,mi\0lk,r1,2024-01-05,1.5,1\n", ROLES, "nul-byte"),
    "unterminated quote": (HEAD + GOOD + b'ann,"milk,r1,2024-01-05,1.5,1\n' + GOOD * 3, ROLES, "quote"),
    "quote inside a field": (
        HEAD + b'ann,6" tea,r1,2024-01-05,1.5,1\nbob,9" tea,r1,2024-01-05,1,1\n',
        ROLES,
        "quote",
    ),
    "text after a quoted field": (HEAD + b'ann,"milk"x,r1,2024-01-05,1.5,1\n', ROLES, "quote"),
    "UTF-16 with mark": ((HEAD + GOOD).decode().encode("utf-16"), [*ROLES, "--encoding", "UTF8"], "encoding"),
    "UTF-16 without mark": (
        (HEAD + GOOD).decode().encode("utf-16-le"),
        [*ROLES, "--encoding", "utf-8"],
        "encoding",
    ),
    "Latin-1 read as UTF-8": (
        HEAD + b"ann,cr\xe8me,r1,2024-01-05,1.5,1\n",
        [*ROLES, "--encoding", "utf-8"],
        "encoding",
    ),
    "two letters of no language": (HEAD + b"ann,\xb0\xa1,r1,2024-01-05,1.5,1\n", ROLES, "encoding"),
    "too many fields": (HEAD + GOOD + b"ann,milk,r1,2024-01-05,1.5,1,7,8\n", ROLES, "ragged"),
    "unknown policy": (HEAD + GOOD, [*ROLES, "--policy", "ignore"], "parameter"),
    "unknown encoding": (HEAD + GOOD, [*ROLES, "--encoding", "utf-7"], "parameter"),
    "three columns of the time": (HEAD + GOOD, [*WHO, "--time", "when,slip,cost"], "roles"),
    "an hour and no minute": (HEAD + GOOD, [*WHO, "--time", "when", "--time-format", "%H"], "parameter"),
    "half a time format": (HEAD + GOOD, [*WHO, "--time", "when", "--time-format", "%"], "not-date"),
    "a separator of two letters": (HEAD + GOOD, [*WHO, "--separator", ",,"], "parameter"),
    "a separator that is a quote mark": (HEAD + GOOD, [*WHO, "--separator", '"'], "parameter"),
    "a separator that is no letter of ASCII": (HEAD + GOOD, [*WHO, "--separator", "\u3001"], "parameter"),
    "an empty separator": (HEAD + GOOD, [*WHO, "--separator", ""], "parameter"),
    "a limit of none": (HEAD + GOOD, [*WHO, "--max-rows", "0"], "parameter"),
    "a limit of many digits": (HEAD + GOOD, [*WHO, "--max-rows", "9" * 5000], "parameter"),
    "microdata with a missing value": (b"a,b\n1,\n2,3\n", ["--qi", "a", "--sa", "b"], "missing-id"),
    "microdata with an unknown column": (b"a,b\n1,2\n", ["--qi", "a,c"], "column-missing"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_text_is_refused_in_one_line(case, tmp_path, capsys):
    content, options, code = CASES[case]
    path = tmp_path / "shop.csv"
    path.write_bytes(content)
    assert run(["profile", str(path), *options, "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("kakurenbo: ")
    assert said.err.count("\n") == 1
    assert f"[{code}]" in said.err
    assert "Traceback" not in said.err
    assert not any(word in said.err.replace("(such as 12 or 3.75)", "") for word in SECRET_WORDS)
    assert [f.name for f in tmp_path.iterdir()] == ["shop.csv"]


@pytest.mark.parametrize(
    ("case", "flag"),
    [
        ("unknown layout without roles", "(--customer, --goods, --no-header)"),
        ("missing customer", "(--policy drop)"),
        ("30 February", "(--time-format)"),
        ("Latin-1 read as UTF-8", "(--encoding)"),
    ],
)
def test_a_refusal_that_an_option_mends_names_its_flag(case, flag, tmp_path, capsys):
    content, options, code = CASES[case]
    (tmp_path / "shop.csv").write_bytes(content)
    assert run(["profile", str(tmp_path / "shop.csv"), *options]) == 2
    assert f"{flag} [{code}]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("notthere.csv", None, "path-missing"),
        ("shop.doc", b"hello", "format-unknown"),
        ("shop.parquet", b"PAR1 no", "file-broken"),
        ("shop.parquet", b"", "file-broken"),
        ("shop.xlsx", b"no zip", "file-broken"),
    ],
)
def test_files_that_are_not_what_they_are_called(name, content, code, tmp_path, capsys):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run(["profile", str(tmp_path / name), *ROLES]) == 2
    said = capsys.readouterr()
    assert f"[{code}]" in said.err
    assert said.out == ""


@pytest.mark.parametrize("command", ["profile", "score", "deidentify"])
def test_what_is_no_file_is_refused_and_not_waited_for(command, tmp_path, capsys):
    pipe, device = tmp_path / "pipe.csv", tmp_path / "zero.csv"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    (tmp_path / "transactions.csv").mkdir()
    (tmp_path / "kakurenbo.toml").symlink_to(pipe)
    for path in (pipe, device, tmp_path, tmp_path / "transactions.csv"):
        words = {
            "profile": ["profile", str(path), *WHO],
            "score": ["score", "--secret", str(path), "--guess", str(path)],
            "deidentify": ["deidentify", str(path), "--plan", str(path), "--out", str(tmp_path / "out")],
        }
        assert run([*words[command], *(["--secret", "s.csv"] if command == "deidentify" else [])]) == 2
        assert re.search(r"\[(path-unreadable|no-table)\]", capsys.readouterr().err)


@pytest.mark.parametrize("text", ["x = " + "[" * 5000 + "]" * 5000, "customer = " + "9" * 5000,
                                  "a." * 9000 + "b = 1", "qi = []\rsa = []", "x = 1\n" + "#" * 70_000,
                                  "qi = 3", '"' + "k" * 4000 + '" = 1', '"\\u001b[31m" = 1'])  # fmt: skip
def test_settings_and_plans_that_nest_or_count_without_end_are_refused(text, tmp_path, capsys):
    (tmp_path / "shop.csv").write_bytes(HEAD + GOOD)
    for name in ("kakurenbo.toml", "plan.toml"):
        (tmp_path / name).write_text(text)
    (tmp_path / "plan.json").write_text('{"kind": "purchases", "steps": ' + text.partition("= ")[2] + "}")
    assert run(["profile", str(tmp_path / "shop.csv"), *WHO]) == 2
    assert len(capsys.readouterr().err) < 600
    (tmp_path / "kakurenbo.toml").unlink()
    for name in ("plan.toml", "plan.json"):
        outputs = ["--out", str(tmp_path / "out"), "--secret", str(tmp_path / "s.csv")]
        words = ["deidentify", str(tmp_path / "shop.csv"), "--plan", str(tmp_path / name), *WHO, *outputs]
        assert run(words) == 2
        assert re.search(r"\[(plan|limit)\]", capsys.readouterr().err)


def test_a_tab_may_be_typed_as_two_letters(tmp_path, capsys):
    (tmp_path / "shop.csv").write_bytes((HEAD + GOOD).replace(b",", b"\t"))
    assert run(["profile", str(tmp_path / "shop.csv"), *WHO, "--separator", r"\t", "--json"]) == 0


def test_a_fault_inside_a_library_is_told_like_any_other(tmp_path, capsys, monkeypatch):
    def panic(*_, **__):
        raise PanicException("a value")

    monkeypatch.setattr("kakurenbo.files.guard.head", panic)
    (tmp_path / "shop.csv").write_bytes(HEAD + GOOD)
    assert run(["profile", str(tmp_path / "shop.csv"), *WHO]) == 70
    assert "a value" not in capsys.readouterr().err


def test_a_zip_renamed_to_xlsx(tmp_path, capsys):
    for name, entry in (("a.xlsx", "poem.txt"), ("b.xlsx", "[Content_Types].xml")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(entry, "no workbook")
        assert run(["profile", str(tmp_path / name), *ROLES]) == 2
        assert "[file-broken]" in capsys.readouterr().err


def test_a_directory_without_tables(tmp_path, capsys):
    (tmp_path / "notes.md").write_text("nothing here")
    assert run(["profile", str(tmp_path)]) == 2
    assert "[no-table]" in capsys.readouterr().err


def test_a_file_that_may_not_be_read(tmp_path, capsys, monkeypatch):
    path = tmp_path / "shop.csv"
    path.write_bytes(HEAD + GOOD)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kakurenbo.files.guard.inspect", refuse)
    assert run(["profile", str(path), *ROLES]) == 2
    assert "[path-unreadable]" in capsys.readouterr().err


def test_an_interrupt_is_told_and_has_its_exit_code(tmp_path, monkeypatch, capsys):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\na,b\n")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("kakurenbo.files.guard.head", interrupt)
    assert run(["profile", str(path), *ROLES]) == 130
    assert capsys.readouterr().err == "kakurenbo: interrupted\n"


@pytest.mark.parametrize("place", ["no/such/folder/out", "file/out", "taken"])
def test_an_output_that_cannot_be_written(place, tmp_path, capsys):
    (tmp_path / "file").write_text("a file, not a folder")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "precious.txt").write_text("keep")
    before = sorted(str(f) for f in tmp_path.rglob("*"))
    code = 2 if place == "taken" else 74
    assert run(["demo", "--customers", "5", "--shop-only", "--out", str(tmp_path / place)]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert sorted(str(f) for f in tmp_path.rglob("*")) == before


BIG, WRITTEN = 2 << 30, 1 << 26
PROBE = """
import sys
from kakurenbo.cli.main import run
code = run(["profile", sys.argv[1], "--customer", "who", "--goods", "what"])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # this program's alone
print(code, int(peak.split()[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from Linux's /proc")
@pytest.mark.parametrize("opening", [b'ann,"', *in_campaign(b"ann,", b'ann,"x\n')])
def test_a_field_of_two_gigabytes_is_refused_in_bounded_memory(opening, tmp_path):
    path = tmp_path / "big.csv"
    block = (b"m" * 1023 + b"\n") * (1 << 14) if opening.endswith(b"\n") else b"m" * (1 << 24)
    with path.open("wb") as file:
        file.write(b"who,what\n" + opening)
        for _ in range(WRITTEN // len(block)):
            file.write(block)
        file.truncate(BIG)  # the rest is a hole: whoever reads on to it fails by its NUL bytes and its size
    result = subprocess.run(
        [sys.executable, "-c", PROBE, str(path)], capture_output=True, text=True, check=True
    )
    path.unlink()
    code, megabytes = map(int, result.stdout.split())
    assert code == 2
    assert "[limit]" in result.stderr
    assert megabytes < 600


def test_what_is_wrong_names_its_file(tmp_path):
    with pytest.raises(kb.InputError, match=r"\(in nothing\.csv\)"):
        kb.read_purchases(tmp_path / "nothing.csv")
    (tmp_path / "shop.csv").write_text("who,what\nann,milk\nbob,\n")
    with pytest.raises(kb.InputError, match=r"\(in shop\.csv, row 2, column what\)"):
        kb.read_purchases(tmp_path / "shop.csv", customer="who", goods="what")
