"""The tape: equal expressions are one node, and what is folded or absorbed as it is built changes no value."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leverarm.scalars import Node, Op, Tape, cos_sin, sign, tanh
from leverarm.scalars.operations import ARITHMETIC
from leverarm.scalars.tape import evaluated, live_nodes

NAMES = ("x", "y", "z")
DYADIC = st.sampled_from([0, 1, -1, 2, -2, 0.5, -0.25, 1.5, Fraction(3, 4)])
"""Numbers whose sums and products are exact in floats: 1.5 squared five times needs 51 bits. So folding cannot round."""
STEP = st.tuples(
    st.sampled_from(["add", "subtract", "multiply", "negate", "number"]),
    st.integers(0, 999),
    st.integers(0, 999),
    DYADIC,
)


COMBINED = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "negate": lambda a, b: -a,
}


def built(steps, variables, lift):
    """A random program over any ring: each step combines two earlier values, or brings in a number."""
    values = list(variables)
    for kind, i, j, number in steps:
        a, b = values[i % len(values)], values[j % len(values)]
        values.append(lift(number) if kind == "number" else COMBINED[kind](a, b))
    return values


def exactly(outputs, inputs):
    """The nodes over Fractions."""
    known = {}
    for node in live_nodes(outputs):
        if node.op is Op.CONST:
            known[node.index] = Fraction(node.value)
        elif node.op is Op.INPUT:
            known[node.index] = inputs[int(node.value)]
        else:
            known[node.index] = ARITHMETIC[node.op](*(known[a.index] for a in node.args))
    return [known[y.index] if type(y) is Node else Fraction(y) for y in outputs]


@given(st.lists(STEP, max_size=6))
def test_folding_changes_no_value(steps):
    tape, point = Tape(), [Fraction(3, 7), Fraction(-5, 3), Fraction(2)]
    outputs = built(steps, [tape.input(name) for name in NAMES], lambda number: number)
    assert exactly(outputs, point) == built(steps, point, Fraction)


@given(st.lists(STEP, max_size=9))
def test_what_a_tape_never_holds(steps):
    tape = Tape()
    outputs = built(steps, [tape.input(name) for name in NAMES], lambda number: number)
    seen = set()
    for node in live_nodes(outputs):
        key = (node.op, tuple(a.index for a in node.args), node.value)
        assert key not in seen, "equal expressions are one node"
        seen.add(key)
        assert all(a.index < node.index for a in node.args)
        assert node.op is not Op.CONST or (node.value != 0 and math.isfinite(node.value))
        kinds = [a.op for a in node.args]
        if node.op is Op.MUL:
            assert Op.NEG not in kinds and kinds[1] is not Op.CONST
            assert kinds[0] is not Op.CONST or node.args[0].value > 0
        if node.op is Op.NEG:
            assert kinds[0] not in (Op.NEG, Op.CONST)
        if node.op in (Op.ADD, Op.SUB):
            assert Op.NEG not in kinds and kinds != [Op.CONST, Op.CONST]


def test_equal_expressions_are_one_node():
    tape = Tape()
    x, y = tape.input("x"), tape.input("y")
    assert x + y is y + x
    assert x * y is y * x
    assert 2 * (3 * x) is 6 * x
    assert (x - y) is -(y - x)
    assert (-x) * y is -(x * y)
    assert x + x is 2 * x
    assert 3 * x + 2 * x is 5 * x and 2 * x - 5 * x is -(3 * x)
    assert (1 + x) + 2 is x + 3
    assert x / y is x * (1 / y)
    assert 1 / -y is -(1 / y)
    assert x / 4 is 0.25 * x


def test_zeros_and_ones_are_absorbed():
    tape = Tape()
    x, y = tape.input("x"), tape.input("y")
    for zero in (0, 0.0, Fraction(0)):
        assert x + zero is x and zero + x is x and x - zero is x
        assert type(zero * x) is int and zero * x == 0
        assert zero - x is -x
        assert type(zero / x) is int and zero / x == 0
    minus = -x
    assert 1 * x is x and x / 1 is x and -minus is x and -1 * x is minus
    assert type(x - x) is int
    assert (x + y) - y is x and (x - y) + y is x and y - (x + y) is -x
    with pytest.raises(ZeroDivisionError, match="structural zero"):
        x / 0


def test_functions_hand_a_sign_on_and_fold():
    tape = Tape()
    x = tape.input("x")
    c, s = cos_sin(x)
    assert cos_sin(-x) == (c, -s)
    assert tanh(-x) is -tanh(x)
    assert sign(-x) is -sign(x)
    assert tape.apply(Op.COS, 0) == 1.0
    assert tape.apply(Op.SIN, 0.5) == math.sin(0.5)
    assert tape.apply(Op.SIGN, tape.constant(-3)) == -1.0
    assert evaluated([c, s, tanh(x), sign(x), 7], {"x": -0.3}) == [
        math.cos(0.3),
        -math.sin(0.3),
        -math.tanh(0.3),
        -1.0,
        7.0,
    ]


def test_nodes_of_two_tapes_do_not_mix():
    x, y = Tape().input("x"), Tape().input("y")
    for mixed in (lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / y):
        with pytest.raises(ValueError, match="different tapes"):
            mixed()


def test_other_types_are_left_to_themselves():
    x = Tape().input("x")
    assert x.__add__("1") is NotImplemented
    assert x.__mul__(None) is NotImplemented
    with pytest.raises(TypeError):
        x + "1"


def test_live_nodes_are_those_needed():
    tape = Tape()
    x, y = tape.input("x"), tape.input("y")
    wanted = x * y + 2
    tape.apply(Op.SIN, x)
    assert {node.op for node in live_nodes([wanted, 3])} == {Op.INPUT, Op.CONST, Op.MUL, Op.ADD}
    assert live_nodes([wanted])[-1] is wanted
    assert live_nodes([0, 1.5]) == []
    assert repr(wanted) == "add(2.0, mul(x, y))"
