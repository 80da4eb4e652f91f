"""The passes compute the same results with fewer operations: exactly on random programs, and on the catalog's arms."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import leverarm as la
from leverarm import mechanics
from leverarm.compiler import PASSES, Array, Instruction, Program, lower, program_of, verify
from leverarm.compiler.passes.expanding import expanded
from leverarm.compiler.passes.factoring import factored
from leverarm.compiler.passes.folding import folded
from leverarm.compiler.passes.fused import fused
from leverarm.compiler.passes.liveness import liveness
from leverarm.compiler.passes.negation import with_few_negations
from leverarm.compiler.passes.reciprocals import without_lone_reciprocals
from leverarm.compiler.passes.scheduling import scheduled
from leverarm.model import bind
from leverarm.scalars import Op, Tape, cos_sin
from leverarm.scalars.tape import ARITHMETIC, evaluated

BINARY = (Op.ADD, Op.SUB, Op.MUL)
NUMBERS = (-1.0, 0.5, 2.0, 3.0)
"""Constants whose sums and products are exact in floats, so that folding them is too."""


def values_of(program: Program, inputs: list[Fraction]) -> list[Fraction]:
    """Every value over the rationals. Any even and odd functions with c^2 + s^2 = 1 do for cosine and sine."""
    functions = {
        Op.COS: lambda t: (1 - t * t) / (1 + t * t),
        Op.SIN: lambda t: 2 * t / (1 + t * t),
        Op.TANH: lambda t: t / (1 + t * t),
        Op.SIGN: lambda t: Fraction((t > 0) - (t < 0)),
    }
    values: list[Fraction] = []
    for op, args, value in program.code:
        if op is Op.INPUT:
            values.append(inputs[int(value)])
        elif op is Op.CONST:
            values.append(Fraction(value))
        else:
            values.append((functions.get(op) or ARITHMETIC[op])(*(values[a] for a in args)))
    return values


def exactly(program: Program, inputs: list[Fraction]) -> list[Fraction]:
    """The results over the rationals."""
    values = values_of(program, inputs)
    return [values[r] for r in program.results]


HERE = [Fraction(3, 7), Fraction(-2, 5), Fraction(5, 3), Fraction(1, 4), Fraction(-7, 9)]
THERE = [Fraction(2, 3), Fraction(1, 8), Fraction(-4, 3), Fraction(9, 5), Fraction(-1, 6)]


def is_defined(program: Program) -> bool:
    """Whether it divides by no zero, and takes no function or reciprocal of a number (which folds to a float)."""
    try:
        here, there = values_of(program, HERE), values_of(program, THERE)
    except ZeroDivisionError:
        return False
    inexact = (Op.COS, Op.SIN, Op.TANH, Op.DIV)
    return not any(op in inexact and here[args[-1]] == there[args[-1]] != 0 for op, args, _ in program.code)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Random values of random operations; recent ones are taken more often, so that chains and shared parts arise."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    operations = draw(st.sampled_from([BINARY, (*BINARY, Op.NEG, Op.COS, Op.SIN), tuple(set(Op) - {Op.INPUT, Op.CONST})]))
    n_inputs = draw(st.integers(1, 5))
    code = [Instruction(Op.INPUT, (), k) for k in range(n_inputs)]
    code += [Instruction(Op.CONST, (), c) for c in NUMBERS[: draw(st.integers(0, 4))]]
    for _ in range(draw(st.integers(1, 40))):
        op = rng.choice(sorted(operations, key=lambda o: o.name))
        args = tuple(rng.randrange(max(0, len(code) - 12), len(code)) for _ in range(op.arity))
        code.append(Instruction(op, args))
    results = [rng.randrange(len(code)) for _ in range(draw(st.integers(1, 5)))]
    return Program("random", (Array("x", (n_inputs,)),), (Array("y", (len(results),)),), tuple(code), tuple(results))


@pytest.mark.parametrize("step", PASSES, ids=lambda step: step.name)
@settings(max_examples=150)
@given(program=programs().filter(is_defined))
def test_a_pass_changes_no_result(step, program):
    after = verify(step.run(program), step.name)
    assert exactly(after, HERE) == exactly(program, HERE)


@settings(max_examples=150)
@given(program=programs().filter(is_defined))
def test_all_passes_together_change_no_result_and_add_no_operation(program):
    lowered = lower(program)
    assert exactly(lowered.program, HERE) == exactly(program, HERE)
    assert lowered.program.flops <= program.flops
