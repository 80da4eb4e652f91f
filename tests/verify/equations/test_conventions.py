"""Equations by another convention: what is one, what is not, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form import equations
from leverarm.verify.equations import faults
from leverarm.verify.equations.consistency import convention, in_convention_of_document, notes_on
from leverarm.verify.equations.conventions import paired_alternatives, single_alternatives
from leverarm.verify.equations.corrections import corrections
from leverarm.verify.equations.definitions import factorisation, is_skew
from leverarm.verify.equations.judge import check

INERTIA = "((m1 + m2) a1^2 + m2 a2^2 + 2 m2 a1 a2 c2) qdd1 + (m2 a2^2 + m2 a1 a2 c2) qdd2"
VELOCITY = "- m2 a1 a2 (2 qd1 qd2 + qd2^2) s2"
TAU2 = "m2 a2^2 (qdd1 + qdd2) + m2 a1 a2 (c2 qdd1 + s2 qd1^2)"

DOUBLE_PENDULUM = r"""
The two angles are measured from the vertical.
$$x_2 = a_1\sin\theta_1 + a_2\sin\theta_2, \qquad y_2 = -a_1\cos\theta_1 - a_2\cos\theta_2$$
$$K = \frac12 (m_1+m_2) a_1^2\dot\theta_1^2 + \frac12 m_2 a_2^2 \dot\theta_2^2
   + m_2 a_1 a_2\dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2)$$
$$P = -(m_1+m_2) g a_1\cos\theta_1 - m_2 g a_2\cos\theta_2$$
$$\tau_1 = (m_1+m_2) a_1^2\ddot\theta_1 + m_2 a_1 a_2\ddot\theta_2\cos(\theta_1-\theta_2)
   + m_2 a_1 a_2\dot\theta_2^2\sin(\theta_1-\theta_2) + (m_1+m_2) g a_1\sin\theta_1$$
$$\tau_2 = m_2 a_2^2\ddot\theta_2 + m_2 a_1 a_2\ddot\theta_1\cos(\theta_1-\theta_2)
   - m_2 a_1 a_2\dot\theta_1^2\sin(\theta_1-\theta_2) + m_2 g a_2\sin\theta_2$$
"""


def statuses(arm, text):
    return [verdict.status for verdict in check(la.load(arm), text)]


CONVENTIONS = {
    "gravity the other way": (
        "elbow",
        f"tau1 = {INERTIA} {VELOCITY} - (m1 + m2) g a1 c1 - m2 g a2 c12",
        "gravity acts in the opposite direction",
    ),
    "an angle from the vertical": (
        "elbow",
        f"tau1 = {INERTIA} {VELOCITY} + (m1 + m2) g a1 s1 + m2 g a2 s12",
        "theta1 is measured from the downward vertical (the arm's theta1 is theta1 - pi/2)",
    ),
    "heights downwards": ("elbow", "P_1 = -m1 g a1 s1", "heights are measured downwards"),
    "another level": (
        "elbow",
        "P = m1 g a1 s1 + m2 g (a1 s1 + a2 s12) + (m1 + m2) g a1",
        "the constant (m1 + m2) g a1",
    ),
    "the level at the lowest point": (
        "elbow",
        r"$P = (m_1+m_2) g a_1 (1-\cos\theta_1) + m_2 g a_2(1-\cos\theta_2)$",
        "up to the constant",
    ),
    "inertia about the joint": (
        "rr",
        "M = [I1 + I2 + m2 l1^2 + 2 m2 l1 lc2 c2, I2 + m2 l1 lc2 c2; I2 + m2 l1 lc2 c2, I2]",
        "I1 and I2 are moments of inertia about the joint",
    ),
    "a centre of mass from the far end": (
        "rr",
        "g_1 = m1 g (l1 - lc1) c1 + m2 g (l1 c1 + (l2 - lc2) c12)",
        "lc1 is measured from the far end of link1",
    ),
    "the force on what drives the arm": ("polar", "f = -(m rdd - m r thetad^2 + m g sin(theta))", "action = reaction"),
    "torques in the joints with absolute angles": (
        "elbow",
        r"$\tau_1 = (m_1+m_2) a_1^2\ddot\theta_1 + m_2 a_2^2\ddot\theta_2"
        r" + m_2 a_1 a_2\cos(\theta_2-\theta_1)(\ddot\theta_1+\ddot\theta_2)"
        r" + m_2 a_1 a_2 \sin(\theta_2-\theta_1)(\dot\theta_1^2 - \dot\theta_2^2)"
        r" + (m_1+m_2) g a_1 \cos\theta_1 + m_2 g a_2\cos\theta_2$",
        "tau_i is still the torque in joint i",
    ),
    "a Jacobian with linear rows first": (
        "elbow",
        "J = [-a1 s1 - a2 s12, -a2 s12; a1 c1 + a2 c12, a2 c12; 0, 0; 0, 0; 0, 0; 1, 1]",
        "linear rows first",
    ),
}


@pytest.mark.parametrize("case", CONVENTIONS, ids=str)
def test_a_convention_is_found_and_said(case):
    arm, text, words = CONVENTIONS[case]
    (verdict,) = check(la.load(arm), text)
    assert verdict.status == "equal by convention"
    assert words in verdict.convention


def test_a_whole_document_has_one_convention():
    verdicts = check(la.load("elbow"), DOUBLE_PENDULUM)
    assert len(verdicts) == 6
    (convention,) = {verdict.convention for verdict in verdicts}
    assert "theta1 and theta2 are both measured from the downward vertical" in convention


def test_a_mistake_in_a_document_of_another_convention_is_not_explained():
    wrong = DOUBLE_PENDULUM.replace(r"+ m_2 g a_2\sin\theta_2", r"- m_2 g a_2\sin\theta_2")
    found = statuses("elbow", wrong)
    assert found == ["equal by convention"] * 5 + ["different"]


@pytest.fixture
def cases(monkeypatch):
    """The wrong equations of the checks of a test, as they came to be judged by conventions."""
    seen = []
    monkeypatch.setattr(faults, "convention", lambda case: seen.append(case) or convention(case))
    return seen


def test_a_mistake_is_told_in_the_convention_of_the_document(cases):
    wrong = DOUBLE_PENDULUM.replace(r"+ m_2 g a_2\sin\theta_2", r"- m_2 g a_2\sin\theta_2")
    check(la.load("elbow"), wrong)
    case, words = in_convention_of_document(cases[-1])
    difference = case.scope.equations.formula(case.value - case.wanted)
    assert difference.text() == "-2 m2 g a2 s2"
    assert "measured from the downward vertical" in words
    assert next(corrections(case)).what == "a sign"


def test_a_mistake_in_a_document_of_our_convention_stays_as_it_is(cases):
    check(la.load("elbow"), "g_2 = m2 g a2 s12\n\nP_1 = m1 g a1 s1\n\nK_1 = m1 a1^2 thetad1^2")
    assert len(cases) == 2
    assert [in_convention_of_document(case) for case in cases] == [None, None]


def test_heights_downwards_go_with_the_angles():
    """x to the right, y down, angles from y: one description explains all three, although two would do for each."""
    text = DOUBLE_PENDULUM.split("$$K")[0].replace("-a_1\\cos", "a_1\\cos").replace("- a_2\\cos", "+ a_2\\cos")
    text += r"$$P = -(m_1+m_2) g a_1\cos\theta_1 - m_2 g a_2\cos\theta_2$$"
    verdicts = check(la.load("elbow"), text)
    assert [verdict.status for verdict in verdicts] == ["equal by convention"] * 3
    assert len({verdict.convention for verdict in verdicts}) == 1


def test_a_horizontal_plane_needs_two_equations():
    both = f"tau1 = {INERTIA} {VELOCITY}\n\ntau2 = {TAU2}"
    assert statuses("elbow", both) == ["equal by convention"] * 2
    assert statuses("elbow", f"tau2 = {TAU2}") == ["different"]
    with_one = f"tau1 = {INERTIA} {VELOCITY} + (m1 + m2) g a1 c1 + m2 g a2 c12\n\ntau2 = {TAU2}"
    assert statuses("elbow", with_one) == ["equal", "different"]


MISTAKES = {
    "one gravity term turned": ("elbow", f"tau1 = {INERTIA} {VELOCITY} + (m1 + m2) g a1 c1 - m2 g a2 c12"),
    "one gravity term with sin": ("elbow", f"tau1 = {INERTIA} {VELOCITY} + (m1 + m2) g a1 c1 + m2 g a2 s12"),
    "gravity turned in the only term": ("elbow", f"tau2 = {TAU2} - m2 g a2 c12"),
    "sin in the only term": ("elbow", "g_2 = m2 g a2 s12"),
    "an angle too few": ("elbow", "P_2 = m2 g (a1 s1 + a2 s2)"),
    "no half": ("elbow", "K_1 = m1 a1^2 thetad1^2"),
    "a sign that reversing an angle would mend": ("elbow", "c_1 = -m2 a1 a2 s2 (2 thetad1 thetad2 - thetad2^2)"),
    "a sign in an entry of C": ("elbow", "C_12 = -m2 a1 a2 s2 (thetad1 - thetad2)"),
    "a position with the other sign": ("elbow", "x_2 = -(a1 c1 + a2 c12)"),
    "a term of M forgotten": ("rr", "M_22 = I2"),
    "C transposed": (
        "elbow",
        "C = [-m2 a1 a2 s2 thetad2, m2 a1 a2 s2 thetad1; -m2 a1 a2 s2 (thetad1 + thetad2), 0]",
    ),
}


@pytest.mark.parametrize("case", MISTAKES, ids=str)
def test_a_mistake_is_no_convention(case):
    arm, text = MISTAKES[case]
    assert statuses(arm, text) == ["different"]


def test_a_slip_counts_as_a_convention_where_another_equation_agrees():
    assert (
        statuses("elbow", "g_1 = (m1 + m2) g a1 s1 + m2 g a2 s12\n\ng_2 = m2 g a2 s12") == ["equal by convention"] * 2
    )
    assert statuses("elbow", "g_1 = (m1 + m2) g a1 c1 + m2 g a2 c12\n\ng_2 = m2 g a2 s12") == ["equal", "different"]


FORGOTTEN = {
    "elbow": (
        "g1 = (m1 + m2) g c1 + m2 g a2 c12",
        "M22 = m2",
        "c_1 = -m2 a2 s2 (2 qd1 qd2 + qd2^2)",
        "y = s1 + a2 s12",
    ),
    "polar": ("M11 = r^2", "P = g r sin(theta)", "c_1 = 2 r thetad rd", "g_1 = g r cos(theta)"),
}
"""Equations without a factor that is 1 in the arm's own numbers."""
IN_NUMBERS = {
    "elbow": ("M22 = 1", "M12 = 1 + cos(q2)", "M = [3 + 2 c2, 1 + c2; 1 + c2, 1]", "g2 = 9.81 m2 a2 c12"),
    "polar": ("g_1 = 9.81 r cos(theta)", "g_1 = 9.81 m r cos(theta)", "P = 9.81 m r sin(theta)"),
}


@pytest.mark.parametrize("arm", FORGOTTEN)
def test_a_number_that_is_written_nowhere_is_no_value_of_the_arm(arm):
    assert {status for line in FORGOTTEN[arm] for status in statuses(arm, line)} == {"different"}
    assert {status for line in IN_NUMBERS[arm] for status in statuses(arm, line)} == {"equal by convention"}


def test_gravity_itself_never_includes_more():
    """Where the Coriolis torque is zero, the gravity torque of another joint is not it with gravity."""
    for arm, lines in {
        "cylindrical": ("g3 = (m2 + m3) g", "g_1 = (m2 + m3) g"),
        "scara": ("g_1 = -m_3 g - m_4 g", "g4 = -m3 g - m4 g"),
    }.items():
        assert {status for line in lines for status in statuses(arm, line)} == {"different"}
    assert statuses("cylindrical", "c_2 = (m2 + m3) g") == ["equal by convention"]
    assert statuses("scara", "c_3 = -m_3 g - m_4 g") == ["equal by convention"]


LEVELS = {
    "cylindrical": "P = m1 g lc1 + m2 g (d1 + d2) + m3 g (d1 + d2) {}",
    "scara": "P = m3 g (lc3 - d3) - m4 g (d3 + lc4) {}",
    "elbow": "P = m1 g a1 s1 + m2 g (a1 s1 + a2 s12) {}",
}
OTHER_LEVELS = {
    "cylindrical": ("- (m1 + m2 + m3) g d1", "+ 2 (m1 + m2 + m3) g lc1"),
    "scara": ("+ (m3 + m4) g lc4", "- (m1 + m2 + m3 + m4) g lc1"),
    "elbow": ("+ (m1 + m2) g a1", "- 3 (m1 + m2) g a2"),
}
SLIPS = {
    "cylindrical": ("- m1 g lc1", "+ m2 g d1", "+ g lc1", "+ m1 g lc1^2", "- 2 m1 g lc1", "+ m3 g g d1"),
    "scara": ("- 2 m3 g lc3", "+ m4 g (lc4 - lc3)", "+ m3 lc3", "+ (m2 - m3) g lc3"),
    "elbow": ("+ m1 g a1", "+ (m1 + m2) a1", "+ (m1 + m2)^2 g a1", "+ m1 m2 g"),
}


@pytest.mark.parametrize("arm", LEVELS)
def test_another_level_is_one_height_for_all_masses(arm):
    found = [check(la.load(arm), LEVELS[arm].format(constant))[0] for constant in OTHER_LEVELS[arm]]
    assert {each.status for each in found} == {"equal by convention"}
    assert all("zero at another height" in each.convention for each in found)
    assert {status for slip in SLIPS[arm] for status in statuses(arm, LEVELS[arm].format(slip))} == {"different"}


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        ("cylindrical", "P = m2 g d2 + m3 g d2"),
        ("scara", "P = -m3 g d3 - m4 g d3"),
        ("elbow", "P = (m1 + m2) g a1 (1 + s1) + m2 g a2 (1 + s12)"),
    ],
)
def test_each_link_may_have_a_level_of_its_own(arm, text):
    (found,) = check(la.load(arm), text)
    assert found.status == "equal by convention" and "different heights for different links" in found.convention


@pytest.mark.parametrize("arm", ["elbow", "rr"])
def test_numbers_in_the_units_of_another_quantity_are_wrong(arm):
    masses = {
        "elbow": "m1 = 1 kg, m2 = 2 kg, a1 = 0.3 m, a2 = 0.2 m",
        "rr": "m2 = 2 kg, lc2 = 0.1 m, l1 = 0.6 m, I2 = 0.06 kg m^2",
    }[arm]
    for line, right, wrong in (
        ("M22 = 0.08 {}", "kg m^2", "N m"),
        ("M12 = 0.08 + 0.12 cos(q2) {}", "kg m^2", "kg m"),
    ):
        assert statuses(arm, f"{masses}\n\n{line.format(right)}")[-1] == "equal by convention"
        found = check(la.load(arm), f"{masses}\n\n{line.format(wrong)}")[-1]
        assert found.status == "different" and "the units do not: sets kg m" in found.message


@pytest.mark.parametrize("arm", ["elbow", "rr"])
def test_a_zero_is_a_zero(arm):
    """Written where another state is set than it holds at, it is wrong; but 0 is never said to be -0."""
    text = "q1 = pi/3, q2 = pi/6\n\ng2 = 0\n\nq1 = 0\n\ng2 = 0.0\n\ng2 = 0 N m"
    found = check(la.load(arm), text)[2:]
    assert found[0].status == "equal by convention"
    assert all("`-0" not in each.message and each.difference.terms for each in found[2:])


@pytest.mark.parametrize("arm", ["elbow", "rr", "polar", "planar3r"])
def test_other_factorisations_are_told_from_wrong_matrices(arm):
    eq = equations(la.load(arm))
    mechanism, q, qd = eq.exact.mechanism, eq.exact.q, eq.exact.qd
    for name, make in me.FACTORISATIONS.items():
        A = make(mechanism, q, qd)
        words = factorisation(A, eq)
        assert words is not None and ("is not skew-symmetric" in words) == (name != "christoffel") == (
            not is_skew(A, eq)
        )
    assert factorisation(me.transposed(eq.C.values), eq) is None
    assert factorisation(eq.C.values[:1], eq) is None


def test_a_matrix_that_is_skew_but_not_christoffel_is_said_to_serve():
    """C + S with S skew and S qd = 0: in two coordinates only zero, in three any multiple of the cross product with qd."""
    eq = equations(la.load("planar3r"))
    x, y, z = eq.exact.qd
    S = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    other = [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(eq.C.values, S, strict=True)]
    assert "serves passivity-based control as well" in factorisation(other, eq)


def test_entries_of_another_coriolis_matrix_are_judged_by_rows(cases):
    text = "C_11 = -2 m2 l1 lc2 s2 qd2\n\nC_12 = -m2 l1 lc2 s2 qd2\n\nC_21 = m2 l1 lc2 s2 qd1\n\nC_22 = 0"
    verdicts = check(la.load("rr"), text)
    assert [verdict.status for verdict in verdicts] == ["equal by convention"] * 2 + ["equal"] * 2
    assert "is not skew-symmetric" in verdicts[0].convention
    assert statuses("rr", "C_11 = -2 m2 l1 lc2 s2 qd2") == ["different"]
    assert ["\n".join(notes_on(case)).count("row 1") for case in cases] == [1, 1, 1]
    wrong = text.replace("C_12 = -m2 l1", "C_12 = m2 l1")
    assert statuses("rr", wrong)[:2] == ["different"] * 2


@pytest.mark.parametrize("name", ["elbow", "planar3r", "puma560"])
def test_angles_measured_otherwise_are_the_same_machine(name):
    """At the same posture and motion the energies, the tool's place and the power qd . tau are the same numbers.

    Both sides are computed by the same algorithm in floats: 1e-12 relative to their size, a thousand roundings.
    """
    arm = la.load(name)
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, arm.dof))
    for alternative in [each for each in single_alternatives(arm) if "ang" in each.about]:
        other = alternative.change(arm)
        A, b = np.eye(arm.dof), np.zeros(arm.dof)
        for i, joint in enumerate(body.joint for body in other.bodies if not body.joint.is_fixed):
            if joint.coupling is not None:
                A[i] = [dict(joint.coupling).get(coordinate, 0) for coordinate in arm.coordinates]
                b[i] = la.model.to_float(joint.offset, {})
        ours = (A @ q + b, A @ qd, A @ qdd)
        assert not np.allclose(ours[0], q)
        assert la.kinetic_energy(other, q, qd) == pytest.approx(la.kinetic_energy(arm, *ours[:2]), rel=1e-12)
        assert la.potential_energy(other, q) == pytest.approx(la.potential_energy(arm, ours[0]), rel=1e-12, abs=1e-12)
        power = qd @ la.inverse_dynamics(other, q, qd, qdd)
        assert power == pytest.approx(ours[1] @ la.inverse_dynamics(arm, *ours), rel=1e-11)


def test_pairs_are_of_different_conventions():
    arm = la.load("rr")
    singles, pairs = single_alternatives(arm), paired_alternatives(arm)
    assert all(first.about != second.about for first, second in (pair.parts for pair in pairs))
    assert {each for pair in pairs for each in pair.parts} <= set(singles)
    assert len(singles) < 40 and len(pairs) < 120
