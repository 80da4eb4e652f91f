"""From a traced program to one that is ready to be emitted: a flat list of named passes, verified after each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from leverarm.compiler.passes.dead import without_dead_code
from leverarm.compiler.passes.expanding import expanded
from leverarm.compiler.passes.factoring import factored
from leverarm.compiler.passes.folding import folded
from leverarm.compiler.passes.fused import fused
from leverarm.compiler.passes.negation import with_few_negations
from leverarm.compiler.passes.reciprocals import without_lone_reciprocals
from leverarm.compiler.passes.scheduling import scheduled
from leverarm.compiler.program import Program
from leverarm.compiler.verifier import verify

Pass = Callable[[Program], Program]

PASSES: tuple[tuple[str, Pass], ...] = (
    ("dead code", without_dead_code),
    ("folding", folded),
    ("common parts and factors", factored),
    ("expansion", expanded),
    ("reciprocals", without_lone_reciprocals),
    ("negation", with_few_negations),
    ("fused multiply-add", fused),
    ("scheduling", scheduled),
)


@dataclass(frozen=True, slots=True)
class Stage:
    """What a pass left, and how long it took [s]."""

    name: str
    flops: int
    values: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program ready for the emitters, and what each pass did to it."""

    program: Program
    stages: tuple[Stage, ...]


def lower(program: Program, passes: tuple[tuple[str, Pass], ...] = PASSES) -> Lowered:
    """Runs the passes in order, verifying the program after each."""
    stages = [Stage("traced", program.flops, len(program.code), 0.0)]
    verify(program, "traced")
    for name, run in passes:
        began = time.perf_counter()
        program = verify(run(program), name)
        stages.append(Stage(name, program.flops, len(program.code), time.perf_counter() - began))
    return Lowered(program, tuple(stages))
