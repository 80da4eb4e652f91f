"""A document as a Jupyter notebook (nbformat 4.5): each section, and the Python that computes it again."""

from __future__ import annotations

import json
from typing import Any

from leverarm.documents.document import Code, Document, Level, at_level, numbered
from leverarm.documents.markdown import heading_blocks, markdown_blocks, section_heading

NotebookCell = dict[str, Any]


def to_notebook(document: Document, level: Level = Level.FULL) -> str:
    """The text of an .ipynb file. Cell ids are reproducible, so that versions compare well."""
    shown = at_level(document, level)
    cells = [_markdown("title", heading_blocks(shown)), *([_code("setup", shown.code)] if shown.code else [])]
    waiting: list[str] = []
    for k, (depth, number, section) in enumerate(numbered(shown), 1):
        name = f"section-{number.replace('.', '-') or k}"
        waiting.append(section_heading(depth, number, section.title))
        for j, block in enumerate(section.blocks, 1):
            waiting += markdown_blocks(block, shown.writing)
            if isinstance(block, Code):
                cells += [_markdown(f"{name}-{j}-words", waiting)] if waiting else []
                cells.append(_code(f"{name}-{j}", block.text))
                waiting = []
        if waiting and section.blocks:
            cells.append(_markdown(name, waiting))
            waiting = []
    cells += [_markdown("end", waiting)] if waiting else []
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": document.title,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _markdown(name: str, blocks: list[str]) -> NotebookCell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines("\n\n".join(blocks))}


def _code(name: str, code: str) -> NotebookCell:
    return {
        "cell_type": "code", "execution_count": None, "id": name, "metadata": {}, "outputs": [],
        "source": _lines(code.strip("\n")),
    }  # fmt: skip


def _lines(text: str) -> list[str]:
    """Lines as nbformat stores them: each with its newline, except the last."""
    return text.splitlines(keepends=True)
