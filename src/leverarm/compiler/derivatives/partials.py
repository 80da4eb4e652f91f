"""How each operation differentiates: the derivative of a node by each of its arguments."""

from __future__ import annotations

from collections.abc import Callable

from leverarm.scalars import Scalar
from leverarm.scalars.operations import Op
from leverarm.scalars.tape import Node

Partials = tuple[Scalar, ...]

RULES: dict[Op, Callable[..., Partials]] = {
    Op.NEG: lambda y, a: (-1,),
    Op.ADD: lambda y, a, b: (1, 1),
    Op.SUB: lambda y, a, b: (1, -1),
    Op.MUL: lambda y, a, b: (b, a),
    Op.DIV: lambda y, a, b: (1 / b, -(y / b)),
    Op.COS: lambda y, a: (-a.tape.apply(Op.SIN, a),),
    Op.SIN: lambda y, a: (a.tape.apply(Op.COS, a),),
    Op.SIGN: lambda y, a: (0,),  # nothing at the jump, as friction at rest has no slope
    Op.TANH: lambda y, a: (1 - y * y,),
}
"""y is the node itself, then come its arguments. A tape has no fused operations; a pass makes those later."""


def partials(node: Node) -> Partials:
    """dy/da for each argument a of the node y: nodes of its tape, or the ints 0, 1, -1."""
    return RULES[node.op](node, *node.args) if node.args else ()
