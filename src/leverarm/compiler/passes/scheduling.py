"""An order of computation in which few values are alive at once, and sine and cosine of an angle stand side by side.

Depth-first walks from the results give a first order. Upon it, of all values that could be computed next, the one is taken
that lets go of the most, and among those the first (Goodman and Hsu 1988 call it integrated scheduling when registers are
short). Several walks are tried, and the order with the fewest values too many for the registers is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from leverarm.compiler.passes.liveness import is_in_memory, liveness
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op


def scheduled(program: Program) -> Program:
    """The same values in an order that needs few registers."""
    ordered = [
        _in_order(program, _letting_go_early(program, first))
        for first in (
            range(len(program.code)),
            _depth_first(program, program.results),
            _depth_first(program, program.results[::-1]),
        )
    ]
    return min(ordered, key=lambda p: (liveness(p).excess, liveness(p).average))


def _depth_first(program: Program, results: Sequence[int]) -> list[int]:
    """Every value as late as a walk from the results allows, of two arguments the one that needs more registers first."""
    needs = _registers_needed(program)
    done: dict[int, None] = {}
    for result in results:
        waiting = [result]
        while waiting:
            k = waiting[-1]
            missing = [] if k in done else [a for a in program.code[k].args if a not in done]
            if missing:
                waiting.extend(sorted(missing, key=needs.__getitem__))
            else:
                done[waiting.pop()] = None
    return list(done)


def _registers_needed(program: Program) -> list[int]:
    """How many registers the tree above each value needs (Sethi and Ullman 1970)."""
    needs: list[int] = []
    for k, (_, args, _) in enumerate(program.code):
        if is_in_memory(program, k):
            needs.append(0)
        else:
            deepest_first = sorted((needs[a] for a in args), reverse=True)
            needs.append(max([1, *(n + i for i, n in enumerate(deepest_first))]))
    return needs


def _letting_go_early(program: Program, first: Sequence[int]) -> list[int]:
    """The values that are computed, in an order that keeps few alive; among equals as in the first order."""
    rank = {k: i for i, k in enumerate(first) if not is_in_memory(program, k)}
    args = {k: {a for a in program.code[k].args if a in rank} for k in rank}
    users: dict[int, list[int]] = {k: [] for k in rank}
    for k in rank:
        for a in args[k]:
            users[a].append(k)
    waiting_for = {k: len(args[k]) for k in rank}
    wanted = {k: len(users[k]) for k in rank}
    done: dict[int, None] = {}
    ready: list[tuple[int, int, int]] = []

    def offer(k: int) -> None:
        grows = (wanted[k] > 0) - sum(wanted[a] == 1 for a in args[k])
        heappush(ready, (grows, rank[k], k))

    for k in rank:
        if not waiting_for[k]:
            offer(k)
    while ready:
        _, _, k = heappop(ready)
        if k in done:
            continue
        done[k] = None
        for user in users[k]:
            waiting_for[user] -= 1
            if not waiting_for[user]:
                offer(user)
        for a in args[k]:
            wanted[a] -= 1
            if wanted[a] == 1:
                for user in users[a]:
                    if user not in done and not waiting_for[user]:
                        offer(user)
    return list(done)


def _in_order(program: Program, order: Sequence[int]) -> Program:
    """The program in this order; what lies in memory comes right before its first use, sines beside their cosines."""
    partner = _partners(program)
    number: dict[int, int] = {}
    code: list[Instruction] = []

    def place(k: int) -> None:
        for a in program.code[k].args:
            if a not in number:
                place(a)
        if k not in number:
            op, args, value = program.code[k]
            number[k] = len(code)
            code.append(Instruction(op, tuple(number[a] for a in args), value))
            if k in partner:
                place(partner[k])

    for k in (*order, *program.results):
        place(k)
    return program.with_code(code, [number[r] for r in program.results])


def _partners(program: Program) -> dict[int, int]:
    """The cosine of the same angle for each sine, and the other way round."""
    turns = {(op, args): k for k, (op, args, _) in enumerate(program.code) if op in (Op.COS, Op.SIN)}
    other = {Op.COS: Op.SIN, Op.SIN: Op.COS}
    return {k: turns[other[op], args] for (op, args), k in turns.items() if (other[op], args) in turns}
