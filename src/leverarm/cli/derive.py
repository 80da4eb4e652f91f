"""`leverarm derive`: an arm's equations of motion with every step shown."""

from __future__ import annotations

from typing import Any

import click

import leverarm as la
from leverarm.cli.equations import arm_of, check_choice, options, patience
from leverarm.cli.output_files import check_ending

ROUTES = ("lagrange", "newton-euler", "force-balance")
LEVELS = ("brief", "full", "every-line")
ENDINGS = (".html", ".md", ".tex", ".ipynb", ".txt")
NARROWEST, WIDEST = 24, 120
"""Columns of text: formulas do not fit in narrower lines, and wider ones are hard to read."""


@click.command(short_help="Derive the equations of motion, every step shown.")
@click.argument("arm_name", metavar="ARM")
@click.option("--route", default="lagrange", metavar="NAME", show_default=True,
              help="lagrange, newton-euler, or force-balance (f = m a, for arms of point masses).")  # fmt: skip
@click.option("--tip-wrench", is_flag=True, help="The tip pushes on its surroundings: F_{n+1} of Newton-Euler.")
@click.option("--level", default="full", metavar="NAME", show_default=True,
              help="brief (results), full (all steps) or every-line (of the calculation).")  # fmt: skip
@options
@click.option("-o", "--output", metavar="FILE", help="Write a .html, .md, .tex, .ipynb or .txt file instead.")
def derive(
    arm_name: str,
    route: str,
    tip_wrench: bool,
    level: str,
    symbolic: str | None,
    rename: str | None,
    output: str | None,
    **notation: Any,
) -> None:
    """Derive the equations of motion of an arm, with every step shown and every formula exact.

    Without -o, the derivation is printed. Its last step proves that all routes give the same equations: verified
    symbolically, not asserted.

    \b
    leverarm derive elbow
    leverarm derive elbow --route newton-euler --tip-wrench --level every-line | less
    leverarm derive rp --level brief --angles expanded
    leverarm derive planar3r -o planar3r.html
    leverarm derive puma560 --symbolic inertia,geometry --coordinates theta -o puma.tex
    """
    check_choice("--level", "level", level, LEVELS)
    check_choice("--route", "route", route, ROUTES)
    if output is not None:
        check_ending(output, "document", ENDINGS)
    arm = arm_of(arm_name, symbolic, rename)
    with patience(f"deriving {arm.name}"):
        derivation = la.derive(arm, route, **notation, tip="wrench" if tip_wrench else "free")
        if output is not None:
            derivation.save(output, level)
    if output is not None:
        click.echo(f"wrote {output}: {arm.name} by {derivation.route}, {level}")
        return
    print_derivation(derivation, level)


def print_derivation(derivation: la.types.Derivation, level: str) -> None:
    """A derivation in lines that fit the terminal."""
    from leverarm.cli.output import print_lines, terminal_columns

    text = derivation.terminal(level, min(max(terminal_columns(), NARROWEST), WIDEST))
    text.rstrip()
    print_lines(text)
