"""What every program must be, checked after each pass: a mistake of a pass is found where it was made."""

from __future__ import annotations

import math

from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op


class BrokenProgram(AssertionError):
    """A pass left a program that breaks the rules: a fault of the compiler, never of a user."""


def verify(program: Program, after: str) -> Program:
    """The program itself; BrokenProgram, naming the pass it came from, if it is not one.

    Arguments come first and exist, every operation has its number of them, inputs lie inside the arguments, constants
    are finite and there is one value per entry of the outputs.
    """
    entries_in, entries_out = (sum(a.size for a in arrays) for arrays in (program.inputs, program.outputs))

    def require(holds: bool, what: str) -> None:
        if not holds:
            raise BrokenProgram(f"{program.name} after pass {after!r}: {what}")

    for k, (op, args, value) in enumerate(program.code):
        if args:
            if len(args) != op.arity or min(args) < 0 or max(args) >= k:
                require(len(args) == op.arity, f"value {k} is a {op.meaning} of {len(args)} values")
                require(False, f"value {k} takes {args}, which do not come before it")
        elif op is Op.INPUT:
            require(0 <= value < entries_in, f"value {k} is input {value} of {entries_in}")
        elif op is Op.CONST:
            require(math.isfinite(value), f"value {k} is the constant {value}")
        else:
            require(False, f"value {k} is a {op.meaning} of no values")
    require(len(program.results) == entries_out, f"{len(program.results)} results for {entries_out} entries")
    require(all(0 <= r < len(program.code) for r in program.results), "a result is no value of the program")
    return program
