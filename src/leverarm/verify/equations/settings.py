"""Lines that set something rather than claim it: g = 9.81, theta_1 = 0, (theta_1, theta_2) = (0, pi/2).

Where a text sets symbols, l_c1 = l_1/2 or m_1 = m_2 = m, its equations are also checked for the arm with these values.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from leverarm.closed_form import equations
from leverarm.errors import ExpressionError, LeverarmError
from leverarm.mechanics import adjugate, determinant
from leverarm.mechanics.matrices import apply, dot
from leverarm.model import PI, Arm, Expression, Quantity, format_quantity, symbol, symbols_of
from leverarm.model.expression import power
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Matrix, Name, Negative, Node, Number, Of, Product, Ratio, Span, parts
from leverarm.notation.tree import mapped as tree_mapped
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, partial, substitute
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.algebra import (
    Find,
    Value,
    column,
    entries,
    equal,
    every,
    is_zero,
    letter_of,
    mapped,
    number_of,
    rows_of,
    shown,
    spelled,
    subtracted,
    table,
)
from leverarm.verify.equations.arm_names import state_letter, turn_of
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.dimensions import dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import depth_of, is_running, letters_of
from leverarm.verify.equations.readings import is_quantity
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.verdict import WrittenError


def cells(node: Node) -> tuple[Node, ...]:
    """The entries of a list, or the formula itself."""
    match node:
        case Matrix(rows=rows):
            return tuple(entry for row in rows for entry in row)
    return (node,)


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
    shared: frozenset[str] = frozenset()
    """Letters that the text seems to write for all symbols of a kind: it does where an equation with them holds."""


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
    last, ours = constants[-1], dimension_of(values[-1], units)
    if last is None or None in constants:
        return {}
    found: dict[str, Quantity] = {}
    for is_symbol, value, constant in zip(symbols, values, constants, strict=True):
        match constant:
            case Expression(args=(name, *_)) if is_symbol and constant != last:
                if any(True for _ in symbols_of(last)) and dimension_of(value, units) != ours:
                    return {}
                found[name] = last
    return found


def as_setting(statement: Statement, scope: Scope) -> Scope:
    """The scope that reads the names of a line that sets symbols as these."""
    names = [name for name in every(Name, *statement.sides) if name in statement.sides and _symbol(name, scope)]
    return replace(scope, chosen={**scope.chosen, **{scope.family(name): "symbol" for name in names}})


def _symbol(side: Node, scope: Scope) -> Find | None:
    """The symbol of the arm that a side can be, where it is nothing but a name."""
    match side:
        case Name(dots=0) if spelled(side) not in scope.definitions:
            return next((each.find for each in scope.meanings(side) if each.kind == "symbol"), None)
    return None


def _special_case(scope: Scope) -> SpecialCase | None:
    put: dict[str, Quantity] = {}
    for statement in scope.statements:
        for name, constant in symbols_set(statement, scope).items():
            target = _with(constant, put)
            if name in put or name in symbols_of(target):
                continue
            put = {other: _with(old, {name: target}) for other, old in put.items()} | {name: target}
    put |= _gravity_as_written(scope, put)
    shared = dict(_shared_letters(scope))
    put = {name: symbol(names[0]) for names in shared.values() for name in names[1:]} | put
    if not put:
        return None
    from leverarm.verify.equations.document import scope_of

    texts = {name: format_quantity(constant) for name, constant in put.items()}
    names = {word: texts.get(meant, meant) for word, meant in scope.names.items()} | texts
    names |= {word: same[0] for word, same in shared.items()}
    try:
        special = scope_of(equations(with_symbols(scope.arm, put)), scope.text, scope.statements, names)
        special = replace(special, ruled_out=scope.ruled_out, fitted=scope.fitted, cache={})
    except LeverarmError:
        return None
    equal_ones = [f"{' = '.join(names)} (the text writes one {word} for all)" for word, names in shared.items()]
    alone = [f"{name} = {_text(x)}" for name, x in put.items() if not any(name in names for names in shared.values())]
    return SpecialCase(special, ", ".join([*alone, *equal_ones]), frozenset(shared))


def _gravity_as_written(scope: Scope, put: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """The number for gravity that a text writes without saying so, (m1 a1 + m2 a2)*9.81, where it sets symbols."""
    numbers = {number.value for line in scope.statements for number in every(Number, *line.sides)} if put else set()
    roles, own = scope.equations.notation.vocabulary.roles, scope.arm.defaults
    weights = [name for name in own if roles.get(name) is Role.GRAVITY and name not in put]
    return {name: number for name in weights for number in numbers if float(number) == own[name]}


def _shared_letters(scope: Scope) -> Iterator[tuple[str, list[str]]]:
    """The letters without a number that a text writes for all symbols of a kind, m for m1 and m2, with these symbols.

    One of them is in two equations at least, and none of their kinds is written with its number, or one that runs.
    """
    lines = [{spelled(name): name for name in every(Name, *line.sides)} for line in scope.statements]
    names = {word: name for line in lines for word, name in line.items()}
    found: dict[str, list[str]] = {}
    running = {"i", "j", "k", *(name.letter for name in names.values() if is_running(name.lower))}
    for word, name in names.items():
        numbered = [replace(name, lower=f"{name.lower}{k}", dots=0) for k in range(1, scope.values.n + 1)]
        is_free = not name.dots and all(each.is_loose for each in scope.meanings(name))
        if (
            not is_free
            or name.letter in running
            or any(c.isdigit() for c in word)
            or any(spelled(each) in names for each in numbered)
        ):
            continue
        symbols = [letter_of(find()) if (find := _symbol(each, scope)) else None for each in numbered]
        if len(symbols) == len({*symbols} - {None}) > 1:
            found[word] = [str(each) for each in symbols]
    if any(sum(word in line for line in lines) > 1 for word in found):
        yield from found.items()


def _text(constant: Quantity) -> str:
    match constant:
        case Fraction() if constant * 10**6 % 1 == 0:
            return f"{float(constant):.10g}"
    return format_quantity(constant).replace("*", " ")


def with_symbols(arm: Arm, put: Mapping[str, Quantity]) -> Arm:
    """The arm with expressions or numbers in place of some of its symbols."""
    rest = tuple((name, value) for name, value in arm.symbols if name not in put)
    changed = {field.name: _with(getattr(arm, field.name), put) for field in fields(arm)}
    return replace(arm, **{**changed, "symbols": rest})


def _with(value: Any, put: Mapping[str, Quantity]) -> Any:
    """A part of an arm, or an expression, with some symbols replaced."""
    match value:
        case Expression(head="symbol", args=(name,)):
            return put.get(name, value)
        case Expression(head=head, args=args):
            return _made(head, [_with(each, put) for each in args])
        case tuple():
            return tuple(_with(each, put) for each in value)
        case type():
            return value
    if not is_dataclass(value):
        return value
    changed = {field.name: _with(getattr(value, field.name), put) for field in fields(value) if field.init}
    described: Any = value
    return replace(described, **changed)


OPERATIONS: dict[str, Callable[..., Quantity]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: _exactly(a) / b,
    "neg": operator.neg,
    "^": lambda base, exponent: power(base, int(exponent)),
}


def _exactly(quantity: Quantity) -> Quantity:
    """A whole number as a fraction, whose ratio to another is exact."""
    match quantity:
        case int():
            return Fraction(quantity)
    return quantity


def _made(head: str, args: list[Quantity]) -> Quantity:
    """An expression anew, so that numbers in it are worked out."""
    return OPERATIONS[head](*args) if head in OPERATIONS else Expression(head, tuple(args))


def _constant(value: Value, known: Mapping[str, object]) -> Quantity | None:
    """An exact value as a constant of a model, where it is a number or a polynomial in the arm's symbols."""
    match value:
        case int() | Fraction():
            return value
        case Polynomial():
            total: Quantity = 0
        case _:
            return None
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
    *sides, last = statement.sides
    names = [name for side in sides for name in _names(side)]
    if not sides or not all(map(_names, sides)) or not all(map(_is_number, cells(last))):
        return None
    if not all(_is_of_arm(name, scope) for name in names):
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
    found: dict[str, Scalar] = {}
    states = {f"{name}{dots}" for name in scope.values.exact.coordinates for dots in ("", ".d", ".dd")}
    try:
        for side in statement.sides[:-1]:
            for name, number in zip(_names(side), cells(statement.sides[-1]), strict=False):
                for letter in map(letter_of, entries(scope.value(name))):
                    if letter in states:
                        found[letter] = turned(letter, value_of(number, scope), scope, statement.span)
    except WrittenError:
        return {}
    return found


def gives_number(statement: Statement) -> bool:
    """Whether a line says what a quantity is in numbers: M_12 = 0.18, tau_2 = m_2 g l = 2.9."""
    first, *others = statement.sides
    return is_quantity(first) and any(not any(True for _ in every(Name, side)) for side in others)


def of_any_state(statement: Statement, scope: Scope) -> Statement | None:
    """The part of an equation with a number that holds in any state: c_1 = h qd_2; None where there is no formula."""
    if not gives_number(statement):
        return None
    first, *others = statement.sides
    try:
        kept = [side for side in others if depth_of(value_of(side, scope), scope.values.exact.coordinates)]
    except WrittenError:
        return None
    return replace(statement, sides=(first, *kept)) if kept and len(kept) < len(others) else None


def at_rest(scope: Scope, names: Iterable[str] | None = None) -> dict[str, Scalar]:
    """The conditions of coordinates that rest, or of all: no speeds and no accelerations."""
    coordinates = scope.values.exact.coordinates
    resting = coordinates if names is None else [name for name in coordinates if name in {*names}]
    return {f"{name}{dots}": 0 for name in resting for dots in (".d", ".dd")}


def conditions_text(conditions: Mapping[str, Scalar], scope: Scope) -> str:
    """The conditions in words: "theta1 = 0, theta2 = pi/2"."""
    printed = scope.equations.notation.vocabulary.printed
    words = []
    for letter, number in conditions.items():
        name, _, dots = letter.partition(".")
        words.append(f"{printed[name]}{chr(39) * len(dots)} = {_number_text(number)}")
    return ", ".join(words)


def unsaid_text(unsaid: Mapping[str, Scalar]) -> str:
    """What is said where a text gives no speeds or accelerations of a state."""
    rates = {letter.partition(".")[2]: None for letter in unsaid}
    depths = [words for dots, words in (("d", "speeds"), ("dd", "accelerations")) if dots in rates]
    return f"Of these the text gives no {' and no '.join(depths)}: they are taken as zero."


def _number_text(number: Scalar | Turn) -> str:
    match number:
        case Turn(cos=int() as cos, sin=int() as sin):
            return {(1, 0): "0", (0, 1): "pi/2", (-1, 0): "pi", (0, -1): "-pi/2"}[cos, sin]
        case Turn():
            return "the given angle"
    return str(number)


def turned(letter: str, number: Scalar, scope: Scope, span: Span) -> Scalar:
    """A number for a letter of the ring, as its cosine and sine where the letter is an angle."""
    is_angle = f"cos({letter})" in scope.values.exact.ring.index
    return replace(turn_of(number, scope.values, span), value=number) if is_angle else number


def _is_of_arm(name: Name, scope: Scope) -> bool:
    return spelled(name) in scope.coordinates or any(each.kind in ARM_LETTERS for each in scope.meanings(name))


def _names(node: Node) -> list[Name]:
    """The names that a side consists of; nothing where it is anything else."""
    found = [*every(Name, *cells(node))]
    is_list = len(found) == len(cells(node)) and not any(part for cell in cells(node) for part in parts(cell))
    return found if is_list else []


_SMALL = re.compile(
    r"small[\s-]+(?:\w+\s+)?(?:angle|oscillation|motion|deviation|perturbation|displacement|amplitude|vibration)"
    r"|lineari[sz]|first[\s-]+order|tangent\s+model"
    r"|(?:near|about|around)\b[^.\n=]{0,40}\b(?:position|equilibrium|pose|state|upright)\b[^=]{0,80}\bsmall\b"
    r"|sin\W*\w[^=\n]{0,30}?(?:\\approx|\\simeq|\\cong|\\to|\u2248|\u2243|\u2245|\u2192)",
    re.IGNORECASE,
)
"""Words of a text that say that what follows holds for small deviations only; sin x \u2248 x is one of them."""
_APPROXIMATE = re.compile(r"\\approx|\\simeq|\\cong|[\u2248\u2243\u2245]")
_STATE_NEAR, _WORDS_BEHIND = 100, 60
"""Characters between such words and the lines that set the state; and between an equation and such words behind it."""


@dataclass(frozen=True, slots=True)
class FirstOrder:
    """The state about which a text linearises: every letter of the state, and the coordinates in words."""

    state: Mapping[str, Scalar]
    words: str

    def of(self, value: Value, values: ArmValues) -> Value:
        """A value without its terms of second and higher order in the deviations from the state.

        Raises ZeroDivisionError where it has none at the state, as J^-1 at a singular pose.
        """
        return mapped(value, lambda x: self._expanded(x, values))

    def _expanded(self, x: Scalar, values: ArmValues) -> Scalar:
        total = substitute(x, self.state)
        for i, name in enumerate(values.exact.coordinates):
            for dots in range(3):
                slope = substitute(partial(x, f"{name}{DOTS[dots]}"), self.state)
                total = total + slope * (state_letter(values, i, dots) - _middle(self.state[f"{name}{DOTS[dots]}"]))
        return total


DOTS = ("", ".d", ".dd")


def _middle(number: Scalar | Turn) -> Scalar:
    match number:
        case Turn(value=value):
            return value
    return number


def first_order(statement: Statement, scope: Scope) -> FirstOrder | None:
    """The state about which the text says that an equation is linearised; None where it does not say that it is."""
    start, end = statement.span
    said = [match.span() for match in _SMALL.finditer(scope.text) if match.start() < start]
    behind = _SMALL.search(scope.text, end, end + _WORDS_BEHIND)
    if behind is not None and not re.search(r"\n\s*\n", scope.text[end : behind.start()]):
        said.append(behind.span())
    said = said or [match.span() for match in _APPROXIMATE.finditer(scope.text, start, end)]
    if not said:
        return None
    near = [each for each in scope.statements if setting_of(each, scope) and _is_near(each.span, said[-1])]
    state = _own_zeros(scope) | {letter: x for each in near for letter, x in conditions_of(each, scope).items()}
    shown_ = {name: state[name] for name in scope.values.exact.coordinates}
    return FirstOrder(state, conditions_text(shown_, scope))


def _is_near(span: Span, words: Span) -> bool:
    return words[0] - _STATE_NEAR < span[1] and span[0] < words[1] + _STATE_NEAR


def _own_zeros(scope: Scope) -> dict[str, Scalar]:
    """The state in which everything is zero: the coordinates that the text defines, else those of the arm."""
    names = scope.values.exact.coordinates
    found: dict[str, Scalar] = {}
    for word in [*scope.coordinates] * len(names):
        value = mapped(value_of(scope.definitions[word], scope), lambda x: substitute(x, _middles(found)))
        match [name for name in names if name in letters_of(value)]:
            case [name]:
                at_zero, slope = substitute(value, {name: 0}), number_of(partial(value, name))
                found[name] = at_zero * (-1 / slope) if slope else 0
    places = {name: turned(name, found.get(name, 0), scope, (0, 0)) for name in names}
    return places | {f"{name}{dots}": 0 for name in names for dots in DOTS[1:]}


def _middles(found: Mapping[str, Scalar]) -> dict[str, Scalar]:
    return {name: _middle(x) for name, x in found.items()}


def is_of_first_order(side: Node, scope: Scope, about: FirstOrder) -> bool:
    """Whether a formula has no terms of higher order in the deviations, its quantities of the arm left aside."""
    try:
        kept = _without_quantities(side, scope)
        value = value_of(kept, scope)
        return equal(value, about.of(value, scope.values))
    except (LeverarmError, ZeroDivisionError):
        return False


def _without_quantities(side: Node, scope: Scope) -> Node:
    """The formula with 0 for every quantity of the arm."""

    def change(part: Node) -> Node:
        match part:
            case Name() if scope.meanings(part) and scope.meaning(part).kind not in OWN_KINDS:
                return Number(Fraction(0), span=part.span)
            case Of(head=Number() as zero):
                return zero
        return part

    return tree_mapped(side, change)


OWN_KINDS = frozenset((*LETTERS_OF_THE_ARM, "definition", "number", "unknown"))


def holds_to_first_order(statement: Statement, scope: Scope, sides: Sequence[Value], about: FirstOrder) -> str | None:
    """The words that follow "equal to first order", where that is so: for any torques, or for none; None elsewhere."""
    off = [about.of(subtracted(sides[0], side), scope.values) for side in sides[1:]]
    if all(map(is_zero, off)):
        return ""
    values = scope.values
    names = [name for name in every(Name, *statement.sides) if scope.meaning(name).kind not in OWN_KINDS]
    driven = {i for i, tau in enumerate(values.eq.tau.values) for name in names if equal(scope.value(name), tau)}
    if len(sides) != 2 or len(driven) < len({spelled(name) for name in names}):
        return None
    free = [i for i in range(values.n) if i not in driven]
    if all(_is_of_torques(x, free, values, about) for x in entries(off[0])):
        where = "s act" if len(free) == values.n else f" acts on {' or '.join(map(values.printed, free))}"
        return f", where no torque{where}"
    return None


def _is_of_torques(x: Scalar, free: Sequence[int], values: ArmValues, about: FirstOrder) -> bool:
    """Whether an expression of first order is zero, or a combination of these torques, of whose accelerations it is."""
    slopes = [partial(x, f"{name}.dd") for name in values.exact.coordinates]
    if is_zero(x) or all(map(is_zero, slopes)):
        return is_zero(x)
    M = [list(row) for row in rows_of(about.of(table(values.eq.M.values), values))]
    at_state = [[substitute(entry, about.state) for entry in row] for row in M]
    weights = apply(adjugate(at_state), slopes)
    torques = [about.of(tau, values) for tau in values.eq.tau.values]
    if not all(is_zero(weight) for i, weight in enumerate(weights) if i not in free):
        return False
    return bool(is_zero(x * determinant(at_state) - dot(weights, torques)))
