"""Derivatives of a whole program: the same results, and Jacobians of them as further results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from leverarm.compiler.derivatives.forward import forward
from leverarm.compiler.derivatives.reverse import reverse
from leverarm.compiler.program import Array, Program, program_of
from leverarm.scalars import Node, Op, Scalar, Tape
from leverarm.scalars.operations import FUSED

_Jacobian = Callable[[Sequence[Scalar], Sequence[Node]], list[list[Scalar]]]


def replayed(program: Program) -> tuple[list[Node], list[Scalar]]:
    """The program on a new tape: one input node per entry of its arguments, one scalar per entry of its results."""
    tape = Tape()
    inputs = [tape.input(f"{a.name}[{k}]") for a in program.inputs for k in range(a.size)]
    values: list[Scalar] = []
    for op, args, value in program.code:
        if op is Op.INPUT:
            values.append(inputs[int(value)])
        elif op is Op.CONST:
            values.append(value or 0)
        elif op in FUSED:
            a, b, c = (values[k] for k in args)
            values.append(c - a * b if op is Op.FNMA else a * b + c if op is Op.FMA else a * b - c)
        else:
            values.append(tape.make(op, [values[k] for k in args]))
    return inputs, [values[k] for k in program.results]


def jacobian_program(program: Program, pairs: Sequence[tuple[str, str]]) -> Program:
    """The program with d(result)/d(argument) appended for each pair of names (result, argument), in this order.

    The Jacobian of `tau` by `q` is the result `dtau_dq`, with the axes of `tau` first and those of `q` behind. Forward
    and reverse derivatives are both taken; the program with fewer operations stays.
    """
    return min((_with_jacobians(program, pairs, rows) for rows in (forward, _row_by_row)), key=lambda p: p.flops)


def _row_by_row(outputs: Sequence[Scalar], inputs: Sequence[Node]) -> list[list[Scalar]]:
    """The Jacobian by one reverse sweep per output."""
    return [reverse([y], [1], inputs) for y in outputs]


def _with_jacobians(program: Program, pairs: Sequence[tuple[str, str]], jacobian: _Jacobian) -> Program:
    inputs, values = replayed(program)
    results, arguments = _slices(program.outputs), _slices(program.inputs)
    arrays, entries = list(program.outputs), list(values)
    for of, by in pairs:
        (y, rows), (x, columns) = results[of], arguments[by]
        arrays.append(Array(f"d{of}_d{by}", (*y.shape, *x.shape), f"derivative of {of} by {by}"))
        for row in jacobian(values[rows], inputs[columns]):
            entries.extend(row)
    return program_of(program.name, program.inputs, arrays, entries)


def _slices(arrays: Sequence[Array]) -> Mapping[str, tuple[Array, slice]]:
    """Where each array's entries lie in the flattened whole."""
    begin, found = 0, {}
    for array in arrays:
        found[array.name] = (array, slice(begin, begin + array.size))
        begin += array.size
    return found
