"""Checking written equations: names, readings, exact values and verdicts."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.notation.reading import Statement, read
from leverarm.verify.equations.algebra import Table, equal, table
from leverarm.verify.equations.document import scope_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.judge import check
from leverarm.verify.equations.verdict import DEFINED, Verdict, WrittenError, pointed, where_of

TAU_2 = "m_2 a_2^2 (\\ddot\\theta_1 + \\ddot\\theta_2) + m_2 a_1 a_2 \\cos\\theta_2 \\ddot\\theta_1"
TAU_2 += " + m_2 a_1 a_2 \\sin\\theta_2 \\dot\\theta_1^2 + m_2 g a_2 \\cos(\\theta_1 + \\theta_2)"


@pytest.fixture(scope="module")
def elbow() -> la.Arm:
    return la.load("elbow")


@pytest.fixture(scope="module")
def rr() -> la.Arm:
    return la.load("rr")


def one(arm: la.Arm, text: str, names: dict[str, str] | None = None) -> Verdict:
    """The verdict on a single equation."""
    verdicts = check(arm, text, names)
    assert len(verdicts) == 1
    return verdicts[0]


def value(arm: la.Arm, formula: str) -> object:
    """The exact value of one formula."""
    text = f"$0 = {formula}$"
    pieces = read(text)
    assert len(pieces) == 1 and isinstance(pieces[0], Statement)
    return value_of(pieces[0].sides[1], scope_of(la.equations(arm), text, pieces))


# What formulas are worth


def test_double_angles_and_constant_angles(elbow: la.Arm) -> None:
    assert equal(value(elbow, r"\sin 2\theta_2"), value(elbow, r"2 \sin\theta_2 \cos\theta_2"))
    assert equal(value(elbow, r"\cos(\theta_1 + \pi/2)"), value(elbow, r"-\sin\theta_1"))
    assert equal(value(elbow, r"\tan\theta_1 \cos\theta_1"), value(elbow, r"\sin\theta_1"))
    assert equal(value(elbow, r"\cos(\pi/3)"), Fraction(1, 2))
    assert not equal(value(elbow, r"\cos(\theta_1 - \theta_2)"), value(elbow, r"\cos(\theta_1 + \theta_2)"))


def test_matrices_are_multiplied_transposed_and_inverted(elbow: la.Arm) -> None:
    eq = la.equations(elbow)
    assert equal(value(elbow, r"M M^{-1}"), table([[1, 0], [0, 1]]))
    assert equal(value(elbow, r"\frac12 \dot q^T M \dot q"), eq.K.value)
    assert equal(value(elbow, r"J^T"), Table(tuple(zip(*value(elbow, "J").rows, strict=True))))  # type: ignore[attr-defined]
    assert equal(value(elbow, r"J J^{-1}"), table([[1, 0], [0, 1]]))


def test_derivatives_and_sums_over_an_index(elbow: la.Arm) -> None:
    eq = la.equations(elbow)
    lagrange = r"\frac{d}{dt}\frac{\partial L}{\partial \dot\theta_1} - \frac{\partial L}{\partial \theta_1}"
    assert equal(value(elbow, lagrange), eq.tau.values[0])
    assert equal(
        value(elbow, r"\sum_{j=1}^{2} M_{1j} \ddot\theta_j"), value(elbow, r"M_{11}\ddot\theta_1 + M_{12}\ddot\theta_2")
    )
    assert equal(value(elbow, r"\frac{\partial P}{\partial q}"), value(elbow, "G"))
    assert equal(value(elbow, r"\frac{\partial L}{\partial m_1} \cdot 0"), 0)


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (r"\sin(a_1)", "no angle of the arm"),
        (r"\sin(\theta_1/3)", "1/3 times an angle"),
        (r"M + 1 \cdot g \cdot 0 + \dot q", "adds"),
        (r"\dot q \dot q", "multiplies a vector of 2 by a vector of 2"),
        (r"\begin{bmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \end{bmatrix}^{-1}", "which is not square"),
        (r"m_1/(a_1 - a_1)", "exactly zero"),
        (r"\mu_7", "there is no symbol or quantity named 'mu_7'"),
    ],
)
def test_what_has_no_value_is_refused_with_its_place(elbow: la.Arm, formula: str, says: str) -> None:
    with pytest.raises(WrittenError, match=says) as problem:
        value(elbow, formula)
    start, end = problem.value.span
    assert 5 <= start < end <= 5 + len(formula)


# What names mean


@pytest.mark.parametrize(
    "speed", [r"\dot\theta_1", r"\dot q_1", "thetad1", "theta1'", "qd1", "dq1", "qdot1", "q1dot", "q_1'", "theta1d"]
)
def test_a_speed_is_known_by_many_names(elbow: la.Arm, speed: str) -> None:
    is_latex = speed.startswith("\\")
    assert one(elbow, f"$K_1 = m_1 a_1^2 {speed}^2/2$" if is_latex else f"K1 = 1/2 m1 a1^2 {speed}^2").status == "equal"


@pytest.mark.parametrize("cosine", ["c_{12}", r"\cos(\theta_1 + \theta_2)", "C_{12}", r"(c_1 c_2 - s_1 s_2)"])
def test_short_cosines(elbow: la.Arm, cosine: str) -> None:
    assert one(elbow, f"$g_2 = m_2 g a_2 {cosine}$").status == "equal"


def test_lengths_inertias_and_masses_are_matched_by_what_they_are(rr: la.Arm) -> None:
    verdict = one(rr, r"$\tau_2 = (m_2 r_2^2 + m_2 L_1 r_2 c_2 + J_2)\ddot q_1 + (m_2 \ell_{c2}^2 + I_{zz2})\ddot q_2"
                      r" + m_2 L_1 r_2 s_2 \dot q_1^2 + m_2 r_2 g c_{12}$")  # fmt: skip
    assert verdict.status == "equal"
    assert {"r_2 as lc2", "L_1 as l1", "J_2 as I2", "l_c2 as lc2", "I_zz2 as I2"} <= {
        reading.replace("ell", "l") for reading in verdict.readings
    }


def test_names_may_be_mapped(elbow: la.Arm) -> None:
    text = "P1 = w b1 sin(theta1) g"
    assert check(elbow, text).status == "unreadable"
    assert check(elbow, text, {"w": "m1", "b1": "a1"}).status == "equal"
    assert check(elbow, f"map: w = m1\nmap: b1 = a1\n\n{text}").status == "equal"
    assert check(elbow, "P1 = m1 9.81 a1 sin(theta1)", {"g": "9.81"}).status != "unreadable"
    with pytest.raises(InputError, match="no symbol of the arm named 'm9'; did you mean"):
        check(elbow, text, {"w": "m9"})


def test_the_letters_of_several_books(elbow: la.Arm) -> None:
    """D, B or H for M; V, h, n and N; G; T and U; the readings are told."""
    for text in (
        r"$D(q)\ddot q + C(q, \dot q)\dot q + g(q) = \tau$",
        r"$H(q)\ddot q + h(q, \dot q) = u$",
        r"$B(q)\ddot q + n(q, \dot q) = \tau$",
        r"$M(q)\ddot q + V(q, \dot q) + F(\dot q) + G(q) + \tau_d = \tau$",
        r"$M(q)\ddot q + N(q, \dot q) = \tau$",
        r"$\mathcal{L} = T - U$",
        r"$\ddot\theta = M^{-1}(\tau - h(\theta, \dot\theta))$",
        r"$\dot M - 2C + (\dot M - 2C)^T = 0$",
        r"$\Lambda = (J^{-1})^T M J^{-1}$",
        r"$v_2^2 = \dot x_2^2 + \dot y_2^2$",
        r"$c_{ij} = \sum_{k=1}^n \Gamma_{ijk} \dot q_k$",
        r"$P_i = m_i g y_i$",
    ):
        assert check(elbow, text).status == "equal", text
    assert "D as M, the mass matrix" in check(elbow, r"$K = \frac12 \dot q^T D \dot q$").readings


def test_centre_of_mass_or_end_of_a_link(rr: la.Arm) -> None:
    """x_2 is tried as both; what it was taken for is told."""
    centre, end = one(rr, "x_2 = l1 c1 + lc2 c12"), one(rr, "x_2 = l1 c1 + l2 c12")
    assert centre.status == end.status == "equal"
    assert "centre of mass" in centre.about and "end" in end.about
    assert one(rr, "x_2 = l1 c1 + l2 c2").status == "different"


def test_own_names_of_coordinates_and_forces() -> None:
    polar = la.load("polar")
    assert one(polar, r"$m r^2 \ddot\theta + 2 m r \dot r \dot\theta + m g r \cos\theta = n$").status == "equal"
    assert one(polar, r"$F_r = m \ddot r - m r \dot\theta^2 + m g \sin\theta$").about == "F_r, the force of joint r"
    assert one(polar, r"$q = [\theta, r]^T$").status == "equal"


def test_a_coordinate_is_a_point_only_beside_a_formula() -> None:
    polar = la.load("polar")
    for text in ("x = r", "r = x", r"v^2 = \dot r^2"):
        assert one(polar, text).status == "different"
    assert one(polar, "r = [r cos(theta), r sin(theta)]").status == "equal"


@pytest.mark.parametrize(
    "arm, text, meant",
    [
        ("polar", r"K = \frac{1}{2} m \dot{r}^2", r"+ \frac{1}{2} m r^2 \dot{\theta}^2"),
        ("cylindrical", "K = 1/2 (Izz1 + Izz2 + Iyy3 + m3 (d3 - lc3)^2) thetad1^2 + 1/2 m2 dd2^2 + 1/2 m3 dd3^2", None),
        ("cylindrical", "M11 = m3 d3^2 - 2 m3 d3 lc3 - m3 lc3^2 + Izz1 + Izz2 + Iyy3", "+ m3 lc3^2"),
    ],
)
def test_a_coordinate_of_the_arm_is_no_point_and_no_length(arm: str, text: str, meant: str | None) -> None:
    verdict = one(la.load(arm), text)
    assert (verdict.status, verdict.readings) == ("different", ())
    assert meant is None or (verdict.suggestion is not None and verdict.suggestion.meant == meant)


# Verdicts


@pytest.mark.parametrize(
    "text", [f"\\tau_2 = {TAU_2}", f"{TAU_2} = \\tau_2", f"{TAU_2} - \\tau_2 = 0", f"0 = \\tau_2 - ({TAU_2})"]
)
def test_an_equation_of_motion_may_be_solved_for_anything(elbow: la.Arm, text: str) -> None:
    assert one(elbow, f"$${text}$$").status == "equal"
    wrong = one(elbow, f"$${text}$$".replace("g a_2", "g a_1"))
    assert wrong.status == "different"
    assert wrong.difference is not None and not wrong.difference.is_zero


def test_a_difference_is_written_minus_true_and_its_witness_shows_it(elbow: la.Arm) -> None:
    verdict = one(elbow, "$$\\tau_2 = " + TAU_2.replace("+ m_2 g", "- m_2 g") + "$$")
    assert verdict.status == "different"
    assert verdict.difference is not None and verdict.difference.text() == "-2 m2 g a2 c12"
    seen = verdict.witness
    assert seen is not None
    x = seen.state
    inertial = x["m2"] * (x["a2"] ** 2 * (x["thetadd1"] + x["thetadd2"]) + x["a1"] * x["a2"] * (
        math.cos(x["theta2"]) * x["thetadd1"] + math.sin(x["theta2"]) * x["thetad1"] ** 2))  # fmt: skip
    weight = x["m2"] * x["g"] * x["a2"] * math.cos(x["theta1"] + x["theta2"])
    assert seen.true == pytest.approx(inertial + weight, rel=1e-12)
    assert seen.written == pytest.approx(inertial - weight, rel=1e-12)
    assert verdict.about == "tau_2, the torque of joint theta2"
    assert verdict.suggestion is not None and verdict.suggestion.what == "a sign"


def test_the_first_wrong_side_of_a_chain_is_told(elbow: la.Arm) -> None:
    text = r"$K_1 = \frac12 m_1 v_1^2 = \frac12 m_1 a_1^2 \dot\theta_2^2$"
    verdict = one(elbow, text)
    assert verdict.status == "different"
    assert verdict.where.column == text.index(r"\frac12 m_1 a_1") + 1
    assert check(elbow, text.replace(r"\dot\theta_2", r"\dot\theta_1")).status == "equal"


def test_definitions_may_stand_before_or_after_their_use(elbow: la.Arm) -> None:
    C = r"$C = \begin{bmatrix} h \dot q_2 & h (\dot q_1 + \dot q_2) \\ -h \dot q_1 & 0 \end{bmatrix}$"
    for text in (f"{C}\n\n$h = -m_2 a_1 a_2 s_2$", f"$h = -m_2 a_1 a_2 s_2$\n\n{C}"):
        verdicts = check(elbow, text)
        assert sorted(v.status for v in verdicts) == [DEFINED, "equal"] and verdicts.status == "equal"
        assert "definition of h" in [v.about for v in verdicts]
    assert check(elbow, f"$h = m_2 a_1 a_2 s_2$\n\n{C}").status == "different"
    nested = "p1 = m1 a1^2 + m2 a1^2\n\nM11 = p1 + p2 + 2 p3 c2\n\np2 = m2 a2^2\n\np3 = m2 a1 a2"
    assert [v.status for v in check(elbow, nested)] == [DEFINED, "equal", DEFINED, DEFINED]
    assert not any(v.is_open for v in check(elbow, nested))
    unused = check(elbow, f"{nested}\n\np4 = m1 a2^2\n\np5 = p4 a1")
    assert [v.is_open for v in unused] == [False] * 4 + [True, True] and unused.status == DEFINED
    assert unused.counted == f"1 equal; 5 {DEFINED} (2 used by nothing proven)"
    wrong = check(elbow, nested.replace("2 p3 c2", "p3 c2"))
    assert wrong.status == "different" and all(v.is_open for v in wrong if v.status == DEFINED)


def test_a_definition_in_a_circle_is_refused(elbow: la.Arm) -> None:
    verdicts = check(elbow, "ab = 2 ba\n\nba = ab/2\n\nM22 = ab")
    assert verdicts[2].status == "unreadable"


def test_a_quantity_is_no_definition(elbow: la.Arm) -> None:
    """A wrong M_22 or tau_1 is wrong, not another letter."""
    assert one(elbow, "M22 = m1 a2^2").status == "different"
    assert one(elbow, "h1 = m1 g a1 cos(theta1) thetad1").status == "different"
    assert one(elbow, "d11 = m1 a1^2").status == "different"
    assert one(elbow, "D = [[m1 a1^2, 0], [0, m2 a2^2]]").status == "different"


def test_settings_are_remembered_for_the_next_equation(elbow: la.Arm) -> None:
    text = r"With $\theta_1 = 0$ we have $x_2 = a_1 + a_2 \cos\theta_2$."
    first, second = check(elbow, text)
    assert first.status == DEFINED and not first.is_open and first.about == "a value of theta_1"
    assert second.status == "equal by convention" and "theta1 = 0" in str(second.convention)
    assert check(elbow, r"$x_2 = a_1 + a_2 \cos\theta_2$").status == "different"


def test_unknown_names(elbow: la.Arm) -> None:
    verdict = one(elbow, "P_1 = m_3 g a_1 sin(theta_1) + k_7")
    assert verdict.status == "unreadable"
    line, caret, why = verdict.message.splitlines()
    assert line[caret.index("^")] in "mk" and "there is no symbol or quantity named" in why
    assert verdict.where.line == 1
    mistaken = one(elbow, "$P_1 = m g a_1 \\sin\\theta_1$")
    assert mistaken.status == "different"
    assert mistaken.suggestion is not None and "m_1" in mistaken.suggestion.meant
    named = one(elbow, "$M_{11} = I_e + m_2 a_2^2 + 2 m_2 a_1 a_2 c_2$")
    assert named.status == "equal by convention" and "I_e = (m1 + m2) a1^2" in str(named.convention)


def test_numbers_in_place_of_symbols(elbow: la.Arm, tmp_path: Path) -> None:
    assert "g = 9.81" in str(one(elbow, "P1 = 9.81 m1 a1 sin(theta1)").convention)
    assert one(elbow, "P1 = 9.8 m1 a1 sin(theta1)").status == "different"
    arm = """
        leverarm = 1
        name = "pendulum"
        gravity = [0, -9.81, 0]
        [[body]]
        name = "bob"
        parent = "base"
        mass = 2
        com = [0.5, 0, 0]
        joint = { name = "theta", kind = "revolute" }
    """
    (tmp_path / "pendulum.toml").write_text("\n".join(line.strip() for line in arm.splitlines()))
    pendulum = la.load(tmp_path / "pendulum.toml")
    assert one(pendulum, "tau = 0.5 theta'' + 9.81 cos(theta)").status == "equal"
    assert "off by more than 0.01" in str(one(pendulum, "tau = 0.5 theta'' + 9.8 cos(theta)").convention)
    assert one(pendulum, "tau = 0.5 theta'' + 9.7 cos(theta)").status == "different"
    assert one(pendulum, "tau = m l^2 theta'' + 9.81 cos(theta)").status == "unreadable"


def test_a_regressor_with_its_parameters() -> None:
    polar = la.load("polar")
    W = r"W = \begin{bmatrix} r^2\ddot\theta + 2 r \dot r \dot\theta + g r \cos\theta & 0 \\ \ddot r - r\dot\theta^2 + g\sin\theta & 0 \end{bmatrix}"
    text = f"${W}$\n\n$\\phi = [m, 1]^T$\n\n$\\tau = W \\phi$"
    verdicts = check(polar, text)
    assert [v.status for v in verdicts] == ["equal", DEFINED, "equal"]
    assert "a regressor" in verdicts[0].about
    wrong = check(polar, text.replace("2 r", "r"))
    assert wrong[0].status == wrong[2].status == "different"


def test_another_factorisation_is_no_error(elbow: la.Arm) -> None:
    verdict = one(
        elbow,
        r"$C = \begin{bmatrix} 0 & -m_2 a_1 a_2 s_2 (2\dot q_1 + \dot q_2) \\ m_2 a_1 a_2 s_2 \dot q_1 & 0 \end{bmatrix}$",
    )
    assert verdict.status == "equal by convention" and "skew" in str(verdict.convention)


def test_places_and_the_report(elbow: la.Arm) -> None:
    text = "Some words.\n\n$P_1 = m_1 g a_1 \\sin\\theta_1$ and\n  $P_2 = m_2 g a_1 \\sin\\theta_1$\n"
    verdicts = check(elbow, text)
    assert [str(v.where) for v in verdicts] == ["line 3, column 2", "line 4, column 10"]
    assert verdicts.status == "different"
    report = verdicts.text()
    assert report.startswith("Equations checked against elbow\n")
    assert "2 equations: 1 equal; 1 different." in report
    assert "Written minus true is" in report and "−m₂ g a₂ s₁₂" in report and "✗ different" in report
    assert str(where_of("a\nbc", 3)) == "line 2, column 2"
    assert pointed("one\ntwo = 3", 8) == "two = 3\n    ^"


def test_a_check_is_a_document(elbow: la.Arm, tmp_path: Path) -> None:
    """Every form shows the verdicts, the difference and where reading stopped; the file of data holds the facts."""
    verdicts = check(elbow, "P_2 = m_2 g a_1 \\sin\\theta_1\n\nM22 = m2 (a2^2\n")
    for ending in (".html", ".md", ".tex", ".ipynb", ".txt"):
        verdicts.save(tmp_path / f"check{ending}")
        written = (tmp_path / f"check{ending}").read_text()
        assert "different" in written and "never closed" in written and "should be" in written, ending
    verdicts.save(tmp_path / "check.json")
    found = json.loads((tmp_path / "check.json").read_text())
    assert found == {"arm": "elbow", "verdicts": [verdict.facts() for verdict in verdicts]}
    assert "`M22 = m2` [here] `(a2^2`" in verdicts.text() and "−m₂ g a₂ s₁₂" in verdicts.text()
    assert r"$$\n-m_2 g a_2 s_{12}" in json.dumps(verdicts._repr_markdown_())
    assert len(max(verdicts.text(60).splitlines(), key=len)) <= 60


def test_bad_calls(elbow: la.Arm) -> None:
    with pytest.raises(InputError, match="no equation was found"):
        check(elbow, "nothing here")
    with pytest.raises(InputError, match="Give a str"):
        check(elbow, 3)  # type: ignore[arg-type]


def test_three_links() -> None:
    arm = la.load("planar3r")
    eq = la.equations(arm)
    for i in range(3):
        assert one(arm, f"tau{i + 1} = {eq.tau[i].text()}").status == "equal"
    assert one(arm, "$x = L_1 c_1 + L_2 c_{12} + L_3 c_{123}$").status == "equal"
    assert one(arm, "$\\omega_3 = \\dot q_1 + \\dot q_2 + \\dot q_3$").status == "equal"
    assert one(arm, "$\\Gamma_{123} = \\Gamma_{132}$").status == "equal"
    assert one(arm, "$\\Gamma_{112} = \\Gamma_{211}$").status == "different"


@pytest.mark.parametrize("name", ["elbow", "polar", "rp", "rr", "scara", "cylindrical"])
def test_what_leverarm_prints_is_proven(name: str) -> None:
    """Our own LaTeX is read back as what it was printed from."""
    arm = la.load(name)
    eq = la.equations(arm)
    lines = [f"$$K = {eq.K.latex()}$$", f"$$P = {eq.P.latex()}$$", f"$$M = {eq.M.latex()}$$"]
    verdicts = check(arm, "\n\n".join(lines))
    assert [v.status for v in verdicts] == ["equal"] * 3, verdicts.text()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (
            "With theta2 locked: (m1*a1^2 + m2*(a1^2 + a2^2 + 2*a1*a2*cos(theta2)))*thetadd1 "
            "+ (m1 + m2)*g*a1*cos(theta1) + m2*g*a2*cos(theta1 + theta2) = tau1",
            "equal by convention",
        ),
        ("theta1 constant: m2*a2^2*thetadd2 + m2*g*a2*cos(theta1 + theta2) = tau2", "equal by convention"),
        ("theta1 constant: m2*a2^2*thetadd2 + m2*g*a2*sin(theta1 + theta2) = tau2", "different"),
        (
            "m1 = m2 = 1 kg, a1 = a2 = 1 m, g = 9.81 m/s^2. Pose theta1 = 0, theta2 = 90 deg. The matrix has "
            "M22 = m2*a2^2. Further below we also find that g_1 = (m1 + m2)*g*a1*cos(theta1) + m2*g*a2*cos(theta1 + theta2)"
            " = 19.62 N m",
            "equal by convention",
        ),
    ],
)
def test_joints_that_words_lock_and_results_at_the_state_of_an_earlier_sentence(text, status):
    found = [verdict.status for verdict in la.check(la.load("elbow"), text)]
    assert found[-1] == status


H = "m2*l1*lc2*sin(q2)"
ABSOLUTE = (
    "$\\phi_1=q_1$, $\\phi_2=q_1+q_2$, $Q_1=\\tau_1-\\tau_2$, $Q_2=\\tau_2$, "
    "$Q_2 = (I_2+m_2l_{c2}^2)\\ddot\\phi_2+m_2l_1l_{c2}\\cos(\\phi_1-\\phi_2)\\ddot\\phi_1"
    "-m_2l_1l_{c2}\\sin(\\phi_1-\\phi_2)\\dot\\phi_1^2+m_2l_{c2}g\\cos\\phi_2$"
)
NUMBERS = "m1 = 3 kg, m2 = 1.5 kg, L1 = 0.4 m, I1 = 0.05, I2 = 0.02, g = 9.81.\n"
POSE = "m1 = m2 = 1 kg, a1 = a2 = 1 m, g = 9.81 m/s^2. At rest at theta1 = 30 deg, theta2 = 60 deg:\n"
AS_WRITTEN = [
    # programs
    ("elbow", "def f(q, v):\n    w1, w2 = v\n    c2 = -m2*a1*a2*sin(q[1])*w1*w1*(-1)\n", "*w1*w1*", "*w1*w2*"),
    ("rr", f"function c = f(q, v, p)\nc(2) = p.{H.replace('*', '*p.', 2).replace('q2', 'q(2)')}*v(1)^2;", "v(1)", "v(2)"),
    ("rr", f"def f(t, x):\n    q1, q2, w1, w2 = x\n    c2 = {H}*w1**2\n    return [w1, w2, acc[0], acc[1]]", "w1**2", "w2**2"),
    ("elbow", "import numpy as np\np2 = np.array([a1*c1 + a2*c12, a1*s1 + a2*s12])\nP = m1*g*a1*s1 + m2*g*p2[1]", "[1]", "[0]"),
    ("rr", "v2sq = (l1*qd1)^2 + (lc2*(qd1+qd2))^2 + 2*l1*lc2*cos(q2)*qd1*(qd1+qd2)", "+ 2*", "- 2*"),
    # what brackets and words say
    ("rr", f"c1 = -h*(2*w1*w2 + w2^2)   (h = {H}; w = rates of q)", "2*w1", "w1"),
    ("rr", "\\[ c_2 = h\\dot q_1^2 \\qquad (h = m_2l_1l_{c2}\\sin q_2) \\]", "q_1", "q_2"),
    ("rr", "Let $\\omega_1=\\dot q_1$, $\\omega_2=\\dot q_2$: $c_1 = -m_2l_1l_{c2}\\sin q_2(2\\omega_1\\omega_2+\\omega_2^2)$", "2\\omega_1", "\\omega_1"),
    ("rr", ABSOLUTE, "-m_2l_1", "+m_2l_1"),
    ("rr", ABSOLUTE, "Q_1=\\tau_1-", "Q_1=\\tau_1+"),
    ("rr", "$A_{12} = m_2l_1l_{c2}$ and $M_{11} = I_1+I_2+m_1l_{c1}^2+m_2(l_1^2+l_{c2}^2)+2A_{12}\\cos q_2$", "2A", "A"),
    ("polar", "The speed is $v = \\sqrt{\\dot r^2 + r^2\\dot\\theta^2}$ and $T = \\frac12 m v^2$.", "+ r^2", "+ r"),
    ("elbow", "m2*a2^2*(qdd1+qdd2) + m2*a1*a2*(c2*qdd1 + s2*qd1^2) + m2*g*a2*c12 = tau", "+ s2", "- s2"),
    # at a state, and near one
    ("rp", NUMBERS + "At theta1 = 0, theta2 = 0.8 m, theta1' = 2 rad/s, theta2' = 0.5 m/s, no acceleration: "
     "tau1 = 2*1.5*0.8*2*0.5 + (3*0.4 + 1.5*0.8)*9.81 = 25.94 N m", "2*1.5", "1.5"),
    ("elbow", f"{POSE}tau1 = (m1 + m2)*g*a1*cos(theta1) + m2*g*a2*cos(theta1+theta2) \u2248 16.99 N m", "16.99", "19.62"),
    ("elbow", f"{POSE}g_2 = m2*g*a2*cos(theta1+theta2) = 0\n\nIn this pose\n\nM12 = m2*a2^2 + m2*a1*a2*cos(theta2) = 1.5", "s(theta2)", "s(theta1)"),
    ("planar3r", "With the third joint braked ($q_3=0$): $M_{33} = I_3 + m_3 l_{c3}^2$, $g_3 = m_3l_{c3}g\\cos(q_1+q_2)$", "I_3", "I_2"),
    ("elbow", "Linearised about $\\theta_1=\\theta_2=0$: $\\tau_2 \\approx m_2a_2(a_2+a_1)\\ddot\\theta_1 + m_2a_2^2\\ddot\\theta_2 + m_2ga_2$",
     "a_2+a_1", "a_2-a_1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "right", "wrong"), AS_WRITTEN)
def test_texts_as_people_write_them_and_a_slip_in_each(name, text, right, wrong):
    arm, slip = la.load(name), text.replace(right, wrong, 1)
    found = check(arm, text)
    assert {each.status for each in found} - {DEFINED} <= {"equal", "equal by convention"}, found.text()
    assert {each.status for each in found} != {DEFINED}
    assert slip != text
    assert "different" in {each.status for each in check(arm, slip)}, check(arm, slip).text()


def test_every_side_of_an_equation_is_checked_where_one_holds_by_a_convention(elbow):
    right = "g_1 = (m1 + m2)*9.81*a1*cos(theta1) + m2*9.81*a2*cos(theta1+theta2)"
    assert one(elbow, right).status == "equal by convention"
    assert one(elbow, f"{right} = (m1 + m2)*9.81*a1*cos(theta1)").status == "different"


def test_a_speed_for_an_angular_velocity_is_a_slip_where_nothing_else_uses_it(rr):
    assert [each.status for each in check(rr, "omega_1 = qd1, omega_2 = qd2")] == ["equal", "different"]


def test_a_matrix_of_a_program_without_a_name_is_not_passed_over(elbow):
    assert one(elbow, "np.array([[1, a1], [a1, 1]])").status == "unreadable"
