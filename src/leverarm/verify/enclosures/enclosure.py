"""What is known of an extreme: two sides that it lies between, and the boxes that are left to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from leverarm.verify.enclosures.rigid_chain import Array


class OpenBoxes(NamedTuple):
    """Where branch and bound goes on: boxes with their bounds, and the worst bound of those that are done."""

    middles: Array
    halves: Array
    bound: Array
    done: float
    looked_at: int
    """Boxes bounded so far."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The extreme is not below `lower` and not above `upper`; at the `witness` it has one of them.

    `boxes` were bounded in `seconds`. `part` are the ranges of coordinates it holds over, where that is not the whole
    box, and the `note` says so in words; then there is no `left`.
    """

    lower: float
    upper: float
    witness: Mapping[str, tuple[float, ...]]
    boxes: int
    seconds: float
    note: str = ""
    part: tuple[tuple[float, float], ...] | None = None
    left: OpenBoxes | None = field(default=None, compare=False, repr=False)
