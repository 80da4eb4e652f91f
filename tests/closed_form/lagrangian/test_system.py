"""Lagrange's equations of own Lagrangians: against arms, against SymPy, and what is refused."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import ExpressionError, InputError, SingularError
from leverarm.scalars.exact import is_exactly_zero
from tests.support.own_lagrangians import SYSTEMS, TRIED, BySympy, differ_at

SMALL = [name for name in la.catalog_names() if la.load(name).dof <= 4]


def own_of_arm(eq):
    """A system of one's own from the printed energies of an arm."""
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    return la.lagrange(f"({eq.K.text()}) - ({eq.P.text()})", printed)


@pytest.mark.parametrize("name", SMALL)
def test_the_energies_of_an_arm_give_its_own_equations_exactly(name):
    eq = la.equations(la.load(name), coordinates="q", angles="expanded")
    own = own_of_arm(eq)
    assert not own.functions
    for mine, its in ((own.euler_lagrange, eq.euler_lagrange), (own.M, eq.M), (own.C, eq.C), (own.c, eq.c), (own.g, eq.g),
                      (own.momentum, eq.momentum)):  # fmt: skip
        assert [eq.parse(x.text()) for x in mine] == list(its)
    assert eq.parse(own.H.text()) == eq.H and own.gyroscopic.is_zero


@pytest.mark.parametrize("name", TRIED)
def test_sympy_has_the_same_equations(name):
    own, its = la.lagrange(**SYSTEMS[name]), BySympy(**SYSTEMS[name])
    pairs = [*zip(own.euler_lagrange, its.left, strict=True), *zip(own.forces, its.forces, strict=True)]
    pairs += zip(own.M, its.M, strict=True)
    for k in range(3):
        assert all(differ_at(mine.sympy(), its.written(x), k) < 1e-50 for mine, x in pairs)


@pytest.mark.parametrize("name", TRIED)
def test_what_holds_for_every_system(name):
    """The left side is M qdd + bias; the energy changes by its power; Mdot - 2 C is skew; qdd solves the equations."""
    own = la.lagrange(**SYSTEMS[name])
    n = range(len(own.coordinates))

    def vanishes(x):
        return (
            is_exactly_zero(x)
            if not own.functions
            else all(differ_at(own.formula(x).sympy(), 0, k) < 1e-50 for k in (0, 1))
        )

    for i in n:
        inertial = sum((own.M.values[i][j] * own.qdd[j] for j in n), start=0)
        assert vanishes(own.euler_lagrange.values[i] - inertial - own.bias.values[i])
        solved = {f"{q}.dd": x for q, x in zip(own.coordinates, own.accelerations.values, strict=True)}
        assert vanishes(own.at(own.euler_lagrange.values[i] - own.forces.values[i], solved))
    power = sum((v * f for v, f in zip(own.qd, own.euler_lagrange.values, strict=True)), start=0)
    assert vanishes(own.time_derivative(own.H.value) - power + own.diff(own.written.lagrangian, "t"))
    if own.is_quadratic:
        rates = dict(zip(own.coordinates, own.qd, strict=True))
        for i in n:
            for j in n:
                change = sum(own.diff(own.M.values[i][j], q) * v for q, v in rates.items())
                assert vanishes(change - own.C.values[i][j] - own.C.values[j][i])
            parts = own.c.values[i] + own.g.values[i] + own.gyroscopic.values[i]
            assert vanishes(own.bias.values[i] - parts)


def test_what_is_printed_of_the_cart_pole():
    own = la.lagrange(**SYSTEMS["cart-pole"])
    assert own.text().splitlines() == [
        "(M + m) xdd + m l cos(theta) thetadd - m l sin(theta) thetad^2 = F - b xd",
        "m l cos(theta) xdd + m l^2 thetadd - m g l sin(theta) = 0",
    ]
    assert own.constants == ("M", "m", "g", "b", "l", "F") or set(own.constants) == {"M", "m", "g", "b", "l", "F"}
    assert own.inputs == ("F",)
    assert eval(own.call, {"la": la}).text() == own.text()


def test_only_functions_beyond_the_ring_go_through_sympy():
    beyond = {name for name, given in SYSTEMS.items() if la.lagrange(**given).functions}
    assert beyond == {
        "spring between points", "Morse oscillator", "relativistic particle", "pendulum by its arc, Toda walls"
    }  # fmt: skip


def test_ways_to_write_a_speed_and_an_angle():
    texts = (
        "1/2 m thetad1^2 - sin(theta1)",
        "1/2 m theta1d^2 - cos(theta1 - pi/2)",
        "1/2 m thetad1^2 - sin((theta1/2)*2)",
        "m theta1dot^2/2 + sin(theta1 + pi)",
    )
    assert len({la.lagrange(text, "theta1").text() for text in texts}) == 1
    assert la.lagrange("1/2 m xd^2 - tan(x)", "x").text() == "(m cos(x)^2 xdd + 1)/cos(x)^2 = 0"


def test_closed_forms_as_functions_need_a_number_for_each_constant():
    own = la.lagrange("1/2 m xd^2 - 1/2 k x^2", "x", values={"k": 3})
    assert own.g.numpy()([2.0]).tolist() == [6.0] and own.M.numpy()([2.0], m=5).tolist() == [[5.0]]
    with pytest.raises(InputError, match=r"no number was given for m. Give one for each: m=1.0"):
        own.M.numpy()([2.0])


def test_smooth_friction_vanishes_at_rest():
    own = la.lagrange("1/2 m xd^2 - 1/2 k x^2", "x", forces={"x": "-f tanh(xd/w)"})
    (at_rest,) = own.equilibria
    assert at_rest.A.text() == "[[0, 1], [-k/m, -f/(m w)]]"


def test_what_remains_where_l_is_not_quadratic():
    own = la.lagrange(**SYSTEMS["quartic in the speed"])
    assert not own.is_quadratic and own.M.text() == "[[3 a xd^2 + m]]"
    assert own.accelerations.text() == "[[-k x/(3 a xd^2 + m)]]"
    with pytest.raises(InputError, match="not quadratic in the speeds, so there are no Christoffel symbols"):
        own.C  # noqa: B018


def test_a_singular_mass_matrix_leaves_the_equations():
    own = la.lagrange("1/2 m (xd + yd)^2 - 1/2 k x^2", "x, y")
    assert own.is_singular and own.text().splitlines()[1] == "m (xdd + ydd) = 0"
    for use in (lambda: own.accelerations, lambda: own.simulate([0, 0], until=1.0), lambda: own.equilibria[0].A):
        with pytest.raises((SingularError, InputError), match=r"no inverse|no number was given"):
            use()
    with pytest.raises(SingularError, match="no speed of y is in L"):
        la.lagrange("1/2 m xd^2 - k x y", "x y").accelerations  # noqa: B018


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"L": "1/2 m xd^2", "coordinates": []}, "no coordinates were given"),
        ({"L": "1/2 m xd^2", "coordinates": "x x"}, "names one twice"),
        ({"L": "1/2 m xd^2", "coordinates": ["2x"]}, "A name is a letter"),
        ({"L": "", "coordinates": "x"}, "written as text"),
        ({"L": 3, "coordinates": "x"}, "written as text"),
        ({"L": "1/2 m v^2", "coordinates": "x"}, "has no speed of a coordinate.*xd"),
        ({"L": "1/2 m xd^2 - k yd", "coordinates": "x"}, "'yd' would be the speed of 'y', which is no coordinate"),
        ({"L": "1/2 m xd^2 - k wd w", "coordinates": "x"}, "'wd' would be the speed of 'w'"),
        ({"L": "1/2 m xd^2 + xdd", "coordinates": "x"}, "acceleration of 'x'"),
        ({"L": "1/2 m xd^2 + abs(x)", "coordinates": "x"}, "abs\\( looks like a function"),
        ({"L": "1/2 m xd^2 + x(t)", "coordinates": "x"}, "without \\(t\\)"),
        ({"L": "1/2 m xd^2 + m_1 m1", "coordinates": "x"}, "printed alike"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "forces": {"y": "1"}}, "no coordinate named 'y'"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "values": {"k": 1}}, "no constant named 'k'"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "values": {"m": "heavy"}}, "not a finite number"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "let": {"x": "t"}}, "'x' is a coordinate"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "let": {"u": "xd"}}, "let u: .* has a speed"),
        ({"L": "1/2 m xd^2 - u", "coordinates": "x", "let": {"u": "w", "w": "x"}}, "let u: .* not eliminated before"),
        ({"L": "1/2 m xd^2 - u", "coordinates": "x", "let": {"u": "cos(u)"}}, "let u: .* not eliminated before"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "forces": "F"}, "forces: 'F' was given; it takes values by name"),
        ({"L": "1/2 m xd^2", "coordinates": "x", "inputs": ["F"]}, "no letter of the forces named 'F'"),
        ({"L": "1/2 m xd^2", "coordinates": "x xd"}, "how a rate of 'x' is written"),
    ],
)
def test_what_is_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        la.lagrange(**given)


@pytest.mark.parametrize(
    "L", ["1/2 m xd^2 (", "1/2 m xd^2 + x^0.5", "m xd^2/0", "1/2 m xd^2 + __import__('os')", "xd^2 ; x"]
)
def test_nothing_but_formulas_is_read(L):
    with pytest.raises((ExpressionError, InputError), match=r"L: .*column|looks like a function|given"):
        la.lagrange(L, "x")


# equilibria ----------------------------------------------------------------------------------------------------------


def at_rest(name, **values):
    given = dict(SYSTEMS[name])
    return la.lagrange(**given, values=values).equilibria


def test_equilibria_of_a_bead_on_a_hoop_split_where_it_turns_fast():
    slow = at_rest("bead on a rotating hoop", m=1, r=0.5, w=4, g=9.81, b=0.1)
    fast = at_rest("bead on a rotating hoop", m=1, r=0.5, w=6, g=9.81, b=0.1)
    places = [each.shown[0] for each in fast]
    assert len(places) == 4 and all(each.exact is not None for each in fast)
    assert [each.is_real for each in slow] == [False, False, True, True] and all(each.is_real for each in fast)
    tilted = next(each for each in fast if each.numbers["theta"] not in (0.0, math.pi))
    assert math.cos(tilted.numbers["theta"]) == pytest.approx(9.81 / (36 * 0.5))
    assert (tilted.eigenvalues().real < 0).all()
    assert (next(e for e in fast if e.numbers["theta"] == 0).eigenvalues().real > 0).any()


@pytest.mark.parametrize(
    ("name", "values", "count"),
    [
        ("mass on a spring", {"m": 1, "k": 2, "b": 0.1}, 1),
        ("pendulum on a spring", {"m": 1, "g": 9.81, "k": 100, "l": 1}, 2),
        ("double pendulum", {"m1": 1, "m2": 2, "g": 9.81, "l1": 1, "l2": 0.5}, 4),
        ("double pendulum with relative angles", {"m1": 1, "m2": 2, "g": 9.81, "l1": 1, "l2": 0.5}, 4),
        ("anharmonic oscillator", {"m": 1, "a": 2, "b": 3, "c": 0.1}, 3),
        ("Morse oscillator", {"m": 1, "D": 2, "a": 1, "b": 0.1}, 1),
        ("spring between points", {"m": 1, "k": 50, "l": 1, "g": 9.81}, 2),
    ],
)
def test_forces_vanish_at_equilibria_and_a_is_their_slope(name, values, count):
    """A and B against differences of the accelerations that the simulation integrates."""
    from leverarm.simulation.own_lagrangian import Rates

    own = la.lagrange(**SYSTEMS[name], values=values)
    found = [each for each in own.equilibria if each.is_real]
    assert len(found) == count
    rates, n = Rates(own, dict(values)), len(own.coordinates)
    for each in found:
        q = np.array([each.numbers[name] for name in own.coordinates])
        assert np.abs(rates.given(0.0, q, 0 * q)[:n]).max() < 1e-9
        A = each.A.numpy()(q)
        for k in range(2 * n):
            step = np.zeros(2 * n)
            step[k] = 1e-5
            ahead, behind = (rates.given(0.0, q + s[:n], s[n:])[:n] for s in (step, -step))
            np.testing.assert_allclose(A[n:, k], (ahead - behind) / 2e-5, atol=1e-6 * (1 + np.abs(A).max()))
        np.testing.assert_array_equal(A[:n], np.hstack([np.zeros((n, n)), np.eye(n)]))
    places = sorted([e.numbers[q] for q in own.coordinates] for e in found)
    assert all(np.abs(np.subtract(a, b)).max() > 1e-6 for a, b in pairwise(places))


def test_equilibria_of_springs_in_a_row():
    """Hanging masses: k (x2 - x1) holds what is below; and two masses with nothing but a spring between them."""
    own = la.lagrange(
        "1/2 m (x1d^2 + x2d^2 + x3d^2) + m g (x1 + x2 + x3) - 1/2 k (x1^2 + (x2 - x1)^2 + (x3 - x2)^2)", "x1 x2 x3"
    )
    (hanging,) = own.equilibria
    assert hanging.text() == "x1 = 3 m g/k, x2 = 5 m g/k, x3 = 6 m g/k"
    (apart,) = la.lagrange("1/2 m (xd^2 + yd^2) - 1/2 k (x - y - l)^2", "x y").equilibria
    assert apart.text() == "x = y + l" and apart.is_everywhere
    assert apart.A.text() == "[[0, 0, 1, 0], [0, 0, 0, 1], [-k/m, k/m, 0, 0], [k/m, -k/m, 0, 0]]"


def test_equilibria_at_roots_of_a_cosine():
    own = la.lagrange("1/2 J thetad^2 + k cos(3 theta) + cos(theta)", "theta", values={"J": 1, "k": 1})
    found = sorted(each.numbers["theta"] for each in own.equilibria)
    assert all(each.exact is not None for each in own.equilibria)
    angle = math.acos(math.sqrt(1 / 6))
    np.testing.assert_allclose(found, [angle - math.pi, -angle, 0, angle, math.pi - angle, math.pi], atol=1e-12)


def test_numeric_equilibria_are_symmetric_as_their_system_is():
    own = la.lagrange("1/2 J xd^2 + P cos(x) - 1/2 k x^2", "x", values={"J": 1, "P": 9.81, "k": 0.5})
    found = [each.numbers["x"] for each in own.equilibria]
    assert len(found) == 5 and all(each.exact is None for each in own.equilibria)
    np.testing.assert_allclose(found, [-x for x in reversed(found)], atol=1e-12)


def test_the_linearised_cart_pole_is_the_one_of_the_books():
    up, down = la.lagrange(**SYSTEMS["cart-pole"]).equilibria
    assert up.A.text() == "[[0, 0, 1, 0], [0, 0, 0, 1], [0, -m g/M, -b/M, 0], [0, (M + m) g/(M l), b/(M l), 0]]"
    assert up.B.text() == "[[0], [0], [1/M], [-1/(M l)]]"
    assert down.B.text() == "[[0], [0], [1/M], [1/(M l)]]" and up.is_everywhere


def test_where_coordinates_are_singular_nothing_rests():
    """At r = 0 the angle has no meaning: its equation holds there, and a mass does not rest there."""
    found = la.lagrange(**SYSTEMS["pendulum on a spring"]).equilibria
    assert sorted(repr(each.position["theta"]) for each in found) == sorted(
        map(repr, [found[0].position["theta"], found[1].position["theta"]])
    )
    assert all(not is_exactly_zero(each.exact["r"]) for each in found)


def test_a_system_without_rest():
    assert la.lagrange("1/2 m xd^2 - m g x", "x").equilibria == ()
    with pytest.raises(InputError, match="depend on t"):
        la.lagrange("1/2 m xd^2 - x t", "x").equilibria  # noqa: B018
    with pytest.raises(InputError, match=r"jump \(sgn\), as dry friction does"):
        la.lagrange("1/2 m xd^2 - 1/2 k x^2", "x", forces={"x": "-f sgn(xd)"}).equilibria  # noqa: B018
    with pytest.raises(InputError, match="no number was given for m, D, a"):
        la.lagrange("1/2 m xd^2 - D (1 - exp(-a x))^2", "x").equilibria  # noqa: B018
