"""Lines that set something rather than claim it: g = 9.81, theta_1 = 0, (theta_1, theta_2) = (0, pi/2).

Where a text sets symbols, l_c1 = l_1/2 or m_1 = m_2 = m, its equations are also checked for the arm with these values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from leverarm.closed_form import equations
from leverarm.errors import ExpressionError, LeverarmError
from leverarm.model import PI, Arm, Expression, Quantity, format_quantity, symbol, symbols_of
from leverarm.model.expression import power
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Matrix, Name, Negative, Node, Number, Product, Ratio, parts
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.algebra import Find, Value, column, entries, equal, is_zero, letter_of, shown
from leverarm.verify.equations.arm_names import turn_of
from leverarm.verify.equations.dimensions import dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError


def cells(node: Node) -> tuple[Node, ...]:
    """The entries of a list, or the formula itself."""
    return tuple(entry for row in node.rows for entry in row) if isinstance(node, Matrix) else (node,)


def _is_number(node: Node) -> bool:
    match node:
        case Number() | Name(letter="pi", lower=""):
            return True
        case Negative() | Ratio() | Product():
            return all(map(_is_number, parts(node)))
    return False


@dataclass(frozen=True, slots=True)
class SpecialCase:
    """The document about the arm with some symbols set, and these settings in words: "lc1 = l1/2, m1 = m2"."""

    scope: Scope
    words: str


def special_case(scope: Scope) -> SpecialCase | None:
    """The arm as the text sets it; None where it sets no symbol. Kept with what is known of the document."""
    found: SpecialCase | None = scope.once("special case", lambda: _special_case(scope))
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


OPERATIONS: dict[str, Callable[..., Quantity]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: Fraction(a) / b if isinstance(a, int) else a / b,
    "neg": operator.neg,
    "^": lambda base, exponent: power(base, int(exponent)),
}


def _made(head: str, args: list[Quantity]) -> Quantity:
    """An expression anew, so that numbers in it are worked out."""
    return OPERATIONS[head](*args) if head in OPERATIONS else Expression(head, tuple(args))


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


ARM_LETTERS = frozenset(("symbol", "coordinate", "coordinates"))


def setting_of(statement: Statement, scope: Scope) -> str | None:
    """What a line sets: numbers for symbols or coordinates of the arm, constants for symbols; None for an equation."""
    if found := symbols_set(statement, scope) or forces_set_to_zero(statement, scope):
        return f"a value of {', '.join(found)}"
    if len(statement.sides) != 2 or not all(map(_is_number, cells(statement.sides[1]))):
        return None
    names = _names(statement.sides[0])
    if not names or not all(_is_of_arm(name, scope) for name in names):
        return None
    return f"a value of {', '.join(shown(name) for name in names)}"


def forces_set_to_zero(statement: Statement, scope: Scope) -> list[str]:
    """The generalised forces that a line says to be zero and nothing else: tau = 0, tau_1 = tau_2 = 0."""
    *sides, last = statement.sides
    if not sides or not all(cell == Number(Fraction(0)) for cell in cells(last)):
        return []
    names = [name for side in sides for name in _names(side)]
    forces = [column(scope.equations.tau.values), *scope.equations.tau.values]
    try:
        values = [scope.value(name) for name in names]
    except WrittenError:
        return []
    is_force = (not is_zero(value) and any(equal(value, tau) for tau in forces) for value in values)
    return [shown(name) for name in names] if all(map(_names, sides)) and all(is_force) else []


def conditions_of(statement: Statement, scope: Scope) -> dict[str, Scalar]:
    """The coordinates, speeds and accelerations that a line sets, by the letters of the ring; angles as turns."""
    letters: list[str] = []
    numbers: list[Scalar] = []
    try:
        for name, number in zip(_names(statement.sides[0]), cells(statement.sides[1]), strict=False):
            found = [letter_of(x) or "" for x in entries(scope.value(name))]
            letters += found
            numbers += [value_of(number, scope)] * len(found)
    except WrittenError:
        return {}
    states = {f"{name}{dots}" for name in scope.values.exact.coordinates for dots in ("", ".d", ".dd")}
    given = {letter: number for letter, number in zip(letters, numbers, strict=True) if letter in states}
    return {letter: _turned(letter, number, scope, statement) for letter, number in given.items()}


def conditions_text(conditions: Mapping[str, Scalar], scope: Scope) -> str:
    """The conditions in words: "theta1 = 0, theta2 = pi/2"."""
    printed = scope.equations.notation.vocabulary.printed
    words = []
    for letter, number in conditions.items():
        name, _, dots = letter.partition(".")
        value = _angle(number) if isinstance(number, Turn) else str(number)
        words.append(f"{printed[name]}{chr(39) * len(dots)} = {value}")
    return ", ".join(words)


def _angle(turn: Turn) -> str:
    quarters = {(1, 0): "0", (0, 1): "pi/2", (-1, 0): "pi", (0, -1): "-pi/2"}
    return quarters.get((turn.cos, turn.sin), "the given angle") if isinstance(turn.cos, int) else "the given angle"


def _turned(letter: str, number: Scalar, scope: Scope, statement: Statement) -> Scalar:
    is_angle = f"cos({letter})" in scope.values.exact.ring.index
    return turn_of(number, scope.values, statement.span) if is_angle else number


def _is_of_arm(name: Name, scope: Scope) -> bool:
    return any(each.kind in ARM_LETTERS for each in scope.meanings(name))


def _names(node: Node) -> list[Name]:
    """The names that a side consists of; nothing where it is anything else."""
    found = [cell for cell in cells(node) if isinstance(cell, Name)]
    return found if len(found) == len(cells(node)) else []
