"""The coordinates, angles and symbols of an arm as people write them, and how a document uses its names.

Coordinates, speeds and accelerations by name or number; cosines in short, c_12; symbols by another spelling or by what
they are. A name may stand alone on a side, before its arguments, or as a part of a formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Literal

from leverarm.notation import tree
from leverarm.notation.names import split_name
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node, Span
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.scalars.exact import EXACT, Generator, Polynomial, free_symbol, half_turn, letter, symbol, unknown_angle
from leverarm.scalars.exact import symbol as generator
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.algebra import Find, Meaning, Value, column, every, number_of, plain, spelled
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.verdict import WrittenError

ANY, TURNING, SLIDING = ("q",), ("theta", "vartheta", "th", "phi", "varphi"), ("d", "r")
"""Letters that stand, with a number, for the coordinate of that number: for any, for an angle, for a distance."""
VECTORS = ("q", "theta", "vartheta", "Theta")
"""Letters that stand, without a number, for all coordinates."""
OTHER_ANGLES = ("alpha", "beta", "gamma", "psi", "delta")
"""Letters for the only angle of an arm, where the text takes their sine or cosine."""
STATES = ("joint coordinate", "speed", "acceleration")
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
        what = STATES[min(name.dots, 2)]
        read_as = printed if i in aliases else ""
        yield Meaning("coordinate", f"the {what} of {printed}", _letters(name, values, [i]), read_as, i in aliases)
    if name.letter in VECTORS and not name.lower and not found:
        word = WORDS[min(name.dots, 2)]
        yield Meaning(
            "coordinates", f"the joint {word}", _letters(name, values, range(values.n)), "", name.letter == "Theta"
        )


def only_angle(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """The arm's only angle, for a letter without a number that an angle may have: alpha."""
    turning = [i for i in range(values.n) if values.turns(i)]
    if len(turning) == 1 and name.letter in OTHER_ANGLES and not (name.lower or name.upper or name.style):
        about = f"the {STATES[min(name.dots, 2)]} of {values.printed(turning[0])}"
        yield Meaning("coordinate", about, _letters(name, values, turning), values.printed(turning[0]), True)


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


def name_of(node: Node) -> Name | None:
    """The name that a side is, alone or before its arguments; None of any other formula."""
    match node:
        case (Name() as name) | tree.Of(head=Name() as name):
            return name
    return None


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


def _letters(name: Name, values: ArmValues, numbers: Iterable[int]) -> Find:
    def find() -> Value:
        if name.dots > 2:
            raise WrittenError(name.span, "third time derivatives of coordinates do not occur in equations of motion.")
        return column([state_letter(values, i, name.dots) for i in numbers])

    return find


MAX_MULTIPLE = 24


def turn_of(value: Scalar, values: ArmValues, span: Span) -> Turn:
    """An angle by its cosine and sine. Raises WrittenError where it is no sum of the arm's angles and constants."""
    if (number := number_of(value)) is not None:
        return _constant(float(number))
    match value:
        case Polynomial():
            terms = [_turn_of_term(letters, coefficient, values, span) for letters, coefficient in value.terms()]
            return reduce(add, terms, Turn(1, 0))
    return _refused(span, "a quotient")


def _turn_of_term(
    letters: Sequence[tuple[Generator, int]], coefficient: Fraction, values: ArmValues, span: Span
) -> Turn:
    match letters:
        case ():
            return _constant(float(coefficient))
        case ((Generator(name="pi"), 1),):
            return _constant(float(coefficient) * math.pi)
        case ((Generator(name=name), 1),):
            return _multiple(name, coefficient, values, span)
    return _refused(span, "a product of letters")


def _multiple(name: str, times: Fraction, values: ArmValues, span: Span) -> Turn:
    ring = values.exact.ring
    is_angle = f"cos({name})" in ring.index
    if not is_angle and name not in values.exact.coordinates:
        return _refused(span, f"{name}, which is no angle of the arm")
    if times.denominator > 2:
        return _refused(span, f"{times} times an angle, which is no polynomial in its sine and cosine")
    if abs(times) > MAX_MULTIPLE:
        return _refused(span, f"{times} times an angle; at most {MAX_MULTIPLE} times is supported")
    if not is_angle:  # a distance: wrong, but it has a value, and the units tell
        return int(times) * unknown_angle(name)
    if times.denominator == 2:
        return times.numerator * half_turn(name)
    return int(times) * Turn(letter(ring, f"cos({name})"), letter(ring, f"sin({name})"))


def _constant(angle: float) -> Turn:
    return Turn(*EXACT.turn(angle))


def _refused(span: Span, what: str) -> Turn:
    raise WrittenError(
        span,
        f"takes the sine or cosine of {what}; whole or half multiples of the arm's angles, and constants, are read.",
    )


Use = Literal["part", "alone", "called", "called with speeds"]


def uses_of(statements: Iterable[Statement], values: ArmValues) -> dict[Span, Use]:
    """The use of every name that is not just part of a formula, by its place."""
    found: dict[Span, Use] = {}
    for statement in statements:
        has_formula = not all(_is_name(side) for side in statement.sides)
        for side in statement.sides:
            alone = (name for name in _alone(side) if not _is_own(name, values) or (has_formula and name == side))
            found |= {name.span: "alone" for name in alone}
            for node in tree.walk(side):
                match node:
                    case tree.PartialDerivative(of=of):
                        found |= {name.span: "alone" for name in _alone(of)}
                    case tree.Of(head=tree.PartialDerivative() | tree.TimeDerivative() as head, arguments=arguments):
                        found |= {head.span: "called"} if _are_arguments(arguments, values) else {}
                    case tree.Of(arguments=arguments) if (name := head_of(node)) and _are_arguments(arguments, values):
                        found[name.span] = "called with speeds" if len(arguments) > 1 else "called"
    return found


def head_of(node: tree.Of) -> Name | None:
    """The name before the parenthesis, also of M^-1(q) and J^T(q)."""
    inner = node.head
    while True:
        match inner:
            case tree.Inverse(of=of) | tree.Transposed(of=of):
                inner = of
            case Name():
                return inner
            case _:
                return None


def _alone(node: Node) -> Iterator[Name]:
    """The names of a side that is nothing but a quantity, or a vector of quantities."""
    match node:
        case Name():
            yield node
        case tree.Matrix(rows=rows):
            for row in rows:
                for entry in row:
                    yield from _alone(entry)
        case tree.Power(base=of) | tree.Transposed(of=of) | tree.Inverse(of=of) | tree.TimeDerivative(of=of):
            yield from _alone(of)
        case _:
            return


def _is_name(node: Node) -> bool:
    match node:
        case tree.Power(base=of) | tree.TimeDerivative(of=of):
            return _is_name(of)
        case Name():
            return True
        case _:
            return False


def _is_own(name: Name, values: ArmValues) -> bool:
    """Whether a name is a coordinate as the arm spells it."""
    return not name.style and any(spelled(name) in _own_names(values, i) for i in range(values.n))


def _are_arguments(arguments: tuple[Node, ...], values: ArmValues) -> bool:
    """Whether what stands in a parenthesis can be what a quantity depends on: (q), (theta_1, theta_2), (q, qd), (t)."""
    names = [*every(Name, *arguments)]
    if len(names) + sum(1 for _ in every(tree.Number, *arguments)) > len(arguments) or any(
        part for each in arguments for part in tree.parts(each)
    ):
        return False
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


LINK_LENGTHS = ("a", "l", "L", "ell")
DISTANCES = (*LINK_LENGTHS, "r", "d", "b", "s")
INERTIAS = ("I", "J")
MASSES = ("m", "M")
_OF_CENTRE = re.compile(r"(?:c|C|g|G|cm|com|CM)(\d+)")
_OF_LINK = re.compile(r"^(?:l|ell|L|link)(?=\d)")
_OF_INERTIA = re.compile(r"(?:c|C|G|g|cm)?(xx?|yy?|zz?)?(\d*)(xx?|yy?|zz?)?")


def symbol_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """The symbols that a name can stand for; one by exactly this name leaves no other. At most one is guessed."""
    word, symbols = spelled(name), values.symbols
    if word in symbols and name.style in ("", "mathfrak", "mathcal", "vec"):
        yield _meaning(values, symbols[word], "")
        return
    if (curled := word.replace("ell", "l")) in symbols:
        yield replace(_meaning(values, symbols[curled], symbols[curled]), is_loose=False)
        return
    folded = word.casefold().replace("ell", "l")
    alike = [each for spelling, each in symbols.items() if spelling.casefold() == folded]
    meant = alike or [each for each in symbols.values() if _is_meant(name, each, values)]
    if len(meant) == 1:
        yield _meaning(values, meant[0], meant[0])


def symbol_value(values: ArmValues, symbol: str) -> Scalar:
    """A symbol as a letter of the exact ring; one that stands in angles only is a letter of its own."""
    ring = values.exact.ring
    return letter(ring, symbol) if symbol in ring.index else free_symbol(generator(symbol))


def _meaning(values: ArmValues, symbol: str, read_as: str) -> Meaning:
    role = values.eq.notation.vocabulary.roles.get(symbol, Role.OTHER)
    what = {Role.MASS: "mass", Role.LENGTH: "length", Role.INERTIA: "moment of inertia", Role.GRAVITY: "gravity"}
    about = f"{symbol}, a {what[role]}" if role in what and role is not Role.GRAVITY else symbol
    return Meaning("symbol", about, lambda: symbol_value(values, symbol), read_as, bool(read_as))


def _is_meant(name: Name, symbol: str, values: ArmValues) -> bool:
    """Whether a name says what a symbol is: a mass, length or inertia of the same link, or gravity."""
    if name.upper:
        return False
    role = values.eq.notation.vocabulary.roles.get(symbol, Role.OTHER)
    index, wanted = plain(name.lower), plain(split_name(symbol).index)
    match role:
        case Role.GRAVITY:
            return name.letter == "g" and index in ("", "0", "n")
        case Role.MASS:
            return name.letter in MASSES and _OF_LINK.sub("", index) == wanted
        case Role.INERTIA:
            return name.letter in INERTIAS and _is_inertia(_OF_LINK.sub("", index), wanted, values)
        case Role.LENGTH:
            return _is_length(name.letter, index, wanted, _indices(Role.LENGTH, values))
        case _:
            return False


def _is_inertia(index: str, wanted: str, values: ArmValues) -> bool:
    """Whether a moment of inertia is that of the same link, about the same axis where the link has several."""
    mine, theirs = _OF_INERTIA.fullmatch(index), _OF_INERTIA.fullmatch(wanted)
    if mine is None or theirs is None or mine[2] != theirs[2]:
        return False
    indices = map(_OF_INERTIA.fullmatch, _indices(Role.INERTIA, values))
    return _axis(mine) == _axis(theirs) or sum(1 for each in indices if each and each[2] == mine[2]) == 1


def _axis(inertia: re.Match[str]) -> str:
    return (inertia[1] or inertia[3] or "z")[0]


def _is_length(letter: str, index: str, wanted: str, lengths: Sequence[str]) -> bool:
    centre = _OF_CENTRE.fullmatch(wanted)
    if mine := _OF_CENTRE.fullmatch(index):
        return letter in DISTANCES and centre is not None and centre[1] == mine[1]
    if letter in LINK_LENGTHS:
        return index == wanted
    if letter not in DISTANCES:
        return False
    return centre[1] == index if centre else index == wanted and f"c{index}" not in lengths


def _indices(role: Role, values: ArmValues) -> list[str]:
    """The indices of the symbols of a role: c1 and c2 of the lengths that place centres of mass."""
    return [plain(split_name(each).index) for each, its in values.eq.notation.vocabulary.roles.items() if its is role]
