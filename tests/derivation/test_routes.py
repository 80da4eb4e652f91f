"""The Newton-Euler and force-balance routes: the steps in order, M, c and g read off exactly, and what is refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form import Equations, Formula, Formulas, equations
from leverarm.derivation import derive, together
from leverarm.derivation.force_balance import forces_by_balance, point_masses
from leverarm.derivation.newton_euler import newton_euler
from leverarm.derivation.newton_euler.reading_off import (
    coriolis_torques_of,
    coriolis_torques_read_off,
    gravity_of,
    gravity_read_off,
    mass_matrix_of,
    mass_matrix_read_off,
)
from leverarm.derivation.setting import LARGE, Setting
from leverarm.documents.document import Level, at_level
from leverarm.errors import InputError, LeverarmError
from leverarm.mechanics.screw_form import screw_recursion
from leverarm.model import Arm, Body, Frame, Friction, Joint, JointKind, MassProperties, Motor, Placement
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node, Sum
from leverarm.spatial import ORIGIN, Vec3
from tests.sources.values import value_of
from tests.support.random_arms import random_arm

SMALL = [name for name in la.catalog_names() if len(la.load(name).coordinates) < LARGE]
POINT_MASSES = ["elbow", "point-mass", "polar"]


def said(words, derivation) -> str:
    return "".join(x if isinstance(x, str) else to_text(x, derivation.document.writing) for x in words)


def lines(derivation, part: str, step: str, level: Level = Level.EVERY_LINE) -> list[str]:
    """The equations of one step as text."""
    steps = [s for p in derivation.parts if p.title == part for s in p.sections if s.title == step]
    assert len(steps) == 1, (part, step)
    return [
        to_text(shown.equation, derivation.document.writing) for shown in steps[0].equations if shown.level <= level
    ]


def verdicts(derivation) -> set[str]:
    """The last column of the table of the proof."""
    return {row[-1] for row in derivation.parts[-1].sections[0].tables[0].rows}


@pytest.fixture(scope="module")
def elbow():
    return derive(la.load("elbow"), "newton-euler")


@pytest.fixture(scope="module")
def thrown():
    return derive(la.load("elbow"), "force-balance")


def test_newton_euler_has_its_chapters_in_the_order_of_the_tutorial(elbow):
    assert [part.title for part in elbow.parts] == [
        "The arm",
        "Constants",
        "Outward: velocities and accelerations",
        "Inward: forces",
        "M, c and g from the recursion",
        "The equations of motion",
        "The routes agree",
    ]
    titles = {part.title: [step.title for step in part.sections] for part in elbow.parts}
    assert titles["Outward: velocities and accelerations"] == [
        "The recursion",
        "Matrices of twists and frames",
        "Link 1: motion",
        "Link 2: motion",
        "The angular parts alone",
    ]
    assert titles["Inward: forces"] == ["The recursion", "Link 2: wrench", "Link 1: wrench", "Joint forces"]
    assert titles["M, c and g from the recursion"][1:] == [
        "Column 1 of the mass matrix",
        "Column 2 of the mass matrix",
        "Coriolis and centrifugal terms",
        "Gravity",
    ]


def test_the_recursion_is_that_of_the_tutorial(elbow):
    assert lines(elbow, "Outward: velocities and accelerations", "The recursion") == [
        "T_{i,i-1} = exp(-[A_i] theta_i) M_{i,i-1}",
        "V_i = Ad(T_{i,i-1}) V_{i-1} + A_i thetad_i",
        "Vd_i = Ad(T_{i,i-1}) Vd_{i-1} + A_i thetadd_i + ad(V_i) A_i thetad_i",
        "V0 = 0",
        "Vd0 = [[0], [-a_g]]",
    ]
    assert lines(elbow, "Inward: forces", "The recursion") == [
        "F_i = Ad(T_{i+1,i})^T F_{i+1} + G_i Vd_i - ad(V_i)^T G_i V_i",
        "tau_i = F_i^T A_i",
    ]


def test_constants_and_motion_of_the_elbow(elbow):
    assert lines(elbow, "Constants", "Screws of the joints")[2:] == [
        "A_i = Ad(M_{0,i}^-1) S_i",
        "A1 = [[0], [0], [1], [0], [0], [0]]",
        "A2 = [[0], [0], [1], [0], [0], [0]]",
    ]
    relative = lines(elbow, "Constants", "Home poses of the parents")
    assert relative[0] == "M_{i,i-1} = M_{0,i}^-1 M_{0,i-1}"
    assert relative[2].startswith("M_{2,1} = [[1, 0, 0, -a1], ")
    motion = lines(elbow, "Outward: velocities and accelerations", "Link 2: motion", Level.FULL)
    assert motion[0].endswith("[[c2, s2, 0, -a1 c2], [-s2, c2, 0, a1 s2], [0, 0, 1, 0], [0, 0, 0, 1]]")
    assert motion[1].endswith(" = [[0], [0], [thetad1 + thetad2], [a1 s2 thetad1], [a1 c2 thetad1], [0]]")


def test_levels_hide_what_they_should(elbow):
    brief, full = (replace(elbow, document=at_level(elbow.document, level)) for level in (Level.BRIEF, Level.FULL))
    assert len(list(brief)) < len(list(full)) < len(list(elbow))
    assert "The angular parts alone" not in [step.title for step in full]
    assert lines(brief, "Inward: forces", "Joint forces") == lines(elbow, "Inward: forces", "Joint forces")
    assert "Link 2: wrench" not in [step.title for step in brief]


@pytest.mark.parametrize("name", la.catalog_names())
def test_m_c_and_g_read_off_are_those_of_the_energies(name):
    """Exactly, for every arm of the catalog."""
    setting = Setting(equations(la.load(name)))
    eq = setting.eq
    assert mass_matrix_read_off(setting) == [list(row) for row in eq.M.values] == mass_matrix_of(eq)
    assert coriolis_torques_read_off(setting) == list(eq.c.values) == coriolis_torques_of(eq)
    assert gravity_read_off(setting) == list(eq.g.values) == gravity_of(eq)


@pytest.mark.parametrize("name", SMALL)
def test_small_arms_are_proven_step_by_step(name):
    derivation = derive(la.load(name), "newton-euler")
    assert verdicts(derivation) == {"equal"}
    read = next(part for part in derivation.parts if part.title == "M, c and g from the recursion")
    assert all(said(step.proven, derivation).endswith("is identically zero.") for step in read.sections[1:])


@pytest.mark.parametrize("name", ["puma560", "torso"])
def test_large_arms_show_sizes_instead_of_pages(name):
    arm = la.load(name)
    derivation = derive(arm, "newton-euler")
    sizes = next(step for step in derivation if step.title == "Sizes")
    n = len(arm.coordinates)
    assert len(sizes.tables[0].rows) == n
    assert int(sizes.tables[0].rows[0][3]) > int(sizes.tables[0].rows[n - 1][3]) > 0
    assert verdicts(derivation) == {"equal"}
    longest = max(len(to_text(s.equation, derivation.document.writing)) for step in derivation for s in step.equations)
    assert longest < 1500
    proven = [step.title for step in derivation if step.proven]
    assert proven == ["The mass matrix", "Coriolis and centrifugal terms", "Gravity"]


def test_a_tree_names_the_carrying_link():
    derivation = derive(la.load("torso"), "newton-euler")
    assert "V_i = Ad(T_{i,p}) V_p + A_i" in " ".join(
        lines(derivation, "Outward: velocities and accelerations", "The recursion")
    )
    assert lines(derivation, "Inward: forces", "The recursion")[0].startswith("F_i = sum_k Ad(T_{k,i})^T F_k + ")


def test_what_the_recursion_keeps_is_what_it_uses():
    """V from the Jacobian, and F at the base link from all the others: nothing of the record is stale."""
    eq = equations(la.load("spherical"))
    exact = eq.exact
    run = screw_recursion(exact.mechanism, exact.q, exact.qd, exact.qdd)
    assert list(run.tau) == list(eq.tau.values)
    omega = me.angular_velocities(exact.mechanism, exact.q, exact.qd)
    poses = me.world_from_links(exact.mechanism, exact.q)
    for i, V in enumerate(run.V):
        assert list(poses[i].rotation @ V.angular) == list(omega[i])
    last = run.F[-1] - run.net[-1]
    assert [*last.moment, *last.force] == [0] * 6
    still = screw_recursion(exact.mechanism, exact.q, [0] * 3, [0] * 3, gravity=ORIGIN)
    assert list(still.tau) == [0, 0, 0]


AXES = [Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(Fraction(3, 5), 0, Fraction(-4, 5))]


def point_mass_arm(seed: int) -> Arm:
    """A random tree of turning, sliding and screwing joints, now and then coupled, with a point mass on each body.

    Frames are parallel at home, so that closed forms in world axes stay small.
    """
    arm = random_arm(seed, joints=3)
    bodies = []
    for i, body in enumerate(arm.bodies):
        properties, old = body.mass_properties, body.joint
        joint = replace(old, placement=Placement(old.placement.xyz), axis=AXES[(seed + i) % 4], motor=None, offset=0)
        point = MassProperties() if joint.is_fixed else MassProperties(properties.mass, properties.com)
        bodies.append(replace(body, joint=joint, mass_properties=point))
    return replace(arm, bodies=tuple(bodies), base_placement=Placement(arm.base_placement.xyz))


@pytest.mark.parametrize("seed", range(16))
def test_force_balance_of_random_trees_of_point_masses(seed):
    eq = equations(point_mass_arm(seed))
    assert forces_by_balance(eq) == list(eq.euler_lagrange.values)


def test_random_trees_of_point_masses_have_couplings_and_screws():
    arms = [point_mass_arm(seed) for seed in range(16)]
    joints = [body.joint for arm in arms for body in arm.bodies]
    assert any(joint.coupling for joint in joints)
    assert any(joint.kind is JointKind.HELICAL for joint in joints)


def coupled_arm(mass: MassProperties, motor: Motor | None = None) -> Arm:
    """Two links whose elbow turns twice back as far as the shoulder turns, and slides on a screw."""
    shoulder = Joint("theta1", JointKind.REVOLUTE, motor=motor)
    elbow = Joint(
        "theta2", JointKind.HELICAL, Placement(Vec3(1, 0, 0)), pitch=Fraction(1, 2), coupling=(("theta1", -2),)
    )
    bodies = (Body("upper", "base", shoulder, mass), Body("lower", "upper", elbow, mass))
    return Arm("folding", bodies, gravity=Vec3(0, 0, -10), named_frames=(Frame("tool", "lower"),))


@pytest.mark.parametrize("route", ["newton-euler", "force-balance"])
def test_coupled_joints_are_shown_with_their_ratios(route):
    derivation = derive(coupled_arm(MassProperties(3, Vec3(1, 0, 0))), route)
    assert verdicts(derivation) == {"equal"}
    step = next(step for step in derivation if step.title in ("Joint forces", "Equations of motion"))
    assert "coupled" in said(step.words, derivation)
    last = to_text(step.equations[-1].equation, derivation.document.writing)
    assert last.startswith("tau1 = tau_J1 - 2 tau_J2 = ")


def test_rotors_are_added_in_newton_euler_and_refused_in_force_balance():
    arm = coupled_arm(MassProperties(3, Vec3(1, 0, 0)), Motor(Fraction(1, 100), 10))
    derivation = derive(arm, "newton-euler")
    assert verdicts(derivation) == {"equal"}
    assert "tau_J1 - 2 tau_J2 + tau_r1" in lines(derivation, "Inward: forces", "Joint forces")[-1]
    with pytest.raises(InputError, match=r"arm 'folding' the motors of joints 'theta1' have rotors.*'lagrange'"):
        derive(arm, "force-balance")


@pytest.mark.parametrize("name", POINT_MASSES)
def test_point_mass_arms_of_the_catalog_go_through(name):
    assert verdicts(derive(la.load(name), "force-balance")) == {"equal"}


@pytest.mark.parametrize("name", sorted(set(la.catalog_names()) - set(POINT_MASSES)))
def test_other_arms_are_refused_by_name(name):
    with pytest.raises(InputError) as refused:
        derive(la.load(name), "force-balance")
    message = str(refused.value)
    assert f"arm {name!r}" in message and "rotational inertia" in message
    assert "'lagrange' or 'newton-euler'" in message
    assert any(repr(body.name) in message for body in la.load(name).bodies)


def test_force_balance_has_its_chapters_in_order(thrown):
    assert [(part.title, [step.title for step in part.sections]) for part in thrown.parts[1:4]] == [
        (
            "Accelerations of the masses",
            [
                "Positions",
                "Velocities",
                "Accelerations",
                "Zero joint accelerations do not mean zero acceleration",
                "One joint moving at a time",
            ],
        ),
        ("Forces on the masses", ["Newton's law", "Force supplied by the arm"]),
        ("Joint forces", ["Balance at each joint", "Joint 2", "Joint 1", "Equations of motion"]),
    ]
    assert [part.title for part in thrown.parts[4:]] == ["The equations of motion", "The routes agree"]


def test_the_accelerations_of_the_lecture(thrown):
    """Lecture 14, f = m a: the forces on both masses, with a1, a2 for its L1, L2."""
    first, second = lines(thrown, "Forces on the masses", "Newton's law")
    assert first.endswith("m1 [[-a1 s1 thetadd1 - a1 c1 thetad1^2], [a1 c1 thetadd1 - a1 s1 thetad1^2], [0]]")
    eq = equations(la.load("elbow"))
    a1, a2, m2 = (eq.exact.letter(name) for name in ("a1", "a2", "m2"))
    (w1, w2), (d1, d2) = eq.exact.qd, eq.exact.qdd
    t1, t2 = eq.exact.q
    c1, s1, c12, s12 = t1.cos, t1.sin, (t1 + t2).cos, (t1 + t2).sin
    w = w1 + w2
    f_x = m2 * (-a1 * w1 * w1 * c1 - a2 * w * w * c12 - a1 * d1 * s1 - a2 * (d1 + d2) * s12)
    f_y = m2 * (-a1 * w1 * w1 * s1 - a2 * w * w * s12 + a1 * d1 * c1 + a2 * (d1 + d2) * c12)
    mass = point_masses(eq)[1]
    assert [part * m2 for part in mass.a] == [f_x, f_y, 0]
    assert second.startswith("f2 = m2 [[xdd2], [ydd2], [zdd2]] = m2 [[")


def test_the_example_of_the_lecture(thrown):
    """At (0, pi/2) without joint accelerations: centripetal and Coriolis parts as the page has them."""
    step = next(s for s in thrown if s.title == "Zero joint accelerations do not mean zero acceleration")
    assert said(step.words, thrown).startswith("At theta1 = 0, theta2 = pi/2, with all joint accelerations zero")
    right: Node = step.equations[0].equation.sides[1]
    assert isinstance(right, Sum)
    assert [(part.label, to_text(part.of, thrown.document.writing)) for part in right.terms] == [
        ("centripetal", "[[-a1 thetad1^2], [-a2 (thetad1^2 + thetad2^2)]]"),
        ("Coriolis", "[[0], [-2 a2 thetad1 thetad2]]"),
    ]
    alone = next(s for s in thrown if s.title == "One joint moving at a time").tables[0]
    assert [tuple(to_text(cell, thrown.document.writing) for cell in row) for row in alone.rows] == [
        ("thetad1", "[[-a1 thetad1^2], [-a2 thetad1^2]]"),
        ("thetad2", "[[0], [-a2 thetad2^2]]"),
    ]


def test_the_point_mass_of_the_lecture():
    derivation = derive(la.load("point-mass"), "force-balance")
    assert lines(derivation, "Joint forces", "Equations of motion") == ["f = tau_{1,1} = m xdd + m g"]
    assert "Zero joint accelerations do not mean zero acceleration" not in [step.title for step in derivation]


def test_a_letter_of_the_arm_is_not_used_twice():
    arm = la.load("elbow")
    renamed = replace(
        arm, bodies=tuple(replace(b, joint=replace(b.joint, force=f"f{i}")) for i, b in enumerate(arm.bodies, 1))
    )
    derivation = derive(renamed, "force-balance")
    assert lines(derivation, "Forces on the masses", "Newton's law")[0].startswith("k1 = ")
    assert lines(derive(la.load("polar"), "force-balance"), "Forces on the masses", "Newton's law")[0].startswith("k2")


def test_the_share_of_the_arm_is_not_called_as_its_friction():
    arm = la.load("elbow")
    rough = replace(
        arm, bodies=tuple(replace(b, joint=replace(b.joint, friction=Friction(viscous=1))) for b in arm.bodies)
    )
    smooth, rubbing = (lines(derive(a, "force-balance"), "Joint forces", "Joint 2")[-1] for a in (arm, rough))
    assert "u2^T [p2 - o2] F2" in smooth
    assert "u2^T [p2 - o2] H2" in rubbing


def test_what_is_said_about_the_acceleration_of_the_origin():
    """vd + omega x v of the recursion without gravity, turned into the world, is the second derivative of the origin."""
    eq = equations(la.load("spherical"))
    exact = eq.exact
    run = screw_recursion(exact.mechanism, exact.q, exact.qd, exact.qdd, gravity=ORIGIN)
    for pose, V, V_dot in zip(me.world_from_links(exact.mechanism, exact.q), run.V, run.V_dot, strict=False):
        rate = [eq.time_derivative(eq.time_derivative(x)) for x in pose.position]
        assert list(pose.rotation @ (V_dot.linear + V.angular.cross(V.linear))) == rate


def test_brief_names_nothing_that_is_not_defined(elbow, thrown):
    """Every letter of the recursions has its definition, in words or as the left side of an equation."""
    for derivation, letters in ((elbow, ["M_{0,i}", "S_i", "A_i", "M_{i,i-1}", "G_i", "m_i", "I_{o,i}", "E"]),
                                (thrown, ["F_i", "tau_{j,i}", "u_j", "o_j", "p_i", "f_i"])):  # fmt: skip
        shown = at_level(derivation.document, Level.BRIEF)
        named = {to_text(x, shown.writing) for step in shown for x in step.words if isinstance(x, Node)}
        named |= {to_text(x.equation.sides[0], shown.writing) for step in shown for x in step.equations}
        assert set(letters) <= named


def test_a_long_chain_of_point_masses_shows_sizes():
    link = MassProperties(2, Vec3(Fraction(1, 2), 0, 0))
    bodies = [
        Body(
            f"b{i}",
            f"b{i - 1}" if i else "base",
            Joint(f"q{i + 1}", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0))),
            link,
        )
        for i in range(LARGE)
    ]
    arm = Arm("whip", tuple(bodies), gravity=Vec3(0, -10, 0))
    derivation = derive(arm, "force-balance")
    sizes = next(step for step in derivation if step.title == "Sizes")
    assert [len(table.rows) for table in sizes.tables] == [LARGE, LARGE]
    assert verdicts(derivation) == {"equal"}


EXECUTED = [
    (name, route)
    for name in ("elbow", "rp", "polar", "scara")
    for route in ("lagrange", "newton-euler", "force-balance")
    if route != "force-balance" or name in POINT_MASSES
]


OWN_CHAPTERS = {
    "Constants",
    "Outward: velocities and accelerations",
    "Inward: forces",
    "M, c and g from the recursion",
    "Accelerations of the masses",
    "Forces on the masses",
    "Joint forces",
}
"""Of the Newton-Euler and force-balance routes."""
IN_SYMBOLS = {"The recursion", "Balance at each joint", "Further runs of the algorithm"}
"""Steps of formulas with an index: their cells compute what the steps after them show."""


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize(("name", "route"), EXECUTED)
def test_the_code_of_every_step_computes_what_it_shows(name, route, level):
    """At every level on its own, as a notebook runs it; what comes out is a formula, and one that the step shows."""
    derivation = derive(la.load(name), route)
    names: dict[str, object] = {}
    exec(derivation.document.code, names)
    shown = {
        (part.title, step.title): [v for line in step.equations for v in shown_values(line.equation, names["eq"])]
        for part in derivation.parts
        for step in part.sections
    }
    anywhere = [value for values in shown.values() for value in values]
    steps = [(part.title, step) for part in at_level(derivation.document, level).sections for step in part.sections]
    for part, step in steps:
        result = executed(step.code, names)
        if part not in OWN_CHAPTERS or not step.equations:
            continue
        computed = list(values_in(result))
        assert computed, f"{step.title}: {result!r}"
        known = anywhere if step.title in IN_SYMBOLS else shown[part, step.title]
        if step.title != "Matrices of twists and frames":
            assert [v for v in computed if not is_plain(v) and v not in known] == [], step.title


@pytest.mark.parametrize("route", ["newton-euler", "force-balance"])
@pytest.mark.parametrize("motor", [None, Motor(Fraction(1, 100), 10)], ids=["links", "rotors"])
def test_the_forces_of_coupled_joints_are_computed_again(route, motor):
    if motor and route == "force-balance":
        pytest.skip("rotors are refused")
    derivation = derive(coupled_arm(MassProperties(3, Vec3(1, 0, 0)), motor), route)
    names: dict[str, object] = {}
    exec(derivation.document.code, names)
    steps = [step for part in derivation.parts if part.title in OWN_CHAPTERS for step in part.sections]
    results = {step.title: list(values_in(executed(step.code, names))) for step in steps}
    forces = results["Joint forces" if route == "newton-euler" else "Equations of motion"]
    expected = names["eq"].euler_lagrange.values
    assert forces[-len(expected) :] == expected


@pytest.mark.parametrize("name", ["puma560", "torso"])
def test_cells_of_large_arms_stay_small(name):
    """They run, agree with the energies, and print a few terms instead of pages."""
    derivation = derive(la.load(name), "newton-euler")
    names: dict[str, object] = {}
    exec(derivation.document.code, names)
    for part in derivation.parts:
        for step in part.sections if part.title in OWN_CHAPTERS else ():
            result = executed(step.code, names)
            assert result is not False, step.title
            if step.equations and part.title != "Constants":
                assert 0 < sum(one.terms for one in result) < 500, step.title


def executed(code: str, names: dict[str, object]) -> object:
    """The value of the last line of a cell, as a notebook shows it."""
    body = ast.parse(code).body
    if not body or not isinstance(body[-1], ast.Expr):
        exec(code, names)
        return None
    exec(compile(ast.Module(body[:-1], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(body[-1].value), "cell", "eval"), names)


def values_in(result: object) -> Iterator[object]:
    """The exact values of a formula, of formulas, or of lists and dicts of them."""
    if isinstance(result, Formula):
        yield result.value
    elif isinstance(result, Formulas | list | tuple):
        for part in result:
            yield from values_in(part)
    elif isinstance(result, dict):
        yield from values_in(list(result.values()))


def shown_values(equation: Node, eq: Equations) -> Iterator[object]:
    """The exact values of the last side of an equation, entry by entry; none where it has only names."""
    try:
        value = value_of(equation.sides[-1], eq, {})
    except (LeverarmError, ValueError, KeyError, TypeError):
        return
    yield from (x for row in value for x in row) if isinstance(value, list) else [value]


def is_plain(value: object) -> bool:
    """Whether it is a number, such as the zeros and ones of every matrix."""
    return isinstance(value, int | Fraction)


def test_a_notebook_typesets_several_closed_forms():
    eq = equations(la.load("elbow"))
    shown = together(eq, me.screw_chain(eq.exact.mechanism).home[1], 3, eq.g)
    assert shown[0].shape == (4, 4) and shown[1].value == 3 and shown[2] == eq.g
    assert shown._repr_latex_().count("\\displaystyle") == 3


def test_newton_euler_is_a_route_of_parts():
    parts = newton_euler(Setting(equations(la.load("point-mass"))))
    assert parts[0].title == "The arm" and parts[-1].title == "The routes agree"
