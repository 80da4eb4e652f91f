"""Where a forgotten factor goes in a product: where the same page puts it elsewhere."""

from __future__ import annotations

from itertools import pairwise

from leverarm.reading.tree import Function, Name, Node, Number, Power, Product, Quotient, walk
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import Splice, with_brackets


def factor_splice(term: Node, name: Name, text: str, spelling: Spelling) -> Splice:
    """The text of a factor put into a term."""
    between = spelling.between_factors
    factors = term.factors if isinstance(term, Product) else (term,)
    spans = [with_brackets(spelling.text, factor) for factor in factors]
    at = _place(factors, name, spelling)
    if at < len(factors):
        return Splice(spans[at][0], spans[at][0], f"{text}{between}")
    return Splice(spans[-1][1], spans[-1][1], f"{between}{text}")


def _place(factors: tuple[Node, ...], name: Name, spelling: Spelling) -> int:
    """The place that most of the factors are content with; the last of several."""
    order = _habits(spelling)
    wishes = [_wish(factor, name, order) for factor in factors]
    scores = [sum(wishes[:i]) - sum(wishes[i:]) for i in range(len(factors) + 1)]
    return max(range(len(scores)), key=lambda i: (scores[i], i))


def _wish(factor: Node, name: Name, order: dict[tuple[str, str], int]) -> int:
    """1 for a factor that stands before the name, -1 for one that stands after it."""
    if isinstance(factor, Number | Quotient):
        return 3
    family, own = _family(factor), _family(name)
    if family == own:
        base = factor.base if isinstance(factor, Power) else factor
        return 1 if isinstance(base, Name) and base.lower <= name.lower else -1
    seen = order.get((family, own), 0) - order.get((own, family), 0)
    if seen == 0:
        return _rank(name) - _rank(factor)
    return (seen > 0) - (seen < 0)


def _rank(factor: Node) -> int:
    """Letters without dots come first, where the page does not say."""
    base = factor.base if isinstance(factor, Power) else factor
    return 0 if isinstance(base, Name) and not base.dots else 1


def _habits(spelling: Spelling) -> dict[tuple[str, str], int]:
    """How often one kind of factor stands right before or somewhere before another in the document."""
    seen: dict[tuple[str, str], int] = {}
    for statement in (spelling.statement, *spelling.scope.statements):
        for node in walk(statement):
            if isinstance(node, Product):
                families = list(dict.fromkeys(_family(factor) for factor in node.factors))
                for i, first in enumerate(families):
                    for second in families[i + 1 :]:
                        seen[first, second] = seen.get((first, second), 0) + 1
                for pair in pairwise(families):
                    seen[pair] = seen.get(pair, 0) + 1
    return seen


def _family(node: Node) -> str:
    if isinstance(node, Power):
        return _family(node.base)
    if isinstance(node, Name):
        return f"{node.letter}{chr(39) * node.dots}"
    return "a function" if isinstance(node, Function) else type(node).__name__
