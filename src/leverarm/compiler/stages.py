"""What the passes left of a program."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.compiler.program import Program


@dataclass(frozen=True, slots=True)
class Stage:
    """What a pass left, and how long it took [s]. The name says so where the pass was left out."""

    name: str
    flops: int
    values: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program ready for the emitters, and what each pass did to it."""

    program: Program
    stages: tuple[Stage, ...]
