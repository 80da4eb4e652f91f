"""Names and numbers in Unicode: Greek letters, dots above, subscripts and superscripts, fractions."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.names import GREEK, split_name

RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "=>": "⇒", "~": "≈"}
SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)) | {",": ","}
DIGITS = "0123456789"
SUPERSCRIPTS = dict(
    zip("0123456789+-=()abcdefghijklmnoprstuvwxyzTVRM", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀⱽᴿᴹ", strict=True)
)
DOTS = ("", "\u0307", "\u0308", "\u20db", "\u20dc")
"""Combining marks for one to four dots above."""
VULGAR = {Fraction(unicodedata.numeric(c)).limit_denominator(8): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
MINUS = "\u2212"


def display_width(text: str) -> int:
    """The width of a text in terminal columns: combining marks take none."""
    return sum(unicodedata.category(character) not in ("Mn", "Me", "Cf") for character in text)


def dotted(letters: str, dots: int) -> str:
    """The letters with dots above the first one; beyond four dots, with primes behind."""
    if dots >= len(DOTS):
        return letters + "′" * dots
    return letters[:1] + DOTS[dots] + letters[1:]


def subscripted(text: str) -> str:
    """The text as a subscript, or behind a _ where Unicode lacks one of its characters (c, y, z, capitals)."""
    if all(character in SUBSCRIPTS for character in text):
        return "".join(SUBSCRIPTS[character] for character in text)
    return "_" + text


def lowered_index(text: str) -> str:
    """An index of several letters as a subscript; a Greek name in front is a letter: omega1 as _ω1."""
    parts = split_name(text)
    return subscripted(GREEK[parts.stem] + parts.index if parts.is_greek else text)


def superscripted(text: str) -> str:
    """The text as a superscript, or behind a ^ where Unicode lacks one of its characters."""
    if all(character in SUPERSCRIPTS for character in text):
        return "".join(SUPERSCRIPTS[character] for character in text)
    return "^" + text


def name_index(text: str) -> str:
    """The index of a name: digits as subscripts, one or two letters on the line (lc₁, Ixx₂), a word behind a _.

    Unicode has a subscript x but no y or z: with it, Ixx and Iyy would look different.
    """
    behind = "_" if len(text.rstrip(DIGITS)) > 2 else ""
    return behind + "".join(SUBSCRIPTS[character] if character in DIGITS else character for character in text)


def symbol_text(name: str, dots: int) -> str:
    """A name with its Greek letter, dots and index: θ̇₁, lc₁, τ."""
    parts = split_name(name)
    behind = "_" if "_" in name and parts.index.isalpha() and len(parts.index) < 3 else ""  # a_g is not a times g
    return dotted(GREEK.get(parts.stem, parts.stem), dots) + behind + name_index(parts.index)


def decimal_unicode(digits: str, unit: str) -> str:
    """A decimal number with its unit, as one line."""
    mantissa, _, exponent = digits.replace("-", MINUS).partition("e")
    number = f"{mantissa}·10{superscripted(str(int(exponent.replace(MINUS, '-'))))}" if exponent else mantissa
    return f"{number} {unit.replace('^2', '²')}".rstrip()


def number_text(value: Fraction, is_decimal: bool = False) -> str:
    """A number of either sign, as one line: 2, −3, ½, ⁵⁄₁₂, 9.81."""
    sign, size = (MINUS if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        digits, exponent = power
        return sign + ("" if digits == "1" else f"{digits}·") + "10" + superscripted(str(exponent))
    if size.denominator == 1:
        return sign + str(size.numerator)
    above, below = str(size.numerator), str(size.denominator)
    slashed = f"{superscripted(above)}⁄{subscripted(below)}"
    return sign + (decimal_text(size, is_decimal) or VULGAR.get(size) or slashed)
