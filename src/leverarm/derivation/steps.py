"""What a derivation is made of: chapters of steps, each with sentences, equations, tables, a proof and Python."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.documents.document import (
    Block,
    Code,
    Equations,
    Level,
    Paragraph,
    Section,
    Shown,
    Table,
    Verdict,
    Words,
)


def step(
    title: str,
    words: Words,
    equations: tuple[Shown, ...] = (),
    tables: tuple[Table, ...] = (),
    level: Level = Level.BRIEF,
    code: str = "",
    proven: Words = (),
) -> Section:
    """One step; `code` computes its equations again, `proven` is what was verified, as
    ("Newton-Euler minus Lagrange is identically zero.",).
    """  # fmt: skip
    blocks: list[Block] = [Paragraph(words)] if words else []
    blocks += [Equations(equations)] if equations else []
    blocks += tables
    blocks += [Verdict(proven)] if proven else []
    blocks += [Code(code)] if code else []
    return Section(title, tuple(blocks), level=level)


def chapter(title: str, steps: Iterable[Section]) -> Section:
    """Steps under a heading."""
    return Section(title, sections=tuple(steps))
