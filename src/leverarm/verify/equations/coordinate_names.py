"""The coordinates, speeds and accelerations of an arm, and the cosines of its angles, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from operator import add

from leverarm.reading.tree import Name
from leverarm.scalars import Scalar
from leverarm.scalars.exact import free_symbol, letter, symbol
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.meaning import Find, Meaning, plain, spelled
from leverarm.verify.equations.values import Value, column
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
