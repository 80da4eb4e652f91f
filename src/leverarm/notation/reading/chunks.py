"""The equations of one line, between commas, words, arrows and wide gaps; conditions and numbers are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leverarm.notation.reading.keywords import CONJUNCTIONS, GREEK
from leverarm.notation.reading.lexer import LONG_WORD
from leverarm.notation.reading.tokens import Token

Tokens = list[Token]
EQUALITY = frozenset(["="])
RELATIONS = frozenset(["=", "relation"])
OPERATORS = frozenset(["+", "-", "*", "/", "cdot", "times"])
_PUNCTUATION = frozenset([",", ";", ".", ":", "gap", "&", "row"])
_INDICES = frozenset("ijk")
_OF_A_NAME = frozenset(
    ["name", "lower", "_", "{", "}", "number", "accent", "style", "mark", "'", "begin", "end", "row", "&"]
)
APPROXIMATE = frozenset(["approx", "simeq", "cong", "\u2248", "\u2243", "\u2245"])
_WIDE = frozenset(["quad", "qquad", "&"])


def has_relation(tokens: Iterable[Token], kinds: frozenset[str] = RELATIONS) -> bool:
    """Whether an equality, or another relation, stands outside of brackets."""
    depth = 0
    for token in tokens:
        if token.turn:
            depth = max(0, depth + token.turn)
        elif depth == 0 and token.kind in kinds:
            return True
    return False


def trimmed(tokens: Tokens) -> Tokens:
    """Without punctuation at the ends and the number of the equation."""
    start, stop = 0, len(tokens)
    while start < stop and (tokens[start].kind in _PUNCTUATION or tokens[start].kind in ("implies", "word")):
        if tokens[start].kind == "word" and not _is_between(tokens, start):
            break
        start += 1
    stop = _without_punctuation(tokens, start, stop)
    number = _equation_number(tokens, start, stop)
    return tokens[start : _without_punctuation(tokens, start, number)]


def _without_punctuation(tokens: Tokens, start: int, stop: int) -> int:
    while stop > start and tokens[stop - 1].kind in _PUNCTUATION:
        stop -= 1
    return stop


def _equation_number(tokens: Tokens, start: int, stop: int) -> int:
    """Where "(3.2)" begins that stands apart behind an equation; the end where none does."""
    begun = stop - 1
    if stop - start < 4 or tokens[begun].kind != "close" or tokens[begun].text != ")":
        return stop
    while begun > max(start, stop - 8) and tokens[begun].kind != "open":
        begun -= 1
    inner = tokens[begun + 1 : stop - 1]
    if tokens[begun].text != "(" or not inner or any(token.kind not in ("number", "name", ".") for token in inner):
        return stop
    apart = tokens[begun - 1].kind == "gap" or tokens[begun].start - tokens[begun - 1].end > 2
    return begun if apart and inner[0].kind == "number" else stop


def equations_of(line: Tokens) -> list[Tokens]:
    """The tokens of each equation of a line; an expression by itself counts too, words of prose do not."""
    chunks = [trimmed(part) for each in _with_clauses(line) for chunk in _at_signs(each) for part in _at_gaps(chunk)]
    chunks = [with_approximations(chunk) for chunk in chunks if chunk]
    if any(has_relation(chunk) for chunk in chunks):
        return _stated(chunks)
    return [chunk for chunk in chunks if chunk[0].text == "Eq" or not any(_is_long_word(token) for token in chunk)]


def with_approximations(chunk: Tokens) -> Tokens:
    """An approximation as an equality, where it is one of a single name or goes on with an equation; not sin x ~ x."""
    result: Tokens = []
    for place, token in enumerate(chunk):
        if token.text.removeprefix("\\") in APPROXIMATE and token.kind == "relation":
            is_name = all(before.kind in _OF_A_NAME for before in result) and len(chunk) - place > 2
            if has_relation(result, EQUALITY) or is_name:
                token = token._replace(kind="=")
        result.append(token)
    return result


def _with_clauses(line: Tokens) -> Iterator[Tokens]:
    """A line, and by themselves the brackets in it that say what a name is, (h = m l), or are words about it."""
    part: Tokens = []
    begun, depth = 0, 0
    for place, token in enumerate(line):
        if token.kind == "open" and depth == 0:
            begun = len(part)
        depth = max(0, depth + token.turn)
        part.append(token)
        if token.kind != "close" or depth > 0 or not begun:
            continue
        inside, before = part[begun + 1 : -1], part[begun - 1]
        behind = line[place + 1].kind if place + 1 < len(line) else ""
        if (
            behind in OPERATORS
            or before.kind in OPERATORS | RELATIONS
            or (before.kind != "gap" and before.end == part[begun].start)
        ):
            continue
        is_remark = before.kind == "gap" and any(token.kind == "word" for token in inside)
        if has_relation(inside, EQUALITY) or (is_remark and not has_relation(inside)):
            if has_relation(part[:begun]):
                yield part[:begun]
            part, begun = [], 0
            if has_relation(inside, EQUALITY):
                yield inside
    yield part


def _stated(chunks: list[Tokens]) -> list[Tokens]:
    """The equations among the chunks of a line; conditions on them (for i = 1, ..., n; x in R) are left out."""
    equal = any(has_relation(chunk, EQUALITY) for chunk in chunks)
    result: list[Tokens] = []
    waiting: Tokens = []
    listing = False
    for chunk in chunks:
        if _is_index_range(chunk) or _is_for_all(chunk[0]):
            listing = True
        elif has_relation(chunk, EQUALITY):
            _attach(result, waiting)
            result.append([*waiting, _comma(chunk), *chunk] if waiting and not result else chunk)
            waiting, listing = [], False
        elif has_relation(chunk):
            result.extend([] if equal else [[*waiting, *chunk]])
            waiting, listing = [], False
        elif not listing:
            waiting.extend([_comma(chunk)] if waiting or result else [])
            waiting.extend(chunk)
    _attach(result, waiting)
    return result


def _attach(result: list[Tokens], waiting: Tokens) -> None:
    """A formula without "=" behind a comma makes a list of the equation before it, and lists are not read."""
    if waiting and result:
        result[-1] = [*result[-1], *waiting]


def _comma(before: Tokens) -> Token:
    return Token(",", ",", before[0].start, before[0].start)


def _is_long_word(token: Token) -> bool:
    """A word of prose: "Velocity"."""
    return token.kind == "name" and len(token.text) >= LONG_WORD and token.text not in GREEK


def _is_for_all(token: Token) -> bool:
    return token.kind == "relation" and token.text in ("forall", "\u2200")


def _is_index_range(chunk: Tokens) -> bool:
    """i = 1, as in "for i = 1, ..., n"."""
    if len(chunk) != 3 or chunk[0].text not in _INDICES or chunk[1].kind != "=":
        return False
    return chunk[2].kind in ("number", "name") and len(chunk[2].text) == 1


def _at_signs(line: Tokens) -> Iterator[Tokens]:
    """The parts of a line between commas, semicolons, words and arrows that stand outside of brackets."""
    part: Tokens = []
    depth, equal = 0, False
    for place, token in enumerate(line):
        depth = max(0, depth + token.turn)
        arrow = token.kind == "implies" and equal and not _is_condition(part)
        if depth == 0 and equal and _is_for_all(token):
            yield part
            part, equal = [], False
        if depth == 0 and (token.kind in (",", ";") or arrow or _is_between(line, place)):
            yield part
            part, equal = [], False
        else:
            part.append(token)
            equal = equal or (depth == 0 and token.kind in RELATIONS)
    yield part


def _is_between(line: Tokens, place: int) -> bool:
    """Words between equations; one word may also be a name: KE = ..."""
    token = line[place]
    if token.kind != "word":
        return False
    behind = line[place + 1].kind if place + 1 < len(line) else ""
    return " " in token.text or token.text.lower() in CONJUNCTIONS or behind not in ("=", "_", "open", "{", "lower")


def _is_condition(part: Tokens) -> bool:
    """x = 0 before an arrow is a condition: what follows does not hold by itself, and the whole is refused."""
    return len(part) > 1 and part[-1].kind == "number" and part[-2].kind == "="


def _at_gaps(chunk: Tokens) -> Iterator[Tokens]:
    """The equations of a chunk that are parted by wide gaps or by columns only."""
    parts = list(_between_gaps(chunk))
    result: Tokens = []
    equal = False
    for place, part in enumerate(parts):
        first = next((token.kind for token in part if token.kind != "gap"), "")
        equals = has_relation(part)
        follows = bool(place + 1 < len(parts) and parts[place + 1] and parts[place + 1][0].kind in RELATIONS)
        if equal and part and first not in RELATIONS | OPERATORS and (equals or follows):
            yield result
            result, equal = [], False
        result.extend(part)
        equal = equal or equals
    yield result


def _between_gaps(chunk: Tokens) -> Iterator[Tokens]:
    part: Tokens = []
    depth = 0
    for token in chunk:
        depth = max(0, depth + token.turn)
        if depth == 0 and token.kind in ("gap", "&") and token.text in _WIDE:
            yield part
            part = [token._replace(kind="gap")] if token.note else []
        elif depth > 0 or token.kind != "gap" or token.note:
            part.append(token)
    yield part
