"""The forces on the masses by f = m a, and the arm's share of them."""

from __future__ import annotations

from leverarm.derivation.document import Part, Shown, Step
from leverarm.derivation.force_balance.letters import GRAVITY, force_letter, of, share_letter
from leverarm.derivation.force_balance.masses import Mass
from leverarm.derivation.setting import AXES, Setting, equation, times
from leverarm.derivation.widths import defined
from leverarm.notation.tree import Product, Sum, column, negated


def forces_on_masses(setting: Setting, masses: list[Mass]) -> Part:
    """f_i = m_i a_i, and F_i = f_i - m_i a_g, the arm's share of it."""
    return Part("Forces on the masses", (_newton(setting, masses), _held(setting, masses)))


def _newton(setting: Setting, masses: list[Mass]) -> Step:
    letter = force_letter(setting)
    shown = []
    for mass in masses:
        m = setting.tree(mass.m)
        rates = times(m, column([mass.link.symbol(axis, 2) for axis in AXES]))
        value = times(m, setting.column(list(mass.a)))
        shown.append(Shown(equation(mass.link.symbol(letter), rates, value)))
    return Step(
        "Newton's law",
        ("The force ", of(letter, "i"), " that gives each mass its acceleration."),
        tuple(shown),
        code="together(eq, *(mass.a * mass.m for mass in masses))",
    )


def _held(setting: Setting, masses: list[Mass]) -> Step:
    """The weight is part of f_i; the arm supplies the rest."""
    force, share = force_letter(setting), share_letter(setting)
    shown: list[Shown] = []
    for mass in masses:
        rest = Sum((mass.link.symbol(force), negated(times(setting.tree(mass.m), GRAVITY))))
        shown += defined(setting, mass.link.symbol(share), rest, setting.column(list(mass.held)))
    general = equation(of(share, "i"), Sum((of(force, "i"), negated(Product((of("m", "i"), GRAVITY))))))
    return Step(
        "What the arm supplies",
        (
            "The weight ", Product((of("m", "i"), GRAVITY)), " is one part of this force; the arm supplies the rest, ",
            of(share, "i"), ".",
        ),
        (Shown(general), *shown),
        code="together(eq, *((mass.a - eq.exact.mechanism.gravity) * mass.m for mass in masses))",
    )  # fmt: skip
