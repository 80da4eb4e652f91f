r"""Brackets and what is in them: a formula, a list of arguments, a matrix as LaTeX, Python or Matlab write it."""

from __future__ import annotations

from fractions import Fraction

from leverarm.notation.reading.brackets import shown
from leverarm.notation.reading.cursor import Cursor
from leverarm.notation.reading.derivatives import derivative_call
from leverarm.notation.reading.keywords import MATRICES, words
from leverarm.notation.reading.tokens import MAX_ENTRIES, Refusal
from leverarm.notation.tree import (
    Between,
    Call,
    Inverse,
    Matrix,
    Name,
    Node,
    Number,
    Of,
    PartialDerivative,
    Product,
    Span,
    Transposed,
)

Range = tuple[int, int]
CALLED = words(
    "Derivative diff diag inv inverse transpose Matrix array matrix mat asarray matmul solve cross simplify expand "
    "trigsimp Eq"
)
"""Words that are always functions: diff(q1(t), t)^2 is a square, not a product."""
_MARKS = words("* ast cdot \u00b7 \u22c5 \u2022 \u2217 star bullet sym symm symmetric symmetrical symmetry")
_ZERO = Number(Fraction(0))
_OPERATORS = ("+", "-", "*", "/", "^", "_", "cdot", "times", ",", ";", "'")


def entries(cursor: Cursor, start: int, stop: int) -> tuple[Node, ...]:
    """The formulas between two places, parted by commas."""
    return tuple(_entry(cursor, part) for part in _parts(cursor, start, stop, (",", ";")))


def call(head: Node, arguments: tuple[Node, ...], span: Span) -> Node:
    """A name with arguments; inv, transpose, diag, diff and Matrix are what they say."""
    match head, arguments:
        case Name(letter="diag"), (_, _, *_):
            zero = Number(Fraction(0), span=span)
            size = range(len(arguments))
            _refuse_large(len(arguments) ** 2, span[0])
            return Matrix(tuple(tuple(arguments[i] if i == j else zero for j in size) for i in size), span=span)
        case Name(letter="diag"), (Matrix(rows=rows),) if 1 in (len(rows), len(rows[0])):
            return call(head, tuple(entry for row in rows for entry in row), span)
        case Name(letter="jacobian"), (of, by):
            return PartialDerivative(of, by, span=span)
        case Name(letter="det"), (only,):
            return Call("det", only, span=span)
        case Name(letter="Derivative" | "diff"), (_, _, *_):
            return derivative_call(arguments, span)
        case Name(letter="Matrix" | "array" | "matrix" | "mat" | "asarray"), (Matrix() as matrix, *_):
            return matrix
        case Name(letter="simplify" | "expand" | "trigsimp"), (only,):
            return only
        case Name(letter="matmul"), (left, right):
            return Product((left, right), span=span)
        case Name(letter="solve"), (matrix, right):
            return Product((Inverse(matrix, span=matrix.span), right), span=span)
        case Name(letter="cross"), (left, right):
            return Between(left, "cross", right, span=span)
        case Name(letter="inv" | "inverse"), (only,):
            return Inverse(only, span=span)
        case Name(letter="transpose"), (only,):
            return Transposed(only, span=span)
        case _:
            return Of(head, arguments, span=span)


def bracket(cursor: Cursor) -> Node:
    """In a bracket: (a, b) is a column, [a, b; c, d] and [[a, b], [c, d]] are matrices, else one formula."""
    opened, close = cursor.here, cursor.close()
    token = cursor.tokens[opened]
    span = (token.start, cursor.tokens[close].end)
    if token.text == "|":
        return Call("abs", cursor.inside(), span=span)
    if token.text == "[":
        rows = _rows(cursor, opened, close)
        if len(rows) > 1 or len(rows[0]) > 1:
            return _matrix(cursor, rows, span, close)
    elif token.text == "(":
        parts = _parts(cursor, opened + 1, close, (",", ";"))
        if len(parts) > 1:
            return _matrix(cursor, [[part] for part in parts], span, close)
    return cursor.inside()


def environment(cursor: Cursor) -> Node:
    r"""The matrix between \begin{bmatrix} and \end{bmatrix}."""
    opened, close = cursor.here, cursor.close()
    token = cursor.tokens[opened]
    if token.text not in MATRICES:
        raise Refusal(token.start, f"{shown(token)} is not read inside a formula; write one equation for each row")
    lines = _parts(cursor, opened + 1, close, ("row",))
    lines = [line for line in lines if line[0] < line[1]]
    rows = [_parts(cursor, *line, ("&",)) for line in lines]
    if not rows:
        raise Refusal(cursor.tokens[close].start, f"nothing stands in {shown(token)}")
    return _matrix(cursor, rows, (token.start, cursor.tokens[close].end), close)


def absolute(cursor: Cursor, stop: int) -> Node:
    """|formula|, and the length of a vector between double bars."""
    bar = cursor.take()
    start = bar.start
    inner = cursor.here
    end = inner
    while end < stop and cursor.tokens[end].kind != bar.kind:
        end = max(end, cursor.partner[end]) + 1
    if end >= stop or end == inner:
        mark = shown(bar)
        raise Refusal(start, f"{mark} is never closed" if end >= stop else f"nothing stands between {mark} and {mark}")
    result = cursor.formula(end)
    cursor.here = end + 1
    return Call("abs", result, span=cursor.span(start))


def _rows(cursor: Cursor, opened: int, close: int) -> list[list[Range]]:
    lists = _parts(cursor, opened + 1, close, (",",))
    if cursor.script == "plain" and len(lists) > 1 and lists[-1][0] >= lists[-1][1]:
        lists.pop()  # Python allows a comma behind the last
    if all(_is_list(cursor, part) for part in lists):
        return [_parts(cursor, start + 1, stop - 1, (",",)) for start, stop in lists]
    lines = _parts(cursor, opened + 1, lists[-1][1], (";", "row"))
    rows = [_parts(cursor, *line, (",", "&")) for line in lines if line[0] < line[1]] or [[(opened + 1, close)]]
    if all(len(row) == 1 for row in rows):
        rows = [_spaced(cursor, *row[0], opened) for row in rows]
    return rows


def _is_list(cursor: Cursor, part: Range) -> bool:
    start, stop = part
    return start < stop and cursor.tokens[start].text == "[" and cursor.partner[start] == stop - 1


def _spaced(cursor: Cursor, start: int, stop: int, opened: int) -> list[Range]:
    r"""Entries parted by a gap, [\theta_1 \ \theta_2], or by a space as Matlab does, where products have their sign."""
    parts = [part for part in _parts(cursor, start, stop, ("gap",)) if part[0] < part[1]]
    if len(parts) != 1 or cursor.script == "latex":
        return parts or [(start, stop)]
    starred = any(token.kind == "*" for token in cursor.tokens)
    result, begun, place = [], start, start
    while place < stop:
        following = max(place, cursor.partner[place]) + 1
        if following < stop and _parted(cursor, following, starred) and following > begun:
            result.append((begun, following))
            begun = following
        place = following
    return [*result, (begun, stop)]


def _parted(cursor: Cursor, place: int, starred: bool) -> bool:
    left, right = cursor.tokens[place - 1], cursor.tokens[place]
    if right.kind in ("+", "-") and place + 1 < len(cursor.tokens):  # [1 -2] has two entries, [1 - 2] one
        right = (
            right
            if right.end < cursor.tokens[place + 1].start
            else cursor.tokens[place + 1]._replace(start=right.start)
        )
    spaced = left.end < right.start and left.kind not in _OPERATORS and right.kind not in _OPERATORS
    return spaced and (starred or (left.kind == "number" and right.kind == "number"))


def _parts(cursor: Cursor, start: int, stop: int, signs: tuple[str, ...]) -> list[Range]:
    """The ranges between signs of these kinds, brackets passed over."""
    result, begun, place = [], start, start
    while place < stop:
        if cursor.tokens[place].kind in signs:
            result.append((begun, place))
            begun = place + 1
        place = max(place, cursor.partner[place]) + 1
    return [*result, (begun, stop)]


def _entry(cursor: Cursor, part: Range) -> Node:
    start, stop = part
    cursor.here = start
    if start >= stop:
        raise Refusal(cursor.tokens[stop].start, f"nothing stands before {shown(cursor.tokens[stop])}")
    return cursor.formula(stop)


def _matrix(cursor: Cursor, rows: list[list[Range]], span: Span, close: int) -> Matrix:
    _refuse_large(sum(len(row) for row in rows), span[0])
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            at = cursor.tokens[min(row[0][0], close)].start
            raise Refusal(at, f"row {place + 1} of a matrix has {len(row)} entries, row 1 has {len(rows[0])}")
    marks = {(i, j): part for i, row in enumerate(rows) for j, part in enumerate(row) if _is_mark(cursor, part)}
    result = [
        [_ZERO if (i, j) in marks else _cell(cursor, part, close) for j, part in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    for (i, j), (start, stop) in marks.items():
        at, end = cursor.tokens[start].start, cursor.tokens[stop - 1].end
        if len(rows) != len(rows[0]) or (j, i) in marks:
            raise Refusal(at, _no_mirror(i, j, len(rows) == len(rows[0])))
        result[i][j] = Transposed(result[j][i], span=(at, end))
    cursor.here = close + 1
    return Matrix(tuple(map(tuple, result)), span=span)


def _is_mark(cursor: Cursor, part: Range) -> bool:
    r"""Whether an entry is a mark for the one on the other side of the diagonal: \ast, *, \cdot, sym."""
    tokens = cursor.tokens[slice(*part)]
    return "".join(token.text for token in tokens).strip("\\(){}.").lower() in _MARKS


def _no_mirror(i: int, j: int, is_square: bool) -> str:
    mark = "a mark such as * in a matrix stands for the entry on the other side of the diagonal"
    if not is_square:
        return f"{mark}, and this matrix is not square; write the entry"
    if i == j:
        return f"{mark}, and this one stands on it; write the entry"
    return f"{mark}, and entries {i + 1}, {j + 1} and {j + 1}, {i + 1} are both marks; write one of them"


def _cell(cursor: Cursor, part: Range, close: int) -> Node:
    if part[0] >= part[1]:
        raise Refusal(cursor.tokens[min(part[0], close)].start, "an entry of a matrix is empty; write 0 for nothing")
    return _entry(cursor, part)


def _refuse_large(size: int, at: int) -> None:
    if size > MAX_ENTRIES:
        raise Refusal(at, f"a matrix of {size} entries is too large; at most {MAX_ENTRIES} are read")
