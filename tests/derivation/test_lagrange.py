"""The shown derivation by Lagrange: what it says is computed, every cell of it runs, large arms show structure."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

import leverarm as la
from leverarm.derivation.chapters.endpoint import endpoint
from leverarm.derivation.chapters.properties import properties
from leverarm.derivation.formulas import equation
from leverarm.derivation.lagrange.kinematics import com_jacobian, jacobian_from_screws
from leverarm.derivation.setting import Setting, readable
from leverarm.documents.document import Level, at_level
from leverarm.errors import InputError
from leverarm.model import Arm, Friction, JointKind, Motor, Placement, parse_quantity
from leverarm.notation.elements import element_of
from leverarm.notation.text import to_text
from leverarm.notation.tree import Equation, Matrix, Node, Number, Sum, Symbol
from leverarm.spatial import Vec3
from tests.support.random_arms import random_arm

WRONG = ("NOT", "FAILED", "DIFFERENT")


def words_of(derivation: la.types.Derivation) -> str:
    """Every word and formula of a document, as text."""

    def text(pieces) -> str:
        return "".join(
            piece if isinstance(piece, str) else to_text(piece, derivation.document.writing) for piece in pieces
        )

    lines = [derivation.title]
    for step in derivation:
        lines += [
            step.title,
            text(step.words),
            *(to_text(shown.equation, derivation.document.writing) for shown in step.equations),
        ]
        lines += [text(cells) for table in step.tables for cells in (table.head, *table.rows)]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", la.catalog_names())
def test_every_catalog_arm_is_derived_and_proven(name):
    d = la.derive(la.load(name))
    text = words_of(d)
    assert not any(word in text for word in WRONG)
    assert d.parts[-1].title == "The routes agree"
    assert [row[-1] for row in d[-1].tables[0].rows] == ["equal"] * 3
    assert "verified" in text.lower()


@pytest.mark.parametrize("name", ["point-mass", "elbow", "rr", "polar", "rp", "planar3r", "spherical", "scara"])
def test_displayed_sides_are_equal(name):
    """In a chain a = b = c, whatever has an exact value has the same one."""
    d, eq = la.derive(la.load(name)), la.equations(la.load(name))
    compared = 0
    for step in d:
        for shown in step.equations:
            if not isinstance(shown.equation, Equation) or shown.equation.relation != "=":
                continue
            values = [value for side in shown.equation.sides if (value := exact_value(side, eq)) is not None]
            assert all(value == values[0] for value in values), to_text(shown.equation, d.document.writing)
            compared += len(values) > 1
    assert compared or name == "point-mass"


def exact_value(node: Node, eq: la.types.Equations):
    """The value of a formula in the arm's own letters; None where it names something else."""
    if isinstance(node, Matrix):
        entries = [[exact_value(entry, eq) for entry in row] for row in node.rows]
        return None if any(x is None for row in entries for x in row) else entries
    letters = {*eq.notation.vocabulary.printed.values(), *eq.arm.defaults}
    if any(symbol.name not in letters for symbol in symbols(node)):
        return None
    try:
        return element_of(node, eq.notation.vocabulary, eq.exact.ring)
    except Exception:
        return None


def symbols(node) -> list[Symbol]:
    if isinstance(node, Symbol):
        return [node]
    if isinstance(node, tuple):
        return [symbol for part in node for symbol in symbols(part)]
    if isinstance(node, Node):
        return [symbol for field in node.__dataclass_fields__ for symbol in symbols(getattr(node, field))]
    return []


@pytest.mark.parametrize("name", ["point-mass", "elbow", "polar", "rp", "scara", "puma560"])
def test_every_cell_runs(name):
    d = la.derive(la.load(name))
    scope: dict[str, object] = {}
    exec(d.document.code, scope)
    for step in d:
        if step.code:
            exec(step.code, scope)


def test_levels_add_lines_and_lose_none():
    d = la.derive(la.load("elbow"))
    sizes = [sum(len(step.equations) for step in at_level(d.document, level)) for level in Level]
    assert sizes[0] < sizes[1] < sizes[2] == sum(len(step.equations) for step in d)
    assert [part.title for part in at_level(d.document, Level.BRIEF).sections][-1] == "The routes agree"


@pytest.mark.parametrize("seed", range(6))
def test_jacobians_from_screws_are_the_geometric_ones(seed):
    kinds = (JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.HELICAL)
    arm = random_arm(seed, joints=3, kinds=kinds)
    bodies = [
        replace(body, joint=replace(body.joint, placement=replace(body.joint.placement, rpy=Vec3(0, math.pi / 2, 0))))
        for body in arm.bodies
    ]
    setting = Setting(la.equations(replace(arm, bodies=tuple(bodies), base_placement=Placement())))
    for link in setting.heavy_links:
        assert jacobian_from_screws(setting, link) == com_jacobian(setting, link)


def loaded_elbow() -> Arm:
    elbow = la.load("elbow")
    joint = replace(
        elbow.bodies[0].joint,
        friction=Friction(parse_quantity("b1"), parse_quantity("k1")),
        motor=Motor(parse_quantity("J1"), 50),
    )
    first = replace(elbow.bodies[0], joint=joint)
    return replace(elbow, bodies=(first, elbow.bodies[1]), symbols=(*elbow.symbols, ("b1", 1), ("k1", 2), ("J1", 0.01)))


def test_friction_and_rotors_are_said_where_they_are():
    d = la.derive(loaded_elbow())
    text = words_of(d)
    titles = [part.title for part in d.parts]
    assert titles.index("Friction, rotors, disturbance") == titles.index("The equations of motion") + 1
    assert "tau is the generalised force along it, of which friction takes F(thetad)." in text
    assert "Hd = thetad^T (tau - F(thetad))" in text
    assert "M(theta) thetadd + c(theta, thetad) + g(theta) = tau" not in text
    assert "F(thetad) = [[tau_f1], [tau_f2]] = [[b1 thetad1 + k1 sgn(thetad1)], [0]]" in text
    assert "tau_r = [[2500 J1 thetadd1], [0]]" in text
    assert "friction coefficients and rotor inertias enter the equations of motion linearly" in text
    assert not any(word in text for word in WRONG)


@pytest.mark.parametrize("route", ["lagrange", "newton-euler"])
def test_tau_is_the_whole_force_in_every_chapter(route):
    lines = words_of(la.derive(loaded_elbow(), route)).splitlines()
    forces = [line for line in lines if line.startswith(("tau1 = ", "tau2 = "))]
    assert len(forces) == 2 and all(f" + tau_f{i}" in line for i, line in enumerate(forces, 1))
    assert "M(theta) thetadd + c(theta, thetad) + F(thetad) + g(theta) = tau" in "\n".join(lines)


def test_a_wrong_mass_matrix_would_be_said():
    """The verdicts are computed: with a false M they turn."""
    eq = la.equations(la.load("rr"))
    eq.M.values[0][0] = eq.M.values[0][0] * eq.exact.letter("m1")
    eq.M.values[0][1] = 0
    text = " ".join(str(word) for step in properties(Setting(eq)).sections for word in step.words)
    assert "is NOT symmetric" in text


def test_limit_cases_of_the_tip():
    part = endpoint(Setting(la.equations(la.load("rp"))))
    far = part.sections[-1].equations[0].equation
    assert far.relation == "->"
    assert to_text(far) == "Lambda(0, theta2) -> [[m2, 0], [0, m2]]"
    assert [step.title for step in endpoint(Setting(la.equations(la.load("planar3r")))).sections][
        1
    ] == "Operational-space inertia"


def test_large_arms_show_structure():
    d = la.derive(la.load("puma560"))
    text = words_of(d)
    assert [part.title for part in d.parts][2:5] == [
        "The equations of motion",
        "Short entries in full",
        "The other entries, step by step",
    ]
    assert "52 (2-5)" in text
    assert "Substituted into each other, they are exactly these entries (verified)." in text
    names = [line.split(" ")[0] for line in text.split("\n") if line.startswith("v") and line[1].isdigit()]
    assert names == [f"v{k}" for k in range(1, len(names) + 1)]


def test_rounded_numbers_are_said_to_be():
    long, short = Number(Fraction("0.123456789")), Number(Fraction("0.25"))
    assert readable(equation(Symbol("a"), short)) == equation(Symbol("a"), short)
    assert to_text(readable(equation(Symbol("a"), Sum((long, short))))) == "a ~ 0.123457 + 1/4"
    assert readable(equation(Number(Fraction(1, 3)))) == equation(Number(Fraction(1, 3)))
    for given, shown in (("0.0000123456789", "0.0000123457"), ("1234.56789012", "1234.57")):
        assert readable(equation(Number(Fraction(given)))) == replace(equation(Number(Fraction(shown))), relation="~")


def test_short_forms_are_explained():
    assert "We write c1 = cos(theta1), s1 = sin(theta1), c12 = cos(theta1 + theta2)." in words_of(
        la.derive(la.load("elbow"))
    )
    assert "We write" not in words_of(la.derive(la.load("elbow"), angles="expanded"))


def test_the_notebook_of_an_arm_that_is_no_file_makes_it_again():
    arm = la.symbolic(la.load("rp"), "inertia")
    assert "arm_from_toml" in la.derive(arm).document.code
    assert "coordinates='q'" in la.derive(la.load("rp"), coordinates="q").document.code


def test_unknown_routes_are_refused():
    with pytest.raises(InputError, match="route named 'kane'"):
        la.derive(la.load("elbow"), "kane")
