"""Which arm a text is about."""

from __future__ import annotations

import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.verify.equations.which import which_arm
from tests.sources.written import pages

FIRST = {
    "elbow": "tau2 = m2 a2^2 (thetadd1 + thetadd2) + m2 a1 a2 (c2 thetadd1 + s2 thetad1^2) + m2 g a2 c12",
    "polar": r"$f = m\ddot r - m r\dot\theta^2 + m g\sin\theta$",
    "rp": r"$\tau_2 = m_2\ddot\theta_2 - m_2\theta_2\dot\theta_1^2 + m_2 g\sin\theta_1$"
    "\n\n"
    r"$M_{11} = m_1 L_1^2 + m_2\theta_2^2 + I_1 + I_2$",
    "rr": "M_12 = m2 (lc2^2 + l1 lc2 c2) + I2\n\nM_22 = m2 lc2^2 + I2",
    "rr-ends": "P_1 = g m_1 L_1 sin(theta_1)\n\nM_11 = m1 L1^2 + m2 (L1^2 + L2^2 + 2 L1 L2 c2) + I1 + I2",
    "planar3r": "g_3 = m3 g lc3 cos(q1 + q2 + q3)",
    "planar RR, slender bars": "M_22 = 1/3 m2 L2^2\n\nM_11 = 1/3 m1 L1^2 + m2 L1^2 + 1/3 m2 L2^2 + m2 L1 L2 cos(q2)",
    "pendulum, slender bars": "tau = 1/3 m L^2 thetadd + 1/2 m g L cos(theta)",
}


@pytest.mark.parametrize("name", FIRST)
def test_the_arm_of_a_text_comes_first(name):
    candidates = which_arm(FIRST[name])
    best = candidates[0]
    assert best.name == name
    assert best.equal == best.of == len(FIRST[name].split("\n\n"))
    assert all(best.equal >= each.equal + each.by_convention for each in candidates)


def test_an_arm_in_other_letters_is_found_and_the_letters_are_said():
    found = {
        candidate.name: candidate for candidate in which_arm(FIRST["elbow"].replace("a1", "L1").replace("a2", "L2"))
    }
    assert set(found["elbow"].readings) == {"L_1 as a1", "L_2 as a2"}
    assert found["planar RR, point masses at the ends"].readings == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["energy-lecture", "rr", "elbow", "polar"])
def test_the_arm_of_a_whole_page_proves_most_of_it(name):
    page = pages.load(name)
    best, *others = which_arm(page.text)
    assert best.name == page.arm
    assert all(best.equal + best.by_convention >= each.equal + each.by_convention for each in others)


def test_a_wrong_equation_counts_against_an_arm():
    text = FIRST["rr"] + "\n\nM_11 = 2 m1"
    assert (which_arm(text)[0].name, which_arm(text)[0].equal, which_arm(text)[0].of) == ("rr", 2, 3)


def test_definitions_and_settings_do_not_count():
    text = "h = m2 l1 lc2 sin(q2)\n\ng = 9.81\n\nc_2 = h qd1^2"
    best = which_arm(text)[0]
    assert (best.name, best.equal, best.of) == ("rr", 1, 1)


def test_conventions_are_looked_for_where_no_arm_has_all():
    text = r"""$\tau_1 = (m_1+m_2) a_1^2\ddot\theta_1 + m_2 a_1 a_2\ddot\theta_2\cos(\theta_1-\theta_2)
    + m_2 a_1 a_2\dot\theta_2^2\sin(\theta_1-\theta_2) + (m_1+m_2) g a_1\sin\theta_1$"""
    best = which_arm(text)[0]
    assert (best.name, best.equal, best.by_convention, best.of) == ("elbow", 0, 1, 1)
    assert str(best) == "elbow: 0 of 1 equation holds, 1 more by convention"


def test_arms_can_be_given():
    mine = la.planar("RR", name="mine")
    candidates = which_arm("M_22 = m2 L2^2", arms=["elbow", mine, "polar"])
    assert [candidate.name for candidate in candidates] == ["mine", "elbow"]
    assert candidates[0].arm is mine


def test_nothing_fits():
    assert which_arm("tau_1 = 17 m1^5 cos(q1)^3") == ()


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="bytes was given as the text"):
        which_arm(b"tau = 0")
    with pytest.raises(InputError, match="no equation was found"):
        which_arm("Nothing but words here.")
