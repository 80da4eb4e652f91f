"""`leverarm eval ARM tau --steps`: T, V, Vdot and F of each link, as tables or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import leverarm as la
from leverarm.cli.output import Column, print_lines, short, table
from leverarm.errors import InputError
from leverarm.quantities.newton_euler_steps import LinkStep
from leverarm.quantities.table import Quantity

UNITS = {
    "V": ("rad/s", "m/s"),
    "Vdot": ("rad/s^2", "m/s^2"),
    "F": ("N m", "N"),
}
"""Of the angular and of the linear half."""


def check_has_steps(quantity: Quantity) -> None:
    if quantity.name != "inverse_dynamics":
        raise InputError(f"--steps shows how tau is computed, link by link; {quantity.spelled} has none. Leave it out.")


def print_steps(steps: Sequence[LinkStep]) -> None:
    """A table of twist, acceleration and wrench for each link, and its pose below it."""
    print_lines("", "Newton-Euler by links, each in its own frame; Vdot is less gravity, F^T A the joint's share of F.")
    for step in steps:
        heads = [Column(""), *(Column(f"{name} [{turn}, {slide}]", True) for name, (turn, slide) in UNITS.items())]
        columns = zip(la.mechanics.ROWS, step.V, step.V_dot, step.F, strict=True)
        print_lines("", table(step.link, heads, [[row, *map(short, numbers)] for row, *numbers in columns]))
        print_lines(f"F^T A = {short(step.tau)}")
        axes = [Column(""), *(Column(name, True) for name in ("x-axis", "y-axis", "z-axis", "origin [m]"))]
        rows = [[row, *(short(round(x, 12)) for x in numbers)] for row, numbers in zip("xyz", step.T, strict=False)]
        print_lines("", table(f"T: {step.parent} in the frame of {step.link}", axes, rows))


def steps_data(steps: Sequence[LinkStep]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return [
        {
            "link": step.link,
            "parent": step.parent,
            "T": step.T.tolist(),
            "V": step.V.tolist(),
            "Vdot": step.V_dot.tolist(),
            "F": step.F.tolist(),
            "tau": step.tau,
        }
        for step in steps
    ]
