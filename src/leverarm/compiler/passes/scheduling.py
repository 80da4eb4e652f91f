"""Instruction scheduling for low register pressure, with sine and cosine of an angle side by side.

Depth-first walks from different results give initial orders. Each is improved greedily: of all values that could be
computed next, take the one that frees the most others, and among equals the first. The order with the fewest estimated
spills is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from leverarm.compiler.passes.simplifying import without_dead_code
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op

REGISTERS = 22
"""Vector registers: 16 with AVX2, 32 with AVX-512 and NEON; orders are judged for both."""

_READ = frozenset({Op.INPUT, Op.CONST})
_TURNS = frozenset({Op.COS, Op.SIN})


@dataclass(frozen=True, slots=True)
class Liveness:
    """The most values alive at once, and their average over all operations."""

    most: int
    average: float


def are_in_memory(program: Program) -> list[bool]:
    """Which values can be read from memory whenever needed: inputs, constants, sines and cosines of inputs."""
    code = program.code
    return [op in _READ or (op in _TURNS and code[args[0]].op is Op.INPUT) for op, args, _ in code]


def liveness(program: Program) -> Liveness:
    """The values alive after each operation; a result is stored at once, and what lies in memory does not count."""
    in_memory = are_in_memory(program)
    places = _places(program, in_memory)
    alive = most = total = 0
    for k, (_, args, _) in enumerate(program.code):
        alive -= sum(not in_memory[a] and places[a][-1] == k for a in set(args))
        alive += bool(places[k])
        most = max(most, alive)
        total += 0 if in_memory[k] else alive
    return Liveness(most, total / max(1, in_memory.count(False)))


def spills(program: Program, registers: int = REGISTERS) -> int:
    """Number of spills and reloads if the value needed furthest in the future is always evicted.

    Belady 1966: no eviction policy needs fewer loads.
    """
    in_memory = are_in_memory(program)
    places = _places(program, in_memory)
    uses = [0] * len(places)
    held = [False] * len(places)
    is_stored = [False] * len(places)
    by_next_use: list[tuple[int, int]] = []
    free, count = registers, 0
    for k, (_, args, _) in enumerate(program.code):
        for a in dict.fromkeys(args):
            if in_memory[a]:
                continue
            if not held[a]:
                count += 1
                free -= 1
            uses[a] += 1
            held[a] = uses[a] < len(places[a])
            if held[a]:
                heappush(by_next_use, (-places[a][uses[a]], a))
            else:
                free += 1
        if places[k]:
            held[k] = True
            free -= 1
            heappush(by_next_use, (-places[k][0], k))
        while free < 0:
            next_use, a = heappop(by_next_use)
            if held[a] and places[a][uses[a]] == -next_use:
                held[a] = False
                free += 1
                count += not is_stored[a]
                is_stored[a] = True
    return count


def _places(program: Program, in_memory: list[bool]) -> list[list[int]]:
    """Where each value that is held in a register is needed, in order."""
    places: list[list[int]] = [[] for _ in program.code]
    for k, (_, args, _) in enumerate(program.code):
        for a in dict.fromkeys(args):
            if not in_memory[a]:
                places[a].append(k)
    return places


def scheduled(program: Program) -> Program:
    """The same values in an order that needs few registers."""
    program = without_dead_code(program)
    depths = _depths(program)
    results = list(dict.fromkeys(program.results))
    by_depth = sorted(results, key=depths.__getitem__)
    starts = dict.fromkeys([tuple(results), tuple(by_depth), tuple(by_depth[::-1])])
    walks = [_depth_first(program, start, depths) for start in starts]
    graph = _graph(program)
    orders = [_letting_go_early(graph, first) for first in (range(len(program.code)), *walks)]
    whole = [_completed(program, order) for order in orders]
    return min((_in_order(program, order) for order in dict.fromkeys(map(tuple, whole))), key=spills)


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


class _Graph(NamedTuple):
    """What each value takes and which values take it, without those that lie in memory."""

    in_memory: list[bool]
    args: list[list[int]]
    users: list[list[int]]


def _graph(program: Program) -> _Graph:
    in_memory = are_in_memory(program)
    args: list[list[int]] = []
    users: list[list[int]] = [[] for _ in program.code]
    for k, (_, taken, _) in enumerate(program.code):
        args.append([] if in_memory[k] else [a for a in dict.fromkeys(taken) if not in_memory[a]])
        for a in args[k]:
            users[a].append(k)
    return _Graph(in_memory, args, users)


def _letting_go_early(graph: _Graph, first: Sequence[int]) -> list[int]:
    """The values that need a register, in an order that keeps few of them; among equals as in the first order."""
    in_memory, args, users = graph
    rank = [0] * len(first)
    for i, k in enumerate(first):
        rank[k] = i
    missing = [len(taken) for taken in args]
    wanted = [len(takers) for takers in users]
    is_done = list(in_memory)
    order: list[int] = []
    ready: list[tuple[int, int, int]] = []

    def offer(k: int) -> None:
        growth = 1 if wanted[k] else 0
        for a in args[k]:
            if wanted[a] == 1:
                growth -= 1
        heappush(ready, (growth, rank[k], k))

    for k in first:
        if not missing[k] and not in_memory[k]:
            offer(k)
    while ready:
        _, _, k = heappop(ready)
        if is_done[k]:
            continue
        is_done[k] = True
        order.append(k)
        for user in users[k]:
            missing[user] -= 1
            if not missing[user]:
                offer(user)
        for a in args[k]:
            wanted[a] -= 1
            if wanted[a] == 1:
                for user in users[a]:
                    if not is_done[user] and not missing[user]:
                        offer(user)
    return order


def _completed(program: Program, order: Sequence[int]) -> list[int]:
    """All values in this order; what lies in memory comes right before its first use, sines beside their cosines."""
    partners = _partners(program)
    placed: dict[int, None] = {}

    def place(k: int) -> None:
        for a in program.code[k].args:
            if a not in placed:
                place(a)
        placed[k] = None
        if k in partners and partners[k] not in placed:
            place(partners[k])

    for k in (*order, *program.results):
        if k not in placed:
            place(k)
    return list(placed)


def _in_order(program: Program, order: Sequence[int]) -> Program:
    """The program with its values in this order."""
    number = [0] * len(program.code)
    for i, k in enumerate(order):
        number[k] = i
    code = []
    for k in order:
        op, args, value = program.code[k]
        code.append(Instruction(op, tuple([number[a] for a in args]), value))
    return program.with_code(code, [number[r] for r in program.results])


def _partners(program: Program) -> dict[int, int]:
    """The cosine of the same angle for each sine, and the other way round."""
    other = {Op.COS: Op.SIN, Op.SIN: Op.COS}
    turns: dict[tuple[Op, tuple[int, ...]], int] = {}
    for k, (op, args, _) in enumerate(program.code):
        if op in other:
            turns[op, args] = k
    return {k: turns[other[op], args] for (op, args), k in turns.items() if (other[op], args) in turns}
