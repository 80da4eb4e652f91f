"""A force with its accelerations collected: (...) qdd1 + (...) qdd2 + velocity terms + gravity terms."""

from __future__ import annotations

from leverarm.derivation.setting import Setting
from leverarm.notation.tree import Node, Product, Sum, Symbol
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial, substitute


def collected(setting: Setting, value: Scalar) -> Node:
    """A force as (...) qdd1 + (...) qdd2 + velocity terms + gravity terms, each part printed on its own."""
    terms: list[Node] = []
    rest = value
    for name, symbol in zip(setting.eq.exact.coordinates, setting.coordinates(2), strict=True):
        factor = partial(value, f"{name}.dd")
        rest = rest - factor * setting.eq.exact.letter(f"{name}.dd")
        terms += _times(setting, factor, symbol)
    weight = _at_rest(setting, rest)
    for part in (rest - weight, weight):
        tree = setting.tree(part)
        if part != 0:
            terms += list(tree.terms) if isinstance(tree, Sum) else [tree]
    return Sum(tuple(terms)) if len(terms) > 1 else terms[0] if terms else setting.tree(0)


def _times(setting: Setting, factor: Scalar, symbol: Symbol) -> list[Node]:
    if factor == 0:
        return []
    tree = setting.tree(factor)
    if factor == 1:
        return [symbol]
    return [Product((*tree.factors, symbol)) if isinstance(tree, Product) else Product((tree, symbol))]


def _at_rest(setting: Setting, value: Scalar) -> Scalar:
    """The part without speeds."""
    return substitute(value, {f"{name}.d": 0 for name in setting.eq.exact.coordinates})
