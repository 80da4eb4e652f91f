"""How one document writes its letters, indices and dots, so that what is suggested looks like the rest of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import dotted
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node, Of, Product, Sum
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Cosine, Polynomial, Sine
from leverarm.verify.equations.algebra import equal, every, is_table, letter_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import RUNNING
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.verdict import WrittenError

LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DOTS = re.compile(r"\\d{0,3}dot(?![A-Za-z])\s*|['′]+|[\u0307\u0308]|^\s+")
_BRACES = re.compile(r"^\{([^{}]*)\}")
_HEAD = re.compile(
    r"\\(?:vec|hat|bar|tilde|mathbf|mathrm|mathfrak|mathcal|boldsymbol|bm|underline)\s*(?:\{[^{}]*\}|\\?[A-Za-z]+)"
    r"|\\[A-Za-z]+|[A-Za-z]|[^\W\d_]"
)


def shows_index(text: str, index: str) -> bool:
    """Whether a name's text has its index in it; where the text has a letter for it, q_k for q_1, it has not."""
    shown, wanted = ("".join(filter(str.isalnum, each)).translate(LOWERED) for each in (text, index))
    return wanted in shown


def with_index(text: str, old: str, new: str) -> str | None:
    """A name's text with another index; None where the index is not seen in the text."""
    for shown, written in ((old, new), (old.translate(LOWERED), new.translate(LOWERED))):
        at = text.rfind(shown)
        if at > 0:
            before, after = text[:at], text[at + len(shown) :]
            if before.endswith("_") and len(new) > 1:
                written = f"{{{written}}}"
            elif before.endswith("_{") and after.startswith("}") and len(old) > 1 == len(new):
                before, after = before[:-1], after[1:]
            return before + written + after
    pieces = re.fullmatch(r"([A-Za-z]+)(\d+)", old)
    other = re.fullmatch(r"([A-Za-z]+)(\d+)", new)
    if pieces and other and pieces[1] == other[1] and (at := text.rfind(pieces[2])) > 0:
        return text[:at] + other[2] + text[at + len(pieces[2]) :]
    return None


def other_indices(lower: str, digits: Sequence[str], bound: Sequence[str] = ()) -> Iterator[str]:
    """An index with one of its digits, or one of its letters that run, exchanged."""
    for i, c in enumerate(lower):
        among = [*bound, *digits] if c.isdigit() or (bound and c in RUNNING) else ()
        yield from (lower[:i] + other + lower[i + 1 :] for other in among if other != c)


Around = tuple[str, str]
BRACED: Around = ("{", "}")
BARE: Around = (" ", "")
r"""What stands around a letter under dots: \dot{q} or \dot q."""


def around_dotted(text: str) -> Around:
    """How a document writes its dots; braced where it does not say."""
    braced = len(re.findall(r"\\d{1,3}ot\s*\{", text))
    bare = len(re.findall(r"\\d{1,3}ot(?![A-Za-z])", text)) - braced
    return BARE if bare > braced else BRACED


def with_dots(text: str, dots: int, around: Around) -> str:
    r"""A LaTeX name's text with so many dots: \theta_1 as \dot{\theta}_1, \dot\theta_1 as \ddot\theta_1."""
    mark = "\\" + "d" * dots + "ot" if dots else ""
    found = re.search(r"\\d{1,3}ot(?![A-Za-z])", text)
    if found and dots:
        return text[: found.start()] + mark + text[found.end() :]
    if found:
        bare = _DOTS.sub("", text).lstrip()
        return _BRACES.sub(r"\1", bare)
    bare = _DOTS.sub("", text)
    head = _HEAD.match(bare)
    if not dots or head is None:
        return bare
    left, right = around
    if head[0].startswith("\\") and not head[0].endswith("}"):
        left = left.strip()
    elif head[0].endswith("}"):
        left, right = BRACED
    return f"{mark}{left}{head[0]}{right}{bare[head.end() :]}"


_MOST_SHORT_ANGLES = 4
"""Coordinates of which all sums are tried as c_{12}."""
_LARGEST_BELOW = 16
"""Fractions with more below the line are written as decimals where they end; those of more than its square always."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A letter as this document writes it: the name, its text and its exact value. `is_written`: it occurs there."""

    name: Name
    text: str
    value: Scalar
    is_written: bool

    @property
    def has_open_index(self) -> bool:
        """Whether it is written with a letter for its index, q_k."""
        return not shows_index(self.text, self.name.lower)

    @property
    def letter(self) -> str | None:
        """The letter of the arm's ring that it stands for, "m1" or "theta1.d"; None of anything larger."""
        return letter_of(self.value)

    @property
    def is_trig(self) -> bool:
        """Whether it is a short sine or cosine, c_{12}."""
        return self.name.letter in ("s", "c", "S", "C") and is_trig(self.value)


def is_trig(value: Scalar | None) -> bool:
    """Whether a value is made of sines and cosines alone."""
    match value:
        case Polynomial():
            return all(isinstance(g, Sine | Cosine) for g in value.generators())
    return False


class Spelling:
    """The letters of an arm in the writing of one document."""

    def __init__(self, scope: Scope, statement: Statement) -> None:
        self.scope, self.text = scope, scope.text
        self.statement = statement
        own = self.text[slice(*statement.span)]
        self.is_latex = "\\" in own or bool(re.search(r"[_^]\{", own))
        self.times = "*" if re.search(r"[\w)]\s?\*\s?[\w(]", own) else " "
        self.has_decimals = bool(re.search(r"\d\.\d", own))
        self._around = around_dotted(self.text)
        self._values: dict[Name, Scalar | None] = {}
        self._spelled: dict[Name, Spelled] = {}
        self.coordinates = scope.arm.coordinates
        self.written = self._written()
        """The scalars that are written somewhere in the document: those of this statement, then the commonest."""
        for spelled in self.written:
            for name, text in self._relatives(spelled):
                is_letter = letter_of(self.value(name)) is not None
                if spelled.is_trig or is_letter == (spelled.letter is not None):  # M_12 says nothing of m_4
                    self._add(name, text, is_written=False)
        self._by_letter: dict[str, Spelled] = {}
        for spelled in sorted(self._spelled.values(), key=self._is_roundabout):
            if spelled.letter is not None and not spelled.has_open_index:
                self._by_letter.setdefault(spelled.letter, spelled)
        moving = [f"{name}{order}" for name in self.coordinates for order in ("", ".d", ".dd")]
        for letter in (*moving, *scope.arm.defaults):
            if letter not in self._by_letter:
                self._from_arm(letter)

    def _written(self) -> tuple[Spelled, ...]:
        counted = Counter(every(Name, *self.scope.statements))
        for node in (*every(Name, self.statement), *(name for name, _ in counted.most_common())):
            self._add(node, self.source(node), is_written=True)
        return tuple(self._spelled.values())

    def _is_roundabout(self, spelled: Spelled) -> bool:
        """Whether a letter of the arm is written as something else that is equal to it: omega_1 for thetad_1."""
        try:
            return self.scope.meaning(spelled.name).kind not in LETTERS_OF_THE_ARM
        except WrittenError:
            return True

    @property
    def all(self) -> tuple[Spelled, ...]:
        """Every scalar that could be written: those of the document, their relatives, the rest of the arm's letters."""
        return tuple(self._spelled.values())

    def of_letter(self, letter: str) -> Spelled | None:
        """How a letter of the arm's ring is written here, "theta1.d" as \\dot{\\theta}_1."""
        return self._by_letter.get(letter)

    def source(self, node: Node) -> str:
        """The text of a part."""
        return self.text[slice(*node.span)]

    def value(self, name: Name) -> Scalar | None:
        """The exact value of a name that is a scalar."""
        if name not in self._values:
            try:
                found = self.scope.value(name)
            except WrittenError:
                found = None
            self._values[name] = None if is_table(found) else found
        return self._values[name]

    def is_product(self, node: Of) -> bool:
        """Whether a name before a parenthesis is a factor, g(m_1 + m_2), and not a quantity of something, M(q)."""
        try:
            product = value_of(Product((node.head, *node.arguments), span=node.span), self.scope)
            return equal(product, value_of(node, self.scope))
        except WrittenError:
            return False

    def number(self, value: Fraction) -> str:
        r"""A positive number as the document writes it: 2, \frac12, \tfrac{1}{2}, 1/2, 0.5."""
        above, below = value.numerator, value.denominator
        if below == 1:
            return str(above)
        is_decimal = below > _LARGEST_BELOW and 10**12 % below == 0
        if self.has_decimals or is_decimal or below > _LARGEST_BELOW**2:
            return f"{float(value):.6g}"
        if not self.is_latex:
            return f"{above}/{below}"
        found = re.search(rf"\\[td]?frac\s*(\{{\s*)?{above}\s*\}}?\s*\{{?\s*{below}(\s*\}}|(?![\d{{}}]))", self.text)
        return found[0] if found else rf"\frac{{{above}}}{{{below}}}"

    def power(self, exponent: int) -> str:
        """The mark of a power as the document writes it: ^2, **2."""
        if "**" in self.text and not self.is_latex:
            return f"**{exponent}"
        return "²" if exponent == 2 and "²" in self.text else f"^{exponent}"

    def short_trig(self, function: str, digits: str) -> str | None:
        """The short sine or cosine of a sum of numbered angles, c_{12}; None where it is not written so."""
        letters = "cC" if function == "cos" else "sS"
        found = (s for s in self.all if s.is_trig and s.name.letter in letters and s.name.lower == digits)
        return next((s.text for s in found), None)

    def adds(self, first: Name, second: Name) -> bool:
        """Whether the document adds the two somewhere: m_1 + m_2."""
        wanted = {first, second}
        sums = every(Sum, self.statement, *self.scope.statements)
        return any(wanted <= {name for name in every(Name, total) if name in total.terms} for total in sums)

    def _add(self, name: Name, text: str, is_written: bool) -> None:
        if name not in self._spelled and (value := self.value(name)) is not None:
            self._spelled[name] = Spelled(name, text, value, is_written)

    def _relatives(self, spelled: Spelled) -> Iterator[tuple[Name, str]]:
        """The same letter with other indices, with more or fewer dots; sines for cosines."""
        name, text = spelled.name, spelled.text
        if spelled.is_trig:
            yield from self._trig_relatives(name, text)
            return
        numbers = [str(i) for i in range(1, len(self.coordinates) + 1)]
        own = re.sub(r"\d+$", "", name.lower)
        for lower in dict.fromkeys(f"{prefix}{i}" for prefix in (own, "", "c") for i in numbers):
            if lower != name.lower and name.lower and (respelled := with_index(text, name.lower, lower)):
                yield replace(name, lower=lower), respelled
        if spelled.letter is not None and spelled.letter.split(".")[0] in self.coordinates:
            yield from self._dotted(name, text)

    def _dotted(self, name: Name, text: str) -> Iterator[tuple[Name, str]]:
        if self.is_latex:
            for dots in (0, 1, 2):
                yield replace(name, dots=dots), with_dots(text, dots, self._around)
            return
        if name.dots or any(s.name.dots for s in self.written):
            bare, above = _DOTS.sub("", text), any(re.search("[\u0307\u0308]", s.text) for s in self.written)
            for dots, mark in enumerate(("", "\u0307", "\u0308")):
                yield replace(name, dots=dots), bare[0] + mark + bare[1:] if above else bare + "'" * dots
        elif text.startswith(name.letter):
            for stem in dict.fromkeys((name.letter, name.letter.rstrip("d") or name.letter)):
                for letter in (stem, f"{stem}d", f"{stem}dd"):
                    yield replace(name, letter=letter), letter + text[len(name.letter) :]

    def _trig_relatives(self, name: Name, text: str) -> Iterator[tuple[Name, str]]:
        digits = [str(i) for i in range(1, min(len(self.coordinates), 9) + 1)]
        few = digits[:_MOST_SHORT_ANGLES]
        lowers = ["".join(chosen) for n in range(1, len(few) + 1) for chosen in combinations(few, n)]
        lowers += ["".join(digits[i:j]) for j in range(len(few) + 1, len(digits) + 1) for i in range(j)]
        if not text.startswith(name.letter):
            return
        for letter in {"s": "sc", "c": "sc", "S": "SC", "C": "SC"}[name.letter]:
            for lower in lowers:
                if respelled := with_index(text, name.lower, lower):
                    yield replace(name, letter=letter, lower=lower), letter + respelled[1:]

    def _from_arm(self, letter: str) -> None:
        """A letter of which the document has no relative, by the arm's own name."""
        stem, _, dots = letter.partition(".")
        text = name_latex(stem, len(dots)) if self.is_latex else dotted(stem, len(dots))
        head, digits = re.fullmatch(r"(.*?)_?(\d*)", stem if self.is_latex else text).groups()  # type: ignore[union-attr]
        name = Name(head, digits, dots=len(dots) if self.is_latex else 0, span=(0, 0))
        value = self.value(name)
        if value is not None and letter_of(value) == letter:
            spelled = Spelled(name, text, value, is_written=False)
            self._spelled.setdefault(name, spelled)
            self._by_letter[letter] = spelled
