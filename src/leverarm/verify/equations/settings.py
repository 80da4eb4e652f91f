"""Lines that set something rather than claim it: g = 9.81, theta_1 = 0, (theta_1, theta_2) = (0, pi/2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from leverarm.reading.tree import Matrix, Name, Node, Statement
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.angles import turn_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.meaning import shown
from leverarm.verify.equations.numbers import cells, is_numeric
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.special_cases import symbols_set
from leverarm.verify.equations.values import entries
from leverarm.verify.equations.verdict import WrittenError

ARM_LETTERS = frozenset(("symbol", "coordinate", "coordinates"))


def setting_of(statement: Statement, scope: Scope) -> str | None:
    """What a line sets: numbers for symbols or coordinates of the arm, constants for symbols; None for an equation."""
    if symbols := symbols_set(statement, scope):
        return f"a value of {', '.join(symbols)}"
    if len(statement.sides) != 2 or not is_numeric(statement.sides[1]):
        return None
    names = list(_names(statement.sides[0]))
    if not names or not all(_is_of_arm(name, scope) for name in names):
        return None
    return f"a value of {', '.join(shown(name) for name in names)}"


def conditions_of(statement: Statement, scope: Scope) -> dict[str, Scalar]:
    """The coordinates, speeds and accelerations that a line sets, by the letters of the ring; angles as turns."""
    letters: list[str] = []
    numbers: list[Scalar] = []
    try:
        for name, number in zip(_names(statement.sides[0]), cells(statement.sides[1]), strict=False):
            found = [_letter(x) for x in entries(scope.value(name))]
            letters += found
            numbers += [value_of(number, scope)] * len(found)
    except WrittenError:
        return {}
    states = {f"{name}{dots}" for name in scope.values.exact.coordinates for dots in ("", ".d", ".dd")}
    given = {letter: number for letter, number in zip(letters, numbers, strict=True) if letter in states}
    return {letter: _turned(letter, number, scope, statement) for letter, number in given.items()}


def told(conditions: Mapping[str, Scalar], scope: Scope) -> str:
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


def _letter(x: Scalar) -> str:
    return next(iter(x.generators())).name if isinstance(x, Polynomial) else ""


def _is_of_arm(name: Name, scope: Scope) -> bool:
    return any(each.kind in ARM_LETTERS for each in scope.meanings(name))


def _names(node: Node) -> Iterator[Name]:
    """The names that a side consists of; nothing where it is anything else."""
    if isinstance(node, Name):
        yield node
    elif isinstance(node, Matrix) and all(isinstance(entry, Name) for row in node.rows for entry in row):
        yield from (entry for row in node.rows for entry in row if isinstance(entry, Name))
