"""The compiler: from expressions to machine code, C and array code. Independent of robotics."""

from leverarm.compiler.lowering import Lowered, Stage
from leverarm.compiler.program import Array, BrokenProgram, Instruction, Program, program_of, verify

__all__ = ["Array", "BrokenProgram", "Instruction", "Lowered", "Program", "Stage", "program_of", "verify"]
