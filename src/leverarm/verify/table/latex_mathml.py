"""The LaTeX of the table's statements as MathML: letters, scripts, dots, norms, relations, sums and integrals.

A command that is not listed here is set as a word, so no formula can break a page. `notation` typesets formula trees;
these statements hold inequalities, norms and words, which the trees have no nodes for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from leverarm.notation.mathml_markup import (
    NOTHING,
    THIN_SPACE,
    Markup,
    fence,
    infix,
    letter,
    limits,
    row,
    scripted,
    space,
    stem,
    upright,
    whole_number,
    words,
)
from leverarm.notation.names import GREEK

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
RELATIONS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "equiv": "≡", "to": "→", "in": "∈",
    "preceq": "⪯", "succeq": "⪰", "succ": "≻", "prec": "≺", "approx": "≈", "cdot": "·", "times": "×", "pm": "±",
    "Rightarrow": "⇒", "implies": "⇒", "iff": "⇔", "mapsto": "↦",
}  # fmt: skip
SYMBOLS = {
    "infty": "∞", "partial": "∂", "forall": "∀", "ldots": "…", "dots": "…", "cdots": "⋯", "circ": "∘", "top": "⊤",
    "varphi": "φ", "varepsilon": "ε", "ell": "ℓ", "{": "{", "}": "}", "%": "%", "_": "_", "&": "&", "#": "#",
}  # fmt: skip
LARGE = {"int": "∫", "sum": "∑"}
SPACES = {"quad": 1.0, "qquad": 2.0, ",": 0.17, ";": 0.28, ":": 0.22, " ": 0.25, "!": 0.0}
BARS = {"|", "Vert", "lVert", "rVert"}
FUNCTIONS = {"max", "min", "cos", "sin", "tan", "det", "sgn", "tanh", "inf", "sup", "diag", "rank", "dim"}
UPRIGHT = {"mathrm", "operatorname", "mathbf", "mathsf"}
ACCENTS = {"dot": 1, "ddot": 2}
IGNORED = {"left", "right", "big", "bigl", "bigr", "displaystyle", "limits", "nolimits"}


@dataclass(slots=True)
class _Tokens:
    """What is still to be read."""

    texts: list[str]
    at: int = 0

    def next(self) -> str:
        """The next token, and on; empty at the end."""
        text = self.peek()
        self.at += 1
        return text

    def peek(self) -> str:
        return self.texts[self.at] if self.at < len(self.texts) else ""

    def skip_spaces(self) -> None:
        while self.peek().isspace():
            self.at += 1


def latex_to_mathml(latex: str) -> str:
    """`math` elements for use in a line of text: one for each piece between wide spaces, so that the line can break."""
    return " ".join(_element(part) for part in re.split(r"\\q?quad\b", latex) if part.strip())


def _element(latex: str) -> str:
    tokens = _Tokens(_TOKEN.findall(latex))
    pieces = []
    while tokens.peek():
        pieces.append(_run(tokens))
        tokens.next()  # a closing brace too many
    return f"<math>{row(*pieces).text}</math>"


def _run(tokens: _Tokens) -> Markup:
    """Everything up to a closing brace, which stays."""
    pieces: list[Markup] = []
    while tokens.peek() not in ("", "}"):
        atom = _scripted(tokens)
        if atom.text:
            pieces.append(atom)
    return row(*pieces)


def _scripted(tokens: _Tokens) -> Markup:
    """One atom with what stands below and above it."""
    name = tokens.peek()
    base = _atom(tokens)
    scripts = {"_": NOTHING, "^": NOTHING}
    while True:
        here = tokens.at
        tokens.skip_spaces()
        if tokens.peek() not in scripts:
            tokens.at = here
            break
        sign = tokens.next()
        scripts[sign] = _argument(tokens)
    if name == r"\sum":
        return limits(LARGE["sum"], scripts["_"], scripts["^"])
    return scripted(base, scripts["_"], scripts["^"])


def _argument(tokens: _Tokens) -> Markup:
    """A group in braces, or the next atom."""
    tokens.skip_spaces()
    if tokens.peek() != "{":
        return _atom(tokens)
    tokens.next()
    inside = _run(tokens)
    tokens.next()
    return inside


def _raw_argument(tokens: _Tokens) -> str:
    """The text of a group in braces."""
    tokens.skip_spaces()
    if tokens.peek() != "{":
        return tokens.next()
    tokens.next()
    taken = []
    while tokens.peek() not in ("", "}"):
        token = tokens.next()
        taken.append(token[1:] if token.startswith("\\") else token)
    tokens.next()
    return "".join(taken)


def _atom(tokens: _Tokens) -> Markup:
    token = tokens.next()
    if not token or token.isspace() or token == "~":
        return NOTHING
    if token.startswith("\\") and len(token) > 1:
        return _command(token[1:], tokens)
    if token == "{":
        tokens.at -= 1
        return _argument(tokens)
    if token[0].isdigit():
        return whole_number(token)
    if token in "([":
        return fence(token, "prefix")
    if token in ")]":
        return fence(token, "postfix")
    if token in "=<>+-*/":
        return infix({"-": "−", "*": "·"}.get(token, token))
    if token in ",;:":
        return Markup(f"<mo>{token}</mo>", 0.4)
    return letter(token) if token.isalpha() else words(token)


def _command(name: str, tokens: _Tokens) -> Markup:
    if name in IGNORED:
        return NOTHING
    if name in SPACES:
        return space(SPACES[name]) if SPACES[name] else NOTHING
    if name in RELATIONS:
        return infix(RELATIONS[name])
    if name in BARS:
        return Markup('<mo form="prefix" stretchy="false" lspace="0" rspace="0">‖</mo>', 0.5)
    if name in ACCENTS:
        return _accented(tokens, ACCENTS[name])
    if name == "text":
        return words(_raw_argument(tokens))
    if name in UPRIGHT:
        inside = _upright_group(tokens)
        return row(inside, THIN_SPACE) if name == "operatorname" else inside
    if name in FUNCTIONS:
        return row(upright(name), THIN_SPACE)
    if name in LARGE:
        return Markup(f"<mo>{LARGE[name]}</mo>", 0.8)
    if name in SYMBOLS:
        return letter(SYMBOLS[name])
    return letter(GREEK[name]) if name in GREEK else words(name)


def _upright_group(tokens: _Tokens) -> Markup:
    """Words and units: letters that follow each other are one word, which may have a power."""
    tokens.skip_spaces()
    if tokens.peek() != "{":
        return upright(tokens.next())
    tokens.next()
    pieces: list[Markup] = []
    while tokens.peek() not in ("", "}"):
        word = ""
        while tokens.peek().isalpha():
            word += tokens.next()
        base = upright(word) if word else _atom(tokens)
        if tokens.peek() == "^":
            tokens.next()
            base = scripted(base, upper=_argument(tokens))
        pieces.append(base)
    tokens.next()
    return row(*pieces)


def _accented(tokens: _Tokens, dots: int) -> Markup:
    here = tokens.at
    name = _raw_argument(tokens)
    if name in GREEK or (len(name) == 1 and name.isalpha()):
        return stem(name, dots)
    tokens.at = here
    inside = _argument(tokens)
    return Markup(f'<mover accent="true"><mrow>{inside.text}</mrow><mo stretchy="false">{"˙¨"[dots - 1]}</mo></mover>',
                  inside.width)  # fmt: skip
