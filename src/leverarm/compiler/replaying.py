"""Programs run over anything that has + - * /: floats, fractions, nodes of a tape, expressions of another library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from leverarm.compiler.program import Program
from leverarm.scalars.operations import ARITHMETIC, Op


def replayed(
    program: Program,
    inputs: Sequence[Any],
    functions: Mapping[Op, Callable[[Any], Any]],
    constant: Callable[[float], Any] = float,
) -> list[Any]:
    """Every value of the program, in its order; its results are those numbered `program.results`.

    `inputs` are the entries of the flattened arguments, `functions` the operations of one value that are no arithmetic,
    `constant` makes a number of the program one of these things. A fused multiply-add is a product and a sum.
    """
    values: list[Any] = []
    for op, args, value in program.code:
        if op is Op.INPUT:
            values.append(inputs[int(value)])
        elif op is Op.CONST:
            values.append(constant(value))
        else:
            operation = ARITHMETIC.get(op) or functions[op]
            values.append(operation(*[values[a] for a in args]))
    return values
