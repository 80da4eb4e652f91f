"""Long formulas over several lines: at plus and minus signs, inside a long bracket, matrices entry by entry.

It works on trees and knows no characters: a renderer says how wide a run of parts is, and draws the lines it gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from leverarm.notation.precedence import Binding, binding, signed, without_ones
from leverarm.notation.tree import (
    Bracketed,
    Equation,
    Indexed,
    Labelled,
    Matrix,
    Node,
    Of,
    PartialDerivative,
    Product,
    Ratio,
    Sum,
    Symbol,
    TimeDerivative,
)

NARROWEST = 0.4
"""A bracket is broken inside only where at least this part of the width is left to it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A node that stands in a line as a term or as a factor (in parentheses if it is a sum)."""

    node: Node
    place: Literal["term", "factor"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands between pieces. `negative` is a minus in front; `partial` and `time` are d/dx and d/dt."""

    kind: Literal["plus", "minus", "negative", "times", "open", "close", "over", "partial", "time", "label"]
    by: Node | None = None
    label: str = ""


Part = Piece | Mark
PLUS, MINUS, NEGATIVE = Mark("plus"), Mark("minus"), Mark("negative")
TIMES, OPEN, CLOSE, OVER, TIME = Mark("times"), Mark("open"), Mark("close"), Mark("over"), Mark("time")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a broken formula, indented by as much as the runs of parts `under` are wide together."""

    parts: tuple[Part, ...]
    under: tuple[tuple[Part, ...], ...] = ()


Measure = Callable[[tuple[Part, ...]], float]
"""How wide a run of parts is inside a line, where a plus has space on both sides: terms then add up."""


def broken(node: Node, width: float, measure: Measure) -> list[Line]:
    """The formula in lines no wider than `width`, where it can be broken so; the first is not indented."""
    whole = (Piece(node, "term"),)
    if measure(whole) <= width:
        return [Line(whole)]
    is_minus, size = signed(node)
    if is_minus:
        return _led((NEGATIVE,), broken(size, width - measure((NEGATIVE,)), measure))
    match node:
        case Sum(terms=terms):
            return _broken_sum(terms, width, measure)
        case Product(factors=factors):
            return _broken_product(without_ones(factors), width, measure)
        case TimeDerivative(of=of):
            return _broken_bracket((TIME,), of, (), width, measure)
        case PartialDerivative(of=of, by=by):
            return _broken_bracket((Mark("partial", by),), of, (), width, measure)
        case Ratio(above=above, below=below):
            denominator = broken(_alone(below), width - measure((OVER,)), measure)
            return [*broken(_alone(above), width, measure), *_led((OVER,), denominator)]
        case Labelled(of=of, label=label):
            return [*broken(of, width, measure), Line((Mark("label", label=label),))]
        case _:
            return [Line(whole)]


def widest_matrix(parts: tuple[Part, ...], measure: Measure) -> Matrix | None:
    """The matrix of a line whose cells are broken where the line is too wide as a whole."""
    pieces = [part for part in parts if isinstance(part, Piece) and isinstance(part.node, Matrix)]
    widest = max(pieces, key=lambda piece: measure((piece,)), default=None)
    return widest.node if widest is not None and isinstance(widest.node, Matrix) else None


def rows_of_equation(equation: Equation, is_too_wide: Callable[[Node], bool]) -> list[tuple[Node | None, Node]]:
    """Left and right of each equals sign, one below the other; a matrix that is too wide becomes its entries."""
    left, *right = equation.sides
    rows: list[tuple[Node | None, Node]] = []
    for k, side in enumerate(right):
        if isinstance(side, Matrix) and len(side.rows[0]) > 1 and is_too_wide(side):
            rows += entries(left, side)
        else:
            rows.append((None if k else left, side))
    return rows


def entries(name: Node, matrix: Matrix) -> list[tuple[Node | None, Node]]:
    """The entries of a matrix with their names, row by row. A symmetric one says so instead of repeating itself."""
    rows = matrix.rows
    is_symmetric = len(rows) == len(rows[0]) and all(
        rows[i][j] == rows[j][i] for i in range(len(rows)) for j in range(i)
    )
    listed: list[tuple[Node | None, Node]] = []
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            value = entry_name(name, j, i) if is_symmetric and j < i else entry
            listed.append((entry_name(name, i, j), value))
    return listed


def entry_name(name: Node, i: int, j: int) -> Node:
    """M_12 of M or M(theta); [A]_12 of anything else. Counted from 0, written from 1."""
    head = name.head if isinstance(name, Of) else name
    index = f"{i + 1}{j + 1}" if max(i, j) < 9 else f"{i + 1},{j + 1}"
    is_letter = isinstance(head, Symbol) and not head.name[-1].isdigit()
    return Indexed(head if is_letter else Bracketed(head), index)


def _broken_sum(terms: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    lines: list[Line] = []
    current: tuple[Part, ...] = ()
    used = 0.0
    for k, term in enumerate(terms):
        is_minus, size = signed(term)
        lead = (MINUS if is_minus else PLUS,) if k else (NEGATIVE,) if is_minus else ()
        piece = (*lead, Piece(size, "factor" if isinstance(size, Sum) else "term"))
        needed = measure(piece)
        if used + needed <= width:
            current, used = (*current, *piece), used + needed
            continue
        if current:
            lines.append(Line(current))
        current, used = piece, needed
        if needed > width:
            inner = Product((size,)) if isinstance(size, Sum) else size
            lines += _led(lead, broken(inner, width - measure(lead), measure))
            current, used = (), 0.0
    return [*lines, Line(current)] if current else lines


def _broken_product(factors: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    sums = [k for k, factor in enumerate(factors) if binding(factor) <= Binding.SUM]
    if not sums:
        return _filled(factors, width, measure)
    k = max(sums, key=lambda k: measure((Piece(factors[k], "factor"),)))
    before, after = _as_factors(factors[:k]), factors[k + 1 :]
    if before and measure((*before, OPEN)) > (1 - NARROWEST) * width:
        rest = broken(_product(factors[k:]), width - measure((TIMES,)), measure)
        return [*broken(_product(factors[:k]), width, measure), *_led((TIMES,), rest)]
    return _broken_bracket(before, factors[k], after, width, measure)


def _broken_bracket(
    before: tuple[Part, ...], inside: Node, after: tuple[Node, ...], width: float, measure: Measure
) -> list[Line]:
    opening = (*before, OPEN)
    lines = _led(opening, broken(inside, width - measure((*opening, CLOSE)), measure))
    last = lines[-1]
    closed = Line((*last.parts, CLOSE), last.under)
    if not after:
        return [*lines[:-1], closed]
    behind = Line((*closed.parts, *_as_factors(after)), last.under)
    if sum(map(measure, behind.under)) + measure(behind.parts) <= width:
        return [*lines[:-1], behind]
    rest = _led((TIMES,), broken(_product(after), width - measure((*before, TIMES)), measure))
    return [*lines[:-1], closed, *(Line(line.parts, (before, *line.under)) for line in rest)]


def _filled(factors: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    lines: list[Line] = []
    current: tuple[Part, ...] = ()
    for piece in _as_factors(factors):
        if current and measure((*current, piece)) > width:
            lines.append(Line(current))
            current = (TIMES,)
        current = (*current, piece)
    return [*lines, Line(current)]


def _led(lead: tuple[Part, ...], lines: list[Line]) -> list[Line]:
    first, *rest = lines
    return [Line((*lead, *first.parts)), *(Line(line.parts, (lead, *line.under)) for line in rest)]


def _as_factors(factors: tuple[Node, ...]) -> tuple[Part, ...]:
    return tuple(Piece(factor, "factor") for factor in factors)


def _product(factors: tuple[Node, ...]) -> Node:
    return factors[0] if len(factors) == 1 and binding(factors[0]) > Binding.SUM else Product(factors)


def _alone(node: Node) -> Node:
    """A part of a broken fraction, as a factor so that it keeps its parentheses."""
    return node if binding(node) >= Binding.FRACTION else Product((node,))
