"""What the words of a text set for its equations: rest, constant speeds, what is neglected, deviations, a state."""

from __future__ import annotations

from dataclasses import replace

import pytest

import leverarm as la

MARKS = {"equal": ".", "equal by convention": "~", "different": "!", "unreadable": "?", "defined, not checked": ""}
WEIGHT_2 = "m2 g a2 cos(q1 + q2)"
INERTIA_2 = "m2 a2 (a2 + a1 cos(q2)) qdd1 + m2 a2^2 qdd2"
LINEAR = r"(m_2a_2^2+m_2a_1a_2)\ddot X_1 + m_2a_2^2\ddot X_2"


def marks(arm: str, text: str) -> str:
    """One sign for each verdict that is no definition."""
    return "".join(MARKS[verdict.status] for verdict in la.check(la.load(arm), text))


@pytest.mark.parametrize(
    "words", ["no accelerations", "at constant speed", "in uniform motion", "without acceleration"]
)
def test_words_that_set_accelerations_to_zero(words: str) -> None:
    state = f"m1 = m2 = 1 kg, a1 = a2 = 1 m, q1 = 0, q2 = 90°, qd1 = 2 rad/s, qd2 = 0, {words}"
    assert marks("elbow", f"{state}: tau2 = 1*1*1*2^2 + 0 = 4 N m") == "~"
    assert marks("elbow", f"{state}: tau2 = 1*1*1*2 + 0 = 2 N m") == "!"
    assert marks("cylindrical", f"m2 = 6, m3 = 4, g = 10, {words}, d3 = 1: f2 = (6 + 4)*10 = 100 N") == "~"


def test_rates_that_a_text_does_not_give_are_zero_and_this_is_said() -> None:
    text = "m2 = 2 kg, a2 = 0.5 m, g = 10 m/s^2, q1 = 0, q2 = 0: tau2 = 2*10*0.5 = 10 N m"
    found = la.check(la.load("elbow"), text)[-1]
    assert found.status == "equal by convention"
    assert "Of these the text gives no speeds and no accelerations: they are taken as zero." in found.message
    assert marks("elbow", text.replace("= 10 N m", "= 12 N m")) == "!"
    assert marks("elbow", text.replace("q2 = 0:", "q2 = 0, qdd1 = 1:")) == "!"  # qdd2 is unsaid, qdd1 not left out


def test_at_standstill_the_speeds_are_zero_and_no_accelerations() -> None:
    assert marks("elbow", f"At standstill tau2 = {INERTIA_2} + {WEIGHT_2}") == "~"
    assert marks("elbow", f"At standstill tau2 = {WEIGHT_2}") == "!"
    assert marks("elbow", f"At standstill, with gravity neglected, without gravity: tau2 = {INERTIA_2}") == "~"
    assert marks("elbow", f"At standstill: tau2 = {INERTIA_2} - {WEIGHT_2}") == "!"


def test_a_condition_lasts_over_a_list() -> None:
    items = "With the speeds $\\dot q_1=\\dot q_2=0$:\n\n1. $\\tau_2 = {0}$\n2. $\\tau_2 = {0}$\n"
    right = r"m_2 a_2(a_2 + a_1\cos q_2)\ddot q_1 + m_2 a_2^2\ddot q_2 + m_2 g a_2\cos(q_1+q_2)"
    assert marks("elbow", items.format(right)) == "~~"
    assert marks("elbow", items.format(right.replace("a_1", "a_2"))) == "!!"


def test_a_law_holds_by_what_the_text_neglects() -> None:
    law = r"$M\ddot q + C\dot q = \tau$"
    assert marks("elbow", f"Without gravity: {law}") == "~"
    assert marks("elbow", law) == "!"
    assert marks("elbow", r"Without gravity: $M\ddot q - C\dot q = \tau$") == "!"


@pytest.mark.parametrize(
    "words",
    [
        r"For small deviations $x_1$ of $\theta_1$ and $x_2$ of $\theta_2$ from this the motion linearises to",
        r"With $e_1=\theta_1+\pi/2$ and $e_2=\theta_2$, linearised,",
    ],
)
def test_deviations_of_a_stated_equilibrium(words: str) -> None:
    text = rf"At $\theta_1=-\pi/2$, $\theta_2=0$ the arm hangs. {words} $\tau_2 = {LINEAR} + m_2ga_2(x_1+x_2)$."
    letter = "e_" if "e_" in words else "x_"
    text = text.replace("X_", letter).replace("x_", letter)
    assert marks("elbow", text)[-1] == "~"
    assert marks("elbow", text.replace(f"({letter}1+", f"({letter}1-"))[-1] == "!"


def test_deviations_with_delta() -> None:
    text = (
        r"About $\theta_1=\pi/2$, $\theta_2=0$ the deviations $\delta\theta_1$, $\delta\theta_2$ obey the linearised "
        r"$\tau_2 = m_2 a_2(a_1+a_2)\delta\ddot\theta_1 + m_2 a_2^2\delta\ddot\theta_2 "
        r"- m_2 g a_2(\delta\theta_1+\delta\theta_2)$."
    )
    assert marks("elbow", text) == "~"
    assert marks("elbow", text.replace("- m_2", "+ m_2")) == "!"
    approximate = (
        r"About $\theta_1=\pi/2$, $\theta_2=0$, linearised: $g_2 \approx -m_2 g a_2(\theta_1 - \pi/2 + \theta_2)$"
    )
    assert marks("elbow", approximate)[-1] == "~"


def test_a_state_given_as_a_list() -> None:
    text = (
        r"With $x=(r,\theta,\dot r,\dot\theta)$: $\dot x_1 = x_3$, $\dot x_2 = x_4$, $f = m(\dot x_3 - X)+mg\sin x_2$"
    )
    assert marks("polar", text.replace("X", "x_1x_4^2")) == "..."
    assert marks("polar", text.replace("X", "x_1x_4")) == "..!"


def test_constants_that_a_text_leaves_out() -> None:
    energy = r"$P = (m_2+m_3)g(d_1+d_2)$"
    assert marks("cylindrical", f"{energy}, where the constant energy of the column has been left out.") == "~"
    assert marks("cylindrical", energy.replace("m_2+m_3", "m_2")) == "!"
    wrong = energy.replace("m_2+m_3", "m_2")
    assert marks("cylindrical", f"{wrong}, where the constant energy of the column has been left out.") == "!"


RIGHT_SIDE = "tau2 - m2*a1*a2*sin(q2)*qd1^2 - m2*g*a2*cos(q1+q2)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("% M*qdd = rhs\nrhs2 = X;\n", "."),
        ("rhs1 = 1;\nqdd = solve(M, [b1, b2])\nb2 = X\n", "."),
        ("L = K - P\ndL_dth2 = -m2*a1*a2*sin(th2)*th1d*(th1d+th2d) - m2*g*a2*cos(th1+th2)\n", ".."),
        ("L = K - P\ndLdq2dot = m2*a2*(a2 + a1*cos(q2))*qd1 + m2*a2^2*qd2\n", ".."),
    ],
)
def test_names_of_programs(text: str, found: str) -> None:
    assert marks("elbow", text.replace("X", RIGHT_SIDE))[-1] == found[-1]
    wrong = text.replace("X", RIGHT_SIDE.replace("- m2*a1", "+ m2*a1")).replace("m2*g*a2*cos(th1", "m2*g*a1*cos(th1")
    assert "!" in marks("elbow", wrong.replace("a1*cos(q2))*qd1", "a1*cos(q2))*qd2"))


def test_words_beside_formulas() -> None:
    assert marks("elbow", "Total energy E = K + P of the arm: E = K + P.") == ".."
    assert marks("elbow", "The momentum obeys d/dt(m2 a2^2) = 0; m2 = 0.8 kg one gets") == "."
    assert marks("elbow", "M22 = m2*a2^2. Differentiating,\nd/dt M22 = 0") == ".."


def test_a_foreign_digit_in_a_program_is_no_crash() -> None:
    text = "function t\u0663au = dyn(q, qd)\nt\u0663au = 3*q(1);\nend\nM22 = m2*a2^2"
    assert marks("elbow", text) == "?."


@pytest.mark.parametrize("words", ["At rest", "Statics: with no motion", "To hold the arm"])
def test_torques_by_each_other_are_at_the_same_state(words: str) -> None:
    text = f"{words}, tau2 = {WEIGHT_2} and tau1 = tau2 + (m1 + m2) g a1 "
    assert marks("elbow", f"{text}cos(q1).") == "~~"
    assert marks("elbow", f"{text}sin(q1).") == "~!"


def test_in_general_ends_what_was_set() -> None:
    held = f"With the shoulder held (qd1 = qdd1 = 0) we get\ntau2 = m2 a2^2 qdd2 + {WEIGHT_2}"
    moving = f"tau2 = {INERTIA_2} + m2 a1 a2 sin(q2) qd1^2 + {WEIGHT_2}"
    slip = moving.replace("a2 + a1 cos(q2)", "a1 cos(q2)")
    assert marks("elbow", f"{held}\nwhile in the general case\n{moving}") == "~."
    assert marks("elbow", f"{held}\nwhile in the general case\n{slip}") == "~!"


def test_a_joint_that_nothing_drives() -> None:
    """An arm whose description names a force for other joints has none there, unlike an arm that has all."""
    elbow = la.load("elbow")
    first, *rest = elbow.bodies
    acrobot = replace(elbow, bodies=(replace(first, joint=replace(first.joint, force="")), *rest))
    inertia = "((m1 + m2) a1^2 + m2 a2^2 + 2 m2 a1 a2 c2) qdd1 + (m2 a2^2 + m2 a1 a2 c2) qdd2"
    weight, speeds = "(m1 + m2) g a1 c1 + m2 g a2 c12", "m2 a1 a2 s2 (2 qd1 qd2 + qd2^2)"
    for arm, right in ((acrobot, "equal by convention"), (elbow, "different")):
        for text, status in (("tau2 + ", right), ("2 tau2 + ", "different")):
            line = f"{inertia} + tau2 = {speeds} - ({weight}) + {text.removesuffix(' + ')}"
            assert [each.status for each in la.check(arm, line)] == [status], line


def test_torques_that_are_written_are_not_zero() -> None:
    assert marks("polar", "rdd = f/m + r thetad^2 - g sin(theta)") == "."
    assert marks("polar", "rdd = r thetad^2 - g sin(theta)") == "~"
    assert marks("polar", "rdd = 2 f/m + r thetad^2 - g sin(theta)") == "!"


def test_a_list_of_a_letter_that_the_arm_has() -> None:
    assert "?" not in marks("elbow", "z = (q1, q2, qd1, qd2), tau2 = 0 is the torque")


def test_a_name_that_is_more_than_the_inertia_it_looks_like() -> None:
    assert marks("rr", "Put $J_2 = I_2 + m_2 l_{c2}^2$. Then $M_{22} = J_2$.") == "."
    assert marks("rr", "Put $J_2 = I_2 + m_2 l_{c2}^2$. Then $M_{22} = 2 J_2$.") == "!"


@pytest.mark.parametrize("state", ["At theta2 = 0:", "Linearised about theta1 = theta2 = 0,"])
def test_a_singular_pose(state: str) -> None:
    inverse = "[[a2 c12, a2 s12], [-a1 c1 - a2 c12, -a1 s1 - a2 s12]]/(a1 a2 s2)"
    assert marks("elbow", f"{state} J^-1 = {inverse}") == "."
    assert marks("elbow", f"{state} J^-1 = 2 {inverse}") in ("?", "!")
    assert marks("elbow", f"{state} Lambda_11 = 3 kg") == "?"
