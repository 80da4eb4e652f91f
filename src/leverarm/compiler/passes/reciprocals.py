"""Reciprocals: one that a single product needs becomes a quotient, and the product is gone."""

from __future__ import annotations

from collections import Counter

from leverarm.compiler.passes.dead import without_dead_code
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op


def without_lone_reciprocals(program: Program) -> Program:
    """a (1/b) becomes a/b where nothing else needs 1/b."""
    if not program.counts[Op.DIV]:
        return program
    uses = Counter(a for instruction in program.code for a in instruction.args) + Counter(program.results)
    code = list(program.code)

    def is_lone_reciprocal(k: int) -> bool:
        op, args, _ = program.code[k]
        return op is Op.DIV and uses[k] == 1 and program.code[args[0]] == Instruction(Op.CONST, (), 1.0)

    for k, (op, args, _) in enumerate(program.code):
        if op is Op.MUL:
            for reciprocal, other in (args, args[::-1]):
                if is_lone_reciprocal(reciprocal):
                    code[k] = Instruction(Op.DIV, (other, program.code[reciprocal].args[1]))
                    break
    return without_dead_code(program.with_code(code, program.results))
