"""Friction, rotors and disturbances, where the arm has them."""

from __future__ import annotations

from leverarm.derivation.document import Part, Shown, Step
from leverarm.derivation.setting import Setting, equation
from leverarm.notation.tree import Of, Product, Sum, Symbol


def _friction_words(setting: Setting) -> str:
    words = "Viscous and dry friction oppose the motion of each joint."
    if any(rotor.has_friction for rotor in setting.mechanism.rotors):
        words += " Friction on a motor's shaft opposes the shaft's own speed and is felt through the gears."
    if any(term is not None and term.is_asymmetric for term in setting.mechanism.frictions):
        words += " Here it differs by direction: the square of the sign is 1 in motion and 0 at rest."
    return words


def losses(setting: Setting) -> Part | None:
    """F(qd), what rotors add to M, and the whole equation with a disturbance; None without friction and rotors."""
    eq = setting.eq
    steps = []
    if setting.mechanism.rotors:
        steps.append(
            Step(
                "Rotors",
                (
                    "Motors behind gears add their inertia times the square of the gear ratio; it is part of M. Only a "
                    "rotor's own spin is counted here; its mass belongs to the link that carries it.",
                ),
                (Shown(equation(Symbol("tau_r"), eq.rotors.tree)),),
                code="eq.rotors",
            )
        )
    if setting.mechanism.has_friction:
        steps.append(
            Step(
                "Friction",
                (_friction_words(setting),),
                (Shown(equation(Of(Symbol("F"), (setting.all(1),)), eq.friction.tree)),),
                code="eq.friction",
            )
        )
    if not steps:
        return None
    q, qd, qdd = (setting.all(dots) for dots in (0, 1, 2))
    left = Sum(
        (
            Product((Of(Symbol("M"), (q,)), qdd)),
            Of(Symbol("c"), (q, qd)),
            Of(Symbol("F"), (qd,)),
            Of(Symbol("g"), (q,)),
            Symbol("tau_d"),
        )
    )
    steps.append(
        Step(
            "The whole robot equation",
            ("With friction and an unknown disturbance ", Symbol("tau_d"), "."),
            (Shown(equation(left, Symbol("tau"))),),
            code="eq.tau",
        )
    )
    return Part("Friction, rotors, disturbance", tuple(steps))
