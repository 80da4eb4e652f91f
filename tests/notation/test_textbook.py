"""Printed forms: equal to what they print, as a textbook has them, and no longer than SymPy's.

`python -m tests.notation.test_textbook forms` writes the golden forms anew, to be read before they are committed; `... sympy`
simplifies every entry with SymPy and stores how long its forms are (about a minute).
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

import pytest

import leverarm as la
from leverarm.errors import ExpressionError
from leverarm.model import Friction, Placement, lock, parse_quantity
from leverarm.notation.elements import element_of
from leverarm.notation.latex import to_latex
from leverarm.notation.mathml import to_mathml
from leverarm.notation.parsing import parse_text
from leverarm.notation.sympy_bridge import to_sympy
from leverarm.notation.text import to_text
from leverarm.notation.textbook import (
    PrintingError,
    angle_bases,
    arrangement,
    collected,
    operations,
    printing,
    textbook,
)
from leverarm.notation.textbook.grouping import NUMERIC_EFFORT, Grouping
from leverarm.notation.textbook.trig_forms import TrigForms
from leverarm.notation.tree import Matrix, Number, Power, Product, Ratio, Sum, Symbol, Trig, is_negative, walk
from leverarm.notation.unicode import to_unicode
from leverarm.notation.vocabulary import Role, Vocabulary, Writing
from leverarm.scalars.exact import Polynomial, as_element, circle, letter, quotient, ring_of, symbol
from leverarm.spatial import Vec3
from tests.support.paths import GOLDEN

FORMS = ("elbow", "rr", "polar", "rp", "planar3r")
SHORT_ARMS = ("point-mass", "elbow", "rr", "polar", "rp", "planar3r", "cylindrical", "spherical", "scara", "rr-ends")


@cache
def equations(name: str) -> la.types.Equations:
    return la.equations(la.load(name))


def entries(eq: la.types.Equations, *names: str):
    """The entries of M, C, c, g that are not zero, by name: M11, c2; of a symmetric matrix, the upper half."""
    for name in names:
        for at in getattr(eq, name).indices():
            if name == "M" and at[0] > at[1]:
                continue
            entry = getattr(eq, name)[at]
            if not entry.is_zero:
                yield name + "".join(str(i + 1) for i in at), entry


# The look.


def printed_forms(name: str) -> str:
    eq = equations(name)
    lines = [f"{label} = {entry.text()}" for label, entry in entries(eq, "M", "C", "c", "g")]
    return "\n".join([*lines, f"K = {eq.K.text()}", f"P = {eq.P.text()}"]) + "\n"


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_those_of_a_textbook(name):
    assert printed_forms(name) == (GOLDEN / "forms" / f"{name}.txt").read_text()


PLANAR = Vocabulary(
    ("theta1", "theta2"),
    {"theta1": "theta1", "theta2": "theta2"},
    (((("theta1", 1),), (("theta1", 1), ("theta2", 1))),),
    {"m1": Role.MASS, "m2": Role.MASS, "I1": Role.INERTIA, "I2": Role.INERTIA, "g": Role.GRAVITY}
    | dict.fromkeys(("L1", "L2", "a1", "a2", "d1"), Role.LENGTH),
)
SHORT = Writing("short", {"theta1": "1", "theta2": "2"})
RING = ring_of(
    [
        *circle("theta1"),
        *circle("theta2"),
        *map(symbol, ("m1", "m2", "I1", "I2", "a1", "a2", "d1", "L1", "L2", "g")),
        *map(symbol, ("theta1.d", "theta2.d", "theta1.dd", "theta2.dd")),
    ]
)
C1, S1, C2, S2, m1, m2, I1, I2, a1, a2, g, v1, v2, w1, w2 = (
    letter(RING, name)
    for name in (
        "cos(theta1)", "sin(theta1)", "cos(theta2)", "sin(theta2)", "m1", "m2", "I1", "I2", "a1", "a2", "g",
        "theta1.d", "theta2.d", "theta1.dd", "theta2.dd",
    )
)  # fmt: skip
C12, S12 = C1 * C2 - S1 * S2, S1 * C2 + C1 * S2
HALF = Fraction(1, 2)


def text(x) -> str:
    return to_text(textbook(x, PLANAR), SHORT)


@pytest.mark.parametrize(
    ("x", "form"),
    [
        (0, "0"),
        (HALF, "1/2"),
        (-m1, "-m1"),
        (C12, "c12"),
        (a1 * C1 + a2 * C12, "a1 c1 + a2 c12"),
        (-a1 * S1 * v1 - a2 * S12 * (v1 + v2), "-a1 s1 thetad1 - a2 s12 (thetad1 + thetad2)"),
        (m1 * a1**2 + m2 * (a1**2 + a2**2 + 2 * a1 * a2 * C2) + I1 + I2, "m1 a1^2 + m2 (a1^2 + a2^2 + 2 a1 a2 c2) + I1 + I2"),
        (m2 * (a2**2 + a1 * a2 * C2) + I2, "m2 (a2^2 + a1 a2 c2) + I2"),
        (m2 * (a2**2 + a1 * a2 * C2), "m2 a2 (a2 + a1 c2)"),
        (-m2 * a1 * a2 * S2 * (2 * v1 + v2) * v2, "-m2 a1 a2 s2 (2 thetad1 + thetad2) thetad2"),
        ((m1 + m2) * g * a1 * C1 + m2 * g * a2 * C12, "(m1 + m2) g a1 c1 + m2 g a2 c12"),
        (m2 * a2**2 * (v1 + v2) + m2 * a1 * a2 * C2 * v1, "m2 a2^2 (thetad1 + thetad2) + m2 a1 a2 c2 thetad1"),
        (I1 * S2**2 + I2 * C2**2, "I1 s2^2 + I2 c2^2"),
        (I1 * C2**2 - I1 * S2**2, "I1 cos(2 theta2)"),
        ((I1 - I2) * S2 * C2 * v1, "(I1 - I2) s2 c2 thetad1"),
        ((I2 - I1) * S2 * C2 * v1, "-(I1 - I2) s2 c2 thetad1"),
        (m1 * ((a1 * C1 - a2 * S1) ** 2 + a2**2), "m1 a2^2 + m1 (a1 c1 - a2 s1)^2"),
        ((a1 * S1 * v1 + a2 * S12 * (v1 + v2)) ** 2, "(a1 s1 thetad1 + a2 s12 (thetad1 + thetad2))^2"),
        (m2 * a2 - m1 * a1, "m2 a2 - m1 a1"),
        (Fraction(37, 100) * C1 + Fraction(121, 100) * C1 * C2, "(0.37 + 1.21 c2) c1"),
        (-C1 * C2 * C12 * m1, "-m1 c1 c12 c2"),
        (S2**2 * C2**2 * m1, "m1 s2^2 c2^2"),
        (m1 * m2 * (a1 * a2) ** 2 + (m2 * a1 * a2 * S2) ** 2, "m2 (m1 + m2 s2^2) a1^2 a2^2"),
    ],
)  # fmt: skip
def test_the_sources_look(x, form):
    assert text(x) == form


def elbow_driven_by(coupling: tuple[tuple[str, int], ...]) -> la.types.Equations:
    """The 2R arm whose second motor turns its link through belts or gears."""
    elbow = la.load("elbow")
    first, second = elbow.bodies
    follower = replace(second, joint=replace(second.joint, name="elbow", coupling=coupling, force=""))
    return la.equations(replace(elbow, bodies=(first, follower), coordinates=("theta1", "theta2")))


@pytest.mark.parametrize(
    ("coupling", "m12", "c1"),
    [
        ((("theta2", 1), ("theta1", -1)), "m2 a1 a2 cos(theta1 - theta2)", "m2 a1 a2 sin(theta1 - theta2) thetad2^2"),
        ((("theta2", -1), ("theta1", -1)), "-m2 a1 a2 c12", "m2 a1 a2 s12 thetad2^2"),
        (
            (("theta2", 2), ("theta1", -1)),
            "2 m2 a1 a2 cos(theta1 - 2 theta2)",
            "4 m2 a1 a2 sin(theta1 - 2 theta2) thetad2^2",
        ),
    ],
)
def test_absolute_angles_stand_as_differences(coupling, m12, c1):
    """Between links whose angles are measured from one line, the angle is the difference of two coordinates."""
    eq = elbow_driven_by(coupling)
    assert eq.M[0, 1].text() == m12
    assert eq.c[0].text() == c1
    assert eq.M[0, 0].text() == "(m1 + m2) a1^2"


def numeric_elbow(m1: object, m2: object, a1: object, a2: object) -> la.types.Equations:
    """The 2R arm with numbers or symbols for masses and lengths."""
    elbow = la.load("elbow")
    first, second = elbow.bodies
    bodies = (
        replace(first, mass_properties=replace(first.mass_properties, mass=m1, com=Vec3(a1, 0, 0))),
        replace(
            second,
            mass_properties=replace(second.mass_properties, mass=m2, com=Vec3(a2, 0, 0)),
            joint=replace(second.joint, placement=Placement(Vec3(a1, 0, 0))),
        ),
    )
    return la.equations(replace(elbow, bodies=bodies))


def test_angles_between_links_are_differences():
    """Of two links whose angles are both measured from the ground: their angles, and the angle between them."""
    assert angle_bases.differences(((0, 0), (1, 0), (0, 1))) == ((1, 0), (0, 1), (1, -1))


@pytest.mark.parametrize("text", ["cos(q2 + 2 q3) - c1", "m3 g lc3 (c123 - cos(q2 + 2 q3))", "sin(2 q1 + q3) - s2"])
def test_unusual_angles_stand_as_they_are(text):
    """The ground, link 1 and link 3 make a basis of angles with a pivot of 2."""
    eq = equations("planar3r")
    again = eq.parse(text)
    assert eq.parse(str(again)) == again
    assert str(again) == text


def test_decimals_of_an_arm_are_printed_as_decimals():
    eq = numeric_elbow(3.2, 0.2, 0.5, 0.25)
    assert eq.M[0, 0].text() == "0.8625 + 0.05 c2"
    x = eq.centre_of_mass("link1")[0]
    assert (x.text(), x.latex(), x.unicode()) == ("0.5 c1", "0.5 c_1", "0.5 c₁")
    over = textbook(quotient(eq.M[0, 1].value, eq.g[1].value), eq.notation.vocabulary)
    assert to_text(over, eq.notation.writing) == "(0.25 + 0.5 c2)/(g c12)"


def test_numbers_of_an_arm_without_decimals_are_fractions():
    """Also where its expressions divide: m L^2/12 has a twelfth."""
    m, a = parse_quantity("m1/3"), parse_quantity("a1")
    eq = numeric_elbow(m, parse_quantity("m2"), a, 1)
    assert eq.M[1, 1].text() == "m2"
    assert eq.K.text().startswith("1/6 (m1 + 3 m2) a1^2 thetad1^2 + 1/2 m2")


def test_friction_in_decimals_leaves_the_energy_its_half():
    elbow = la.load("elbow")
    first, second = elbow.bodies
    rough = replace(first, joint=replace(first.joint, friction=Friction(viscous=0.2)))
    eq = la.equations(replace(elbow, bodies=(rough, second)))
    assert eq.friction[0].text() == "0.2 thetad1"
    assert eq.K.text().startswith("1/2 (m1 + m2)")


def test_a_sign_stands_between_two_numbers():
    node = Product(
        (Number(HALF), Number(Fraction("3.2"), is_decimal=True), Symbol("m1"), Power(Number(Fraction(2)), 3))
    )
    assert to_text(node) == "1/2 * 3.2 m1 2^3"
    assert to_latex(node) == r"\frac{1}{2} \cdot 3.2 m_1 2^3"
    assert to_unicode(node) == ["½ · 3.2 m₁ 2³"]
    assert '<mo form="infix">·</mo><mn>3.2</mn>' in to_mathml(node)
    assert parse_text(to_text(node), PLANAR) == Fraction("12.8") * m1


def test_torques_are_collected_by_acceleration():
    m11, m12 = m1 * a1**2 + m2 * (a1**2 + a2**2 + 2 * a1 * a2 * C2), m2 * (a2**2 + a1 * a2 * C2)
    inertial = "(m1 a1^2 + m2 (a1^2 + a2^2 + 2 a1 a2 c2)) thetadd1 + m2 a2 (a2 + a1 c2) thetadd2"
    tau = m11 * w1 + m12 * w2
    assert text(tau + m1 * g * a1 * C1) == inertial + " + m1 g a1 c1"
    assert to_text(collected(tau, PLANAR), SHORT) == inertial
    assert text(tau) == (
        "(m1 + m2) a1^2 thetadd1 + m2 a2^2 (thetadd1 + thetadd2) + m2 a1 a2 c2 (2 thetadd1 + thetadd2)"
    )


def test_lagrangian_of_the_elbow_arm():
    """Equation 12 of the example, in its order."""
    assert equations("elbow").L.text() == (
        "1/2 (m1 + m2) a1^2 thetad1^2 + 1/2 m2 a2^2 (thetad1 + thetad2)^2 + m2 a1 a2 c2 (thetad1 + thetad2) thetad1"
        " - (m1 + m2) g a1 s1 - m2 g a2 s12"
    )


def test_a_quotient_is_a_ratio_with_a_factored_positive_denominator():
    det = a1 * a2 * S2
    x = quotient(m1 * HALF * C12, -(det * det) * Fraction(1, 3))
    node = textbook(x, PLANAR)
    assert isinstance(node, Ratio)
    assert to_text(node, SHORT) == "-3 m1 c12/(2 a1^2 a2^2 s2^2)"
    assert element_of(node, PLANAR) == x
    assert equations("rp").operational_inertia(rows=["x", "y"])[0, 1].text() == "-(m1 L1^2 + I1 + I2) s1 c1/theta2^2"


def test_signs_of_parallel_axes():
    """The SCARA's last axis points down: its angle is subtracted, and the sum of angles is still one letter."""
    eq = equations("scara")
    rotation = eq.rotation()
    assert rotation[0, 0].text() == "cos(theta1 + theta2 - theta4)"


# Equality.


def test_a_tree_is_evaluated_in_the_ring():
    theta = (("theta1", 1), ("theta2", 2))
    assert element_of(Trig("cos", theta), PLANAR) == C12 * C2 - S12 * S2
    assert element_of(Power(Symbol("theta1", 1), 3), PLANAR) == v1**3
    assert element_of(Sum((Number(Fraction(1)), Product((Number(HALF), Symbol("a1"))))), PLANAR) == 1 + HALF * a1
    assert element_of(Ratio(Symbol("a1"), Number(Fraction(2))), PLANAR, RING) == HALF * a1


def test_what_is_no_number_is_refused():
    with pytest.raises(ExpressionError, match="a matrix is not a number"):
        element_of(Matrix(((Number(Fraction(1)),),)), PLANAR)
    with pytest.raises(TypeError, match="float is no exact element"):
        textbook(1.5, PLANAR)


def test_a_wrong_form_is_never_returned(monkeypatch):
    monkeypatch.setattr(arrangement, "negated", lambda node: node)
    with pytest.raises(PrintingError, match="was printed for"):
        textbook(m1 - m2, PLANAR)


def random_element(seed: int):
    rng = random.Random(seed)
    letters = [letter(RING, name) for name in RING.index]
    total = 0
    for _ in range(rng.randint(1, 9)):
        product = Fraction(rng.randint(-6, 6), rng.choice((1, 1, 2, 3)))
        for _ in range(rng.randint(0, 5)):
            product = product * rng.choice(letters)
        total = total + product
    return total * rng.choice((1, m1 + m2, a1 * C1 - a2 * S12, (v1 + v2) * v1, C2 * S2))


def assert_well_formed(root) -> None:
    """No sum straight in a sum, no product in a product, no number but in front, no sum that could start with a plus."""
    for node in walk(root):
        if isinstance(node, Sum):
            assert len(node.terms) > 1
            assert not any(isinstance(term, Sum) for term in node.terms)
            assert not is_negative(node.terms[0]) or all(map(is_negative, node.terms))
        elif isinstance(node, Product):
            assert len(node.factors) > 1
            assert not any(isinstance(factor, Product) for factor in node.factors)
            assert not any(isinstance(factor, Number) for factor in node.factors[1:])
            assert node.factors[0] != Number(Fraction(1))
        elif isinstance(node, Power):
            assert node.exponent > 1
            assert not isinstance(node.base, Number | Product | Power)


@pytest.mark.parametrize("seed", range(60))
def test_random_elements_are_printed_as_what_they_are(seed):
    """Also in a ring whose letters stand in another order: the form depends on the element alone."""
    x = random_element(seed)
    node = textbook(x, PLANAR)
    assert element_of(node, PLANAR) == x
    assert_well_formed(node)
    if isinstance(x, Polynomial):
        other = ring_of(reversed(RING.generators))
        assert textbook(as_element(other, x), PLANAR) == node
        assert to_text(textbook(-x, PLANAR), SHORT).count("(") == to_text(node, SHORT).count("(")


@pytest.mark.parametrize("name", ["spherical", "scara", "puma560"])
def test_every_kind_of_closed_form_is_printed(name):
    eq = equations(name)
    for entry in (*eq.friction, *eq.rotors, *eq.position(), *eq.momentum, eq.K, eq.P):
        if not entry.is_zero:
            assert element_of(entry.tree, eq.notation.vocabulary, entry.value.ring) == entry.value
            assert_well_formed(entry.tree)


def test_the_first_three_joints_of_the_puma():
    """Full symbolic inertias and geometry. Each mass has the square of its distance from the axis: sums of squares."""
    arm = lock(la.load("puma560"), {"joint4": 0, "joint5": 0, "joint6": 0})
    eq = la.equations(la.symbolic(arm, "inertia", "geometry", "gravity", "motors", about="com"))
    assert eq.M[0, 0].text() == (
        "m1 (rx1^2 + ry1^2) + m2 (rz2^2 + (rx2 c2 - ry2 s2)^2) + m3 ((Lz3 + rz3)^2 + (Lx3 c2 + rx3 c23 - ry3 s23)^2)"
        " + Izz1 + Ixx2 s2^2 + 2 Ixy2 s2 c2 + Iyy2 c2^2 + Ixx3 s23^2 + 2 Ixy3 s23 c23 + Iyy3 c23^2 + J1 N1^2"
    )
    assert eq.g[1].text() == "m2 g (rx2 c2 - ry2 s2) + m3 g (Lx3 c2 + rx3 c23 - ry3 s23)"
    for _, entry in entries(eq, "M", "c", "g"):
        assert_well_formed(entry.tree)


def test_with_its_effort_spent_a_sum_is_still_grouped(monkeypatch):
    """Elements of thousands of terms are grouped once, in the usual way, and nothing else is tried."""
    eq = equations("planar3r")
    best = operations(eq.K.tree)
    monkeypatch.setattr(printing, "Grouping", partial(Grouping, effort=-1))
    monkeypatch.setattr(printing, "TrigForms", partial(TrigForms, effort=-1))
    spent = operations(textbook(eq.K.value, eq.notation.vocabulary))
    flat = sum(sum(e for _, e in letters) for letters, _ in eq.K.value.terms())
    assert best <= spent < flat / 2


def test_a_large_numeric_entry_takes_little_effort(monkeypatch):
    """The Panda's numbers have little in common: the search for it is given up early, and the form is still grouped."""
    spent = []
    best = Grouping.best
    monkeypatch.setattr(Grouping, "best", lambda self, *given: (spent.append(self), best(self, *given))[1])
    entry = equations("panda").M[1, 1]
    assert operations(entry.tree) < sum(sum(e for _, e in letters) for letters, _ in entry.value.terms()) / 2
    assert spent[0].effort <= NUMERIC_EFFORT - 5 * entry.terms


# Length.


def test_operations():
    def count(x):
        return operations(textbook(x, PLANAR))

    assert [count(x) for x in (0, HALF, m1, -m1, 2 * m1, m1 * a1**3, m1 - m2, C12, HALF * m1 + 1)] == [
        0, 0, 0, 0, 1, 3, 1, 0, 2,
    ]  # fmt: skip
    assert count(m1 * (a1 + a2 * C12) ** 2) == 4
    assert count(quotient(m1, a1 * a2)) == 2


def sympy_operations(expr) -> int:
    """`operations` of a SymPy expression: the same counting."""
    if expr.is_Add or expr.is_Mul:
        parts = [part for part in expr.args if part != -1]
        return sum(map(sympy_operations, parts)) + len(parts) - 1
    if expr.is_Pow:
        return sympy_operations(expr.base) + abs(int(expr.exp)) - 1
    return 0


@pytest.mark.parametrize("name", ["elbow", "rr", "rp", "planar3r", "spherical"])
def test_both_counters_agree(name):
    """On our own forms, as SymPy expressions (where SymPy does not multiply numbers into brackets by itself)."""
    for label, entry in entries(equations(name), "M", "C", "c", "g"):
        assert sympy_operations(to_sympy(entry.tree)) == entry.operations, label


def simplified_operations(entry: la.types.Formula) -> int:
    """The length of the shortest of SymPy's simplified forms."""
    import sympy

    expr = to_sympy(entry.value)
    simple, factored = sympy.simplify(expr), sympy.factor(expr)
    forms = [simple, factored, sympy.trigsimp(expr), sympy.factor(simple), sympy.simplify(factored)]
    return min(map(sympy_operations, forms))


@pytest.mark.parametrize("name", SHORT_ARMS)
def test_no_longer_than_sympy(name):
    stored = json.loads((GOLDEN / "sympy_operations.json").read_text())["operations"][name]
    ours = {label: entry.operations for label, entry in entries(equations(name), "M", "C", "c", "g")}
    assert ours.keys() == stored.keys()
    assert {label: (n, stored[label]) for label, n in ours.items() if n > stored[label]} == {}


def test_all_short_arms_are_compared():
    assert {n for n in la.catalog_names() if len(la.load(n).coordinates) <= 4} == set(SHORT_ARMS)


@pytest.mark.parametrize("name", ["point-mass", "rp", "elbow"])
def test_no_longer_than_sympy_today(name):
    """The stored figures are SymPy's: some are computed now."""
    for label, entry in entries(equations(name), "M", "c", "g"):
        assert entry.operations <= simplified_operations(entry), label


def _write_forms() -> None:
    (GOLDEN / "forms").mkdir(parents=True, exist_ok=True)
    for name in FORMS:
        (GOLDEN / "forms" / f"{name}.txt").write_text(printed_forms(name))


def _write_sympy_operations() -> None:
    import sympy

    counts = {
        name: {label: simplified_operations(entry) for label, entry in entries(equations(name), "M", "C", "c", "g")}
        for name in SHORT_ARMS
    }
    path = GOLDEN / "sympy_operations.json"
    path.write_text(json.dumps({"sympy": sympy.__version__, "operations": counts}, indent=1) + "\n")


if __name__ == "__main__":
    {"forms": _write_forms, "sympy": _write_sympy_operations}[sys.argv[1]]()
