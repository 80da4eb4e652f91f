r"""Derivatives written out: \frac{\partial L}{\partial q_1}, \frac{d}{dt}(...), dL/dq1, d/dt(dL/dqd1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from leverarm.notation.reading.cursor import Cursor
from leverarm.notation.reading.keywords import GREEK
from leverarm.notation.reading.tokens import MAX_EXPONENT, Refusal
from leverarm.notation.tree import Matrix, Name, Node, Number, PartialDerivative, Power, Span, TimeDerivative

_WORD = re.compile(r"d(?:[A-Za-z][A-Za-z]?|" + "|".join(sorted(GREEK)) + r")(?:d{1,2})?$")
_SIMPLE = ("name", "{", "open", "accent", "style")
Range = tuple[int, int]


def is_derivative(cursor: Cursor, stop: int) -> bool:
    """Whether a derivative is written here, as a fraction or in line."""
    return _places(cursor, stop) is not None


def derivative_of(cursor: Cursor, stop: int, acted_on: Callable[[Cursor, int], Node]) -> Node:
    """The derivative here; one without its formula acts on what follows."""
    places = _places(cursor, stop)
    assert places is not None
    (above, above_end), (below, below_end), behind = places
    start = cursor.place()
    straight = cursor.tokens[below].kind != "partial"
    first = _after_sign(cursor, above)
    of = _read(cursor, first, above_end) if first < above_end else None
    by = _variables(cursor, below, below_end)
    cursor.here = behind
    span_end = cursor.tokens[behind - 1].end
    if of is None:
        if behind >= stop:
            raise Refusal(span_end, "the derivative has nothing behind it that it is of")
        of = acted_on(cursor, stop)
        span_end = cursor.span(start)[1]
    return _nested(of, by, straight, (start, span_end))


def derivative_call(arguments: Sequence[Node], span: Span) -> Node:
    """diff(q1(t), t, 2), Derivative(q1(t), (t, 2)), diff(L, q1): the first argument derived by the others."""
    by: list[tuple[Node, int]] = []
    for argument in arguments[1:]:
        match argument:
            case Number() if by and (times := _whole(argument)):
                by[-1] = (by[-1][0], times)
            case Matrix(rows=((variable, times_of),)) | Matrix(rows=((variable,), (times_of,))):
                by.append((variable, _whole(times_of) or 1))
            case _:
                by.append((argument, 1))
    return _nested(arguments[0], by, True, span)


def _whole(node: Node) -> int:
    """A positive whole number; 0 for any other formula."""
    match node:
        case Number(value=value) if value.denominator == 1 and value > 0:
            return int(value)
        case _:
            return 0


def _nested(of: Node, by: list[tuple[Node, int]], straight: bool, span: Span) -> Node:
    if sum(order for _, order in by) > MAX_EXPONENT:
        raise Refusal(span[0], f"a derivative of an order above {MAX_EXPONENT} is not read")
    for variable, order in reversed(by):
        match variable:
            case Name(letter="t", lower="", dots=0) if straight:
                of = TimeDerivative(of, order, span=span)
            case _:
                for _ in range(order):
                    of = PartialDerivative(of, variable, span=span)
    return of


def _places(cursor: Cursor, stop: int) -> tuple[Range, Range, int] | None:
    """Where what is above, what is below and what follows stand, the derivative signs included."""
    here = cursor.here
    if cursor.kind() == "frac":
        return _in_fraction(cursor, here, stop)
    if not _is_sign(cursor, here, stop):
        return None
    start = _after_sign(cursor, here)
    slash = start if _kind(cursor, start, stop) == "/" else _after_operand(cursor, start, stop)
    if _is_word(cursor, here):
        slash = _after_operand(cursor, here, stop)
    if _kind(cursor, slash, stop) != "/" or not _is_sign(cursor, slash + 1, stop):
        return None
    below = slash + 1
    operand = below if _is_word(cursor, below) else below + 1
    end = _after_operand(cursor, operand, stop)
    return ((here, slash), (below, end), end) if end > operand else None


def _in_fraction(cursor: Cursor, here: int, stop: int) -> tuple[Range, Range, int] | None:
    above = here + 1
    if _kind(cursor, above, stop) != "{":
        return None
    below = cursor.partner[above] + 1
    if (
        _kind(cursor, below, stop) != "{"
        or not _is_sign(cursor, above + 1, stop)
        or not _is_sign(cursor, below + 1, stop)
    ):
        return None
    above_end, below_end = cursor.partner[above], cursor.partner[below]
    if not _is_word(cursor, below + 1) and _kind(cursor, below + 2, below_end) not in _SIMPLE:
        return None
    return (above + 1, above_end), (below + 1, below_end), below_end + 1


def _kind(cursor: Cursor, place: int, stop: int) -> str:
    return cursor.tokens[place].kind if place < stop else ""


def _is_sign(cursor: Cursor, place: int, stop: int) -> bool:
    """A round d, a straight d that stands alone, or in plain text a word that begins with one: dL, dt."""
    if place >= stop:
        return False
    token = cursor.tokens[place]
    if token.kind == "partial":
        return True
    alone = (
        token.kind == "name" and token.text == "d" and _kind(cursor, place + 1, stop) not in ("_", "lower", "'", "mark")
    )
    return alone or _is_word(cursor, place)


def _is_word(cursor: Cursor, place: int) -> bool:
    token = cursor.tokens[place]
    in_words = cursor.script == "plain" or token.text == "dt"
    return in_words and token.kind == "name" and _WORD.match(token.text) is not None


def _after_sign(cursor: Cursor, place: int) -> int:
    """Behind a derivative sign and its order; a word loses its d."""
    if _is_word(cursor, place):
        return place
    following = place + 1
    if _kind(cursor, following, len(cursor.tokens)) == "raised":
        return following + 1
    if _kind(cursor, following, len(cursor.tokens)) != "^" or following + 1 >= len(cursor.tokens):
        return following
    return max(following + 1, cursor.partner[following + 1]) + 1


def _after_operand(cursor: Cursor, place: int, stop: int) -> int:
    """Behind a name with its marks, or behind a bracket; the same place where neither stands."""
    begun = place
    while _kind(cursor, place, stop) in ("accent", "style"):
        place += 1
    if _kind(cursor, place, stop) not in ("name", "{", "open"):
        return begun
    place = max(place, cursor.partner[place]) + 1
    while _kind(cursor, place, stop) in ("_", "^", "'", "lower", "mark", "raised"):
        place += 1
        if cursor.tokens[place - 1].kind in ("_", "^") and place < stop:
            place = max(place, cursor.partner[place]) + 1
    if _kind(cursor, place, stop) == "open" and cursor.tokens[place].text == "(":
        behind = cursor.partner[place] + 1
        place = behind if _kind(cursor, behind, stop) == "/" else place
    return place


def _read(cursor: Cursor, start: int, stop: int) -> Node:
    token = cursor.tokens[start]
    if _is_word(cursor, start):
        cursor.tokens[start] = token._replace(text=token.text[1:], start=token.start + 1)
    cursor.here = start
    return cursor.formula(stop)


def _variables(cursor: Cursor, start: int, stop: int) -> list[tuple[Node, int]]:
    r"""What is derived by, with the orders: \partial q_1 \partial q_2, dt^2."""
    sign = cursor.tokens[start].kind
    result: list[tuple[Node, int]] = []
    while start < stop:
        first = start if _is_word(cursor, start) else start + 1
        end = first + 1
        while end < stop and not (cursor.tokens[end].kind == sign == "partial"):
            end += 1
        if first >= stop:
            raise Refusal(cursor.tokens[stop - 1].end, "the derivative has no variable to derive by")
        match _read(cursor, first, end):
            case Power(base=variable, exponent=order):
                result.append((variable, order))
            case variable:
                result.append((variable, 1))
        start = end
    return result
