"""Dead code: values that no result depends on are left out."""

from __future__ import annotations

from leverarm.compiler.program import Instruction, Program


def without_dead_code(program: Program) -> Program:
    """The same program without values that no result depends on."""
    needed = [False] * len(program.code)
    for r in program.results:
        needed[r] = True
    for k in reversed(range(len(program.code))):
        if needed[k]:
            for a in program.code[k].args:
                needed[a] = True
    if all(needed):
        return program
    number: dict[int, int] = {}
    code: list[Instruction] = []
    for k, (op, args, value) in enumerate(program.code):
        if needed[k]:
            number[k] = len(code)
            code.append(Instruction(op, tuple(number[a] for a in args), value))
    return program.with_code(code, [number[r] for r in program.results])
