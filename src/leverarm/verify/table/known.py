"""What is known about an arm's properties while they are worked out: lines are added, bounds only ever get narrower."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from leverarm.errors import InputError
from leverarm.verify.enclosures.enclosure import OpenBoxes
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.table.bound_rows import bound_row, missing_row, statement_of, unit_of
from leverarm.verify.table.box import Box
from leverarm.verify.table.property import Bound, Property
from leverarm.verify.table.sections import capitalised, in_order

Tell = Callable[[str, Bound | None], None]
"""Told what is being worked on: the name of a line, or the key of a constant and its enclosure so far."""
NOT_REACHED = "not reached: interrupted"


class Enclosed(Protocol):
    """Two sides that a constant lies between, a state that attains one of them, and the time that took [s]."""

    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def witness(self) -> Mapping[str, tuple[float, ...]] | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def note(self) -> str: ...
    @property
    def part(self) -> tuple[tuple[float, float], ...] | None: ...
    @property
    def left(self) -> OpenBoxes | None: ...


@dataclass(slots=True)
class Known:
    """The lines and bounds so far. `earlier` are the statements and bounds of a report that is gone on from."""

    box: Box
    norm: str
    tell: Tell
    earlier: Mapping[str, tuple[str, Bound]] = field(default_factory=dict)
    lines: dict[str, Property] = field(default_factory=dict)
    bounds: dict[str, Bound] = field(default_factory=dict)
    left: dict[str, OpenBoxes] = field(default_factory=dict)

    def add(self, line: Property) -> None:
        """A line that is complete; names begin with a capital in the table."""
        self.lines[line.key] = replace(line, name=capitalised(line.name))

    def narrow(self, key: str, found: Enclosed) -> None:
        """A constant is enclosed, perhaps not for the last time."""
        unit, lower, upper = unit_of(key, self.box.arm), _finite(found.lower), _finite(found.upper)
        if self._is_never_negative(key):
            lower = max(lower or 0.0, 0.0)
        bound = Bound(lower, upper, "certified enclosure", found.witness, unit, found.seconds, found.note, found.part)
        before = self.before(key)
        if before is not None and before.note == bound.note:
            bound = intersection(key, bound, before)
        elif before is not None and before.gap < bound.gap:
            bound = before  # it is about another part of the box, which its note names
        self.bounds[key] = bound
        if found.left is not None:
            self.left[key] = found.left
        self.tell(key, bound)

    def before(self, key: str) -> Bound | None:
        """What the earlier report says of a constant, in the same norm."""
        statement, before = self.earlier.get(key, ("", None))
        return before if statement == statement_of(key, self.norm)[0] else None

    def _is_never_negative(self, key: str) -> bool:
        """Lengths and norms are not; eigenvalues of M are not where it is proven to be definite."""
        if not key.startswith(("mu", "lambda")):
            return True
        definite = self.lines.get("positive_definite")
        return definite is not None and definite.how == "exact identity"

    def rows(self) -> tuple[Property, ...]:
        """The lines in the order of the table; of a constant that was not reached, what was known of it before."""
        lines = dict(self.lines)
        for key in EXTREMES:
            if (known := self.bounds.get(key) or self.before(key)) is not None:
                lines[key] = bound_row(key, known, self.norm)
            elif key not in lines:
                lines[key] = missing_row(key, self.norm, NOT_REACHED)
        return in_order(lines.values())


def intersection(key: str, now: Bound, before: Bound) -> Bound:
    """What both enclosures of the same constant say; a witness of the side it belongs to stays with it."""
    lower = _better(max, now.lower, before.lower)
    upper = _better(min, now.upper, before.upper)
    if lower is not None and upper is not None and lower > upper:
        raise InputError(
            f"the earlier report's {key} contradicts what is found now: {before.lower!r} to {before.upper!r} and "
            f"{now.lower!r} to {now.upper!r} have nothing in common. Leave resume out to begin anew."
        )
    is_attained = "upper" if key in ("mu1", "m1", "lambda1") else "lower"
    kept = now if getattr(now, is_attained) in (lower, upper) else before
    seconds = now.seconds + before.seconds
    return replace(now, lower=lower, upper=upper, witness=kept.witness or now.witness, seconds=seconds)


def _finite(side: float) -> float | None:
    """A side that is infinite is not known."""
    return side if math.isfinite(side) else None


def _better(choose: Callable[[float, float], float], a: float | None, b: float | None) -> float | None:
    """One of two bounds of the same side; the other where one is not known."""
    return choose(a, b) if a is not None and b is not None else a if b is None else b
