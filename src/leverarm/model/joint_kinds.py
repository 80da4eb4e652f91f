"""The kinds of joints: how each moves, how it is drawn, and what other formats call it.

A new kind with one axis is one entry of `JointKind`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from leverarm.model.expression import Quantity, divide, multiply


@dataclass(frozen=True, slots=True)
class Picture:
    """A joint's marker: its character in a terminal, its solid, and the colours of its edges, sides and caps."""

    symbol: str
    solid: Literal["cylinder", "box", "screw", "cube"]
    edge: str
    side: str
    cap: str


@dataclass(frozen=True, slots=True)
class Traits:
    """What a kind of joint is.

    The joint turns by its variable about its axis, if `turns`, and advances along it by `slide` per unit of the
    variable, or by `lead` times the joint's pitch: a variable in rad and a pitch in m/rad have the lead 1.
    """

    letter: str
    picture: Picture
    turns: bool = False
    slide: Literal[0, 1] = 0
    lead: Quantity = 0
    pitch_unit: str = "m/rad"
    is_endless: bool = False
    """Whether a full turn brings it back to where it was, so that its position has no range."""
    dh: tuple[str, ...] = ()
    """What DH tables call it, the cell of a CSV file first; nothing where they cannot hold it."""
    urdf: str | None = None
    mjcf: str | None = None


_TURNING = Picture("●", "cylinder", "#8a4b0f", "#f2994a", "#fbd0a4")
_SLIDING = Picture("■", "box", "#0d5c4a", "#3fb08f", "#a6e3d1")
_SCREWING = Picture("◆", "screw", "#53389e", "#9b7fe0", "#d3c6f5")
_RIGID = Picture("▪", "cube", "#475467", "#98a2b3", "#d0d5dd")


class JointKind(StrEnum):
    """How a joint moves. All but `fixed` are one-parameter screws. A kind equals its word: kind == "revolute"."""

    REVOLUTE = "revolute", Traits("R", _TURNING, turns=True, dh=("R", "revolute", "0"), urdf="revolute", mjcf="hinge")
    CONTINUOUS = (
        "continuous",
        Traits("R", _TURNING, turns=True, is_endless=True, dh=("continuous",), urdf="continuous", mjcf="hinge"),
    )
    PRISMATIC = "prismatic", Traits("P", _SLIDING, slide=1, dh=("P", "prismatic", "1"), urdf="prismatic", mjcf="slide")
    HELICAL = "helical", Traits("H", _SCREWING, turns=True, lead=1)
    FIXED = "fixed", Traits("", _RIGID, urdf="fixed")

    traits: Traits

    def __new__(cls, word: str, traits: Traits = Traits("", _RIGID)) -> JointKind:
        kind = str.__new__(cls, word)
        kind._value_, kind.traits = word, traits
        return kind

    @property
    def turns(self) -> bool:
        return self.traits.turns

    @property
    def slides(self) -> bool:
        return self.traits.slide != 0 or self.has_pitch

    @property
    def moves(self) -> bool:
        return self.turns or self.slides

    @property
    def only_turns(self) -> bool:
        return self.turns and not self.slides

    @property
    def only_slides(self) -> bool:
        return self.slides and not self.turns

    @property
    def has_pitch(self) -> bool:
        return self.traits.lead != 0

    def advance(self, pitch: Quantity) -> Quantity:
        """How far a joint of this pitch moves along its axis per unit of its variable [m/rad, or 1]."""
        return multiply(self.traits.lead, pitch) if self.has_pitch else self.traits.slide

    def pitch(self, advance: Quantity) -> Quantity:
        """The pitch of a joint that advances this far: the inverse of `advance`."""
        return divide(advance, self.traits.lead) if self.has_pitch else 0
