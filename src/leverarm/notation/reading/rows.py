r"""Where one equation ends and the next begins in rows.

A row that begins with "=" or a sign goes on with the equation before it, and so does one inside an open bracket; a row
with its own left side is an equation of its own.
What surrounds equations is dropped (\begin{aligned}, \boxed{}), and row ends that lost a backslash are repaired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leverarm.notation.reading.chunks import (
    EQUALITY,
    OPERATORS,
    RELATIONS,
    equations_of,
    has_relation,
    trimmed,
    with_approximations,
)
from leverarm.notation.reading.keywords import ROWS
from leverarm.notation.reading.tokens import Script, Token


def with_mended_rows(tokens: Tokens) -> Tokens:
    r"""In a damaged text, "\ " at the level of an environment without "\\" was the end of a row."""
    result = list(tokens)
    levels: list[tuple[Token | None, list[int], bool]] = [(None, [], False)]
    for place, token in enumerate(tokens):
        if token.turn > 0:
            levels.append((token, [], False))
        elif token.turn < 0 and len(levels) > 1:
            _mend(result, *levels.pop())
        elif token.kind == "gap" and token.text in ("\\ ", "\\\n", "\\\t"):
            levels[-1][1].append(place)
        elif token.kind == "row" and token.text != "\n":
            opener, places, _ = levels[-1]
            levels[-1] = (opener, places, True)
    while levels:
        _mend(result, *levels.pop())
    return result


def _mend(result: Tokens, opener: Token | None, places: list[int], parted: bool) -> None:
    if parted or (opener is not None and opener.kind != "begin"):
        return
    for place in places:
        result[place] = result[place]._replace(kind="row", text="\\\\", note="'\\ ' as '\\\\'")


def without_frames(tokens: Tokens) -> Tokens:
    r"""The tokens without \begin{aligned}, \end{aligned} and the like where their rows are equations, closed or not."""
    dropped: set[int] = set()
    begun: list[int] = []
    equal: list[bool] = [False]
    for place, token in enumerate(tokens):
        if token.kind == "begin":
            begun.append(place)
            equal.append(False)
        elif token.kind == "end" and begun:
            start, equals = begun.pop(), equal.pop()
            if token.text in ROWS and _is_frame(tokens, start, equals):
                dropped.update((start, place), _braces(tokens, start, place))
                equal[-1] = equal[-1] or equals
        elif token.kind == "end" and token.text in ROWS:
            dropped.add(place)
        elif token.kind == "=":
            equal[-1] = True
    dropped.update(place for place in begun if tokens[place].text in ROWS)
    return [token for place, token in enumerate(tokens) if place not in dropped]


def _is_frame(tokens: Tokens, start: int, equals: bool) -> bool:
    name = tokens[start].text
    if name == "array" or name.endswith("cases"):
        return equals and not any(token.kind == "=" for token in tokens[max(0, start - 2) : start])
    return True


def _braces(tokens: Tokens, start: int, stop: int) -> Iterator[int]:
    if start and tokens[start - 1].kind == "open" and tokens[start - 1].text == "{":
        yield start - 1
        if stop + 1 < len(tokens) and tokens[stop + 1].kind == "close" and tokens[stop + 1].text == "}":
            yield stop + 1


def without_boxes(tokens: Tokens) -> Tokens:
    r"""The tokens without \underline{ and \boxed{ around an equation, and without the braces that close them."""
    dropped: set[int] = set()
    begun: list[int] = []
    equal = [False]
    for place, token in enumerate(tokens):
        if token.kind == "{":
            begun.append(place)
            equal.append(False)
        elif token.kind == "}" and begun:
            start, equals = begun.pop(), equal.pop()
            if equals and start > 0 and tokens[start - 1].kind == "box":
                dropped.update((start - 1, start, place))
        elif token.kind == "=":
            equal[-1] = True
    return [token for place, token in enumerate(tokens) if place not in dropped]


Tokens = list[Token]


def equations(tokens: Tokens, script: Script, damaged: bool) -> list[Tokens]:
    """The tokens of each equation of one piece, in their order, without what stands between equations."""
    tokens = without_boxes(without_frames(with_mended_rows(tokens) if damaged else tokens))
    return [equation for line in _lines(tokens, script) for equation in equations_of(trimmed(line))]


def states_something(tokens: Iterable[Token]) -> bool:
    """Whether an equality stands anywhere."""
    return any(token.kind in EQUALITY or token.text == "Eq" for token in with_approximations([*tokens]))


def _lines(tokens: Tokens, script: Script) -> list[Tokens]:
    """Rows, put together where one goes on with the one before."""
    result: list[Tokens] = []
    equal = False
    depth = 0
    for row in _rows(tokens):
        first = next((token for token in row if token.kind not in ("gap", "&")), None)
        if first is None:
            continue
        equals = has_relation(row)
        if result and _goes_on(result[-1], equal, row, first, equals, depth):
            if script == "plain" and depth > 0:
                result[-1].append(Token("row", "\n", first.start, first.start))
            result[-1].extend(row)
            equal = equal or equals
        else:
            result.append(list(row))
            equal, depth = equals, 0
        for token in row:
            depth = max(0, depth + token.turn)
    return result


def _rows(tokens: Tokens) -> list[Tokens]:
    """The tokens between the ends of rows that stand in no group and no matrix."""
    rows: list[Tokens] = [[]]
    depth = 0
    for token in tokens:
        if token.kind in ("{", "begin", "}", "end"):
            depth = max(0, depth + token.turn)
        if token.kind == "row" and (depth == 0 or token.text == "\n"):
            depth = 0
            rows.append([token._replace(kind="gap")] if token.note else [])
        else:
            rows[-1].append(token)
    return rows


def _goes_on(before: Tokens, equal: bool, row: Tokens, first: Token, equals: bool, depth: int) -> bool:
    last = next((token for token in reversed(before) if token.kind not in ("gap", "&")), before[-1])
    if first.kind in RELATIONS:
        return True
    if first.kind in OPERATORS:
        return not (first.kind == "-" and equals and equal and row[0] is first)
    if depth > 0 or last.kind in OPERATORS or last.kind == "=":
        return not (equals and equal)
    return equal and not equals and last.kind not in (",", ";", ".")
