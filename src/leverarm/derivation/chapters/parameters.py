"""Linearity in the parameters: the regressor, and the base parameters on which the equations depend."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm.closed_form import BaseParameter
from leverarm.derivation.formulas import brief, equation, every_line, full, tau, times
from leverarm.derivation.setting import LARGE, Setting, readable
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Table, sentence
from leverarm.errors import InputError
from leverarm.notation.tree import Node, Sum, Symbol, Transposed, negated
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero


def parameters(setting: Setting) -> Section:
    """tau = W phi, what phi consists of, and the base (minimal) parameters."""
    try:
        return chapter("Linear in the parameters", (_regressor(setting), _base(setting)))
    except InputError:  # lengths that are quotients have no base parameters in closed form
        return chapter("Linear in the parameters", (_regressor(setting),))


def _regressor(setting: Setting) -> Section:
    eq = setting.eq
    values = list(eq.parameters.values())
    products = me.apply(eq.regressor.values, [value.value for value in values])
    holds = all(is_exactly_zero(a - b) for a, b in zip(products, eq.tau.values, strict=True))
    verdict = "verified: the difference is identically zero" if holds else "the check FAILED"
    W, phi = Symbol("W"), Symbol("phi")
    shown = [brief(tau, times(W, phi))]
    if setting.dof < LARGE:
        kept = [j for j, value in enumerate(values) if not value.is_zero and _acts(eq.regressor.values, j)]
        rows = [[row[j] for j in kept] for row in eq.regressor.values]
        shown.append(full(phi, setting.column([values[j].value for j in kept])))
        shown.append(every_line(Transposed(W), setting.matrix(me.transposed(rows))))
    return step(
        "Regressor",
        (f"{_what(setting)} enter the equations of motion linearly ({verdict}).",),
        tuple(shown),
        level=Level.FULL,
        code="eq.regressor",
    )


def _what(setting: Setting) -> str:
    kinds = ["masses, first moments and moments of inertia about the link origins"]
    kinds += ["friction coefficients"] if setting.mechanism.has_friction else []
    kinds += ["rotor inertias"] if setting.mechanism.rotors else []
    kinds += ["spring stiffnesses"] if setting.mechanism.has_springs else []
    words = kinds[0] if len(kinds) == 1 else ", ".join(kinds[:-1]) + " and " + kinds[-1]
    return words.capitalize()


def _acts(W: Sequence[Sequence[Scalar]], j: int) -> bool:
    return any(not is_exactly_zero(row[j]) for row in W)


def _base(setting: Setting) -> Section:
    base, count = setting.eq.base_parameters, 10 * len(setting.links)
    combinations = "1 combination" if len(base) == 1 else f"{len(base)} combinations"
    words = sentence(
        "Each link has 10 inertial parameters: {m}, the first moments {h} (mass times centre of mass) and the moments "
        f"of inertia {{I}} about its origin. If all are taken as independent, {len(base.unidentifiable)} of the "
        f"{count} have no effect on the equations of motion, and only {combinations} of the rest can be identified "
        "from motions and joint forces. The last index is the link; b marks a combination.",
        m=Symbol("m"),
        h=Symbol(_first_moment(setting)),
        I=Symbol("I"),
    )
    single = [_name(setting, entry.name) for entry in base.entries if len(entry.regrouping) == 1]
    lines = [equation(*_regrouping(setting, entry)) for entry in base.entries if len(entry.regrouping) > 1]
    tables: tuple[Table, ...] = ()
    if single:
        rows = tuple(
            tuple(single[k : k + ACROSS] + [""] * (ACROSS - len(single[k:]))) for k in range(0, len(single), ACROSS)
        )
        tables = (Table(("single parameters", *[""] * (ACROSS - 1)), rows),)
    return step(
        "Base parameters",
        words,
        tuple(Shown(readable(line), Level.FULL) for line in lines),
        tables,
        level=Level.FULL,
        code="eq.base_parameters",
    )


ACROSS = 6
"""Single parameters in a row of the table."""


def _first_moment(setting: Setting) -> str:
    """h, or mu where the arm has lengths called h."""
    return "mu" if any(name.startswith("h") for name in (*setting.eq.arm.defaults, *setting.names)) else "h"


def _name(setting: Setting, parameter: str) -> Symbol:
    """ "link2.Izz" as I with the index zz,2."""
    body, _, kind = parameter.rpartition(".")
    number = next(link.number for link in setting.links if link.name == body)
    letter = kind.replace("h", _first_moment(setting)) if kind.startswith("h") else kind
    return Symbol(f"{letter}_{number}")


def _regrouping(setting: Setting, entry: BaseParameter) -> tuple[Node, Node]:
    name = _name(setting, entry.name)
    terms = [_term(setting, coefficient, _name(setting, parameter)) for coefficient, parameter in entry.regrouping]
    return Symbol(f"{name.name}_b"), Sum(tuple(terms))


def _term(setting: Setting, coefficient: Scalar, parameter: Node) -> Node:
    if coefficient == 1:
        return parameter
    if coefficient == -1:
        return negated(parameter)
    return times(setting.tree(coefficient), parameter)
