"""The Unicode characters of a name: Greek letters, dots above, subscripts and superscripts, fractions."""

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
VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(2, 5): "⅖",
    Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}
MINUS = "\u2212"


def display_width(text: str) -> int:
    """Columns a text takes in a terminal: combining marks take none."""
    return sum(unicodedata.category(character) not in ("Mn", "Me", "Cf") for character in text)


def dotted(letters: str, dots: int) -> str:
    """The letters with dots above the first one; beyond four dots, with primes behind."""
    if dots >= len(DOTS):
        return letters + "′" * dots
    return letters[:1] + DOTS[dots] + letters[1:]


def subscripted(text: str) -> str:
    """The text below the line, or behind a _ where Unicode lacks one of its characters (c, y, z, capitals)."""
    if all(character in SUBSCRIPTS for character in text):
        return "".join(SUBSCRIPTS[character] for character in text)
    return "_" + text


def superscripted(text: str) -> str:
    """The text above the line, or behind a ^ where Unicode lacks one of its characters."""
    if all(character in SUPERSCRIPTS for character in text):
        return "".join(SUPERSCRIPTS[character] for character in text)
    return "^" + text


def name_index(text: str) -> str:
    """The index of a name: its digits are lowered, a few letters stay on the line (lc₁, Ixx₂, Izz₂), a word has a _.

    Lowering the letters that Unicode has (x, but not y or z) would write Ixx and Iyy in two ways.
    """
    behind = "_" if len(text.rstrip(DIGITS)) > 2 else ""
    return behind + "".join(SUBSCRIPTS[character] if character in DIGITS else character for character in text)


def symbol_text(name: str, dots: int) -> str:
    """A name with its Greek letter, dots and index: θ̇₁, lc₁, τ."""
    parts = split_name(name)
    behind = "_" if "_" in name and parts.index.isalpha() and len(parts.index) < 3 else ""  # a_g is not a times g
    return dotted(GREEK.get(parts.stem, parts.stem), dots) + behind + name_index(parts.index)


def number_text(value: Fraction) -> str:
    """A number of either sign, as one line: 2, −3, ½, ⁵⁄₁₂, 9.81."""
    sign, size = (MINUS if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        digits, exponent = power
        return sign + ("" if digits == "1" else f"{digits}·") + "10" + superscripted(str(exponent))
    if size.denominator == 1:
        return sign + str(size.numerator)
    above, below = str(size.numerator), str(size.denominator)
    slashed = f"{superscripted(above)}⁄{subscripted(below)}"
    return sign + (decimal_text(size) or VULGAR.get(size) or slashed)
