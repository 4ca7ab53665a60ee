"""Columns left out: of the records, the layout, the files, and of what comes after in a plan."""

import datetime as dt

import pytest

import kakurenbo as kb
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.tuning.space import Space
from shops import light_shop

RETAIL = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID\n" + "".join(
    f"{5000 + row},A{row % 7},x,{1 + row % 5},{1 + row % 12}/{1 + row % 28}/2010 8:26,1.5,{100 + row % 9}\n"
    for row in range(60)
)
CONTEST = "1,10,2010/12/1,8:26,85123A,2.55,6\n1,10,2010/12/1,8:26,71053,3.39,6\n2,11,2010/12/2,8:28,22,1,6\n"
NAMED = "who,what,slip,when,cost,pieces\nann,milk,r1,2024-01-05,1.5,1\nbob,tea,r2,2024-02-01,3,2\n"
ROLES = {
    "customer": "who", "goods": "what", "receipt": "slip", "time": "when", "price": "cost",
    "quantity": "pieces",
}  # fmt: skip
FORMS = {"known": (RETAIL, {}), "no header": (CONTEST, {}), "named": (NAMED, ROLES)}


def written(release, folder):
    kb.write_release(release, folder / "release", secret=folder / "secret.csv")
    return folder / "release"


@pytest.mark.parametrize("columns", [("price",), ("time", "quantity"), ("receipt", "time", "price")])
@pytest.mark.parametrize(("text", "options"), FORMS.values(), ids=FORMS)
def test_a_release_is_written_and_read_without_them(tmp_path, text, options, columns):
    path = tmp_path / "shop.csv"
    path.write_text(text)
    shop = kb.read_purchases(path, **options)
    release = kb.methods.Omit(columns=columns).release(shop, seed=1)
    folder = written(release, tmp_path)
    back = kb.read_purchases(folder, like=path, **options)
    assert set(back.roles) == set(shop.roles) - set(columns)
    assert back.by_content().equals(release.data.by_content().select(back.records.columns))
    first = (folder / "transactions.csv").read_text().partition("\n")[0].split(",")
    assert len(first) == 7 if text is CONTEST else len(first) == len(back.roles)


def test_months_of_american_dates_are_read_as_the_original_writes_them(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text(RETAIL)
    release = kb.methods.Coarsen(times="month").release(kb.read_purchases(path), seed=1)
    back = kb.read_purchases(written(release, tmp_path), like=path)
    assert sorted(back.records["time"].unique()) == [dt.datetime(2010, month, 1) for month in range(1, 13)]


def test_what_cannot_be_left_out_is_refused():
    shop = light_shop(20, 3)
    for columns in ((), ("goods",), ("customer", "price")):
        with pytest.raises(kb.ParameterError):
            kb.methods.Omit(columns=columns)
    with pytest.raises(kb.InputError, match="colour") as error:
        kb.methods.Omit(columns=("price", "colour")).release(shop)
    assert error.value.code == "column-missing"
    with pytest.raises(kb.ParameterError):
        shop.without(["goods"])


def test_a_column_that_nobody_releases_can_be_named_and_stays_behind():
    shop = light_shop(20, 3)
    release = kb.methods.Omit(columns=("birth", "country")).release(shop, seed=1)
    assert release.data.master.columns == ["customer", "sex"]
    assert release.data.keep_master == ("sex",)


def test_the_tuner_turns_no_knob_of_what_is_left_out():
    space = Space.of(light_shop(20, 3))
    wished = {
        "columns": "omit", "omit.price": "omit", "coarse": "coarsen", "coarsen.times": "month",
        "coarsen.price_bands": 3, "numbers": "noise", "noise.price_spread": 0.5,
    }  # fmt: skip
    values = space.completed(wished)
    assert "coarsen.price_bands" not in values
    assert "noise.price_spread" not in values
    plan = space.plan(lambda knob: values[knob.name])
    assert str(plan.steps[0]) == "omit (columns price)"
    assert [step.parameters for step in plan.steps[:2]] == [{"columns": ["price"]}, {"times": "month"}]
    bare = Space.of(light_shop(20, 3).without(["price", "quantity"]))
    (columns,) = (slot for slot in bare.slots if slot.name == "columns")
    assert [knob.name for knob in columns.offers[0].knobs] == ["omit.receipt", "omit.time"]


def test_what_is_left_out_is_not_compared_and_goods_still_tell_nearly_everybody():
    shop = light_shop(40, 3)
    release = kb.methods.Omit(columns=("price", "quantity", "time")).release(shop, seed=1)
    spoken = vocabulary(shop, release.data)
    assert [covered.role for covered in spoken.coverage] == ["goods"]
    assert spoken.inferred == ()
    for attack in (kb.JaccardAttack(), kb.attacks.LikelihoodAttack()):
        guess = attack.guess(spoken.original, release.data, seed=1)
        assert kb.reidentification(release.pairing, guess).rate.value > 0.9
