"""`leverarm convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path

import click

import leverarm as la
from leverarm.errors import InputError


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--lock", "locks", multiple=True, metavar="JOINT=VALUE", help="Freeze a joint; may be repeated.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
def convert(source: str, target: str, locks: tuple[str, ...], force: bool) -> None:
    """Read an arm from IN and write it to OUT.

    IN is a catalog name or a file. The ending of OUT names the format: .toml, .urdf, .dh.toml, .screws.toml, .csv (a DH
    table). OUT is written whole or not at all; an arm that the format cannot hold is refused with the reason.

    \b
    leverarm convert panda panda.urdf
    leverarm convert robot.urdf robot.toml --lock finger=0.02 --lock wrist=90deg
    leverarm convert puma560 puma.dh.toml --force
    """
    from leverarm.cli.numbers import named, quantity

    if Path(target).exists() and not force:
        raise InputError(f"{target} exists. Give another name, or --force to replace it.")
    arm = la.load(source)
    pairs = named(locks, "--lock", "joint=value")
    if pairs:
        arm = la.lock(arm, {name: quantity(value, arm, f"--lock {name}") for name, value in pairs})
    la.save(arm, target)
    frozen = f", with {', '.join(name for name, _ in pairs)} locked" if pairs else ""
    joints = f"{arm.dof} coordinate{'s' * (arm.dof != 1)}"
    click.echo(f"wrote {target}: {arm.name}, {joints}, {len(arm.bodies)} bodies{frozen}")
