"""Equations in the hands of many writers: books, lecture notes, programs, chats; right ones are proven, wrong ones mended."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

import leverarm as la
from leverarm.verify.equations.verdict import DEFINED

STATUS = {"=": "equal", "~": "equal by convention", ".": DEFINED, "!": "different", "?": "unreadable"}
PAGES = tomllib.loads((Path(__file__).parent / "textbooks.toml").read_text())["page"]


@cache
def arm_of(name: str) -> la.Arm:
    bars = ["m1*L1^2/12", "m2*L2^2/12"]
    own = {
        "pr": lambda: la.planar("PR", [0, "L2"], ["M", "m"], [0, "L2"], [0, 0]),
        "rods": lambda: la.planar("RR", ["L1", "L2"], ["m1", "m2"], ["L1/2", "L2/2"], bars),
        "pend": lambda: la.planar("R", ["l"], ["m"], ["l"], [0], joints=["theta"]),
        "rrnum": lambda: la.planar("RR", [0.4, 0.3], [2.5, 1.2], [0.2, 0.15], [0.033, 0.009], gravity=9.81),
    }
    return own[name]() if name in own else la.load(name)


def one(arm: str, text: str) -> la.types.Verdict:
    (verdict,) = la.check(arm_of(arm), text)
    return verdict


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page["title"])
def test_a_page_gets_its_verdicts(page):
    verdicts = la.check(arm_of(page["arm"]), page["text"])
    assert [verdict.status for verdict in verdicts] == [STATUS[sign] for sign in page["verdicts"]], verdicts.text()
    wrong = [verdict for verdict in verdicts if verdict.status == "different"]
    assert [verdict.suggestion.meant if verdict.suggestion else "" for verdict in wrong] == page.get("meant", [])
    if wrong:
        mended = la.check(arm_of(page["arm"]), _mended(page["text"], [verdict.suggestion for verdict in wrong]))
        assert mended.status in ("equal", "equal by convention"), mended.text()


def _mended(text: str, suggestions: list[la.types.Correction]) -> str:
    """The text with all corrections made."""
    for each in sorted(suggestions, key=lambda each: each.span, reverse=True):
        text = text[: each.span[0]] + each.meant + text[each.span[1] :]
    return text


# One equation in many hands


@pytest.mark.parametrize(
    "text",
    [
        r"$M_{12} = m_{2}\left(l_{c_2}^{2} + l_{1}l_{c_2}\cos{q_2}\right) + I_{2}$",
        r"\[ M_{12} = m_{2}\,l_{c,2}^{2} + m_{2}\,l_{1}\,l_{c,2}\,\cos(q_{2}) + I_{zz,2}. \tag{3} \]",
        "M12 = m2*(lc2**2 + l1*lc2*cos(q2)) + I2",
        "M₁₂ = m₂(lc₂² + l₁ lc₂ cos q₂) + I₂",
        "M_12 = m_2 (l_c2^2 + l_1 l_c2 cos(q_2)) + I_2",
        r"$$\begin{equation} D_{12} = m_2 r_2^2 + m_2 l_1 r_2 \mathrm{c}_2 + J_2 \label{eq:d12} \end{equation}$$",
        r"$H_{12}(q_2) = m_2\ell_{c2}^2 + m_2\ell_1\ell_{c2}\operatorname{cos}q_2 + I_{2zz}$",
        r"$D_{12} = m_2 l_{g2}^2 + m_2 l_1 l_{g2} C_2 + I_{g2}$",
        r"$B_{12} = m_2 l_{C_2}^2 + m_2 l_1 l_{C_2} c_{q_2} + I_{C_2}$",
        r"$m_{12} = m_2 d_2^2 + m_2 L_1 d_2 \cos\theta_2 + I_2$",
        "M12 = m2·lc2² + m2·l1·lc2·cosθ2 + I2",
        "M(1,2) = I2 + m2*lc2^2 + l1*lc2*m2*cos(q(2))",
        "M[0, 1] = I2 + m2*lc2**2 + l1*lc2*m2*np.cos(q[1])",
    ],
)
def test_an_entry_of_the_mass_matrix(text):
    assert one("rr", text).status == "equal"


@pytest.mark.parametrize(
    "square",
    [
        r"\dot{\theta_1}^2", r"\left(\dot\theta_1\right)^2", r"{\dot \theta_1}^2", r"\dot\theta^2_1",
        r"\dot{\theta}_{1}{}^{2}", r"(\frac{d\theta_1}{dt})^2", r"\left(\frac{\mathrm{d}\theta_1}{\mathrm{d}t}\right)^2",
        r"(\theta_1')^2", r"\theta'_1{}^2", r"\omega_1^2", r"|\dot\theta_1|^2",
    ],
)  # fmt: skip
def test_the_square_of_a_speed(square):
    assert one("elbow", rf"$$K_1 = \frac12 m_1 a_1^2 {square}$$").status == "equal"


@pytest.mark.parametrize(
    "text",
    [
        "K₁ = ½ m₁ a₁² θ̇₁²", "K1 = 1/2 m1 a1^2 θ̇1^2", "K1 = 0.5*m1*a1^2*theta1_dot^2", "K1 = 0.5*m1*a1^2*theta_dot_1^2",
        "K1 = 0.5*m1*a1^2*th1d^2", "KE1 = 0.5 m1 a1^2 (dtheta1/dt)^2", "K1 = 0.5*m1*(xdot1^2 + ydot1^2)",
        r"$K_1 = \frac12 m_1 \|v_1\|^2$", r"$K_1 = \frac12 m_1 |v_1|^2$",
        r"$K_1 = \frac12 m_1 \mathbf{v}_1\cdot\mathbf{v}_1$", r"$K_1=\frac{m_1}{2}\vec v_1^{\,2}$",
        "K1 = 0.5*m1*a1**2*diff(q1(t), t)**2", r"$K_1 = \frac12 m_1 \left({}^0v_1\right)^T {}^0v_1$",
    ],
)  # fmt: skip
def test_the_energy_of_a_link(text):
    assert one("elbow", text).status == "equal"


# Special cases that a text sets


def test_symbols_that_a_text_sets():
    uniform = r"With $\ell_{c2} = \ell_2/2$ and $I_2 = m_2\ell_2^2/12$: "
    *settings, verdict = la.check(arm_of("rr"), uniform + r"$M_{22} = \frac13 m_2 \ell_2^2$")
    assert [each.about for each in settings] == ["a value of lc2", "a value of I2"]
    assert verdict.convention == "equal where lc2 = 1/2 l2, I2 = 1/12 m2 l2^2, as the text sets them"
    assert la.check(arm_of("rr"), uniform + r"$M_{22} = \frac14 m_2 \ell_2^2$").status == "different"
    assert one("rr", r"$M_{22} = \frac13 m_2 \ell_2^2$").status == "different"


def test_a_line_of_wrong_units_sets_nothing():
    assert one("rr", "I1 = m1 lc1^2").about == "a value of I1"
    assert one("rr", "I1 = m1 lc1").status == "different"


def test_a_correction_at_a_pose():
    text = r"With $\theta_2 = 0$, $M_{11} = (m_1+m_2)a_1^2 + m_2a_2^2 + m_2a_1a_2$"
    verdict = la.check(arm_of("elbow"), text)[1]
    assert verdict.suggestion.meant == "2 m_2a_1a_2"
    assert "Compared at theta2 = 0" in verdict.message


# Motion without torques


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("l theta'' + g cos(theta) = 0", "no torque acts on theta (tau_1 = 0)"),
        ("theta'' = -(g/l) cos(theta)", "no torque acts on theta (tau_1 = 0)"),
        ("d/dt (K + P) = 0", "no torque acts on theta (tau_1 = 0)"),
    ],
)
def test_a_pendulum_without_torque(text, says):
    assert says in one("pend", text).convention


@pytest.mark.parametrize("text", ["l theta'' + g sin(theta)/2 = 0", "M_11 = 0", "2 tau = 0 + tau", "dP/dt = 0"])
def test_what_does_not_hold_without_torque_either(text):
    assert one("pend", text).status == "different"


# Rounded numbers


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("g2 = 1.7658 cos(q1 + q2)", "equal"),
        ("g2 = 1.766 cos(q1 + q2)", "equal by convention"),
        ("g2 = 1.77 cos(q1 + q2)", "equal by convention"),
        ("g2 = 1.76 cos(q1 + q2)", "different"),
        ("g2 = 1.76 sin(q1 + q2)", "different"),
        ("g1 = 9.614 cos(q1) + 1.77 cos(q1 + q2)", "equal by convention"),
        ("g1 = 9.614 cos(q1)", "different"),
        ("M22 = 0.036", "equal"),
        ("M22 = 0.04", "different"),  # one digit says too little
    ],
)
def test_numbers_are_rounded_to_the_digits_written(text, status):
    verdict = one("rrnum", text)
    assert verdict.status == status
    assert (verdict.convention or "").startswith("equal to the digits") == (status == "equal by convention")


def test_a_wrong_number_is_named_beside_rounded_ones():
    verdict = one(
        "rrnum", "tau2 = (0.036 + 0.072 cos(q2)) qdd1 + 0.036 qdd2 + 0.072 sin(q2) qd1^2 + 1.666 cos(q1 + q2)"
    )
    assert (verdict.suggestion.what, verdict.suggestion.meant) == ("a number", "1.766 cos(q1 + q2)")


# Vectors


@pytest.mark.parametrize(
    "text",
    [
        r"$v_1 = \dot\theta_1 k \times r_1$",
        r"$v_1 = S(\omega_1) r_1$",
        r"$J = \frac{\partial p}{\partial\theta}$",
        r"$\det J = a_1 a_2 \sin\theta_2$",
        r"$\det(M) = m_2 a_1^2 a_2^2 (m_1 + m_2\sin^2\theta_2)$",
    ],
)
def test_vectors_and_determinants(text):
    assert one("elbow", text).status == "equal"


@pytest.mark.parametrize("text", [r"$v_1 = r_1 \times \dot\theta_1 k$", r"$J = (\frac{\partial p}{\partial\theta})^T$"])
def test_wrong_ways_round(text):
    assert one("elbow", text).status == "different"


def test_forces_without_acceleration_hold_friction():
    assert one("puma560", r"$\tau = M\ddot q + h(q, \dot q)$").status == "equal"


def test_a_double_prime_is_two_dots():
    assert one("pend", "tau = m l^2 θ″ + m g l cos θ").status == "equal"


# Definitions


def test_a_definition_with_an_unknown_name_is_told():
    first, second = la.check(arm_of("rr"), "h = -m2 l1 b7 sin(q2)\n\nC21 = -h qd1")
    assert first.status == second.status == "unreadable"
    assert "b_7" in first.message


def test_a_defined_angle_moves():
    text = "th3 = q1 + q2\n\nK2 = m2 (a1^2 qd1^2 + a2^2 th3d^2 + 2 a1 a2 cos(q2) qd1 th3d)/2\n\ng2 = m2 g a2 cos(th3)"
    assert [verdict.status for verdict in la.check(arm_of("elbow"), text)] == [DEFINED, "equal", "equal"]
    assert one("elbow", "th1 = 0.5 m1 a1^2 th1d^2").about == "definition of th_1"  # and no endless descent


def test_definitions_in_a_long_row_are_refused_quickly():
    rows = [f"aa{i} = 2 aa{i + 1}" for i in range(1, 300)]
    verdict = la.check(arm_of("elbow"), "\n".join([*rows, "aa300 = m1", "M22 = aa1"]))[-1]
    assert verdict.status == "unreadable" and "in a chain" in verdict.message


def test_an_index_under_a_sum():
    sums = r"$\sum_{j=1}^{2} d_{1j}\ddot q_j + \sum_{j=1}^{2}\sum_{k=1}^2 c_{jkX}\dot q_j\dot q_k + g_1 = \tau_1$"
    assert one("rr", sums.replace("X", "1")).status == "equal"
    assert "c_{jk1}" in one("rr", sums.replace("X", "2")).suggestion.meant


def test_a_law_for_all_arms_shows_no_convention():
    """C_kj = sum_i c_ijk qd_j happens to hold with absolute angles; it is wrong all the same."""
    assert one("rr", r"$C_{kj} = \sum_{i=1}^{n} c_{ijk}(q)\dot q_j$").status == "different"
    assert one("rr", r"$C_{kj} = \sum_{i=1}^{n} c_{ijk}(q)\dot q_i$").status == "equal"


def test_one_turned_sign_is_no_other_sense_of_an_angle():
    right = "y = L1 s1 + L2 (s1 c2 + c1 s2) + L3 ((s1 c2 + c1 s2) c3 + (c1 c2 - s1 s2) s3)"
    assert one("planar3r", right).status == "equal"
    assert one("planar3r", right.replace("c3 + (c1", "c3 - (c1")).status == "different"
