"""An order of computation in which few values are alive at once, and sine and cosine of an angle stand side by side.

Depth-first walks from the results, begun at different results, give first orders. Upon each, of all values that could
be computed next, the one is taken that lets go of the most others, and among equals the first. Of the orders so found
the one with the fewest spills is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from leverarm.compiler.passes.liveness import are_in_memory, spills
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op


def scheduled(program: Program) -> Program:
    """The same values in an order that needs few registers."""
    depths = _depths(program)
    results = list(dict.fromkeys(program.results))
    by_depth = sorted(results, key=depths.__getitem__)
    starts = dict.fromkeys([tuple(results), tuple(by_depth), tuple(by_depth[::-1])])
    walks = [_depth_first(program, start, depths) for start in starts]
    orders = [_letting_go_early(program, first) for first in (range(len(program.code)), *walks)]
    return min((_in_order(program, order) for order in orders), key=spills)


def _depths(program: Program) -> list[int]:
    """The length of the longest chain of operations up to each value."""
    depths: list[int] = []
    for _, args, _ in program.code:
        depths.append(max([depths[a] + 1 for a in args], default=0))
    return depths


def _depth_first(program: Program, results: Sequence[int], depths: Sequence[int]) -> list[int]:
    """Every value as late as a walk from the results allows, of an operation's arguments the deepest first."""
    done: dict[int, None] = {}
    for result in results:
        waiting = [result]
        while waiting:
            k = waiting[-1]
            missing = [] if k in done else [a for a in program.code[k].args if a not in done]
            if missing:
                waiting.extend(sorted(missing, key=depths.__getitem__))
            else:
                done[waiting.pop()] = None
    return list(done)


def _letting_go_early(program: Program, first: Sequence[int]) -> list[int]:
    """The values that need a register, in an order that keeps few of them; among equals as in the first order."""
    in_memory = are_in_memory(program)
    rank = {k: i for i, k in enumerate(first) if not in_memory[k]}
    args = {k: [a for a in dict.fromkeys(program.code[k].args) if a in rank] for k in rank}
    users: dict[int, list[int]] = {k: [] for k in rank}
    for k in rank:
        for a in args[k]:
            users[a].append(k)
    missing = {k: len(args[k]) for k in rank}
    wanted = {k: len(users[k]) for k in rank}
    done: dict[int, None] = {}
    ready: list[tuple[int, int, int]] = []

    def offer(k: int) -> None:
        growth = (wanted[k] > 0) - sum(wanted[a] == 1 for a in args[k])
        heappush(ready, (growth, rank[k], k))

    for k in rank:
        if not missing[k]:
            offer(k)
    while ready:
        _, _, k = heappop(ready)
        if k in done:
            continue
        done[k] = None
        for user in users[k]:
            missing[user] -= 1
            if not missing[user]:
                offer(user)
        for a in args[k]:
            wanted[a] -= 1
            if wanted[a] == 1:
                for user in users[a]:
                    if user not in done and not missing[user]:
                        offer(user)
    return list(done)


def _in_order(program: Program, order: Sequence[int]) -> Program:
    """The program in this order; what lies in memory comes right before its first use, sines beside their cosines."""
    partners = _partners(program)
    number: dict[int, int] = {}
    code: list[Instruction] = []

    def place(k: int) -> None:
        op, args, value = program.code[k]
        for a in args:
            if a not in number:
                place(a)
        number[k] = len(code)
        code.append(Instruction(op, tuple([number[a] for a in args]), value))
        if k in partners and partners[k] not in number:
            place(partners[k])

    for k in (*order, *program.results):
        if k not in number:
            place(k)
    return program.with_code(code, [number[r] for r in program.results])


def _partners(program: Program) -> dict[int, int]:
    """The cosine of the same angle for each sine, and the other way round."""
    other = {Op.COS: Op.SIN, Op.SIN: Op.COS}
    turns: dict[tuple[Op, tuple[int, ...]], int] = {}
    for k, (op, args, _) in enumerate(program.code):
        if op in other:
            turns[op, args] = k
    return {k: turns[other[op], args] for (op, args), k in turns.items() if (other[op], args) in turns}
