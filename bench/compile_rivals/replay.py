"""leverarm's program run over anything that has + - * / and sine and cosine: expressions of a rival, or arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import leverarm as la
from leverarm.compiler import Program
from leverarm.compiler.lowering import lower
from leverarm.compiler.program import replayed
from leverarm.runtime.requests import request_for, traced
from leverarm.scalars.operations import Op


def traced_program(arm: la.Arm, quantity: str) -> Program:
    """The program of a quantity as its algorithm leaves it."""
    return traced(request_for(arm, quantity))


def lowered_program(arm: la.Arm, quantity: str) -> Program:
    """The program of a quantity after all passes."""
    return lower(traced_program(arm, quantity)).program


def results_over(
    program: Program, inputs: Sequence[Any], library: Any, constant: Callable[[float], Any] = float
) -> list:
    """The results; `library` has `cos` and `sin`. The arms of the comparison need no others."""
    values = replayed(program, inputs, {Op.COS: library.cos, Op.SIN: library.sin}, constant)
    return [values[k] for k in program.results]
