"""Folding: like terms are collected, what cancels is gone, and sums that are equal in any order are one value."""

from __future__ import annotations

from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import program_from
from leverarm.compiler.program import Program


def folded(program: Program) -> Program:
    """The same results as plain sums of products."""
    return program_from(polynomials_of(program), program)
