"""Small changes of a written formula, each of them a mistake that people make, undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from leverarm.notation.reading.as_written import Function, Matrix, Negative, Node, Power, Sum, Transposed, walk
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import (
    Splice,
    bare,
    is_factor,
    other_exponent,
    raised,
    turned_sign,
    without_term,
)

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
    circular = (node for node in walk(root) if isinstance(node, Function) and node.name in ("sin", "cos", "tan"))
    return frozenset(id(part) for node in circular for part in walk(node.argument))


def terms_of(root: Node) -> list[Node]:
    """Every part that is added to others, without its sign: the whole formula, terms of sums, entries of matrices."""
    inside = angle_nodes(root)
    found = [bare(root)]
    for node in walk(root):
        if id(node) in inside:
            continue
        if isinstance(node, Sum):
            found += [bare(term) for term in node.terms]
        elif isinstance(node, Matrix):
            found += [bare(entry) for row in node.rows for entry in row]
    return list({id(node): node for node in found}.values())


def sign_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A term with the other sign; a term that should not be there; the whole formula with the other sign."""
    text, inside = spelling.text, angle_nodes(root)
    for total in walk(root):
        if not isinstance(total, Sum):
            continue
        in_angle = id(total) in inside
        what = "an angle" if in_angle else "a sign"
        for i, term in enumerate(total.terms):
            turned = term.of if isinstance(term, Negative) else Negative(term.span, term)
            cost = SIGN + IN_ANGLE * in_angle
            yield Edit(((term, turned),), (turned_sign(text, total, i),), what, "its sign is turned", cost)
            rest = total.terms[:i] + total.terms[i + 1 :]
            smaller = rest[0] if len(rest) == 1 else Sum(total.span, rest)
            what_extra, how = ("an angle", "an angle too many") if in_angle else ("an extra term", "a term too many")
            cost = (POWER if in_angle else EXTRA_TERM) + 0.01 * len(total.terms)
            yield Edit(((total, smaller),), (without_term(text, total, i),), what_extra, how, cost)
    yield from whole_sign_edits(root, spelling)
    for node in walk(root):
        if isinstance(node, Matrix):
            for row in node.rows:
                for entry in row:
                    yield from whole_sign_edits(entry, spelling)


def whole_sign_edits(node: Node, spelling: Spelling) -> Iterator[Edit]:
    """A whole formula with the other sign."""
    start, end = node.span
    if isinstance(node, Negative):
        yield Edit(((node, node.of),), (Splice(start, node.of.span[0], ""),), "a sign", "its sign is turned", SIGN)
        return
    splices = [Splice(start, start, "-")]
    if isinstance(node, Sum):
        left, right = (r"-\left(", r"\right)") if spelling.is_latex else ("-(", ")")
        splices = [Splice(start, start, left), Splice(end, end, right)]
    yield Edit(((node, Negative(node.span, node)),), tuple(splices), "a sign", "its sign is turned", SIGN + 0.2)


def power_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A square that is missing, or one too many."""
    inside = angle_nodes(root)
    bases = {id(node.base) for node in walk(root) if isinstance(node, Power)}
    for node in walk(root):
        if id(node) in inside:
            continue
        if isinstance(node, Power):
            for exponent in (1, 2, 3):
                if exponent != node.exponent:
                    yield from _other_power(node, exponent, spelling)
        elif id(node) not in bases and is_factor(node, spelling.text):
            splice = raised(node, 2, spelling)
            yield Edit(((node, Power(node.span, node, 2)),), (splice,), "a power", "a square is missing", POWER)


def _other_power(node: Power, exponent: int, spelling: Spelling) -> Iterator[Edit]:
    splice = other_exponent(node, exponent, spelling)
    if splice is not None:
        new = node.base if exponent == 1 else Power(node.span, node.base, exponent)
        how = "it is not squared" if exponent == 1 else f"its power is {exponent}"
        yield Edit(((node, new),), (splice,), "a power", how, POWER + 0.1 * (exponent == 3))


def matrix_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """A matrix transposed; two entries, two rows or two columns exchanged."""
    for node in walk(root):
        if not isinstance(node, Matrix):
            continue
        rows, columns = len(node.rows), len(node.rows[0])
        if rows == columns > 1:
            splices = [
                splice
                for i, j in combinations(range(rows), 2)
                for splice in _exchanged(node.rows[i][j], node.rows[j][i], spelling)
            ]
            turned = Transposed(node.span, node)
            yield Edit(((node, turned),), tuple(splices), "swapped", "rows and columns are swapped", SWAPPED)
        entries = [entry for row in node.rows for entry in row]
        for a, b in combinations(range(len(entries)), 2):
            order = list(entries)
            order[a], order[b] = order[b], order[a]
            changed = Matrix(node.span, tuple(tuple(order[i : i + columns]) for i in range(0, len(order), columns)))
            splices = _exchanged(entries[a], entries[b], spelling)
            yield Edit(((node, changed),), tuple(splices), "swapped", "two entries are swapped", SWAPPED)


def _exchanged(a: Node, b: Node, spelling: Spelling) -> list[Splice]:
    return [Splice(*a.span, spelling.source(b)), Splice(*b.span, spelling.source(a))]
