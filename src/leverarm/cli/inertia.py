"""`leverarm inertia`: mass, centre of mass and inertia tensor of a solid by integration, every step shown."""

from __future__ import annotations

import click

import leverarm as la
from leverarm.cli.derive import ENDINGS, LEVELS, print_derivation
from leverarm.cli.equations import check_choice
from leverarm.cli.output_files import check_ending
from leverarm.errors import InputError


@click.command(short_help="Inertia of a solid by integration, every step shown.")
@click.argument("shape")
@click.argument("measures", nargs=-1, metavar="[MEASURE=LENGTH]...")
@click.option("--density", default="rho", metavar="FORMULA", show_default=True,
              help="Of x, y, z, and of r in a cylinder, cone or sphere.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE",
              help="Value of a symbol, for the ten numbers as well; may be repeated.")  # fmt: skip
@click.option("--level", default="full", metavar="NAME", show_default=True, help="brief (results) or full (all steps).")
@click.option("-o", "--output", metavar="FILE", help="Write a .html, .md, .tex, .ipynb or .txt file instead.")
def inertia(
    shape: str, measures: tuple[str, ...], density: str, settings: tuple[str, ...], level: str, output: str | None
) -> None:
    """Mass, centre of mass and inertia tensor of a SHAPE by exact integrals of its density, step by step.

    \b
    SHAPE     measures        frame
    box       x y z           at its centre; x=0:L counts an edge from its end
    cylinder  radius length   at its centre, z along the axis; r is the distance from it
    sphere    radius          at its centre; r is the distance from it
    cone      radius height   at the centre of the base, the apex at z = height
    rod       length          thin, along z, at its middle; density per length
    plate     x y             thin, in the xy plane, at its centre; density per area

    Measures that are not given are letters: R, L, h, a, b, c. A formula that is no polynomial is integrated numerically
    where it and the measures have no symbols.

    \b
    leverarm inertia cylinder
    leverarm inertia box x=0:L --density "rho0*(1 + x/L)"
    leverarm inertia sphere --density "rho0*(1 - r/R)" --set rho0=2700 --set R=0.1
    leverarm inertia cone radius=0.1 height=0.3 --density "1000 + 200*x" -o cone.html
    """
    check_choice("--level", "level", level, LEVELS)
    if output is not None:
        check_ending(output, "document", ENDINGS)
    given = {name: _length(text) for name, text in _pairs(measures, "radius=0.1")}
    values = {name: _number(name, text) for name, text in _pairs(settings, "--set rho0=2700")}
    found = la.inertia.integrals(density, la.inertia.solid(shape, **given), values)
    if output is None:
        print_derivation(found, level)
        return
    found.save(output, level)
    click.echo(f"wrote {output}: {found.title}, {level}")


def _pairs(texts: tuple[str, ...], example: str) -> list[tuple[str, str]]:
    pairs = [text.partition("=") for text in texts]
    for text, (name, sign, value) in zip(texts, pairs, strict=True):
        if not (name.strip() and sign and value.strip()):
            raise InputError(f"{text!r} is no NAME=VALUE, such as {example}.")
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def _length(text: str) -> str | tuple[str, str]:
    """A length, or where an edge begins and ends: 0:L."""
    low, colon, high = text.partition(":")
    return (low, high) if colon else text


def _number(name: str, text: str) -> float:
    value = la.model.parse_quantity(text)
    if [*la.model.symbols_of(value)]:
        raise InputError(f"--set {name}={text}: a number is needed, such as {name}=0.1.")
    return la.model.to_float(value, {})
