"""Tapes run over floats: the plainest interpreter, which also makes nodes comparable with other systems' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from leverarm.scalars.floats import FLOAT
from leverarm.scalars.operations import ARITHMETIC, FUNCTIONS, Op
from leverarm.scalars.ring import NumberSystem, Scalar
from leverarm.scalars.tape import Node, Tape, live_nodes


def evaluated(outputs: Sequence[Scalar], inputs: Mapping[str, float]) -> list[float]:
    """The outputs as floats at the given inputs: the plainest way to run a tape."""
    values: dict[int, float] = {}
    for node in live_nodes(outputs):
        a = [values[arg.index] for arg in node.args]
        if node.op is Op.CONST:
            values[node.index] = node.value
        elif node.op is Op.INPUT:
            values[node.index] = inputs[node.tape.inputs[int(node.value)]]
        elif node.op in FUNCTIONS:
            values[node.index] = FUNCTIONS[node.op](a[0])
        else:
            values[node.index] = ARITHMETIC[node.op](*a)
    return [values[x.index] if type(x) is Node else float(x) for x in outputs]


_SAMPLES = Tape()
"""Inputs named by their value, so that a node can be compared with another system's number."""


@cache
def _sample(half_tangent: Fraction) -> Node:
    return _SAMPLES.input(repr(FLOAT.angle(half_tangent)))


def _approximate(x: Scalar) -> float:
    return evaluated([x], {name: float(name) for name in _SAMPLES.inputs})[0]


TAPE = NumberSystem("tape", FLOAT.lift, FLOAT.turn, FLOAT.direction, _sample, _approximate)
