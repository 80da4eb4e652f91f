"""Derivations of own Lagrangians: what they show, in every form, and that their cells compute what they show."""

from __future__ import annotations

import json

import pytest

import leverarm as la
from leverarm.closed_form import Formula, Formulas
from leverarm.documents.saving import RENDERERS
from leverarm.notation.text import to_text
from tests.derivation.test_routes import executed
from tests.support.own_lagrangians import SYSTEMS, TRIED


def derived(name, **values):
    return la.lagrange(**SYSTEMS[name], values=values, name=name).derivation


def shown(derivation):
    return {step.title: [to_text(line.equation) for line in step.equations] for step in derivation}


def told(derivation):
    blocks = (block for step in derivation for block in step.blocks)
    return " ".join(piece for block in blocks for piece in getattr(block, "words", ()) if isinstance(piece, str))


def test_the_cart_pole_from_least_action_to_its_linearisation():
    derivation = derived("cart-pole", M=2, m=1, l=1, g=9.81, b=0.3)
    assert [part.title for part in derivation.parts] == [
        "The system", "Lagrange's equations", "The equations of motion", "Energy", "Equilibria and linearisation"
    ]  # fmt: skip
    lines = shown(derivation)
    assert lines["Constraints"][1] == "ud = xd + l cos(theta) thetad"
    assert lines["From least action"] == ["delta S + int Q^T delta q dt = 0", "d/dt(dL/dqd_i) - dL/dq_i = Q_i"]
    assert lines["Coordinate 1"] == [
        "dL/dxd = (M + m) xd + m l cos(theta) thetad",
        "d/dt(dL/dxd) = (M + m) xdd + m l cos(theta) thetadd - m l sin(theta) thetad^2",
        "dL/dx = 0",
        "(M + m) xdd + m l cos(theta) thetadd - m l sin(theta) thetad^2 = Q_x = F - b xd",
    ]
    assert lines["Matrix form"][0] == "M(q) qdd + c(q, qd) + g(q) = Q"
    assert lines["Equilibrium 2"][0] == "theta = pi"
    words = told(derivation)
    head = str(derivation.document.summary)
    assert (
        "makes the action" in head
        and to_text(derivation.document.summary[0].words[1]) == "S = int L dt"
        and "exact arithmetic" in head
        and "M is both a constant" in head
    )
    assert "skew-symmetric" in words and "identically zero" in words
    assert "-0.100034" in words and "± 3.83528i" in words


def test_what_is_through_sympy_says_so():
    summary = str(derived("Morse oscillator").document.summary)
    assert "derivatives by SymPy" in summary and "exp of a formula" in summary and "exact arithmetic: " not in summary


def test_functions_that_are_equal_are_seen_to_be():
    """exp(-a x)^2 is exp(-2 a x): K has no potential energy left in it."""
    for name, kinetic in (("Morse oscillator", "K = 1/2 m xd^2"), ("spring between points", "K = 1/2 m (xd^2 + yd^2)")):
        derivation = derived(name)
        assert shown(derivation)["The Lagrangian"][1] == kinetic
        assert "minus the potential energy" in told(derivation) and "identically zero" in told(derivation)


def test_what_is_not_there_is_said():
    assert "no Coriolis matrix" in told(derived("quartic in the speed"))
    assert "depend on t" in told(derived("driven pivot"))
    assert "No number was given" in told(derived("Morse oscillator")) or "no number" in told(
        derived("Morse oscillator")
    )
    assert "no inverse" in told(la.lagrange("1/2 m (xd + yd)^2 - 1/2 k x^2", "x y").derivation)
    assert "None was found" in told(la.lagrange("1/2 m xd^2 - m g x", "x").derivation)
    gyroscopic = derived("charge in a magnetic field")
    assert shown(gyroscopic)["Matrix form"][0] == "M(q) qdd + c(q, qd) + G(q, qd) + g(q) = Q"
    assert "L = K - P" not in " ".join(shown(gyroscopic)["The Lagrangian"])
    hoop = derived("bead on a rotating hoop", m=1, r=0.5, w=4, g=9.81, b=0.1)
    assert "not there with the given numbers" in told(hoop)


@pytest.mark.parametrize("name", TRIED)
def test_the_cells_compute_what_they_show(name):
    derivation = derived(name)
    names = {}
    exec(derivation.document.code, names)
    for step in derivation:
        result = executed(step.code, names) if step.code else None
        if isinstance(result, Formula | Formulas):
            formulas = [to_text(each.tree) for each in (result if isinstance(result, Formulas) else [result])]
            text = " ".join(to_text(line.equation) for line in step.equations)
            assert all(part in text for part in formulas if part not in ("0", "1")), step.title


@pytest.mark.parametrize("ending", RENDERERS)
def test_every_document_format(ending, tmp_path):
    path = tmp_path / f"hoop{ending}"
    la.lagrange(**SYSTEMS["bead on a rotating hoop"], values={"m": 1}, name="hoop").save(path)
    text = path.read_text(encoding="utf-8")
    assert "hoop" in text and len(text) > 2000
    if ending == ".ipynb":
        assert "la.lagrange(" in "".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
