"""A derivation as a Jupyter notebook (nbformat 4.5): each step, and the Python that computes it again."""

from __future__ import annotations

import json
from typing import Any

from leverarm.derivation.document import Derivation, Level, at_level
from leverarm.derivation.render.markdown import escaped, heading_blocks, step_blocks

Cell = dict[str, Any]


def to_notebook(derivation: Derivation, level: Level = Level.FULL) -> str:
    """The text of an .ipynb file. Cell ids are reproducible, so that versions compare well."""
    shown = at_level(derivation, level)
    cells = [_markdown("title", heading_blocks(shown)), _code("arm", shown.code)]
    for p, part in enumerate(shown.parts, 1):
        for s, step in enumerate(part.steps, 1):
            opening = [f"## {p}. {escaped(part.title)}"] if s == 1 else []
            cells.append(_markdown(f"step-{p}-{s}", opening + step_blocks(f"{p}.{s}", step, shown.writing)))
            if step.code:
                cells.append(_code(f"step-{p}-{s}-code", step.code))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": derivation.title,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _markdown(name: str, blocks: list[str]) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines("\n\n".join(blocks))}


def _code(name: str, code: str) -> Cell:
    return {
        "cell_type": "code", "execution_count": None, "id": name, "metadata": {}, "outputs": [],
        "source": _lines(code.strip("\n")),
    }  # fmt: skip


def _lines(text: str) -> list[str]:
    """Lines as nbformat stores them: each with its newline, except the last."""
    return text.splitlines(keepends=True)
