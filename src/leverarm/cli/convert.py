"""`leverarm convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path

import click

import leverarm as la
from leverarm.errors import InputError


def is_native(file: str) -> bool:
    """Whether a file's ending names leverarm's own format, which holds symbols."""
    name = Path(file).name.lower()
    return name.endswith(".toml") and not name.endswith((".dh.toml", ".screws.toml"))


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--lock", "locks", multiple=True, metavar="JOINT=VALUE", help="Freeze a joint; may be repeated.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
def convert(source: str, target: str, locks: tuple[str, ...], force: bool) -> None:
    """Read an arm from IN and write it to OUT.

    IN is a catalog name or a file. The ending of OUT names the format: .toml, .urdf, .dh.toml, .screws.toml, .csv (a DH
    table). OUT is written whole or not at all; an arm that the format cannot hold is refused with the reason. Only
    .toml keeps symbols; the others hold their values, and a note says so.

    \b
    leverarm convert panda panda.urdf
    leverarm convert robot.urdf robot.toml --lock finger=0.02 --lock wrist=90deg
    leverarm convert puma560 puma.dh.toml --force
    """
    from leverarm.cli.numbers import named, quantity

    if not target.strip():
        raise InputError("OUT is empty; give the name of a file such as arm.urdf.")
    if Path(target).exists() and not force:
        raise InputError(f"{target} exists. Give another name, or --force to replace it.")
    arm = la.load(source)
    pairs = named(locks, "--lock", "joint=value")
    if pairs:
        arm = la.lock(arm, {name: quantity(value, arm, f"--lock {name}") for name, value in pairs})
    la.save(arm, target)
    if arm.symbols and not is_native(target):
        click.echo(f"note: this format has no symbols; {', '.join(arm.defaults)} are written as numbers.", err=True)
    frozen = f", with {', '.join(name for name, _ in pairs)} locked" if pairs else ""
    joints = f"{arm.dof} coordinate{'s' * (arm.dof != 1)}"
    click.echo(f"wrote {target}: {arm.name}, {joints}, {len(arm.bodies)} bodies{frozen}")
