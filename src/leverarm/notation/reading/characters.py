"""Characters beyond ASCII words (signs, Greek and dotted letters, subscripts, superscripts), and damaged commands.

Damaged are commands that lost their first letters in some program: `heta` was \theta, `rac{1}{2}` was \frac{1}{2}.

A program that takes "\t", "\f", "\b", "\r", "\n", "\v" or "\a" for a control character eats it with the letter, and
"\\" for one backslash turns the end of a row into a space. Some remains can be nothing else; others (` au`) are mended
only in a text that shows the damage elsewhere, or where the control character is still there.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from leverarm.notation.reading.keywords import GREEK, table, words

SOLVE = "\u29f5"
r"""The sign of Matlab's M\b, as a program's text has it."""
SIGNS = {
    **dict.fromkeys("\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d", "-"),
    **dict.fromkeys("\u00b7\u22c5\u2219\u2022\u2027\u30fb", "cdot"),
    **dict.fromkeys("\u00d7\u2a2f\u2a09", "times"),
    **dict.fromkeys("\u2217\u2731\uff0a@", "*"),
    **dict.fromkeys("\u00f7\u2215\u2044", "/"),
    **dict.fromkeys("\u2032\u2019\u02b9'", "'"),
    **dict.fromkeys("\u2261\u225c\u2254\uff1d", "="),
    **dict.fromkeys("\u2264\u2265\u2248\u2260\u2208\u2209\u2192\u2200\u2203\u227d\u227b\u221d\u2245<>", "relation"),
    **dict.fromkeys("\u21d2\u21d4\u2234", "implies"),
    **dict.fromkeys("\u2026\u22ef\u22ee\u22f1", "omission"),
    **dict.fromkeys("\u2211\u03a3", "sum"),
    "\uff0b": "+",
    SOLVE: "solve",
    "\u00b0": "degree",
    "\u2202": "partial",
    "\u221a": "root",
    "\u22a4": "top",
    "~": "gap",
    "|": "bar",
    **{sign: sign for sign in "+-*/^_=,;:!&.{}"},
}
"""Characters that are signs, and the kind of the sign."""
HALVES = {
    c: str(Fraction(unicodedata.numeric(c)).limit_denominator(8)) for c in "\u00bd\u00bc\u00be\u2153\u2154\u215b\u2155"
}
"""Characters that are fractions."""
MARKS = {
    "\u0307": "dot", "\u0308": "ddot", "\u20db": "dddot", "\u20d7": "vec", "\u0302": "hat", "\u0304": "bar",
    "\u0303": "tilde",
}  # fmt: skip
"""Combining characters over the letter before them."""
UNSEEN = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\ufe0e\ufe0f`\u00ad")
_SCRIPT_CAPITALS = dict(zip("\u2112\u210b\u2110\u2133\u2130\u2131\u211b\u212c", "LHIMEFRB", strict=True))


@lru_cache(maxsize=4096)
def letter_of(character: str) -> tuple[str, tuple[str, ...]]:
    """The ASCII word for a letter, and the marks on it: ("theta", ()), ("x", ("ddot",)); ("", ()) for no letter."""
    if character in _SCRIPT_CAPITALS:
        return _SCRIPT_CAPITALS[character], ("mathcal",)
    if character == "\u2113":
        return "ell", ()
    plain = unicodedata.normalize("NFKD", character)
    base, marks = plain[0], plain[1:]
    if base.isascii() and base.isalpha():
        known = all(mark in MARKS for mark in marks)
        return (base, tuple(MARKS[mark] for mark in marks)) if known else ("", ())
    return ("", ()) if marks else (_greek(base), ())


def _greek(character: str) -> str:
    alphabet, _, rest = unicodedata.name(character, "").partition(" ")
    size, _, rest = rest.partition(" LETTER ")
    word = rest.lower().replace("lamda", "lambda").removeprefix("final ")
    if alphabet != "GREEK" or word not in GREEK:
        return ""
    return {"SMALL": word, "CAPITAL": word.capitalize()}.get(size, "")


@lru_cache(maxsize=4096)
def script_of(character: str) -> tuple[str, str]:
    """What a small lowered or raised character is: ("lower", "1"), ("raised", "2"); ("", "") for any other."""
    kind, _, plain = unicodedata.decomposition(character).partition(" ")
    side = {"<sub>": "lower", "<super>": "raised"}.get(kind, "")
    text = chr(int(plain, 16)) if side and " " not in plain else ""
    text = "-" if text == "\u2212" else text
    text = text if text.isascii() else letter_of(text)[0]
    return (side, text) if side and text else ("", "")


_SURE = table(
    "heta:theta rac:frac egin:begin ight:right oldsymbol:boldsymbol abla:nabla lpha:alpha ext:text imes:times "
    "pprox:approx orall:forall ec:vec arphi:varphi frac extbf:textbf extrm:textrm mathrm mathbf mathcal"
)
_LIKELY = table("au:tau op:top ho:rho eta:beta anh:tanh an:tan ar:bar o:to ightarrow:to")
_BEFORE_A_BRACE = words("rac egin oldsymbol ext ec frac extbf extrm ar mathrm mathbf mathcal")
_DELIMITER = r"(?=\s*(?:[)\]|./}>]|\\[}|]|\\r))"


def _word(word: str) -> str:
    if word in _BEFORE_A_BRACE:
        return word + r"(?=\s*\{)"
    if word == "ight":
        return word + _DELIMITER
    if word == "o":
        return word + r"(?=\s*\\infty)"
    if word == "op":
        return r"(?<=[\^{ ])" + word + r"(?![A-Za-z])"
    return word + r"(?![A-Za-z])"


def _pattern(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(
        r"(?<![A-Za-z\\])(" + "|".join(_word(word) for word in sorted(words, key=len, reverse=True)) + ")"
    )


_SURE_PATTERN = _pattern(_SURE)
_ANY_PATTERN = _pattern(_SURE | _LIKELY)
_DAMAGE = re.compile(r"(?<![A-Za-z\\])(?:heta(?![A-Za-z])|(?:rac|egin|oldsymbol)\s*\{|ight" + _DELIMITER + ")")
_CONTROL = frozenset("\t\b\f\v\a")


def is_damaged(text: str) -> bool:
    """Whether a text shows, somewhere, commands without their first characters."""
    return _DAMAGE.search(text) is not None


def lost_command(text: str, at: int, damaged: bool) -> tuple[str, int] | None:
    """The command whose remains begin at a place, and where they end."""
    control = at > 0 and text[at - 1] in _CONTROL
    found = (_ANY_PATTERN if damaged or control else _SURE_PATTERN).match(text, at)
    if found is None:
        return None
    word = found.group(1)
    return _SURE.get(word) or _LIKELY[word], found.end(1)
