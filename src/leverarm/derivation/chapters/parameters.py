"""Linearity in the parameters: the regressor, and the base parameters that the equations depend on."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm.closed_form import BaseParameter
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import LARGE, Setting, equation
from leverarm.notation.tree import Node, Product, Sum, Symbol, Transposed, negated
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero


def parameters(setting: Setting) -> Part:
    """tau = W phi with what stands in phi, and the fewest parameters that do."""
    return Part("Linear in the parameters", (_regressor(setting), _base(setting)))


def _regressor(setting: Setting) -> Step:
    eq = setting.eq
    values = list(eq.parameters.values())
    products = me.apply(eq.regressor.values, [value.value for value in values])
    holds = all(is_exactly_zero(a - b) for a, b in zip(products, eq.tau.values, strict=True))
    verdict = "computed: the difference has no terms" if holds else "the check FAILED"
    W, phi = Symbol("W"), Symbol("phi")
    shown = [Shown(equation(Symbol("tau"), Product((W, phi))))]
    if setting.dof < LARGE:
        kept = [j for j, value in enumerate(values) if not value.is_zero and _acts(eq.regressor.values, j)]
        rows = [[row[j] for j in kept] for row in eq.regressor.values]
        shown.append(Shown(equation(phi, setting.column([values[j].value for j in kept])), Level.FULL))
        shown.append(Shown(equation(Transposed(W), setting.matrix(me.transposed(rows))), Level.EVERY_LINE))
    return Step(
        "Regressor",
        (f"Masses, first moments and moments of inertia about the link origins enter linearly ({verdict}).",),
        tuple(shown),
        level=Level.FULL,
        code="eq.regressor",
    )


def _acts(W: Sequence[Sequence[Scalar]], j: int) -> bool:
    return any(not is_exactly_zero(row[j]) for row in W)


def _base(setting: Setting) -> Step:
    base = setting.eq.base_parameters
    grouped = [entry for entry in base.entries if len(entry.regrouping) > 1]
    alone = len(base) - len(grouped)
    words = (
        f"Of the {10 * len(setting.links)} numbers of the links only {len(base)} combinations can be told from the "
        f"motion; {len(base.unidentifiable)} numbers have no effect at all. "
    )
    if grouped:
        words += f"{len(grouped)} of the combinations are sums"
        words += f", the other {alone} single numbers. " if alone else ". "
    words += "The second index is the link; h = m c and I are about the link's origin."
    return Step(
        "Base parameters",
        (words,),
        tuple(Shown(equation(*_regrouping(setting, entry)), Level.FULL) for entry in base.entries),
        level=Level.FULL,
        code="eq.base_parameters",
    )


def _name(setting: Setting, parameter: str) -> Node:
    """ "link2.Izz" as I with the index zz,2."""
    body, _, kind = parameter.rpartition(".")
    number = next(link.number for link in setting.links if link.name == body)
    return Symbol(f"{kind}_{number}")


def _regrouping(setting: Setting, entry: BaseParameter) -> tuple[Node, ...]:
    name = _name(setting, entry.name)
    if len(entry.regrouping) == 1:
        return (name,)
    terms = [_term(setting, coefficient, _name(setting, parameter)) for coefficient, parameter in entry.regrouping]
    base = Symbol(f"{name.name}_b") if isinstance(name, Symbol) else name
    return base, Sum(tuple(terms))


def _term(setting: Setting, coefficient: Scalar, parameter: Node) -> Node:
    if coefficient == 1:
        return parameter
    if coefficient == -1:
        return negated(parameter)
    tree = setting.tree(coefficient)
    return Product((*tree.factors, parameter)) if isinstance(tree, Product) else Product((tree, parameter))
