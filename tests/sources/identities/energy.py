"""Kinetic and potential energy, and the inertia in them."""

from __future__ import annotations

from fractions import Fraction as Q
from functools import reduce

import leverarm as la
from tests.sources.identities.case import Case, product
from tests.sources.values import added, transposed


def energies(case: Case) -> bool:
    known = case.known
    return known["L"] == known["K"] - known["P"] and known["H"] == known["K"] + known["P"]


def potential_energy(case: Case) -> bool:
    """P_i = -m_i a_g . p_i, whose gradient is minus the weight, and the sum of all."""
    down = case.eq.exact.mechanism.gravity
    each = [-1 * case.body(i)[0] * (down @ case.body(i)[1]) for i in case.links]
    return each == [case.known[f"P{i}"] for i in case.links] and sum(each) == case.eq.P.value


def potential_energy_sign(case: Case) -> bool:
    """As printed, with the free-fall acceleration for g, the sign is wrong; with its opposite the formula holds."""
    down = case.eq.exact.mechanism.gravity
    printed = [down @ case.body(i)[1] * case.body(i)[0] for i in case.links]
    ours = [case.known[f"P{i}"] for i in case.links]
    return printed != ours and [-1 * x for x in printed] == ours


def kinetic_energy(case: Case) -> bool:
    for i in case.links:
        mass, _, tensor = case.body(i)
        v, omega, R = (case.known[f"{name}{i}"] for name in ("v", "omega", "R"))
        turning = product(Q(1, 2), transposed(omega), R, tensor, transposed(R), omega)
        if product(Q(1, 2), mass, transposed(v), v) + turning != case.known[f"K{i}"]:
            return False
    return sum(case.known[f"K{i}"] for i in case.links) == case.eq.K.value


def mass_matrix_by_jacobians(case: Case) -> bool:
    terms = []
    for i in case.links:
        mass, _, tensor = case.body(i)
        Jv, Jw, R = (case.known[f"{name}{i}"] for name in ("J_v", "J_omega", "R"))
        terms += [product(mass, transposed(Jv), Jv), product(transposed(Jw), R, tensor, transposed(R), Jw)]
    M = reduce(added, terms)
    return (
        case.known["M"] == M and product(Q(1, 2), transposed(case.known["qd"]), M, case.known["qd"]) == case.eq.K.value
    )


def kinetic_energy_without_a_half(case: Case) -> bool:
    printed = product(transposed(case.known["qd"]), case.known["M"], case.known["qd"])
    return printed != case.eq.K.value and printed * Q(1, 2) == case.eq.K.value


def inertia_integrals(case: Case) -> bool:
    """A box of density 1 from (0, 0, 0) to (1, 2, 3): I_xx = 6 (4 + 9)/3, I_xy = -(1/2) 2 3."""
    box = la.inertia.density(lambda x, y, z: 1.0, (0, 0, 0), (1, 2, 3)).I
    expected = [26, 20, 10, -3, -4.5, -9]
    found = [box.xx, box.yy, box.zz, box.xy, box.xz, box.yz]
    return all(abs(a - b) < 1e-9 for a, b in zip(found, expected, strict=True))
