"""Passivity: an arm never gives back more energy than was put into it and was stored at first."""

from __future__ import annotations

import time
from dataclasses import dataclass

from leverarm.mechanics import with_shafts_at_joints
from leverarm.model import Arm, FrictionTerm, bind
from leverarm.scalars import RATIONAL
from leverarm.verify.table.box import Box
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import How, Property, worded


@dataclass(frozen=True, slots=True)
class Dissipation:
    """What the coefficients say about qd^T F(qd), joint by joint."""

    is_declared: bool
    driving: tuple[str, ...]
    """The joints whose constant offset drives them at some speed: its power is negative and exceeds dry friction."""


def dissipation_of(arm: Arm) -> Dissipation:
    """Whether friction takes power at every speed, qd^T F >= 0, decided over the rationals.

    Viscous and Coulomb parts always take some, as their coefficients are not negative (a joint's description is
    refused otherwise). A constant offset o does not matter to sgn friction that outweighs it, -c+ <= o <= c-; tanh
    friction vanishes at zero speed, and there any offset is stronger.
    """
    mechanism = with_shafts_at_joints(bind(arm, RATIONAL))
    terms = [(link.joint, term) for link, term in zip(mechanism.links, mechanism.frictions, strict=True) if term]
    return Dissipation(mechanism.has_friction, tuple(joint for joint, term in terms if _drives(term)))


def _drives(term: FrictionTerm) -> bool:
    if term.steepness is not None:
        return bool(term.offset != 0)
    return bool(term.offset < -term.coulomb or term.offset > term.coulomb_negative)


def dissipation_property(arm: Arm) -> Property:
    """The line of qd^T F(qd) >= 0."""
    begun = time.perf_counter()
    found = dissipation_of(arm)
    how: How = "exact identity" if found.is_declared else "declared"
    value = "proven" if found.is_declared else "no friction declared"
    detail: tuple[str, ...] = ("viscous and Coulomb coefficients are not negative, and no offset outweighs them.",)
    if not found.is_declared:
        detail = ("F = 0: no energy is lost, dH/dt = qd^T tau.",)
    if found.driving:
        value = "does not hold"
        detail = (
            f"the constant offset of {', '.join(found.driving)} drives the joint at low speed. A constant force has a "
            "potential, offset times position: counted to H, the rest of friction takes energy at every speed.",
        )
    seconds = time.perf_counter() - begun
    statement, latex = "qd^T F(qd) >= 0 at every speed.", r"\dot{q}^T F(\dot{q}) \ge 0"
    return worded("dissipation", "Friction takes energy", statement, latex, how, value, detail, seconds)


def passivity_property(states: ExactStates, balance: Property, box: Box) -> Property:
    """The line of the energy inequality, from that of the power balance and the dissipation."""
    begun = time.perf_counter()
    dissipation = dissipation_of(states.arm)
    storage = "H = K + P"
    detail: list[str] = [balance.detail[0]]
    if dissipation.driving:
        storage = "H = K + P + offset . q"
        detail.append(
            f"the constant offset of {', '.join(dissipation.driving)} is stored energy here, as of a weight; against "
            "K + P alone the inequality fails."
        )
    elif dissipation.is_declared:
        detail.append("friction takes energy at every speed.")
    else:
        detail.append("without friction the two sides are equal.")
    detail.append(_lowest_energy(box))
    is_shown = balance.value not in ("not shown", "does not hold")
    value = f"passive from tau to qd with {storage}" if is_shown else balance.value
    return worded(
        "passivity",
        "Passivity",
        f"What is put in is at least what is stored: integral of qd^T tau dt >= H(t) - H(0), {storage}.",
        r"\int_0^t \dot{q}^T \tau \, ds \ge H(t) - H(0)",
        states.how,
        value,
        (*detail, states.note),
        time.perf_counter() - begun,
    )


def _lowest_energy(box: Box) -> str:
    """Whether the stored energy has a lowest value, without which the inequality bounds nothing."""
    if box.is_bounded:
        return "over the box P has a lowest value, so the energy that can be taken out is bounded."
    return f"P may fall without end along {', '.join(box.missing)}: give a range for a bound of the energy."
