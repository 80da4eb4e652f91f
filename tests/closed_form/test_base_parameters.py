"""Base parameters: their number, their regrouping, and W phi = W_base phi_base with tolerance zero."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import exact_arm
from leverarm.closed_form.base_parameters import base_parameters, base_regressor, base_values
from leverarm.closed_form.dependence import dependence
from leverarm.errors import InputError
from leverarm.model import Arm, Body, Friction, Joint, JointKind, Motor, Placement, bind
from leverarm.model.symbolic import symbolic
from leverarm.scalars.exact import Polynomial, Quotient, evaluate, is_exactly_zero, letter, ring_of, root, symbol
from leverarm.spatial import Vec3
from tests.support.random_arms import UNIT_AXES, mass_properties, random_arm, vector

KINDS = ("inertial", "viscous", "coulomb", "offset", "rotor")
COUNTS = {
    "rr": 6, "elbow": 6, "planar3r": 9, "scara": 8, "stanford": 33, "puma560": 36, "ur5": 36, "panda": 43, "iiwa14": 43, "torso": 58,
}  # fmt: skip


def regrouping(base) -> dict[str, str]:
    return {e.name: " + ".join(f"({c}) {name}" for c, name in e.regrouping) for e in base.entries}


def assert_exact(exact, base) -> None:
    """W phi = W_base phi_base identically, for parameters that are letters."""
    names = [entry.name for entry in me.parameters(exact.mechanism, base.kinds)]
    letters = [symbol(f"phi {name}") for name in names]
    ring = ring_of([*exact.ring.generators, *letters])
    phi = [letter(ring, x.name) for x in letters]
    W = me.regressor(exact.mechanism, exact.q, exact.qd, exact.qdd, base.kinds)
    W_base = base_regressor(base, exact.mechanism, exact.q, exact.qd, exact.qdd)
    phi_base = base_values(base, dict(zip(names, phi, strict=True)))
    for row, base_row in zip(W, W_base, strict=True):
        whole = sum((w * x for w, x in zip(row, phi, strict=True)), start=0)
        short = sum((w * x for w, x in zip(base_row, phi_base, strict=True)), start=0)
        assert not is_exactly_zero(whole)
        assert is_exactly_zero(whole - short)


def rank_of_floats(arm: Arm, kinds=("inertial",), samples: int = 40) -> int:
    """The rank of regressors stacked over random states."""
    rng, mechanism = np.random.default_rng(3), bind(arm)
    W = np.vstack([me.regressor(mechanism, *rng.uniform(-2, 2, (3, arm.dof)).tolist(), kinds) for _ in range(samples)])
    W = W.astype(float)
    size = np.abs(W).max(axis=0)
    singular = np.linalg.svd(W / np.where(size > 1e-9 * size.max(), size, 1), compute_uv=False)
    return int((singular > 1e-10 * singular[0]).sum())


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_known_arms(name):
    arm = la.load(name)
    exact = exact_arm(arm)
    base = base_parameters(exact)
    assert len(base) == COUNTS[name] == rank_of_floats(arm)
    named = base_parameters(exact_arm(symbolic(arm, "geometry", "gravity")))
    assert named.names == base.names
    assert named.unidentifiable == base.unidentifiable


@pytest.mark.parametrize("name", ["rr", "scara", "stanford", "puma560", "torso"])
def test_equal_forces_with_symbolic_geometry(name):
    exact = exact_arm(symbolic(la.load(name), "geometry", "gravity"))
    assert_exact(exact, base_parameters(exact))


@pytest.mark.slow
def test_equal_forces_of_the_panda():
    exact = exact_arm(la.load("panda"))
    assert_exact(exact, base_parameters(exact))


def test_regrouping_of_the_vertical_two_link_arm():
    base = base_parameters(exact_arm(la.load("rr")))
    assert regrouping(base) == {
        "link1.hx": "(1) link1.hx + (l1) link2.m",
        "link1.hy": "(1) link1.hy",
        "link1.Izz": "(1) link1.Izz + (l1^2) link2.m",
        "link2.hx": "(1) link2.hx",
        "link2.hy": "(1) link2.hy",
        "link2.Izz": "(1) link2.Izz",
    }
    assert base.unidentifiable == tuple(
        f"link{i}.{name}"
        for i in (1, 2)
        for name in ("m", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz")
        if (i, name) != (2, "m")
    )


def test_regrouping_of_the_puma_is_the_published_one():
    """Khalil and Dombre, Modeling, Identification and Control of Robots, section 9.4: m, hz and Iyy move inward."""
    base = base_parameters(exact_arm(symbolic(la.load("puma560"), "geometry")))
    rows = regrouping(base)
    assert rows["link6.Ixx"] == "(1) link6.Ixx + (-1) link6.Iyy"
    assert rows["link5.Izz"] == "(1) link5.Izz + (1) link6.Iyy"
    assert rows["link3.hy"] == "(1) link3.hy + (Ly4) link4.m + (1) link4.hz + (Ly4) link5.m + (Ly4) link6.m"
    assert rows["link2.Ixz"] == (
        "(1) link2.Ixz + (-Lx3*Lz3) link3.m + (-Lx3) link3.hz + (-Lx3*Lz3) link4.m + (-Lx3*Lz3) link5.m + (-Lx3*Lz3) link6.m"
    )
    kept = {name.split(".")[1] for name in base.names if not name.startswith("link1")}
    assert kept == {"hx", "hy", "Ixx", "Ixy", "Ixz", "Iyz", "Izz"}
    assert "Lz1" not in " ".join(rows.values())


def test_numbers_of_the_base_parameters_give_the_forces():
    arm = la.load("panda")
    exact, mechanism = exact_arm(arm), bind(arm)
    base = base_parameters(exact)
    values = {entry.name: entry.value for entry in me.parameters(mechanism, base.kinds)}
    phi = [float(x) for x in base_values(base, values)]
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 7)).tolist()
        tau = np.array(base_regressor(base, mechanism, q, qd, qdd), float) @ phi
        np.testing.assert_allclose(
            tau, me.rigid_body_forces(mechanism, q, qd, qdd), rtol=0, atol=1e-12 * abs(tau).max()
        )


def simple_chain(seed: int, turns: tuple[float, ...], axes) -> Arm:
    rng = random.Random(seed)
    bodies = []
    for i in range(rng.randint(2, 5)):
        kind = rng.choice((JointKind.REVOLUTE, JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.HELICAL))
        parents = [b.name for b in bodies[-2:]] or ["base"]
        angles = Vec3(rng.choice(turns), 0, rng.choice(turns))
        pitch = Fraction(1, 7) if kind is JointKind.HELICAL else 0
        joint = Joint(f"j{i}", kind, Placement(vector(rng), angles), Vec3(*rng.choice(axes)), pitch=pitch)
        bodies.append(Body(f"b{i}", rng.choice(parents), joint, mass_properties(rng)))
    return Arm(f"simple {seed}", tuple(bodies), gravity=Vec3(0, rng.choice((0, 3)), -10))


@pytest.mark.parametrize("seed", range(24))
def test_random_chains_and_trees_with_symbolic_lengths(seed):
    quarters, eighths = (0.0, math.pi / 2, -math.pi / 2, math.pi), (0.0, math.pi / 4, math.pi / 3, -math.pi / 2)
    diagonals = [(1, 1, 0), (1, 0, -1), (0, 0, 1)]
    turns, axes = ((quarters, UNIT_AXES[:4]), (eighths, UNIT_AXES[:1]), (quarters, diagonals))[seed % 3]
    arm = symbolic(simple_chain(seed, turns, axes), "geometry", "gravity")
    exact = exact_arm(arm)
    base = base_parameters(exact)
    assert len(base) == rank_of_floats(arm)
    assert_exact(exact, base)
    assert not any(isinstance(c, Quotient) for e in base.entries for c, _ in e.regrouping)


@pytest.mark.parametrize("seed", [0, 3, 4, 8, 12])
def test_random_trees_with_everything(seed):
    """Angles that are no fractions of a turn, oblique axes, couplings, rotors, friction, fixed bodies."""
    arm = random_arm(seed, joints=2)
    exact = exact_arm(arm)
    for kinds in (("inertial",), KINDS):
        base = base_parameters(exact, kinds)
        assert len(base) == rank_of_floats(arm, kinds)
    assert_exact(exact, base_parameters(exact))


def test_rotors_are_counted_to_the_moments_of_the_first_two_links():
    exact = exact_arm(symbolic(la.load("puma560"), "geometry", "motors"))
    base = base_parameters(exact, ("inertial", "rotor"))
    rows = regrouping(base)
    assert len(base) == 40
    assert rows["link1.Izz"].endswith("(N1^2) joint1.rotor")
    assert rows["link2.Izz"].endswith("(N2^2) joint2.rotor")
    assert [name for name in base.names if "rotor" in name] == [f"joint{i}.rotor" for i in range(3, 7)]
    assert_exact(exact, base)


def test_friction_is_independent_of_inertia():
    arm = la.load("puma560")
    exact = exact_arm(arm)
    base = base_parameters(exact, ("viscous", "inertial", "coulomb"))
    assert len(base) == 36 + 12 + 12
    assert all(len(e.regrouping) == 1 for e in base.entries if e.name.startswith("joint"))
    assert len(base_parameters(exact, ("offset",))) == 6


def test_constant_forces_are_seen_together_with_weights_and_two_sided_friction():
    """A screw's weight is a constant force; so is the mean of forward and backward Coulomb friction, at any speed."""
    friction = Friction(0.1, 0.2, coulomb_negative=0.3, offset=0.05)
    screw = Joint("q1", JointKind.HELICAL, axis=Vec3(0, 0, 1), pitch=Fraction(1, 5), friction=friction)
    rng = random.Random(1)
    exact = exact_arm(Arm("screw", (Body("nut", "base", screw, mass_properties(rng)),), gravity=Vec3(0, 0, -10)))
    base = base_parameters(exact, ("inertial", "offset"))
    assert regrouping(base) == {
        "nut.Izz": "(1) nut.Izz + (1/25) nut.m",
        "q1.offset": "(1) q1.offset + (2) nut.m",
    }
    base = base_parameters(exact, ("coulomb", "offset"))
    assert regrouping(base) == {
        "q1.coulomb": "(1) q1.coulomb + (1) q1.coulomb_negative",
        "q1.offset": "(1) q1.offset + (-1) q1.coulomb_negative",
    }


def test_coupled_joints_share_their_friction_and_rotors():
    driven = Joint(
        "j2",
        JointKind.REVOLUTE,
        Placement(Vec3(1, 0, 0)),
        friction=Friction(1, 1),
        motor=Motor(1, 3),
        coupling=(("j1", 2),),
    )
    first = Joint("j1", JointKind.REVOLUTE, friction=Friction(1, 0), motor=Motor(1, 5))
    rng = random.Random(2)
    bodies = (Body("a", "base", first, mass_properties(rng)), Body("b", "a", driven, mass_properties(rng)))
    arm = Arm("belt", bodies, gravity=Vec3(0, -10, 0))
    base = base_parameters(exact_arm(arm), ("viscous", "rotor"))
    assert regrouping(base) == {
        "j1.viscous": "(1) j1.viscous + (4) j2.viscous",
        "j1.rotor": "(1) j1.rotor + (36/25) j2.rotor",
    }
    assert len(base_parameters(exact_arm(arm))) == rank_of_floats(arm)


@pytest.mark.parametrize("axis", [("cos(a)", "sin(a)", 0), (0, "cos(a)", "sin(a)"), (0, 0, 1)])
def test_symbolic_twists_and_axes(axis):
    rng = random.Random(5)
    tilted = Placement(Vec3(la.model.parse_quantity("L"), 0, 0), Vec3(la.model.parse_quantity("a"), 0, 0))
    parts = (la.model.parse_quantity(x) if isinstance(x, str) else x for x in axis)
    bodies = (
        Body("b1", "base", Joint("q1", JointKind.REVOLUTE, axis=Vec3(*parts)), mass_properties(rng)),
        Body("b2", "b1", Joint("q2", JointKind.REVOLUTE, tilted), mass_properties(rng)),
        Body("b3", "b2", Joint("q3", JointKind.PRISMATIC, tilted), mass_properties(rng)),
    )
    arm = Arm("twisted", bodies, symbols=(("a", 0.7), ("L", 0.5)))
    exact = exact_arm(arm)
    base = base_parameters(exact)
    assert len(base) == rank_of_floats(arm)
    assert_exact(exact, base)


def test_a_wrong_relation_is_never_believed():
    exact = exact_arm(la.load("elbow"))
    columns = [[x] for x in me.kinetic_energy_regressor(exact.mechanism, exact.q, exact.qd)]
    moving = {g.name for g in exact.ring.generators}
    first, last = (next(j for j in order if columns[j][0] != 0) for order in (range(20), reversed(range(20))))
    with pytest.raises(AssertionError, match="no exact relations"):
        dependence(exact.ring, columns, moving, range(20), {last: {first: Fraction(1)}})


def test_symbols_as_constants_are_not_taken_at_special_values():
    """Two functions that agree only where a = b are independent; where a is a letter that moves, they are others."""
    ring = ring_of([symbol("x"), symbol("a"), symbol("b")])
    x, a, b = (letter(ring, name) for name in "xab")
    found = dependence(ring, [[a * x], [b * x], [x * x]], {"x"}, range(3), {})
    assert found.independent == (0, 2)
    ratio = found.rows[0][1]
    assert isinstance(ratio, Quotient)
    assert ratio == b / a
    assert dependence(ring, [[a * x], [b * x]], {"x", "a", "b"}, range(2), {}).independent == (0, 1)


def test_square_roots_do_not_stay_below_a_fraction():
    ring = ring_of([symbol("x"), root(3)])
    x, r = letter(ring, "x"), letter(ring, "sqrt(3)")
    found = dependence(ring, [[(1 + r) * x], [2 * x]], {"x"}, range(2), {})
    assert found.rows[0][1] == r - 1
    assert isinstance(found.rows[0][1], Polynomial)


def test_coefficients_are_exact_elements():
    exact = exact_arm(la.load("rr"))
    row = {name: c for c, name in base_parameters(exact).entries[0].regrouping}
    assert isinstance(row["link2.m"], Polynomial)
    assert evaluate(row["link2.m"], {"l1": 0.75}) == 0.75


def test_unknown_kinds_are_named():
    with pytest.raises(InputError, match="kind of parameter named 'rotors'; did you mean 'rotor'"):
        base_parameters(exact_arm(la.load("rr")), ("rotors",))
