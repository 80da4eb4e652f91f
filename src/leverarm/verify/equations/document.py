"""A document about an arm: its equations, what the user maps, and the names that it defines for itself.

Definitions are h = -m_2 a_1 a_2 sin(theta_2), I_eq = ..., p_1 = m_1 l_c1^2 + I_1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as count_from

from leverarm.closed_form import Equations
from leverarm.errors import InputError, LeverarmError, unknown_name
from leverarm.notation.reading import Found, Statement, read
from leverarm.notation.reading import Mapping as Mapped
from leverarm.notation.tree import Matrix, Name, Node, Number, Of, Transposed
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.algebra import Meaning, Table, Value, equal, every, fits, plain, spelled
from leverarm.verify.equations.arm_names import name_of, state_letter, symbol_value, uses_of
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.dimensions import NUMBER, dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import depth_of, is_index_note, is_running
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError

PARAMETERS = ("Theta", "theta", "phi", "varphi", "pi", "Pi", "p", "P", "a", "alpha", "beta", "x", "X", "chi")
"""Letters for the parameters that an equation is linear in."""


def defined_name(statement: Statement) -> Name | None:
    """The name that an equation could define: its left side, where that is a name and nothing else."""
    if len(statement.sides) < 2 or is_index_note(statement):
        return None
    name = name_of(statement.sides[0])
    return name if name is not None and not name.dots else None


def with_definitions(scope: Scope, statements: Sequence[Statement]) -> Scope:
    """The scope with the names that the document defines: first those that mean nothing else, then the others."""
    found: dict[str, Node] = {}
    rest: list[tuple[Name, Node]] = []
    for name, formula in _candidates(statements, scope):
        if spelled(name) in found or _mentions(formula, name) or is_running(name.lower):
            continue
        if scope.meanings(name):
            rest.append((name, formula))
        else:
            found[spelled(name)] = formula
    scope = replace(scope, definitions=found, cache={})
    for name, formula in sorted(rest, key=lambda each: not _are_parameters(*each)):
        if spelled(name) not in found and _is_own(name, formula, scope):
            found = {**found, spelled(name): formula}
            scope = replace(scope, definitions=found, cache={})
    lists = dict(_lists(found))
    return replace(scope, definitions={**lists, **found}, cache={}) if lists else scope


def _candidates(statements: Sequence[Statement], scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The names that equations could define, with their formulas: h = ..., and d_11 = ... =: h."""
    for statement in statements:
        name, last = defined_name(statement), statement.sides[-1]
        if name is not None and _is_called(statement, scope):
            yield name, statement.sides[1]
        if isinstance(last, Name) and not last.dots and _names_the_last(statement, scope):
            yield last, statement.sides[-2]


def _names_the_last(statement: Statement, scope: Scope) -> bool:
    """Whether an equation gives a name to its formula at the end: a = ... = h, or ... =: h."""
    if len(statement.sides) < 3 or is_index_note(statement):
        between = scope.text[statement.sides[-2].span[1] : statement.sides[-1].span[0]] if statement.sides[1:] else ""
        return "=:" in between or "eqqcolon" in between
    return True


def _lists(found: Mapping[str, Node]) -> Iterator[tuple[str, Node]]:
    """Letters that stand for all the numbered parameters a document defines: Theta for Theta_1, Theta_2, Theta_3."""
    for letter in PARAMETERS:
        count = next(k for k in count_from(1) if f"{letter}{k}" not in found) - 1
        if count > 1 and letter not in found:
            spans = [found[f"{letter}{k}"].span for k in range(1, count + 1)]
            names = [Name(letter, str(k), span=span) for k, span in enumerate(spans, 1)]
            yield letter, Matrix(tuple((name,) for name in names), span=(spans[0][0], spans[-1][1]))


def is_definition(statement: Statement, scope: Scope) -> bool:
    """Whether an equation is the one that defines its left side."""
    name = defined_name(statement)
    return name is not None and scope.definitions.get(spelled(name)) is statement.sides[1]


def _is_called(statement: Statement, scope: Scope) -> bool:
    """Whether the left side is a name, or a name before its arguments, and no product with a parenthesis."""
    left = statement.sides[0]
    return not isinstance(left, Of) or scope.uses.get(left.head.span, "part") != "part"


def _is_own(name: Name, formula: Node, scope: Scope) -> bool:
    """Whether a name that could mean something is given a meaning of its own.

    It is where a number is written and what it could mean are matrices, or where only loose readings fit: a letter that
    was guessed to be one of the arm's, or a quantity, and what is written depends on less than it does: on constants
    only, or on positions. A matrix that fits is what it could mean.
    """
    try:
        value = value_of(formula, scope)
    except WrittenError:
        return False
    fitting = []
    for meaning in scope.meanings(name):
        try:
            meant = meaning.find()
        except WrittenError:
            continue
        if equal(meant, value):
            return False
        if fits(meant, value):
            fitting.append((meaning, meant))
    if not fitting:
        is_loose = all(meaning.is_loose for meaning in scope.meanings(name))
        is_free = is_loose or _are_parameters(name, formula) or not isinstance(value, Table)
        return is_free and not isinstance(formula, Number)
    if isinstance(value, Table) and value.shape[1] > 1:
        return False
    coordinates = scope.values.exact.coordinates
    depth = depth_of(value, coordinates)
    return all(
        meaning.is_loose and (_is_guessed_letter(meaning, meant, value, scope) or depth < depth_of(meant, coordinates))
        for meaning, meant in fitting
    )


def _are_parameters(name: Name, formula: Node) -> bool:
    """Whether a list of formulas is given to a letter of parameters, which may mean something else in other texts."""
    match formula:
        case Matrix() | Transposed(of=Matrix()):
            return name.letter in PARAMETERS and not name.lower
    return False


def _is_guessed_letter(meaning: Meaning, meant: Value, value: Value, scope: Scope) -> bool:
    """Whether a name was only guessed to be a letter of the arm: it is given something else than what that letter is.

    A number, or a length for a length, sets the letter.
    """
    if meaning.kind == "coordinate":
        return isinstance(value, Polynomial) and any(g.name != "pi" for g in value.generators())
    units = units_of(scope.arm)
    return meaning.kind == "symbol" and dimension_of(value, units) not in (None, NUMBER, dimension_of(meant, units))


def _mentions(node: Node, name: Name) -> bool:
    return any(spelled(part) == spelled(name) for part in every(Name, node))


def scope_of(eq: Equations, text: str, pieces: Iterable[Found], names: Mapping[str, str] | None = None) -> Scope:
    """What the names of a document mean for an arm. `names` gives the user's names their meanings."""
    pieces = tuple(pieces)
    statements = tuple(piece for piece in pieces if isinstance(piece, Statement))
    values = ArmValues(eq)
    wanted = {spelled(piece.written): piece.meant for piece in pieces if isinstance(piece, Mapped)}
    wanted |= {plain(name): str(meant) for name, meant in (names or {}).items()}
    scope = Scope(values, text, statements, {}, {}, uses_of(statements, values), value_of, names=wanted)
    given = {name: _meant(name, meant, scope) for name, meant in wanted.items()}
    return with_definitions(replace(scope, given=given, cache={}), statements)


def _meant(name: str, meant: str, scope: Scope) -> Value:
    """What the user says that a name stands for: a symbol or coordinate of the arm, a number, or a formula."""
    values = scope.values
    for symbol in scope.arm.defaults:
        if plain(symbol) == plain(meant):
            return symbol_value(values, symbol)
    for i in range(values.n):
        if plain(meant) in (plain(values.printed(i)), plain(values.exact.coordinates[i])):
            return state_letter(values, i, 0)
    sides = [piece.sides for piece in read(f"x = {meant}") if isinstance(piece, Statement)]
    try:
        if sides:
            return value_of(sides[0][-1], replace(scope, text=f"x = {meant}"))
    except LeverarmError:
        pass
    known = [*scope.arm.defaults, *(values.printed(i) for i in range(values.n))]
    raise InputError(
        f"{name} = {meant}: {unknown_name('symbol of the arm', meant, known)} "
        "A number, or a formula of symbols, is valid too."
    )
