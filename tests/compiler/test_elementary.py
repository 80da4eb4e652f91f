"""Sine, cosine, tanh and sign in machine code: within 2 ulp of the truth (arb), the same bits however they are called."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from flint import arb, ctx

from leverarm.compiler.elementary import FAR
from leverarm.compiler.llvm import host_machine, machine_named, runnable_machines
from leverarm.compiler.program import Array, Instruction, Program
from leverarm.scalars.operations import Op
from tests.support.machine_code import DTYPE, Batch, Single

MACHINES = ["host", *runnable_machines()]
REALS = ["double", "float"]
FUNCTIONS = (Op.SIN, Op.COS, Op.TANH, Op.SIGN)
EXACT = {Op.SIN: arb.sin, Op.COS: arb.cos, Op.TANH: arb.tanh}


def functions_of(count):
    """A program with all functions of each of its arguments."""
    code = [Instruction(Op.INPUT, (), k) for k in range(count)]
    code += [Instruction(op, (k,)) for op in FUNCTIONS for k in range(count)]
    outputs = tuple(Array(op.meaning, (count,)) for op in FUNCTIONS)
    return Program("functions", (Array("x", (count,)),), outputs, tuple(code), tuple(range(count, len(code))))


@cache
def batch(real, machine):
    return Batch(functions_of(1), real, machine_named(machine))


def computed(x, real, machine):
    """The functions of the numbers, in a dict by operation."""
    results = batch(real, machine)(np.ascontiguousarray(x, DTYPE[real]).reshape(-1, 1))
    return {op: result.ravel() for op, result in zip(FUNCTIONS, results, strict=True)}


@cache
def angles(real):
    """Angles up to FAR: all over, small, tiny, and next to every 5th multiple of pi/2 (the hardest are those)."""
    rng = np.random.default_rng(0)
    with ctx.workprec(200):
        half_pi = arb.pi() / 2
        multiples = np.array([float(half_pi * k) for k in range(1, 63662, 5)])
    parts = [
        np.linspace(-math.pi, math.pi, 2001),
        rng.uniform(-8, 8, 2000),
        rng.uniform(-FAR, FAR, 3000),
        multiples * rng.choice([-1, 1], multiples.size),
        10.0 ** rng.uniform(-44 if real == "float" else -320, 0, 500),
        [FAR, -FAR, 5e-324, math.pi / 4, np.nextafter(math.pi / 4, 1), 3 * math.pi / 4],
    ]
    return np.concatenate(parts).astype(DTYPE[real])


@cache
def truth(op, numbers):
    """The function in twice the precision of a double: a sum of two."""
    with ctx.workprec(200):
        exact = [EXACT[op](arb(x)) for x in np.frombuffer(numbers, np.float64).tolist()]
        high = np.array([float(y) for y in exact])
        return high, np.array([float(y - arb(h)) for y, h in zip(exact, high.tolist(), strict=True)])


def errors_in_ulp(result, x, op):
    high, low = truth(op, x.astype(np.float64).tobytes())
    unit = np.spacing(np.abs(high).astype(result.dtype)).astype(np.float64)
    return np.abs(((result.astype(np.float64) - high) - low) / unit)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("real", "bound"), [("double", 1.0), ("float", 2.0)])
def test_sines_and_cosines_are_right_to_the_last_bits(real, bound, machine):
    x = angles(real)
    results = computed(x, real, machine)
    for op in (Op.SIN, Op.COS):
        assert errors_in_ulp(results[op], x, op).max() <= bound


def test_every_angle_next_to_a_multiple_of_a_right_angle_is_right():
    """The nearest doubles, where the sine or the cosine is as small as it gets and the reduction loses most."""
    with ctx.workprec(200):
        x = np.array([float(arb.pi() / 2 * k) for k in range(1, 63662)])
        remainders = [float(arb(v) - arb.pi() / 2 * (k + 1)) for k, v in enumerate(x.tolist())]
    results = computed(x, "double", "host")
    smallest = np.where(np.arange(1, 63662) % 2, results[Op.COS], results[Op.SIN])
    # sin r = r to 2^-60 here; one ulp of r.
    assert (np.abs(np.abs(smallest) - np.abs(remainders)) <= np.spacing(np.abs(remainders))).all()


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("real", REALS)
def test_angles_beyond_the_reduction_go_to_the_c_library(real, machine):
    rng = np.random.default_rng(1)
    far = np.concatenate([rng.uniform(FAR, 1e9, 50), -(10.0 ** rng.uniform(5.1, 38, 50)), [1e22, -1e22]])
    far = far.astype(DTYPE[real])
    results = computed(far, real, machine)
    assert results[Op.SIN].tolist() == [DTYPE[real](math.sin(x)) for x in far.tolist()]
    assert results[Op.COS].tolist() == [DTYPE[real](math.cos(x)) for x in far.tolist()]
    x = rng.uniform(-5, 5, 40).astype(DTYPE[real])
    mixed = x.copy()
    mixed[::7] = far[: mixed[::7].size]
    alone, together = computed(x, real, machine), computed(mixed, real, machine)
    for op in (Op.SIN, Op.COS):
        near = np.arange(40) % 7 != 0
        assert alone[op][near].tobytes() == together[op][near].tobytes()
        assert together[op][::7].tolist() == results[op][: mixed[::7].size].tolist()


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("real", REALS)
def test_zeros_infinities_and_what_is_not_a_number(real, machine):
    x = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0]
    for order in range(len(x)):
        turned = x[order:] + x[:order]
        values = computed(turned, real, machine)
        results = {op: dict(zip(map(repr, turned), values[op].tolist(), strict=True)) for op in FUNCTIONS}
        assert all(math.isnan(results[op]["nan"]) for op in FUNCTIONS)
        assert all(math.isnan(results[op][x]) for op in (Op.SIN, Op.COS) for x in ("inf", "-inf"))
        assert repr(results[Op.SIN]["0.0"]) == repr(results[Op.TANH]["0.0"]) == "0.0"
        assert repr(results[Op.SIN]["-0.0"]) == repr(results[Op.TANH]["-0.0"]) == "-0.0"
        assert results[Op.COS]["0.0"] == results[Op.COS]["-0.0"] == 1.0
        assert (results[Op.TANH]["inf"], results[Op.TANH]["-inf"]) == (1.0, -1.0)
        signs = [results[Op.SIGN][x] for x in ("0.0", "-0.0", "inf", "-inf", "1.0")]
        assert signs == [0.0, 0.0, 1.0, -1.0, 1.0]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("real", REALS)
def test_tanh_is_right_to_two_ulp_odd_and_bounded(real, machine):
    rng = np.random.default_rng(2)
    parts = [
        rng.uniform(-1, 1, 3000),
        rng.uniform(-25, 25, 1500),
        rng.uniform(0.6, 0.65, 500),
        10 ** rng.uniform(-37, 0, 300),
    ]
    x = np.concatenate([*parts, [5e-324, 0.625, np.nextafter(0.625, 1), 19.06, 1e300 if real == "double" else 1e30]])
    x = x.astype(DTYPE[real])
    result = computed(x, real, machine)[Op.TANH]
    assert errors_in_ulp(result, x, Op.TANH).max() <= 2
    assert (np.abs(result) <= 1).all()
    assert computed(-x, real, machine)[Op.TANH].tobytes() == (-result).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("real", REALS)
def test_one_state_gives_the_same_bits_as_many(real, machine):
    """A single state's angles share vectors: however many there are, and whichever lie beyond FAR."""
    rng = np.random.default_rng(3)
    for count in (1, 2, 3, 7, 17):
        program = functions_of(count)
        x = rng.uniform(-7, 7, (9, count)).astype(DTYPE[real])
        x[3, count // 2], x[5, 0], x[6, -1] = 3e6, math.nan, math.inf
        many = Batch(program, real, machine_named(machine))(x)
        one = Single(program, real, machine_named(machine)).states(x)
        assert all(
            a.tobytes() == b.tobytes() or np.array_equal(a, b, equal_nan=True) for a, b in zip(many, one, strict=True)
        )


def test_widths_with_the_same_arithmetic_give_the_same_bits():
    fused = [name for name in runnable_machines() if machine_named(name).has_fma is host_machine().has_fma]
    for real in REALS:
        x = np.random.default_rng(4).uniform(-100, 100, 999)
        results = [computed(x, real, name) for name in fused]
        for op in FUNCTIONS:
            assert all(result[op].tobytes() == results[0][op].tobytes() for result in results)
