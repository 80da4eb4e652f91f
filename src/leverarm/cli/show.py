"""`leverarm show`: a picture of an arm and the tables of what it is made of."""

from __future__ import annotations

import click

import leverarm as la


@click.command()
@click.argument("arm_name", metavar="ARM")
@click.option("--q", metavar="NUMBERS", help="The pose: 0.1,0.2 or joint2=30deg; a presentable one unless given.")
@click.option("-o", "--output", metavar="FILE", help="Also write the picture to a .png or .svg file.")
@click.option("--frame", "frames", multiple=True, metavar="NAME", help="Show this frame too; may be repeated.")
def show(arm_name: str, q: str | None, output: str | None, frames: tuple[str, ...]) -> None:
    """A picture of an arm, and its joints, links, frames and symbols.

    \b
    leverarm show panda
    leverarm show scara --q 0.3,-0.5,0.2,0 -o scara.svg
    leverarm show robot.urdf --frame camera -o robot.png
    """
    from leverarm.cli.description import tables
    from leverarm.cli.numbers import coordinates
    from leverarm.cli.output import say, short, terminal_columns
    from leverarm.draw import LEGEND, presentable_pose, save_picture, terminal_picture

    arm = la.load(arm_name)
    pose = presentable_pose(arm) if q is None else coordinates(q, arm, "--q")
    picture = terminal_picture(arm, min(terminal_columns(), 120), pose, frames)
    if output is not None:
        save_picture(arm, output, pose, frames)
    shown = ", ".join(f"{name} {short(value)}" for name, value in zip(arm.joint_names, pose, strict=True))
    say(f"{arm.name}: {arm.title}" if arm.title else arm.name, "", picture, LEGEND)
    say(f"shown at {shown}", "", *tables(arm))
    if output is not None:
        click.echo(f"wrote {output}")
