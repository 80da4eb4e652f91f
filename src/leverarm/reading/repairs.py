r"""Commands that lost their first letters on the way through a program: `heta` was \theta, `rac{1}{2}` was \frac{1}{2}.

A program that takes "\t", "\f", "\b", "\r", "\n", "\v" or "\a" for a control character eats it with the letter, and
"\\" for one backslash turns the end of a row into a space. Some remains can be nothing else; others (` au`) are mended
only in a text that shows the damage elsewhere, or where the control character is still there.
"""

from __future__ import annotations

import re

_SURE = {
    "heta": "theta",
    "rac": "frac",
    "egin": "begin",
    "ight": "right",
    "oldsymbol": "boldsymbol",
    "abla": "nabla",
    "lpha": "alpha",
    "ext": "text",
    "imes": "times",
    "pprox": "approx",
    "orall": "forall",
    "ec": "vec",
    "arphi": "varphi",
    "frac": "frac",
    "extbf": "textbf",
    "extrm": "textrm",
    "mathrm": "mathrm",
    "mathbf": "mathbf",
    "mathcal": "mathcal",
}
_LIKELY = {
    "au": "tau",
    "op": "top",
    "ho": "rho",
    "eta": "beta",
    "anh": "tanh",
    "an": "tan",
    "ar": "bar",
    "o": "to",
    "ightarrow": "to",
}
_BEFORE_A_BRACE = frozenset(
    ["rac", "egin", "oldsymbol", "ext", "ec", "frac", "extbf", "extrm", "ar", "mathrm", "mathbf", "mathcal"]
)
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
