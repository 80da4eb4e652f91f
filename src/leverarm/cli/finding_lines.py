"""Findings as lines of a terminal: the level in colour, then where, what and what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from textwrap import wrap

import click

import leverarm as la

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
WIDEST = 100
"""Columns of what is printed."""


def say_findings(findings: Sequence[la.Finding]) -> None:
    """Prints all of them and an empty line; nothing where there are none."""
    color = False if os.environ.get("NO_COLOR") else None
    for finding in findings:
        text = f"{finding.level}: {finding.where}: {finding.message} {finding.remedy}"
        lines = wrap(text, WIDEST, subsequent_indent="    ")
        level = click.style(finding.level, fg=COLOURS[finding.level], bold=True)
        click.echo("\n".join([level + lines[0].removeprefix(finding.level), *lines[1:]]), color=color)
    if findings:
        click.echo("")


def say_wrapped(text: str) -> None:
    """Prints sentences in lines that fit."""
    click.echo("\n".join(wrap(text, WIDEST)))
