"""What names mean: common spellings, indices that an arm lacks, coordinates and letters of the text's own."""

from __future__ import annotations

import pytest

import leverarm as la
from leverarm.closed_form import equations
from leverarm.verify.equations.arm_names import symbol_value
from leverarm.verify.equations.arm_values import ArmValues, Body
from leverarm.verify.equations.judge import check
from leverarm.verify.equations.verdict import DEFINED

MARKS = {"equal": "=", "equal by convention": "~", DEFINED: ".", "different": "!", "unreadable": "?"}


def arm_of(name: str) -> la.Arm:
    match name:
        case "pendulum":
            return la.planar("R", ["l"], ["m"], ["l"], [0], joints=["theta"])
        case "cart":
            return la.planar("PR", [0, "l"], ["M", "m"], [0, "l"], [0, 0], joints=["x", "theta"])
        case "bobs":
            return la.planar("PRR", [0, "l1", "l2"], ["mc", "m1", "m2"], [0, "l1", "l2"], [0, 0, 0])
        case "pole":
            return la.planar("PR", [0, "l"], ["mc", "mp"], [0, "lp"], [0, "Jp"], joints=["x", "theta"])
        case "rods":
            inertias = ["m1*l1^2/12", "m2*l2^2/12"]
            return la.planar("RR", ["l1", "l2"], ["m1", "m2"], ["l1/2", "l2/2"], inertias)
    return la.load(name)


def marks(arm: str, text: str) -> str:
    """One sign for each verdict."""
    return "".join(MARKS[verdict.status] for verdict in check(arm_of(arm), text))


# Common names of the arm's own quantities


@pytest.mark.parametrize("arm", ["elbow", "rr"])
@pytest.mark.parametrize(
    ("quantity", "names"),
    [
        ("K", ["K_tot", "T_tot", "T_{total}", "E_k", "E_kin", "KE", "K_E"]),
        ("P", ["V_tot", "U_tot", "P_tot", "E_p", "E_pot", "PE", "U_g"]),
        ("H", ["E", "E_tot", "E_total", "E_mech"]),
    ],
)
def test_energies_by_their_common_names(arm: str, quantity: str, names: list[str]) -> None:
    formula = getattr(la.equations(arm_of(arm)), quantity)
    for name in names:
        assert marks(arm, f"{name} = {formula.text()}") == "=", name
        assert marks(arm, f"{name} = 2 ({formula.text()})") == "!", name
    latex = {"K": "T_{total}", "P": r"V_{\mathrm{tot}}", "H": "E_{tot}"}[quantity]
    assert marks(arm, f"${latex} = {formula.latex()}$") == "="


@pytest.mark.parametrize("arm", ["elbow", "rr"])
@pytest.mark.parametrize(
    ("quantity", "names"),
    [("g", ["tau_g2", r"\tau_{g,2}", "G_2", "g(q)_2", r"\tau_2^g"]), ("c", ["tau_c2", r"\tau_{cor,2}"])],
)
def test_parts_of_the_torque_by_their_common_names(arm: str, quantity: str, names: list[str]) -> None:
    formula = getattr(la.equations(arm_of(arm)), quantity)[1]
    for name in names:
        written = f"${name} = {formula.latex()}$" if "\\" in name else f"{name} = {formula.text()}"
        assert marks(arm, written) == "=", name
        assert marks(arm, written.replace("= ", "= m_1 + ")) == "!", name


@pytest.mark.parametrize(("arm", "length"), [("elbow", "a"), ("rr", "l")])
def test_the_tool_by_its_common_names(arm: str, length: str) -> None:
    for name in ("p_x", "x_e", "x_{ee}", "x_{tip}", "x_E", "r_x", "x_end"):
        assert marks(arm, f"{name} = {length}1 c1 + {length}2 c12") == "="
        assert marks(arm, f"{name} = {length}1 c1 + {length}2 s12") == "!"
    assert marks(arm, f"$v_x = -{length}_1 s_1 \\dot q_1 - {length}_2 s_{{12}} (\\dot q_1 + \\dot q_2)$") == "="
    assert marks(arm, "p_z = 0") == "=" and marks(arm, r"$J_\omega = [1, 1]$") == "="


def test_momenta_and_forces_by_their_coordinates() -> None:
    assert marks("polar", "p_r = m r'\n\np_theta = m r^2 theta'\n\np_r = 2 m r'") == "==!"
    assert marks("pendulum", r"$p_\theta = m l^2\dot\theta$, $\tau = m l^2\ddot\theta + m g l\cos\theta$") == "=="
    assert marks("polar", "tau = m r^2 theta'' + 2 m r r' theta' + m g r cos(theta)") == "="


def test_letters_of_one_joint_name_what_they_are_given() -> None:
    assert marks("pendulum", "h = l sin(theta)\n\nv = l theta'\n\nI = m l^2") == "..."


def test_a_name_of_the_arms_own_is_nothing_else() -> None:
    rates = r"$\ddot x = (F + m l\ddot\theta\sin\theta + m l\dot\theta^2\cos\theta)/(M + m)$"
    (right,) = check(arm_of("cart"), rates)
    (wrong,) = check(arm_of("cart"), rates.replace("+ m l\\dot", "- m l\\dot"))
    assert (right.status, right.about) == ("equal", "the acceleration of x")
    assert (wrong.status, wrong.about) == ("different", "the acceleration of x")
    assert marks("cart", r"$x = x + l\cos\theta$, $\dot x = \dot x - l\dot\theta\sin\theta$") == "!!"
    assert marks("polar", r"$\dot r^2 = \dot r^2 + r^2\dot\theta^2$, $\vec r = [r\cos\theta, r\sin\theta]$") == "!="


def test_a_momentum_and_a_point_of_the_tool() -> None:
    momentum, sign = "p_x = (M + m) x' - m l sin(theta) theta'", "p_x = (M + m) x' + m l sin(theta) theta'"
    assert marks("cart", momentum) == marks("cart", "p_x = x + l cos(theta)") == "=" and marks("cart", sign) == "!"
    assert marks("polar", "p_r = m r'\n\np_x = r cos(theta)\n\np_theta = m r theta'") == "==!"


# Indices


@pytest.mark.parametrize("arm", ["elbow", "rr"])
@pytest.mark.parametrize("name", ["M33", "M_{13}", "tau_3", r"\tau_3", "g_3", "c_{133}", "q_3", "m_3", "K_3"])
def test_an_index_that_the_arm_lacks_is_an_error(arm: str, name: str) -> None:
    text = f"${name} = 2 m_2$" if "\\" in name or "{" in name else f"{name} = 2 m2"
    (verdict,) = check(arm_of(arm), text)
    assert verdict.status == "unreadable" and f"the arm {arm} has 2 joints; " in verdict.message


def test_valid_indices_are_listed() -> None:
    assert "entries are M_11 ... M_22." in check(arm_of("elbow"), "M33 = 1")[0].message
    assert "valid is M_11." in check(arm_of("pendulum"), "M_22 = m l^2")[0].message
    (wrong,) = check(arm_of("rr"), "M12 = m2 lc2^2 + m2 l1 lc2 c3 + I2")
    assert wrong.status == "different" and wrong.suggestion is not None and "c2" in wrong.suggestion.meant


def test_names_with_other_letters_are_the_texts_own() -> None:
    for name in ("h_3", "alpha_3", "p_3"):
        assert marks("elbow", f"{name} = m2 g") == marks("rr", f"{name} = m2 g") == "."
    assert marks("rr", "a_1 = I1 + m1 lc1^2\na_2 = I2\na_3 = m2 lc2^2\nM22 = a_2 + a_3") == "...="


# Coordinates that the text defines


def test_absolute_angles_of_the_text() -> None:
    text = r"Let $\phi_1 = \theta_1$ and $\phi_2 = \theta_1 + \theta_2$. Then $g_2 = m_2 g a_2 \cos\phi_2$."
    assert marks("elbow", text) == "..="
    assert marks("elbow", text.replace(r"\cos\phi_2$", r"\cos(\phi_1 + \phi_2)$")) == "..!"
    plain = "phi_1 = q1\nphi_2 = q1 + q2\nomega_2 = phid_2\nK1 = 1/2 (m1 lc1^2 + I1) phi1'^2\ng_2 = m2 g lc2 cos(phi_2)"
    assert marks("rr", plain) == "..==="
    assert marks("elbow", "theta_1 = phi_1\ntheta_2 = phi_2 - phi_1\ng_2 = m2 g a2 cos(phi_2)") == "..="


def test_a_coordinate_in_terms_of_a_new_letter_is_solved_for_it() -> None:
    assert marks("pendulum", "theta = pi + phi\n\ntau = m l^2 phi'' - m g l cos(phi)") == ".="
    assert marks("pendulum", r"$\theta = \phi - 90^\circ$: $\tau = m l^2\ddot\phi + m g l\cos\phi$") == ".!"
    assert marks("elbow", "q_1 = pi/2 - alpha\n\nP1 = m1 g a1 cos(alpha)") == ".="
    assert marks("rr", r"$q_1 = \pi/2 - \alpha$, $P_1 = m_1 g l_{c1}\cos\alpha$") == ".="


def test_what_is_no_new_coordinate() -> None:
    assert marks("elbow", "omega_2 = theta_1 + theta_2") == "!"
    assert marks("elbow", "x_2 = theta_1 + theta_2") == "!"


def test_states_that_the_text_numbers() -> None:
    rod = r"$x_1 = \theta$, $x_2 = \dot\theta$, $\dot x_1 = x_2$, $\dot x_2 = \frac{1}{m l^2}(\tau - m g l\cos x_1)$"
    assert marks("pendulum", rod) == "..=="
    assert marks("pendulum", rod.replace("- m g", "+ m g")) == "..=!"
    assert marks("pendulum", rod.replace(r"\dot x_1 = x_2", r"\dot x_1 = x_1")) == "..!="
    chain = r"$x_1 = \theta$, $x_2 = \dot x_1 = \dot\theta$, $K = \frac12 m l^2 x_2^2$"
    assert marks("pendulum", chain) == "..=" and marks("pendulum", chain.replace("_2^2", "_1^2")) == "..!"
    assert marks("pendulum", chain.replace(r"= \dot\theta", r"= 2\dot\theta")) != "..="
    cart = r"$x_1 = x$, $x_2 = \dot x$, $x_3 = \theta$, $x_4 = \dot\theta$, $\dot x_1 = x_2$, $\dot x_3 = x_4$, $F = "
    force = r"(M + m)\dot x_2 - m l\dot x_4\sin x_3 - m l x_4^2\cos x_3$"
    assert marks("cart", cart + force) == "=...===" and marks("cart", cart + force.replace("_4^2", "_2^2")) == "=...==!"


def test_a_position_is_no_state() -> None:
    assert marks("polar", r"$x_1 = r$, $x = r$, $v_2 = \dot r$") == "!!."
    assert marks("elbow", r"$x_2 = \theta_1$") == "!"


# First order


def test_equations_that_the_text_linearises() -> None:
    elbow = r"$\tau_2 = m_2 a_2 (a_1 + a_2)\ddot\theta_1 + m_2 a_2^2\ddot\theta_2 + m_2 g a_2$"
    (verdict,) = check(arm_of("elbow"), f"For small angles, {elbow}")
    assert verdict.convention is not None
    assert "to first order about theta1 = 0, theta2 = 0 (small angles, as the text says)" in verdict.convention
    assert marks("elbow", elbow) == "!"
    assert marks("elbow", f"For small angles, {elbow}".replace("+ m_2 g", "- m_2 g")) == "!"
    upright = "Linearised about q1 = pi/2, q2 = 0, with delta1 = q1 - pi/2 and delta2 = q2:\n\n"
    rr = "tau_2 = (m2 lc2^2 + m2 l1 lc2 + I2) delta1'' + (m2 lc2^2 + I2) delta2'' - m2 g lc2 (delta1 + delta2)"
    assert marks("rr", upright + rr) == "....~"
    (*_, wrong) = check(arm_of("rr"), upright + rr.replace("- m2 g", "+ m2 g"))
    assert wrong.status == "different" and wrong.difference is not None
    assert wrong.difference.text() == "m2 g lc2 (2 q1 + 2 q2 - pi)"


def test_free_motion_of_first_order() -> None:
    text = "theta = phi - pi/2. For small oscillations:\n\nphi'' + (g/l) phi = 0"
    assert marks("pendulum", text) == ".~"
    assert marks("pendulum", text.replace("+ (g", "- (g")) == ".!"
    tilde = r"Linearise about $\theta = -\pi/2$ with $\tilde\theta = \theta + \pi/2$: "
    assert marks("pendulum", tilde + r"$\tau = m l^2\ddot{\tilde\theta} + m g l\tilde\theta$") == "..~"


def test_what_is_not_of_first_order_is_checked_as_it_stands() -> None:
    full = "tau_2 = m2 a2^2 (qdd1 + qdd2) + m2 a1 a2 (c2 qdd1 - s2 qd1^2) + m2 g a2 c12"
    assert marks("elbow", f"For small angles:\n\n{full}") == "!"
    assert marks("elbow", f"{full}\n\nFor small angles: g_2 = m2 g a2") == "!~"


# Data


def test_numbers_with_units_and_rounded_results() -> None:
    data = "With m1 = m2 = 1 kg, a1 = a2 = 0.5 m and g = 9.81 m/s^2 we get\n\n"
    (*_, rounded) = check(arm_of("elbow"), data + "g_2 = 4.91 cos(q1 + q2)")
    assert rounded.convention is not None and "digits written" in rounded.convention
    assert "m1 = 1, m2 = 1, a1 = 0.5, a2 = 0.5, g = 9.81, as the text sets them" in rounded.convention
    assert marks("elbow", f"{data}M22 = 0.25\n\ng_2 = 4.8 cos(q1 + q2)") == "...~!"
    latex = r"$m_2 = 1.5\,\mathrm{kg}$, $l_1 = 25$ cm, $l_{c2} = 10$ cm, $I_2 = 0.005$ kg m$^2$: "
    assert marks("rr", latex + r"$M_{12} = 0.02 + 0.0375\cos q_2$") == "....~"
    assert marks("rr", latex + r"$M_{12} = 0.02 + 0.375\cos q_2$") == "....!"


def test_a_state_holds_for_all_equations_of_its_sentence() -> None:
    text = r"At $\theta_1 = \pi/2$, $\theta_2 = 0$: $g_1 = 0$, $M_{12} = m_2 a_2^2 + m_2 a_1 a_2$."
    assert marks("elbow", text) == "..~~"
    assert marks("elbow", rf"{text} In general $M_{{12}} = m_2 a_2^2 + m_2 a_1 a_2$.") == "..~~!"


# The only angle, and moments of inertia


@pytest.mark.parametrize("letter", [r"\theta", r"\phi", r"\alpha", r"\psi"])
def test_a_letter_without_a_number_is_the_only_angle(letter: str) -> None:
    force = rf"$F = m_2(\ddot d - d\dot{letter}^2 + g\sin{letter})$"
    assert marks("rp", force) == "=" and marks("rp", force.replace("- d", "+ d")) == "!"
    assert marks("rp", rf"$F_2 = m_2(\ddot r - r\dot{letter}^2 + g\sin{letter})$") == "="
    assert marks("rp", rf"$F_2 = m_2(\ddot r - r\dot{letter}^2 - g\sin{letter})$") == "!"
    cart = rf"$F = (M + m)\ddot x - m l\ddot{letter}\sin{letter} - m l\dot{letter}^2\cos{letter}$"
    assert marks("cart", cart) == "=" and marks("cart", cart.replace("+ m", "- m")) == "!"


def test_a_letter_that_is_not_the_only_angle() -> None:
    assert marks("elbow", r"$g_2 = m_2 g a_2\cos\alpha$") != "="
    assert marks("pendulum", r"$\tau = m l^2\alpha + m g l\cos\theta$") == "?"
    assert marks("pendulum", r"$\alpha = \ddot\theta$, $\tau = m l^2\alpha + m g l\cos\theta$") == ".="
    assert marks("pendulum", r"$\alpha = 2\theta$, $P = m g l\sin\alpha$") == ".!"
    assert marks("rp", r"$M(\theta)\ddot\theta + C(\theta, \dot\theta)\dot\theta + g(\theta) = \tau$") == "="


@pytest.mark.parametrize(
    "name", ["I_{yy2}", "I_{xx2}", "I_{zz,2}", "I_{2yy}", "J_{zz2}", "I_{c2}", "I_{G2}", r"\bar I_2", "I_{2,zz}"]
)
def test_a_links_only_moment_of_inertia(name: str) -> None:
    assert marks("rr", f"$M_{{22}} = m_2 l_{{c2}}^2 + {name}$") == "="
    assert marks("rr", f"$M_{{22}} = m_2 l_{{c2}}^2 + {name.replace('2', '1')}$") == "!"
    assert marks("rp", f"$M_{{11}} = m_1 L_1^2 + m_2 d_2^2 + I_1 + {name}$") == "="
    assert marks("rp", f"$M_{{11}} = m_1 L_1^2 + m_2 d_2^2 + I_2 + {name}$") == "!"


def test_moments_of_inertia_about_several_axes() -> None:
    text = "$M_{11} = m_3 (d_3 - l_{c3})^2 + I_{z1} + J_{zz2} + I_{3yy}$"
    assert marks("cylindrical", text) == "=" and marks("cylindrical", text.replace("zz2", "yy2")) == "!"


# Words run together


def test_words_that_are_products_of_letters_of_the_arm() -> None:
    for text in (
        "P = mgl sin(theta)",
        "P = mglsin(theta)",
        "P = mglsinθ",
        "M11 = ml²",
        "tau = ml²θ'' + mglcosθ",
        "M11 = mL^2",
    ):
        assert marks("pendulum", text) == "=", text
    (wrong,) = check(arm_of("pendulum"), "tau = mL²θ'' - mgLcosθ")
    assert wrong.status == "different" and wrong.suggestion is not None and wrong.suggestion.what == "a sign"
    assert marks("pendulum", "M11 = (ml)²") == "!"
    for arm, length in (("elbow", "a"), ("rr", "lc"), ("elbow", "l")):
        assert marks(arm, f"g_2 = m2g{length}2cos(q1 + q2)") == marks(arm, f"g_2 = m₂g{length}₂cos(q₁ + q₂)") == "="
        assert marks(arm, f"g_2 = m1g{length}2cos(q1 + q2)") == "!"


def test_words_that_are_no_products() -> None:
    assert marks("pendulum", "mgl = 3 m g l\n\nP = mgl sin(theta)") == ".!"
    assert marks("pendulum", "M11 = mgx l^2") == "?"


# Letters that clash


def test_letters_are_what_fits_the_whole_text() -> None:
    cart = r"$M = \begin{bmatrix} M + m & -m l\sin\theta\\ -m l\sin\theta & m l^2\end{bmatrix}$, $K = \frac12\dot q^T M\dot q$"
    assert (
        marks("cart", cart + r", $F = (M + m)\ddot x - m l\ddot\theta\sin\theta - m l\dot\theta^2\cos\theta$") == "==="
    )
    assert marks("rr", "J = [[-l1 s1 - l2 s12, -l2 s12], [l1 c1 + l2 c12, l2 c12]]\n\nM22 = m2 lc2^2 + J2") == "=="


def test_a_letter_is_read_in_one_way_over_a_whole_text() -> None:
    assert marks("rp", "c121 = c211 = m2*q2\nc112 = m2*q2") == "=!"
    assert marks("rp", "c112 = m2*q2\nc121 = m2*q2\nc211 = m2*q2") == "==!"
    assert marks("rp", "c112 = m2*q2\nc121 = m2*q2\nc211 = -m2*q2") == "==="
    assert marks("rp", "c112 = -m2*q2\nc121 = m2*q2\nc211 = m2*q2") == "==="
    rows_last = "c112 = m2 a1 a2 s2\nc121 = -m2 a1 a2 s2\nc211 = -m2 a1 a2 s2\n"
    assert marks("elbow", f"{rows_last}c221 = -m2 a1 a2 s2") == "===="
    assert marks("elbow", f"{rows_last}c122 = -m2 a1 a2 s2") == "===!"
    ends = "x_1 = l1 c1, x_2 = l1 c1 + l2 c12, y_1 = l1 s1, y_2 = l1 s1 + "
    assert marks("rr", f"{ends}l2 s12") == "====" and marks("rr", f"{ends}lc2 s12") == "===!"
    assert marks("rr", f"x_c1 = lc1 c1, {ends}l2 s12") == "====="
    assert marks("planar3r", "x_2 = L1 c1 + L2 c12, x_1 = L1 c1") == "=="


def test_unknown_letters_are_those_of_the_arm_with_which_the_text_holds() -> None:
    cart = r"$F = (m_c + m_p)\ddot x - m_p l_p\ddot\theta\sin\theta - m_p l_p\dot\theta^2\cos\theta$, $P = m_p g l_p\sin\theta$"
    force, energy = check(arm_of("cart"), cart)
    assert force.status == energy.status == "equal"
    assert {"m_c as M", "m_p as m", "l_p as l"} <= {*force.readings}
    for numbered in (cart.replace("m_c", "m_1").replace("m_p", "m_2"), cart.replace("_p", "_0")):
        assert marks("cart", numbered) == "=="
    assert marks("cart", cart.replace("g l_p", "g m_c l_p")) == "=!"
    assert marks("cart", cart.replace("P = m_p", "P = m_c")) == "??"
    assert marks("cart", cart.replace("P = m_p", "P = m_c") + ", $M_{22} = m_p l_p^2$") == "=!="
    rp = r"$M_{11} = m_a L_0^2 + m_b d_2^2 + I_1 + I_2$, $M_{22} = m_b$, $g_2 = m_b g\sin\theta_1$"
    assert marks("rp", rp) == "===" and marks("rp", rp.replace("22} = m_b", "22} = m_a")) == "=!="
    rod = la.planar("R", ["L1"], ["m1"], ["lc1"], ["I1"], joints=["theta1"])
    (verdict,) = check(rod, r"$\tau = (I + m l_c^2)\ddot\theta + m g l_c\cos\theta$")
    assert verdict.readings == ("I as I1", "m as m1", "l_c as lc1")


def test_unknown_letters_that_may_be_several_of_the_arm_stay_unknown() -> None:
    assert marks("cart", r"$M_{11} = m_1 + m_2$") == "?" and marks("cart", r"$F = (m_1 + m_2)\ddot x$") == "?"
    assert marks("elbow", r"$P_1 = m g a_1\sin\theta_1$") == "!"


def test_one_letter_for_all_links() -> None:
    text = "M22 = m l^2\n\nM12 = m l^2 (1 + cos(q2))\n\ng_2 = m g l cos(q1 + q2)"
    assert marks("elbow", text) == "~~~" and marks("elbow", text.replace("1 + cos", "1 - cos")) == "~!~"
    (verdict, _) = check(arm_of("rr"), "$M_{22} = m l_c^2 + I$\n\n$g_2 = m g l_c\\cos(q_1 + q_2)$")
    assert verdict.convention is not None and "the text writes one m for all" in verdict.convention


# The whole text


def test_a_text_with_unread_lines_is_never_all_right() -> None:
    found = check(arm_of("elbow"), "M22 = m2 a2^2\n\nP1 = m1 g a1 s1\n\nM33 = m2")
    assert found.status == "unreadable"
    assert found.counted == "2 equal; 1 unreadable: not all of the text was checked"


# States that words set


def test_one_number_for_several_coordinates() -> None:
    text = "With q1 = q2 = 0 and at rest, tau1 = (m1 + m2) g a1 + m2 g a2 and tau2 = m2 g a2"
    assert marks("elbow", text) == ".~~"
    assert marks("elbow", text.replace("and at rest", "")) == ".!!"
    assert marks("rr", "At rest with q1 = q2 = 0: tau2 = m2 g lc2") == ".~"


def test_holding_is_to_rest() -> None:
    assert marks("elbow", "Holding torque: tau2 = m2 g a2 cos(q1 + q2)") == "~"
    assert marks("rr", r"The static torque is $\tau_2 = m_2 g l_{c2}\cos(q_1 + q_2)$") == "~"
    assert marks("rr", r"The static torque is $\tau_2 = m_2 g l_{c2}\sin(q_1 + q_2)$") == "!"


def test_words_excuse_no_slip_in_a_full_equation() -> None:
    full = "tau2 = m2 a2^2 qdd2 + m2 a1 a2 (cos(q2) qdd1 + sin(q2) qd1^2) + m2 g a2 cos(q1 + q2)"
    for words in ("At rest: ", "Then the following holds: ", "The arm starts at rest. Then "):
        assert marks("elbow", words + full) == "!"


def test_a_locked_joint_rests() -> None:
    locked = (
        r"With the second joint locked ($q_2 = 0$): $\tau_1 = (m_1 a_1^2 + m_2 (a_1+a_2)^2)\ddot q_1 + X g \cos q_1$"
    )
    assert marks("elbow", locked.replace("X", "(m_1 a_1 + m_2 (a_1 + a_2))")) == ".~"
    assert marks("elbow", locked.replace("X", "(m_1 a_1 + m_2 a_2)")) == ".!"
    assert marks("rr", "Braked at q2 = 0: tau2 = (I2 + m2 lc2^2 + m2 l1 lc2) qdd1 + m2 g lc2 cos(q1)") == ".~"


def test_rounded_numbers_with_units_at_a_state() -> None:
    text = "For m2 = 2 kg, a2 = 0.6 m, g = 9.81 m/s^2 at q1 = 0, q2 = 0 the holding torque is tau2 = 11.77 N m"
    assert marks("elbow", text) == ".....~"
    assert marks("elbow", text.replace("11.77", "11.72")) == ".....!"


def test_a_sum_of_masses_is_no_entry_of_the_mass_matrix() -> None:
    assert marks("rr", "m_12 = m1 + m2\n\nM11 = m_12 lc1^2") == ".!"
    assert marks("rr", "m12 = m2 lc2^2 + m2 l1 lc2 cos(q2) + I2") == "="


# Bodies by their mass, parts of energies, regressors: each right as it stands, and different with a slip


BOBS = "$x_1 = q_1 + l_1\\cos q_2$, $y_1 = l_1\\sin q_2$, $y_2 = l_1\\sin q_2 + l_2\\sin(q_2+q_3)$"
REGRESSOR = (
    "$\\tau = Y\\phi$ with $\\phi_1 = m_1 + m_2$, $\\phi_2 = m_2$, $Y_{21} = 0$, "
    "$Y_{22} = a_2^2(\\ddot q_1+\\ddot q_2) + a_1a_2c_2\\ddot q_1 + a_1a_2s_2\\dot q_1^2 + a_2gc_{12}$, "
    "$Y_{11} = a_1^2\\ddot q_1 + a_1gc_1$, $Y_{12} = a_2^2(\\ddot q_1+\\ddot q_2) + a_1a_2c_2(2\\ddot q_1+\\ddot q_2)"
    " - a_1a_2s_2(\\dot q_2^2+2\\dot q_1\\dot q_2) + a_2gc_{12}$"
)
POLAR_REGRESSOR = (
    "$W_{11} = r^2\\ddot\\theta + 2r\\dot r\\dot\\theta + gr\\cos\\theta$, "
    "$W_{21} = \\ddot r - r\\dot\\theta^2 + g\\sin\\theta$, where $\\phi_1 = m$"
)
NAMED = [
    # energies of links as Craig writes them, and their parts
    ("rr", "The kinetic energy is $k_1 = \\frac12 (I_1 + m_1 l_{c1}^2)\\dot q_1^2$", "l_{c1}^2", "l_1^2"),
    ("rp", "Kinetic energy: k_2 = m2*(theta2^2*thetad1^2 + thetad2^2)/2 + I2*thetad1^2/2", "theta2^2*", "theta2*"),
    ("planar3r", "potential energies: $u_1 = m_1 g l_{c1} s_1$, $u_2 = m_2 g (l_1 s_1 + l_{c2} s_{12})$", "s_{12}", "s_2"),
    ("rr", "$K_{2,rot} = \\frac12 I_2(\\dot q_1 + \\dot q_2)^2$", "+ \\dot", "- \\dot"),
    ("planar3r", "$T_{rot,2} = \\frac12 I_2(\\dot q_1 + \\dot q_2)^2$", "I_2", "I_1"),
    ("rr", "$K_{1,trans} = \\frac12 m_1 l_{c1}^2\\dot q_1^2$", "\\dot q_1^2", "\\dot q_1"),
    # where the tool is
    ("planar3r", "$o_x = l_1c_1 + l_2c_{12} + l_3c_{123}$, $o_y = l_1s_1 + l_2s_{12} + l_3s_{123}$", "s_{12}", "c_{12}"),
    ("elbow", "$o_x = a_1c_1 + a_2c_{12}$", "c_{12}", "c_2"),
    # the body with this mass
    ("bobs", BOBS, "q_1 + l_1\\cos", "q_1 - l_1\\cos"),
    ("bobs", BOBS, "\\sin(q_2+q_3)", "\\sin(q_3)"),
    ("bobs", "$v_1^2 = \\dot q_1^2 - 2l_1\\dot q_1\\dot q_2\\sin q_2 + l_1^2\\dot q_2^2$", "- 2l_1", "- l_1"),
    ("bobs", "$V_2 = m_2g(l_1\\sin q_2 + l_2\\sin(q_2+q_3))$", "l_1\\sin q_2", "l_1\\sin q_3"),
    ("pole", "T_p = mp*(xd^2 - 2*lp*xd*thetad*sin(theta) + lp^2*thetad^2)/2 + Jp*thetad^2/2", "- 2*lp", "- lp"),
    ("pole", "xp = x + lp*cos(theta), yp = lp*sin(theta)", "sin", "cos"),
    ("pole", "$T_c = \\frac12 m_c\\dot x^2$, $V_p = m_p g l_p\\sin\\theta$", "\\sin", "\\cos"),
    ("pole", "$v_p^2 = \\dot x^2 - 2l_p\\dot x\\dot\\theta\\sin\\theta + l_p^2\\dot\\theta^2$", "l_p^2", "l_p"),
    ("rods", "$I_i = \\frac{1}{12}m_il_i^2$ and $M_{22} = \\frac13 m_2l_2^2$", "{12}", "{3}"),
    # Newton-Euler in the axes of a link
    ("elbow", "${}^1\\dot v_{C_1} = \\begin{bmatrix} gs_1 - a_1\\dot q_1^2\\\\ a_1\\ddot q_1 + gc_1\\\\0\\end{bmatrix}$", "gs_1", "gc_1"),
    ("elbow", "${}^1F_1 = m_1\\begin{bmatrix} gs_1 - a_1\\dot q_1^2\\\\ a_1\\ddot q_1 + gc_1\\\\0\\end{bmatrix}$", "+ gc_1", "- gc_1"),
    ("planar3r", "${}^2N_2 = I_2(\\ddot q_1+\\ddot q_2)$", "q_1+", "q_1-"),
    ("planar3r", "${}^3\\dot\\omega_3 = (0, 0, \\ddot q_1+\\ddot q_2+\\ddot q_3)^T$", "+\\ddot q_2", ""),
    ("spherical", "${}^2\\omega_2 = (-s_2\\dot\\theta_1, -c_2\\dot\\theta_1, \\dot\\theta_2)^T$", "-s_2", "-c_2"),
    # inputs and regressors
    ("rr", "$M(q)\\ddot q + C(q,\\dot q)\\dot q + g(q) = Bu$", "+ g(q)", "- g(q)"),
    ("planar3r", "$D(q)\\ddot q + C(q,\\dot q)\\dot q + G(q) = B u$", "+ C", "- C"),
    ("elbow", REGRESSOR, "2\\dot q_1\\dot q_2", "\\dot q_1\\dot q_2"),
    ("elbow", REGRESSOR, "a_1gc_1", "a_1gs_1"),
    ("elbow", REGRESSOR, "Y_{21} = 0", "Y_{21} = g a_1"),
    ("polar", POLAR_REGRESSOR, "2r", "r"),
    ("polar", POLAR_REGRESSOR, "- r", "+ r"),
    # names that the text introduces
    ("elbow", "Put $X = a_2s_{12}$. Then $\\dot g_2 = -m_2gX(\\dot q_1+\\dot q_2)$", "-m_2", "+m_2"),
    ("elbow", "Put $X = a_2s_{12}$. Then $\\dot g_2 = -m_2gX(\\dot q_1+\\dot q_2)$", "s_{12}", "s_2"),
]  # fmt: skip


@pytest.mark.parametrize(("arm", "text", "right", "wrong"), NAMED)
def test_names_of_the_arms_own_quantities_are_checked(arm: str, text: str, right: str, wrong: str) -> None:
    slip = text.replace(right, wrong, 1)
    found = marks(arm, text)
    assert {*found} <= {"=", "~", "."} and {*found} != {"."}, check(arm_of(arm), text).text()
    assert slip != text
    assert "!" in marks(arm, slip), check(arm_of(arm), slip).text()


def test_a_slip_in_a_regressor_is_reported_at_its_entry() -> None:
    wrong = check(la.load("elbow"), REGRESSOR.replace("2\\dot q_1\\dot q_2", "\\dot q_1\\dot q_2"))
    entries = {verdict.about: verdict for verdict in wrong if verdict.about.startswith("Y_")}
    assert [about for about, verdict in entries.items() if verdict.status == "different"] == [
        "Y_12, an entry of a regressor"
    ]
    assert entries["Y_12, an entry of a regressor"].suggestion.meant == "2 \\dot q_1\\dot q_2"


def test_constants_of_the_text_are_no_energies() -> None:
    assert (
        marks("rr", "kinetic energy: k_1 = I1 + m1 lc1^2\n\nM11 = k_1 + I2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2))")
        == ".="
    )
    assert marks("pole", "K_p = 20\n\nM11 = mc + mp") == ".="


def test_what_a_part_adds_is_no_time_derivative() -> None:
    assert marks("rr", "Terms of link 2 alone:\n\ndM22 = m2 lc2^2 + I2\n\nM22 = dM22") == ".="
    assert marks("rr", "dM22 = m2 lc2^2 + I2") == "!"
    assert marks("rr", "Terms of the derivative:\n\ndM12 = m2 l1 lc2 sin(q2) qd2") == "!"


def test_a_name_that_is_a_coordinate_anyway_is_checked() -> None:
    text = "P = m1 g y_1 + m2 g y_2, where y_1 = a1 sin(q1), y_2 = a1 sin(q1) + a2 cos(q1 + q2)"
    assert marks("elbow", text) == "==!"


def test_the_share_of_a_body_in_a_link():
    """The load of a link whose masses are added up: what is left without the others."""
    values = ArmValues(equations(la.load("elbow")))
    m1, m2 = (symbol_value(values, name) for name in ("m1", "m2"))
    assert Body("load", 1, ("m2",)).share(2 * m1 + 3 * m2) == 3 * m2
    assert Body("link 2", 1).share(m1) == m1
