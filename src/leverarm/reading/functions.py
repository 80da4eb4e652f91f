r"""Functions and what they are of: \sin^2\theta_1, \cos(\theta_1 + \theta_2), \sin 2\theta_2, sin(q1)^2."""

from __future__ import annotations

from collections.abc import Callable

from leverarm.reading.brackets import shown
from leverarm.reading.cursor import Cursor
from leverarm.reading.names import Scripts, number, scripts, with_scripts
from leverarm.reading.refusal import Refusal
from leverarm.reading.tokens import Token
from leverarm.reading.tree import Applied, Function, Name, Negative, Node, Power, Product

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
    result: Node = Function((token.start, end), token.text, inner)
    if power is not None:
        result = Power(result.span, result, power)
    if hung.raised:
        cursor.notes.append(f"the power behind '{token.text}' without brackets as the power of the {token.text}")
        result = with_scripts(result, Scripts(raised=hung.raised), token.start)
    return result


def _power_before(cursor: Cursor, token: Token, stop: int) -> int | None:
    if cursor.here >= stop or cursor.kind() not in ("^", "raised"):
        return None
    raised = scripts(cursor, stop).raised
    if len(raised) == 1 and raised[0][0] == "power" and isinstance(raised[0][1], int) and raised[0][1] > 0:
        return raised[0][1]
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
        inner = argument(cursor, token, stop)
        if isinstance(inner, Name):
            inner, hung = _name(cursor, inner, begun, stop)
        factors.append(inner)
    end = factors[-1].span[1] if hung.raised else cursor.span(start)[1]
    result = factors[0] if len(factors) == 1 else Product((factors[0].span[0], end), tuple(factors))
    return (Negative((start, end), result) if negative else result), hung


def _name(cursor: Cursor, name: Name, start: int, stop: int) -> tuple[Node, Scripts]:
    """The name with its marks, and its exponents apart; "(t)" behind it belongs to it, any other bracket does not."""
    hung = scripts(cursor, stop)
    marks = Scripts(hung.lower, hung.dots, hung.style, end=hung.end)
    node: Node = name if marks.is_nothing() else with_scripts(name, marks, start)
    if cursor.here + 2 < stop and cursor.opens("(") and cursor.text(1) == "t" and cursor.kind(2) == "close":
        cursor.take()
        time = cursor.take()
        cursor.take()
        node = Applied(cursor.span(start), node, (Name((time.start, time.end), "t"),))
    return node, hung
