"""Names that a document defines for itself: h = -m_2 a_1 a_2 sin(theta_2), I_eq = ..., p_1 = m_1 l_c1^2 + I_1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.reading.tree import Applied, Name, Node, Number, Statement, walk
from leverarm.scalars.exact import Polynomial, Quotient, Sine
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import is_index_note, is_running
from leverarm.verify.equations.meaning import spelled
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, Value, entries, equal, fits
from leverarm.verify.equations.verdict import WrittenError


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
    rest: list[tuple[Name, Statement]] = []
    for statement in statements:
        name = defined_name(statement)
        if name is None or spelled(name) in found or _mentions(statement.sides[1], name):
            continue
        if is_running(name.lower):
            continue
        if scope.meanings(name):
            rest.append((name, statement))
        elif _is_called(statement, scope):
            found[spelled(name)] = statement.sides[1]
    scope = replace(scope, definitions=found, known={})
    for name, statement in rest:
        if spelled(name) not in found and _is_own(name, statement, scope):
            found = {**found, spelled(name): statement.sides[1]}
            scope = replace(scope, definitions=found, known={})
    return scope


def is_definition(statement: Statement, scope: Scope) -> bool:
    """Whether an equation is the one that defines its left side."""
    name = defined_name(statement)
    return name is not None and scope.definitions.get(spelled(name)) is statement.sides[1]


def _is_called(statement: Statement, scope: Scope) -> bool:
    """Whether the left side is a name, or a name before its arguments, and no product with a parenthesis."""
    left = statement.sides[0]
    return not isinstance(left, Applied) or scope.uses.get(left.head.span, "part") != "part"


def _is_own(name: Name, statement: Statement, scope: Scope) -> bool:
    """Whether a name that could mean something is given a meaning of its own.

    It is where a number is written and what it could mean are matrices, or where only loose readings fit and what is
    written depends on less than they do: on constants only, or on positions. A matrix that fits is what it could mean.
    """
    try:
        value = value_of(statement.sides[1], scope)
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
        return (is_loose or not isinstance(value, Table)) and not isinstance(statement.sides[1], Number)
    if isinstance(value, Table) and value.shape[1] > 1:
        return False
    return all(meaning.is_loose and _depth(value) < _depth(meant) for meaning, meant in fitting)


def _depth(value: Value) -> int:
    """What a value depends on: 0 constants only, 1 positions, 2 speeds, 3 accelerations."""
    return max((_depth_of(x) for x in entries(value)), default=0)


def _depth_of(x: object) -> int:
    if isinstance(x, Quotient):
        return max(_depth_of(x.numerator), _depth_of(x.denominator))
    if not isinstance(x, Polynomial):
        return 0
    names = [g.name for g in x.generators()]
    if any(name.endswith(".dd") for name in names):
        return 3
    if any(name.endswith(".d") for name in names):
        return 2
    angles = any(isinstance(g, Sine) or g.name.startswith("cos(") for g in x.generators())
    return int(angles)


def _mentions(node: Node, name: Name) -> bool:
    return any(isinstance(part, Name) and spelled(part) == spelled(name) for part in walk(node))
