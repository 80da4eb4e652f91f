"""Reverse derivatives: the weight of each value in a weighted sum of the outputs, carried from the outputs back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from leverarm.compiler.derivatives.partials import partials
from leverarm.scalars import Scalar, is_zero
from leverarm.scalars.tape import Node, live_nodes


def reverse(outputs: Sequence[Scalar], seeds: Sequence[Scalar], inputs: Sequence[Node]) -> list[Scalar]:
    """d(sum of seed_i output_i)/dx for each input x: the seeds times the Jacobian, as nodes of the same tape.

    Each value hands its weight on to its arguments, last value first (Griewank and Walther 2008, section 3.2). Seeds
    are numbers or nodes; what is zero by structure is the int 0. Cost: a small multiple of the program's own, however
    many inputs there are, so a gradient of one output is taken this way.
    """
    weights: defaultdict[int, Scalar] = defaultdict(int)
    for y, seed in zip(outputs, seeds, strict=True):
        if type(y) is Node:
            weights[y.index] = weights[y.index] + seed
    for node in reversed(live_nodes(outputs)):
        weight = weights[node.index]
        if is_zero(weight):
            continue
        for a, partial in zip(node.args, partials(node), strict=True):
            weights[a.index] = weights[a.index] + weight * partial
    return [weights[x.index] for x in inputs]
