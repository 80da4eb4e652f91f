r"""LaTeX of numbers, names and words: \dot{\theta}_1, l_{c1}, \mathrm{mass}, \frac{1}{2}.

Special characters are escaped; accents and Greek letters are spelled in what plain pdflatex knows.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from functools import lru_cache

from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.names import GREEK, is_running_index, signed_multiples, split_name
from leverarm.notation.text import multiple, signed_sum
from leverarm.notation.vocabulary import Angle
from leverarm.scalars.exact import HALF

SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}", "|": r"\ensuremath{|}", '"': "''", "\n": " ", "\t": " ",
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "\N{NO-BREAK SPACE}": "~",
    "ß": r"{\ss}", "ø": r"{\o}", "Ø": r"{\O}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}",
    "ł": r"{\l}", "Ł": r"{\L}", "ı": r"{\i}",
}  # fmt: skip
MATHS = {
    "−": "-", "×": r"\times", "·": r"\cdot", "→": r"\to", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx",
    "±": r"\pm", "°": r"{}^\circ", "²": "^2", "³": "^3", "∂": r"\partial", "Σ": r"\Sigma", "√": r"\surd",
    "ᵀ": r"{}^\top", "½": r"\tfrac{1}{2}", "∞": r"\infty", "✓": r"\surd",
}  # fmt: skip
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c", "\u0328": "k", "\u0323": "d",
}  # fmt: skip
IN_MATHS = {
    "\\": r"\backslash ", "~": r"\sim ", "^": r"\hat{\ }", "`": r"\grave{\ }", "*": r"\ast ", "|": r"\vert ",
    " ": r"\ ", "<": "{<}", "&": r"\&{}", "∞": r"\infty ",
}  # fmt: skip
"""Characters of a name in mathematics; < and & so that HTML sees neither a tag nor an entity."""
ACCENTS_IN_MATHS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0306": "breve",
    "\u0307": "dot", "\u0308": "ddot", "\u030a": "mathring", "\u030c": "check",
}  # fmt: skip


def latex_words(text: str) -> str:
    """Text outside mathematics. A character that plain LaTeX does not know is given by its code, [U+4E2D]."""
    return "".join(map(_letter, unicodedata.normalize("NFC", text)))


def escaped(text: str) -> str:
    """Text inside mathematics, harmless both to LaTeX and to a page of HTML around it."""
    return "".join(map(_letter_in_maths, unicodedata.normalize("NFC", text)))


def _letter(c: str) -> str:
    if c in MATHS:
        return rf"\ensuremath{{{MATHS[c]}}}"
    known = _known(c, SPECIAL, "#$%&_{}", ACCENTS)
    greek = _greek_word(c)
    return known if known is not None else rf"\ensuremath{{\{greek}}}" if greek else f"[U+{ord(c):04X}]"


def _letter_in_maths(c: str) -> str:
    known = _known(c, IN_MATHS, "#$%_{}", ACCENTS_IN_MATHS)
    greek = _greek_word(c)
    return known if known is not None else f"\\{greek} " if greek else f"[U{{+}}{ord(c):04X}]"


def _known(c: str, special: dict[str, str], backslashed: str, accents: dict[str, str]) -> str | None:
    """A special character, an ASCII one, or an ASCII letter under accents; None for any other."""
    if c in special:
        return special[c]
    if c in backslashed:
        return f"\\{c}"
    if c.isascii():
        return c if c.isprintable() else ""
    apart = unicodedata.normalize("NFD", c)
    base, marks = apart[0], apart[1:]
    if not base.isascii() or not marks or any(mark not in accents for mark in marks):
        return None
    for mark in marks:
        base = rf"\{accents[mark]}{{{base}}}"
    return base


def _greek_word(c: str) -> str:
    """The LaTeX name of a Greek letter without accents; empty for any other character."""
    _, _, name = unicodedata.name(c, "").partition("GREEK SMALL LETTER ")
    _, _, capital = unicodedata.name(c, "").partition("GREEK CAPITAL LETTER ")
    word = (name.lower() or capital.capitalize()).replace("lamda", "lambda").replace("Lamda", "Lambda")
    return word if word in GREEK else ""


DOTS = ("{}", r"\dot{{{}}}", r"\ddot{{{}}}", r"\dddot{{{}}}", r"\ddddot{{{}}}")


def number_latex(value: Fraction, is_decimal: bool = False) -> str:
    """A number of either sign."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        digits, exponent = power
        return sign + ("" if digits == "1" else rf"{digits} \cdot ") + f"10^{{{exponent}}}"
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    return sign + (decimal_text(size, is_decimal) or rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


def decimal_latex(digits: str, unit: str) -> str:
    """A decimal number with its unit, which is upright."""
    mantissa, _, exponent = digits.partition("e")
    number = rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
    upright = unit.replace(" ", r"\,")
    return rf"{number}\ \mathrm{{{upright}}}" if unit else number


@lru_cache(maxsize=4096)
def name_latex(name: str, dots: int = 0) -> str:
    r"""A name with its index and its dots: \dot{\theta}_1, l_{c1}, \mathrm{mass}. An angle may be named by a number."""
    if name.endswith(HALF):
        return f"{name_latex(name.removesuffix(HALF))}{HALF}"
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


def angle_latex(angle: Angle) -> str:
    """A sum of whole multiples of angles."""
    multiples = signed_multiples(angle)
    return signed_sum((is_minus, multiple(k, name, r" \cdot ") + name_latex(name)) for is_minus, k, name in multiples)
