"""Regrouping changes no torque: proved in exact numbers for every arm of the catalog, and on random trees."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind, reframed, regrouped
from leverarm.scalars import RATIONAL, Tape, is_zero
from leverarm.scalars.exact import EXACT, free_symbol, is_exactly_zero, symbol, unknown_angle
from leverarm.scalars.tape import evaluated
from leverarm.spatial import Force, MassMoments, Vec3
from tests.support.algorithms import state
from tests.support.levels import at_level
from tests.support.operation_counts import QUANTITIES, flops
from tests.support.random_arms import exact_state, random_arm

WRENCH = Force(Vec3(Fraction(1, 3), -2, 3), Vec3(4, Fraction(1, 2), -3))
TREES = range(at_level(4, 10, 24))


def turns_and_matrices(arm, q, qd, qdd):
    """All that must not change, over a ring."""
    still = [0] * arm.dof
    return [
        me.inverse_dynamics(arm, q, qd, qdd, {arm.tool: WRENCH}),
        me.mass_matrix(arm, q),
        me.coriolis_matrix(arm, q, qd),
        me.gravity_forces(arm, q),
        me.rigid_body_forces(arm, q, still, still, gravity=Vec3(1, 2, 3)),
        me.kinetic_energy(arm, q, qd),
        me.jacobian(arm, q, arm.tool),
        [[pose.position, pose.rotation] for pose in me.forward_kinematics(arm, q).values()],
    ]


@pytest.mark.parametrize("name", la.catalog_names())
def test_exactly_the_same_torques_for_every_arm_of_the_catalog(name):
    arm = la.load(name)
    original = bind(arm, RATIONAL)
    at = state(arm, RATIONAL)
    assert turns_and_matrices(regrouped(original), *at) == turns_and_matrices(original, *at)


@pytest.mark.parametrize("seed", TREES)
def test_exactly_the_same_torques_on_random_trees(seed):
    """Every kind of joint, odd axes, branches, couplings, friction and rotors."""
    arm = random_arm(seed)
    original = bind(arm, RATIONAL)
    at = exact_state(arm, seed)
    assert turns_and_matrices(regrouped(original), *at) == turns_and_matrices(original, *at)
    assert turns_and_matrices(reframed(original), *at) == turns_and_matrices(original, *at)
    assert regrouped_numbers(regrouped(regrouped(original))) == regrouped_numbers(regrouped(original))


def regrouped_numbers(arm):
    return [(link.inertia.numbers(), link.placement) for link in arm.links]


def unknown_state(arm):
    """Letters for a state: angles by cosine and sine, the rest by symbols."""
    turning = {body.joint.name: body.joint.kind.turns for body in arm.bodies}
    q = [unknown_angle(name) if turning[name] else free_symbol(symbol(name)) for name in arm.joint_names]
    return q, *([free_symbol(symbol(f"{name}.{dots}")) for name in arm.joint_names] for dots in ("d", "dd"))


@pytest.mark.parametrize("name", la.catalog_names())
def test_no_terms_are_left_in_the_exact_ring(name):
    """The differences of the closed forms have no terms: equal at every state and for every value of the symbols.

    M and g are a proof for all torques, because C follows from M; they are written out where that is quick.
    """
    arm = la.load(name)
    original = bind(arm, EXACT, {s: free_symbol(symbol(s)) for s, _ in arm.symbols})
    new, (q, qd, qdd) = regrouped(original), unknown_state(arm)
    assert same(me.mass_matrix(original, q), me.mass_matrix(new, q))
    assert same(me.gravity_forces(original, q), me.gravity_forces(new, q))
    if arm.dof <= 4:
        assert same(me.rigid_body_forces(original, q, qd, qdd), me.classical_forces(new, q, qd, qdd))
        assert same(me.coriolis_matrix(original, q, qd), me.classical_coriolis_matrix(new, q, qd))


def same(one, other) -> bool:
    if isinstance(one, list):
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    return is_exactly_zero(one - other)


@pytest.mark.parametrize("name", ["panda", "puma560", "ur5", "stanford", "torso"])
def test_what_is_left_of_a_link(name):
    """Seven numbers of a turning link, four of a sliding one; what is gone is a structural zero."""
    for link in regrouped(bind(la.load(name))).links:
        m, h, E = link.inertia.m, link.inertia.h, MassMoments.of(link.inertia).E
        if not link.turns:
            assert all(is_zero(part) for part in link.inertia.numbers()[4:])
            continue
        along = ("xx", "yy", "zz")[next(k for k, part in enumerate(link.axis) if part)]
        assert is_zero(m)
        assert is_zero(getattr(h, along[0]))
        assert getattr(E, along) == 0
        assert link.placement.position @ (link.placement.rotation @ link.axis) == 0


@pytest.mark.slow
def test_a_screw_keeps_mass_and_first_moment():
    found = []
    for arm in (bind(random_arm(seed), RATIONAL) for seed in range(99)):
        original, new = reframed(arm).links, regrouped(arm).links
        carried = {link.parent for link in original}
        screws = [i for i, link in enumerate(original) if link.turns and not is_zero(link.slide) and i not in carried]
        for i in screws:
            before, after, axis = original[i].inertia, new[i].inertia, new[i].axis
            assert (after.m, after.h) == (before.m, before.h)
            assert axis @ (MassMoments.of(after).E @ axis) == 0
        found += screws
    assert found


def test_masses_may_be_inputs_of_a_program():
    """Regrouping is a ring program: with a mass on the tape the torques are still linear in it and the same."""
    tape, arm = Tape(), la.load("rr")
    values = {name: tape.input(name) for name, _ in arm.symbols}
    q, qd, qdd = ([tape.input(f"{x}{i}") for i in range(2)] for x in ("q", "qd", "qdd"))
    mechanism = bind(arm, values=values)
    rng = random.Random(1)
    at = {name: rng.uniform(0.5, 1.5) for name in tape.inputs}
    given = {name: at[name] for name in values}
    numbers = [[at[f"{x}{i}"] for i in range(2)] for x in ("q", "qd", "qdd")]
    expected = me.inverse_dynamics(bind(la.with_values(arm, **given)), *numbers)
    got = evaluated(me.classical_inverse_dynamics(regrouped(mechanism), q, qd, qdd), at)
    assert got == pytest.approx(expected, rel=1e-13)


def test_potential_energy_differs_by_a_constant():
    arm = bind(la.load("panda"), RATIONAL)
    one, other = (state(replace(la.load("panda"), name=name), RATIONAL)[0] for name in ("one", "other"))
    change = [me.potential_energy(regrouped(arm), q) - me.potential_energy(arm, q) for q in (one, other)]
    assert one != other
    assert change[0] == change[1] != 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["panda", "puma560", "ur5", "stanford", "iiwa14", "xarm7"])
def test_it_saves_operations(name):
    """Some in every quantity but one: the Coriolis matrix of the Stanford arm, which slides, costs one in a hundred."""
    original = bind(la.load(name), RATIONAL)
    counts = {quantity: (flops(run, original), flops(run, regrouped(original))) for quantity, run in QUANTITIES.items()}
    assert all(after < before for quantity, (before, after) in counts.items() if quantity != "coriolis_matrix"), counts
    assert counts["coriolis_matrix"][1] <= 1.02 * counts["coriolis_matrix"][0]
    assert counts["inverse_dynamics"][1] < 0.9 * counts["inverse_dynamics"][0]
