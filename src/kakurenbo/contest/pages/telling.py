"""The rules of a contest as people read them, written out from the TOML: page and judge cannot differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.contest.pages.formats import asked
from kakurenbo.contest.pages.sentences import Line, Section, Sentence, say
from kakurenbo.contest.pages.words import COMBINED
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.catalogue import Entry, Family
    from kakurenbo.contest.rules import Named, Rules

_BOARD: Final = {
    "live": (
        "Utility and sample attacks stand on the board as soon as a release is judged; guesses count at "
        "the end."
    ),
    "final": "The board opens at the end.",
}
_SIZES: Final = say(
    "The size of a group that stands among the attacks counts as the chance to find somebody in it, 1 / size."
)
_LAID_OPEN: Final = say("Security is at least the share of people laid open at the worst kind of knowledge.")
_GUESSES: Final = say(
    "In the end the last valid guess of every other team is an attack too: security is the worst of all."
)
_SEEKERS: Final = say(
    "Seekers are ranked by the mean share of people they find in the releases of the other teams: higher is "
    "better."
)


def sections(rules: Rules) -> tuple[Section, ...]:
    """Return all that the rules say, part by part; phases have a table of their own with their times."""
    parts = (_release, _utility, _attacks, _learnt, _guess, _told, _score, _quotas, _fairness)
    return tuple(section for part in parts for section in part(rules))


def percent(share: float) -> str:
    """Return a share as it is written in a sentence, the sign on the same line."""
    return f"{100 * share:.4g}\u00a0%"


def has_seek(rules: Rules) -> bool:
    """Return whether teams seek in one another's releases."""
    return any(phase.name == "seek" for phase in rules.phases)


def _release(rules: Rules) -> Iterator[Section]:
    sentences = list(asked(rules).release)
    if rules.hide.keep_share:
        share = percent(rules.hide.keep_share)
        sentences.append(say("At least {share} of the rows must be kept.", share=share))
    if rules.hide.known_goods:
        sentences.append(say("Goods must be ones that occur in the original."))
    if rules.hide.excess:
        sentences.append(_excess(rules))
    yield Section("release", "What to submit: a release", sentences)


def _excess(rules: Rules) -> Sentence:
    return say(
        "A release must not be excessive: if its own pairing moves people further than a pairing that leaves "
        "at most {fixed} of them in place would need to, it is refused.",
        fixed=rules.hide.excess_r,
    )


def _utility(rules: Rules) -> Iterator[Section]:
    lines = [*asked(rules).measures, *_catalogued(rules, "measure", rules.hide.measures)]
    if lines:
        said = say(
            "Every measure compares the release with the original. In the score it counts as a loss "
            "between 0, nothing was lost, and 1."
        )
        yield Section("utility", "What a release must keep", [said], "Measures of utility", lines)


def _attacks(rules: Rules) -> Iterator[Section]:
    lines = [*asked(rules).attacks, *_catalogued(rules, "attack", rules.hide.attacks)]
    if lines:
        said = say("Each gives the share of people it finds; 0 means that it finds nobody.")
        sentences = [said, asked(rules).sought, *([_SIZES] if _names_risks(rules) else [])]
        yield Section("attacks", "Attacks that the judge runs", sentences, "Sample attacks", lines)


def _catalogued(rules: Rules, family: Family, named: tuple[Named, ...]) -> Iterator[Line]:
    """Return what the catalogue says of things; parameters that differ from the defaults follow the name."""
    for one in named:
        given = ", ".join(f"{name} = {value}" for name, value in one.parameters.items())
        name = one.shown if one.shown == one.name else f"{one.shown} ({one.name})"
        yield Line(f"{name}: {given}" if given else name, say(entry_of(rules, family, one).summary))


def entry_of(rules: Rules, family: Family, named: Named) -> Entry:
    """Return what rules name; among the attacks a measure of risk may stand."""
    from kakurenbo.catalogue import find  # noqa: PLC0415 - the catalogue loads every algorithm

    try:
        return find(named.name, family, rules.kind)
    except ParameterError:
        return find(named.name, "measure", rules.kind)


def _names_risks(rules: Rules) -> bool:
    return any(entry_of(rules, "attack", one).family == "measure" for one in rules.hide.attacks)


def _learnt(rules: Rules) -> Iterator[Section]:
    if not rules.hide.learnt:
        return
    from kakurenbo.attacks.ladder import LADDERS  # noqa: PLC0415 - the families are loaded with it

    meanings = {rung.name: rung.meaning for rung in LADDERS[rules.kind]}
    sentences = [
        say(
            "Whoever knows a part of a person's data must not learn the rest of it, whatever the secret "
            "pairing says."
        ),
        say(
            "A person is laid open when at least half of the rest is learnt; the share of such people is "
            "measured."
        ),
    ]
    if not rules.scoring.learnt_counts:
        sentences.append(say("This is reported and does not change the score."))
    lines = [Line(name, say(meanings.get(name, name)), rung=True) for name in rules.hide.learnt]
    yield Section("learnt", "What may be learnt", sentences, "What is known", lines)


def _guess(rules: Rules) -> Iterator[Section]:
    if has_seek(rules):
        last = say("Of several guesses of a team about the same release the last valid one counts.")
        sentences = [*asked(rules).guess, asked(rules).sought, last]
        yield Section("guess", "What to submit: a guess", sentences)


def _told(rules: Rules) -> Iterator[Section]:
    if not has_seek(rules):
        return
    seek, share = rules.seek, percent(rules.seek.share)
    told = {
        "nothing": say("Until the end a team is told whether its guess is valid, and nothing else."),
        "ladder": say(
            "Until the end a team is told its best score so far about each release, and only when it rose by "
            "at least {step}; it is measured on {share} of the people, always the same ones, whom nobody is "
            "told.",
            step=percent(seek.step),
            share=share,
        ),
        "rounded": say(
            "Until the end a team is told the score of its guess rounded to {decimals} decimals; it is "
            "measured on {share} of the people, always the same ones, whom nobody is told.",
            decimals=seek.decimals,
            share=share,
        ),
    }
    last = say("The final scores count everybody, and appear for all teams at once.")
    yield Section("told", "What is told about guesses", [told[seek.tells], last])


def _score(rules: Rules) -> Iterator[Section]:
    how, seeks = rules.scoring, has_seek(rules)
    yield Section(
        "score",
        "The score",
        [
            say("Utility, security and score are losses between 0 and 1: lower is better."),
            say("Utility is {how} of the losses.", how=say(COMBINED[how.utility])),
            say(
                "Security is {how} of the attacks, each averaged over what is known.",
                how=say(COMBINED[how.security]),
            ),
            *([_LAID_OPEN] if how.learnt_counts else []),
            *([_GUESSES] if seeks else []),
            _total(how.utility_weight),
            *([_SEEKERS] if seeks else []),
            say(_BOARD[how.board]),
        ],
    )


def _total(weight: float) -> Sentence:
    if weight == 0.5:
        return say("Score = (utility + security) / 2.")
    return say("Score = {one} * utility + {other} * security.", one=f"{weight:g}", other=f"{1 - weight:g}")


def _quotas(rules: Rules) -> Iterator[Section]:
    hide, seek, limits = rules.hide, rules.seek, rules.limits
    releases = say(
        "A team may submit {tries} releases, {day} within 24 hours.", tries=hide.tries, day=hide.tries_a_day
    )
    guesses = say(
        "A team may submit {tries} guesses about each other team, {day} within 24 hours.",
        tries=seek.tries,
        day=seek.tries_a_day,
    )
    others = (
        say("A try that fails by a fault of the server does not count; one that is not valid does."),
        say(
            "A submission has at most {megabytes} MB, packed and unpacked, and a table at most {rows} rows.",
            megabytes=limits.megabytes,
            rows=f"{limits.rows:,}",
        ),
        say("A team has at most {members} members.", members=limits.members),
    )
    sentences = [releases, *([guesses] if has_seek(rules) else []), *others]
    yield Section("quotas", "How often and how much", sentences)


def _fairness(_: Rules) -> Iterator[Section]:
    yield Section(
        "fairness",
        "What you can rely on",
        [
            say(
                "What counts is what the server had stored for good before the deadline, by its own clock; "
                "the receipt says when."
            ),
            say(
                "The receipt holds a commitment to your file. At the end anybody can check with file and "
                "salt that it was not exchanged."
            ),
            say(
                "Your secret is stored encrypted, and only the judge reads it. Nothing of what you submit is "
                "ever executed."
            ),
        ],
    )
