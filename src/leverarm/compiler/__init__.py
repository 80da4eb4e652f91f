"""From expressions to machine code, C and array code. Knows nothing of robots."""

from leverarm.compiler.program import Array, Instruction, Program, program_of
from leverarm.compiler.stages import Lowered, Stage
from leverarm.compiler.verifier import BrokenProgram, verify

__all__ = ["Array", "BrokenProgram", "Instruction", "Lowered", "Program", "Stage", "program_of", "verify"]
