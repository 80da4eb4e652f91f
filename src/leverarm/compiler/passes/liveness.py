"""How many values are alive at once, and how many of them do not fit into registers."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op

REGISTERS = 22
"""Between the 16 vector registers of AVX2 and the 32 of AVX-512 and NEON: orders are judged for both."""

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
    """How often a value is stored for lack of registers or loaded again, if the one needed last is always given up.

    Belady 1966: no choice of what to give up needs fewer loads.
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
