"""Two-dimensional shapes: the one list that every renderer draws. Page units, x to the right, y down, back to front."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


class Role(StrEnum):
    """What a shape stands for, so that a renderer with little room can leave some out."""

    PAPER = "paper"
    GROUND = "ground"
    GROUND_DETAIL = "ground-detail"
    SHADOW = "shadow"
    LINK_EDGE = "link-edge"
    LINK = "link"
    LINK_HIGHLIGHT = "link-highlight"
    ROD = "rod"
    JOINT = "joint"
    LEVER = "lever"
    MASS = "mass"
    AXIS_X = "axis-x"
    AXIS_Y = "axis-y"
    AXIS_Z = "axis-z"
    GRAVITY = "gravity"
    LABEL = "label"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of straight lines with round ends and corners; closed and filled where `fill` names a colour."""

    role: Role
    points: tuple[Point, ...]
    stroke: str | None = None
    width: float = 1.0
    fill: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    role: Role
    centre: Point
    radius: float
    fill: str
    stroke: str | None = None
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text, vertically centred on its point. `size` is the height of the letters' line."""

    role: Role
    at: Point
    text: str
    size: float
    colour: str
    anchor: Anchor = "middle"
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that make up one named thing, and the character that stands for it where there is no room for them."""

    role: Role
    name: str
    at: Point
    symbol: str
    shapes: tuple[Path | Disc | TextLine, ...]


Shape = Path | Disc | TextLine | Group


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of shapes, back to front."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The room there is, and how much of it a letter takes. A flat arm gets a page of less than the greatest height."""

    width: float
    least_height: float
    greatest_height: float
    margin: float
    side_margin: float
    letter_width: float
    letter_height: float
    headroom: float = 0.0
    """Height kept free for the title."""
