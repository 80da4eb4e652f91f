"""The symbols of an arm as people write them: by name, by another spelling, or by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from leverarm.notation.names import split_name
from leverarm.notation.reading.as_written import Name
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.scalars.exact import free_symbol, letter
from leverarm.scalars.exact import symbol as generator
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.values import Meaning, plain, spelled

LINK_LENGTHS = ("a", "l", "L", "ell")
DISTANCES = (*LINK_LENGTHS, "r", "d", "b", "s")
INERTIAS = ("I", "J")
MASSES = ("m", "M")
_OF_CENTRE = re.compile(r"(?:c|C|g|G|cm|com|CM)(\d+)")
_OF_INERTIA = re.compile(r"(?:z|zz|c|C|G|g|cm|cz|czz|Gz)?(\d*)(?:z|zz)?")


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


def _meaning(values: ArmValues, symbol: str, said: str) -> Meaning:
    role = values.eq.notation.vocabulary.roles.get(symbol, Role.OTHER)
    what = {Role.MASS: "mass", Role.LENGTH: "length", Role.INERTIA: "moment of inertia", Role.GRAVITY: "gravity"}
    about = f"{symbol}, a {what[role]}" if role in what and role is not Role.GRAVITY else symbol
    return Meaning("symbol", about, lambda: symbol_value(values, symbol), said, bool(said))


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
            return name.letter in MASSES and index == wanted
        case Role.INERTIA:
            mine, theirs = _OF_INERTIA.fullmatch(index), _OF_INERTIA.fullmatch(wanted)
            return name.letter in INERTIAS and bool(mine and theirs and mine[1] == theirs[1])
        case Role.LENGTH:
            return _is_length(name.letter, index, wanted, _centres(values))
        case _:
            return False


def _is_length(letter: str, index: str, wanted: str, centres: set[str]) -> bool:
    centre = _OF_CENTRE.fullmatch(wanted)
    if mine := _OF_CENTRE.fullmatch(index):
        return letter in DISTANCES and centre is not None and centre[1] == mine[1]
    if letter in LINK_LENGTHS:
        return index == wanted
    if letter not in DISTANCES:
        return False
    return centre[1] == index if centre else index == wanted and f"c{index}" not in centres


def _centres(values: ArmValues) -> set[str]:
    """The indices c1, c2 of the lengths that place centres of mass."""
    return {
        plain(split_name(each).index)
        for each, role in values.eq.notation.vocabulary.roles.items()
        if role is Role.LENGTH
    }
