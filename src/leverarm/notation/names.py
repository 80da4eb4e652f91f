"""Names of symbols: how an ASCII name is typeset, and which symbol of the exact ring a written name stands for.

theta1 is a Greek letter with an index, lc1 an l with index c1, mass a word. In plain text the velocity of theta1 is
thetad1 and its acceleration thetadd1; the ring calls them theta1.d and theta1.dd.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from leverarm.errors import ExpressionError
from leverarm.notation.tree import Angle, Symbol
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.scalars.exact import Generator, Ring

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω", "cdots": "⋯",
}  # fmt: skip
"""Greek letters that do not look like Latin ones, and the dots between factors, by their LaTeX names."""

LETTER_WIDTHS = {
    "m": 0.88, "M": 0.97, "W": 0.94, "w": 0.72, "i": 0.35, "j": 0.41, "l": 0.3, "t": 0.36, "f": 0.49, "r": 0.45,
}  # fmt: skip
"""Widths of the italic letters that are not about 0.55 em wide [em]."""

_LONGEST_FIRST = sorted(GREEK, key=len, reverse=True)
_GREEK = re.compile(rf"({'|'.join(_LONGEST_FIRST)})([a-zA-Z]?\d*|\d\w*)")
_LETTER = re.compile(r"([A-Za-z])([A-Za-z]?|[xyz]{2,3}|c[xyz])(\d\w*)?")
_INERTIA = re.compile(r"([IJ])([a-z]{2})(\d\w*)?")
_WORD = re.compile(r"([A-Za-z]+)(\d\w*)?")
_TRAILING_INDEX = re.compile(r"_?\d+$")


@dataclass(frozen=True, slots=True)
class NameParts:
    """A name split into its stem and the index below it ("" where there is none).

    The stem is a Greek word, one letter, or a word to be set upright.
    """

    stem: str
    index: str

    @property
    def is_greek(self) -> bool:
        """Whether the stem spells a Greek letter."""
        return self.stem in GREEK

    @property
    def is_word(self) -> bool:
        """Whether the stem is a word, to be set upright and apart from its neighbours."""
        return len(self.stem) > 1 and not self.is_greek


@lru_cache(maxsize=4096)
def split_name(name: str) -> NameParts:
    """The stem and the index of a name.

    theta1 -> theta, 1; lc1 -> l, c1; Ixx2 -> I, xx2; m_load -> m, load; mass -> mass; L1_2 -> L, 1,2.
    """
    head, *rest = [part for part in name.split("_") if part] or [name]
    stem, index = _split_head(head)
    return NameParts(stem, ",".join(part for part in (index, *rest) if part))


def _split_head(head: str) -> tuple[str, str]:
    greek = _GREEK.fullmatch(head)
    if greek and (len(greek[1]) > 2 or not greek[2][:1].islower()):  # pin is a word, not pi with an index
        return greek[1], greek[2]
    if match := _LETTER.fullmatch(head) or _INERTIA.fullmatch(head):
        return match[1], match[2] + (match[3] or "")
    if match := _WORD.fullmatch(head):
        return match[1], match[2] or ""
    return head, ""


def is_running_index(text: str) -> bool:
    """Whether an index is a running one: i, jk, ijk."""
    return set(text) <= set("ijk")


def dotted(name: str, dots: int) -> str:
    """The ASCII name of a time derivative: d's before the number. theta1 -> thetad1, r -> rd, q1 twice -> qdd1."""
    if not dots:
        return name
    match = _TRAILING_INDEX.search(name)
    cut = match.start() if match and match.start() else len(name)
    return name[:cut] + "d" * dots + name[cut:]


def python_name(name: str, dots: int = 0) -> str:
    """The identifier of a symbol in code: thetad1 for a speed, lambda_ where Python has the word.

    lambda_ is then lambda__, so that no two symbols have the same.
    """
    identifier = dotted(name, dots)
    if not identifier.isidentifier() or not identifier.isascii():
        raise ExpressionError(f"{name!r} is no name for code. Use letters, digits and _, not starting with a digit.")
    return f"{identifier}_" if keyword.iskeyword(identifier.rstrip("_")) else identifier


def constant_angle(name: str) -> float | None:
    """The value of a constant angle, which is named by its radians, "0.3"; None for the name of a variable."""
    return float(name) if name[:1].isdigit() else None


def signed_multiples(angle: Angle) -> list[tuple[bool, int, str]]:
    """For each angle of a sum, whether it is subtracted, how many times, and its name."""
    return [(times < 0, abs(times), name) for name, times in angle]


def short_index(angle: Angle, writing: Writing) -> str | None:
    """The digits of a short cosine or sine, "12" for theta1 + theta2; None where the angle must be written out.

    Short is a sum that holds each numbered angle once, in order, with one digit for each.
    """
    digits = [writing.index.get(name, "") if times == 1 else "" for name, times in angle]
    if writing.angles != "short" or not digits or any(len(digit) != 1 or not digit.isdigit() for digit in digits):
        return None
    return "".join(digits) if all(a < b for a, b in pairwise(digits)) else None


FUNCTIONS = ("cos", "sin", "sgn", "tanh", "sqrt")
FURTHER_FUNCTIONS = ("sqrt", "exp", "log", "tan", "sinh", "cosh", "asin", "acos", "atan")
"""Functions of formulas that only systems of one's own have; sqrt of numbers is everyone's."""
ORDERS = range(3)
"""Orders of time derivative of a coordinate: position, velocity, acceleration."""


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
    """The arm's own name of each written coordinate."""
    return {vocabulary.printed.get(name, name): name for name in vocabulary.coordinates}


def own_names(vocabulary: Vocabulary) -> dict[str, str]:
    """The arm's own name for each name that is written differently."""
    return {printed: name for name, printed in vocabulary.printed.items()} | coordinate_names(vocabulary)


def written_symbols(vocabulary: Vocabulary, ring: Ring | None = None) -> dict[str, Symbol]:
    """What a name in a text may stand for: coordinates, their velocities and accelerations, symbols of arm and ring.

    Coordinates take precedence over symbols written alike. The arm's own names of its coordinates are accepted too.
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
    """The angles in a short cosine or sine: c12 -> (theta1, theta2). None for other names."""
    digits = name[1:]
    if writing.angles != "short" or name[:1] not in ("c", "s") or not digits.isdigit():
        return None
    angles = {digit: angle for angle, digit in writing.index.items()}
    in_order = all(a < b for a, b in pairwise(digits))
    return tuple(angles[digit] for digit in digits) if in_order and all(digit in angles for digit in digits) else None
