"""The table of quantities: one entry per quantity, names and letters that are unique, routes that exist and agree."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import leverarm as la
from leverarm.closed_form.sheet import closed_forms
from leverarm.errors import InputError
from leverarm.quantities.evaluation import evaluate
from leverarm.quantities.table import (
    AXES,
    BOOK_LETTERS,
    BY_NAME,
    BY_ROUTE,
    TABLE,
    Quantity,
    also_meant,
    find,
    listing,
    quantity_named,
)
from leverarm.runtime.quantities import QUANTITIES

ARM = la.load("scara")
STATE = {
    "q": [0.3, -0.4, 0.2, 0.7],
    "qd": [1.0, -0.5, 0.25, 2.0],
    "qdd": [0.5, 0.1, -0.3, 0.2],
    "tau": [1.0, 2.0, 3.0, 4.0],
}


@pytest.mark.parametrize("quantity", TABLE, ids=lambda quantity: quantity.name)
def test_every_name_and_letter_finds_its_quantity(quantity):
    for given in (quantity.name, quantity.spelled, quantity.letter, *quantity.aliases, *quantity.former):
        assert find(given) is quantity
    assert quantity.name.isidentifier()
    assert quantity.noun and quantity.meaning[-1] not in ".,"
    assert quantity.function or quantity.routes or quantity.closed_form


def test_no_two_quantities_share_a_name_or_a_letter():
    names = [name for q in TABLE for name in dict.fromkeys((q.name, q.letter, *q.aliases, *q.former))]
    assert len(set(names)) == len(names)
    assert {name for named in BOOK_LETTERS.values() for name in named} <= set(BY_NAME)


def test_letters_of_books_are_answered_with_what_they_may_mean():
    with pytest.raises(InputError, match=r"'V' stands for c \(Coriolis .*\) or N \(.*\) or P \(potential energy\)"):
        quantity_named("V")
    with pytest.raises(InputError, match=r"'G' stands for g \(gravity torques\)"):
        quantity_named("G")
    assert quantity_named("p").name == "generalised_momentum"
    assert quantity_named("velocity-forces").letter == "c"


def test_a_letter_with_another_meaning_in_books_names_it():
    assert {q.letter: also_meant(q.letter).letter for q in TABLE if also_meant(q.letter)} == {
        "Gamma": "tau", "H": "M", "h": "N", "v": "c", "mu": "c", "phi": "g",
    }  # fmt: skip
    assert also_meant("momentum") is None and also_meant("M") is None and also_meant("?") is None


@pytest.mark.parametrize("quantity", [q for q in TABLE if q.function and q.routes], ids=lambda quantity: quantity.name)
def test_the_function_over_floats_and_every_route_agree(quantity):
    options = {"frame": "tool", "axes": ["x", "y"]}
    function = np.array(evaluate(ARM, quantity, STATE, options).value)
    compiled = getattr(la.compile(ARM, [quantity.name]), quantity.name)
    chosen = {
        name: value for name, value in options.items() if name in quantity.choices and quantity.options[0] == "frame"
    }
    found = compiled(*(STATE[name] for name in quantity.arguments), **chosen)
    assert found == pytest.approx(function, abs=1e-11)


@pytest.mark.parametrize(
    ("axes", "inertia", "mobility"),
    [
        (["x", "y"], "kg", "1/kg"),
        (["wz"], "kg m^2", "1/(kg m^2)"),
        (["wz", "x"], "kg, kg m, kg m^2", "1/kg, 1/(kg m), 1/(kg m^2)"),
    ],
)
def test_units_at_a_frame_are_those_of_its_directions(axes, inertia, mobility):
    for letter, unit in (("Lambda", inertia), ("Lambda^-1", mobility)):
        assert evaluate(ARM, find(letter), STATE, {"axes": axes}).unit == unit


def test_shapes_are_made_of_known_axes_and_fit_the_values():
    for quantity in TABLE:
        axes = {axis for result in quantity.results for axis in result.shape.split(" x ") if axis}
        assert axes <= {*AXES, "base"}
        if quantity.is_evaluable and quantity.name != "pose":
            answer = evaluate(ARM, quantity, STATE)
            named = [names for names in (answer.layers, answer.rows, answer.columns) if names]
            assert np.shape(answer.value) == tuple(map(len, named))


def test_units_follow_the_joints():
    unit = {name: evaluate(ARM, BY_NAME[name], STATE).unit for name in ("mass_matrix", "gravity", "christoffel")}
    assert unit["mass_matrix"] == "kg m^2, kg m, kg"
    assert unit["christoffel"] == "kg m^2, kg m, kg, kg/m"
    assert unit["gravity"] == ("N m", "N m", "N", "N m")


def test_closed_forms_are_attributes_of_the_equations():
    eq = la.equations(la.load("elbow"))
    for quantity in closed_forms():
        assert quantity.closed_form == BY_ROUTE or hasattr(eq, quantity.closed_form)


def test_one_entry_and_one_function_serve_floats_the_compiler_and_closed_forms(monkeypatch):
    """A quantity that is new to the table: the centrifugal part of c, sum over j of Gamma_ijj qd_j^2."""
    from leverarm.closed_form.sheet.entries import item
    from leverarm.runtime import requests

    def centrifugal(arm, q, qd):
        return [sum(plane[j][j] * v * v for j, v in enumerate(qd)) for plane in la.mechanics.christoffel(arm, q)]

    new = Quantity(
        "centrifugal", "c_c", "centrifugal torques", ("q", "qd"), "n", ("N m", "N"), routes=(centrifugal,),
        closed_form=BY_ROUTE,
    )  # fmt: skip
    monkeypatch.setitem(QUANTITIES, new.name, new)
    arm = la.load("elbow")
    q, qd = [0.3, 0.7], [1.0, -2.0]
    expected = [-np.sin(0.7) * 4, np.sin(0.7)]
    assert evaluate(arm, new, {"q": q, "qd": qd}).value == pytest.approx(expected)
    assert requests.quantity_named("c_c") is new
    assert la.compile(arm, ["c_c"]).centrifugal(q, qd) == pytest.approx(expected)
    entries = item(la.equations(arm), new, None).entries
    assert [f"{e.label} = {e.formula.text()}" for e in entries] == [
        "c_c1 = -m2 a1 a2 s2 thetad2^2",
        "c_c2 = m2 a1 a2 s2 thetad1^2",
    ]


def test_help_lists_every_quantity_once():
    assert [line.split()[1] for line in listing(TABLE).splitlines()] == [q.spelled for q in TABLE]
    assert set(QUANTITIES) == {q.name for q in TABLE if q.routes}


def test_the_table_loads_nothing_heavy():
    code = (
        "import leverarm.quantities.table, sys; print([m for m in ('llvmlite', 'sympy', 'flint') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
