"""`leverarm show`: a picture of an arm and tables of its joints, links, frames and symbols."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.output import Column, table

if TYPE_CHECKING:
    from rich.console import RenderableType


COORDINATES = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z", (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}


def tables(arm: la.Arm) -> list[RenderableType]:
    """Everything there is to say about an arm."""
    parts: list[RenderableType] = []
    for found in (_joints(arm), *_drives(arm), *_springs(arm), _links(arm), _frames(arm), *_symbols(arm)):
        parts += [found, ""]
    parts.append(f"gravity  {_triple(arm.gravity)} m/s^2")
    parts += [f"{what}  {text}" for what, text in (("source", arm.source), ("licence", arm.licence)) if text]
    return parts


def _joints(arm: la.Arm) -> RenderableType:
    places = ("joint", "kind", "axis", "xyz [m]", "rpy [rad]")
    heads = (*places, "range", "speed", "effort", "follows")
    rows = []
    for body in arm.bodies:
        joint, limits = body.joint, body.joint.limits
        axis = "" if not joint.kind.moves else COORDINATES.get(tuple(joint.axis)) or _triple(joint.axis)
        kind = str(joint.kind) if joint.locked is None else f"locked at {_number(joint.locked)}"
        if joint.kind.has_pitch:
            kind += f", {_number(joint.pitch)} {joint.kind.traits.pitch_unit}"
        rows.append([
            joint.name, kind, axis, _triple(joint.placement.xyz), _triple(joint.placement.rpy),
            _range(limits.lower, limits.upper), _number(limits.velocity), _number(limits.effort), _coupling(joint),
        ])  # fmt: skip
    return table("Joints", [Column(head) for head in heads], rows)


def _drives(arm: la.Arm) -> list[RenderableType]:
    """Friction and rotors of the joints that have them; "back" is for negative speed."""
    names = la.model.FRICTION_NUMBERS
    shown_as = {name: name.replace("_negative", " back") for name in names} | {"smoothing": "tanh width"}
    friction = sorted(names, key=lambda name: names.index(name.removesuffix("_negative")))
    of_shafts = [law.name for law in la.model.SHAFT_LAWS]
    motors = ("rotor [kg m^2]", "gear", "rotor turns with", *(f"shaft {name}" for name in of_shafts))
    heads = ["joint", *(shown_as[name] for name in friction), *motors]
    rows = []
    for joint in (body.joint for body in arm.bodies if body.joint.friction or body.joint.motor):
        f, motor = joint.friction, joint.motor
        forces = [getattr(f, name, None) for name in friction]
        rotor = (motor.inertia, motor.gear) if motor else (None, None)
        also = ", ".join(f"{_number(ratio)} {name}" for name, ratio in motor.also) if motor else ""
        shaft = [getattr(motor, name, None) for name in of_shafts]
        shown, of_shaft = (["" if x == 0 else _number(x) for x in parts] for parts in (forces, shaft))
        rows.append([joint.name, *shown, *map(_number, rotor), also, *of_shaft])
    rare = {f"shaft {name}" for name in of_shafts} | {law.name for law in la.model.LOADED_LAWS}
    kept = [i for i, head in enumerate(heads) if head not in rare or any(row[i] for row in rows)]
    heads, rows = [heads[i] for i in kept], [[row[i] for i in kept] for row in rows]
    return [table("Friction and motors", [Column(head) for head in heads], rows)] if rows else []


def _springs(arm: la.Arm) -> list[RenderableType]:
    """The springs of the joints that have one."""
    heads = [Column(head) for head in ("joint", "stiffness", "", "rest", "")]
    rows = []
    for joint in (body.joint for body in arm.bodies):
        if joint.spring is not None:
            units = ("N m/rad", "rad") if joint.kind.turns else ("N/m", "m")
            rows.append([joint.name, _number(joint.spring.stiffness), units[0], _number(joint.spring.rest), units[1]])
    return [table("Springs", heads, rows)] if rows else []


def _links(arm: la.Arm) -> RenderableType:
    heads = ("link", "on", "mass [kg]", "com [m]", "Ixx Iyy Izz [kg m^2]", "Ixy Ixz Iyz", "about", "turned by")
    rows = []
    for body in arm.bodies:
        mass, tensor = body.mass_properties, body.mass_properties.inertia
        moments, products = (tensor.xx, tensor.yy, tensor.zz), (tensor.xy, tensor.xz, tensor.yz)
        has_inertia = any(part != 0 for part in (*moments, *products))
        rows.append([
            body.name, body.parent, _number(mass.mass), _triple(mass.com) if mass.mass != 0 else "",
            _triple(moments) if has_inertia else "0", _triple(products) if any(p != 0 for p in products) else "",
            mass.about if has_inertia else "", _triple(mass.rpy) if any(p != 0 for p in mass.rpy) else "",
        ])  # fmt: skip
    return table("Links", [Column(head) for head in heads], rows)


def _frames(arm: la.Arm) -> RenderableType:
    rows = [[f.name, f.body, _triple(f.placement.xyz), _triple(f.placement.rpy)] for f in arm.named_frames]
    rows.insert(0, [arm.base, "world", _triple(arm.base_placement.xyz), _triple(arm.base_placement.rpy)])
    return table("Frames", [Column(head) for head in ("frame", "on", "xyz [m]", "rpy [rad]")], rows)


def _symbols(arm: la.Arm) -> list[RenderableType]:
    rows = [[name, _number(value)] for name, value in arm.symbols]
    return [table("Symbols", [Column("symbol"), Column("value", is_number=True)], rows)] if rows else []


def _number(x: la.types.Quantity | None) -> str:
    if x is None:
        return ""
    return f"{float(x):.4g}" if isinstance(x, Real) else la.model.format_quantity(x)


def _triple(parts: Any) -> str:
    """Three numbers; a single 0 for none."""
    entries = list(parts)
    return "0" if all(entry == 0 for entry in entries) else "  ".join(_number(entry) for entry in entries)


def _range(lower: la.types.Quantity | None, upper: la.types.Quantity | None) -> str:
    if lower is None and upper is None:
        return ""
    if lower is not None and upper is not None and _number(lower) == f"-{_number(upper)}":
        return f"±{_number(upper)}"
    return f"{'-inf' if lower is None else _number(lower)} to {'inf' if upper is None else _number(upper)}"


def _coupling(joint: Any) -> str:
    if joint.coupling is None:
        return ""
    terms = " + ".join(f"{_number(ratio)} {name}" for name, ratio in joint.coupling)
    return terms if joint.offset == 0 else f"{terms} + {_number(joint.offset)}"


@click.command()
@click.argument("arm_name", metavar="ARM")
@click.option("--q", metavar="NUMBERS", help="Pose: 0.1,0.2 or joint2=30deg (default: one that shows the arm well).")
@click.option("-o", "--output", metavar="FILE", help="Also write the picture to a .png or .svg file.")
@click.option("--frame", "frames", multiple=True, metavar="NAME", help="Draw this frame too; may be repeated.")
def show(arm_name: str, q: str | None, output: str | None, frames: tuple[str, ...]) -> None:
    """A picture of an arm, and its joints, links, frames and symbols.

    \b
    leverarm show panda
    leverarm show scara --q 0.3,-0.5,0.2,0 -o scara.svg
    leverarm show robot.urdf --frame camera -o robot.png
    """
    from leverarm.cli.numbers import coordinates
    from leverarm.cli.output import print_lines, short, terminal_columns
    from leverarm.pictures import LEGEND, presentable_pose, save_picture, terminal_picture

    arm = la.load(arm_name)
    pose = presentable_pose(arm) if q is None else coordinates(q, arm, "--q")
    picture = terminal_picture(arm, min(terminal_columns(), 120), pose, frames)
    if output is not None:
        save_picture(arm, output, pose, frames)
    shown = ", ".join(f"{name} {short(value)}" for name, value in zip(arm.joint_names, pose, strict=True))
    print_lines(f"{arm.name}: {arm.title}" if arm.title else arm.name, "", picture, LEGEND)
    print_lines(f"shown at {shown}", "", *tables(arm))
    if output is not None:
        click.echo(f"wrote {output}")
