"""Pieces of MathML with an estimated width: letters, numbers, operators, rows, scripts, fences.

Every text that comes from outside passes through `escape` here and nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.names import GREEK, LETTER_WIDTHS, is_running_index, split_name
from leverarm.notation.unicode_names import MINUS

INVISIBLE_TIMES, APPLY = "<mo>&#x2062;</mo>", "<mo>&#x2061;</mo>"
ACCENTS = ("", "˙", "¨", "\u20db", "\u20dc")
"""Marks above a letter: one to four dots."""
DOTTED, LETTER_HEIGHT = '<mover accent="true">', "0.7em"
"""A letter with dots above; an exponent stands beside the letter, not above the dots (TeXbook, appendix G, rule 12)."""
BRACE = "border-bottom: 0.08em solid; border-radius: 0 0 0.6em 0.6em; padding-bottom: 0.2em"
_UPRIGHT = {character for name, character in GREEK.items() if name[0].isupper()}
_SCRIPT = 0.71
_WORD_OR_NUMBER = re.compile(r"[A-Za-z]+|\d+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Markup:
    """MathML of one element or several in a row, its estimated width [em], and whether brackets around it must grow."""

    text: str
    width: float
    is_tall: bool = False


NOTHING = Markup("", 0.0)


def row(*pieces: Markup) -> Markup:
    """Pieces beside each other, not grouped."""
    return Markup(
        "".join(piece.text for piece in pieces),
        sum(piece.width for piece in pieces),
        any(piece.is_tall for piece in pieces),
    )


def grouped(piece: Markup) -> str:
    """The piece as one element, as scripts and fractions need their parts."""
    return f"<mrow>{piece.text}</mrow>"


def letter(text: str) -> Markup:
    """A letter, in italics, or a word, upright. Greek capitals are upright as in TeX."""
    variant = ' mathvariant="normal"' if text in _UPRIGHT else ""
    width = sum(LETTER_WIDTHS.get(c, 0.72 if c.isupper() else 0.55) for c in text)
    return Markup(f"<mi{variant}>{escape(text)}</mi>", width)


def upright(text: str) -> Markup:
    """A letter that is not in italics."""
    return Markup(f'<mi mathvariant="normal">{escape(text)}</mi>', 0.6 * len(text))


def words(text: str) -> Markup:
    """Text, not mathematics."""
    return Markup(f"<mtext>{escape(text)}</mtext>", 0.5 * len(text))


def whole_number(text: str) -> Markup:
    """Digits."""
    return Markup(f"<mn>{escape(text)}</mn>", 0.5 * len(text))


def number(value: Fraction, is_decimal: bool = False) -> Markup:
    """A number that is not negative."""
    if power := power_of_ten(value):
        digits, exponent = power
        raised = scripted(whole_number("10"), upper=whole_number(str(exponent).replace("-", MINUS)))
        return raised if digits == "1" else row(whole_number(digits), infix("·"), raised)
    if value.denominator == 1:
        return whole_number(str(value.numerator))
    if decimal := decimal_text(value, is_decimal):
        return whole_number(decimal)
    return fraction(whole_number(str(value.numerator)), whole_number(str(value.denominator)))


def infix(sign: str) -> Markup:
    """A sign between two formulas, with the space it has there even at the start of a line."""
    return Markup(f'<mo form="infix">{escape(sign)}</mo>', 1.25)


def space(width: float) -> Markup:
    """Empty space [em]."""
    return Markup(f'<mspace width="{width:g}em"></mspace>', width)


MINUS_IN_FRONT = Markup(f'<mo form="prefix">{MINUS}</mo>', 0.8)
THIN_SPACE = space(0.17)


def fence(character: str, form: str, grows: str = "false") -> Markup:
    """One bracket; `grows` is "true" where it must be as tall as what it encloses."""
    return Markup(f'<mo form="{form}" stretchy="{grows}">{character}</mo>', 0.4)


def fenced(inside: Markup, opening: str = "(", closing: str = ")") -> Markup:
    """In brackets, which grow only around what is taller than a line."""
    grows = "true" if inside.is_tall else "false"
    whole = row(fence(opening, "prefix", grows), inside, fence(closing, "postfix", grows))
    return Markup(grouped(whole), whole.width, whole.is_tall)


def fraction(above: Markup, below: Markup) -> Markup:
    """One over the other."""
    return Markup(
        f"<mfrac>{grouped(above)}{grouped(below)}</mfrac>", max(above.width, below.width) + 0.25, is_tall=True
    )


def scripted(base: Markup, lower: Markup = NOTHING, upper: Markup = NOTHING) -> Markup:
    """The base with what stands below and above at its right."""
    if not lower.text and not upper.text:
        return base
    if upper.text and DOTTED in base.text and not base.is_tall:
        base = Markup(f'<mpadded height="{LETTER_HEIGHT}">{base.text}</mpadded>', base.width)
    scripts = [grouped(script) for script in (lower, upper) if script.text]
    tag = "msubsup" if len(scripts) == 2 else "msub" if lower.text else "msup"
    width = base.width + _SCRIPT * max(lower.width, upper.width) + 0.05
    return Markup(f"<{tag}>{grouped(base)}{''.join(scripts)}</{tag}>", width, base.is_tall or upper.is_tall)


def limits(operator: str, lower: Markup, upper: Markup) -> Markup:
    """A large operator, such as a sum, with its limits below and above."""
    sign = f'<mo largeop="true" movablelimits="false">{operator}</mo>'
    parts = [grouped(part) for part in (lower, upper) if part.text]
    tag = "munderover" if len(parts) == 2 else "munder" if lower.text else "mover" if parts else "mrow"
    width = max(1.6, _SCRIPT * lower.width, _SCRIPT * upper.width)
    return Markup(f"<{tag}>{sign}{''.join(parts)}</{tag}>", width, is_tall=True)


def braced(inside: Markup, label: str) -> Markup:
    """Over a brace with a word beneath. The brace is a curved border: browsers stretch ⏟ over a part of it only."""
    name = words(label)
    body = f'<mrow style="{BRACE}">{inside.text}</mrow>'
    return Markup(f"<munder>{body}{name.text}</munder>", max(inside.width, _SCRIPT * name.width), is_tall=True)


def stem(name: str, dots: int = 0) -> Markup:
    """The letter or word of a name, with dots above."""
    base = letter(GREEK.get(name, name))
    if not dots:
        return base
    if dots >= len(ACCENTS):
        return scripted(base, upper=Markup(f"<mrow><mo>(</mo><mn>{dots}</mn><mo>)</mo></mrow>", 1.3))
    dot = f'<mo stretchy="false">{ACCENTS[dots]}</mo>'
    return Markup(f"{DOTTED}{base.text}{dot}</mover>", base.width)


def index(text: str) -> Markup:
    """An index: letters, digits, signs; Greek words are letters, longer words upright."""
    pieces = []
    for piece in _WORD_OR_NUMBER.findall(text):
        if piece.isdigit():
            pieces.append(whole_number(piece))
        elif not piece.isalpha() or not piece.isascii():
            sign = MINUS if piece == "-" else piece
            pieces.append(Markup(f'<mo lspace="0" rspace="0">{escape(sign)}</mo>', 0.5))
        elif split_name(piece).is_greek or (len(piece) > 2 and not is_running_index(piece)):
            pieces.append(letter(GREEK.get(piece, piece)))
        else:
            pieces.append(row(*(letter(character) for character in piece)))
    return row(*pieces)
