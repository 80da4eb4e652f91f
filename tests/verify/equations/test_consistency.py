"""A document keeps to one convention: what shows it, what contradicts it, what is left open, and what words say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import leverarm as la
from leverarm.closed_form import equations
from leverarm.formats import planar
from leverarm.model import PI
from leverarm.verify.equations.alternatives import values_of
from leverarm.verify.equations.conventions import DEFINITIONS, DESCRIPTIONS, said_in, single_alternatives
from leverarm.verify.equations.judge import check
from leverarm.verify.equations.verdict import DEFINED

DOWN, UP = "is measured from the downward vertical", "is measured from the upward vertical"
TURNED = "gravity acts in the opposite direction"
FORCES = {"elbow": ("tau_1", "tau_2"), "polar": ("n", "f"), "rr": ("tau_1", "tau_2"), "planar3r": ("tau_1", "tau_2", "tau_3")}  # fmt: skip
FALLING = (*FORCES, "scara")
WRITINGS = ("plain", "LaTeX")
by_arm = pytest.mark.parametrize("arm", FORCES)
in_writing = pytest.mark.parametrize("writing", WRITINGS)


def described(arm, words=""):
    """The equations of an arm, as it is or by the first convention whose sentence has these words."""
    arm = la.load(arm)
    if not words:
        return equations(arm)
    return values_of(next(each for each in single_alternatives(arm) if words in each.words), arm).eq


def line(arm, left, writing="plain", words=""):
    """An equation of an arm as a textbook would print it, by this convention."""
    eq = described(arm, words)
    values = {"P": eq.P.value, "K": eq.H.value - eq.P.value, "L": eq.L.value, "H": eq.H.value}
    values |= {"K+P": eq.H.value, "K-P": eq.L.value}
    values |= dict(zip(FORCES.get(arm, ()), eq.tau.values, strict=False))
    values |= {f"g_{i}": g for i, g in enumerate(eq.g.values, 1)}
    subject, _, formula = left.partition("=")
    value = eq.formula(values[formula or subject])
    return f"${subject} = {value.latex()}$" if writing == "LaTeX" else f"{subject} = {value.text()}"


def verdicts(arm, *lines):
    return check(la.load(arm), "\n\n".join(lines))


def statuses(arm, *lines):
    return [each.status for each in verdicts(arm, *lines)]


@pytest.mark.parametrize("arm", FALLING)
def test_every_entry_of_the_table_has_its_words(arm):
    found = single_alternatives(la.load(arm))
    assert not [each.words for each in found if "{" in each.words or "  " in each.words]
    assert [each.cost for each in found] == sorted(each.cost for each in found)
    assert {each.about for each in found} <= {each.about for each in DESCRIPTIONS}
    assert [each.cost for each in DEFINITIONS] == sorted(each.cost for each in DEFINITIONS)


@in_writing
@by_arm
@pytest.mark.parametrize("words", [DOWN, UP, TURNED])
def test_a_convention_is_said_once(arm, writing, words):
    found = verdicts(arm, *(line(arm, left, writing, words) for left in (*FORCES[arm], "P", "L")))
    assert {each.status for each in found} == {"equal by convention"}
    assert words in found[0].message and words in found[0].convention
    assert all(each.message.startswith("By the same convention") for each in found[1:])
    assert {each.convention.partition(", up to")[0] for each in found} == {found[0].convention}
    assert not any(each.is_open for each in found)


def test_the_constant_of_a_level_is_said_with_its_equation():
    found = verdicts("elbow", line("elbow", "tau_1", words=DOWN), f"{line('elbow', 'P', words=DOWN)} + (m1 + m2) g a1")
    assert "By the same convention, up to the constant (m1 + m2) g a1" in found[1].message


@in_writing
@by_arm
def test_an_equation_that_contradicts_the_convention_of_the_others_is_different(arm, writing):
    *others, last = (*FORCES[arm], "P")
    found = verdicts(arm, *(line(arm, left, writing, DOWN) for left in others), line(arm, last, writing, UP))
    assert [each.status for each in found] == ["equal by convention"] * len(others) + ["different"]
    assert f"Judged by the convention of the other equations: {found[0].convention[9:]}" in found[-1].message
    first = verdicts(arm, line(arm, last, writing, UP), *(line(arm, left, writing, DOWN) for left in others))
    assert [each.status for each in first] == ["different"] + ["equal by convention"] * len(others)


@in_writing
@by_arm
def test_a_right_equation_decides_against_a_convention(arm, writing):
    """P is right as it stands, so the angle is the arm's own, and each torque by another angle is wrong."""
    torques = [line(arm, left, writing, DOWN) for left in FORCES[arm]]
    assert statuses(arm, line(arm, "P", writing), *torques) == ["equal"] + ["different"] * len(torques)


@in_writing
@by_arm
def test_two_readings_that_fit_are_both_shown(arm, writing):
    (found,) = verdicts(arm, line(arm, "P", writing, TURNED))
    assert found.status == "equal by convention" and TURNED in found.convention
    first, second = found.message.split("; or if ")
    assert TURNED in first and "in the opposite sense" in second
    assert "opposite sense" not in found.convention


@in_writing
@pytest.mark.parametrize("arm", FALLING)
@pytest.mark.parametrize(("energy", "words"), [("L=K+P", "This is K + P; the Lagrangian is K - P."),
                                               ("H=K-P", "This is K - P; the total energy is K + P.")])  # fmt: skip
def test_the_wrong_sign_of_the_whole_potential_is_a_slip(arm, writing, energy, words):
    wrong = line(arm, energy, writing)
    (alone,) = verdicts(arm, wrong)
    assert alone.status == "different" and words in alone.message
    beside = verdicts(arm, line(arm, "K", writing), line(arm, "P", writing), wrong)
    assert [each.status for each in beside] == ["equal", "equal", "different"]
    assert words in beside[2].message


@in_writing
@pytest.mark.parametrize("arm", FALLING)
def test_the_lagrangian_by_another_sign_of_gravity_needs_an_equation_that_shows_it(arm, writing):
    L, H = line(arm, "L", writing, TURNED), line(arm, "H", writing, TURNED)
    assert statuses(arm, L, line(arm, "P", writing, TURNED), H) == ["equal by convention"] * 3
    assert statuses(arm, L, H) == ["different"] * 2
    mixed = statuses(arm, line(arm, "P", writing, TURNED), line(arm, "L", writing))
    assert mixed.count("equal") == 1 and mixed.count("different") == 1


@in_writing
@by_arm
def test_a_lagrangian_is_told_in_the_convention_of_the_document(arm, writing):
    lines = [line(arm, left, writing, DOWN) for left in (*FORCES[arm], "P")]
    assert statuses(arm, *lines, line(arm, "L", writing, DOWN)) == ["equal by convention"] * (len(lines) + 1)
    wrong = verdicts(arm, *lines, line(arm, "L=K+P", writing, DOWN))[-1]
    assert wrong.status == "different" and "This is K + P; the Lagrangian is K - P." in wrong.message


LAST = {"elbow": "tau_2", "polar": "f", "rr": "tau_2", "planar3r": "tau_3"}
ONE_MARK = {"elbow": DOWN, "polar": UP, "rr": DOWN, "planar3r": DOWN}
"""The vertical with which the one term of gravity differs by sine for cosine alone."""


@in_writing
@by_arm
def test_one_equation_with_an_angle_from_the_vertical_may_also_be_a_slip(arm, writing):
    found = verdicts(arm, line(arm, LAST[arm], writing, ONE_MARK[arm]))
    assert found.status == "equal by convention" and found[0].is_open
    convention, slip = found[0].message.split("; with ")
    assert ONE_MARK[arm] in convention and " as in the arm, `" in slip and "` should be `" in slip
    assert found.counted == "1 equal by convention (1 could also be a slip)"
    written, meant = slip.split("`")[1:4:2]
    mended = line(arm, LAST[arm], writing, ONE_MARK[arm]).replace(written, meant)
    assert statuses(arm, mended) == ["equal"]


@in_writing
@by_arm
def test_one_equation_that_no_single_slip_explains_is_not_open(arm, writing):
    (found,) = verdicts(arm, line(arm, LAST[arm], writing, UP if ONE_MARK[arm] is DOWN else DOWN))
    assert found.status == "equal by convention" and not found.is_open


@in_writing
@by_arm
def test_another_equation_settles_the_doubt(arm, writing):
    doubtful = line(arm, LAST[arm], writing, ONE_MARK[arm])
    for other in (FORCES[arm][0], "P"):
        by_convention = verdicts(arm, doubtful, line(arm, other, writing, ONE_MARK[arm]))
        assert [(each.status, each.is_open) for each in by_convention] == [("equal by convention", False)] * 2
        assert statuses(arm, doubtful, line(arm, other, writing)) == ["different", "equal"]


@in_writing
@by_arm
def test_words_settle_the_doubt(arm, writing):
    doubtful = line(arm, LAST[arm], writing, ONE_MARK[arm])
    down = "downward" if ONE_MARK[arm] is DOWN else "upward"
    up = "upward" if ONE_MARK[arm] is DOWN else "downward"
    (said,) = verdicts(arm, f"The first angle is measured from the {down} vertical.", doubtful)
    assert said.status == "equal by convention" and not said.is_open
    for words in (f"measured from the {up} vertical", "measured with respect to the horizontal"):
        assert statuses(arm, f"The first angle is {words}.", doubtful) == ["different"]


@in_writing
@by_arm
def test_where_one_place_is_touched_the_text_must_say_so(arm, writing):
    left = {"polar": "g_2"}.get(arm, f"g_{len(FORCES[arm])}")
    wrong = line(arm, left, writing, ONE_MARK[arm])
    (found,) = verdicts(arm, wrong)
    angle = la.load(arm).coordinates[0]
    assert found.status == "different" and found.suggestion is not None
    assert f"If {angle} {ONE_MARK[arm]}, say so in the text." in found.message
    line_of = ONE_MARK[arm].removeprefix("is measured from ")
    assert statuses(arm, f"All angles are measured from {line_of}.", wrong) == ["equal by convention"]


SAYINGS = {
    "theta is measured from the downward vertical": ("downward vertical", True),
    "angles with respect to the upward vertical": ("upward vertical", True),
    "angles with respect to the upright vertical line": ("downward vertical", False),
    "counted from the vertical": ("upward vertical", True),
    "angles against the horizontal": ("upward vertical", False),
    "measured from the x-axis": ("downward vertical", False),
    "we use absolute angles": ("not from the previous link", True),
    "gravity points along +y": ("gravity acts in the opposite direction", True),
    "gravity acts in the negative y direction": ("gravity acts in the opposite direction", False),
    "gravity acts along the x axis": ("gravity acts along the x axis", True),
    "the arm moves in a horizontal plane": ("gravity is neglected", True),
    "theta from the upright": ("upward vertical", True),
    "the angle is counted from the hanging position": ("downward vertical", True),
    "theta measured from the straight down direction": ("upward vertical", False),
    "theta from the upright, clockwise": ("upward vertical", False),
    "theta from the upright, counter-clockwise positive": ("upward vertical", True),
    "the angles are measured clockwise": ("are measured in the opposite sense (", True),
    "angles, anticlockwise positive": ("are measured in the opposite sense (", False),
    "measured from the negative y axis": ("downward vertical", True),
    "measured from the $y$-axis": ("upward vertical", True),
    "both angles are measured from the horizontal": ("not from the previous link", True),
    "all angles are measured from the previous link": ("not from the previous link", None),
    "the angles are absolute": ("not from the previous link", True),
    "gravity points up": ("gravity acts in the opposite direction", True),
    "gravity acts straight down": ("gravity acts in the opposite direction", False),
    "heights are measured downwards": ("gravity acts in the opposite direction", True),
    "gravity acts down, and y points down": ("gravity acts in the opposite direction", True),
    "y is positive downwards": ("gravity acts in the opposite direction", True),
    "the motor turns clockwise": ("are measured in the opposite sense (", None),
    "an upright pendulum": ("upward vertical", None),
    "the vertical position of the mass": ("downward vertical", None),
    "the force of gravity": ("gravity acts in the opposite direction", None),
}


@pytest.mark.parametrize("prose", SAYINGS)
@pytest.mark.parametrize("name", ["elbow", "rr"])
def test_what_words_say(prose, name):
    arm, (words, answer) = la.load(name), SAYINGS[prose]
    alternative = next(each for each in single_alternatives(arm) if words in each.words)
    assert said_in(" ".join(prose.replace("$", " ").split()), alternative, arm) is answer


def hanging(kinds, masses, joints):
    """A planar arm whose last angle is measured from the downward vertical."""
    arm = planar(kinds, [0] * (len(kinds) - 1) + ["l"], masses, joints=joints)
    *others, last = arm.bodies
    joint = replace(last.joint, offset=-PI / 2, coupling=((last.joint.name, 1),))
    return replace(arm, bodies=(*others, replace(last, joint=joint)))


UPRIGHT = {
    "pendulum": (hanging("R", ["m"], ["theta"]), ["tau = m l^2 thetadd - m g l sin(theta)"]),
    "cart": (
        hanging("PR", ["M", "m"], ["x", "theta"]),
        [
            "(M + m) xdd + m l cos(theta) thetadd - m l sin(theta) thetad^2 = 0",
            "m l cos(theta) xdd + m l^2 thetadd - m g l sin(theta) = 0",
        ],
    ),
}


@pytest.mark.parametrize("name", UPRIGHT)
def test_a_lone_sign_is_a_slip_unless_words_say_otherwise(name):
    arm, lines = UPRIGHT[name]

    def last(prose):
        return check(arm, "\n\n".join((prose, *lines)))[-1]

    for prose in ("theta from the upright, clockwise:", "theta from the upright, clockwise positive."):
        found = last(prose)
        assert found.status == "equal by convention" and not found.is_open
        assert "in the opposite sense and from the upward vertical" in found.convention
        assert "or if" not in found.message
    for prose in ("", "theta is measured clockwise.", "theta from the hanging position, clockwise:"):
        assert last(prose).status == "different"
    turned = last("theta from the upright, counter-clockwise:")
    assert turned.status == ("different" if name == "cart" else "equal by convention")


SINKING = (
    r"$(m_1+m_2) a_1\ddot\theta_1 + m_2 a_2\ddot\theta_2\cos(\theta_1-\theta_2)"
    r" + m_2 a_2\dot\theta_2^2\sin(\theta_1-\theta_2) + (m_1+m_2) g\sin\theta_1 = 0$",
    r"$a_2\ddot\theta_2 + a_1\ddot\theta_1\cos(\theta_1-\theta_2)"
    r" - a_1\dot\theta_1^2\sin(\theta_1-\theta_2) + g\sin\theta_2 = 0$",
)


@pytest.mark.parametrize("arm", [la.load("elbow"), planar("RR", ["a1", "a2"], joints=["theta1", "theta2"])])
def test_free_motion_divided_through(arm):
    """Two readings that differ by the sense of all angles give the same equations: one is said."""
    first, second = SINKING
    for each in check(arm, f"{first}\n\n{second}"):
        assert each.status == "equal by convention" and "or if" not in each.message
    slips = (f"{first}\n\n{second.replace('+ g', '- g')}", f"{first.replace('+ (m_1', '- (m_1')}\n\n{second}")
    assert [[each.status for each in check(arm, text)] for text in slips] == [
        ["equal by convention", "different"],
        ["different", "equal by convention"],
    ]


@pytest.mark.parametrize("arm", ["elbow", "rr"])
def test_gravity_that_the_text_directs(arm):
    turned = line(arm, "L", words=TURNED)
    assert statuses(arm, "Gravity points along +y.", turned) == ["equal by convention"]
    assert statuses(arm, "Gravity points along -y.", line(arm, "P", words=TURNED)) == ["different"]


@pytest.mark.parametrize("arm", ["elbow", "rr"])
@pytest.mark.parametrize(
    "zero", ["tau = 0", r"$\tau_1 = \tau_2 = 0$", r"$\tau = \begin{bmatrix} 0 \\ 0 \end{bmatrix}$"]
)
def test_torques_that_are_set_to_zero_are_a_setting_and_evidence_of_free_motion(arm, zero):
    (alone,) = verdicts(arm, zero)
    assert alone.status == DEFINED
    assert statuses(arm, zero, "M qdd = -c - g") == [DEFINED, "equal by convention"]
    assert statuses(arm, zero, "M qdd = c - g") == [DEFINED, "different"]
    assert statuses(arm, "M qdd = -c - g") == ["different"]
    assert statuses(arm, zero, line(arm, "tau_1")) == [DEFINED, "equal"]
    doubled = line(arm, "tau_1").replace("tau_1 = ", "tau_1 = 2 (") + ")"
    assert statuses(arm, zero, doubled) == [DEFINED, "different"]


def test_a_mass_matrix_beside_a_torque_that_is_zero_and_a_slip():
    """M is a pose of the home position too, a matrix of another size, which can be no equation of free motion."""
    M = "[[(m1 + m2) a1^2 + m2 a2^2 + 2 m2 a1 a2 c2, m2 a2^2 + m2 a1 a2 c2], [m2 a2^2 + m2 a1 a2 c2, m2 a2^2]]"
    wrong = "P = (m1 + m2) g a1 s1 + m2 g a2 s2"
    assert statuses("elbow", wrong, "tau_2 = 0", f"M(theta) = {M}") == ["different", DEFINED, "equal"]


def test_a_force_of_one_joint_that_is_zero():
    assert statuses("point-mass", "tau = 0") == [DEFINED]
    assert statuses("polar", "f = 0", "m rdd - m r thetad^2 + m g sin(theta) = 0") == [DEFINED, "equal by convention"]
    assert statuses("elbow", "g_1 = 0") == ["different"]


# An equation that holds for the arm as it is, in a document of another convention


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        (
            "elbow",
            r"""Angles are measured from the downward vertical. $P = -(m_1+m_2) g a_1\cos\theta_1 - m_2 g a_2\cos(\theta_1+\theta_2)$
            $g_2 = m_2 g a_2\sin(\theta_1+\theta_2)$, $g_1 = (m_1+m_2) g a_1\cos\theta_1 + m_2 g a_2 \cos(\theta_1+\theta_2)$""",
        ),
        (
            "rr",
            "q1 is measured from the downward vertical.\nP = -(m1 lc1 + m2 l1) g cos(q1) - m2 lc2 g cos(q1 + q2)\n"
            "g_2 = m2 lc2 g sin(q1 + q2)\ng_1 = (m1 lc1 + m2 l1) g cos(q1) + m2 lc2 g cos(q1 + q2)",
        ),
    ],
)
def test_an_equation_that_breaks_the_convention_of_the_others_is_different(arm, text):
    P, second, first = la.check(la.load(arm), text)
    assert (P.status, second.status, first.status) == ("equal by convention", "equal by convention", "different")
    assert "not by the convention of the other equations" in first.message
