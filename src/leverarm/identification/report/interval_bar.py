"""The interval of one parameter as a small drawing, on an axis of its own that always has zero."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from leverarm.identification.report.numbers import short

if TYPE_CHECKING:
    from leverarm.identification.result import Estimate

WIDTH, HEIGHT = 400, 40
MIDDLE = HEIGHT // 2
MARGIN = 0.05
"""Free space at both ends, as a part of what is drawn."""


def interval_bar(estimate: Estimate) -> str:
    """Estimate, interval, the value given and the consistent one: short and far from zero is well told."""
    low, high = estimate.interval
    value, given, consistent = estimate.value, estimate.cad, estimate.consistent
    marks = [x for x in (0.0, value, low, high, given, consistent) if math.isfinite(x)]
    begin, end = min(marks), max(marks)
    room = MARGIN * (end - begin) or 1.0

    def at(x: float) -> int:
        """Along the drawing; an end that is not finite is at its edge."""
        inside = min(max(x, begin - room), end + room)
        return round((inside - begin + room) / (end - begin + 2 * room) * WIDTH)

    drawn = [f'<path class="origin" d="M{at(0.0)} 0v{HEIGHT}"/>']
    if not math.isnan(low) and not math.isnan(high):
        drawn.append(f'<path class="interval" d="M{at(low)} {MIDDLE}H{at(high)}"/>')
    if math.isfinite(given):
        drawn.append(f'<path class="given" d="M{at(given)} 6v{HEIGHT - 12}"/>')
    drawn += [
        f'<path class="{kind}" d="M{at(x)} {MIDDLE}h0"/>'
        for kind, x in (("consistent", consistent), ("estimate", value))
        if math.isfinite(x)
    ]
    title = f"{estimate.name}: {short(value)}, interval {short(low)} to {short(high)}, as given {short(given)}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )
