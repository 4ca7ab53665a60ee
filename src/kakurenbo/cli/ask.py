"""Ask what only a person can say of a table, once, before any work.

A proposal without doubt is taken, and told on standard error. A doubtful one is shown and asked about on a
terminal, and with --yes it is taken where a yes is an answer, and written to `kakurenbo.toml` beside the
data, so that nobody asks again. Elsewhere the command ends with the question, and with the options that
answer it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.text import Text

from kakurenbo.cli import output
from kakurenbo.errors import InputError, KakurenboError, ParameterError
from kakurenbo.files import settings
from kakurenbo.files.roles import there

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.files.proposal import Proposal

_ASK = "Take it? yes, no, or columns by role (customer=A,goods=B)"


def settled(
    path: Path, named: dict[str, Any], proposal: Proposal, *, yes: bool, quiet: bool
) -> dict[str, Any]:
    """Return the options with what was proposed and is taken."""
    if proposal.certain:
        if not quiet:
            _remark(f"Read as {_in_short(proposal)}.")
        return {**named, **as_named(proposal)}
    if yes and proposal.possible:
        dropped = {"policy": "drop"} if proposal.policy and not named.get("policy") else {}
        if not quiet:
            _remark(
                f"Read as {_in_short(proposal)}{', without rows that are no purchase' if dropped else ''}."
            )
        _keep(path, proposal, quiet=quiet)
        return {**named, **as_named(proposal), **dropped}
    if _on_a_terminal():
        return _asked(path, named, proposal)
    raise question(proposal)


def as_named(proposal: Proposal) -> dict[str, Any]:
    """Return what a proposal says, as the options of a command are named."""
    said = {name: value for name, value in proposal.options.items() if name != "header"}
    return said | ({} if proposal.header else {"no_header": True})


def question(proposal: Proposal) -> InputError:
    """Return the error that asks what is doubtful."""
    doubt = proposal.doubts[0]
    said = f"This layout is not a known one. {doubt.question}"
    if doubt.open:
        return InputError(f"{said} Say so; {there(proposal)}.", code="roles", parameter=doubt.parameter)
    named = as_named(proposal) if proposal.trusted or not proposal.header else {}
    flags = " ".join(f"{_flag(name)} {_typed(value)}".rstrip() for name, value in named.items())
    other = f"as in {flags}" if flags else there(proposal)
    return InputError(f"{said} If so, add --yes; else name the columns yourself, {other}.", code="roles")


def _flag(name: str) -> str:
    """Return how an option is typed."""
    return f"--{name.replace('_', '-')}"


def show(proposal: Proposal, screen: Console) -> None:
    """Show a proposal with the form of every column, and what is doubtful."""
    role_of = {name: part for part in proposal.parts for name in part.columns}
    rows = []
    for name, form in proposal.forms.items():
        part = role_of.get(name)
        role = part.role if part else "speaks of goods" if name in proposal.spoken else "left over"
        rows.append(
            (
                output.visible(proposal.label(name)),
                role,
                form,
                part.reason if part else "",
                part.sure if part else "",
            )
        )
    title = "One row seems to be a person" if proposal.kind == "microdata" else "Rows seem to be purchases"
    screen.print(output.table(title, ("column", "role", "form of its values", "because", ""), rows, "left"))
    if proposal.policy:
        screen.print(
            Text(
                'Some rows are no purchase (no id, cancelled, zero or less): policy = "drop" leaves them out.'
            )
        )
    for doubt in proposal.doubts:
        screen.print(Text(f"? {doubt.question}"))


def _in_short(proposal: Proposal) -> str:
    return ", ".join(
        f"{part.role} {' and '.join(map(proposal.label, part.columns))}"
        for part in proposal.parts
        if part.columns
    )


def _typed(value: Any) -> str:  # noqa: ANN401 - text or several
    text = value if isinstance(value, str) else ",".join(value) if isinstance(value, tuple) else ""
    return f"'{text}'" if " " in text else text


def _asked(path: Path, named: dict[str, Any], proposal: Proposal) -> dict[str, Any]:
    """Show the proposal and take a yes, or columns by role."""
    screen = Console(stderr=True, highlight=False, markup=False, emoji=False)
    show(proposal, screen)
    said = str(typer.prompt(_ASK, default="yes" if proposal.possible else "no", err=True)).strip()
    if said.lower() in {"y", "yes", "j", "ja", "はい"} and proposal.possible:
        _keep(path, proposal, quiet=False)
        return {**named, **as_named(proposal), **({"policy": "drop"} if proposal.policy else {})}
    if "=" in said:
        return {**named, **as_named(proposal), **columns(said, "customer")}
    raise question(proposal)


def columns(text: str, parameter: str) -> dict[str, str]:
    """Return the columns by role of `customer=A,goods=B`; a part without `=` belongs to the one before."""
    found: dict[str, str] = {}
    role = ""
    for part in text.split(","):
        before, sign, after = part.partition("=")
        if sign:
            role = before.strip()
            found[role] = after.strip()
        elif role:
            found[role] += f",{part.strip()}"
    known = {*settings.KEYS}
    if not found or not set(found) <= known:
        raise ParameterError(
            "Columns are given by role, as in customer=ID,goods=Item,time=Day; the roles are "
            "customer, goods, receipt, time, price and quantity.",
            code="parameter",
            parameter=parameter,
        )
    return found


def _keep(path: Path, proposal: Proposal, *, quiet: bool) -> None:
    """Write the proposal beside the data where there are no settings yet; that it cannot be is no fault."""
    place = settings.place_of(path)
    if place.exists():
        return
    try:
        settings.write(place, proposal)
    except (KakurenboError, OSError):
        if not quiet:
            _remark(f"{place.name} could not be written beside the data, so this will be asked again.")
        return
    if not quiet:
        _remark(f"Written to {place}, which the next commands read.")


def confirmed() -> bool:
    """Ask for a yes, where somebody can give it."""
    return _on_a_terminal() and typer.confirm("Write it?", default=True, err=True)


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _remark(text: str) -> None:
    print(output.visible(text), file=sys.stderr)
