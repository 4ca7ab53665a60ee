"""Every release explains itself: what stands in the sheet, what must never, and who believes it."""

import json
import re
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
import sample_audit
from kakurenbo.auditing.results import Targets
from kakurenbo.auditing.sheet.columns import columns
from kakurenbo.auditing.sheet.make import sheet_of
from kakurenbo.cli.main import run
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.files import datasheet, manifest, release_folder
from kakurenbo.files.unseen import unseen
from kakurenbo.sheet.markdown import markdown
from kakurenbo.sheet.record import Sought, advised, parsed
from kakurenbo.sheet.words import WORDS

ROLES = {role: role for role in ("customer", "goods", "receipt", "time", "price", "quantity")}
# Twelve customers; eight come twice, four once: a repeat rate of two in three.
ROWS = "customer,receipt,time,goods,price,quantity\n" + "".join(
    f"person-{who:02},r{who}-{visit},2011-0{2 + 5 * visit}-{10 + who} 09:30:00,"
    f"g{good},{good + 1}.25,{good + 1}\n"
    for who in range(12)
    for visit in range(1 if who < 4 else 2)
    for good in range(3)
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.csv").write_text(ROWS)
    (tmp_path / "kakurenbo.toml").write_text("".join(f'{role} = "{role}"\n' for role in ROLES))
    return tmp_path


def done(capsys, *arguments, code=0):
    assert run([*arguments]) == code, capsys.readouterr().err
    return capsys.readouterr()


def hidden(capsys, *more, method="pseudonymize"):
    done(capsys, "deidentify", method, "shop.csv", "--out", "out", "--secret", "secret.csv", *more)


def use(sheet, name):
    return next(use for use in sheet.uses if use.measure == name)


def test_a_copy_is_exact_in_everything_and_a_false_repeat_rate_is_not_to_be_used(place):
    shop = kb.read_purchases("shop.csv", **ROLES)
    copy = sheet_of(shop, shop)
    assert {one.advice for one in copy.uses} == {"exact"}
    once = shop.with_records(shop.records.with_columns(receipt=pl.lit("one")))
    sheet = sheet_of(once, shop)
    rate = use(sheet, "repeat-rate")
    assert rate.advice == "avoid"
    assert rate.figures["repeat rate before"] == pytest.approx(0.667)
    assert rate.figures["repeat rate after"] == 0
    assert use(sheet, "sales").lost == 0
    page = markdown(sheet)
    assert page.index("### Exact") < page.index("**sales**") < page.index("### Do not use")
    assert page.index("### Do not use") < page.index("**repeat-rate**: a repeat rate of 0.0% (66.7% in")


def test_what_may_be_lost_is_declared_once():
    assert [advised(loss) for loss in (0, 0.02, 0.021, 0.15, 0.151, 1)] == [
        "exact", "exact", "care", "care", "avoid", "avoid",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("times", "grain"),
    [("year", "year"), ("quarter", "quarter"), ("month", "month"), ("week", "week"), ("day", "day"),
     ("season", "season"), ("weekday", "weekday"), ("hour", "hour"), ("keep", "minute")],
)  # fmt: skip
def test_the_grain_of_times_is_read_off_them(place, times, grain):
    shop = kb.read_purchases("shop.csv", **ROLES)
    released = kb.methods.Coarsen(times=times).release(shop, seed=1).data
    assert {one.role: one.grain for one in columns(released)}["time"] == grain


def test_words_and_numbers_are_counted_and_what_was_left_out_is_named(place):
    tree = Hierarchy.of({"g0": "food", "g1": "food", "g2": "tools"})
    shop = replace(kb.read_purchases("shop.csv", **ROLES), hierarchies={"goods": tree})
    method = kb.methods.Generalize(level=1)
    released = kb.methods.Omit(columns=("quantity",)).change(shop, None).data
    sheet = sheet_of(method.release(released, seed=1).data, shop)
    by_role = {one.role: one for one in sheet.columns}
    assert (by_role["goods"].values, by_role["goods"].stands_for, by_role["goods"].levels) == (2, 3, (0, 2))
    assert (by_role["price"].grain, by_role["price"].decimals) == ("decimals", 2)
    assert sheet.left_out == ("quantity",)
    assert "2 words for 3 values (2 of level 1)" in markdown(sheet)


def test_a_sheet_holds_no_seed_secret_person_path_or_date(place, capsys):
    hidden(capsys, "--seed", "918273", "--contact", "privacy@shop.example")
    shown = (place / "out" / "README.md").read_text() + (place / "out" / "datasheet.json").read_text()
    secret = (place / "secret.csv").read_text()
    assert "918273" not in shown
    assert str(place) not in shown
    assert not re.search(r"person-|20\d\d-\d\d-\d\d|20\d\d-\d\d \d\d:", shown)
    assert not any(name in shown for name in re.split(r"[,\n]", secret)[2:-1])
    assert "privacy@shop.example" in shown
    assert "Not for release" in shown


def test_equal_releases_have_equal_sheets_and_few_people_no_figures(place):
    shop = kb.read_purchases("shop.csv", **ROLES)
    sheets = {sheet_of(kb.methods.Pseudonymize().release(shop).data, shop).to_json() for _ in range(2)}
    assert len(sheets) == 1
    nine = shop.of(shop.customers.head(9))
    few = sheet_of(nine, nine)
    assert not few.uses
    assert not few.grain
    assert "there are fewer than 10 people" in few.unmeasured


def test_a_sheet_is_read_back_to_the_letter_and_a_changed_one_is_foreign(place, capsys):
    hidden(capsys)
    shop = kb.read_purchases("shop.csv", **ROLES)

    def foreign():
        released = kb.read_purchases("out", like="shop.csv", **ROLES)
        return {file.name for file in unseen(released, shop).files}

    assert manifest.is_release(place / "out")
    assert foreign() == set()
    page = place / "out" / "README.md"
    page.write_text(page.read_text() + "\n")
    assert foreign() == {"README.md"}
    sheet = place / "out" / "datasheet.json"
    stored = json.loads(sheet.read_text())
    assert parsed({**stored, "more": "person-01"}) is None
    assert parsed({**stored, "contact": "x" * 1000}) is None
    assert parsed({**stored, "made_by": "another"}) is None
    sheet.write_text(sheet.read_text() + " ")
    assert foreign() == {"README.md", "datasheet.json"}


def test_none_is_written_where_none_is_wanted(place, capsys):
    hidden(capsys, "--no-datasheet")
    assert {path.name for path in (place / "out").iterdir()} == {"transactions.csv", "release.json"}


def test_the_contact_stands_beside_the_data_and_cannot_be_markup(place, capsys):
    with (place / "kakurenbo.toml").open("a") as settings:
        settings.write('contact = "<b>Data | office</b>"\n')
    hidden(capsys)
    assert r"\<b\>Data \| office\</b\>" in (place / "out" / "README.md").read_text()


def test_python_writes_a_sheet_that_says_what_it_does_not_know(place):
    shop = kb.read_purchases("shop.csv", **ROLES)
    release = kb.methods.Pseudonymize().release(shop)
    kb.write_release(release, place / "out", secret=place / "secret.csv")
    assert WORDS["en"]["not_compared"] in (place / "out" / "README.md").read_text()
    assert "bought nothing" not in (place / "out" / "README.md").read_text()
    kb.write_release(release, place / "with", secret=place / "other.csv", original=shop, lang="ja")
    assert "使用しないこと" in (place / "with" / "README.md").read_text()


def test_the_sheet_is_renewed_with_what_an_audit_found_and_the_folder_stays_ours(place, capsys):
    hidden(capsys, "--contact", "office")
    tables = {path.name: path.read_bytes() for path in (place / "out").glob("transactions*")}
    done(capsys, "datasheet", "shop.csv", "out", "--lang", "ja")
    assert manifest.is_release(place / "out")
    assert {path.name: path.read_bytes() for path in (place / "out").glob("transactions*")} == tables
    sheet = datasheet.read(place / "out")
    assert (sheet.language, sheet.contact, sheet.sought) == ("ja", "office", Sought())
    (place / "out" / "extra.txt").write_text("mine")
    assert "changed since" in done(capsys, "datasheet", "shop.csv", "out", code=2).err
    with pytest.raises(kb.ParameterError, match="changed since"):
        release_folder.renew(place / "out", sheet)
    assert (place / "out" / "extra.txt").exists()


@pytest.mark.parametrize(
    ("method", "several"), [(kb.methods.Pseudonymize(), False), (kb.methods.Rotate(by="month"), True)]
)
def test_the_page_warns_where_names_are_not_people(place, method, several):
    shop = kb.read_purchases("shop.csv", **ROLES)
    release = method.release(shop, seed=1)
    page = markdown(sheet_of(release.data, shop, release.pairing))
    assert (WORDS["en"]["several"] in page) is several


def test_both_languages_say_the_same_things():
    assert WORDS["en"].keys() <= WORDS["ja"].keys()
    for key, english in WORDS["en"].items():
        fields = [set(re.findall(r"\{(\w+)", words)) for words in (english, WORDS["ja"][key])]
        assert fields[0] == fields[1], key


def test_what_an_audit_found_is_told_by_what_attackers_know_and_another_s_is_refused(place, capsys):
    judged = sample_audit.failed_proof()
    shop = kb.read_purchases("shop.csv", **ROLES)
    sheet = sheet_of(shop, shop, audit=judged)
    assert (sheet.sought.by, sheet.sought.verdict) == ("audit", judged.verdict)
    worst = judged.worst
    rung = next(rung for rung in sheet.sought.rungs if rung.knowledge == worst.knowledge)
    assert rung.found == pytest.approx(worst.rate.value, rel=0.005)
    assert f"| {worst.knowledge} | " in markdown(sheet).replace("\\", "")
    hidden(capsys)
    (place / "audit.json").write_text(judged.to_json())
    said = done(capsys, "datasheet", "shop.csv", "out", "--audit", "audit.json", code=2).err
    assert "another release" in said


def test_a_table_of_people_tells_the_form_of_every_column():
    people = kb.Microdata.from_frame(
        pl.DataFrame({
            "age": [20, 21, 22, 63, 64, 65] * 2, "sex": ["f", "f", "m"] * 4,
            "town": ["A", "B"] * 6, "ill": ["no", "yes", "flu"] * 4,
        }),
        qi=("age", "sex", "town"), sa=("ill",),
    )  # fmt: skip
    release = kb.methods.KAnonymize(k=6).release(people, seed=1)
    sheet = sheet_of(release.data, people, release.pairing)
    page = markdown(sheet)
    assert "{" not in page
    assert "| microdata | age | quasi-identifier |" in page
    assert "receipt" not in page
    assert "bought nothing" not in page
    assert {column.name: column.grain for column in sheet.columns} == {
        "age": "ranges", "sex": "sets", "town": "sets", "ill": "text",
    }  # fmt: skip


@pytest.mark.usefixtures("place")
def test_the_number_of_people_sought_is_told():
    shop = kb.read_purchases("shop.csv", **ROLES)
    judged = sample_audit.failed_proof()
    assert "drawn at random" not in markdown(sheet_of(shop, shop, audit=judged))
    drawn = replace(judged, targets=Targets(1234, 5678, 1234))
    assert "They sought 1,234 people, drawn at random" in markdown(sheet_of(shop, shop, audit=drawn))
