"""A decimal for another: 1.81 where 1.77 is meant, other numbers being rounded as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from leverarm.reading.tree import Number, replaced, walk
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.splicing import Splice
from leverarm.verify.equations.rounded import changes, coefficients, digits_behind, half_unit, to_written_digits
from leverarm.verify.equations.values import aligned, entries, equal, fits
from leverarm.verify.equations.verdict import WrittenError

NUMBER = 1.05
MOST_DIGITS = 12


def number_edits(case: Case) -> Iterator[Edit]:
    """Another decimal, with as many digits, with which the formula is right to the digits that are written."""
    if not fits(case.value, case.wanted):
        return
    for node in walk(case.written):
        if not isinstance(node, Number) or not 0 < (digits := digits_behind(node, case)) <= MOST_DIGITS:
            continue
        meant = _meant(node, case)
        if meant is None or (text := f"{meant:.{digits}f}") == f"{float(node.value):.{digits}f}":
            continue
        new = Number(node.span, Fraction(text))
        changed = replaced(case.written, node, new)
        try:
            mended = replace(case, written=changed, value=case.worth(changed))
        except WrittenError:
            continue
        if equal(mended.value, case.wanted) or to_written_digits(mended) is not None:
            yield Edit(((node, new),), (Splice(*node.span, text),), "a number", "it is another number", NUMBER)


def _meant(node: Number, case: Case) -> float | None:
    """What a number would have to be, by the coefficient that it changes most."""
    step = half_unit(node, case) or Fraction(1, 2)
    moved = replaced(case.written, node, Number(node.span, node.value + step))
    best: tuple[float, float] | None = None
    try:
        rows = zip(changes(moved, case), entries(case.value), entries(aligned(case.wanted, case.value)), strict=True)
        for change, written, wanted in rows:
            ours, theirs = coefficients(written), coefficients(wanted)
            if change is None or ours is None or theirs is None:
                return None
            for monomial, size in change.items():
                slope = size / float(step)
                off = ours.get(monomial, 0.0) - theirs.get(monomial, 0.0)
                if slope and (best is None or abs(slope) > abs(best[0])):
                    best = slope, float(node.value) - off / slope
    except WrittenError:
        return None
    return None if best is None else best[1]
