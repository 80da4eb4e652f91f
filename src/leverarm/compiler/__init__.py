"""From expressions to machine code, C and array code. Knows nothing of robots."""

from leverarm.compiler.lowering import PASSES, Lowered, Pass, Stage, lower
from leverarm.compiler.program import Array, Instruction, Program, program_of
from leverarm.compiler.verifier import BrokenProgram, verify

__all__ = [
    "PASSES",
    "Array",
    "BrokenProgram",
    "Instruction",
    "Lowered",
    "Pass",
    "Program",
    "Stage",
    "lower",
    "program_of",
    "verify",
]
