"""Derivatives of a whole program: the same results, and Jacobians of them as further results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from leverarm.compiler.derivatives.forward import forward
from leverarm.compiler.derivatives.reverse import reverse
from leverarm.compiler.program import Array, Program, program_of, slices_of
from leverarm.compiler.replaying import replayed
from leverarm.scalars import Node, Scalar, Tape
from leverarm.scalars.operations import FUNCTIONS

_Jacobian = Callable[[Sequence[Scalar], Sequence[Node]], list[list[Scalar]]]


def on_tape(program: Program) -> tuple[list[Node], list[Scalar]]:
    """The program on a new tape: one input node per entry of its arguments, one scalar per entry of its results."""
    tape = Tape()
    inputs = [tape.input(f"{a.name}[{k}]") for a in program.inputs for k in range(a.size)]
    functions = {op: partial(tape.apply, op) for op in FUNCTIONS}
    values = replayed(program, inputs, functions, lambda number: number or 0)
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
    inputs, values = on_tape(program)
    results, arguments = (_by_name(arrays) for arrays in (program.outputs, program.inputs))
    arrays, entries = list(program.outputs), list(values)
    for of, by in pairs:
        (y, rows), (x, columns) = results[of], arguments[by]
        arrays.append(Array(f"d{of}_d{by}", (*y.shape, *x.shape), f"derivative of {of} by {by}"))
        for row in jacobian(values[rows], inputs[columns]):
            entries.extend(row)
    return program_of(program.name, program.inputs, arrays, entries)


def _by_name(arrays: Sequence[Array]) -> Mapping[str, tuple[Array, slice]]:
    """Each array, and where its entries lie in the flattened whole."""
    return {array.name: (array, part) for array, part in zip(arrays, slices_of(arrays), strict=True)}
