"""Words for LaTeX: special characters escaped, accents and Greek letters spelled with what plain pdflatex knows."""

from __future__ import annotations

import unicodedata

from leverarm.notation.names import GREEK

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


def latex_words(text: str) -> str:
    """The text outside mathematics. A character that plain LaTeX has no sign for is given by its code, [U+4E2D]."""
    return "".join(_letter(c) for c in unicodedata.normalize("NFC", text))


def _letter(c: str) -> str:
    if c in SPECIAL:
        return SPECIAL[c]
    if c in "#$%&_{}":
        return f"\\{c}"
    if c.isascii():
        return c if c.isprintable() else ""
    if c in MATHS:
        return rf"\ensuremath{{{MATHS[c]}}}"
    apart = unicodedata.normalize("NFD", c)
    base, marks = apart[0], apart[1:]
    if base.isascii() and all(mark in ACCENTS for mark in marks) and marks:
        for mark in marks:
            base = rf"\{ACCENTS[mark]}{{{base}}}"
        return base
    return _greek(c) or f"[U+{ord(c):04X}]"


def _greek(c: str) -> str:
    """\\theta of a Greek letter without accents; empty for any other character."""
    _, _, name = unicodedata.name(c, "").partition("GREEK SMALL LETTER ")
    _, _, capital = unicodedata.name(c, "").partition("GREEK CAPITAL LETTER ")
    word = (name.lower() or capital.capitalize()).replace("lamda", "lambda").replace("Lamda", "Lambda")
    return rf"\ensuremath{{\{word}}}" if word in GREEK else ""
