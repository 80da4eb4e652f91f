r"""Where one equation ends and the next begins in rows.

A row that begins with "=" or a sign goes on with the equation before it, and so does one inside an open bracket; a row
with its own left side is an equation of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.reading.chunks import EQUALITY, OPERATORS, RELATIONS, equations_of, has_relation, trimmed
from leverarm.reading.frames import with_mended_rows, without_boxes, without_frames
from leverarm.reading.tokens import Script, Token

Tokens = list[Token]


def equations(tokens: Tokens, script: Script, damaged: bool) -> list[Tokens]:
    """The tokens of each equation of one piece, in their order, without what stands between equations."""
    tokens = without_boxes(without_frames(with_mended_rows(tokens) if damaged else tokens))
    return [equation for line in _lines(tokens, script) for equation in equations_of(trimmed(line))]


def states_something(tokens: Iterable[Token]) -> bool:
    """Whether an equality stands anywhere."""
    return any(token.kind in EQUALITY for token in tokens)


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
