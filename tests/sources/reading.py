"""What a page prints, read into a formula: scalars by the product's own `parse_tree`, and matrices around them.

Here are only matrices [[a, b], [c, d]], their sums and products, ^T, ^-1, d/dt(...), dL/dx, M(theta) and {... : label}.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from leverarm.closed_form import Notation
from leverarm.notation import tree
from leverarm.notation.parsing import parse_tree
from leverarm.notation.tree import Node, negated
from leverarm.notation.vocabulary import Role, Vocabulary, Writing

MATRICES = re.compile(r"[\[{]|\^T|\^-1|\bd/dt\(|\bd\w+/d\w|\b(?!cos\(|sin\()[A-Za-z]\w*\(")
DERIVATIVE = re.compile(r"d([A-Za-z]\w*)/d([A-Za-z]\w*)")


def read(text: str, notation: Notation, names: Iterable[str]) -> Node:
    """The formula of a printed side. `names` are quantities that may stand in it: K1, J_v2, M(theta)."""
    names = frozenset(names)
    roles = {**notation.vocabulary.roles, **{name: Role.OTHER for name in names if name.isidentifier()}}
    return _Page(replace(notation.vocabulary, roles=roles), notation.writing, names).formula(text)


@dataclass(frozen=True)
class _Page:
    vocabulary: Vocabulary
    writing: Writing
    names: frozenset[str]

    def formula(self, text: str) -> Node:
        text = text.strip()
        if text in self.names:
            return tree.Symbol(text)
        if not MATRICES.search(text):
            return parse_tree(text, self.vocabulary, self.writing)
        terms = list(_terms(text))
        if len(terms) > 1 or text.startswith("-"):
            return tree.Sum(
                tuple(negated(self.product(term)) if minus else self.product(term) for minus, term in terms)
            )
        return self.product(text)

    def product(self, text: str) -> Node:
        factors = tuple(self.factor(part) for part in _outside_brackets(text, " ") if part)
        return factors[0] if len(factors) == 1 else tree.Product(factors)

    def factor(self, text: str) -> Node:
        if text in self.names or not MATRICES.search(text):
            return self.formula(text)
        if text.endswith("^T"):
            return tree.Transposed(self.factor(text.removesuffix("^T")))
        if text.endswith("^-1"):
            return tree.Inverse(self.factor(text.removesuffix("^-1")))
        if text.startswith("d/dt("):
            return tree.TimeDerivative(self.formula(text.removeprefix("d/dt(")[:-1]))
        if match := DERIVATIVE.fullmatch(text):
            return tree.PartialDerivative(self.formula(match[1]), self.formula(match[2]))
        if text.startswith("[["):
            rows = [row.strip()[1:-1] for row in _outside_brackets(text[1:-1], ",")]
            return tree.Matrix(tuple(tuple(map(self.formula, _outside_brackets(row, ","))) for row in rows))
        if text.startswith("{"):
            inside, label = text[1:-1].rsplit(":", 1)
            return tree.Labelled(self.formula(inside), label.strip())
        if text.startswith("("):
            return self.formula(text[1:-1])
        raise ValueError(f"{text!r} is no matrix, no known quantity and no formula in the arm's letters.")


def _terms(text: str) -> Iterable[tuple[bool, str]]:
    """The terms of a sum, each with whether it is subtracted."""
    minus, words = False, []
    for word in _outside_brackets(text, " "):
        if word in ("+", "-"):
            yield minus, " ".join(words)
            minus, words = word == "-", []
        elif not words and not minus and word.startswith("-"):
            minus, words = True, [word[1:]]
        else:
            words.append(word)
    yield minus, " ".join(words)


def _outside_brackets(text: str, separator: str) -> list[str]:
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
