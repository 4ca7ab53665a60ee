"""`kakurenbo demo`: the whole story on a made-up shop, from new names that hide nobody to a report."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.results import Audit
from kakurenbo.cli import filing, options, output
from kakurenbo.deidentify.pseudonymize import Pseudonymize
from kakurenbo.deidentify.purchases.clustered import Balanced
from kakurenbo.deidentify.purchases.deal import Deal
from kakurenbo.demo import shop as make_shop
from kakurenbo.demo import write_shop
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files import atomic, outputs
from kakurenbo.files.release_folder import fill
from kakurenbo.report import output as output_of
from kakurenbo.report import write
from kakurenbo.report.languages import language
from kakurenbo.risk.profile import PurchasesProfile
from kakurenbo.risk.profile import profile as make_profile
from kakurenbo.tuning.draws import apply
from kakurenbo.tuning.search import tune

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.auditing.results import Finding
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.progress import Progress
    from kakurenbo.tuning.results import Tuned

    Findings = tuple[Finding, ...]

REPORT = Path("kakurenbo-demo.html")
_GROUP = 8
_LIMIT = 0.15
_TRIALS = 8
_DEALT = 11
_KNOWN = "2 records"


@options.command
def demo(
    *,
    customers: Annotated[int, typer.Option(min=2, help="How many customers the shop has.")] = 200,
    out: Annotated[
        Path | None, typer.Option(help="Also write the shop to this new folder.", metavar="DIR")
    ] = None,
    shop_only: Annotated[
        bool, typer.Option("--shop-only", help="Make the shop, tell who is in it, and stop.")
    ] = False,
    shop_file: Annotated[
        Path | None,
        typer.Option(
            "--shop", help="Only write a shop of any size to this new Parquet file.", metavar="FILE"
        ),
    ] = None,
    goods: Annotated[
        int | None, typer.Option(min=1, help="How many goods that shop has; else as many as fit its size.")
    ] = None,
    report: Annotated[
        Path, typer.Option(help="Where the report of the story's end goes.", metavar="FILE")
    ] = REPORT,
    overwrite: options.Overwrite = False,
    lang: filing.Lang = "en",
    no_cache: options.NoCache = False,
    run: options.Run,
) -> None:
    """The whole story on a made-up shop: hide, seek, judge, tune, report. Takes about a minute.

    Who is in the shop; new names alone; the papers' best method against the papers' attacker and against
    stronger ones; a method that hides every name and lays people open; a plan found by searching, for what an
    attacker may realistically know; and the report of its audit.
    """
    language(lang)
    if shop_file is not None:
        _write_shop(shop_file, customers, goods, run)
        return
    if goods is not None:
        raise ParameterError("--goods goes with --shop.", code="parameter")
    if not shop_only:
        require("tune", "report")
    overwrite = overwrite or report == REPORT  # whoever names none has the demo's own replaced
    asked = [] if shop_only else [output_of(Audit, report, overwrite=overwrite)]
    outputs.check(asked if out is None else [*asked, outputs.Output("out", out)])
    with run.working() as progress:
        progress.step("making a shop", 0)
        shop = make_shop(customers, seed=run.seed)
        if out is not None:
            with run.keeping():
                atomic.write_folder(out, lambda folder: fill(shop, folder))

        def file(result: Audit) -> None:
            with run.keeping():
                write(result, report, lang=lang, overwrite=overwrite)

        story = Story(shop, run.seed, (report, file), progress, cache=not no_cache)
        steps: dict[str, Any] = {}
        for name, sentence, facts in story.beginning() if shop_only else story.all():
            steps |= {name: facts}
            if not (run.json or run.quiet):
                output.console().print(f"{sentence}\n")
    if run.json:
        output.print_json({**steps.pop("profile"), **steps, "out": None if out is None else str(out)})
    run.settle()


def _write_shop(path: Path, customers: int, goods: int | None, run: options.Run) -> None:
    """Write a shop that need not fit memory, and tell how large it became."""
    outputs.check([outputs.Output("shop", path)])
    with run.working() as progress:
        records = write_shop(path, customers, goods, seed=run.seed, progress=progress)
    sentence = f"A shop that never was, {customers:,} customers in {records:,} records: {path}"
    run.answer({"customers": customers, "records": records, "shop": str(path)}, [sentence])


class Story:
    """The steps of the demo: each yields its name, what to tell, and its numbers."""

    def __init__(
        self,
        shop: Purchases,
        seed: int | None,
        report: tuple[Path, Callable[[Audit], None]],
        progress: Progress,
        *,
        cache: bool = True,
    ) -> None:
        self._shop, self._seed, self._progress, self._cache = shop, seed, progress, cache
        self._report, self._file = report
        self._panel = Panel.of(shop)

    def beginning(self) -> Iterator[tuple[str, str, Any]]:
        """Yield who is in the shop."""
        profile = make_profile(self._shop, seed=self._seed, progress=self._progress.part(0, 0.1))
        if not isinstance(profile, PurchasesProfile):
            raise TypeError("a shop has purchases")
        share = {(row.knowledge, row.k): row.rate.value for row in profile.unicity}
        sentence = (
            "A shop that never was: every customer, receipt and price below is made up.\n\n"
            f"1. Who is in it. {profile.customers:,} customers bought {profile.goods:,} goods in "
            f"{profile.records:,} records.\n"
            f"   Two goods on known days single out {share['good+day', 2]:.0%} of them."
        )
        yield "profile", sentence, profile.to_dict()

    def all(self) -> Iterator[tuple[str, str, Any]]:
        """Yield the whole story."""
        yield from self.beginning()
        yield from self._named()
        yield from self._padded()
        yield from self._dealt()
        yield from self._tuned()

    def _named(self) -> Iterator[tuple[str, str, Any]]:
        findings = self._attacked("new names", Pseudonymize().release(self._shop, seed=self._seed), 0.1)
        sentence = (
            "2. New names alone. Everybody gets a random name, and nothing else changes.\n   Who knows what "
            f"everybody bought finds {_worst(findings, 'goods'):.0%}, who knows one record of each "
            f"{_worst(findings, '1 record'):.0%}."
        )
        yield "naive", sentence, _rungs(findings)

    def _padded(self) -> Iterator[tuple[str, str, Any]]:
        people = len(self._shop.customers)
        groups = max(1, people // _GROUP)
        method = Balanced(clusters=groups, min_size=min(_GROUP, people))
        release = method.release(self._shop, seed=self._seed)
        findings = self._attacked("the papers' method", release, 0.15)
        sentence = (
            f"3. The papers' Method 2. {release.facts.added:,} dummies make baskets equal in {groups} "
            f"groups. The papers' attacker,\n   who compares goods, finds {_worst(findings, 'goods'):.1%}; "
            f"who drops what looks like a dummy {_worst(findings, 'goods+method'):.0%}; who knows whole "
            f"records {_worst(findings, 'full records'):.0%}."
        )
        yield "method2", sentence, _rungs(findings)

    def _attacked(self, what: str, release: Release[Purchases], share: float) -> Findings:
        self._progress.step(f"attacking {what}", share)
        return self._panel.run(release.data, release.pairing, seed=self._seed)

    def _dealt(self) -> Iterator[tuple[str, str, Any]]:
        method = Deal(min_size=min(_DEALT, len(self._shop.customers)), of="receipts")
        release = method.release(self._shop, seed=self._seed)
        result = self._audited(release, None, self._progress.part(0.2, 0.35))
        lesson = result.lesson_of("1 record")
        if result.worst is None or lesson is None:
            raise AssertionError("both were measured")
        sentence = (
            "4. Hiding the name is not enough. Look-alikes pool their receipts: the worst attacker finds "
            f"{result.worst.rate.value:.1%}.\n   But who knows one record of a person learns most of what "
            f"else {lesson.laid_open.value:.0%} of them bought,\n   and who knows which goods everybody "
            f"bought gives {_right(result):.0%} of all records to who bought them. Verdict: {result.verdict}."
        )
        yield "dealt", sentence, result.to_dict()

    def _audited(self, release: Release[Purchases], knowledge: str | None, progress: Progress) -> Audit:
        return audit(
            self._shop, release, max_risk=_LIMIT, knowledge=knowledge, trust_pairing=True, cache=self._cache,
            seed=self._seed, progress=progress,
        )  # fmt: skip

    def _tuned(self) -> Iterator[tuple[str, str, Any]]:
        searching, judging = self._progress.part(0.35, 0.8), self._progress.part(0.85, 1)
        searched = tune(
            self._shop, max_risk=_LIMIT, knowledge=_KNOWN, trials=_TRIALS, seed=self._seed, progress=searching
        )
        yield "tuned", _searched(searched), searched.to_dict()
        if searched.verdict == "no":
            return
        applied = apply(searched, self._shop, seed=self._seed, progress=self._progress.part(0.8, 0.85))
        if applied.release is None:
            return
        result = self._audited(applied.release, _KNOWN, judging)
        judging.step("writing the report", 1)
        self._file(result)
        yield "audit", _judged(result, self._report), {"report": str(self._report), **result.to_dict()}


def _worst(findings: Findings, knowledge: str) -> float:
    return max((finding.rate.value for finding in findings if finding.knowledge == knowledge), default=0.0)


def _rungs(findings: Findings) -> dict[str, float]:
    return {rung: _worst(findings, rung) for rung in dict.fromkeys(finding.knowledge for finding in findings)}


def _right(result: Audit) -> float:
    return max((one.right for one in result.owners if one.knowledge == "goods"), default=0.0)


def _searched(result: Tuned) -> str:
    if result.chosen is None or result.verdict == "no":
        return "\n   ".join(textwrap.wrap(f"5. Searching. {result.why}", 100))
    return (
        f"5. Searching. {len(result.done)} plans were tried against attackers who know at most {_KNOWN}.\n"
        f"   The one that keeps found and learnt at or below {_LIMIT:.0%} and loses least:\n   "
        f"{result.chosen.plan}."
    )


def _judged(result: Audit, report: Path) -> str:
    worst, lesson, excess = result.worst, result.worst_lesson, result.excess
    if worst is None or lesson is None:
        raise AssertionError("both were measured")
    moved = excess is not None and excess.verdict == "excessive"
    price = "\n   Its price: nobody's history is his own any more." if moved else ""
    return (
        f"6. Judging. Who knows at most {_KNOWN} finds {worst.rate.value:.1%} and lays open "
        f"{lesson.laid_open.value:.1%} of the people,\n   against {lesson.control_laid_open:.1%} of those "
        f"who are not in it.{price}\n   {result.kept:.0%} of the use is kept. Verdict: {result.verdict}. "
        f"The report: {report}"
    )
