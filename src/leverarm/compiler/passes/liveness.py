"""How many values are alive at once: what registers must hold while a program runs."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op

REGISTERS = 30
"""Values beyond this many are taken to be spilled: a few less than the vector registers of AVX-512 and NEON."""


@dataclass(frozen=True, slots=True)
class Liveness:
    """The most values alive at once, their average, and the sum over all values of how many are alive beyond REGISTERS."""

    most: int
    average: float
    excess: int


def is_in_memory(program: Program, k: int) -> bool:
    """Whether a value can be read from memory whenever it is needed: inputs, constants, sines and cosines of inputs."""
    op, args, _ = program.code[k]
    if op in (Op.COS, Op.SIN):
        return program.code[args[0]].op is Op.INPUT
    return op in (Op.INPUT, Op.CONST)


def liveness(program: Program) -> Liveness:
    """The values alive after each operation; a result is stored at once, and what lies in memory does not count."""
    code = program.code
    last = list(range(len(code)))
    for k, (_, args, _) in enumerate(code):
        for a in args:
            last[a] = k
    alive = most = total = excess = steps = 0
    for k, (_, args, _) in enumerate(code):
        if is_in_memory(program, k):
            continue
        alive -= sum(last[a] == k and not is_in_memory(program, a) for a in set(args))
        alive += last[k] > k
        steps += 1
        most = max(most, alive)
        total += alive
        excess += max(0, alive - REGISTERS)
    return Liveness(most, total / max(steps, 1), excess)
