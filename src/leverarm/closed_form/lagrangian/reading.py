"""What a user writes about a system of their own as exact elements: L, forces, dissipation, eliminated coordinates.

Texts are in the grammar of `plain_text.py`. Every letter that is no coordinate, no speed, not t and not pi is a
constant of the system; letters that look like a forgotten coordinate's speed are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leverarm.closed_form.arm_letters import LETTERS, acceleration, speed, typeset_alike
from leverarm.closed_form.lagrangian.calculus import derivative, tidied
from leverarm.errors import InputError, LeverarmError, unknown_name
from leverarm.notation.elements import element_of, nested
from leverarm.notation.names import FUNCTIONS, FURTHER_FUNCTIONS, dotted, split_name
from leverarm.notation.parsing import names_in, parse_with_functions, trig_of
from leverarm.notation.tree import Node, Number, Product, Sum, Symbol, Trig, mapped, walk
from leverarm.notation.vocabulary import Angle, Role, Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import free_symbol, symbol

TIME, PI = "t", "pi"
ALL_FUNCTIONS = tuple(dict.fromkeys((*FUNCTIONS, *FURTHER_FUNCTIONS)))
RESERVED = (TIME, PI, *ALL_FUNCTIONS)
ROLES = {
    Role.MASS: ("m", "M"),
    Role.INERTIA: ("I", "J"),
    Role.GRAVITY: ("g",),
    Role.LENGTH: ("l", "L", "a", "r", "R", "h", "d", "b"),
}
"""What a constant is taken for by its letter; this only decides where it stands in a product."""


@dataclass(frozen=True, slots=True)
class Written:
    """A system as it was read; forces are one for each coordinate, `let` are the eliminated coordinates."""

    coordinates: tuple[str, ...]
    lagrangian: Scalar
    dissipation: Scalar
    forces: tuple[Scalar, ...]
    let: Mapping[str, Scalar]
    constants: tuple[str, ...]
    of_forces: tuple[str, ...]
    """The constants that stand in the forces and nowhere else."""
    vocabulary: Vocabulary

    @property
    def rates(self) -> dict[str, Scalar]:
        """What changes in time, and how fast."""
        return rates_of(self.coordinates)


def rates_of(coordinates: Iterable[str]) -> dict[str, Scalar]:
    """Coordinates by their speeds, speeds by their accelerations, and time by 1."""
    rates: dict[str, Scalar] = {TIME: 1}
    for name in coordinates:
        rates |= {name: free_symbol(symbol(speed(name))), speed(name): free_symbol(symbol(acceleration(name)))}
    return rates


def read_system(
    lagrangian: str,
    coordinates: Sequence[str] | str,
    forces: Mapping[str, str],
    let: Mapping[str, str],
    dissipation: str,
) -> Written:
    """A system from its texts. Raises InputError or ExpressionError, which names the text and the column."""
    own = _coordinates(coordinates)
    for name in forces:
        if name not in own:
            raise InputError(f"forces: {unknown_name('coordinate', name, own)}")
    texts = {"L": lagrangian, "dissipation": dissipation}
    texts |= {f"let {name}": text for name, text in let.items()}
    texts |= {f"forces {name}": text for name, text in forces.items()}
    named = {what: _names(what, text, (*own, *let)) for what, text in texts.items()}
    letters = _letters(own, let, {name for names in named.values() for name in names})
    constants = tuple(
        name for name in dict.fromkeys(name for names in named.values() for name in names)
        if letters.get(name) == Symbol(name) and name not in (*own, *let, TIME, PI)
    )  # fmt: skip
    inside = {name for what, names in named.items() if not what.startswith("forces") for name in names}
    trees = {what: _tree(what, text, letters) for what, text in texts.items()}
    roles = {name: _role(name) for name in (*constants, TIME, PI)}
    decimals = frozenset(Role) if any("." in text for text in texts.values()) else frozenset[Role]()
    replacing: dict[Symbol, Node] = {}
    vocabulary = Vocabulary(own, {name: name for name in own}, (), roles, decimals, frozenset(FURTHER_FUNCTIONS))
    eliminated: dict[str, Scalar] = {}
    for name in let:
        tree = substituted(trees[f"let {name}"], replacing)
        if any(symbol.dots or symbol.name in let for symbol in _symbols_in(tree)):
            raise InputError(
                f"let {name}: {let[name]!r} has a speed, or a coordinate that is not eliminated before it. Give a "
                "position as a function of coordinates, t, and those eliminated before."
            )
        value = _element(f"let {name}", tree, vocabulary)
        rate = sum((derivative(value, x, vocabulary) * v for x, v in rates_of(own).items()), start=0)
        eliminated[name] = value
        replacing |= {Symbol(name): tree, Symbol(name, 1): nested(rate, vocabulary)}
    trees = {what: substituted(tree, replacing) for what, tree in trees.items()}
    angles = dict.fromkeys(part.angle for tree in trees.values() for part in walk(tree) if isinstance(part, Trig))
    vocabulary = Vocabulary(own, vocabulary.printed, _groups(angles), roles, decimals, vocabulary.functions)
    values = {what: _element(what, tree, vocabulary) for what, tree in trees.items()}
    return Written(
        own,
        values["L"],
        values["dissipation"],
        tuple(values.get(f"forces {name}", 0) for name in own),
        eliminated,
        constants,
        tuple(name for name in constants if name not in inside),
        vocabulary,
    )


def _symbols_in(node: Node) -> Iterator[Symbol]:
    for part in walk(node):
        match part:
            case Symbol():
                yield part
            case Trig(angle=angle):
                yield from (Symbol(name) for name, _ in angle)


def substituted(node: Node, replacing: Mapping[Symbol, Node]) -> Node:
    """A formula with others in place of letters, those in its cosines too."""

    def change(part: Node) -> Node:
        match part:
            case Symbol():
                return replacing.get(part, part)
            case Trig(function=function, angle=angle) if any(Symbol(name) in replacing for name, _ in angle):
                terms = [Product((Number(Fraction(k)), replacing.get(Symbol(name), Symbol(name)))) for name, k in angle]
                return trig_of(function, Sum(tuple(terms)))
            case _:
                return part

    return mapped(node, change) if replacing else node


def _coordinates(given: Sequence[str] | str) -> tuple[str, ...]:
    names = tuple(part for part in re.split(r"[,\s]+", given) if part) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError("no coordinates were given. Name those that L is a function of, such as coordinates=['x'].")
    for name in names:
        _check_letter("coordinate", name)
    if len(set(names)) != len(names):
        raise InputError(f"coordinates: {', '.join(names)} names one twice. Name each once.")
    return names


def _check_letter(kind: str, name: Any) -> None:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or name in RESERVED:
        raise InputError(
            f"{kind}: {name!r} was given. A name is a letter, then letters, digits and _, such as x, theta1; "
            f"{', '.join(RESERVED)} have a meaning of their own."
        )


def _named(what: str, given: Callable[[], Any]) -> Any:
    """What a reader of a text gives; its error begins with the text's name."""
    try:
        return given()
    except LeverarmError as problem:
        raise type(problem)(f"{what}: {problem}") from None


def _names(what: str, text: Any, moving: Container[str]) -> list[str]:
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{what}: {text!r} was given; it is written as text, such as '1/2 m xd^2 - 1/2 k x^2'.")
    found: list[tuple[str, bool]] = _named(what, lambda: names_in(text))
    for name, is_called in found:
        if is_called and name not in ALL_FUNCTIONS and (name in moving or split_name(name).is_word):
            raise InputError(
                f"{what}: {name}( looks like a function, and {name!r} is none: {', '.join(ALL_FUNCTIONS)} are. "
                f"Coordinates are written without (t); for a product write {name}*( or leave a space before it."
            )
    return [name for name, _ in found if name not in ALL_FUNCTIONS]


def _tree(what: str, text: str, letters: Mapping[str, Symbol]) -> Node:
    tree: Node = _named(what, lambda: parse_with_functions(text, dict(letters)))
    return tree


def _element(what: str, tree: Node, vocabulary: Vocabulary) -> Scalar:
    return tidied(_named(what, lambda: element_of(tree, vocabulary)))


def _letters(coordinates: Sequence[str], let: Mapping[str, str], used: Iterable[str]) -> dict[str, Symbol]:
    """What each name means: xd and xdot are the speed of x, whatever is neither this nor a coordinate is a constant."""
    letters: dict[str, Symbol] = {}
    for name in let:
        _check_letter("let", name)
        if name in coordinates:
            raise InputError(f"let: {name!r} is a coordinate. Leave it out of one of the two.")
    moving = (*coordinates, *let)
    for name in moving:
        for written in (dotted(name, 2), dotted(name, 1), f"{name}d", f"{name}dot"):
            if written in moving:
                raise InputError(f"{written!r} is a coordinate, and how a rate of {name!r} is written. Rename one.")
            letters[written] = Symbol(name, 1)
        del letters[dotted(name, 2)]
    letters |= {name: Symbol(name) for name in moving}
    constants = sorted(set(used) - set(letters))
    for name in constants:
        owner, dots = _undotted(name)
        if dots == 2 and owner in moving:
            raise InputError(
                f"{name!r} is the acceleration of {owner!r}, which neither L nor forces have. Leave it out, or rename "
                "the constant."
            )
        if dots and (owner in constants or LETTERS.fullmatch(owner)):
            raise InputError(
                f"{name!r} would be the {'speed' if dots == 1 else 'acceleration'} of {owner!r}, which is no "
                f"coordinate. Name {owner!r} among the coordinates or in let, or rename the constant."
            )
        letters[name] = Symbol(name)
    for group in typeset_alike((*moving, *constants)):
        raise InputError(f"{' and '.join(group)} would be printed alike. Rename one of them.")
    return letters


def _undotted(name: str) -> tuple[str, int]:
    """The coordinate that a name would be a derivative of, and how many times: ("theta1", 1) of thetad1."""
    stem, index = re.fullmatch(r"(.*?)(_?\d*)", name).groups()  # type: ignore[union-attr]
    bare = re.sub(r"(d{1,2}ot|dd?)$", "", stem)
    return bare + index, (0 if bare == stem else stem.removeprefix(bare).count("d")) if bare else 0


def _role(name: str) -> Role:
    stem = split_name(name).stem
    return next((role for role, stems in ROLES.items() if stem in stems), Role.OTHER)


def _groups(angles: Iterable[Angle]) -> tuple[tuple[Angle, ...], ...]:
    """The sums of angles that occur, as those of bodies that turn about parallel axes."""
    found = tuple(angle for angle in angles if all(name[0].isalpha() for name, _ in angle))
    return (found,) if found else ()


CONSTANTS = {PI: math.pi}
"""Letters that are numbers."""
