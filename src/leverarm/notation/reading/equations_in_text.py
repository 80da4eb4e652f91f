"""The equations of a whole text, in order; what could not be read, and why; and lines such as "map: a1 = L1"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from leverarm.notation.reading.characters import is_damaged
from leverarm.notation.reading.chunks import trimmed
from leverarm.notation.reading.documents import Piece, pieces, plain_lines, without_emphasis
from leverarm.notation.reading.grammar import formula_of
from leverarm.notation.reading.lexer import tokens_of
from leverarm.notation.reading.macros import Expanded, expanded
from leverarm.notation.reading.measures import with_measures
from leverarm.notation.reading.programs import Given, Lines, followed
from leverarm.notation.reading.rows import equations, states_something
from leverarm.notation.reading.tokens import MAX_CHARACTERS, MAX_PIECES, MAX_TOKENS, Refusal, Script, Token
from leverarm.notation.tree import Name, Node, Of, Span, mapped


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """One equation: sides that are said to be equal, in the order of the page. One side alone is an expression."""

    sides: tuple[Node, ...]
    repairs: tuple[str, ...] = ()
    """What was read although it is not written well: "' heta' as \\theta"."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A piece of mathematics that was not understood, and why; `at` is the place in the text."""

    span: Span
    at: int
    why: str


@dataclass(frozen=True, slots=True)
class Mapping:
    """A line that gives a name its meaning: "map: a1 = L1"."""

    span: Span
    written: Name
    meant: str


Found = Statement | Unreadable | Mapping
TOO_DEEP = "the formula is nested too deep for the program that asks; write it in parts"


def statement(tokens: list[Token], script: Script, before: Statement | None) -> Statement | Unreadable:
    """One equation. One that begins with "=" goes on with the statement before it, where there is one."""
    span = (tokens[0].start, tokens[-1].end)
    parts = _sides(tokens, span[1])
    continued = before if before is not None and len(parts) > 1 and not parts[0][0] else None
    nodes: list[Node] = list(continued.sides) if continued else []
    notes: list[str] = list(continued.repairs) if continued else []
    try:
        for part, end in parts[1:] if continued else parts:
            if not part:
                raise Refusal(end, _missing(end, span))
            node, mended = formula_of(part, script, part[-1].end)
            nodes.append(node)
            notes.extend(mended)
    except Refusal as refusal:
        return Unreadable(span, refusal.at, refusal.why)
    except RecursionError:
        return Unreadable(span, span[0], TOO_DEEP)
    match nodes:
        case [*_, Of(head=Name(letter="Eq", lower=""), arguments=(_, _) as both)]:
            nodes = list(both)
    notes.extend(token.note for token in tokens if token.note and token.kind in ("gap", "=", "&"))
    start = continued.span[0] if continued else span[0]
    return Statement(tuple(nodes), tuple(dict.fromkeys(notes)), span=(start, span[1]))


def _missing(at: int, span: Span) -> str:
    if at == span[1]:
        return "the line ends where a formula was expected"
    found = "'=' has nothing before it" if at == span[0] else "'=' stands where a formula was expected"
    return f"{found}; an equation has a formula on each side"


def _sides(tokens: list[Token], end: int) -> list[tuple[list[Token], int]]:
    """The tokens of each side, and where the sign behind it stands."""
    sides: list[tuple[list[Token], int]] = []
    side: list[Token] = []
    depth = 0
    for token in tokens:
        depth = max(0, depth + token.turn)
        if token.kind == "=" and depth == 0:
            sides.append((side, token.start))
            side = []
        else:
            side.append(token)
    return [*sides, (side, end)]


_COMMENT = re.compile(r"[ \t]*(?:%+|#+|//|[-*])?[ \t]*")
_PARTING = re.compile(r"[,;]")
_ARROW = re.compile(r"=|->|\u2192|\\to(?![A-Za-z])|:")


def mappings(text: str, start: int, end: int) -> Iterator[Mapping | Unreadable]:
    """The mappings of one line, parted by commas or semicolons."""
    comment = _COMMENT.match(text, start, end)
    start = comment.end() if comment else start
    end = start + len(text[start:end].rstrip(" \t.;,").removesuffix("-->").rstrip(" \t.;,"))
    at = start
    for part in _PARTING.split(text[start:end]):
        if part.strip():
            yield _mapping(text, at, at + len(part))
        at += len(part) + 1


def _mapping(text: str, start: int, end: int) -> Mapping | Unreadable:
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    arrow = _ARROW.search(text, start, end)
    if arrow is None:
        return Unreadable((start, end), start, "a mapping is written as 'map: a1 = L1', the written name first")
    meant = text[arrow.end() : end].strip().strip("$`").strip()
    if not meant:
        return Unreadable(
            (start, end), arrow.end(), "the mapping ends where the arm's name was expected: 'map: a1 = L1'"
        )
    try:
        written = _name(text, start, arrow.start())
    except Refusal as refusal:
        return Unreadable((start, end), refusal.at, refusal.why)
    return Mapping((start, end), written, meant)


def _name(text: str, start: int, end: int) -> Name:
    while start < end and text[start] in " $`":
        start += 1
    while end > start and text[end - 1] in " $`\t":
        end -= 1
    script: Script = "latex" if "\\" in text[start:end] else "plain"
    node, _ = formula_of(tokens_of(text, start, end, script, damaged=False), script, end)
    match node:
        case Name():
            return node
    raise Refusal(start, f"'{text[start:end][:40]}' is not one name; a mapping is written as 'map: a1 = L1'")


def read(text: str) -> tuple[Found, ...]:
    """The equations, expressions and mappings that a text states, in its order, and what could not be read.

    Never raises: what is not understood is an `Unreadable`, with the place and a sentence. Linear in the text's length.
    The places are those of the given text; macros that it defines are put in before, unless it is `Expanded` already.
    """
    if isinstance(text, Expanded):
        return tuple(_read(text))
    if len(text) > MAX_CHARACTERS:
        why = f"a text of {len(text)} characters is too long; at most {MAX_CHARACTERS} are read. Give it in parts."
        return (Unreadable((0, len(text)), MAX_CHARACTERS, why),)
    whole = expanded(text)
    found = _read(whole)
    return tuple(found if whole == text else [_in_source(item, whole) for item in found])


def _read(text: Expanded) -> list[Found]:
    damaged = is_damaged(text)
    found: list[Found] = [Unreadable(span, span[0], why) for span, why in text.refused]
    return [*found, *_found(without_emphasis(text), damaged)]


def _found(text: str, damaged: bool) -> list[Found]:
    found: list[Found] = []
    signs = 0
    parts = pieces(text)
    areas = [piece for piece in parts if piece.kind == "program"]
    programs = dict(zip(areas, followed(text, [(each.start, each.end) for each in areas], _one_formula), strict=True))
    for count, piece in enumerate(parts):
        if count == MAX_PIECES or signs > 2 * MAX_TOKENS:
            why = f"more than {MAX_PIECES} pieces of mathematics or {2 * MAX_TOKENS} signs; give the text in parts"
            found.append(Unreadable((piece.start, len(text)), piece.start, why))
            break
        if piece.kind == "map":
            found.extend(mappings(text, piece.start, piece.end))
        elif piece.kind == "program":
            signs += _read_program(text, programs[piece], damaged, found)
        else:
            signs += _read_piece(text, piece, damaged, found)
    return found


def _in_source(item: Found, text: Expanded) -> Found:
    """What was found with its places in the text as it was written, before its macros were put in."""
    match item:
        case Unreadable(span=span, at=at, why=why):
            return Unreadable(text.origin(span), text.place(at), why)
        case Mapping(span=span, written=written, meant=meant):
            return Mapping(text.origin(span), replace(written, span=text.origin(written.span)), meant)
    try:
        sides = tuple(mapped(side, lambda part: replace(part, span=text.origin(part.span))) for side in item.sides)
    except RecursionError:
        return Unreadable(text.origin(item.span), text.place(item.span[0]), TOO_DEEP)
    return replace(item, sides=sides, span=text.origin(item.span))


def _before(first: Token, text: str, found: list[Found]) -> Statement | None:
    """The statement that an equation beginning with "=" goes on with: the last one, with nothing between."""
    match found:
        case [*_, Statement(span=(_, end)) as last] if first.kind == "=":
            return None if text[end : first.start].strip(" \t\n$.,;&\\[]") else last
        case _:
            return None


def _one_formula(text: str, start: int, end: int) -> Node:
    """A stretch of a program as one formula; behind its last "=", where it has one. Raises Refusal."""
    tokens = with_measures(tokens_of(text, start, end, "plain", damaged=False), text)
    equal = max((place for place, token in enumerate(tokens) if token.kind == "="), default=-1)
    side = trimmed(tokens[equal + 1 :])
    try:
        return formula_of(side, "plain", side[-1].end if side else end)[0]
    except RecursionError:
        raise Refusal(start, TOO_DEEP) from None


def _read_program(text: str, lines: Lines, damaged: bool, found: list[Found]) -> int:
    """The signs that were read of a program's lines; a line that is none of it is read as any other."""
    signs = 0
    for (start, end), givens in lines:
        if signs > MAX_TOKENS:
            break
        if givens is None:
            signs += sum(_read_piece(text, piece, damaged, found) for piece in plain_lines(text, start, end))
        else:
            found.extend(map(_given, givens))
    return signs


def _given(given: Given) -> Statement | Unreadable:
    if given.why:
        return Unreadable(given.span, given.at, given.why)
    return Statement(given.sides, span=given.span)


def _read_piece(text: str, piece: Piece, damaged: bool, found: list[Found]) -> int:
    """The signs that were read."""
    try:
        tokens = with_measures(tokens_of(text, piece.start, piece.end, piece.script, damaged), text)
    except Refusal as refusal:
        found.append(Unreadable((piece.start, piece.end), refusal.at, refusal.why))
        return MAX_TOKENS
    if piece.kind != "display" and not states_something(tokens):
        return len(tokens)
    for equation in equations(tokens, piece.script, damaged):
        before = _before(equation[0], text, found)
        match statement(equation, piece.script, before):
            case Statement() as longer if before is not None:
                found[-1] = longer
            case result:
                found.append(result)
    return len(tokens)
