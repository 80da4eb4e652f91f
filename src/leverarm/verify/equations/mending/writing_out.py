"""An exact value written out the way a document writes its formulas: its letters, its sines, its products."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.closed_form import Notation
from leverarm.notation import tree
from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import dotted
from leverarm.notation.textbook import operations, textbook
from leverarm.notation.tree import is_negative, negated
from leverarm.scalars import Scalar
from leverarm.verify.equations.mending.spelling import Spelling


class WritingOut:
    """Writes exact values of one arm in the hand of one document."""

    def __init__(self, spelling: Spelling, notation: Notation) -> None:
        self.spelling, self.vocabulary = spelling, notation.vocabulary
        self._ring_names = {printed: name for name, printed in self.vocabulary.printed.items()}

    def grouped(self, value: Scalar) -> tree.Node:
        """The value as a textbook would group it."""
        return textbook(value, self.vocabulary)

    def added(self, node: tree.Node) -> str:
        """A formula with its sign in front, ready to be added to others: "- m_2 g a_2"."""
        if isinstance(node, tree.Sum):
            return " ".join(self.added(term) for term in node.terms)
        return f"- {self.text(negated(node))}" if is_negative(node) else f"+ {self.text(node)}"

    def text(self, node: tree.Node) -> str:
        """A formula on one line."""
        match node:
            case tree.Number():
                sign = "-" if node.value < 0 else ""
                return sign + self.spelling.number(abs(node.value))
            case tree.Symbol():
                return self._symbol(node.name, node.dots)
            case tree.Trig():
                return self._trig(node)
            case tree.Sum():
                first, *rest = node.terms
                return " ".join([self.text(first), *(self.added(term) for term in rest)])
            case tree.Product():
                return self._product(node.factors)
            case tree.Power():
                return self._power(node)
            case tree.Ratio():
                above, below = self.text(node.above), self.text(node.below)
                return rf"\frac{{{above}}}{{{below}}}" if self.spelling.is_latex else f"({above})/({below})"
            case tree.Call():
                mark = "\\" if self.spelling.is_latex and node.function != "sgn" else ""
                return f"{mark}{node.function}({self.text(node.argument)})"
        raise TypeError(f"{type(node).__name__} is not written out")

    def _product(self, factors: Sequence[tree.Node]) -> str:
        if isinstance(factors[0], tree.Number) and factors[0].value == -1 and len(factors) > 1:
            return f"-{self._product(factors[1:])}"
        texts = [f"({self.text(f)})" if isinstance(f, tree.Sum) else self.text(f) for f in factors]
        return self.spelling.between_factors.join(texts)

    def _power(self, node: tree.Power) -> str:
        if isinstance(node.base, tree.Trig) and self.spelling.is_latex and not self._is_short(node.base):
            return self._trig(node.base, self.spelling.power(node.exponent))
        base = self.text(node.base)
        if not isinstance(node.base, tree.Symbol | tree.Trig):
            base = f"({base})"
        return f"{base}{self.spelling.power(node.exponent)}"

    def _symbol(self, name: str, dots: int) -> str:
        letter = self._ring_names.get(name, name) + (f".{'d' * dots}" if dots else "")
        spelled = self.spelling.of_letter(letter)
        if spelled is not None:
            return spelled.text
        return name_latex(name, dots) if self.spelling.is_latex else dotted(name, dots)

    def _is_short(self, node: tree.Trig) -> bool:
        return self._short(node) is not None

    def _short(self, node: tree.Trig) -> str | None:
        """c_{12} where the document writes so."""
        if not self.spelling.uses_short_trig or any(times != 1 for _, times in node.angle):
            return None
        numbers = [str(self.spelling.coordinates.index(self._ring_names[name]) + 1) for name, _ in node.angle]
        return self.spelling.short_trig(node.function, "".join(numbers))

    def _trig(self, node: tree.Trig, power: str = "") -> str:
        if (short := self._short(node)) is not None:
            return short
        angle = ""
        for name, times in node.angle:
            number = (
                "" if abs(times) == 1 else str(abs(times)) + ("" if self.spelling.is_latex else self.spelling.times)
            )
            sign = "-" if times < 0 else "+" if angle else ""
            angle += (f" {sign} " if angle else sign) + number + self._symbol(name, 0)
        mark = "\\" if self.spelling.is_latex else ""
        is_plain = self.spelling.is_latex and len(node.angle) == 1 and node.angle[0][1] == 1
        if is_plain and not angle.startswith("\\"):
            return f"{mark}{node.function}{power} {angle}"
        return f"{mark}{node.function}{power}{angle}" if is_plain else f"{mark}{node.function}{power}({angle})"


def size(node: tree.Node) -> int:
    """How much there is to write: operations, and one for the formula itself."""
    return operations(node) + 1
