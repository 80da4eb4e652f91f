"""A document about an arm: its equations, and what its names mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from leverarm.closed_form import Equations
from leverarm.errors import InputError, LeverarmError, unknown_name
from leverarm.notation.reading import read
from leverarm.notation.reading.as_written import Mapping as Mapped
from leverarm.notation.reading.as_written import Node, Statement
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.coordinate_names import state_letter, uses_of
from leverarm.verify.equations.definitions import with_definitions
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.symbol_names import symbol_value
from leverarm.verify.equations.values import Value, plain, spelled


def scope_of(eq: Equations, text: str, pieces: Iterable[Node], names: Mapping[str, str] | None = None) -> Scope:
    """What the names of a document mean for an arm. `names` gives the user's names their meanings."""
    pieces = tuple(pieces)
    statements = tuple(piece for piece in pieces if isinstance(piece, Statement))
    values = ArmValues(eq)
    wanted = {spelled(piece.written): piece.meant for piece in pieces if isinstance(piece, Mapped)}
    wanted |= {plain(name): str(meant) for name, meant in (names or {}).items()}
    scope = Scope(values, text, statements, {}, {}, uses_of(statements, values), value_of, names=wanted)
    given = {name: _meant(name, meant, scope) for name, meant in wanted.items()}
    return with_definitions(replace(scope, given=given, known={}), statements)


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
        f"{name} = {meant}: {unknown_name('symbol of the arm', meant, known)} A number may stand there too."
    )
