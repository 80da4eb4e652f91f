"""What written formulas are worth: half angles, products of matrices and vectors, bounds on the work."""

from __future__ import annotations

import pytest

import leverarm as la

ARMS = {
    "elbow": lambda: la.load("elbow"),
    "rr": lambda: la.load("rr"),
    "pendulum": lambda: la.planar("R", ["l"], ["m"], ["l"], [0], joints=["theta"]),
    "cart": lambda: la.planar("PR", [0, "l"], ["M", "m"], [0, "l"], [0, 0], joints=["x", "theta"]),
}


def verdict(arm: str, text: str) -> la.types.Verdict:
    (only,) = la.check(ARMS[arm](), text)
    return only


# Half angles


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        ("elbow", r"$M_{12} = m_2 a_2^2 + m_2 a_1 a_2 (1 - 2 \sin^2(\theta_2/2))$"),
        ("elbow", r"$M_{11} = m_1 a_1^2 + m_2((a_1+a_2)^2 - 4 a_1 a_2 \sin^2\frac{\theta_2}{2})$"),
        ("elbow", r"$M_{12} = m_2 a_2^2 + m_2 a_1 a_2 \frac{1 - \tan^2(\theta_2/2)}{1+\tan^2(\theta_2/2)}$"),
        ("elbow", r"$g_2 = m_2 g a_2 (2\cos^2\frac{\theta_1+\theta_2}{2} - 1)$"),
        ("elbow", r"$\tan(\theta_1/2) = \frac{1-\cos\theta_1}{\sin\theta_1}$"),
        ("elbow", r"$\frac{d}{dt}\sin(\theta_1/2) = \frac12\dot\theta_1\cos(\theta_1/2)$"),
        ("elbow", r"$\frac{\cos\theta_1}{\cos(\theta_1/2)} = 2 \cos(\theta_1/2) - \frac{1}{\cos(\theta_1/2)}$"),
        ("elbow", r"$\cos(\frac32\theta_1) = 4\cos^3(\theta_1/2) - 3\cos(\theta_1/2)$"),
        ("pendulum", "tau = m l^2 theta'' + m g l (1 - 2 sin(theta/2)^2)"),
        ("pendulum", "theta' sin(theta) = 2 theta' sin(theta/2) cos(theta/2)"),
    ],
)
def test_half_angles_are_exact(arm: str, text: str) -> None:
    assert verdict(arm, text).status == "equal"


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        ("elbow", r"$M_{12} = m_2 a_2^2 + m_2 a_1 a_2 (1 - \sin^2(\theta_2/2))$"),
        ("elbow", r"$M_{12} = m_2 a_2^2 + m_2 a_1 a_2 \cos(\theta_2/2)$"),
        ("elbow", r"$\tan(\theta_1/2) = \frac{1+\cos\theta_1}{\sin\theta_1}$"),
        ("elbow", r"$\frac{d}{dt}\sin(\theta_1/2) = \dot\theta_1\cos(\theta_1/2)$"),
        ("pendulum", "tau = m l^2 theta'' + m g l (1 - 2 sin(theta/2))"),
        ("pendulum", "theta' sin(theta) = theta' sin(theta/2) cos(theta/2)"),
    ],
)
def test_a_slip_with_half_angles_is_found(arm: str, text: str) -> None:
    found = verdict(arm, text)
    assert found.status == "different"
    assert found.witness is not None


def test_a_third_of_an_angle_is_not_read() -> None:
    assert "1/3 times an angle" in verdict("elbow", "M12 = m2 a2^2 cos(theta2/3)").message


# Bounds on the work


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tau2 = " + "*".join(["(m1*a1 + m2*a2 + g)"] * 40), "multiplies 40 sums by each other; at most 16"),
        ("tau2 = " + "*".join(["(m1 + m2 + a1 + a2 + g + a1^2 + m1^2 + c1 + s2)"] * 9), "more than 40,000 terms"),
        ("tau2 = (m1*a1 + m2*a2 + m2*a1*cos(q2) + g)^40", "more than 2,000 terms when the power 40"),
    ],
)
def test_a_product_that_would_take_long_is_refused_in_a_sentence(text: str, why: str) -> None:
    found = verdict("elbow", text)
    assert found.status == "unreadable"
    assert why in found.message


def test_products_of_some_sums_are_multiplied_out() -> None:
    text = "M22 = " + "*".join(["(m1 + m2)"] * 4) + "*m2*a2^2/(" + "*".join(["(m2 + m1)"] * 4) + ")"
    assert verdict("elbow", text).status == "equal"


# Whole answers


M = r"$$M = \begin{bmatrix} (m_1+m_2) a_1^2 + m_2 a_2^2 + 2 m_2 a_1 a_2 c_2 & %s \\ %s & m_2 a_2^2 \end{bmatrix}$$"
COUPLING = "m_2 a_2^2 + m_2 a_1 a_2 c_2"


@pytest.mark.parametrize("mark", [r"\ast", "*", r"\cdot", r"\text{sym.}", r"\star"])
def test_a_mark_stands_for_the_entry_on_the_other_side(mark: str) -> None:
    assert verdict("elbow", M % (COUPLING, mark)).status == "equal"
    wrong = verdict("elbow", M % (mark, COUPLING.replace("c_2", "s_2")))
    assert wrong.status == "different"
    assert wrong.suggestion is not None
    assert wrong.suggestion.meant == "m_2 a_1 a_2 c_2"
    assert "both marks" in verdict("elbow", M % (mark, mark)).message


REGRESSOR = r"""
$$\tau = Y \pi, \quad \pi = [(m_1+m_2)a_1^2,\; m_2 a_1 a_2,\; m_2 a_2^2,\; (m_1+m_2)a_1,\; m_2 a_2]^T$$
$$Y = \begin{bmatrix} \ddot\theta_1 & c_2 (2\ddot\theta_1+\ddot\theta_2) - s_2(2\dot\theta_1\dot\theta_2+\dot\theta_2^2)
& \ddot\theta_1 + \ddot\theta_2 & g c_1 & g c_{12} \\ 0 & c_2\ddot\theta_1 + s_2\dot\theta_1^2
& \ddot\theta_1+\ddot\theta_2 & 0 & g c_{12}\end{bmatrix}$$
"""


@pytest.mark.parametrize("letter", [r"\pi", r"\phi", r"\Theta"])
def test_parameters_beside_a_regressor_may_be_called_pi(letter: str) -> None:
    text = REGRESSOR.replace(r"\pi", letter)
    assert [each.status for each in la.check(ARMS["elbow"](), text)] == ["equal", "defined, not checked", "equal"]
    wrong = la.check(ARMS["elbow"](), text.replace("m_2 a_1 a_2", "m_1 a_1 a_2"))
    assert [each.status for each in wrong] == ["different", "defined, not checked", "different"]


PROGRAM = """
function tau = dynamics(q, qd, qdd)
q1 = q(1); q2 = q(2); h = m2*a1*a2*sin(q2);
M = zeros(2);
M(1,1) = (m1 + m2)*a1^2 + m2*a2^2 + ...  % of both
         2*m2*a1*a2*cos(q2);
M(1,2) = m2*a2^2 + m2*a1*a2*cos(q2);
M(2,1) = M(1,2); M(2,2) = m2*a2^2;
tau = M*qdd;
tau = tau + [-h*(2*qd(1)*qd(2) + qd(2)^2); h*qd(1)^2];
tau = tau + [(m1 + m2)*g*a1*cos(q1); 0];
tau = tau + m2*g*a2*cos(q1 + q2)*[1; 1];
"""


def test_a_program_is_followed_to_what_it_gives_back() -> None:
    found = {each.about: each.status for each in la.check(ARMS["elbow"](), PROGRAM)}
    assert found["tau, the joint torques"] == "equal"
    assert set(found.values()) == {"equal", "defined, not checked"}
    (wrong,) = [each for each in la.check(ARMS["elbow"](), PROGRAM.replace("[-h", "[h")) if each.status == "different"]
    assert wrong.about == "tau, the joint torques"


def test_what_a_program_leaves_at_zero_is_zero() -> None:
    text = PROGRAM.replace("M(2,1) = M(1,2); ", "")
    assert "different" in [each.status for each in la.check(ARMS["elbow"](), text)]
