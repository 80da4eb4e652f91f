"""M^-1, qdd, N and tau_d in closed form: the definitions hold with tolerance zero, and at rational states."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.errors import InputError, SingularError
from leverarm.model import DRY_LAWS, VISCOUS_LAWS, MassProperties, bind
from leverarm.scalars import RATIONAL, Turn
from leverarm.scalars.exact import Polynomial, Quotient, is_exactly_zero, substitute
from tests.support.levels import at_level
from tests.support.loaded_arms import under_load
from tests.support.random_arms import exact_state, random_arm

SMALL = tuple(name for name in la.catalog_names() if la.load(name).dof <= 4)
STATES = at_level(20, 1000, 1000)
"""In all, spread over the arms."""


def drawn(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-40, 40), rng.randint(1, 9))


@pytest.mark.parametrize("name", [*SMALL, "stanford"])
def test_the_inverse_times_m_is_one(name):
    eq = la.equations(la.load(name))
    n = range(len(eq.M))
    for i in n:
        for j in n:
            entry = sum((eq.M_inverse.values[i][k] * eq.M.values[k][j] for k in n), start=0)
            assert entry == int(i == j)


@pytest.mark.parametrize("name", SMALL)
def test_entries_are_in_lowest_terms(name):
    """No letter, number or sum divides both: the numerator's and the denominator's common divisor is a number."""
    eq = la.equations(la.load(name))
    for entry in (*eq.M_inverse, *eq.qdd):
        if isinstance(entry.value, Quotient) and isinstance(entry.value.numerator, Polynomial):
            assert entry.value.numerator.p.gcd(entry.value.denominator.p).is_constant()


@pytest.mark.parametrize("name", SMALL)
def test_accelerations_are_those_of_forward_dynamics_at_rational_states(name):
    """The closed form against the articulated-body algorithm over the rationals, with tolerance zero."""
    arm, rng = la.load(name), random.Random(name)
    eq, n = la.equations(arm), arm.dof
    mechanism = bind(arm, RATIONAL)
    symbols = {symbol: Fraction(str(value)) for symbol, value in arm.defaults.items()}
    forces = [entry.text() for entry in eq.forces]
    for _ in range(-(-STATES // len(SMALL))):
        q = [Turn.from_half_tangent(drawn(rng), 0) if isinstance(x, Turn) else drawn(rng) for x in eq.exact.q]
        qd, tau = ([drawn(rng) for _ in range(n)] for _ in range(2))
        given = dict(zip(arm.coordinates, q, strict=True)) | dict(zip(forces, tau, strict=True)) | symbols
        given |= {f"{name}.d": speed for name, speed in zip(arm.coordinates, qd, strict=True)}
        found = [_number(substitute(x, given)) for x in eq.qdd.values]
        assert found == me.forward_dynamics(mechanism, q, qd, tau)


def _number(x):
    return x if not isinstance(x, Polynomial) else next(c for _, c in x.terms())


@pytest.mark.parametrize("name", [*SMALL, "puma560"])
def test_n_and_tau_d_are_what_the_equations_of_motion_leave(name):
    eq = la.equations(la.load(name))
    assert list(eq.bias) == list(eq.formulas(me.bias(eq.exact.mechanism, eq.exact.q, eq.exact.qd)))
    inertial = me.apply(eq.M.values, eq.exact.qdd)
    for parts in zip(eq.residual.values, inertial, eq.bias.values, eq.forces.values, strict=True):
        disturbance, own, bias, given = parts
        assert is_exactly_zero(disturbance + own + bias - given)


def test_a_motion_by_the_closed_form_leaves_no_disturbance():
    eq = la.equations(la.load("elbow"))
    for value in eq.residual.values:
        left = substitute(value, {f"{name}.dd": 0 for name in eq.exact.coordinates})
        for name, x in zip(eq.exact.coordinates, eq.qdd.values, strict=True):
            left = left + eq.formula(value).diff(f"{name}.dd").value * x
        assert left == 0


@pytest.mark.parametrize("seed", range(6))
def test_friction_is_its_viscous_and_its_dry_part(seed):
    """On random trees with asymmetric, load-dependent and shaft friction; the dry part knows only signs of speeds."""
    arm = under_load(random_arm(seed, joints=3)) if seed % 2 else random_arm(seed, joints=4)
    mechanism = bind(arm, RATIONAL)
    q, qd, _ = exact_state(arm, seed)
    load = me.joint_loads(mechanism, q, qd)
    viscous = me.friction(mechanism, qd, load=load, laws=VISCOUS_LAWS)
    dry = me.friction(mechanism, qd, load=load, laws=DRY_LAWS)
    assert [a + b for a, b in zip(viscous, dry, strict=True)] == me.friction(mechanism, qd, load=load)
    faster = [3 * x for x in qd]
    assert me.friction(mechanism, faster, load=load, laws=VISCOUS_LAWS) == [3 * x for x in viscous]
    assert me.friction(mechanism, faster, load=load, laws=DRY_LAWS) == dry


def test_friction_of_closed_forms_and_floats_is_split_alike():
    arm = la.load("puma560")
    eq, qd = la.equations(arm), np.random.default_rng(2).uniform(-2, 2, arm.dof)
    for formulas, numbers in (
        (eq.viscous_friction, la.quantities.viscous_friction(arm, qd)),
        (eq.dry_friction, la.quantities.dry_friction(arm, qd)),
    ):
        assert abs(numbers).min() > 0
        assert formulas.numpy()(np.zeros(6), qd) == pytest.approx(numbers, rel=1e-14)


@pytest.mark.parametrize("form", ["text", "latex", "python", "sympy", "json", "html", "markdown"])
def test_every_form_writes_them(form):
    text = la.equations(la.load("elbow")).text(["Minv", "qdd", "N", "tau_d", "F", "Fv", "Fd"], form)
    assert all(word in text for word in ("inverse of the mass matrix", "disturbance torques", "dry friction"))


def test_the_python_form_takes_the_torques_as_a_state():
    arm, rng = la.load("polar"), np.random.default_rng(0)
    module: dict = {}
    exec(la.equations(arm).text(["qdd", "tau_d", "Minv"], "python"), module)
    q, qd, tau = rng.uniform(0.5, 1, (3, 5, 2))
    found = module["qdd"](q, qd, tau)
    expected = [la.forward_dynamics(arm, *state) for state in zip(q, qd, tau, strict=True)]
    assert found == pytest.approx(np.array(expected))
    assert module["tau_d"](q, qd, found, tau) == pytest.approx(np.zeros((5, 2)), abs=1e-12)
    assert module["M_inverse"](q) @ la.mass_matrix(arm, q[0])[None] == pytest.approx(
        np.array([np.linalg.inv(la.mass_matrix(arm, x)) @ la.mass_matrix(arm, q[0]) for x in q])
    )


def test_what_has_no_readable_inverse_is_refused():
    with pytest.raises(InputError, match=r"'panda': the determinant of its mass matrix would have up to .* M_inverse"):
        _ = la.equations(la.load("panda")).M_inverse
    mass = la.load("point-mass")
    massless = replace(mass, bodies=tuple(replace(b, mass_properties=MassProperties()) for b in mass.bodies))
    with pytest.raises(SingularError, match="has no inverse at any pose"):
        _ = la.equations(massless).M_inverse
