r"""Functions and what they are of: \sin^2\theta_1, \cos(\theta_1 + \theta_2), \sin 2\theta_2, sin(q1)^2; sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from leverarm.notation.reading.brackets import shown
from leverarm.notation.reading.cursor import Cursor
from leverarm.notation.reading.keywords import GREEK
from leverarm.notation.reading.scripts import Scripts, number, scripts, with_scripts
from leverarm.notation.reading.tokens import MAX_TERMS, Refusal, Token
from leverarm.notation.tree import Call, Name, Negative, Node, Number, Of, Power, Product, Sum, Total, parts, terms_of

Argument = Callable[[Cursor, Token, int], Node]


def function_of(cursor: Cursor, stop: int, argument: Argument) -> Node:
    r"""A function with its argument; a power behind it is the function's: \sin\theta_1^2 is \sin^2\theta_1."""
    token = cursor.take()
    power = _power_before(cursor, token, stop)
    if cursor.here >= stop:
        cursor.fail(f"{shown(token)} needs something behind it that it is a function of")
    start = cursor.place()
    if cursor.kind() == "open":
        inner, hung = cursor.inside(), Scripts()
    else:
        inner, hung = _bare(cursor, token, stop, argument)
    end = inner.span[1] if hung.raised else cursor.span(start)[1]
    result: Node = Call(token.text, inner, span=(token.start, end))
    if power is not None:
        result = Power(result, power, span=result.span)
    if hung.raised:
        cursor.notes.append(f"the power behind '{token.text}' without brackets as the power of the {token.text}")
        result = with_scripts(result, Scripts(raised=hung.raised), token.start)
    return result


def _power_before(cursor: Cursor, token: Token, stop: int) -> int | None:
    if cursor.here >= stop or cursor.kind() not in ("^", "raised"):
        return None
    match scripts(cursor, stop).raised:
        case (("power", int(power), _),) if power > 0:
            return power
    raise Refusal(
        token.end, f"behind '{token.text}' only a positive whole power is read; write an inverse function in words"
    )


def _bare(cursor: Cursor, token: Token, stop: int, argument: Argument) -> tuple[Node, Scripts]:
    """An argument without brackets: signs, a number, one name or fraction; and what was raised behind it."""
    start = cursor.place()
    negative = False
    while cursor.here < stop and cursor.kind() in ("+", "-"):
        negative ^= cursor.take().kind == "-"
    factors: list[Node] = []
    if cursor.here < stop and cursor.kind() == "number":
        factors.append(number(cursor.take()))
        if cursor.here + 1 < stop and cursor.kind() == "*" and cursor.kind(1) == "name":
            cursor.take()
    hung = Scripts()
    if not factors or (cursor.here < stop and cursor.kind() in ("name", "accent", "style", "frac", "open", "{", "box")):
        begun = cursor.place()
        match argument(cursor, token, stop):
            case Name() as name:
                inner, hung = _name(cursor, name, begun, stop, token)
                factors.append(inner)
            case inner:
                factors.append(inner)
    end = factors[-1].span[1] if hung.raised else cursor.span(start)[1]
    result = factors[0] if len(factors) == 1 else Product(tuple(factors), span=(factors[0].span[0], end))
    return (Negative(result, span=(start, end)) if negative else result), hung


def _name(cursor: Cursor, name: Name, start: int, stop: int, of: Token) -> tuple[Node, Scripts]:
    """The name with its marks, and its exponents apart; of brackets only "(t)", and (q) behind det M, belong to it."""
    hung = scripts(cursor, stop)
    marks = Scripts(hung.lower, hung.dots, hung.style, end=hung.end)
    node: Node = name if marks.is_nothing() else with_scripts(name, marks, start)
    if cursor.here + 2 < stop and cursor.opens("(") and (cursor.text(1) == "t" or of.text == "det"):
        first, last = cursor.here + 1, cursor.close()
        if cursor.lists_names(first - 1, last) and (of.text == "det" or last == first + 1):
            cursor.here = last + 1
            time = cursor.tokens[first]
            node = Of(node, (Name(time.text, span=(time.start, time.end)),), span=cursor.span(start))
    return node, hung


def total_of(cursor: Cursor, stop: int, term: Callable[[Cursor, int], Node]) -> Total:
    """A sum over an index, with the rest of the product inside."""
    sign = cursor.take()
    index: tuple[Name, ...] = ()
    first = last = None
    while cursor.here < stop and cursor.kind() in ("_", "^", "lower"):
        script = cursor.take()
        if script.kind == "lower":
            index = (*index, Name(script.text, span=(script.start, script.end)))
        elif script.kind == "_":
            index, first = _index(_script(cursor, stop))
        else:
            last = _limit(_script(cursor, stop))
    if not index:
        raise Refusal(sign.start, "a sum needs its index: \\sum_{i=1}^{n}")
    too_long = f"a sum of more than {MAX_TERMS} terms is too long"
    match first, last:
        case ((None | Name()), Number(value=terms, span=(at, _))) if terms > MAX_TERMS:
            raise Refusal(at, too_long)
        case Number(value=low), Number(value=high, span=(at, _)) if high - low > MAX_TERMS:
            raise Refusal(at, too_long)
    cursor.enter()
    body = term(cursor, stop)
    cursor.depth -= 1
    return Total(body, index, first, last, span=cursor.span(sign.start))


def reaching(terms: list[Node]) -> list[Node]:
    """The terms of a sum, where a sum over an index also reaches over the terms behind it that have its index."""
    result: list[Node] = []
    for term in terms:
        match result:
            case [*_, Total(of=of) as before] if _has_index(term, before.index):
                end = term.span[1]
                body = Sum((*terms_of(of), term), span=(of.span[0], end))
                result[-1] = replace(before, of=body, span=(before.span[0], end))
            case _:
                result.append(term)
    return result


def _has_index(node: Node, index: tuple[Name, ...]) -> bool:
    """Whether a name has one of the letters of an index below it; one inside a sum of its own does not count."""
    match node:
        case Total():
            return False
        case Name(lower=lower) if lower not in GREEK and any(lower.endswith(name.letter) for name in index):
            return True
        case _:
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
    return tuple(Name(token.text, span=(token.start, token.end)) for token in names), first


def _limit(tokens: list[Token]) -> Node:
    if len(tokens) == 1 and tokens[0].kind == "number":
        return number(tokens[0])
    if len(tokens) == 1 and tokens[0].kind == "name":
        return Name(tokens[0].text, span=(tokens[0].start, tokens[0].end))
    raise Refusal(tokens[0].start, "a sum runs from and to a whole number or a letter: \\sum_{i=1}^{n}")
