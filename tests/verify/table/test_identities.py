"""The identities of Table 3.3.1: proven in letters, exact at random states, and refuted as soon as a term is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import leverarm as la
from leverarm.closed_form.base_parameters import base_parameters
from leverarm.mechanics.regressor import kinds_of
from leverarm.model import Arm, Body, Joint, JointKind, MassProperties, Motor, Placement, bind
from leverarm.scalars import RATIONAL
from leverarm.spatial import Inertia, Symmetric3, Vec3
from leverarm.verify.table import exact_states as module
from leverarm.verify.table import identities
from leverarm.verify.table.definiteness import is_semidefinite, positive_definite
from leverarm.verify.table.exact_states import ExactStates, exact_states
from leverarm.verify.table.identities import (
    AT_REST,
    ENERGY,
    FACTORISED,
    LINEAR,
    QUADRATIC,
    SKEW,
    SYMMETRIC,
    Identity,
    base_parameters_property,
    linearity_property,
    property_of,
)
from leverarm.verify.table.velocity_terms import velocity_terms, velocity_terms_property
from tests.support.loaded_arms import under_load
from tests.support.random_arms import random_arm

ALL = (SYMMETRIC, QUADRATIC, FACTORISED, SKEW, AT_REST, ENERGY, LINEAR)
MIXED_TREE = 28
"""A random tree small enough to be proven in a blink, all of whose forces depend on the speeds."""


def at_random(arm: Arm, monkeypatch: pytest.MonkeyPatch) -> ExactStates:
    """The states of an arm taken for one that is too large."""
    monkeypatch.setattr(module, "MAX_TERMS", 0)
    return exact_states(arm)


@pytest.mark.parametrize("name", ["elbow", "polar", "spherical", "scara", "stanford", "puma560", "torso", "panda"])
def test_every_identity_is_proven_for_arms_of_the_catalog(name: str) -> None:
    states = exact_states(la.load(name))
    assert states.how == "exact identity"
    for identity in ALL:
        line = property_of(identity, states)
        assert (line.value, line.how) == ("proven", "exact identity"), line
    assert ("whatever the symbols are" in states.note) == bool(states.arm.symbols)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4, 7])
def test_large_trees_are_looked_at_over_the_rationals(seed: int) -> None:
    states = exact_states(random_arm(seed))
    assert states.how == "exact at random rational states"
    assert states.equations is None
    for identity in ALL:
        line = property_of(identity, states)
        assert line.value == f"holds at {len(states.states)} random states", line
        assert line.how == "exact at random rational states"
        assert "chance below" in line.detail[-1]


def _wrong(matrix: list[list], i: int = 0, j: int = 0) -> list[list]:
    """A matrix with one entry changed by one."""
    return [[x + 1 if (a, b) == (i, j) else x for b, x in enumerate(row)] for a, row in enumerate(matrix)]


def _falsified(states: ExactStates, **fields) -> ExactStates:
    return replace(states, states=(*states.states[:-1], replace(states.states[-1], **fields)))


@pytest.mark.slow
@pytest.mark.parametrize("exact", [True, False])
def test_a_wrong_term_refutes_the_identity_it_breaks(exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = random_arm(MIXED_TREE)
    states = exact_states(arm) if exact else at_random(arm, monkeypatch)
    state = states.states[-1]
    n = range(len(state.q))
    transposed = [[state.C[j][i] for j in n] for i in n]
    falsehoods: list[tuple[Identity, dict]] = [
        (SYMMETRIC, {"M": _wrong(state.M, 0, 1)}),
        (QUADRATIC, {"c_stretched": state.c}),
        (FACTORISED, {"c": [-x for x in state.c]}),
        (SKEW, {"C": _wrong(state.C)}),
        (SKEW, {"C": [[2 * x for x in row] for row in state.C]}),
        (SKEW, {"M_dot": [[-x for x in row] for row in state.M_dot]}),
        (FACTORISED, {"C": transposed}),
        (ENERGY, {"tau": [state.tau[0] + 1, *state.tau[1:]]}),
        (ENERGY, {"tau": [-x for x in state.tau]}),
        (LINEAR, {"tau": [*state.tau[:-1], state.tau[-1] - state.c[-1]]}),
    ]
    for identity, fields in falsehoods:
        line = property_of(identity, _falsified(states, **fields))
        assert line.value == "does not hold", (identity.key, list(fields))


def test_the_mechanics_themselves_are_under_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the gyroscopic force of a link, c is wrong; the power is not, because that force does no work."""
    monkeypatch.setattr(Inertia, "newton_euler", lambda body, v, a: body @ a)
    states = exact_states(la.load("elbow"))
    assert {identity.key for identity in ALL if property_of(identity, states).value != "proven"} == {
        "factorised",
        "linear",
    }


def test_coriolis_torques_that_do_not_vanish_at_rest_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    states = exact_states(la.load("elbow"))
    monkeypatch.setattr(identities.me, "coriolis_torques", lambda arm, q, qd: [1, 0])
    assert property_of(AT_REST, states).value == "does not hold"


def test_joints_coupled_by_a_fraction_are_moved_by_themselves() -> None:
    """cos(q/2) is no polynomial in cos(q): neither letters nor rationals can hold the coupled arm."""
    first = Body("a", "base", Joint("q1", JointKind.REVOLUTE), _body())
    follower = Joint("q2", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0)), coupling=(("q1", Fraction(1, 2)),))
    arm = Arm("halved", (first, Body("b", "a", follower, _body())), gravity=Vec3(0, -10, 0))
    states = exact_states(arm)
    assert states.how == "exact at random rational states"
    assert "moved by itself" in states.note
    assert all(property_of(identity, states).value.startswith("holds at") for identity in ALL)
    assert linearity_property(states).detail[0] == "W is 1 x 20."
    assert base_parameters_property(states).how == "none"


def _body(mass: int = 2) -> MassProperties:
    return MassProperties(mass, Vec3(1, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1))


def test_the_velocity_terms_of_the_elbow_are_those_of_the_book() -> None:
    """Equations 13 and 14 of Example 3.2-2: -m2 a1 a2 (2 th1' th2' + th2'^2) s2 and m2 a1 a2 th1'^2 s2."""
    states = exact_states(la.load("elbow"))
    eq = states.equations
    found = {(t.coordinate, t.first, t.second): (t.kind, t.formula) for t in velocity_terms(states)}
    assert found == {
        (0, 0, 1): ("Coriolis", eq.parse("-2 m2 a1 a2 s2 thetad1 thetad2")),
        (0, 1, 1): ("centripetal", eq.parse("-m2 a1 a2 s2 thetad2^2")),
        (1, 0, 0): ("centripetal", eq.parse("m2 a1 a2 s2 thetad1^2")),
    }
    line = velocity_terms_property(states)
    assert line.value == "1 of 2 Coriolis, 2 of 4 centripetal"
    assert line.detail[1] == "c_2 (theta2): no Coriolis term; centripetal m2 a1 a2 s2 thetad1^2."


@pytest.mark.parametrize("name", ["spherical", "puma560"])
def test_the_velocity_terms_add_up_to_the_coriolis_torques(name: str) -> None:
    states = exact_states(la.load(name))
    for i, force in enumerate(states.equations.c.values):
        parts = [term.formula.value for term in velocity_terms(states) if term.coordinate == i]
        assert sum(parts, start=0) == force


def test_random_states_see_the_products_that_letters_see(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = la.load("puma560")
    proven = {(t.coordinate, t.first, t.second) for t in velocity_terms(exact_states(arm))}
    seen = velocity_terms(at_random(arm, monkeypatch))
    assert {(t.coordinate, t.first, t.second) for t in seen} == proven
    assert all(t.formula is None for t in seen)


@dataclass(frozen=True)
class Lower:
    lower: float | None


def test_definite_for_every_position_where_the_links_show_it() -> None:
    line = positive_definite(exact_states(la.load("elbow")))
    assert (line.value, line.how) == ("proven for every q", "exact identity")
    assert "det M = m2 (m1 + m2 s2^2) a1^2 a2^2." in line.detail


def test_a_joint_whose_link_does_not_resist_it_leaves_the_proof_to_the_bound() -> None:
    """The polar arm's guide has no mass: M = diag(m r^2, m) is singular at r = 0."""
    states = exact_states(la.load("polar"))
    assert positive_definite(states).value == "semidefinite; definite almost everywhere"
    assert "det M = m^2 r^2." in positive_definite(states).detail
    assert positive_definite(states, Lower(0.0)).how == "exact at random rational states"
    assert positive_definite(states, Lower(None)).how == "exact at random rational states"
    bounded = positive_definite(states, Lower(0.25))
    assert (bounded.value, bounded.how) == ("proven over the box", "certified enclosure")


def _two_joints(first: MassProperties, second: MassProperties, motor: Motor | None = None) -> Arm:
    """Two revolute joints about the same axis: with the first link empty, both move the second one alike."""
    bodies = (
        Body("a", "base", Joint("q1", JointKind.REVOLUTE, motor=motor), first),
        Body("b", "a", Joint("q2", JointKind.REVOLUTE), second),
    )
    return Arm("doubled", bodies)


@pytest.mark.parametrize(
    ("arm", "value"),
    [
        (_two_joints(_body(), _body()), "proven for every q"),
        (_two_joints(MassProperties(), _body()), "only semidefinite"),
        (_two_joints(MassProperties(), _body(), Motor(Fraction(1, 100), 50)), "proven for every q"),
        (_two_joints(MassProperties(), _body(), Motor(0, 50)), "only semidefinite"),
        (
            _two_joints(_body(), MassProperties(1, Vec3(0, 0, 0), Symmetric3(1, 0, 1, 0, 0, -3))),
            "not positive definite",
        ),
        (
            _two_joints(_body(), MassProperties(1, Vec3(1, 0, 0), Symmetric3(-1, 0, 1, 0, 0, 1))),
            "positive definite at random positions",
        ),
    ],
)
def test_what_is_proven_of_definiteness(arm: Arm, value: str) -> None:
    assert positive_definite(exact_states(arm)).value == value


def test_semidefinite_bodies_are_told_from_impossible_ones() -> None:
    point = Inertia.from_com(Fraction(2), Vec3(1, 2, 3), Symmetric3(0, 0, 0, 0, 0, 0))
    assert is_semidefinite(point)
    assert not is_semidefinite(replace(point, I=point.I - Symmetric3(Fraction(1, 10**12), 0, 0, 0, 0, 0)))
    assert not is_semidefinite(replace(point, m=Fraction(-2)))
    near = Inertia(Fraction(2), Vec3(2, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1))  # a point one metre away has Iyy = 2
    assert not is_semidefinite(near)
    assert is_semidefinite(Inertia(0, Vec3(0, 0, 0), Symmetric3(1, 0, 0, 0, 0, 0)))
    assert not is_semidefinite(Inertia(0, Vec3(1, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1)))
    indefinite = Symmetric3(0, 1, 0, 0, 0, 5)  # its leading minors of order one and three do not tell
    assert not is_semidefinite(Inertia(0, Vec3(0, 0, 0), indefinite))


def test_parameters_regressor_and_base_parameters_of_the_elbow() -> None:
    states = exact_states(la.load("elbow"))
    line = linearity_property(states)
    assert line.detail[0] == "W is 2 x 20."
    base = base_parameters_property(states)
    assert base.value == "6 of 20"
    assert {"link1.hx + a1 link2.m.", "link1.Izz + a1^2 link2.m."} <= set(base.detail)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spherical", "puma560", "stanford", "torso"])
def test_the_rank_at_random_states_is_the_number_of_base_parameters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = la.load(name)
    exact = exact_states(arm).equations.exact
    count = len(base_parameters(exact, kinds_of(exact.mechanism)))
    line = base_parameters_property(at_random(arm, monkeypatch))
    assert line.value.split(" of ")[0] == str(count)
    assert line.how == "exact at random rational states"


def test_smooth_friction_is_linear_in_its_parameters_too(monkeypatch: pytest.MonkeyPatch) -> None:
    joint = Joint("q", JointKind.REVOLUTE, friction=la.Friction(0.5, 0.2, smoothing=0.01, offset=0.1))
    arm = Arm("smooth", (Body("a", "base", joint, _body()),))
    assert property_of(LINEAR, exact_states(arm)).value == "proven"
    assert property_of(LINEAR, at_random(arm, monkeypatch)).value.startswith("holds at")


def test_the_chance_of_a_false_identity_is_bounded_by_its_degree() -> None:
    """One revolute joint: M is of degree two in (cos, sin), so four in the tangent; power is cubic in the speed."""
    arm = Arm("one", (Body("a", "base", Joint("q", JointKind.REVOLUTE), _body()),))
    assert module.degree(bind(arm, RATIONAL)) == 7
    assert math.isclose((7 / (2 * module.NUMERATORS + 1)) ** module.MANY, 4.5e-19, rel_tol=0.05)


def test_friction_under_load_is_linear_at_a_given_load_only(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = under_load(la.load("elbow"), 0.05)
    for states in (exact_states(arm), at_random(arm, monkeypatch)):
        line = linearity_property(states)
        assert line.value == "proven" or line.value.startswith("holds at")
        assert line.statement.endswith("W(q, qd, qdd, |tau_l|) phi: linear in the parameters at a given load only.")
        assert "2 load: theta1.load, theta2.load." in line.detail
        assert line.detail[-1].startswith(
            "the friction of theta1, theta2 grows with the load |tau_l|, which depends on"
        )
        assert base_parameters_property(states).value.startswith("10 of 24")
