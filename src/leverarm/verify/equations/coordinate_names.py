"""The coordinates, speeds and accelerations of an arm, and the cosines of its angles, as people write them.

Cosines and sines of written angles: whole multiples of the arm's angles, and constants.

How the names of a document are used: alone on a side, before their arguments, or as a part of a formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Literal

from leverarm.notation.reading.as_written import (
    Applied,
    Inverse,
    Matrix,
    Name,
    Node,
    Number,
    PartialDerivative,
    Power,
    Span,
    Statement,
    TimeDerivative,
    Transposed,
    walk,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import EXACT, Polynomial, free_symbol, letter, symbol, unknown_angle
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.values import Find, Meaning, Value, column, plain, spelled
from leverarm.verify.equations.verdict import WrittenError

ANY, TURNING, SLIDING = ("q",), ("theta", "vartheta", "th", "phi", "varphi"), ("d", "r")
"""Letters that stand, with a number, for the coordinate of that number: for any, for an angle, for a distance."""
VECTORS = ("q", "theta", "vartheta", "Theta")
"""Letters that stand, without a number, for all coordinates."""
WORDS = ("positions", "speeds", "accelerations")


def state_letter(values: ArmValues, i: int, dots: int) -> Scalar:
    """A coordinate, its speed or its acceleration as a letter of the exact ring. An angle itself is a letter too."""
    if dots:
        return (values.exact.qd if dots == 1 else values.exact.qdd)[i]
    name, ring = values.exact.coordinates[i], values.exact.ring
    return letter(ring, name) if name in ring.index else free_symbol(symbol(name))


def angle(values: ArmValues, i: int) -> Turn:
    """An angle by its cosine and sine."""
    name, ring = values.exact.coordinates[i], values.exact.ring
    return Turn(letter(ring, f"cos({name})"), letter(ring, f"sin({name})"))


def coordinate_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """The coordinates that a name can stand for: by their own names, by number, or all of them."""
    found = [i for i in range(values.n) if spelled(name) in _own_names(values, i)]
    aliases = [i for i in range(values.n) if _is_alias(name, values, i)] if not found else []
    for i in (*found, *aliases):
        printed = values.printed(i)
        what = ("joint coordinate", "speed", "acceleration")[min(name.dots, 2)]
        said = printed if i in aliases else ""
        yield Meaning("coordinate", f"the {what} of {printed}", _letter(name, values, i), said, i in aliases)
    if name.letter in VECTORS and not name.lower and not found:
        word = WORDS[min(name.dots, 2)]
        yield Meaning("coordinates", f"the joint {word}", _vector(name, values), "", name.letter == "Theta")


def cosine_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """Cosines and sines in short: c_1, s_12, C_{12}, c_theta."""
    if name.letter not in ("c", "s", "C", "S") or not name.lower or name.upper or name.style:
        return
    numbers = _angles(name.lower, values)
    if not numbers or not all(values.turns(i) for i in numbers):
        return
    word = "cos" if name.letter in "cC" else "sin"
    total = " + ".join(values.printed(i) for i in numbers)
    yield Meaning("cosine", f"{word}({total})", lambda: _cosine(word, numbers, values))


def _cosine(word: str, numbers: list[int], values: ArmValues) -> Scalar:
    turn = reduce(add, [angle(values, i) for i in numbers])
    return turn.cos if word == "cos" else turn.sin


def _angles(lower: str, values: ArmValues) -> list[int]:
    """The coordinates of an index: 12 is the first and the second, each once and in order; theta1 is by name."""
    word = plain(lower)
    for i in range(values.n):
        if word in _own_names(values, i):
            return [i]
    numbers = {_number(values, i): i for i in range(values.n)}
    digits = list(word)
    if not word.isdigit() or any(d not in numbers for d in digits) or digits != sorted(set(digits)):
        return []
    return [numbers[d] for d in digits]


def _number(values: ArmValues, i: int) -> str:
    """The number in a coordinate's name, or else its place."""
    return re.sub(r"\D", "", values.printed(i)) or str(i + 1)


def _own_names(values: ArmValues, i: int) -> set[str]:
    return {plain(values.printed(i)), plain(values.exact.coordinates[i])}


def _is_alias(name: Name, values: ArmValues, i: int) -> bool:
    if name.upper or name.style not in ("", "vec"):
        return False
    kind = TURNING if values.turns(i) else SLIDING
    if name.lower:
        return name.letter in (*ANY, *TURNING, *kind) and plain(name.lower) in (str(i + 1), _number(values, i))
    alike = [j for j in range(values.n) if values.turns(j) == values.turns(i)]
    return name.letter in kind and len(alike) == 1


def _letter(name: Name, values: ArmValues, i: int) -> Find:
    def find() -> Scalar:
        if name.dots > 2:
            raise WrittenError(name.span, "third time derivatives of coordinates do not occur in equations of motion.")
        return state_letter(values, i, name.dots)

    return find


def _vector(name: Name, values: ArmValues) -> Find:
    def find() -> Value:
        if name.dots > 2:
            raise WrittenError(name.span, "third time derivatives of coordinates do not occur in equations of motion.")
        return column([state_letter(values, i, name.dots) for i in range(values.n)])

    return find


MAX_MULTIPLE = 24


def turn_of(value: Scalar, values: ArmValues, span: Span) -> Turn:
    """An angle by its cosine and sine. Raises WrittenError where it is no sum of the arm's angles and constants."""
    if not isinstance(value, Polynomial):
        return _constant(float(value)) if isinstance(value, int | Fraction) else _refused(span, "a quotient")
    total = Turn(1, 0)
    for letters, coefficient in value.terms():
        if not letters:
            total = total + _constant(float(coefficient))
            continue
        (generator, power), *others = letters
        if others or power != 1:
            return _refused(span, "a product of letters")
        if generator.name == "pi":
            total = total + _constant(float(coefficient) * math.pi)
            continue
        total = total + _multiple(generator.name, coefficient, values, span)
    return total


def _multiple(name: str, times: Fraction, values: ArmValues, span: Span) -> Turn:
    ring = values.exact.ring
    is_angle = f"cos({name})" in ring.index
    if not is_angle and name not in values.exact.coordinates:
        return _refused(span, f"{name}, which is no angle of the arm")
    if times.denominator != 1:
        return _refused(span, f"{times} times an angle, which is no polynomial in its sine and cosine")
    if abs(times) > MAX_MULTIPLE:
        return _refused(span, f"{times} times an angle; at most {MAX_MULTIPLE} times is read")
    if not is_angle:  # a distance: wrong, but it has a value, and the units tell
        return int(times) * unknown_angle(name)
    return int(times) * Turn(letter(ring, f"cos({name})"), letter(ring, f"sin({name})"))


def _constant(angle: float) -> Turn:
    return Turn(*EXACT.turn(angle))


def _refused(span: Span, what: str) -> Turn:
    raise WrittenError(
        span, f"takes the sine or cosine of {what}. Whole multiples of the arm's angles and constants are read."
    )


Use = Literal["part", "alone", "called", "called with speeds"]


def uses_of(statements: Iterable[Statement], values: ArmValues) -> dict[Span, Use]:
    """The use of every name that is not just part of a formula, by its place."""
    found: dict[Span, Use] = {}
    for statement in statements:
        for side in statement.sides:
            found |= {name.span: "alone" for name in _alone(side)}
            for node in walk(side):
                if isinstance(node, PartialDerivative):
                    found |= {name.span: "alone" for name in _alone(node.of)}
                if not isinstance(node, Applied) or not _are_arguments(node.arguments, values):
                    continue
                if isinstance(node.head, PartialDerivative | TimeDerivative):
                    found[node.head.span] = "called"
                elif (head := head_of(node)) is not None:
                    found[head.span] = "called with speeds" if len(node.arguments) > 1 else "called"
    return found


def head_of(node: Applied) -> Name | None:
    """The name before the parenthesis, also of M^-1(q) and J^T(q)."""
    inner = node.head
    while isinstance(inner, Inverse | Transposed):
        inner = inner.of
    return inner if isinstance(inner, Name) else None


def _alone(node: Node) -> Iterator[Name]:
    """The names of a side that is nothing but a quantity, or a vector of quantities."""
    match node:
        case Name():
            yield node
        case Matrix(rows=rows):
            for row in rows:
                for entry in row:
                    yield from _alone(entry)
        case Power(base=of) | Transposed(of=of) | Inverse(of=of) | TimeDerivative(of=of):
            yield from _alone(of)
        case _:
            return


def _are_arguments(arguments: tuple[Node, ...], values: ArmValues) -> bool:
    """Whether what stands in a parenthesis can be what a quantity depends on: (q), (theta_1, theta_2), (q, qd), (t)."""
    if not all(isinstance(each, Name | Number) for each in arguments):
        return False
    names = [each for each in arguments if isinstance(each, Name)]
    if not names:
        return len(arguments) > 1
    if not all(_is_state(name, values) for name in names):
        return False
    first = names[0]
    return len(arguments) > 1 or not first.dots or not first.lower


def _is_state(name: Name, values: ArmValues) -> bool:
    if name.letter == "t" and not name.lower:
        return True
    return any(True for _ in coordinate_meanings(name, values)) or name.letter in ("qd", "qdd", "thetad", "dq", "qdot")
