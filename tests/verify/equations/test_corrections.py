"""Wrong equations get the right correction: followed, each suggestion gives a text that is exactly true."""

from __future__ import annotations

from functools import cache

import pytest

import leverarm as la
from leverarm.notation.reading import Statement, read
from leverarm.verify.equations.corrections import corrections
from leverarm.verify.equations.document import scope_of
from leverarm.verify.equations.mending.spelling import BARE, BRACED, around_dotted, shows_index, with_dots, with_index
from leverarm.verify.equations.readings import Read, case_of, read_statement
from leverarm.verify.equations.verdict import Correction
from tests.sources.written.mistakes import mistakes

ELBOW = r"""
$$\tau_1 = [(m_1+m_2)a_1^2 + m_2 a_2^2 + 2 m_2 a_1 a_2 \cos\theta_2]\ddot\theta_1
  + [m_2 a_2^2 + m_2 a_1 a_2 \cos\theta_2]\ddot\theta_2 - m_2 a_1 a_2 (2\dot\theta_1\dot\theta_2 + \dot\theta_2^2)\sin\theta_2
  + (m_1+m_2) g a_1 \cos\theta_1 + m_2 g a_2 \cos(\theta_1+\theta_2)$$
"""
ENERGY = r"""
$$K = \frac12 m_1 a_1^2 \dot\theta_1^2 + \frac12 m_2 a_1^2 \dot\theta_1^2 + \frac12 m_2 a_2^2 (\dot\theta_1 + \dot\theta_2)^2
  + m_2 a_1 a_2 (\dot\theta_1^2 + \dot\theta_1\dot\theta_2)\cos\theta_2$$
"""
MATRIX = r"""
$$M = \begin{bmatrix} (m_1+m_2)a_1^2 + m_2 a_2^2 + 2 m_2 a_1 a_2 \cos\theta_2 & m_2 a_2^2 + m_2 a_1 a_2 \cos\theta_2 \\
  m_2 a_2^2 + m_2 a_1 a_2 \cos\theta_2 & m_2 a_2^2 \end{bmatrix}$$
"""
POLAR = r"$n = m r^2 \ddot\theta + 2 m r \dot r \dot\theta + m g r \cos\theta$"
SLIDE = "tau1 = (m1*L1^2 + I1 + I2 + m2*theta2^2)*theta1'' + 2*m2*theta2*theta1'*theta2' + (m1*L1 + m2*theta2)*g*cos(theta1)"
SHORT = r"$d_{12} = m_2 (l_{c2}^2 + l_1 l_{c2} c_2) + I_2$"
WORDS = "g2 = (m2 lc2 + m3 L2) g cos(q1 + q2) + m3 g lc3 cos(q1 + q2 + q3)"
JERK = (
    "tau3 = (I3 + m3 lc3^2) (qdd1 + qdd2 + qdd3) + m3 L2 lc3 (cos(q3) (qdd1 + qdd2) + sin(q3) (qd1 + qd2)^2) + m3 L1 lc3 \
(cos(q2 + q3) qdd1 + sin(q2 + q3) qd1^2) + m3 g lc3 cos(q1 + q2 + q3)"
)

SLIPS = [
    ("elbow", ELBOW, r"2\dot\theta_1\dot\theta_2", r"2\dot\theta_1\theta_2", "a dot"),
    ("elbow", ELBOW, r"- m_2 a_1 a_2 (2", r"+ m_2 a_1 a_2 (2", "a sign"),
    ("elbow", ELBOW, r"(2\dot\theta_1", r"(\dot\theta_1", "a factor"),
    ("elbow", ELBOW, r")\sin\theta_2", r")\cos\theta_2", "sine for cosine"),
    ("elbow", ELBOW, r"[(m_1+m_2)a_1^2", r"[(m_1+m_2)a_2^2", "an index"),
    ("elbow", ELBOW, r"[(m_1+m_2)a_1^2", r"[(m_1-m_2)a_1^2", "a sign"),
    ("elbow", ELBOW, r"\cos\theta_2]\ddot\theta_2", r"\cos\theta_2]\ddot\theta_1", "an index"),
    ("elbow", ELBOW, r"(m_1+m_2) g a_1", r"m_1 g a_1", "a missing term"),
    ("elbow", ELBOW, r" + m_2 g a_2 \cos(\theta_1+\theta_2)", "", "a missing term"),
    ("elbow", ELBOW, r"\cos(\theta_1+\theta_2)", r"\cos\theta_1", "an angle"),
    ("elbow", ELBOW, r"m_2 g a_2", r"m_2 a_2", "a missing factor"),
    ("elbow", ENERGY, r"\frac12 m_2 a_2^2", r"m_2 a_2^2", "a factor"),
    ("elbow", ENERGY, r"\frac12 m_1 a_1^2", r"\frac12 m_1 a_1", "a power"),
    ("elbow", ENERGY, r"+ m_2 a_1 a_2 (", r"+ 2 m_2 a_1 a_2 (", "a factor"),
    ("elbow", ENERGY, r"(\dot\theta_1 + \dot\theta_2)^2", r"(\dot\theta_1 - \dot\theta_2)^2", "a sign"),
    ("elbow", ENERGY, r"\dot\theta_1\dot\theta_2)", r"\dot\theta_1\dot\theta_1)", "an index"),
    ("elbow", MATRIX, r"& m_2 a_2^2 \end", r"& m_1 a_2^2 \end", "an index"),
    ("elbow", MATRIX, r"  m_2 a_2^2 + m_2 a_1", r"  m_2 a_2^2 - m_2 a_1", "a sign"),
    ("polar", POLAR, r"2 m r \dot r", r"2 m r r", "a dot"),
    ("polar", POLAR, r"m r^2 \ddot", r"m r \ddot", "a power"),
    ("polar", POLAR, r"2 m r", r"m r", "a factor"),
    ("rp", SLIDE, "2*m2*theta2*theta1'", "2*m2*theta1'", "a missing factor"),
    ("rp", SLIDE, "*theta1'' +", "*theta1' +", "a dot"),
    ("rp", SLIDE, " + m2*theta2)*g", ")*g", "a missing term"),
    ("rr", SHORT, "c_2", "s_2", "sine for cosine"),
    ("rr", SHORT, "c_2", "c_{12}", "an index"),
    ("rr", SHORT, "l_1 l_{c2}", "l_1 l_{c1}", "an index"),
    ("planar3r", WORDS, "cos(q1 + q2 + q3)", "cos(q1 + q2)", "an angle"),
    ("planar3r", WORDS, "m3 L2", "m3 L1", "an index"),
    ("planar3r", JERK, "qd1^2", "qd1", "a power"),
    ("planar3r", JERK, "qdd3)", "qd3)", "a dot"),
]


@cache
def equations_of(arm: str) -> la.types.Equations:
    return la.equations(la.load(arm))


def read_only(arm: str, text: str) -> Read:
    """The first equation of a text."""
    pieces = read(text)
    statement = next(piece for piece in pieces if isinstance(piece, Statement))
    return read_statement(statement, scope_of(equations_of(arm), text, pieces), {})


def suggestions(arm: str, text: str) -> tuple[Correction, ...]:
    found = read_only(arm, text)
    assert not found.holds
    return tuple(corrections(case_of(found)))


def followed(text: str, suggestion: Correction) -> str:
    start, end = suggestion.span
    assert text[start:end] == suggestion.written
    return text[:start] + suggestion.meant + text[end:]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(("arm", "text", "right", "wrong", "what"), SLIPS)
def test_one_slip_is_undone(arm, text, right, wrong, what):
    assert text.count(right) >= 1
    pasted = text.replace(right, wrong, 1)
    first = suggestions(arm, pasted)[0]
    assert first.what == what
    mended = followed(pasted, first)
    assert read_only(arm, mended).holds
    if what != "a missing term":
        assert squeezed(mended) == squeezed(text)


def wrong_texts() -> list[tuple[str, str]]:
    """The wrong equations of the tests, with the arm that each is about."""
    own = [(arm, text.replace(right, wrong, 1)) for arm, text, right, wrong, _ in SLIPS]
    return [*own, *((mistake.arm, mistake.pasted) for mistake in mistakes())]


@pytest.mark.parametrize(("arm", "pasted"), wrong_texts())
def test_every_correction_is_right_when_its_text_is_read_again(arm, pasted):
    found = suggestions(arm, pasted)
    assert found
    for each in found:
        mended = followed(pasted, each)
        assert read_only(arm, mended).holds, each.sentence
        assert la.check(la.load(arm), mended).status in ("equal", "equal by convention"), each.sentence


@pytest.mark.parametrize(("arm", "text"), sorted({(arm, text) for arm, text, *_ in SLIPS}))
def test_the_texts_are_right_before(arm, text):
    assert read_only(arm, text).holds


def test_every_suggestion_makes_the_equation_true():
    pasted = POLAR.replace(r"2 m r \dot r", "2 m r r")
    found = suggestions("polar", pasted)
    assert len(found) >= 2
    assert all(read_only("polar", followed(pasted, each)).holds for each in found)


def test_the_sentence_has_place_term_and_reason():
    pasted = ELBOW.replace(r"2\dot\theta_1\dot\theta_2", r"2\dot\theta_1\theta_2")
    column = pasted.splitlines()[2].index(r"2\dot\theta_1\theta_2") + 1
    first = suggestions("elbow", pasted)[0]
    said = (
        rf"line 3, column {column}: `2\dot\theta_1\theta_2` should be `2\dot\theta_1\dot\theta_2` (a dot is missing)."
    )
    assert str(first) == first.sentence == said
    assert (first.where.line, first.where.column) == (3, column)


def test_an_extra_term_is_taken_out():
    pasted = POLAR.replace(r" + m g r", r" + m g r \sin\theta + m g r")
    first = suggestions("polar", pasted)[0]
    assert (first.what, first.written, first.meant) == ("an extra term", r"+ m g r \sin\theta", "")


def test_a_missing_term_is_written_in_the_users_hand():
    pasted = "tau2 = (m2*a2**2 + m2*a1*a2*cos(q2))*qdd1 + m2*a2**2*qdd2 + m2*g*a2*cos(q1 + q2)"
    assert suggestions("elbow", pasted)[0].meant == "+ m2*a1*a2*sin(q2)*qd1**2"


def test_a_formula_of_another_joint_is_called_so_and_the_name_is_left_alone():
    pasted = r"$\tau_2 = m \ddot r - m r \dot\theta^2 + m g \sin\theta$"
    assert read_only("polar", pasted).holds
    (verdict,) = la.check(la.load("polar"), pasted.replace(r"\tau_2", r"\tau_1"))
    assert verdict.suggestion is None
    assert r"The formula is that of `\tau_2`." in verdict.message


def test_the_side_that_names_a_quantity_is_never_changed():
    for text in ("M_12 = m2*a2^2", r"$\dot p_1 = m_2 a_2^2 \ddot\theta_2$", "tau2 = tau1", "M[0][1] = m2*a2**2"):
        for verdict in la.check(la.load("elbow"), text):
            left, _ = verdict.text.split("=")
            change = verdict.suggestion
            assert change is None or change.span[0] >= text.index(verdict.text) + len(left), verdict.message


def test_wrong_entries_of_a_matrix_are_corrected_together():
    wrong = MATRIX.replace(r"& m_2 a_2^2 \end", r"& m_1 a_2^2 \end").replace(
        "  m_2 a_2^2 + m_2 a_1", "  m_2 a_2^2 - m_2 a_1"
    )
    first = suggestions("elbow", wrong)[0]
    assert first.what == "a sign and an index"
    assert squeezed(followed(wrong, first)) == squeezed(MATRIX)


def test_a_correction_is_written_as_the_text_is():
    dotted = "τ₂ = m₂ a₂² (θ̈₁ + θ̈₂) + m₂ a₁ a₂ (cos θ₂ θ̈₁ + sin θ₂ θ̇₁²) + m₂ g a₂ cos(θ₁ + θ₂)"
    assert suggestions("elbow", dotted.replace("θ̇₁²", "θ̇₂²"))[0].meant == "sin θ₂ θ̇₁²"
    masses = r"$M_{12} = m_2 (l_{c2}^2 + a_1 l_{c2} c_2) + m_3 (a_2^2 + a_1 a_2 c_2) + I_{zz2} + I_{zz3} + I_{zz4}$"
    assert r"m_3 + m_4" in suggestions("scara", masses)[0].meant


def test_several_wrong_sides_are_corrected_together():
    (verdict,) = la.check(la.load("elbow"), "M22 = m1 a2^2 = m2 a2 = m2 a2^2")
    assert verdict.suggestion.meant == "m2 a2^2 = m2 a2^2"
    assert "Another side" not in verdict.message
    (verdict,) = la.check(la.load("elbow"), "M22 = m1 a2^2 = tan(q1) + 7 = m2 a2^2")
    assert verdict.suggestion.meant == "m2 a2^2"
    assert "Another side of the equation is wrong as well." in verdict.message
    (verdict,) = la.check(la.load("elbow"), "M22 = m1 a2^2 = m2 a2^2")
    assert "Another side" not in verdict.message


def test_of_a_formula_that_is_too_large_no_correction_is_looked_for():
    terms = " + ".join(f"{k} m2 a2^2 cos(q{k % 2 + 1}) qdd1" for k in range(1, 400))
    (verdict,) = la.check(la.load("elbow"), f"tau2 = {terms}")
    assert (verdict.status, verdict.suggestion) == ("different", None)
    assert "No correction was looked for: the formula is too large." in verdict.message


def test_a_missing_dot_in_a_derivative_on_the_other_side():
    momentum = r"m_2 a_2^2 (\dot\theta_1 + \dot\theta_2) + m_2 a_1 a_2 \cos\theta_2 \dot\theta_1"
    pasted = rf"$\frac{{\partial L}}{{\partial \theta_2}} = {momentum}$"
    first = suggestions("elbow", pasted)[0]
    assert (first.what, r"\partial \dot" in first.meant) == ("a dot", True)


def test_exchanged_entries():
    pasted = MATRIX.replace("& m_2 a_2^2 \\end", "& X \\end").replace(
        "(m_1+m_2)a_1^2 + m_2 a_2^2 + 2 m_2 a_1 a_2 \\cos\\theta_2", "Y"
    )
    pasted = pasted.replace("X", "(m_1+m_2)a_1^2 + m_2 a_2^2 + 2 m_2 a_1 a_2 \\cos\\theta_2").replace("Y", "m_2 a_2^2")
    first = suggestions("elbow", pasted)[0]
    assert first.what == "swapped"
    assert squeezed(followed(pasted, first)) == squeezed(MATRIX)


def test_two_slips_in_one_equation():
    pasted = ELBOW.replace(r")\sin\theta_2", r")\cos\theta_2").replace(r"2 m_2 a_1 a_2", r"2 m_1 a_1 a_2")
    first = suggestions("elbow", pasted)[0]
    assert first.what == "an index and sine for cosine"
    assert squeezed(followed(pasted, first)) == squeezed(ELBOW)


def test_the_term_that_is_off_is_named_where_no_small_change_helps():
    pasted = POLAR.replace(r"2 m r \dot r \dot\theta", r"7 m g r^2 \sin\theta")
    first = suggestions("polar", pasted)[0]
    assert first.written == r"+ 7 m g r^2 \sin\theta"
    assert "the other terms agree" in first.sentence
    assert read_only("polar", followed(pasted, first)).holds


def test_a_formula_of_which_nothing_agrees_gets_no_other():
    (verdict,) = la.check(la.load("polar"), "tau1 = 2 m g")
    assert (verdict.status, verdict.suggestion) == ("different", None)
    (verdict,) = la.check(la.load("elbow"), "G = [m1, m2]")
    assert verdict.suggestion is None


def test_a_forgotten_term_of_a_product_rule():
    lines = "dL/dthdot = m r^2 thdot, d/dt(dL/dthdot) = m r^2 thddot"
    *_, verdict = la.check(la.load("polar"), f"L = 1/2 m rdot^2 + 1/2 m r^2 thdot^2 - m g r sin(th)\n{lines}")
    assert (verdict.suggestion.what, verdict.suggestion.meant) == ("a missing term", "+ 2 m r thdot rdot")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (r"-L_1s_1 & c_1 \\ L_1c_1 & s_1", r"-L_1s_1 & 0 \\ L_1c_1 & 0"),
        (r"-L_1s_1 & 0 \\ 0 & 0", r"-L_1s_1 & 0 \\ L_1 c_1 & 0"),
    ],
)
def test_entries_that_are_zero_or_should_be(wrong, meant):
    text = rf"$$J_{{v_1}} = \begin{{bmatrix}} {wrong}\end{{bmatrix}}$$"
    first = suggestions("rp", text)[0]
    assert squeezed(followed(text, first)) == squeezed(text.replace(wrong, meant))


@pytest.mark.parametrize(
    ("text", "old", "new", "meant"),
    [
        (r"\theta_1", "1", "2", r"\theta_2"),
        ("c_1", "1", "12", "c_{12}"),
        ("c_{12}", "12", "2", "c_2"),
        (r"\ell_{c1}", "c1", "c2", r"\ell_{c2}"),
        ("L_{c_1}", "c1", "c2", "L_{c_2}"),
        ("qdd1", "1", "3", "qdd3"),
        ("θ₁", "1", "2", "θ₂"),
        ("m", "1", "2", None),
    ],
)
def test_indices_in_texts(text, old, new, meant):
    assert with_index(text, old, new) == meant
    assert shows_index(text, old) is (meant is not None)


@pytest.mark.parametrize(
    ("text", "dots", "around", "meant"),
    [
        (r"\theta_1", 1, BARE, r"\dot\theta_1"),
        (r"\theta_1", 1, BRACED, r"\dot{\theta}_1"),
        ("q_1", 1, BRACED, r"\dot{q}_1"),
        ("q_1", 2, BARE, r"\ddot q_1"),
        (r"\dot{\theta}_1", 2, BARE, r"\ddot{\theta}_1"),
        (r"\ddot\theta_1", 1, BRACED, r"\dot\theta_1"),
        (r"\dot{q}_1", 0, BRACED, "q_1"),
        (r"\dot{\theta_1}", 0, BRACED, r"\theta_1"),
        (r"\vec{q}_{k}", 1, BRACED, r"\dot{\vec{q}}_{k}"),
        (r"\vec q", 1, BARE, r"\dot\vec q"),
    ],
)
def test_dots_in_texts(text, dots, around, meant):
    assert with_dots(text, dots, around) == meant


def test_dots_are_written_as_the_document_writes_them():
    assert around_dotted(r"\ddot\theta_1 + \dot q \dot{x}") == BARE
    assert around_dotted(r"\ddot{\theta}_1 + \dot q + \dot{x}") == BRACED
    assert around_dotted("m_1 a_1") == BRACED


WITH_THE_TEXT = [
    (
        "rp",
        "K = 1/2*(m1*L1^2 + I1 + I2)*theta1'^2 + 1/2*m2*(theta2' + theta2*theta1')^2",
        "(theta2'^2 + (theta2*theta1')^2)",
    ),
    ("elbow", "P = (m1*m2)*g*a1*sin(q1) + m2*g*a2*sin(q1 + q2)", "(m1 + m2)"),
    ("elbow", "M22 = m2 + a2^2", "m2 a2^2"),
    ("rr", r"$M_{12} = m_2 (l_{c2}^2 + l_1 l_{c1} c_{12}) + I_2$", "l_{c2} c_2"),
    (
        "rp",
        "thetadd1 = (tau1 - 2*m2*theta2*thetad1*thetad2 - (m1*L1 + m2*theta2)*g*cos(theta1))"
        "/(m1*L1^2 + I1 + m2*theta2^2)",
        "I2",
    ),
    (
        "elbow",
        "T_2 = m2*a2^2*(qdd1 + qdd2) + m2*a1*a2*(cos(q2)*qdd1 - sin(q2)*qd1^2) + m2*g*a2*cos(q1 + q2)",
        "+ sin(q2)*qd1^2",
    ),
    (
        "polar",
        r"The angle $\theta$ is measured from the downward vertical. $P = -m g r \cos\theta$, "
        r"$\tau = m r^2 \ddot\theta + 2 m r \dot r \dot\theta - m g r \sin\theta$",
        "+",
    ),
    (
        "elbow",
        "Angles are measured from the downward vertical. m2*a2*(a2 + a1*cos(q2))*qdd1 + m2*a2^2*qdd2 "
        "+ m2*a1*a2*sin(q2)*qd1^2 + m2*g*a2*sin(q1) = tau2",
        "sin(q1 + q2)",
    ),
    ("point-mass", "With m = 0.25 kg: f = 0.25*(xdd - 9.81)", "+"),
    ("point-mass", "m = 0.25 kg, g = 9.81 m/s^2. With xdd = 2 m/s^2 we get f = 0.25*(3 + 9.81) = 3.2025 N", "2.9525"),
]


@pytest.mark.parametrize(("arm", "text", "part"), WITH_THE_TEXT)
def test_a_correction_by_what_the_text_says_of_numbers_conventions_torques_and_letters(arm, text, part):
    found = [verdict.suggestion for verdict in la.check(la.load(arm), text) if verdict.status == "different"]
    assert len(found) == 1
    assert part in found[0].meant, found[0].sentence
    mended = la.check(la.load(arm), followed(text, found[0]))
    assert mended.status in ("equal", "equal by convention", "defined, not checked"), str(mended[-1])
