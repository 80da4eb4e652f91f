r"""The LaTeX of numbers, names and their indices: \dot{\theta}_1, l_{c1}, \mathrm{mass}, \frac{1}{2}."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from leverarm.notation import tree
from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.latex_words import escaped
from leverarm.notation.names import is_running_index, split_name

DOTS = ("{}", r"\dot{{{}}}", r"\ddot{{{}}}", r"\dddot{{{}}}", r"\ddddot{{{}}}")


def number_latex(value: Fraction) -> str:
    """A number of either sign."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        digits, exponent = power
        return sign + ("" if digits == "1" else rf"{digits} \cdot ") + f"10^{{{exponent}}}"
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    return sign + (decimal_text(size) or rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


@lru_cache(maxsize=4096)
def name_latex(name: str, dots: int = 0) -> str:
    r"""A name with its index and its dots: \dot{\theta}_1, l_{c1}, \mathrm{mass}. An angle may be named by a number."""
    parts = split_name(name)
    if parts.is_greek:
        stem = f"\\{parts.stem}"
    elif parts.is_word and not parts.stem[0].isdigit():
        stem = rf"\mathrm{{{escaped(parts.stem)}}}"
    else:
        stem = escaped(parts.stem)
    dot = DOTS[dots] if dots < len(DOTS) else f"{{}}^{{{{({dots})}}}}"
    return dot.format(stem) + index_latex("_", parts.index)


def index_latex(mark: str, index: str) -> str:
    """An index below (_) or above (^)."""
    if not index:
        return ""
    body = ",".join(_index_piece(piece) for piece in index.split(","))
    return f"{mark}{body}" if len(body) == 1 else f"{mark}{{{body}}}"


def _index_piece(piece: str) -> str:
    """Words are upright, Greek letters are letters, digits, single letters and running indices stay as they are."""
    if piece.isidentifier() and split_name(piece).is_greek:
        return name_latex(piece)
    is_word = len(piece) > 2 and piece.isalpha() and not is_running_index(piece)
    return rf"\mathrm{{{escaped(piece)}}}" if is_word else escaped(piece)


def angle_latex(angle: tree.Angle) -> str:
    """A sum of whole multiples of angles."""
    text = ""
    for name, times in angle:
        sign = ("-" if times < 0 else "") if not text else (" - " if times < 0 else " + ")
        text += f"{sign}{'' if abs(times) == 1 else f'{abs(times)} '}{name_latex(name)}"
    return text or "0"
