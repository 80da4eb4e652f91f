"""`leverarm eval`: one quantity of the table at one state, with names and units, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.equations import RENAME_HELP, in_our_letters, note_also_meant, note_renamed, renamed
from leverarm.cli.output import Column, print_lines, short, table
from leverarm.cli.places import place_options, placed, said
from leverarm.errors import InputError
from leverarm.quantities.evaluation import Answer
from leverarm.quantities.evaluation import evaluate as evaluated
from leverarm.quantities.table import FACTORISED, TABLE, Quantity, also_meant, listing

if TYPE_CHECKING:
    from rich.console import RenderableType


WIDEST = 12
"""A matrix with more columns is printed on its side."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An arm, a quantity of it, the state (zero where it was not given) and the options."""

    arm: la.Arm
    quantity: Quantity
    state: Mapping[str, Sequence[float]]
    options: Mapping[str, Any]

    @property
    def frame(self) -> str | None:
        """The frame that the quantity is of. Poses without one are those of all frames."""
        if "frame" not in self.quantity.options or (not self.options["frame"] and self.quantity.name == "pose"):
            return None
        return self.options["frame"] or self.arm.tool

    @property
    def wrenches(self) -> Mapping[str, Sequence[float]]:
        return self.options["wrench"] or {}


def print_answer(asked: Asked, answer: Answer, given: Sequence[str]) -> None:
    """Prints the heading, the state that was used, and the value."""
    quantity = asked.quantity.of_arm(asked.arm)
    at = [f"{name} = ({', '.join(map(short, asked.state[name]))})" for name in quantity.arguments]
    assumed = [name for name in quantity.arguments if name not in given]
    meaning = FACTORISED.get(asked.options["factorisation"], quantity.meaning)
    print_lines(f"{asked.arm.name}: {quantity.letter}, {meaning}")
    if at:
        print_lines(f"at {', '.join(at)}" + (f"; {', '.join(assumed)} not given: zero" if assumed else ""))
    if asked.frame:
        print_lines(said(asked.arm, asked.frame))
    for frame, wrench in asked.wrenches.items():
        moment, force = ", ".join(map(short, wrench[:3])), ", ".join(map(short, wrench[3:]))
        print_lines(f"wrench on {frame}: moment ({moment}) N m, force ({force}) N")
    print_lines("", *_tables(quantity, answer))


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
EVALUABLE = tuple(quantity for quantity in TABLE if quantity.is_evaluable)
REUSED = {"p": "p is the generalised momentum; the gravity forces at a frame, p before version 0.2, are g_x."}
"""Letters that meant something else in the version before."""


@click.command(
    "eval",
    short_help="A quantity of the equations of motion at a state.",
    epilog=f"\b\nQUANTITY, by letter, name or word of books (`leverarm words`), with what it depends on:\n"
    f"{listing(EVALUABLE)}",
)
@click.argument("arm_name", metavar="ARM")
@click.argument("quantity_name", metavar="QUANTITY")
@click.option("--q", metavar="NUMBERS", help="Joint positions [rad, m]: 0.1,0.2 or joint2=30deg.")
@click.option("--qd", metavar="NUMBERS", help="Joint velocities [rad/s, m/s].")
@click.option("--qdd", metavar="NUMBERS", help="Joint accelerations [rad/s^2, m/s^2].")
@click.option("--tau", metavar="NUMBERS", help="Joint torques [N m, N].")
@place_options
@click.option("--axes", metavar="NAMES", help="Directions of the frame, among wx,wy,wz,x,y,z.")
@click.option("--wrench", "wrenches", multiple=True, metavar="FRAME=mx,my,mz,fx,fy,fz",
              help="Outside moment and force on a frame, world axes; may be repeated.")  # fmt: skip
@click.option("--disturbance", metavar="NUMBERS", help="Disturbance torques tau_d [N m, N].")
@click.option("--singular", metavar="POLICY", help="Lambda, mu, g_x at a singular pose: raise or restrict.")
@click.option("--damping", metavar="NUMBER", help="Damping of Lambda, mu, g_x [1/kg]: finite and smooth at every pose.")
@click.option("--factorisation", metavar="NAME", help="Which C: recursive, christoffel, upper or lagrange.")
@click.option("--rename", metavar="OLD=NEW,...", help=RENAME_HELP)
@click.option(
    "--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm; may be repeated."
)
@click.option("--steps", is_flag=True, help="tau also link by link: T, V, Vdot and F of Newton-Euler.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def evaluate(
    arm_name: str,
    quantity_name: str,
    wrenches: tuple[str, ...],
    settings: tuple[str, ...],
    rename: str | None,
    steps: bool,
    as_json: bool,
    **given: str | None,
) -> None:
    """A quantity of the equations of motion M qdd + C qd + F(qd) + g + tau_d = tau + J^T w.

    What is not given of q, qd, qdd and tau is zero. Numbers may be expressions: pi/2, 30deg, l1/2.

    \b
    leverarm eval elbow M --q 0.1,pi/3
    leverarm eval elbow tau --q 0.1,0.2 --qd -1,0.5 --qdd 0,0 --set m2=3
    leverarm eval panda J --q joint2=-45deg,joint4=-135deg --frame link5
    leverarm eval rr v --qd 1,0 --frame link2 --at com
    leverarm eval panda tau --q joint4=-90deg --wrench tool=0,0,0,0,0,-20
    leverarm eval elbow tau --q 0.1,0.2 --qd -1,0.5 --steps
    leverarm eval ur5 Lambda --q 0,-1,1.5,0,1,0 --axes x,y,z --json
    """
    from leverarm.cli.newton_euler_steps import check_has_steps, print_steps, steps_data
    from leverarm.cli.numbers import coordinates, named, number, numbers, with_settings

    (quantity,) = in_our_letters([quantity_name], EVALUABLE)
    note_renamed([quantity_name])
    if quantity_name in REUSED:
        click.echo(f"note: {REUSED[quantity_name]}", err=True)
    if steps:
        check_has_steps(quantity)
    other = also_meant(quantity_name, EVALUABLE)
    _refuse_unused(quantity, {**given, "wrench": wrenches or None}, other)
    arm = with_settings(renamed(la.load(arm_name), rename), settings)
    arm, given["frame"] = placed(arm, given["frame"], given["at"], given["point"])
    state = {name: coordinates(text, arm, f"--{name}") for name in STATE if (text := given[name]) is not None}
    axes, damping, disturbance = given["axes"], given["damping"], given["disturbance"]
    pushed = named(wrenches, "--wrench", "frame=mx,my,mz,fx,fy,fz")
    options = {
        "frame": given["frame"],
        "axes": None if axes is None else axes.replace(",", " ").split(),
        "wrench": {frame: numbers(text, arm, f"--wrench {frame}") for frame, text in pushed} or None,
        "disturbance": None if disturbance is None else coordinates(disturbance, arm, "--disturbance"),
        "singular": given["singular"],
        "damping": None if damping is None else number(damping, arm, "--damping"),
        "factorisation": given["factorisation"],
    }
    asked = Asked(arm, quantity, {name: state.get(name, [0.0] * arm.dof) for name in STATE}, options)
    answer = evaluated(arm, quantity, asked.state, options)
    q, qd, qdd, _ = asked.state.values()
    by_link = la.newton_euler_steps(arm, q, qd, qdd, wrenches=asked.wrenches) if steps else ()
    if as_json:
        from leverarm.cli.output import print_json

        note_also_meant([quantity_name])
        print_json(_data(asked, answer) | ({"steps": steps_data(by_link)} if steps else {}))
        return
    print_answer(asked, answer, tuple(state))
    if steps:
        print_steps(by_link)
    if other is not None:
        print_lines("", f"What some books call {quantity_name}:", "")
        print_answer(replace(asked, quantity=other), evaluated(arm, other, asked.state), tuple(state))


def _refuse_unused(quantity: Quantity, given: dict[str, Any], other: Quantity | None) -> None:
    """A whole state may be given for any quantity, with a note; another option that cannot matter is a mistake."""
    places = ("at", "point") if "frame" in quantity.options else ()
    used = [name for name in (*quantity.arguments, *quantity.options, *places) if name in given]
    used += [name for name in (() if other is None else other.arguments) if name not in used]
    for option, value in given.items():
        if value is not None and option not in used:
            takes = ", ".join(f"--{name}" for name in used) or "no option but --set"
            message = f"--{option} makes no difference to {quantity.spelled}; it takes {takes}."
            if option not in STATE:
                raise InputError(f"{message} Leave it out.")
            click.echo(f"note: {message}", err=True)


def _data(asked: Asked, answer: Answer) -> dict[str, Any]:
    quantity = asked.quantity
    data: dict[str, Any] = {"arm": asked.arm.name, "quantity": quantity.spelled}
    data |= {name: list(asked.state[name]) for name in quantity.arguments}
    if asked.frame:
        data["frame"] = asked.frame
    if asked.wrenches:
        data["wrenches"] = {frame: list(wrench) for frame, wrench in asked.wrenches.items()}
    if asked.options["factorisation"] is not None:
        data["factorisation"] = asked.options["factorisation"]
    if asked.options["disturbance"] is not None:
        data["disturbance"] = list(asked.options["disturbance"])
    unit = answer.unit if isinstance(answer.unit, str) else list(answer.unit)
    return data | {"value": answer.value, "labels": answer.labels, "unit": unit}
