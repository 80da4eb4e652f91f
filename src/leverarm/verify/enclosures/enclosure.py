"""What is known of an extreme: two sides that it lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The extreme is not below `lower` and not above `upper`; at the `witness` it has one of them.

    `boxes` were bounded in `seconds`. `note` says where else than over the whole box it holds.
    """

    lower: float
    upper: float
    witness: Mapping[str, tuple[float, ...]]
    boxes: int
    seconds: float
    note: str = ""
