"""The compiler: from expressions to machine code, C and array code. Independent of robotics."""

from leverarm.compiler.lowering import Lowered, Stage
from leverarm.compiler.program import Array, Instruction, Program, program_of, verify
