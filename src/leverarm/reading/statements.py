"""From the tokens of one equation to a statement, or to the reason why not."""

from __future__ import annotations

from leverarm.reading.grammar import formula_of
from leverarm.reading.refusal import Refusal
from leverarm.reading.tokens import Script, Token
from leverarm.reading.tree import Node, Span, Statement, Unreadable


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
        return Unreadable(span, span[0], "the formula is nested too deep for the program that asks; write it in parts")
    notes.extend(token.note for token in tokens if token.note and token.kind in ("gap", "=", "&"))
    start = continued.span[0] if continued else span[0]
    return Statement((start, span[1]), tuple(nodes), tuple(dict.fromkeys(notes)))


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
