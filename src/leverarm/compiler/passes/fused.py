"""Fused multiply-adds: a product that only one sum needs is computed together with it, in one rounding."""

from __future__ import annotations

from collections import Counter

from leverarm.compiler.passes.dead import without_dead_code
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op


def fused(program: Program) -> Program:
    """Sums and differences of a product that is used once become FMA, FMS or FNMA."""
    uses = Counter(a for instruction in program.code for a in instruction.args) + Counter(program.results)
    code = list(program.code)

    def is_free_product(k: int) -> bool:
        return code[k].op is Op.MUL and uses[k] == 1

    for k, (op, args, _) in enumerate(program.code):
        if op not in (Op.ADD, Op.SUB):
            continue
        a, b = args
        if is_free_product(b):
            code[k] = Instruction(Op.FMA if op is Op.ADD else Op.FNMA, (*code[b].args, a))
        elif is_free_product(a):
            code[k] = Instruction(Op.FMA if op is Op.ADD else Op.FMS, (*code[a].args, b))
    return without_dead_code(program.with_code(code, program.results))
