"""Closed forms are right, with tolerance zero: the routes agree as polynomials, and the properties are identities."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form.size import estimated_terms
from leverarm.errors import ArmError, InputError, LeverarmError, SingularError
from leverarm.model import Arm, Body, Frame, Friction, Joint, JointKind, MassProperties, Placement, parse_quantity
from leverarm.scalars.exact import is_exactly_zero
from leverarm.spatial import Symmetric3, Vec3
from tests.support.levels import at_level
from tests.support.random_arms import rational, vector

CHAINS = 200
AXES = (Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, -1))
QUARTERS = (0, math.pi / 2, -math.pi / 2, math.pi)
OTHER_TWISTS = (math.pi / 4, math.pi / 6, 0.3, -1.1, 5 * math.pi / 12)


def chain(seed: int) -> Arm:
    """2 to 6 joints that turn or slide, with all ten numbers of each link a symbol; every fifth has an odd twist."""
    rng = random.Random(seed)
    n = rng.randint(2, 6)
    odd = rng.randrange(n) if seed % 5 == 0 and n <= 4 else None
    bodies = []
    for i in range(n):
        rpy = Vec3(rng.choice(OTHER_TWISTS if i == odd else QUARTERS), rng.choice(QUARTERS), 0)
        kind = JointKind.REVOLUTE if rng.random() < 0.7 else JointKind.PRISMATIC
        joint = Joint(f"q{i + 1}", kind, Placement(vector(rng), rpy), rng.choice(AXES))
        properties = MassProperties(2, Vec3(Fraction(1, 2), 1, 2), Symmetric3(9, 0, 9, 0, 0, 9))
        bodies.append(Body(f"link{i + 1}", f"link{i}" if i else "base", joint, properties))
    gravity = Vec3(rational(rng), 0, Fraction(-981, 100))
    return la.symbolic(Arm(f"chain{seed}", tuple(bodies), gravity), "inertia")


def differences(a, b):
    return [x - y for x, y in zip(a, b, strict=True) if not is_exactly_zero(x - y)]


def assert_identities(eq: la.types.Equations) -> None:
    names, qd, qdd = eq.exact.coordinates, eq.exact.qd, eq.exact.qdd
    conservative = [t - f for t, f in zip(eq.tau.values, eq.friction.values, strict=True)]
    assert differences(conservative, eq.euler_lagrange.values) == [], "Newton-Euler minus Lagrange"
    collected = [
        a + b + c for a, b, c in zip(me.apply(eq.M.values, qdd), eq.c.values, eq.g.values, strict=True)
    ]  # fmt: skip
    assert differences(conservative, collected) == [], "tau = M qdd + C qd + g"
    n = range(len(names))
    S = [[eq.M_dot.values[i][j] - 2 * eq.C.values[i][j] for j in n] for i in n]
    assert all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n), "Mdot - 2 C is skew"
    phi = [entry.value for entry in eq.parameters.values()]
    assert differences(me.apply(eq.regressor.values, phi), eq.tau.values) == [], "W phi = tau"
    power = sum((v * f for v, f in zip(qd, conservative, strict=True)), start=0)
    assert is_exactly_zero(eq.time_derivative(eq.H.value) - power), "dH/dt = qd . tau"
    assert differences(eq.momentum.values, me.apply(eq.M.values, qd)) == [], "dL/dqd = M qd"
    assert differences(eq.g.values, me.gravity_forces(eq.exact.mechanism, eq.exact.q)) == [], "g = dP/dq"


@pytest.mark.parametrize("name", la.catalog_names())
def test_identities_of_every_catalog_arm(name):
    assert_identities(la.equations(la.load(name)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_identities_of_random_chains_with_symbolic_inertias(block):
    for seed in range(block, CHAINS, 10):
        assert_identities(la.equations(chain(seed)))


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "scara", "torso"])
def test_identities_with_symbolic_inertias_and_geometry(name):
    assert_identities(la.equations(la.symbolic(la.load(name), "inertia", "geometry")))


LARGE = ("panda", "xarm7", "iiwa14", "lwr", "kinova")


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in la.catalog_names() if n not in at_level(LARGE, LARGE[:2], ())])
def test_formulas_as_functions_agree_with_the_evaluation(name):
    arm = la.load(name)
    eq, rng = la.equations(arm), np.random.default_rng(1)
    states = rng.uniform(-1, 1, (3, 4, arm.dof))
    for formulas, evaluate in (
        (eq.M, lambda q, qd, qdd: la.mass_matrix(arm, q)),
        (eq.C, lambda q, qd, qdd: la.coriolis_matrix(arm, q, qd)),
        (eq.g, lambda q, qd, qdd: la.gravity(arm, q)),
        (eq.tau, lambda q, qd, qdd: la.inverse_dynamics(arm, q, qd, qdd)),
        (eq.friction, lambda q, qd, qdd: la.friction(arm, qd)),
        (eq.K, lambda q, qd, qdd: la.kinetic_energy(arm, q, qd)),
        (eq.P, lambda q, qd, qdd: la.potential_energy(arm, q)),
        (eq.jacobian(), lambda q, qd, qdd: la.jacobian(arm, q)),
        (eq.christoffel, lambda q, qd, qdd: la.christoffel(arm, q)),
    ):
        got, expected = formulas.numpy()(*states), np.array([evaluate(*state) for state in zip(*states, strict=True)])
        assert got.shape == expected.shape
        assert np.abs(got - expected).max() <= 1e-12 * max(1, np.abs(expected).max())


def test_symbols_are_arguments_of_the_functions():
    arm = la.load("elbow")
    M = la.equations(arm).M.numpy()
    assert M([0, 0], m2=3.0) == pytest.approx(la.mass_matrix(la.with_values(arm, m2=3.0), [0, 0]))
    assert M([0, 0], m2=np.array([1.0, 2.0])).shape == (2, 2, 2)
    with pytest.raises(InputError, match=r"symbol named 'm3'.*m2"):
        M([0, 0], m3=1)
    with pytest.raises(InputError, match="last axis must have 2 entries: theta1, theta2"):
        M([0, 0, 0])


def test_a_wrench_is_zero_unless_it_is_given():
    arm, q = la.load("elbow"), [0.3, 0.5]
    held = la.equations(arm).wrench_forces().numpy()
    assert held(q).tolist() == [0, 0]
    assert held(q, f_x=2.0, n_z=-1.0) == pytest.approx(la.jacobian(arm, q).T @ [0, 0, -1, 2, 0, 0])


def test_values_are_arrays_of_their_own():
    K = la.equations(la.load("elbow")).K.numpy()
    assert K([0, 0]) == 0 and K(np.zeros((3, 1, 2)), np.zeros((4, 2))).shape == (3, 4)
    g = la.equations(la.load("elbow")).g.numpy()(np.zeros((3, 2)))
    g[0] = 1  # not a view that cannot be written


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, rows",
    [("elbow", None), ("rp", None), ("planar3r", ("x", "y")), ("planar3r", ("x", "y", "wz")), ("spherical", None)],
)
def test_mass_at_the_tip_is_the_evaluated_one(name, rows):
    arm = la.load(name)
    q = np.linspace(0.4, 1.1, arm.dof)
    got = la.equations(arm).operational_inertia(rows=rows).numpy()(q)
    axes = rows or (("x", "y") if len(got) == 2 else ("x", "y", "z"))
    assert got == pytest.approx(la.operational_inertia(arm, q, axes=axes), rel=1e-10)


def test_mass_at_the_tip_where_it_has_none():
    with pytest.raises(SingularError, match="cannot move independently along x, y, z"):
        la.equations(la.load("planar3r")).operational_inertia(rows=("x", "y", "z"))


def test_an_outside_wrench_enters_by_the_transposed_jacobian():
    eq = la.equations(la.load("rr"))
    forces = eq.wrench_forces()
    J = eq.jacobian()
    for k, name in ((2, "n_z"), (3, "f_x"), (4, "f_y")):
        assert [forces[i].diff(name) == J[k, i] for i in range(2)] == [True, True]


def test_formula_objects():
    eq = la.equations(la.load("elbow"))
    M = eq.M
    assert M.shape == (2, 2)
    assert M[0, 1] == M[1, 0]
    assert M[1, 1].text() == str(M[1, 1]) == "m2 a2^2"
    assert M[1, 1].latex() == "m_2 a_2^2"
    assert M[1, 1]._repr_latex_() == "$\\displaystyle m_2 a_2^2$"
    assert (M[1, 1].terms, M[0, 0].terms, M.terms) == (1, 4, 9)
    assert M[0, 0].diff("theta2").text() == "-2 m2 a1 a2 s2"
    assert M[-1, -1] == M[1, 1]
    assert repr(M) == "<Formulas 2 x 2, 9 terms>"
    with pytest.raises(IndexError, match="outside of shape"):
        M[2, 0]
    with pytest.raises(IndexError, match="this has 2"):
        M[0]
    assert eq.christoffel[0, 0, 1].text() == "-m2 a1 a2 s2"
    assert list(eq.parameters)[:2] == ["link1.m", "link1.hx"]


def test_sympy_agrees_with_the_formula():
    import sympy

    eq = la.equations(la.load("elbow"))
    m2, a1, a2, t2 = sympy.symbols("m2 a1 a2 theta2")
    assert sympy.simplify(eq.M[0, 1].sympy() - (m2 * a2**2 + m2 * a1 * a2 * sympy.cos(t2))) == 0
    assert eq.M.sympy().shape == (2, 2)


@pytest.mark.parametrize("name", ["elbow", "polar", "scara", "puma560"])
def test_formulas_come_back_from_text_and_sympy(name):
    eq = la.equations(la.load(name))
    for formula in (*eq.M, *eq.c, *eq.g, eq.K):
        assert eq.parse(formula.text()) == formula
        if formula.terms < 60:
            assert eq.from_sympy(formula.sympy()) == formula


def test_names_of_coordinates_and_angles_can_be_chosen():
    arm = la.load("elbow")
    assert la.equations(arm, coordinates="q").c[1].text() == "m2 a1 a2 s2 qd1^2"
    assert la.equations(arm, angles="expanded").g[1].text() == "m2 g a2 cos(theta1 + theta2)"
    assert la.equations(la.load("panda")).notation.vocabulary.printed["joint1"] == "q1"
    with pytest.raises(InputError, match=r"coordinates='x'.*own"):
        la.equations(arm, coordinates="x")


@pytest.mark.parametrize(
    "name, message",
    [
        ("theta1", "coordinate"),
        ("thetad2", "time derivative"),
        ("c12", r"cos\(theta1 \+ theta2\)"),
        ("s_1", r"sin\(theta1\)"),
        ("m_1", "m1"),
        ("theta_2", "theta2"),
    ],
)
def test_symbols_that_collide(name, message):
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    heavy = replace(link2, mass_properties=replace(link2.mass_properties, mass=parse_quantity(name)))
    arm = replace(elbow, bodies=(elbow.bodies[0], heavy), symbols=(*elbow.symbols, (name, 1)))
    with pytest.raises(ArmError, match=f"'{name}'.*{message}|'{message}'.*{name}"):
        la.equations(arm)


def test_arms_that_are_too_large_are_refused_with_the_figure():
    bodies = []
    for i in range(15):
        joint = Joint(f"q{i}", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0), Vec3(math.pi / 2, 0, 0)))
        bodies.append(Body(f"b{i}", f"b{i - 1}" if i else "base", joint, MassProperties(1)))
    with pytest.raises(InputError, match=r"about 2\d,\d\d\d,\d\d\d terms.*limit is 100,000.*la.lock"):
        la.equations(Arm("snake", tuple(bodies)))


def arm_with_angle(angle: str, **symbols: float) -> Arm:
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    placed = replace(link2.joint, placement=Placement(Vec3(1, 0, 0), Vec3(parse_quantity(angle), 0, 0)))
    return replace(
        elbow, bodies=(elbow.bodies[0], replace(link2, joint=placed)), symbols=(*elbow.symbols, *symbols.items())
    )


@pytest.mark.parametrize("angle", ["pi/4", "pi/6", "pi/12", "0.3", "alpha", "2*alpha + pi/2", "-alpha"])
def test_any_twist_has_a_closed_form(angle):
    arm = arm_with_angle(angle, alpha=0.7)
    eq = la.equations(arm)
    assert_identities(eq)
    q = np.array([0.3, -0.8])
    assert eq.M.numpy()(q) == pytest.approx(la.mass_matrix(arm, q), rel=1e-13)
    assert eq.g[0].text()


@pytest.mark.parametrize("angle", ["alpha/2", "alpha*a1"])
def test_twists_that_cannot_be_represented(angle):
    with pytest.raises(LeverarmError, match=r"whole numbers.*name"):
        la.equations(arm_with_angle(angle, alpha=0.7))


def test_gears_of_angles_must_be_whole():
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    geared = replace(link2, joint=replace(link2.joint, coupling=(("theta1", Fraction(1, 2)),)))
    with pytest.raises(LeverarmError, match="whole numbers"):
        eq = la.equations(replace(elbow, bodies=(elbow.bodies[0], geared), coordinates=()))
        _ = eq.M


def test_helical_joints_keep_the_angle_and_its_cosine_apart():
    joint = Joint("q1", JointKind.HELICAL, pitch=Fraction(1, 10))
    body = Body("nut", "base", joint, MassProperties(parse_quantity("m"), Vec3(parse_quantity("r"), 0, 0)))
    arm = Arm("screw", (body,), Vec3(0, 0, parse_quantity("-g")), symbols=(("m", 2), ("r", 0.5), ("g", 9.81)))
    eq = la.equations(arm)
    assert_identities(eq)
    assert eq.g[0].text() == "0.1 m g"
    assert eq.P.text() == "0.1 m g q1"


def test_frames_are_named():
    eq = la.equations(la.load("elbow"))
    assert eq.position("link2")[0].text() == "a1 c1"
    assert Frame("x", "link1").name not in eq.arm.frames
    with pytest.raises(InputError, match=r"frame named 'tol'.*tool"):
        eq.jacobian("tol")


def test_odd_angles_weigh_in_the_estimate_and_near_right_ones_are_named():
    elbow = la.load("elbow")
    turned = [
        replace(body, joint=replace(body.joint, placement=replace(body.joint.placement, rpy=Vec3(1.5708, 0.3, 0.2))))
        for body in elbow.bodies
    ]
    odd = replace(elbow, bodies=tuple(turned))
    assert estimated_terms(odd) > 5 * estimated_terms(elbow)
    with pytest.raises(InputError, match=r"rpy x is 1.5708, nearly a multiple of pi/2"):
        la.equations(odd, max_terms=10)
    with pytest.raises(InputError, match=r"max_terms=0"):
        la.equations(elbow, max_terms=0)


def test_numbers_that_explode_are_refused_before_the_work():
    arm = arm_with_mass("(m1 + m2 + a1 + a2 + g)^16")
    with pytest.raises(ArmError, match=r"body 'link2' mass: this number has up to 4,845 terms"):
        la.equations(arm)


def arm_with_mass(mass: str, **symbols: float) -> Arm:
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    heavy = replace(link2, mass_properties=replace(link2.mass_properties, mass=parse_quantity(mass)))
    return replace(elbow, bodies=(elbow.bodies[0], heavy), symbols=(*elbow.symbols, *symbols.items()))


@pytest.mark.parametrize("joint", ["Gelenk für", "日本", "x.y", "joint-1", "s1", '"q"'])
def test_joints_of_any_name_have_closed_forms(joint):
    elbow = la.load("elbow")
    named = replace(elbow.bodies[0], joint=replace(elbow.bodies[0].joint, name=joint))
    eq = la.equations(replace(elbow, bodies=(named, elbow.bodies[1]), coordinates=()))
    assert_identities(eq)
    assert eq.c[1].text() == "m2 a1 a2 s2 qd1^2"
    assert eq.parse(eq.K.text()) == eq.K
    assert str(eq.c[1].sympy()) == "a1*a2*m2*qd1**2*sin(q2)"


def test_axes_with_symbols_are_of_length_one():
    elbow = la.load("elbow")
    for axis, fits in ((("cos(al)", "sin(al)", 0), True), (("ux", "uy", 0), False)):
        vector_of = Vec3(*(parse_quantity(x) if isinstance(x, str) else x for x in axis))
        joint = replace(elbow.bodies[1].joint, axis=vector_of)
        symbols_of_axis = (("al", 0.3),) if fits else (("ux", 0.6), ("uy", 0.8))
        arm = replace(
            elbow,
            bodies=(elbow.bodies[0], replace(elbow.bodies[1], joint=joint)),
            symbols=(*elbow.symbols, *symbols_of_axis),
        )
        if fits:
            assert_identities(la.equations(arm))
        else:
            with pytest.raises(ArmError, match=r"axis of joint 'theta2' has symbols and is not of length one"):
                la.equations(arm)


def test_an_angle_may_be_a_length_too():
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    placed = replace(
        link2.joint, placement=Placement(Vec3(parse_quantity("2*al"), 0, 0), Vec3(parse_quantity("al"), 0, 0))
    )
    arm = replace(elbow, bodies=(elbow.bodies[0], replace(link2, joint=placed)), symbols=(*elbow.symbols, ("al", 0.7)))
    eq = la.equations(arm)
    assert_identities(eq)
    assert eq.M.numpy()([0.3, 0.4]) == pytest.approx(la.mass_matrix(arm, [0.3, 0.4]), rel=1e-13)


def test_letters_from_outside_do_not_meet_the_arms_own():
    eq = la.equations(arm_with_mass("f_x", f_x=2.0))
    names = {g.name for x in eq.wrench_forces().values for g in x.generators()}
    assert "f_x_o" in names
    assert "f_x" not in names
    assert la.equations(la.load("elbow")).wrench_forces().numpy()([0, 0], f_y=1.0) == pytest.approx([2, 1])


def test_formulas_refuse_what_they_do_not_know():
    eq = la.equations(la.load("elbow"))
    assert eq.K.diff("thetad1") == eq.momentum[0]
    with pytest.raises(InputError, match=r"letter named 'theta_1'"):
        eq.M.diff("theta_1")
    with pytest.raises(SingularError, match=r"frame 'base' does not move"):
        eq.operational_inertia("base")
    with pytest.raises(IndexError, match=r"one whole number for each"):
        eq.M[0:1, 0]
    with pytest.raises(InputError, match=r"tensor of shape \(2, 2, 2\)"):
        eq.christoffel.text()
    assert eq.christoffel._repr_latex_() is None
    with pytest.raises(InputError, match=r"an arm is needed"):
        la.equations("elbow")


@pytest.mark.slow
def test_formulas_travel_between_processes():
    eq = la.equations(la.load("puma560"))
    for thing in (eq.M, eq.K, eq.operational_inertia(rows=("z",))[0, 0]):
        assert pickle.loads(pickle.dumps(thing)) == thing
    again = pickle.loads(pickle.dumps(eq))
    assert again.tau == eq.tau


def test_smooth_friction_is_differentiated():
    elbow = la.load("elbow")
    smooth = Friction(0, parse_quantity("k1"), smoothing=parse_quantity("w"))
    first = replace(elbow.bodies[0], joint=replace(elbow.bodies[0].joint, friction=smooth))
    arm = replace(elbow, bodies=(first, elbow.bodies[1]), symbols=(*elbow.symbols, ("k1", 2.0), ("w", 0.1)))
    eq = la.equations(arm)
    slope = eq.friction[0].diff("thetad1").numpy()
    h, f = 1e-6, eq.friction[0].numpy()
    assert slope([0, 0], [0.05, 0]) == pytest.approx(
        (f([0, 0], [0.05 + h, 0]) - f([0, 0], [0.05 - h, 0])) / (2 * h), rel=1e-6
    )


def test_base_parameters_want_polynomials():
    elbow = la.load("elbow")
    link2 = elbow.bodies[1]
    placed = replace(link2.joint, placement=Placement(Vec3(parse_quantity("a1/(a2 + 1)"), 0, 0)))
    eq = la.equations(replace(elbow, bodies=(elbow.bodies[0], replace(link2, joint=placed))))
    with pytest.raises(InputError, match=r"quotient of symbols"):
        _ = eq.base_parameters
    assert "Base parameters" not in [step.title for step in la.derive(eq.arm)]
