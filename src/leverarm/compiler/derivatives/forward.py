"""Forward derivatives: slopes carried from the inputs on, once per node, only where they are not zero."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.derivatives.partials import partials
from leverarm.scalars import Scalar, is_zero
from leverarm.scalars.tape import Node, live_nodes


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
        moving = [(partial, slopes[a.index]) for a, partial in zip(node.args, partials(node), strict=True)]
        total: dict[int, Scalar] = {}
        for partial, slope in moving:
            for k, part in slope.items():
                total[k] = total.get(k, 0) + partial * part
        slopes[node.index] = {k: part for k, part in total.items() if not is_zero(part)}
    columns = range(len(inputs))
    return [[slopes[y.index].get(k, 0) if type(y) is Node else 0 for k in columns] for y in outputs]
