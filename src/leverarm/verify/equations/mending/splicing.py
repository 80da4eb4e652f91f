"""Changes of a text in the writer's own style: a sign turned, a factor put in, a term removed, a value written out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from leverarm.closed_form import Notation
from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import dotted
from leverarm.notation.text import ASCII, in_one_line, signed_sum
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import Call, Name, Negative, Node, Power, Product, Span, Sum, Symbol, Trig, mapped, terms_of
from leverarm.notation.vocabulary import Writing
from leverarm.scalars import Scalar
from leverarm.verify.equations.mending.spelling import Spelling

_SIGN = re.compile(r"[+\-\u2212\u2013](?:\s*[+\-\u2212\u2013])*")
_FUNCTION_NAME = re.compile(r"\\?(?:operatorname\s*\{\s*)?[A-Za-z]+\s*\}?")
_OPEN = re.compile(r"(?:\\(?:left|[Bb]igg?l?)\s*)?(?:[(\[]|\\\{)\s*$")
_CLOSED = re.compile(r"\s*(?:\\(?:right|[Bb]igg?r?)\s*)?(?:[)\]]|\\\})")
_FUNCTION = re.compile(r"\\(?:sin|cos)")
RAISED = {1: "", 2: "²", 3: "³"}


@dataclass(frozen=True, slots=True)
class Splice:
    """Characters start to end of the text are exchanged for others."""

    start: int
    end: int
    text: str


def spliced(text: str, span: Span, splices: Iterable[Splice]) -> str:
    """A stretch of the text with the changes made that lie in it."""
    made, at = "", span[0]
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        made += text[at : splice.start] + splice.text
        at = splice.end
    return made + text[at : span[1]]


def covering(span: Span, splices: Iterable[Splice]) -> Span:
    """A stretch made so long that all changes lie in it."""
    ends = [(s.start, s.end) for s in splices]
    return min(span[0], *(a for a, _ in ends)), max(span[1], *(b for _, b in ends))


def bare(term: Node) -> Node:
    """A term without the minus in front of it."""
    match term:
        case Negative(of=of):
            return of
    return term


def sign_place(text: str, total: Sum, i: int) -> Span:
    """Where the sign in front of a term of a sum stands; empty where it has none."""
    start = total.terms[i - 1].span[1] if i else total.span[0]
    core = bare(total.terms[i]).span[0]
    if i == 0 and bare(total.terms[0]) is total.terms[0]:
        return core, core
    found = _SIGN.search(text, start, core)
    return (found.start(), found.end()) if found else (core, core)


def turned_sign(text: str, total: Sum, i: int) -> Splice:
    """The sign in front of a term of a sum, turned over."""
    start, end = sign_place(text, total, i)
    if bare(total.terms[i]) is total.terms[i]:
        return Splice(start, end, "-")
    return Splice(start, end, "+" if i else "")


def without_term(text: str, total: Sum, i: int) -> Splice:
    """The text of a sum without one of its terms, and without the sign that would be left over in front."""
    if i:
        return Splice(sign_place(text, total, i)[0], total.terms[i].span[1], "")
    start, end = sign_place(text, total, 1)
    rest = end if bare(total.terms[1]) is total.terms[1] else start
    while rest < len(text) and text[rest] == " ":
        rest += 1
    return Splice(total.terms[0].span[0], rest, "")


def with_brackets(text: str, node: Node) -> Span:
    """The stretch of a part together with the brackets right around it, whether or not its own span holds them."""
    match node:
        case Sum():
            before, after = _OPEN.search(text[: node.span[0]]), _CLOSED.match(text, node.span[1])
            if before and after:
                return before.start(), after.end()
    return node.span


def raised(node: Node, exponent: int, spelling: Spelling) -> Splice:
    r"""A power put on a factor, as the document writes it: a_1^2, q1**2, \sin^2\theta."""
    end = with_brackets(spelling.text, node)[1]
    match node:
        case Call() if spelling.is_latex and (name := _FUNCTION_NAME.match(spelling.text, node.span[0])):
            end = name.start() + len(name[0].rstrip())
    return Splice(end, end, spelling.power(exponent))


def squared(node: Node, spelling: Spelling) -> str:
    """The text of the square of a part."""
    if is_factor(node, spelling.text):
        return spliced(spelling.text, with_brackets(spelling.text, node), [raised(node, 2, spelling)])
    return f"({spelling.source(node)}){spelling.power(2)}"


def other_exponent(node: Power, exponent: int, spelling: Spelling) -> Splice | None:
    """The power of a part made another; None where it is not seen in the text."""
    old = node.exponent
    mark = re.compile(rf"(\^\s*\{{\s*|\^\s*|\*\*\s*)({old})(\s*\}}|(?!\d))|{RAISED.get(old) or '$^'}")
    after = node.base.span[1] if node.base.span[1] < node.span[1] else node.span[0]
    found = mark.search(spelling.text, after, node.span[1]) or mark.search(spelling.text, *node.span)
    if found is None:
        return None
    if exponent == 1:
        return Splice(found.start(), found.end(), "")
    if found[2] is None:
        return Splice(found.start(), found.end(), RAISED[exponent])
    return Splice(found.start(2), found.end(2), str(exponent))


def with_argument(node: Call, argument: str, spelling: Spelling) -> tuple[Splice, ...]:
    r"""Another angle in a sine or cosine: \cos\theta_1 as \cos(\theta_1 + \theta_2)."""
    text, inner = spelling.text, node.argument
    before, after = _OPEN.search(text[: inner.span[0]]), _CLOSED.match(text, inner.span[1])
    starts_inside = _OPEN.match(text, inner.span[0]) is not None
    if before and after and before.start() >= node.span[0]:
        return (Splice(*inner.span, argument),)
    if starts_inside or not re.search(r"\s[+-]\s", argument):
        space = " " if argument[:1].isalnum() and text[inner.span[0] - 1].isalpha() else ""
        return (Splice(*inner.span, f"{space}{argument}"),)
    return (Splice(*inner.span, f"({argument})"),)


def is_factor(node: Node, text: str) -> bool:
    """Whether a power can be put on a part as it stands: a letter, a function, a sum in brackets."""
    match node:
        case Name() | Call():
            return True
        case Sum():
            return with_brackets(text, node) != node.span
    return False


def in_brackets(node: Node, before: str, spelling: Spelling) -> tuple[Splice, ...]:
    """A sum put in brackets, with something before them; before anything else just that."""
    start, end = node.span
    match node:
        case Sum():
            left, right = (r"\left(", r"\right)") if spelling.is_latex else ("(", ")")
            return Splice(start, start, before + left), Splice(end, end, right)
    return (Splice(start, start, before),)


def without_factor(product: Product, i: int, text: str) -> Splice:
    """The text of a product without one of its factors."""
    spans = [with_brackets(text, factor) for factor in product.factors]
    if i + 1 < len(spans):
        return Splice(spans[i][0], spans[i + 1][0], "")
    return Splice(spans[i - 1][1], spans[i][1], "")


class WritingOut:
    """Writes exact values of one arm in the hand of one document."""

    def __init__(self, spelling: Spelling, notation: Notation) -> None:
        self.spelling, self.vocabulary = spelling, notation.vocabulary
        self._ring_names = {printed: name for name, printed in self.vocabulary.printed.items()}
        self._mark = "\\" if spelling.is_latex else ""
        self._letters = replace(ASCII, name=self._symbol, number=self._number, raised=lambda n: spelling.power(int(n)))

    def grouped(self, value: Scalar) -> Node:
        """The value as a textbook would group it."""
        return textbook(value, self.vocabulary)

    def added(self, node: Node) -> str:
        """A formula with its sign in front, ready to be added to others: "- m_2 g a_2"."""
        return self.text(Sum((Symbol("", 0), *terms_of(node)))).lstrip()

    def text(self, node: Node) -> str:
        """A formula on one line."""
        text = in_one_line(mapped(node, self._spelled), Writing(), self._letters)
        return text if self.spelling.times == " " else re.sub(r"(?<![+-]) (?![+-])", self.spelling.times, text)

    def _spelled(self, node: Node) -> Node:
        """A sine, a cosine or a function as a symbol of the document."""
        match node:
            case Trig():
                return Symbol(self._trig(node), -1)
            case Power(base=Symbol(name=name, dots=-1), exponent=n) if found := _FUNCTION.match(name):
                return Symbol(f"{found[0]}{self.spelling.power(n)}{name[found.end() :]}", -1)
            case Call(function=function) if function != "sgn":
                return replace(node, function=f"{self._mark}{function}")
        return node

    def _number(self, value: Fraction, _: bool) -> str:
        return "-" * (value < 0) + self.spelling.number(abs(value))

    def _symbol(self, name: str, dots: int) -> str:
        if dots < 0 or not name:
            return name
        letter = self._ring_names.get(name, name) + (f".{'d' * dots}" if dots else "")
        spelled = self.spelling.of_letter(letter)
        if spelled is not None:
            return spelled.text
        return name_latex(name, dots) if self.spelling.is_latex else dotted(name, dots)

    def _trig(self, node: Trig) -> str:
        """c_{12} where the document writes so."""
        spelling = self.spelling
        if all(times == 1 and name in self._ring_names for name, times in node.angle):
            numbers = [str(spelling.coordinates.index(self._ring_names[name]) + 1) for name, _ in node.angle]
            if (short := spelling.short_trig(node.function, "".join(numbers))) is not None:
                return short
        times = "" if spelling.is_latex else spelling.times
        parts = ((k < 0, ("" if abs(k) == 1 else f"{abs(k)}{times}") + self._symbol(x, 0)) for x, k in node.angle)
        angle = signed_sum(parts)
        match node.angle:
            case ((_, 1),) if spelling.is_latex:
                between = "" if angle.startswith("\\") else " "
                return f"\\{node.function}{between}{angle}"
        return f"{self._mark}{node.function}({angle})"
