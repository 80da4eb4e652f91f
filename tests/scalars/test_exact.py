"""The exact number system: a ring with a unique normal form, exact derivatives, quotients that compare by value."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form import exact_arm
from leverarm.errors import InputError
from leverarm.scalars import Dual, Turn, cos_sin, sign, tanh
from leverarm.scalars.exact import (
    EXACT,
    Abbreviations,
    Polynomial,
    Quotient,
    as_element,
    circle,
    evaluate,
    free_symbol,
    is_exactly_zero,
    letter,
    limit_at_infinity,
    partial,
    ring_of,
    root,
    substitute,
    symbol,
    time_derivative,
    unknown_angle,
)
from leverarm.scalars.exact.ring import Ring

A, B = unknown_angle("a"), unknown_angle("b")
X, Y = free_symbol(symbol("x")), free_symbol(symbol("y"))
AT = {
    "x": 0.7,
    "y": -1.3,
    "a": 0.4,
    "cos(a)": math.cos(0.4),
    "sin(a)": math.sin(0.4),
    "cos(b)": math.cos(2),
    "sin(b)": math.sin(2),
    "b": 2.0,
}
ATOMS = st.sampled_from([X, Y, A.cos, A.sin, B.cos, B.sin, free_symbol(root(2)), Fraction(2, 3), -1, 0, 2])


@st.composite
def elements(draw, depth=3):
    if depth == 0 or draw(st.booleans()):
        return draw(ATOMS)
    a, b = draw(elements(depth=depth - 1)), draw(elements(depth=depth - 1))
    return draw(st.sampled_from([a + b, a - b, a * b]))


@given(elements(), elements(), elements())
def test_it_is_a_commutative_ring_with_decided_equality(x, y, z):
    assert x * (y + z) == x * y + x * z
    assert (x * y) * z == x * (y * z)
    assert x + y == y + x
    assert is_exactly_zero((x + y) * (x - y) - (x * x - y * y))
    assert hash(x + y) == hash(y + x)


@given(elements(), elements())
def test_normal_form_means_the_same_number(x, y):
    for combined, expected in ((x * y, evaluate(x, AT) * evaluate(y, AT)), (x - y, evaluate(x, AT) - evaluate(y, AT))):
        assert evaluate(combined, AT) == pytest.approx(expected, abs=1e-9, rel=1e-9)
        if isinstance(combined, Polynomial):
            degrees = dict(zip((g.name for g in combined.ring.generators), combined.p.degrees(), strict=True))
            assert all(d <= 1 for name, d in degrees.items() if name.startswith(("sin", "sqrt")))


@given(elements())
def test_derivatives_agree_with_small_differences(x):
    h = 1e-6
    for name, moved in (("x", {}), ("a", {"cos(a)": math.cos, "sin(a)": math.sin})):
        up, down = dict(AT), dict(AT)
        for values, step in ((up, h), (down, -h)):
            values[name] = AT[name] + step
            values |= {key: f(values[name]) for key, f in moved.items()}
        slope = (evaluate(x, up) - evaluate(x, down)) / (2 * h)
        assert evaluate(partial(x, name), AT) == pytest.approx(slope, abs=1e-5, rel=1e-5)


@given(elements(), elements())
def test_derivatives_follow_leibniz(x, y):
    assert partial(x * y, "a") == partial(x, "a") * y + x * partial(y, "a")
    rates = {"a": X, "x": Y}
    assert time_derivative(x * y, rates) == time_derivative(x, rates) * y + x * time_derivative(y, rates)


@given(elements(), elements(), elements())
def test_quotients_are_a_field(x, y, z):
    if is_exactly_zero(y) or is_exactly_zero(z):
        return
    if not isinstance(y, Polynomial) or not isinstance(z, Polynomial):
        return
    assert x / y * y == x if isinstance(x, Polynomial) else (X / y) * y == X
    assert (X / y) / z == X / (y * z)
    assert X / y + X / z == X * (y + z) / (y * z)
    assert partial(1 / y, "a") * (y * y) == -partial(y, "a")


def test_zero_is_structural():
    assert type(A.cos * A.cos + A.sin * A.sin - 1) is int
    assert type(X - X) is int
    assert type(0 * X) is int
    assert (X * 1 is X, X + 0 is X) == (True, True)
    assert A.sin * A.sin == 1 - A.cos * A.cos
    assert (X == 3, X == Y, X + 1 - X == 1) == (False, False, True)


def test_other_scalars_are_left_to_themselves():
    assert X.__mul__(2.5) is NotImplemented
    assert X.__add__(Dual(1, 2)) is NotImplemented
    assert (X * Dual(Y, 1)).slope == X


def test_letters_are_named_once():
    with pytest.raises(InputError, match="two different letters are called x"):
        Ring((symbol("x"), symbol("y"), root(2), symbol("x")))
    with pytest.raises(InputError, match="two different letters are called sqrt"):
        ring_of([symbol("sqrt(2)"), root(2)])
    with pytest.raises(InputError, match="both its sine and its cosine"):
        ring_of([circle("a")[1]])
    assert ring_of([symbol("x"), symbol("x")]) is ring_of([symbol("x")])


def test_rings_join_where_their_elements_meet():
    product = free_symbol(symbol("m")) * free_symbol(symbol("k"))
    assert [g.name for g in product.ring.generators] == ["m", "k"]
    back = as_element(ring_of([symbol("k"), symbol("m"), symbol("z")]), product)
    assert back == product
    assert letter(back.ring, "k") * letter(back.ring, "m") == product


@pytest.mark.parametrize("degrees", range(-360, 375, 15))
def test_multiples_of_fifteen_degrees_are_exact(degrees):
    c, s = EXACT.turn(math.radians(degrees))
    assert c * c + s * s == 1
    assert float(c) == pytest.approx(math.cos(math.radians(degrees)), abs=1e-15)
    assert float(s) == pytest.approx(math.sin(math.radians(degrees)), abs=1e-15)
    names = {g.name for x in (c, s) if isinstance(x, Polynomial) for g in x.generators()}
    assert names <= {"sqrt(2)", "sqrt(3)"}


def test_other_angles_are_letters_on_the_circle():
    c, s = EXACT.turn(0.3)
    assert c * c + s * s == 1
    assert {g.name for g in c.generators()} == {"cos(0.3)"}
    assert EXACT.turn(-0.3) == (c, -s)
    assert float(s) == math.sin(0.3)


def test_diagonals_and_other_directions_are_unit_vectors():
    for given_direction in ((1, 1, 0), (1, -1, 1), (0.3, 0.4, 0), (0.2, 0.5, 0.1), (0, 0, -2)):
        unit = EXACT.direction(*given_direction)
        assert sum((x * x for x in unit), start=0) == 1
        length = math.hypot(*given_direction)
        assert [float(x) for x in unit] == pytest.approx([x / length for x in given_direction], abs=1e-15)


def test_decimals_are_read_as_written():
    assert EXACT.lift(0.1) == Fraction(1, 10)
    assert type(EXACT.lift(3.0)) is int


def test_signs_and_tangents_are_letters():
    speed = free_symbol(symbol("q.d"))
    assert sign(speed) == sign(free_symbol(symbol("q.d")))
    assert sign(speed) != tanh(speed)
    assert repr(tanh(speed / Y)) == "tanh((q.d)/(y))"
    assert evaluate(sign(free_symbol(symbol("minus two", -2.0))), {}) == -1


def test_substitution_and_limits():
    f = A.cos * X + A.sin * Y
    assert substitute(f, {"a": Turn(0, 1)}) == Y
    assert substitute(f, {"a": B}) == B.cos * X + B.sin * Y
    assert substitute(f * f, {"a": A + B}) == (cos_sin(A + B)[0] * X + cos_sin(A + B)[1] * Y) ** 2
    assert substitute(X / Y, {"x": 3, "y": Y * Y}) == 3 / (Y * Y)
    with pytest.raises(ZeroDivisionError):
        substitute(X / Y, {"y": 0})
    assert limit_at_infinity((X * Y + 1) / (2 * X), "x") == Y * Fraction(1, 2)
    assert limit_at_infinity(1 / X, "x") == 0
    assert limit_at_infinity(X, "x") is None


def test_quotients_are_in_lowest_terms():
    q = (X * X - Y * Y) / (X * Y + Y * Y)
    assert isinstance(q, Quotient)
    assert (q.numerator, q.denominator) == (X - Y, Y)
    assert (X * Y) / Y is not None
    assert (X * Y) / Y == X
    assert type((X / Y) - (X / Y)) is int
    halved = (X * A.sin * A.cos) / (A.sin * A.sin * Y)
    assert (halved.numerator, halved.denominator) == (X * A.cos, A.sin * Y)
    assert (A.sin * A.sin) / A.sin == A.sin
    assert (1 - A.cos * A.cos) * X / (A.sin * A.sin) == X
    with pytest.raises(ZeroDivisionError):
        X / 0


@pytest.mark.parametrize("name", ["scara", "puma560", "kinova"])
def test_abbreviated_results_expand_to_the_closed_form(name):
    exact = exact_arm(la.load(name))
    book = Abbreviations(exact.ring)
    arm, q = exact.abbreviated(book)
    for short, full in (
        (me.mass_matrix(arm, q), me.mass_matrix(exact.mechanism, exact.q)),
        ([me.gravity_forces(arm, q)], [me.gravity_forces(exact.mechanism, exact.q)]),
    ):
        for row, expected in zip(short, full, strict=True):
            assert book.expanded(row) == list(expected)
    assert all(len(definition) <= 12 for definition in book.definitions.values())
    needed = book.needed([me.mass_matrix(arm, q)[0][0]])
    assert set(needed) <= set(book.definitions)
