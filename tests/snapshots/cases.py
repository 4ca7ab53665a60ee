"""Every snapshot by its name: which of our own answers is frozen, and what it is made of.

All data is made up here, all chance comes from seeds. Of each release the data and the pairing are audited,
as by the command line, once as tables in memory and once as three blocks of people, always seeking everybody:
so both ways answer the same question about the same data.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import kakurenbo as kb
from contest import pws2017_made
from kakurenbo.contest.judging.judge import judge
from kakurenbo.contest.rules import Rules
from kakurenbo.data.blocks import InMemory
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.release_folder import fill
from kakurenbo.methods import (
    Chain,
    Coarsen,
    Compact,
    Consensus,
    Deal,
    Generalize,
    KAnonymize,
    Noise,
    NoiseMicrodata,
    Pseudonymize,
    Rotate,
    Sample,
    Suppress,
)
from shops import light_shop
from snapshots import frozen
from snapshots.figures import of_audit

SEED = 1
_PARTS = 3


@dataclass(frozen=True)
class Case:
    """A snapshot.

    Attributes:
        about: what is asked of what, in a sentence.
        figures: computes them.
    """

    about: str
    figures: Callable[[], object]


@cache
def _shop():
    return kb.demo.shop(60, seed=SEED)


@cache
def _households():
    return kb.demo.households(150, seed=SEED)


@cache
def _survey():
    """Return the same people by four columns, in which many are alike."""
    qi = ["region", "settlement", "age_band", "sex"]
    return kb.Microdata.from_frame(_households().to_frame(), qi=qi, sa=["income", "food"])


RELEASES = {
    "pseudonymize": Pseudonymize(),
    "generalize-quarters": Chain(methods=(Coarsen(times="quarter"), Generalize(crowd=4))),
    "compact-coarsen": Chain(methods=(Coarsen(times="month", price_bands=5), Compact(min_size=6))),
    "deal": Deal(min_size=8),
    "deal-receipts": Deal(min_size=8, of="receipts"),
    "noise": Noise(quantity_spread=1.5, price_spread=1.0),
    "rotate": Rotate(by="month"),
    "suppress": Chain(methods=(Coarsen(times="month", price_bands=5, quantity_bands=3), Suppress(k=3, m=1))),
    "consensus": Consensus(min_size=6),
    "sample-generalize": Chain(methods=(Sample(share=0.6), Generalize(crowd=4))),
}


def _in_memory(method):
    release = method.release(_shop(), seed=SEED)
    return of_audit(kb.audit(_shop(), release.data, release.pairing, targets="all", seed=SEED))


def _in_blocks(method):
    release = method.release(_shop(), seed=SEED)
    both = InMemory(_shop(), _PARTS), InMemory(release.data, _PARTS)
    return of_audit(kb.audit(*both, release.pairing, targets="all", seed=SEED))


def _plan_known(method):
    return of_audit(kb.audit(_shop(), method.release(_shop(), seed=SEED), targets="all", seed=SEED))


def _microdata(method):
    people = _households()
    return of_audit(kb.audit(people, method.release(people, seed=SEED), population=5_000, seed=SEED))


def _profile(data, **more):
    return kb.profile(data(), seed=SEED, **more).to_dict()


def _excess(method, **asked):
    release = method.release(_shop(), seed=SEED)
    return kb.Excess(**asked).judge(_shop(), release.data, release.pairing).to_dict()


def _judged_shop(preset, method):
    with tempfile.TemporaryDirectory() as place:
        original = Path(place, "original")
        original.mkdir()
        shop = light_shop(40, 3)
        fill(shop, original)
        (original / "transactions.csv").rename(original / "T.csv")
        (original / "master.csv").rename(original / "M.csv")
        files = _packed(method.release(shop, seed=SEED), Path(place, "release"), "secret.csv")
        return judge(Rules.preset(preset), original, files, seed=SEED).to_dict()


def _judged_survey(method):
    people = _households()
    with tempfile.TemporaryDirectory() as place:
        original = Path(place, "original")
        original.mkdir()
        people.to_frame().write_csv(original / "X.csv")
        files = _packed(method.release(people, seed=SEED), Path(place, "release"), "P.csv")
        return judge(Rules.preset("pws2015"), original, files, seed=SEED).to_dict()


def _packed(release, folder, secret):
    folder.mkdir()
    fill(release.data, folder)
    written = {file.name: file.read_bytes() for file in folder.iterdir()}
    return {**written, secret: as_bytes(release.pairing)}


def _judged_cup():
    with tempfile.TemporaryDirectory() as place:
        cup = pws2017_made.write(place, pws2017_made.contest(SEED))
        submitted = pws2017_made.text_of(pws2017_made.submission(cup, SEED)).encode()
        rules = Rules.preset("pws2017")
        return judge(rules, Path(place), {"A.csv": submitted}, order="submitted", seed=SEED).to_dict()


CASES = {
    **{
        f"{name}-{way}": Case(
            f"Audit of 60 people of the demo's shop, {way}: {method.plan}", partial(ask, method)
        )
        for name, method in RELEASES.items()
        for way, ask in (("memory", _in_memory), ("blocks", _in_blocks))
    },
    "consensus-plan-known": Case(
        "Audit in memory of the release of consensus as a release of ours, which tells its plan",
        partial(_plan_known, RELEASES["consensus"]),
    ),
    "microdata-k-anonymize": Case(
        "Audit of 150 households, 5-anonymous", partial(_microdata, KAnonymize(k=5))
    ),
    "microdata-noise": Case(
        "Audit of 150 households with noise", partial(_microdata, NoiseMicrodata(scale=0.2))
    ),
    "profile-shop": Case("Profile of 60 people of the demo's shop", partial(_profile, _shop)),
    "profile-blocks": Case(
        "Profile of the same in three blocks", partial(_profile, lambda: InMemory(_shop(), _PARTS))
    ),
    "profile-master": Case(
        "Profile of 80 people of the light shop, with a master",
        partial(_profile, lambda: light_shop(80, SEED)),
    ),
    "profile-households": Case(
        "Profile of 150 households of 5,000, by four columns", partial(_profile, _survey, population=5_000)
    ),
    "excess-compact": Case("How far compact went", partial(_excess, RELEASES["compact-coarsen"])),
    "excess-shift": Case(
        "How far a cheat went: everybody declared another", partial(_excess, kb.cheats.Shift())
    ),
    "excess-strict": Case(
        "How far dealt records went, by every single person",
        partial(_excess, RELEASES["deal"], reading="strict"),
    ),
    "contest-pws2015": Case(
        "Judge of 2015 on 150 households with noise", partial(_judged_survey, NoiseMicrodata(scale=0.2))
    ),
    "contest-pws2016": Case(
        "Judge of 2016 on 40 people of the light shop, compact",
        partial(_judged_shop, "pws2016", Compact(min_size=4)),
    ),
    "contest-pws2017": Case("Judge of 2017 on a made-up contest", _judged_cup),
    "contest-custom": Case(
        "Judge of the own contest on 40 people of the light shop, compact",
        partial(_judged_shop, "custom", Compact(min_size=4)),
    ),
}


def document(name):
    """Compute a snapshot; to be refused is an answer as well."""
    case = CASES[name]
    try:
        figures = frozen.rounded(case.figures())
    except kb.KakurenboError as error:
        figures = {"refused": str(error)}
    return {
        "snapshot": name,
        "about": case.about,
        "settings": {
            "seed": SEED, "threads": 1, "digits": frozen.DIGITS, "tolerance": frozen.TOLERANCE
        },
        "figures": figures,
    }  # fmt: skip
