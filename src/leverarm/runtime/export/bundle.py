"""What is exported together: some functions of one arm, under one name, in one precision, for one target."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.compiler import Program
from leverarm.compiler.c99 import Real, Signature, signature_of
from leverarm.model import Arm
from leverarm.runtime.tracing import Request
from leverarm.scalars.operations import Op


@dataclass(frozen=True, slots=True)
class Function:
    """A quantity as it was asked for, and the program that computes it."""

    symbol: str
    meaning: str
    request: Request
    program: Program

    def signature(self, real: Real) -> Signature:
        return signature_of(self.program, self.symbol, real)

    @property
    def flops(self) -> int:
        """Additions, multiplications and divisions."""
        return self.program.flops

    @property
    def turns(self) -> int:
        """How many angles it takes the sine and cosine of."""
        code = self.program.code
        return len({instruction.args[0] for instruction in code if instruction.op in (Op.COS, Op.SIN)})

    @property
    def cost(self) -> str:
        """In words, for comments."""
        angles = self.turns
        pairs = f"sine and cosine of {angles} angle{'s' * (angles != 1)}" if angles else "no sine or cosine"
        return f"{self.flops} additions, multiplications and divisions; {pairs}"


@dataclass(frozen=True, slots=True)
class Bundle:
    """Functions of an arm, made by `leverarm.export`.

    `name` is how the names of files and functions begin, `files` are the names of the files, `cpu` names a processor.
    """

    arm: Arm
    name: str
    target: str
    real: Real
    functions: tuple[Function, ...]
    files: tuple[str, ...]
    cpu: str | None = None
