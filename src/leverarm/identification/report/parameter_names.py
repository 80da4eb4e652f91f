"""The names of parameters as mathematics: link2.Ixx as I with index xx,2, joint3.viscous as F with index v,3."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from leverarm.notation.mathml import to_mathml
from leverarm.notation.tree import Indexed, Node, Number, Product, Symbol

LETTERS = {
    "m": ("m", ""), "hx": ("h", "x"), "hy": ("h", "y"), "hz": ("h", "z"),
    "Ixx": ("I", "xx"), "Ixy": ("I", "xy"), "Iyy": ("I", "yy"), "Ixz": ("I", "xz"), "Iyz": ("I", "yz"),
    "Izz": ("I", "zz"),
    "viscous": ("F", "v"), "viscous_negative": ("F", "v-"), "coulomb": ("F", "c"), "coulomb_negative": ("F", "c-"),
    "motor_viscous": ("F", "vm"), "motor_coulomb": ("F", "cm"), "offset": ("F", "o"), "rotor": ("J", ""),
}  # fmt: skip
"""The letter of each kind of parameter and the index that belongs to it; what it belongs to follows."""
OF_LINKS = ("m", "hx", "hy", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
DIGITS = 4
"""Significant digits of a coefficient."""
NO_BREAK = "\u00a0"
_NUMBERED = re.compile(r".*?(\d+)")

Combination = Sequence[tuple[float, str]]


@dataclass(frozen=True, slots=True)
class Indices:
    """What stands in an index for each link and each joint: its number where it has one of its own, else its name."""

    of_owner: dict[str, str]

    @staticmethod
    def among(names: Iterable[str]) -> Indices:
        """Of all links and joints that these parameters belong to."""
        owners: dict[bool, dict[str, None]] = {True: {}, False: {}}
        for name in names:
            owner, dot, what = name.rpartition(".")
            if dot:
                owners[what in OF_LINKS][owner] = None
        found: dict[str, str] = {}
        for group in owners.values():
            shown = dict(zip(group, shortened(tuple(group)), strict=True))
            numbers = {owner: match[1] for owner in group if (match := _NUMBERED.fullmatch(owner))}
            once = {owner for owner, number in numbers.items() if list(numbers.values()).count(number) == 1}
            found |= {owner: numbers[owner] if owner in once else shown[owner] for owner in group}
        return Indices(found)

    def symbol(self, name: str) -> Node:
        """The parameter as a letter with an index; as its own name where it is of no kind that is known here."""
        owner, _, what = name.rpartition(".")
        if what not in LETTERS or owner not in self.of_owner:
            return Symbol(name)
        letter, index = LETTERS[what]
        behind = self.of_owner[owner].replace("_", NO_BREAK)
        return Indexed(Symbol(letter), lower=",".join(part for part in (index, behind) if part))


def name_as_mathml(name: str, indices: Indices) -> str:
    """One parameter as a formula."""
    return to_mathml(indices.symbol(name), display="inline")


def combination_as_mathml(combination: Combination, indices: Indices) -> str:
    """A sum of parameters. Each term is a formula of its own, so that a long sum goes over several lines."""
    terms = []
    for k, (factor, name) in enumerate(combination):
        sign = "−" if factor < 0 else "+" if k else ""
        term = to_mathml(_term(abs(factor), indices.symbol(name)), display="inline")
        terms.append(f'<span class="term">{sign}{NO_BREAK if sign else ""}{term}</span>')
    return " ".join(terms)


def combination_as_text(combination: Combination) -> str:
    """A sum of parameters in one line of plain text: link2.Ixx - link2.Iyy + 0.1 link3.m."""
    text = ""
    for k, (factor, name) in enumerate(combination):
        sign = ("-" if factor < 0 else "") if not k else (" - " if factor < 0 else " + ")
        number = f"{abs(factor):.{DIGITS}g}"
        text += sign + ("" if number == "1" else f"{number} ") + name
    return text


def shortened(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the words before and behind that they all share: shoulder_pan for shoulder_pan_joint."""
    words = [name.split("_") for name in names]
    if len(names) < 2 or min(map(len, words)) < 2:
        return tuple(names)
    before = _shared(words)
    behind = _shared([each[::-1] for each in words])
    cut = [each[before : len(each) - behind] for each in words]
    shown = tuple("_".join(each) for each in cut)
    return shown if all(shown) and len(set(shown)) == len(shown) else tuple(names)


def _shared(words: list[list[str]]) -> int:
    """How many words all lists begin with."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))


def _term(factor: float, symbol: Node) -> Node:
    number = Fraction(f"{factor:.{DIGITS}g}") if math.isfinite(factor) else Fraction(0)
    return symbol if number == 1 else Product((Number(number), symbol))
