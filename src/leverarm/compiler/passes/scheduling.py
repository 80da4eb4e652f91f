"""An order of computation in which few values are alive at once: depth first from the results."""

from __future__ import annotations

from leverarm.compiler.program import Instruction, Program


def scheduled(program: Program) -> Program:
    """The same values, each computed as late as a depth-first walk from the results allows."""
    number: dict[int, int] = {}
    code: list[Instruction] = []
    for result in program.results:
        waiting = [result]
        while waiting:
            k = waiting[-1]
            missing = [a for a in program.code[k].args if a not in number]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if k not in number:
                op, args, value = program.code[k]
                number[k] = len(code)
                code.append(Instruction(op, tuple(number[a] for a in args), value))
    return program.with_code(code, [number[r] for r in program.results])
