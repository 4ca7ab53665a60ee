"""The rules of a contest as data: one TOML file that a person writes, the judge obeys and the pages tell.

Presets stand in `presets/`: those of PWS Cup 2015, 2016 and 2017, and one to start one's own from. What a
contest measures is named by the catalogue's names with their parameters, so any measure and any attack can be
asked for; `pws2017` brings a format and measures of its own.
"""

from __future__ import annotations

import datetime as dt
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from kakurenbo import toml
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.parameters import Parameters

PRESETS = ("pws2015", "pws2016", "pws2017", "custom")
PHASES = ("sign-up", "practice", "hide", "seek", "final")

PhaseName = Literal["sign-up", "practice", "hide", "seek", "final"]
Format = Literal["pws2017", "purchases", "microdata"]
Combined = Literal["max", "mean"]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Text = Annotated[str, Field(max_length=5_000)]


class Phase(Parameters):
    """A stretch of the contest; it ends where the next begins."""

    name: PhaseName = Field(description="sign-up, practice, hide, seek or final")
    starts: dt.datetime | None = Field(
        default=None, description="when it begins; without a time the organiser begins it"
    )

    @field_validator("starts")
    @classmethod
    def _in_utc(cls, starts: dt.datetime | None) -> dt.datetime | None:
        if starts is not None and starts.tzinfo is None:
            raise ValueError("a time needs its zone, such as 2026-12-01T00:00:00Z")
        return None if starts is None else starts.astimezone(dt.UTC)


class Named(Parameters):
    """Something of the catalogue with its parameters."""

    name: str = Field(description="its name in the catalogue, or in the format of the contest")
    label: str = Field(default="", max_length=60, description="what boards call it, if not by its name")
    parameters: dict[str, Any] = Field(default_factory=dict, description="what differs from its defaults")

    @property
    def shown(self) -> str:
        """What it is called."""
        return self.label or self.name


class Data(Parameters):
    """How the tables of the contest are read."""

    qi: tuple[str, ...] = Field(default=(), description="microdata: the quasi-identifiers")
    sa: tuple[str, ...] = Field(default=(), description="microdata: the sensitive attributes")
    id: str | None = Field(default=None, description="microdata: the column of ids")
    columns: dict[str, str] = Field(default_factory=dict, description="purchases: the column of each role")


class Hide(Parameters):
    """What is asked of releases."""

    measures: tuple[Named, ...] = Field(default=(), description="what a release must keep")
    attacks: tuple[Named, ...] = Field(default=(), description="sample attacks that the judge runs himself")
    learnt: tuple[str, ...] = Field(default=(), description="rungs of knowledge at which learning is judged")
    excess: bool = Field(default=False, description="refuse releases that are excessive in the sense of 004")
    excess_r: int = Field(
        default=99, ge=0, description="004's l: pairings with at most so many fixed points count as cheats"
    )
    keep_share: Share = Field(default=0.0, description="the least share of rows that must be kept")
    known_goods: bool = Field(default=False, description="purchases: refuse goods the original has not")
    tries: int = Field(default=50, ge=1, description="releases a team may submit in the phase")
    tries_a_day: int = Field(default=10, ge=1, description="releases a team may submit within 24 hours")


class Seek(Parameters):
    """What is asked of guesses, and what a team is told about them before the end."""

    tries: int = Field(default=10, ge=1, description="guesses a team may submit against each other team")
    tries_a_day: int = Field(default=3, ge=1, description="the same within 24 hours")
    tells: Literal["nothing", "ladder", "rounded"] = Field(
        default="nothing",
        description="nothing but that a guess is valid; or the best score so far, when it rose by a step; "
        "or a rounded score",
    )
    step: Annotated[float, Field(gt=0.0, le=1.0)] = Field(
        default=0.1, description="ladder: by how much a score must rise to be told"
    )
    decimals: int = Field(default=1, ge=0, le=6, description="rounded: digits of the share that is told")
    share: Share = Field(
        default=0.25, description="ladder and rounded: the share of people, whole clusters of look-alikes, "
        "on whom the told score is measured; the end counts everybody"
    )  # fmt: skip


class Scoring(Parameters):
    """How numbers become a score; everything is better when it is lower."""

    utility: Combined = Field(default="max", description="of the measures: the worst, or the mean")
    security: Combined = Field(default="max", description="of the attacks: the worst, or the mean")
    utility_weight: Share = Field(default=0.5, description="the part of utility; the rest is security's")
    learnt_counts: bool = Field(default=False, description="whether what is learnt counts as security")
    board: Literal["final", "live"] = Field(
        default="final", description="whether utility and sample attacks stand on the board before the end"
    )


class Limits(Parameters):
    """What the server takes."""

    megabytes: int = Field(default=64, ge=1, le=2048, description="of a submission, packed and unpacked")
    rows: int = Field(default=2_000_000, ge=1, description="of a table")
    faults: int = Field(default=1000, ge=1, description="faults that are listed; the rest is counted")
    teams: int = Field(default=200, ge=2, description="that may sign up")
    members: int = Field(default=10, ge=1, description="of a team")


class Rules(Parameters):
    """The rules of a contest."""

    title: str = Field(max_length=120, description="what the contest is called")
    title_ja: str = Field(default="", max_length=120, description="the same in Japanese")
    about: Text = Field(default="", description="a few paragraphs for the front page, plain text")
    about_ja: Text = Field(default="", description="the same in Japanese")
    format: Format = Field(description="pws2017, or purchases or microdata by the catalogue")
    phases: tuple[Phase, ...] = Field(
        default=tuple(Phase(name=name) for name in ("sign-up", "practice", "hide", "seek", "final")),
        description="in order",
    )
    data: Data = Field(default=Data(), description="how tables are read")
    hide: Hide = Field(default=Hide(), description="what is asked of releases")
    seek: Seek = Field(default=Seek(), description="what is asked of guesses")
    scoring: Scoring = Field(default=Scoring(), description="how numbers become a score")
    limits: Limits = Field(default=Limits(), description="what the server takes")

    @model_validator(mode="after")
    def _sensible(self) -> Rules:
        names = [phase.name for phase in self.phases]
        if names != [name for name in PHASES if name in names] or not {"hide", "final"} <= set(names):
            raise ValueError(f"phases must be in the order {', '.join(PHASES)}, hide and final among them")
        times = [phase.starts for phase in self.phases if phase.starts is not None]
        if times != sorted(times):
            raise ValueError("every phase must begin after the one before it")
        if self.format == "microdata" and not self.data.qi:
            raise ValueError("microdata needs data.qi, the quasi-identifiers")
        return self

    @property
    def kind(self) -> Literal["purchases", "microdata"]:
        """The kind of data that the contest is about."""
        return "microdata" if self.format == "microdata" else "purchases"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Return the rules that a TOML text writes."""
        try:
            return cls(**toml.loads(text))
        except toml.TomlError as error:
            raise InputError(f"The rules are no TOML: {error}.", code="rules") from None
        except ParameterError as error:
            raise InputError(f"The rules cannot be kept: {error}", code="rules") from None

    @classmethod
    def preset(cls, name: str) -> Rules:
        """Return the rules of a preset."""
        return cls.parse(preset_text(name))

    @classmethod
    def read(cls, place: str | Path) -> Rules:
        """Return the rules of a preset by its name, of a TOML file, or of a contest's folder."""
        if str(place) in PRESETS:
            return cls.preset(str(place))
        path = Path(place)
        file = path / "contest.toml" if path.is_dir() else path
        try:
            return cls.parse(file.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise InputError(
                f"There are no such rules: give {', '.join(PRESETS)}, a TOML file or a contest's folder.",
                code="path-missing",
            ) from None
        except (OSError, UnicodeDecodeError):
            raise InputError("The file of rules cannot be read as text.", code="path-unreadable") from None


def preset_text(name: str) -> str:
    """Return a preset as it is written, with its remarks."""
    if name not in PRESETS:
        raise ParameterError(
            f"There are no rules of this name; there are: {', '.join(PRESETS)}.", code="unknown-name"
        )
    return files("kakurenbo.contest").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")
