"""What each format asks teams to submit, in sentences, and the measures and attacks that it brings itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kakurenbo.contest.pages.sentences import Line, Sentence, say

if TYPE_CHECKING:
    from kakurenbo.contest.rules import Rules


@dataclass(frozen=True, slots=True)
class Asked:
    """What a format asks for.

    Attributes:
        aim: what the contest is about, in one sentence.
        release: the files of a release and what must hold of them.
        guess: the same of a guess.
        sought: when somebody counts as found.
        measures: those that the format brings itself.
        attacks: the same.
    """

    aim: Sentence
    release: tuple[Sentence, ...]
    guess: tuple[Sentence, ...]
    sought: Sentence
    measures: tuple[Line, ...] = ()
    attacks: tuple[Line, ...] = ()


PWS2017: Final = Asked(
    aim=say(
        "The data are the purchases of a year. A customer gets a new pseudonym every month; whoever knows a "
        "part of the purchases must not find out which pseudonyms are one person."
    ),
    release=(
        say("One CSV file without a header, or a zip that holds only it: the table T as you change it."),
        say("Its rows stand in the order of T, and there are as many as in T."),
        say("A row has seven cells: pseudonym, receipt, day (Y/M/D), time (H:MM), good, price, quantity."),
        say("A row that you delete is written DEL,,,,,,"),
        say("A customer has one pseudonym a month, and no customer's own id may be used as one."),
        say("A day may move within its month, and a good must be one that occurs in T."),
        say("A price has 1 to 5 digits and at most 2 behind the point; a quantity has 1 to 6 digits."),
        say("Other teams get the rows that you kept, shuffled."),
    ),
    guess=(
        say(
            "A zip with four CSV files without headers, Fh25.csv, Fh50.csv, Fh75.csv and Fh100.csv: one "
            "guess for each part of the purchases that is known, T25.csv to T100.csv. One file alone is "
            "taken for all four."
        ),
        say(
            "A row is a customer, in the order of M: twelve pseudonyms, December to November; DEL where you "
            "think that no row of the month was kept."
        ),
    ),
    sought=say("A customer is found when all twelve cells are right."),
    measures=(
        Line(
            "E1",
            say("How far the likeness of goods moved that are bought by the dozen (ItemCF-s), 1 at most."),
        ),
        Line(
            "E2",
            say(
                "How far the likeness of goods moved that are bought in small numbers (ItemCF-r), 1 at most."
            ),
        ),
        Line("E3_topk", say("The share of the 100 goods with most buyers that are no longer among them.")),
        Line("E3_sim", say("How far the likeness of these 100 goods moved, 1 at most.")),
        Line("E4", say("By how many days rows moved, over 31 days a row.")),
        Line("E5", say("By how much prices moved: 1 less the smaller over the larger, over all rows.")),
        Line("E6", say("The share of rows deleted.")),
    ),
    attacks=(
        Line("S1", say("Finds rows of the same day and quantity.")),
        Line("S2", say("Finds rows of the same good and price.")),
        Line("S3", say("Finds rows of the same good and quantity.")),
        Line("S4", say("Finds rows of the same day and good.")),
        Line("S5", say("Finds rows of the same good, price and quantity.")),
        Line("S6", say("Finds rows of the same good, day and quantity.")),
    ),
)

PURCHASES: Final = Asked(
    aim=say(
        "The data are the purchases of a shop's customers. A release gives customers new names and changes "
        "what it must; whoever knows the purchases must not find out who is who."
    ),
    release=(
        say(
            "A zip with T.csv, the changed purchases, P.csv, the secret pairing, and M.csv, the changed "
            "master, where there is one."
        ),
        say("The tables have the columns of the original, customers under new names."),
        say("P.csv has the columns released and original: every new name, and whose it is."),
        say("Tables may be Parquet in place of CSV."),
        say("Other teams get everything but P.csv."),
    ),
    guess=(
        say("Q.csv with the columns released and original: every new name, and whose you think it is."),
        say("An empty cell says that you do not know; it counts as a guess by chance."),
    ),
    sought=say("A person is found when the guess names the right one."),
)

MICRODATA: Final = Asked(
    aim=say(
        "The data are a table with one row a person. A release changes and shuffles the rows; whoever knows "
        "the table must not find out which row is whose."
    ),
    release=(
        say("A zip with X.csv, the changed table, and P.csv, the secret pairing."),
        say("The table has the columns of the original; its rows may stand in any order."),
        say("P.csv has the columns released and original: every row of the release, and whose it is."),
        say("Tables may be Parquet in place of CSV."),
        say("Other teams get everything but P.csv."),
    ),
    guess=(
        say(
            "Q.csv with the columns released and original: every row of the release, and whose you think "
            "it is."
        ),
        say("An empty cell says that you do not know; it counts as a guess by chance."),
    ),
    sought=say("A person is found when the guess names the right one."),
)  # fmt: skip


def asked(rules: Rules) -> Asked:
    """Return what the format of a contest asks for."""
    return {"pws2017": PWS2017, "purchases": PURCHASES, "microdata": MICRODATA}[rules.format]
