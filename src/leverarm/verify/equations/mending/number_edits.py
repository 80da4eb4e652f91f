"""A decimal for another: 1.81 where 1.77 is meant, other numbers being rounded as well.

An index under a sum over an index: c_{jk2} for c_{jk1}, or a sum over i where j is meant.

Two mistakes at once: two small changes whose effects add up to what is wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from leverarm.notation.reading.as_written import Name, Node, Number, Total, replaced, walk
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.indices import RUNNING
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.floats import RELATIVE, Float, SampleError, close
from leverarm.verify.equations.mending.sampling import Sample, State
from leverarm.verify.equations.mending.spelling import Spelling, with_index
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


INDEX = 1.0
MOST_TRIED = 60


def index_edits(case: Case, spelling: Spelling) -> list[Edit]:
    """Changes of one index under a sum that make the formula right; proven already."""
    side = next((side for side in case.statement.sides if side.span == case.written.span), None)
    if side is None or not any(isinstance(node, Total) for node in walk(side)):
        return []
    found = []
    for tried, edit in enumerate(_edits(side, spelling)):
        if tried == MOST_TRIED:
            break
        if _is_right(replaced(side, *edit.changes[0]), case):
            found.append(edit)
    return found


def _edits(side: Node, spelling: Spelling) -> Iterator[Edit]:
    digits = [str(i) for i in range(1, len(spelling.coordinates) + 1)]
    for total in (node for node in walk(side) if isinstance(node, Total)):
        bound = [name.letter for name in total.index]
        for name in (node for node in walk(total.of) if isinstance(node, Name)):
            for lower in _others(name.lower, digits, bound):
                if text := with_index(spelling.source(name), name.lower, lower):
                    yield _edit(name, replace(name, lower=lower), text)
        for name in total.index:
            for letter in sorted(RUNNING - {*bound}):
                new = replace(total, index=tuple(replace(n, letter=letter) if n is name else n for n in total.index))
                yield Edit(((total, new),), (Splice(*name.span, letter),), "an index", "the sum is over another", INDEX)


def _edit(old: Name, new: Name, text: str) -> Edit:
    return Edit(((old, new),), (Splice(*old.span, text),), "an index", "it has another index", INDEX)


def _others(lower: str, digits: list[str], bound: list[str]) -> Iterator[str]:
    """The index with one of its digits, or one of its letters that run, exchanged."""
    for i, c in enumerate(lower):
        among = [*bound, *digits] if c.isdigit() or c in RUNNING else ()
        yield from (lower[:i] + other + lower[i + 1 :] for other in among if other != c)


def _is_right(formula: Node, case: Case) -> bool:
    try:
        return equal(case.worth(formula), case.wanted)
    except WrittenError:
        return False


DEAREST = 1.35
"""Only likely mistakes are made twice."""
MOST_EDITS, MOST_PAIRS = 3000, 40


def paired(edits: Sequence[Edit], sample: Sample, case: Case) -> Iterator[Edit]:
    """Pairs of changes in different terms that repair the formula at two random states, the likeliest first."""
    if isinstance(sample.value, tuple):
        return
    likely = sorted((e for e in edits if e.cost <= DEAREST and len(e.changes) == 1), key=lambda e: e.cost)[:MOST_EDITS]
    try:
        other = Sample(case.written, case.scope, State("pairs", case.conditions))
        goals = [_difference(s.state.numbers(case.wanted), s.value) for s in (sample, other)]
    except (SampleError, ZeroDivisionError, OverflowError):
        return
    effects = [(*pair, edit) for edit in likely if (pair := _effects(edit, sample, other)) is not None]
    effects.sort(key=lambda item: item[0])
    firsts = [item[0] for item in effects]
    slack = RELATIVE * (1e-3 + abs(goals[0]) + abs(float(sample.value)))
    found = []
    for k, (one, two, edit) in enumerate(effects):
        at = bisect_left(firsts, goals[0] - one - slack)
        while at < len(firsts) and firsts[at] <= goals[0] - one + slack:
            if at > k and close(two + effects[at][1], goals[1]) and _are_apart(edit, effects[at][2]):
                found.append((edit, effects[at][2]))
            at += 1
    found.sort(key=lambda pair: pair[0].cost + pair[1].cost)
    for first, second in found[:MOST_PAIRS]:
        yield _both(*sorted((first, second), key=lambda edit: edit.splices[0].start))


def _effects(edit: Edit, *samples: Sample) -> tuple[float, float] | None:
    """What a change adds to the formula at each state."""
    old, new = edit.changes[0]
    try:
        one, two = (_difference(s.changed(old, s.of(new), new), s.value) for s in samples)
    except SampleError:
        return None
    return (one, two) if one != 0 else None


def _difference(a: Float, b: Float) -> float:
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise SampleError("a matrix where a number was")
    return a - b


def _are_apart(first: Edit, second: Edit) -> bool:
    (a, b), (c, d) = first.changes[0][0].span, second.changes[0][0].span
    return b <= c or d <= a


def _both(first: Edit, second: Edit) -> Edit:
    what = first.what if first.what == second.what else f"{first.what} and {second.what}"
    changes, splices = (*first.changes, *second.changes), (*first.splices, *second.splices)
    return Edit(changes, splices, what, f"{first.how}, {second.how}", first.cost + second.cost, (first, second))
