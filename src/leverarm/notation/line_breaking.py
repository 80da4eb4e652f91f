"""Long formulas over several lines: broken at plus and minus signs, inside a long bracket, between factors.

An equation has one right-hand side per row; long left-hand sides stand above it, wide matrices are listed by entries.
This works on trees and knows no characters: a renderer measures runs of parts, and draws the lines it gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from leverarm.notation import tree
from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.precedence import Binding, binding, is_numeric, is_sum, signed, without_ones
from leverarm.notation.tree import Node, is_negative

NARROWEST = 0.4
"""A bracket is broken inside only where at least this part of the width is left to it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A node that stands in a line as a term or as a factor (in parentheses if it is a sum)."""

    node: Node
    place: Literal["term", "factor"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands between pieces. `negative` is a minus in front; `partial` and `time` are d/dx and d/dt.

    `text` is a label, the name of a function, or the exponent behind a closing bracket.
    """

    kind: Literal[
        "plus", "minus", "negative", "times", "open", "close", "over", "partial", "time", "label", "function", "power"
    ]
    by: Node | None = None
    text: str = ""
    is_tall: bool = False
    """Whether what stands in the brackets is taller than a line."""


Part = Piece | Mark
PLUS, MINUS, NEGATIVE = Mark("plus"), Mark("minus"), Mark("negative")
TIMES, OVER, TIME = Mark("times"), Mark("over"), Mark("time")


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
        case tree.Sum(terms=terms):
            return _broken_sum(terms, width, measure)
        case tree.Product(factors=factors):
            return _broken_product(without_ones(factors), width, measure)
        case tree.TimeDerivative(of=of):
            return _broken_bracket((TIME,), of, (), width, measure)
        case tree.PartialDerivative(of=of, by=by):
            return _broken_bracket((Mark("partial", by),), of, (), width, measure)
        case tree.Call(function=function, argument=argument) if function not in ("sqrt", "norm", "abs"):
            return _broken_bracket((Mark("function", text=function),), argument, (), width, measure)
        case tree.Power(base=base, exponent=exponent) if binding(base) <= Binding.PRODUCT:
            *lines, last = _broken_bracket((), base, (), width, measure)
            return [*lines, Line((*last.parts, Mark("power", text=str(exponent))), last.under)]
        case tree.Ratio(above=above, below=below):
            numerator = broken(_alone(above), width, measure)
            if binding(below) == Binding.PRODUCT:
                return [*numerator, *_broken_bracket((OVER,), below, (), width, measure)]
            return [*numerator, *_led((OVER,), broken(_alone(below), width - measure((OVER,)), measure))]
        case tree.Labelled(of=of, label=label):
            return [*broken(of, width, measure), Line((Mark("label", text=label),))]
        case _:
            return [Line(whole)]


def sum_parts(terms: tuple[Node, ...]) -> tuple[Part, ...]:
    """The terms of a sum with the signs before them."""
    return tuple(part for lead, piece in _signed_pieces(terms) for part in (*lead, piece))


def factor_parts(factors: tuple[Node, ...]) -> tuple[Part, ...]:
    """The factors of a product, less a leading one, with a sign between numbers."""
    parts: list[Part] = []
    shown = without_ones(factors)
    for k, factor in enumerate(shown):
        if k and is_numeric(shown[k - 1]) and is_numeric(factor):
            parts.append(TIMES)
        parts.append(Piece(factor, "factor"))
    return tuple(parts)


def _broken_sum(terms: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    lines: list[Line] = []
    current: tuple[Part, ...] = ()
    used = 0.0
    for lead, piece in _signed_pieces(terms):
        parts = (*lead, piece)
        needed = measure(parts)
        if used + needed <= width:
            current, used = (*current, *parts), used + needed
            continue
        if current:
            lines.append(Line(current))
        current, used = parts, needed
        if needed > width:
            inner = tree.Product((piece.node,)) if piece.place == "factor" else piece.node
            lines += _led(lead, broken(inner, width - measure(lead), measure))
            current, used = (), 0.0
    return [*lines, Line(current)] if current else lines


def _signed_pieces(terms: tuple[Node, ...]) -> Iterator[tuple[tuple[Part, ...], Piece]]:
    for k, term in enumerate(terms):
        is_minus, size = signed(term)
        lead: tuple[Part, ...] = (MINUS if is_minus else PLUS,) if k else (NEGATIVE,) if is_minus else ()
        yield lead, Piece(size, "factor" if is_sum(size) or is_negative(size) else "term")


def _broken_product(factors: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    sums = [k for k, factor in enumerate(factors) if binding(factor) <= Binding.SUM]
    if not sums:
        return _filled(factors, width, measure)
    k = max(sums, key=lambda k: measure((Piece(factors[k], "factor"),)))
    before, after = factor_parts(factors[:k]), factors[k + 1 :]
    if before and measure((*before, Mark("open"))) > (1 - NARROWEST) * width:
        rest = broken(_product(factors[k:]), width - measure((TIMES,)), measure)
        return [*broken(_product(factors[:k]), width, measure), *_led((TIMES,), rest)]
    return _broken_bracket(before, factors[k], after, width, measure)


def _broken_bracket(
    before: tuple[Part, ...], inside: Node, after: tuple[Node, ...], width: float, measure: Measure
) -> list[Line]:
    is_tall = _is_tall(inside)
    opening, closing = (*before, Mark("open", is_tall=is_tall)), Mark("close", is_tall=is_tall)
    lines = _led(opening, broken(inside, width - measure((*opening, closing)), measure))
    last = lines[-1]
    closed = Line((*last.parts, closing), last.under)
    if not after:
        return [*lines[:-1], closed]
    behind = Line((*closed.parts, *factor_parts(after)), last.under)
    if sum(map(measure, behind.under)) + measure(behind.parts) <= width:
        return [*lines[:-1], behind]
    rest = _led((TIMES,), broken(_product(after), width - measure((*before, TIMES)), measure))
    return [*lines[:-1], closed, *(Line(line.parts, (before, *line.under)) for line in rest)]


def _filled(factors: tuple[Node, ...], width: float, measure: Measure) -> list[Line]:
    """The factors in full lines; those around one wide matrix stay beside it, whose cells are then broken."""
    parts = factor_parts(factors)
    matrices = [piece for piece in parts if isinstance(piece, Piece) and isinstance(piece.node, tree.Matrix)]
    if len(matrices) == 1 and measure(parts) - measure((matrices[0],)) <= NARROWEST * width:
        return [Line(parts)]
    lines: list[Line] = []
    current: tuple[Part, ...] = ()
    for factor in factors:
        piece = Piece(factor, "factor")
        if current and measure((*current, piece)) > width:
            lines.append(Line(current))
            current = ()
        lead: tuple[Part, ...] = current or ((TIMES,) if lines else ())
        if not current and measure((*lead, piece)) > width:
            lines += _led(lead, broken(factor, width - measure(lead), measure))
        else:
            current = (*lead, piece)
    return [*lines, Line(current)] if current else lines


def _led(lead: tuple[Part, ...], lines: list[Line]) -> list[Line]:
    first, *rest = lines
    return [Line((*lead, *first.parts)), *(Line(line.parts, (lead, *line.under)) for line in rest)]


def _product(factors: tuple[Node, ...]) -> Node:
    return factors[0] if len(factors) == 1 and binding(factors[0]) > Binding.SUM else tree.Product(factors)


def _alone(node: Node) -> Node:
    """A part of a broken fraction, as a factor so that it keeps its parentheses."""
    return node if binding(node) >= Binding.FRACTION else tree.Product((node,))


def _is_tall(node: Node) -> bool:
    match node:
        case tree.Sum(terms=parts) | tree.Product(factors=parts):
            return any(map(_is_tall, parts))
        case tree.Number(value=value, is_decimal=is_decimal):
            return value.denominator != 1 and decimal_text(value, is_decimal) is None and power_of_ten(value) is None
        case tree.Power(base=base):
            return _is_tall(base)
        case tree.Ratio() | tree.Matrix() | tree.PartialDerivative() | tree.TimeDerivative() | tree.Labelled():
            return True
        case _:
            return False


LONGEST_LEFT_SIDE = 1 / 3
"""Of the width: a longer left-hand side stands on a line of its own where the rest does not fit beside it."""

Row = tuple[Node | None, Node]
"""What is left and right of an equals sign; the left is None where it is not repeated."""


@dataclass(frozen=True, slots=True)
class EquationRows:
    """The rows of an equation, one below the other."""

    rows: tuple[Row, ...]
    is_apart: bool
    """Whether the left-hand side of the first row stands above it, on a line of its own."""
    room: float
    """The width of what is right of the equals signs."""


def has_columns(matrix: tree.Matrix, room: float) -> bool:
    """Whether a matrix that is wider than the room is listed by its entries: a column is not, as its cells break."""
    return len(matrix.rows[0]) > 1


def rows_of_equation(
    equation: tree.Equation,
    width: float,
    measure: Callable[[Node], float],
    relation: float,
    indent: float,
    is_listed: Callable[[tree.Matrix, float], bool] = has_columns,
) -> EquationRows:
    """The rows of an equation with two sides or more, each no wider than `width` where it can be broken so.

    `relation` is the width of the equals sign, `indent` the space before it below a left-hand side that stands apart.
    """
    left, *right = equation.sides
    beside = width - measure(left) - relation
    is_long = measure(left) > LONGEST_LEFT_SIDE * width and any(measure(side) > beside for side in right)
    room = width - indent - relation if is_long else beside
    rows: list[Row] = []
    for k, side in enumerate(right):
        match side:
            case tree.Matrix() if not side.is_empty and measure(side) > room and is_listed(side, room):
                rows += entries(left, side)
            case _:
                rows.append((None if k else left, side))
    is_apart = is_long and rows[0][0] is left
    edges = [measure(name) for name, _ in rows[is_apart:] if name is not None]
    return EquationRows(tuple(rows), is_apart, width - relation - max(indent * is_apart, *edges, 0.0))


def entries(name: Node, matrix: tree.Matrix) -> list[Row]:
    """The entries of a matrix with their names, row by row. A symmetric one says so instead of repeating itself."""
    rows = matrix.rows
    is_symmetric = len(rows) == len(rows[0]) and all(
        rows[i][j] == rows[j][i] for i in range(len(rows)) for j in range(i)
    )
    listed: list[Row] = []
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            at = (i,) if len(row) == 1 else (i, j)
            listed.append((entry_name(name, at), entry_name(name, (j, i)) if is_symmetric and j < i else entry))
    return listed


def entry_name(name: Node, index: tuple[int, ...]) -> Node:
    """M_12 of M or M(theta), M_12(0, theta2) of M(0, theta2); [A]_12 of anything else. From 0, written from 1."""
    digits = ("" if max(index) < 9 else ",").join(str(i + 1) for i in index)
    match name:
        case tree.Of(head=head, arguments=arguments):
            entry = entry_name(head, index)
            return tree.Of(entry, arguments) if any(isinstance(each, tree.Number) for each in arguments) else entry
        case tree.Symbol(name=letters) if not letters[-1].isdigit():
            return tree.Indexed(name, digits)
        case _:
            return tree.Indexed(tree.Bracketed(name), digits)


@dataclass(frozen=True, slots=True)
class MatrixSizes:
    """What the brackets of a matrix and the gap between its columns take, and how narrow a cell may be made."""

    brackets: float
    gap: float
    narrowest: float


def _matrices(part: Part) -> Iterator[tree.Matrix]:
    match part:
        case Piece(node=tree.Matrix() as matrix) if not matrix.is_empty:
            yield matrix


def wide_matrix(
    parts: tuple[Part, ...], width: float, measure: Measure, sizes: MatrixSizes
) -> tuple[tree.Matrix, list[float]] | None:
    """The matrix of a line that is too wide whose cells are to be broken, and the width of its columns.

    Columns give way from the widest; None where there is no matrix, or one too narrow.
    """
    matrices = [matrix for part in parts for matrix in _matrices(part)]
    if not matrices:
        return None
    widths = [measure((Piece(matrix, "term"),)) for matrix in matrices]
    widest = matrices[widths.index(max(widths))]
    columns = list(zip(*widest.rows, strict=True))
    around = measure(parts) - max(widths) + sizes.brackets + sizes.gap * (len(columns) - 1)
    natural = [max(measure((Piece(entry, "term"),)) for entry in column) for column in columns]
    rooms = narrowed(natural, [min(room, sizes.narrowest) for room in natural], width - around)
    return None if rooms is None else (widest, rooms)


def narrowed(natural: Sequence[float], least: Sequence[float], room: float) -> list[float] | None:
    """Column widths between the least and the natural ones that fit the room; None where even the least do not.

    The widest columns that can shrink do so first.
    """
    if sum(least) > room:
        return None
    widths = list(natural)
    excess = sum(widths) - room
    while excess > 1e-9:
        slack = [k for k, width in enumerate(widths) if width > least[k] + 1e-9]
        highest = max(widths[k] for k in slack)
        top = [k for k in slack if widths[k] == highest]
        below = max((widths[k] for k in slack if widths[k] < highest), default=0.0)
        step = min(excess / len(top), *(highest - max(least[k], below) for k in top))
        for k in top:
            widths[k] -= step
        excess -= step * len(top)
    return widths
