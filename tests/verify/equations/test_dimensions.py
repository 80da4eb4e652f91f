"""Units of written formulas: what cannot be added is found, and nothing else is."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest

import leverarm as la
from leverarm.notation.reading import Statement, read
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.equations.dimensions import INERTIA, LENGTH, MASS, NUMBER, Dimension, dimension_of, units_of
from leverarm.verify.equations.document import scope_of
from leverarm.verify.equations.readings import read_statement
from leverarm.verify.equations.units import check_units
from leverarm.verify.equations.verdict import WrittenError

SYMBOLIC = ["elbow", "polar", "rp", "rr", "planar3r", "cylindrical", "point-mass"]
TORQUE, FORCE = Dimension(*map(Fraction, (1, 2, -2))), Dimension(*map(Fraction, (1, 1, -2)))


def problem(arm: la.Arm, text: str, whole: bool = False) -> WrittenError | None:
    """What is wrong with the units of the first equation's last side, or of the whole equation."""
    pieces = read(text)
    statement = next(piece for piece in pieces if isinstance(piece, Statement))
    scope = scope_of(la.equations(arm), text, pieces)
    with suppress(WrittenError):  # units are looked at also where a sine has no value
        scope = read_statement(statement, scope, {}).scope
    try:
        check_units(statement if whole else statement.sides[-1], scope)
    except WrittenError as found:
        return found
    return None


@pytest.mark.parametrize("name", SYMBOLIC)
def test_the_robot_equation_is_homogeneous(name):
    """tau of every joint is a torque or a force, each entry of M fits qdd, K and P are energies: by the letters alone."""
    arm = la.load(name)
    eq, units = la.equations(arm), units_of(arm)
    forces = [dimension_of(tau.value, units) for tau in eq.tau]
    turns = [f"cos({q})" in eq.exact.ring.index for q in arm.coordinates]
    assert forces == [TORQUE if turning else FORCE for turning in turns]
    assert dimension_of(eq.K.value, units) == TORQUE
    for i, row in enumerate(turns):
        for j, column in enumerate(turns):
            entry = eq.M[i, j].value
            if not is_exactly_zero(entry):
                expected = MASS * LENGTH ** (int(row) + int(column))
                assert dimension_of(entry, units) == expected


def test_letters_get_their_dimensions_from_their_places():
    letters = units_of(la.load("rr")).letters
    assert (letters["m1"], letters["lc2"], letters["I1"]) == (MASS, LENGTH, INERTIA)
    assert str(letters["g"]) == "m/s^2"
    assert (letters["q1"], str(letters["q1.d"]), str(letters["q1.dd"])) == (NUMBER, "1/s", "1/s^2")
    assert str(units_of(la.load("polar")).letters["r.dd"]) == "m/s^2"


BAR = """
leverarm = 1
name = "bar"
gravity = [0, "-g", 0]
[symbols]
m = 1.0
L = 1.0
rho = 1.0
g = 9.81
[[body]]
name = "link"
parent = "base"
mass = "rho*L"
com = ["L/2", 0, 0]
inertia = { zz = "m*L^2/12" }
[body.joint]
name = "q1"
kind = "revolute"
"""


def test_a_symbol_in_a_product_gets_the_rest(tmp_path):
    (tmp_path / "bar.toml").write_text(BAR)
    letters = units_of(la.load(tmp_path / "bar.toml")).letters
    assert str(letters["rho"]) == "kg/m"
    assert letters["m"] == MASS


@pytest.mark.parametrize(
    ("arm", "text", "said", "place"),
    [
        ("elbow", "M_{11} = (m_1+m_2)a_1^2 + m_2 a_2 + 2 m_2 a_1 a_2 c_2", "adds kg m to kg m^2: `m_2 a_2`", "m_2 a_2 +"),
        ("elbow", r"$\tau_2 = m_2 a_2^2 (\ddot\theta_1 + \dot\theta_2)$", r"adds 1/s to 1/s^2: `\dot\theta_2`", r"\dot\theta_2"),
        ("elbow", "K = m1 a1^2 (thetad1^2 + 1)", "adds a number to 1/s^2: `1`", "1)"),
        ("polar", "f = m r'' + m g sin(r)", "takes the sine of m, which is no angle: `sin(r)`", "sin"),
        ("rr", "d_{12} = m_2 l_1 l_{c2} c_2 + I_2 + m_2", "adds kg to kg m^2: `m_2`", "m_2"),
        ("rp", "L = 1/2 m2 theta2'^2 - m2 g", "adds kg m/s^2 to kg m^2/s^2", "m2"),
    ],
)  # fmt: skip
def test_what_cannot_be_added_is_found(arm, text, said, place):
    found = problem(la.load(arm), text)
    assert found is not None
    assert said in found.message
    assert text[found.span[0] :].startswith(place)


def test_sides_must_agree():
    found = problem(
        la.load("polar"),
        r"$\begin{bmatrix} n \\ f \end{bmatrix} = \begin{bmatrix} m g r \\ m g r \end{bmatrix}$",
        whole=True,
    )
    assert found is not None
    assert "sets" in found.message
    assert (
        problem(
            la.load("polar"),
            r"$\begin{bmatrix} n \\ f \end{bmatrix} = \begin{bmatrix} m g r \\ m g \end{bmatrix}$",
            whole=True,
        )
        is None
    )


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        (
            "elbow",
            r"$\tau_1 = [(m_1+m_2)a_1^2 + m_2 a_2^2]\ddot\theta_1 - m_2 a_1 a_2 (2\dot\theta_1 + \dot\theta_2)\dot\theta_2\sin\theta_2$",
        ),
        ("elbow", r"$K = \frac12 \dot\theta^T M \dot\theta$"),
        (
            "elbow",
            r"$\tau_1 = \frac{d}{dt}\frac{\partial L}{\partial\dot\theta_1} - \frac{\partial L}{\partial\theta_1}$",
        ),
        ("polar", r"$K = \frac12 \dot q^T M \dot q + 0$"),
        ("polar", r"$\Lambda = (J M^{-1} J^T)^{-1}$"),
        ("rp", r"$v_2^2 = \dot x_2^2 + \dot y_2^2$"),
        ("rr", r"$x = l_1 \cos(q_1 + \pi/2) + l_2 \sin(q_1 + q_2)$"),
    ],
)
def test_what_fits_is_left_alone(arm, text):
    assert problem(la.load(arm), text, whole=True) is None


def test_numbers_fit_everything_where_the_arm_has_numbers(tmp_path):
    (tmp_path / "bar.toml").write_text(BAR.replace('"rho*L"', "2.0").replace("rho = 1.0", ""))
    arm = la.load(tmp_path / "bar.toml")
    assert units_of(arm).numbers is None
    assert units_of(la.load("elbow")).numbers == NUMBER
    assert problem(arm, "tau1 = (2 L^2/4 + m L^2/12) q1'' + 2 g L/2 cos(q1)") is None


def test_dimensions_are_read_out():
    assert [str(d) for d in (NUMBER, MASS, INERTIA, TORQUE, LENGTH / LENGTH**3, NUMBER / (MASS * LENGTH))] == [
        "1", "kg", "kg m^2", "kg m^2/s^2", "1/m^2", "1/(kg m)",
    ]  # fmt: skip
    assert str(LENGTH ** Fraction(1, 2)) == "m^(1/2)"
