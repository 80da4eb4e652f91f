"""Names that a document defines for itself: h = -m_2 a_1 a_2 sin(theta_2), I_eq = ..., p_1 = m_1 l_c1^2 + I_1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as count_from

from leverarm.notation.reading.as_written import Applied, Matrix, Name, Node, Number, Statement, walk
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.dimensions import NUMBER, dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import depth_of, is_index_note, is_running
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Meaning, Table, Value, equal, fits, spelled
from leverarm.verify.equations.verdict import WrittenError

PARAMETERS = ("Theta", "theta", "phi", "varphi", "pi", "Pi", "p", "P", "a", "alpha", "beta", "x", "X", "chi")
"""Letters for the parameters that an equation is linear in."""


def defined_name(statement: Statement) -> Name | None:
    """The name that an equation could define: its left side, where that is a name and nothing else."""
    if len(statement.sides) < 2 or is_index_note(statement):
        return None
    left = statement.sides[0]
    if isinstance(left, Applied) and isinstance(left.head, Name):
        left = left.head
    return left if isinstance(left, Name) and not left.dots else None


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
    scope = replace(scope, definitions=found, known={})
    for name, formula in rest:
        if spelled(name) not in found and _is_own(name, formula, scope):
            found = {**found, spelled(name): formula}
            scope = replace(scope, definitions=found, known={})
    lists = dict(_lists(found))
    return replace(scope, definitions={**lists, **found}, known={}) if lists else scope


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
            names = [Name(span, letter, str(k)) for k, span in enumerate(spans, 1)]
            yield letter, Matrix((spans[0][0], spans[-1][1]), tuple((name,) for name in names))


def is_definition(statement: Statement, scope: Scope) -> bool:
    """Whether an equation is the one that defines its left side."""
    name = defined_name(statement)
    return name is not None and scope.definitions.get(spelled(name)) is statement.sides[1]


def _is_called(statement: Statement, scope: Scope) -> bool:
    """Whether the left side is a name, or a name before its arguments, and no product with a parenthesis."""
    left = statement.sides[0]
    return not isinstance(left, Applied) or scope.uses.get(left.head.span, "part") != "part"


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
        return (is_loose or not isinstance(value, Table)) and not isinstance(formula, Number)
    if isinstance(value, Table) and value.shape[1] > 1:
        return False
    coordinates = scope.values.exact.coordinates
    depth = depth_of(value, coordinates)
    return all(
        meaning.is_loose and (_is_guessed_letter(meaning, meant, value, scope) or depth < depth_of(meant, coordinates))
        for meaning, meant in fitting
    )


def _is_guessed_letter(meaning: Meaning, meant: Value, value: Value, scope: Scope) -> bool:
    """Whether a name was only guessed to be a letter of the arm: it is given something else than what that letter is.

    A number, or a length for a length, sets the letter.
    """
    if meaning.kind == "coordinate":
        return isinstance(value, Polynomial) and any(g.name != "pi" for g in value.generators())
    units = units_of(scope.arm)
    return meaning.kind == "symbol" and dimension_of(value, units) not in (None, NUMBER, dimension_of(meant, units))


def _mentions(node: Node, name: Name) -> bool:
    return any(isinstance(part, Name) and spelled(part) == spelled(name) for part in walk(node))
