"""Automatic differentiation on the tape: forward mode, reverse mode, and Jacobians as further results of a program.

Forward mode propagates tangents from the inputs, once per node and only where they are not zero; reverse mode
propagates adjoints from the outputs back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from leverarm.compiler.program import Array, Program, program_of, replayed, slices_of
from leverarm.scalars import Node, Scalar, Tape, is_zero
from leverarm.scalars.operations import FUNCTIONS, Op
from leverarm.scalars.tape import live_nodes

Partials = tuple[Scalar, ...]

RULES: dict[Op, Callable[..., Partials]] = {
    Op.NEG: lambda y, a: (-1,),
    Op.ADD: lambda y, a, b: (1, 1),
    Op.SUB: lambda y, a, b: (1, -1),
    Op.MUL: lambda y, a, b: (b, a),
    Op.DIV: lambda y, a, b: (1 / b, -(y / b)),
    Op.COS: lambda y, a: (-a.tape.apply(Op.SIN, a),),
    Op.SIN: lambda y, a: (a.tape.apply(Op.COS, a),),
    Op.SIGN: lambda y, a: (0,),  # 0 at the jump: friction at rest has no slope
    Op.TANH: lambda y, a: (1 - y * y,),
}
"""y is the node itself, then come its arguments. A tape has no fused operations; a pass makes those later."""


def partials(node: Node) -> Partials:
    """dy/da for each argument a of the node y: nodes of its tape, or the ints 0, 1, -1."""
    return RULES[node.op](node, *node.args) if node.args else ()


def forward(outputs: Sequence[Scalar], inputs: Sequence[Node]) -> list[list[Scalar]]:
    """The Jacobian, one row per output and one column per input, as nodes of the same tape.

    Chain rule dy/dx = sum of dy/da da/dx over the arguments a of y (Griewank and Walther 2008, section 3.1). An entry
    that is zero by structure is the int 0, and costs nothing. Cost: about one product and one sum per operation of the
    program and input it depends on, so choose it where inputs are fewer than outputs.
    """
    slopes: dict[int, dict[int, Scalar]] = {x.index: {k: 1} for k, x in enumerate(inputs)}
    for node in live_nodes(outputs):
        if node.index in slopes:
            continue
        moving = [(slope_of, slopes[a.index]) for a, slope_of in zip(node.args, partials(node), strict=True)]
        total: dict[int, Scalar] = {}
        for slope_of, slope in moving:
            for k, part in slope.items():
                total[k] = total.get(k, 0) + slope_of * part
        slopes[node.index] = {k: part for k, part in total.items() if not is_zero(part)}
    columns = range(len(inputs))
    return [[slopes[y.index].get(k, 0) if type(y) is Node else 0 for k in columns] for y in outputs]


def reverse(outputs: Sequence[Scalar], seeds: Sequence[Scalar], inputs: Sequence[Node]) -> list[Scalar]:
    """d(sum of seed_i output_i)/dx for each input x: the seeds times the Jacobian, as nodes of the same tape.

    Each value passes its adjoint on to its arguments, last value first (Griewank and Walther 2008, section 3.2). Seeds
    are numbers or nodes; structural zeros are the int 0. Cost: a small multiple of the program's own, however
    many inputs there are, so it suits the gradient of one output.
    """
    weights: defaultdict[int, Scalar] = defaultdict(int)
    for y, seed in zip(outputs, seeds, strict=True):
        if type(y) is Node:
            weights[y.index] = weights[y.index] + seed
    for node in reversed(live_nodes(outputs)):
        weight = weights[node.index]
        if is_zero(weight):
            continue
        for a, slope_of in zip(node.args, partials(node), strict=True):
            weights[a.index] = weights[a.index] + weight * slope_of
    return [weights[x.index] for x in inputs]


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

    The Jacobian of `tau` by `q` is the result `dtau_dq`, with the axes of `tau` first, then those of `q`. Forward
    and reverse mode are both tried; the program with fewer operations is kept.
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
