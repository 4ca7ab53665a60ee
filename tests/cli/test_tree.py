"""The tree of goods as a file: written, edited, taken up again."""

import json

import polars as pl

from kakurenbo.cli.main import run
from shops import light_shop


def test_a_tree_is_written_edited_and_cut(tmp_path, capsys):
    shop = light_shop(40, seed=1)
    shop.to_frame().write_csv(tmp_path / "shop.csv")
    named = [text for role in ("customer", "goods", "time") for text in (f"--{role}", role)]
    file, tree = str(tmp_path / "shop.csv"), tmp_path / "tree.csv"
    assert run(["tree", file, "--out", str(tree), "--seed", "1", "--json", *named]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["goods"] == len(shop.goods)
    assert told["levels"] == sorted(told["levels"], reverse=True)
    assert run(["tree", file, "--out", str(tree), *named]) == 2  # nothing is overwritten
    edited = pl.read_csv(tree, infer_schema=False)
    assert edited["goods"].to_list() == shop.goods.to_list()
    pl.DataFrame({"goods": shop.goods, "kind": "thing"}).write_csv(tmp_path / "edited.csv")
    command = ["deidentify", "generalize", file, "--level", "1", "--json", *named]
    given = ["--hierarchy", f"goods={tmp_path / 'edited.csv'}"]
    places = ["--out", str(tmp_path / "release"), "--secret", str(tmp_path / "secret.csv")]
    capsys.readouterr()
    assert run([*command, *given, *places]) == 0
    assert json.loads(capsys.readouterr().out)["categories"] == 1
    assert pl.read_csv(tmp_path / "release" / "transactions.csv")["goods"].unique().to_list() == ["thing"]
