"""Numbers with units are read in SI, and letters are not taken for units."""

from __future__ import annotations

from fractions import Fraction

import pytest

from leverarm.notation.reading import Statement, Unreadable, read
from leverarm.notation.tree import Number, walk
from tests.notation.reading.test_reading import spelled

KG, M, S = (1, 0, 0), (0, 1, 0), (0, 0, 1)
INERTIA, TORQUE, ACCELERATION, RATE, FORCE = (1, 2, 0), (1, 2, -2), (0, 1, -2), (0, 0, -1), (1, 1, -2)

MEASURED = {
    # prose and data lines
    "l_1 = 25 cm": ("1/4", M),
    "l = -2 m": ("2", M),
    "m = 500 g": ("1/2", KG),
    "m_1 = 1.5 kg (mass of link 1)": ("3/2", KG),
    "I = 0.02 kg m^2": ("1/50", INERTIA),
    "I = 0.02 kgm^2": ("1/50", INERTIA),
    "I = 0.02 kg*m^2": ("1/50", INERTIA),
    "I = 0.02 kg·m²": ("1/50", INERTIA),
    "I = 2.5e-3 kg m^2": ("1/400", INERTIA),
    "b = 0.1 N m s/rad": ("1/10", (1, 2, -1)),
    "b = 0.1 Nms/rad": ("1/10", (1, 2, -1)),
    "tau_1 = 12.5 Nm": ("25/2", TORQUE),
    "tau_1 = 12.5 N·m": ("25/2", TORQUE),
    "tau_1 = 12.5 N m (counterclockwise)": ("25/2", TORQUE),
    "g = 9.81 m/s^2": ("981/100", ACCELERATION),
    "g = 9.81 m s^-2": ("981/100", ACCELERATION),
    "g = 9.81 m s⁻²": ("981/100", ACCELERATION),
    "v = 3 m/s": ("3", (0, 1, -1)),
    "w = 2 rad/s": ("2", RATE),
    "F = 3 N": ("3", FORCE),
    "k = 2 kN/m": ("2000", (1, 0, -2)),
    "m1 = 1 [kg]": ("1", KG),
    "l1 = 0.3 (m)": ("3/10", M),
    "l_1 = 1/2 m": ("1/2", M),
    "l_1 = 300 mm": ("3/10", M),
    "q1 = 0.5 rad": ("1/2", (0, 0, 0)),
    # LaTeX
    r"$l_1 = \SI{25}{\centi\metre}$": ("1/4", M),
    r"$g = \qty{9.81}{\meter\per\second\squared}$": ("981/100", ACCELERATION),
    r"$g = \SI{9.81}{m/s^{2}}$": ("981/100", ACCELERATION),
    r"$g = 9.81\,\mathrm{m/s^2}$": ("981/100", ACCELERATION),
    r"$g = 9.81\,\mathrm{m}/\mathrm{s}^2$": ("981/100", ACCELERATION),
    r"$g = 9.81\ \frac{\mathrm{m}}{\mathrm{s}^2}$": ("981/100", ACCELERATION),
    r"$g = 9.81 \text{ m/s}^{2}$": ("981/100", ACCELERATION),
    r"$g = 9.81\,\si{\metre\per\second\squared}$": ("981/100", ACCELERATION),
    r"$I = 2.5\times 10^{-3}\,\mathrm{kg\,m^2}$": ("1/400", INERTIA),
    r"$I_1 = 2\cdot10^{-2} \; \text{kg} \cdot \text{m}^2$": ("1/50", INERTIA),
    r"$\tau_1 = 12.5\,[\mathrm{Nm}]$": ("25/2", TORQUE),
    r"$m_1 = 1~kg$": ("1", KG),
    r"$M_{22} = 3\,\mathrm{m}$": ("3", M),
}


@pytest.mark.parametrize("text", MEASURED)
def test_a_number_with_its_unit_is_one_number_in_si(text):
    (item,) = read(text)
    (number,) = [part for part in walk(item) if isinstance(part, Number)]
    value, unit = MEASURED[text]
    assert (number.value, number.unit) == (Fraction(value), unit)
    assert text[slice(*number.span)].startswith(("\\", *"0123456789"))


LETTERS = {
    "M_22 = 3 m": "M_22 = [3 m]",
    "tau = 2 g": "tau = [2 g]",
    "l = 2*m": "l = [2 m]",
    "l = 2 m - m": "l = ([2 m] + -m)",
    "P = 3 m g l": "P = [3 m g l]",
    "l = 2 m g": "l = [2 m g]",
    "x = 2 m s": "x = [2 m s]",
    "l = 2 m2": "l = [2 m_2]",
    "n = 3 N": "n = [3 N]",
    r"$l_1 = 1\,m_1$": "l_1 = [1 m_1]",
    r"$x = 2 m l$": "x = [2 m l]",
    r"$M_{11} = 2 m$": "M_11 = [2 m]",
    "x = 3 kg m^2/s^2 m": "x = [3 kg (m^2 / s^2) m]",
    "x = 3 m/s a": "x = [3 (m / s) a]",
}


@pytest.mark.parametrize("text", LETTERS)
def test_letters_are_no_units(text):
    (item,) = read(text)
    assert spelled(item) == LETTERS[text]


ANGLES = {
    "q_1 = 30 deg": "q_1 = [1/6 pi]",
    "q_1 = 30°": "q_1 = [1/6 pi]",
    "q_1 = 180°": "q_1 = pi",
    "q_1 = 0°": "q_1 = 0",
    r"$q_1 = -30^\circ$": "q_1 = -[1/6 pi]",
    r"$q_1 = 30^{\circ}$": "q_1 = [1/6 pi]",
    r"$q = \ang{90}$": "q = [1/2 pi]",
    r"$q = \SI{45}{\degree}$": "q = [1/4 pi]",
    "w = 60 rpm": "w = [2 pi]",
    "w = 90 deg/s": "w = [1/2 pi]",
    "q2 = pi/4 rad": "q_2 = (pi / 4)",
    r"$q_1 = \frac{\pi}{4}\,\mathrm{rad}$": "q_1 = (pi / 4)",
    "x = sin(30°) + cos(q1 + 45°)": "x = (sin([1/6 pi]) + cos((q_1 + [1/4 pi])))",
    r"$(q_1, q_2) = (30^\circ, 45^\circ)$": "{q_1; q_2} = {[1/6 pi]; [1/4 pi]}",
}


@pytest.mark.parametrize("text", ANGLES)
def test_degrees_are_parts_of_pi(text):
    (item,) = read(text)
    assert spelled(item) == ANGLES[text]


def test_values_in_prose_and_lists():
    text = "With m1 = m2 = 1 kg and l_1 = 25 cm we get, for q1 = 90 degrees, tau_1 = 12.5 N m."
    assert [spelled(item) for item in read(text)] == [
        "m_1 = m_2 = 1",
        "l_1 = 1/4",
        "q_1 = [1/2 pi]",
        "tau_1 = 25/2",
    ]
    assert [spelled(item) for item in read("(m1, l1) = (1 kg, 30 cm)")] == ["{m_1; l_1} = {1; 3/10}"]
    vector = r"$\begin{bmatrix}\tau_1\\ \tau_2\end{bmatrix} = \begin{bmatrix}12.5 \\ -3.1\end{bmatrix}\,\mathrm{N\,m}$"
    (item,) = read(vector)
    assert spelled(item) == "{tau_1; tau_2} = {25/2; -31/10}"
    assert {part.unit for part in walk(item) if isinstance(part, Number)} == {TORQUE}


def test_the_last_written_place_is_kept():
    for text, step in {"l = 25.0 cm": "1/1000", "tau_1 = 12.5 N m": "1/10", "I = 2.50e-3 kg m^2": "1/100000"}.items():
        (item,) = read(text)
        assert item.sides[1].step == Fraction(step)


@pytest.mark.parametrize("text", ["x = a°", r"$x = ^\circ 3$", "l = 0,25 m", r"$x = \SI{3}{\foo}$"])
def test_what_is_no_measure_is_refused(text):
    assert [type(item) for item in read(text)] == [Unreadable]


def test_a_unit_behind_a_formula_is_not_dropped():
    (item,) = read(r"$\tau_1 = m_1 g l_1 \,\mathrm{kg}$")
    assert isinstance(item, Statement)
    assert "kg" in spelled(item)


@pytest.mark.parametrize(
    "text",
    [
        "x = 0.91 + 0.4 cos(y) kg m^2",
        r"$x = 0.91 + 0.4\cos y\ \mathrm{kg\,m^2}$",
        r"$x = (0.91 + 0.4\cos(y))~\text{kg}\,\text{m}^2$",
        "we get x = 0.91 + 0.4 cos(y) N m.",
    ],
)
def test_a_unit_in_si_behind_a_sum_is_that_of_the_sum(text):
    (item,) = read(text)
    assert spelled(item) == "x = [(91/100 + [2/5 cos(y)]) 1]"
    (unit,) = [part.unit for part in walk(item) if isinstance(part, Number) and part.unit]
    assert unit == ((1, 2, -2) if "N m" in text else (1, 2, 0))


def test_letters_behind_a_sum_are_no_unit():
    for text in ("x = a + b m g", "x = a + b cos(y) m g", "x = a + 2 k g m^2"):
        (item,) = read(text)
        assert len(list(walk(item))) > 7
