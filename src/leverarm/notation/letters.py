"""Which letter of the exact ring a written name stands for: thetad1 for theta1.d, q1 for the coordinate joint1."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from leverarm.notation.names import dotted
from leverarm.notation.tree import Symbol
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.scalars.exact import Generator, Ring

FUNCTIONS = ("cos", "sin", "sgn", "tanh", "sqrt")
ORDERS = range(3)
"""Of the time derivatives of a coordinate: itself, its speed, its acceleration."""


def split_dots(name: str) -> tuple[str, int]:
    """A name of the ring as the quantity and how often it is differentiated in time: "q1.dd" as ("q1", 2)."""
    base, point, suffix = name.rpartition(".")
    if point and suffix and set(suffix) == {"d"}:
        return base, len(suffix)
    return name, 0


def ring_name(symbol: Symbol, own_names: Mapping[str, str]) -> str:
    """The ring's name of a written symbol, given the `own_names` of the arm."""
    return own_names.get(symbol.name, symbol.name) + ("." + "d" * symbol.dots if symbol.dots else "")


def coordinate_names(vocabulary: Vocabulary) -> dict[str, str]:
    """For each written coordinate its name in the arm."""
    return {vocabulary.printed.get(name, name): name for name in vocabulary.coordinates}


def own_names(vocabulary: Vocabulary) -> dict[str, str]:
    """For each name that is written otherwise than the arm has it, the arm's own."""
    return {printed: name for name, printed in vocabulary.printed.items()} | coordinate_names(vocabulary)


def written_symbols(vocabulary: Vocabulary, ring: Ring | None = None) -> dict[str, Symbol]:
    """Everything a name in a text may stand for: coordinates, their speeds and accelerations, symbols of arm and ring.

    Coordinates win where a symbol is written alike. The arm's own names of its coordinates are read too.
    """
    known: dict[str, Symbol] = {}
    for printed in coordinate_names(vocabulary):
        known |= {dotted(printed, dots): Symbol(printed, dots) for dots in ORDERS}
    letters = [generator.name for generator in ring.generators if type(generator) is Generator] if ring else []
    for name in (*vocabulary.roles, *letters):
        stem, dots = split_dots(name)
        printed = vocabulary.printed.get(stem, stem)
        known.setdefault(dotted(printed, dots), Symbol(printed, dots))
    for printed, name in coordinate_names(vocabulary).items():
        for dots in ORDERS:
            known.setdefault(dotted(name, dots), Symbol(printed, dots))
    return known


def short_angles(name: str, writing: Writing) -> tuple[str, ...] | None:
    """The written angles whose sum a short cosine or sine is of: c12 -> (theta1, theta2). None of other names."""
    digits = name[1:]
    if writing.angles != "short" or name[:1] not in ("c", "s") or not digits.isdigit():
        return None
    angles = {digit: angle for angle, digit in writing.index.items()}
    in_order = all(a < b for a, b in pairwise(digits))
    return tuple(angles[digit] for digit in digits) if in_order and all(digit in angles for digit in digits) else None
