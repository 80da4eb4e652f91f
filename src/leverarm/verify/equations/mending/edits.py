"""Small changes of a written formula, each undoing a mistake that people make.

Signs, powers, matrices, decimals, indices under a sum, and two such mistakes whose effects add up to what is wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice

from leverarm.notation import tree
from leverarm.notation.tree import Name, Node
from leverarm.verify.equations.algebra import Table, Value, aligned, entries, equal, every, fits
from leverarm.verify.equations.indices import RUNNING
from leverarm.verify.equations.mending import splicing
from leverarm.verify.equations.mending.sampling import RELATIVE, Sample, SampleError, State, close
from leverarm.verify.equations.mending.spelling import Spelling, with_index
from leverarm.verify.equations.mending.splicing import Splice, bare, is_factor, other_exponent, raised, turned_sign
from leverarm.verify.equations.near_equalities import changes, coefficients, digits_behind, half_unit, to_written_digits
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.verdict import WrittenError

SIGN, POWER, EXTRA_TERM, SWAPPED = 1.0, 1.2, 1.6, 1.3
IN_ANGLE = 0.3
"""What a change costs: the cheapest one that repairs an equation is the likeliest. A change of an angle costs more."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Parts of a formula exchanged for others, and the same in the text.

    `what` is the kind of mistake, `how` says it of this one ("a dot is missing"), `cost` is small for likely mistakes.
    `both` are the two edits that a pair is made of.
    """

    changes: tuple[tuple[Node, Node], ...]
    splices: tuple[Splice, ...]
    what: str
    how: str
    cost: float
    both: tuple[Edit, ...] = ()


def angle_nodes(root: Node) -> frozenset[int]:
    """The identities of all parts that stand inside a sine, a cosine or a tangent."""
    circular = (node for node in every(tree.Call, root) if node.function in ("sin", "cos", "tan"))
    return frozenset(id(part) for node in circular for part in tree.walk(node.argument))


def terms_of(root: Node) -> list[Node]:
    """Every part that is added to others, without its sign: the whole formula, terms of sums, entries of matrices."""
    inside = angle_nodes(root)
    found = [bare(root)]
    for node in tree.walk(root):
        if id(node) not in inside:
            found += map(bare, added_parts(node))
    return list({id(node): node for node in found}.values())


def added_parts(node: Node) -> tuple[Node, ...]:
    """The terms of a sum, the entries of a matrix; nothing of any other formula."""
    match node:
        case tree.Sum(terms=terms):
            return terms
        case tree.Matrix(rows=rows):
            return tuple(entry for row in rows for entry in row)
    return ()


def sign_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A term with the other sign; a term that should not be there; the whole formula with the other sign."""
    text, inside = spelling.text, angle_nodes(root)
    for total in every(tree.Sum, root):
        in_angle = id(total) in inside
        what = "an angle" if in_angle else "a sign"
        for i, term in enumerate(total.terms):
            turned = term.of if isinstance(term, tree.Negative) else tree.Negative(term, span=term.span)
            cost = SIGN + IN_ANGLE * in_angle
            yield Edit(((term, turned),), (turned_sign(text, total, i),), what, "wrong sign", cost)
            rest = total.terms[:i] + total.terms[i + 1 :]
            smaller = rest[0] if len(rest) == 1 else tree.Sum(rest, span=total.span)
            what_extra, how = ("an angle", "an extra angle") if in_angle else ("an extra term", "an extra term")
            cost = (POWER if in_angle else EXTRA_TERM) + 0.01 * len(total.terms)
            yield Edit(((total, smaller),), (splicing.without_term(text, total, i),), what_extra, how, cost)
    yield from whole_sign_edits(root, spelling)
    for matrix in every(tree.Matrix, root):
        for entry in added_parts(matrix):
            yield from whole_sign_edits(entry, spelling)


def whole_sign_edits(node: Node, spelling: Spelling) -> Iterator[Edit]:
    """A whole formula with the other sign."""
    start, end = node.span
    if isinstance(node, tree.Negative):
        yield Edit(((node, node.of),), (Splice(start, node.of.span[0], ""),), "a sign", "wrong sign", SIGN)
        return
    splices = [Splice(start, start, "-")]
    if isinstance(node, tree.Sum):
        left, right = (r"-\left(", r"\right)") if spelling.is_latex else ("-(", ")")
        splices = [Splice(start, start, left), Splice(end, end, right)]
    yield Edit(((node, tree.Negative(node, span=node.span)),), tuple(splices), "a sign", "wrong sign", SIGN + 0.2)


def power_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A square that is missing, or one too many."""
    inside = angle_nodes(root)
    bases = {id(node.base) for node in every(tree.Power, root)}
    for node in tree.walk(root):
        if id(node) in inside:
            continue
        if isinstance(node, tree.Power):
            for exponent in (1, 2, 3):
                if exponent != node.exponent:
                    yield from _other_power(node, exponent, spelling)
        elif id(node) not in bases and is_factor(node, spelling.text):
            splice = raised(node, 2, spelling)
            yield Edit(
                ((node, tree.Power(node, 2, span=node.span)),), (splice,), "a power", "a square is missing", POWER
            )


def _other_power(node: tree.Power, exponent: int, spelling: Spelling) -> Iterator[Edit]:
    splice = other_exponent(node, exponent, spelling)
    if splice is not None:
        new = node.base if exponent == 1 else tree.Power(node.base, exponent, span=node.span)
        how = "not squared" if exponent == 1 else f"power {exponent}"
        yield Edit(((node, new),), (splice,), "a power", how, POWER + 0.1 * (exponent == 3))


def matrix_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A matrix transposed; two entries, two rows or two columns exchanged."""
    for node in every(tree.Matrix, root):
        rows, columns = len(node.rows), len(node.rows[0])
        if rows == columns > 1:
            splices = [
                splice
                for i, j in combinations(range(rows), 2)
                for splice in _exchanged(node.rows[i][j], node.rows[j][i], spelling)
            ]
            turned = tree.Transposed(node, span=node.span)
            yield Edit(((node, turned),), tuple(splices), "swapped", "rows and columns are swapped", SWAPPED)
        entries = added_parts(node)
        for a, b in combinations(range(len(entries)), 2):
            order = list(entries)
            order[a], order[b] = order[b], order[a]
            changed = tree.Matrix(
                tuple(tuple(order[i : i + columns]) for i in range(0, len(order), columns)), span=node.span
            )
            splices = _exchanged(entries[a], entries[b], spelling)
            yield Edit(((node, changed),), tuple(splices), "swapped", "two entries are swapped", SWAPPED)


def _exchanged(a: Node, b: Node, spelling: Spelling) -> list[Splice]:
    return [Splice(*a.span, spelling.source(b)), Splice(*b.span, spelling.source(a))]


NUMBER = 1.05
MOST_DIGITS = 12


def number_edits(case: Case) -> Iterator[Edit]:
    """Another decimal, with as many digits, with which the formula is right to the digits that are written."""
    if not fits(case.value, case.wanted):
        return
    for node in every(tree.Number, case.written):
        if not 0 < (digits := digits_behind(node, case)) <= MOST_DIGITS:
            continue
        meant = _meant(node, case)
        if meant is None or (text := f"{meant:.{digits}f}") == f"{float(node.value):.{digits}f}":
            continue
        new = tree.Number(Fraction(text), span=node.span)
        changed = tree.replaced(case.written, node, new)
        try:
            mended = replace(case, written=changed, value=case.worth(changed))
        except WrittenError:
            continue
        if equal(mended.value, case.wanted) or to_written_digits(mended) is not None:
            yield Edit(((node, new),), (Splice(*node.span, text),), "a number", "wrong number", NUMBER)


def _meant(node: tree.Number, case: Case) -> float | None:
    """What a number would have to be, by the coefficient that it changes most."""
    step = half_unit(node, case) or Fraction(1, 2)
    moved = tree.replaced(case.written, node, tree.Number(node.value + step, span=node.span))
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
    if side is None or not any(every(tree.Total, side)):
        return []
    tried = islice(_edits(side, spelling), MOST_TRIED)
    return [edit for edit in tried if case.is_worth(tree.replaced(side, *edit.changes[0]), case.wanted)]


def _edits(side: Node, spelling: Spelling) -> Iterator[Edit]:
    digits = [str(i) for i in range(1, len(spelling.coordinates) + 1)]
    for total in every(tree.Total, side):
        bound = [name.letter for name in total.index]
        for name in every(Name, total.of):
            for lower in _others(name.lower, digits, bound):
                if text := with_index(spelling.source(name), name.lower, lower):
                    changes, splices = ((name, replace(name, lower=lower)),), (Splice(*name.span, text),)
                    yield Edit(changes, splices, "an index", "wrong index", INDEX)
        for name in total.index:
            for letter in sorted(RUNNING - {*bound}):
                new = replace(total, index=tuple(replace(n, letter=letter) if n is name else n for n in total.index))
                yield Edit(((total, new),), (Splice(*name.span, letter),), "an index", "wrong summation index", INDEX)


def _others(lower: str, digits: list[str], bound: list[str]) -> Iterator[str]:
    """The index with one of its digits, or one of its letters that run, exchanged."""
    for i, c in enumerate(lower):
        among = [*bound, *digits] if c.isdigit() or c in RUNNING else ()
        yield from (lower[:i] + other + lower[i + 1 :] for other in among if other != c)


DEAREST = 1.35
"""Only likely mistakes are made twice."""
MOST_EDITS, MOST_PAIRS = 3000, 40


def paired(edits: Sequence[Edit], sample: Sample, case: Case) -> Iterator[Edit]:
    """Pairs of changes in different terms that repair the formula at two random states, the likeliest first."""
    if isinstance(sample.value, Table):
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


def _difference(a: Value, b: Value) -> float:
    if isinstance(a, Table) or isinstance(b, Table):
        raise SampleError("a matrix where a number was")
    difference: float = a - b
    return difference


def _are_apart(first: Edit, second: Edit) -> bool:
    (a, b), (c, d) = first.changes[0][0].span, second.changes[0][0].span
    return b <= c or d <= a


def _both(first: Edit, second: Edit) -> Edit:
    what = first.what if first.what == second.what else f"{first.what} and {second.what}"
    changes, splices = (*first.changes, *second.changes), (*first.splices, *second.splices)
    return Edit(changes, splices, what, f"{first.how}, {second.how}", first.cost + second.cost, (first, second))
