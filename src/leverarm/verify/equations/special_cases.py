"""An arm with the symbols that a text sets: l_c1 = l_1/2, I_1 = m_1 l_1^2/12, m_1 = m_2 = m, g = 9.81."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from leverarm.closed_form import equations
from leverarm.errors import ExpressionError, LeverarmError
from leverarm.model import PI, Arm, Expression, Quantity, format_quantity, symbol, symbols_of
from leverarm.model.expression import power
from leverarm.reading.tree import Name, Node, Statement
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.dimensions import dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.meaning import Find
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Value
from leverarm.verify.equations.verdict import WrittenError


@dataclass(frozen=True, slots=True)
class SpecialCase:
    """The document about the arm with some symbols set, and these settings in words: "lc1 = l1/2, m1 = m2"."""

    scope: Scope
    says: str


def special_case(scope: Scope) -> SpecialCase | None:
    """The arm as the text sets it; None where it sets no symbol. Kept with what is known of the document."""
    key = ("special case",)
    if key not in scope.known:
        scope.known[key] = _special_case(scope)
    found: SpecialCase | None = scope.known[key]
    return found


def symbols_set(statement: Statement, scope: Scope) -> dict[str, Quantity]:
    """The symbols of the arm that a line sets, each with the constant it gives to them; none where it sets none."""
    symbols = [_symbol(side, scope) for side in statement.sides]
    if len(symbols) < 2 or not any(symbols):
        return {}
    known, units = scope.arm.defaults, units_of(scope.arm)
    try:
        values = [
            find() if find else value_of(side, scope) for find, side in zip(symbols, statement.sides, strict=True)
        ]
        constants = [_constant(value, known) for value in values]
    except (WrittenError, ExpressionError):
        return {}
    last = constants[-1]
    if last is None or None in constants:
        return {}
    found: dict[str, Quantity] = {}
    for is_symbol, value, constant in zip(symbols, values, constants, strict=True):
        if not is_symbol or constant == last or not isinstance(constant, Expression):
            continue
        if isinstance(last, Expression) and dimension_of(value, units) != dimension_of(values[-1], units):
            return {}
        found[constant.args[0]] = last
    return found


def as_setting(statement: Statement, scope: Scope) -> Scope:
    """The scope that reads the names of a line that sets symbols as these."""
    names = [side for side in statement.sides if isinstance(side, Name) and _symbol(side, scope)]
    return replace(scope, chosen={**scope.chosen, **{scope.family(name): "symbol" for name in names}})


def _symbol(side: Node, scope: Scope) -> Find | None:
    """The symbol of the arm that a side can be, where it is nothing but a name."""
    meanings = scope.meanings(side) if isinstance(side, Name) and not side.dots else ()
    return next((each.find for each in meanings if each.kind == "symbol"), None)


def _special_case(scope: Scope) -> SpecialCase | None:
    put: dict[str, Quantity] = {}
    for statement in scope.statements:
        for name, constant in symbols_set(statement, scope).items():
            target = _with(constant, put)
            if name in put or name in symbols_of(target):
                continue
            put = {other: _with(old, {name: target}) for other, old in put.items()} | {name: target}
    if not put:
        return None
    from leverarm.verify.equations.document import scope_of

    names = {**scope.names, **{name: format_quantity(constant) for name, constant in put.items()}}
    try:
        special = scope_of(equations(with_symbols(scope.arm, put)), scope.text, scope.statements, names)
    except LeverarmError:
        return None
    return SpecialCase(special, ", ".join(f"{name} = {_text(x)}" for name, x in put.items()))


def _text(constant: Quantity) -> str:
    return format_quantity(constant).replace("*", " ")


def with_symbols(arm: Arm, put: Mapping[str, Quantity]) -> Arm:
    """The arm with expressions or numbers in place of some of its symbols."""
    rest = tuple((name, value) for name, value in arm.symbols if name not in put)
    changed = {field.name: _with(getattr(arm, field.name), put) for field in fields(arm)}
    return replace(arm, **{**changed, "symbols": rest})


def _with(value: Any, put: Mapping[str, Quantity]) -> Any:
    """A part of an arm, or an expression, with some symbols replaced."""
    if isinstance(value, Expression):
        if value.head == "symbol":
            return put.get(value.args[0], value)
        return _made(value.head, [_with(each, put) for each in value.args])
    if isinstance(value, tuple):
        return tuple(_with(each, put) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        kept = [field for field in fields(value) if field.init]
        return replace(value, **{field.name: _with(getattr(value, field.name), put) for field in kept})
    return value


def _made(head: str, args: list[Quantity]) -> Quantity:
    """An expression anew, so that numbers in it are worked out."""
    match head:
        case "+":
            return args[0] + args[1]
        case "-":
            return args[0] - args[1]
        case "*":
            return args[0] * args[1]
        case "/":
            return Fraction(args[0]) / args[1] if isinstance(args[0], int) else args[0] / args[1]
        case "neg":
            return -args[0]
        case "^":
            return power(args[0], int(args[1]))  # type: ignore[arg-type]
        case _:
            return Expression(head, tuple(args))


def _constant(value: Value, known: Mapping[str, object]) -> Quantity | None:
    """An exact value as a constant of a model, where it is a number or a polynomial in the arm's symbols."""
    if isinstance(value, int | Fraction):
        return value
    if not isinstance(value, Polynomial):
        return None
    total: Quantity = 0
    for letters, coefficient in value.terms():
        term: Quantity = int(coefficient) if coefficient.denominator == 1 else coefficient
        for generator, times in letters:
            if generator.name not in known and generator.name != "pi":
                return None
            base: Expression = PI if generator.name == "pi" else symbol(generator.name)
            term = base if term == 1 and times == 1 else term * base**times
        total = term if total == 0 else total + term
    return total
