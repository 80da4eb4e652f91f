"""Colours and strokes of curves, told apart also by those who do not see all colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leverarm.draw import palette

Stroke = Any
"""A stroke as matplotlib takes it: "--", or lengths of dashes and gaps."""

CURVES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", palette.INK)
"""Okabe and Ito, Color Universal Design (2008), without the yellow, which white paper swallows."""
STROKES: tuple[Stroke, ...] = ("-", "--", ":", "-.")
"""Curves beyond the colours there are repeat them with another stroke."""

KINETIC, POTENTIAL, TOTAL = CURVES[1], CURVES[0], palette.INK
WORKS: Mapping[str, str] = {
    "torque": CURVES[2],
    "friction": CURVES[3],
    "disturbance": CURVES[4],
    "wrench": CURVES[5],
    "stops": palette.SOFT_INK,
    "payload": palette.LINK_EDGE,
}
BOUND = "#b42318"

EVENTS: tuple[Stroke, ...] = (
    ":", "--", "-.", "-", (0, (1, 3)), (0, (6, 2)), (0, (8, 2, 1, 2, 1, 2)), (0, (3, 4)), (0, (10, 4)),
)  # fmt: skip
"""Strokes of the kinds of event, in the order in which the kinds first happen."""


def curve(k: int) -> tuple[str, Stroke]:
    """Colour and stroke of the curve of joint k."""
    return CURVES[k % len(CURVES)], STROKES[k // len(CURVES) % len(STROKES)]


def event_strokes(kinds: list[str]) -> dict[str, Stroke]:
    """A stroke for each kind of event."""
    return {kind: EVENTS[k % len(EVENTS)] for k, kind in enumerate(dict.fromkeys(kinds))}


def plain(name: str) -> str:
    """A name as matplotlib shows it letter by letter: no mathematics between dollars, no hidden legend entry."""
    shown = name.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown
