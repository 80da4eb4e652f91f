r"""Sums over an index: \sum_{i=1}^{n}, \sum_{i,j}."""

from __future__ import annotations

from collections.abc import Callable

from leverarm.reading.cursor import Cursor
from leverarm.reading.limits import MAX_TERMS
from leverarm.reading.names import number
from leverarm.reading.refusal import Refusal
from leverarm.reading.tokens import Token
from leverarm.reading.tree import Name, Node, Number, Sum, Total, parts
from leverarm.reading.vocabulary import GREEK


def total_of(cursor: Cursor, stop: int, term: Callable[[Cursor, int], Node]) -> Total:
    """A sum over an index, with the rest of the product inside."""
    sign = cursor.take()
    index: tuple[Name, ...] = ()
    first = last = None
    while cursor.here < stop and cursor.kind() in ("_", "^", "lower"):
        script = cursor.take()
        if script.kind == "lower":
            index = (*index, Name((script.start, script.end), script.text))
        elif script.kind == "_":
            index, first = _index(_script(cursor, stop))
        else:
            last = _limit(_script(cursor, stop))
    if not index:
        raise Refusal(sign.start, "a sum needs its index: \\sum_{i=1}^{n}")
    if isinstance(last, Number) and last.value - (first.value if isinstance(first, Number) else 0) > MAX_TERMS:
        raise Refusal(last.span[0], f"a sum of more than {MAX_TERMS} terms is too long")
    cursor.enter()
    body = term(cursor, stop)
    cursor.depth -= 1
    return Total(cursor.span(sign.start), body, index, first, last)


def reaching(terms: list[Node]) -> list[Node]:
    """The terms of a sum, where a sum over an index also reaches over the terms behind it that have its index."""
    result: list[Node] = []
    for term in terms:
        before = result[-1] if result else None
        if isinstance(before, Total) and not isinstance(term, Total) and _has_index(term, before.index):
            inside = before.of.terms if isinstance(before.of, Sum) else (before.of,)
            end = term.span[1]
            body = Sum((before.of.span[0], end), (*inside, term))
            result[-1] = Total((before.span[0], end), body, before.index, before.first, before.last)
        else:
            result.append(term)
    return result


def _has_index(node: Node, index: tuple[Name, ...]) -> bool:
    """Whether a name has one of the letters of an index below it; one inside a sum of its own does not count."""
    if isinstance(node, Total):
        return False
    if isinstance(node, Name) and node.lower not in GREEK and any(node.lower.endswith(name.letter) for name in index):
        return True
    return any(_has_index(part, index) for part in parts(node))


def _script(cursor: Cursor, stop: int) -> list[Token]:
    if cursor.here >= stop:
        cursor.fail("the index of a sum is missing")
    if cursor.kind() != "{":
        return [cursor.take()]
    close = cursor.close()
    inner = cursor.tokens[cursor.here + 1 : close]
    cursor.here = close + 1
    return inner or [cursor.tokens[close]]


def _index(tokens: list[Token]) -> tuple[tuple[Name, ...], Node | None]:
    """The letters i, j of "i, j = 1" and where they begin."""
    equal = next((place for place, token in enumerate(tokens) if token.kind == "="), len(tokens))
    names = [token for token in tokens[:equal] if token.kind != ","]
    for token in names:
        if token.kind != "name":
            raise Refusal(token.start, "the index of a sum is read as letters: \\sum_{i=1}^{n}, \\sum_{i,j}")
    first = _limit(tokens[equal + 1 :]) if equal + 1 < len(tokens) else None
    return tuple(Name((token.start, token.end), token.text) for token in names), first


def _limit(tokens: list[Token]) -> Node:
    if len(tokens) == 1 and tokens[0].kind == "number":
        return number(tokens[0])
    if len(tokens) == 1 and tokens[0].kind == "name":
        return Name((tokens[0].start, tokens[0].end), tokens[0].text)
    raise Refusal(tokens[0].start, "a sum runs from and to a whole number or a letter: \\sum_{i=1}^{n}")
