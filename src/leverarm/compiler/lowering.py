"""The pass pipeline: from a traced program to one ready for the emitters, verified after each pass."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

from leverarm.compiler.passes.expanding import expanded
from leverarm.compiler.passes.factoring import factored
from leverarm.compiler.passes.fused import fused
from leverarm.compiler.passes.scheduling import scheduled
from leverarm.compiler.passes.simplifying import folded, with_few_negations, without_dead_code, without_lone_reciprocals
from leverarm.compiler.program import Program, verify
from leverarm.errors import NotFiniteError


@dataclass(frozen=True, slots=True)
class Stage:
    """Size of the program after a pass, and its time [s]. The name says if the pass was skipped."""

    name: str
    flops: int
    values: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program ready for the emitters, and what each pass did to it."""

    program: Program
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A named step from one program to another that computes the same results.

    Programs of more than `largest` values skip it: it would take longer than it saves.
    """

    name: str
    run: Callable[[Program], Program]
    largest: int | None = None


PASSES: tuple[Pass, ...] = (
    Pass("dead code", without_dead_code),
    Pass("folding", folded),
    Pass("common parts", factored),
    Pass("expansion", expanded, largest=5_000),
    Pass("reciprocals", without_lone_reciprocals),
    Pass("negation", with_few_negations),
    Pass("fused multiply-add", fused),
    Pass("scheduling", scheduled),
)


def lower(program: Program, passes: tuple[Pass, ...] = PASSES) -> Lowered:
    """Runs the passes in order, verifying the program after each."""
    stages = [Stage("traced", program.flops, len(program.code), 0.0)]
    verify(program, "traced")
    for step in passes:
        if step.largest is not None and len(program.code) > step.largest:
            stages.append(Stage(f"{step.name} (left out)", program.flops, len(program.code), 0.0))
            continue
        began = time.perf_counter()
        program = verify(step.run(program), step.name)
        stages.append(Stage(step.name, program.flops, len(program.code), time.perf_counter() - began))
    return Lowered(program, tuple(stages))


def nearest_float(value: float) -> float:
    """The nearest float32. Raises NotFiniteError if that is infinite."""
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        raise NotFiniteError(
            f"a constant of the program is {value:.3g}, beyond the range of float32 (3.4e38). Compile in float64, or "
            "give smaller parameters of the arm."
        ) from None
    return float(rounded)
