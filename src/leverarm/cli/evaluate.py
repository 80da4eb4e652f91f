"""`leverarm eval`: one quantity of the robot equation at one state.

An answer for people: the state it holds at, and the value as a table with names and units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.answers import Answer
from leverarm.cli.output import Column, say, short, table
from leverarm.cli.quantities import QUANTITIES, Quantity, State, quantity_named
from leverarm.errors import InputError

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


STATE = ("q", "qd", "qdd", "tau")
LISTED = "\n".join(f"{q.letter:<10} {q.name:<27} {' '.join(q.needs)}" for q in QUANTITIES)


@click.command(
    "eval",
    short_help="A quantity of the robot equation at a state.",
    epilog=f"\b\nQUANTITY, by letter or name, and the state it depends on:\n{LISTED}",
)
@click.argument("arm_name", metavar="ARM")
@click.argument("quantity_name", metavar="QUANTITY")
@click.option("--q", metavar="NUMBERS", help="Joint positions [rad, m]: 0.1,0.2 or joint2=30deg.")
@click.option("--qd", metavar="NUMBERS", help="Joint velocities.")
@click.option("--qdd", metavar="NUMBERS", help="Joint accelerations.")
@click.option("--tau", metavar="NUMBERS", help="Joint forces [N m, N].")
@click.option("--frame", metavar="NAME", help="The frame meant; the tool unless given.")
@click.option("--axes", metavar="NAMES", help="Directions of a frame, among wx,wy,wz,x,y,z.")
@click.option("--wrench", "wrenches", multiple=True, metavar="FRAME=mx,my,mz,fx,fy,fz",
              help="A moment and force on the arm, world axes; may be repeated.")  # fmt: skip
@click.option("--disturbance", metavar="NUMBERS", help="Disturbance forces tau_d.")
@click.option("--singular", metavar="POLICY", help="Lambda, mu, p at a singular pose: raise or restrict.")
@click.option("--damping", metavar="NUMBER", help="Lambda, mu, p with this mobility added [1/kg]; smooth everywhere.")
@click.option("--factorisation", metavar="NAME", help="Which C: recursive, christoffel, upper or lagrange.")
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Another value for a symbol of the arm.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def evaluate(
    arm_name: str,
    quantity_name: str,
    wrenches: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
    **given: str | None,
) -> None:
    """A quantity of the robot equation M qdd + C qd + F(qd) + g + tau_d = tau + J^T w.

    What is not given of q, qd, qdd and tau is zero. Numbers may be expressions: pi/2, 30deg, l1/2.

    \b
    leverarm eval elbow M --q 0.1,pi/3
    leverarm eval elbow tau --q 0.1,0.2 --qd -1,0.5 --qdd 0,0 --set m2=3
    leverarm eval panda J --q joint2=-45deg,joint4=-135deg --frame link5
    leverarm eval panda tau --q joint4=-90deg --wrench tool=0,0,0,0,0,-20
    leverarm eval ur5 Lambda --q 0,-1,1.5,0,1,0 --axes x,y,z --json
    """
    from leverarm.cli.numbers import coordinates, named, number, numbers, with_settings

    quantity = quantity_named(quantity_name)
    _tell_unused(quantity, {**given, "wrench": wrenches or None})
    arm = with_settings(la.load(arm_name), settings)
    state = {name: coordinates(text, arm, f"--{name}") for name in STATE if (text := given[name]) is not None}
    disturbance = given["disturbance"]
    axes = given["axes"]
    asked = State(
        arm=arm,
        **{name: state.get(name, [0.0] * arm.dof) for name in STATE},
        frame=given["frame"],
        axes=None if axes is None else axes.replace(",", " ").split(),
        wrenches={
            frame: numbers(text, arm, f"--wrench {frame}")
            for frame, text in named(wrenches, "--wrench", "frame=mx,my,mz,fx,fy,fz")
        },
        disturbance=None if disturbance is None else coordinates(disturbance, arm, "--disturbance"),
        singular=given["singular"] or "raise",
        damping=number(given["damping"] or "0", arm, "--damping"),
        factorisation=given["factorisation"] or "recursive",
    )
    answer = quantity.answer(asked)
    if as_json:
        from leverarm.cli.output import say_json

        say_json(_data(quantity, asked, answer))
    else:
        say_answer(quantity, asked, answer, tuple(state))


def _tell_unused(quantity: Quantity, given: dict[str, Any]) -> None:
    """A whole state may be given for any quantity, with a note; another option that cannot matter is a mistake."""
    used = (*quantity.needs, *quantity.options)
    for option, value in given.items():
        if value is not None and option not in used:
            takes = ", ".join(f"--{name}" for name in used) or "no option but --set"
            message = f"--{option} makes no difference to {quantity.name}; it takes {takes}."
            if option not in STATE:
                raise InputError(f"{message} Leave it out.")
            click.echo(f"note: {message}", err=True)


def _data(quantity: Quantity, s: State, answer: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"arm": s.arm.name, "quantity": quantity.name}
    data |= {name: list(getattr(s, name)) for name in quantity.needs}
    if "frame" in quantity.options and (s.frame or quantity.name != "forward-kinematics"):
        data["frame"] = s.frame or s.arm.tool
    if s.wrenches:
        data["wrenches"] = {frame: list(wrench) for frame, wrench in s.wrenches.items()}
    if s.disturbance is not None:
        data["disturbance"] = list(s.disturbance)
    unit = answer.unit if isinstance(answer.unit, str) else list(answer.unit)
    return data | {"value": answer.value, "labels": answer.labels, "unit": unit}
