"""`leverarm theory`: what holds for every body and every arm, derived with every step proven."""

from __future__ import annotations

import click

import leverarm as la
from leverarm.cli.derive import ENDINGS, LEVELS, print_derivation
from leverarm.cli.equations import check_choice
from leverarm.cli.output_files import check_ending


@click.command(short_help="The rigid body and Lagrange's equations in general, proven.")
@click.argument("topic")
@click.option("--level", default="full", metavar="NAME", show_default=True,
              help="brief (results) or full (all steps).")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write a .html, .md, .tex, .ipynb or .txt file instead.")
def theory(topic: str, level: str, output: str | None) -> None:
    """What holds for every rigid body and every arm, derived once, each statement verified with exact arithmetic.

    \b
    TOPIC:
    rigid-body           S = Rdot R^T, angular velocity in both frames and of
                         chains, v = v_o + w x p, kinetic energy from the
                         integral over the mass (König), R I R^T, parallel
                         and principal axes
    equations-of-motion  Lagrange's equations in indices: d_kj, c_ijk, phi_k;
                         what M_ij, dM_11/dq_2 and gravity torques mean

    \b
    leverarm theory rigid-body
    leverarm theory rigid-body -o rigid-body.html
    leverarm theory equations-of-motion --level brief
    """
    check_choice("--level", "level", level, LEVELS)
    if output is not None:
        check_ending(output, "document", ENDINGS)
    found = la.theory(topic)
    if output is None:
        print_derivation(found, level)
        return
    found.save(output, level)
    click.echo(f"wrote {output}: {found.title}, {level}")
