"""An answer for people: the state it holds at, and the value as a table with names and units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leverarm.cli.answers import Answer
from leverarm.cli.output import Column, say, short, table
from leverarm.cli.quantities import Quantity, State

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDEST = 12
"""A matrix with more columns is printed on its side."""


def say_answer(quantity: Quantity, state: State, answer: Answer, given: Sequence[str]) -> None:
    """Prints the heading, the state that was used, and the value."""
    at = [f"{name} = ({', '.join(short(x) for x in getattr(state, name))})" for name in quantity.needs]
    assumed = [name for name in quantity.needs if name not in given]
    say(f"{state.arm.name}: {quantity.letter}, {quantity.meaning}")
    if at:
        say(f"at {', '.join(at)}" + (f"; {', '.join(assumed)} not given: zero" if assumed else ""))
    if "frame" in quantity.options and (state.frame or quantity.name != "forward-kinematics"):
        say(f"frame {state.frame or state.arm.tool}")
    for frame, wrench in state.wrenches.items():
        moment, force = ", ".join(map(short, wrench[:3])), ", ".join(map(short, wrench[3:]))
        say(f"wrench on {frame}: moment ({moment}) N m, force ({force}) N")
    say("", *_tables(quantity, answer))


def _tables(quantity: Quantity, answer: Answer) -> list[RenderableType]:
    if not answer.rows:
        return [f"{quantity.letter} = {short(answer.value)} {answer.unit}"]
    if isinstance(answer.value, dict):
        return [_poses(answer)]
    if answer.layers:
        unit = f" [{answer.unit}]"
        stack: list[RenderableType] = []
        for name, matrix in zip(answer.layers, answer.value, strict=True):
            stack += [_matrix(f"{quantity.letter}, i = {name}{unit}", matrix, answer.rows, answer.columns), ""]
        return stack[:-1]
    if not answer.columns:
        return [_vector(quantity, answer)]
    if len(answer.columns) > WIDEST and len(answer.columns) > len(answer.rows):
        turned = [list(row) for row in zip(*answer.value, strict=True)]
        return [_matrix(f"{quantity.letter}, transposed [{answer.unit}]", turned, answer.columns, answer.rows)]
    if isinstance(answer.unit, str):
        return [_matrix(f"{quantity.letter} [{answer.unit}]", answer.value, answer.rows, answer.columns)]
    return [_matrix(quantity.letter, answer.value, answer.rows, answer.columns, answer.unit)]


def _vector(quantity: Quantity, answer: Answer) -> RenderableType:
    units = (answer.unit,) * len(answer.rows) if isinstance(answer.unit, str) else answer.unit
    columns = [Column(""), Column(quantity.letter, is_number=True), Column("unit")]
    return table("", columns, [[n, short(x), u] for n, x, u in zip(answer.rows, answer.value, units, strict=True)])


def _matrix(
    title: str,
    value: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    units: Sequence[str] = (),
) -> RenderableType:
    heads = [Column(""), *(Column(name, is_number=True) for name in columns), *(Column("unit") for _ in units[:1])]
    body = [[name, *map(short, row), *units[i : i + 1]] for i, (name, row) in enumerate(zip(rows, value, strict=True))]
    return table(title, heads, body)


def _poses(answer: Answer) -> RenderableType:
    """One line per frame: where its origin is, and where its axes point."""
    columns = [Column("frame"), *(Column(name) for name in ("origin [m]", "x-axis", "y-axis", "z-axis"))]
    body = [
        [name, *("  ".join(f"{round(pose[i][k], 9) + 0.0:.4g}" for i in range(3)) for k in (3, 0, 1, 2))]
        for name, pose in answer.value.items()
    ]
    return table("", columns, body)
