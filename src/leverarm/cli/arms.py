"""`leverarm arms`: the catalog."""

from __future__ import annotations

import click

import leverarm as la


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def arms(as_json: bool) -> None:
    """The arms that ship with leverarm.

    \b
    leverarm arms
    leverarm show scara
    """
    from leverarm.cli.output import Column, is_terminal, print_json, print_lines, table, terminal_columns

    catalog = [la.load(name) for name in la.catalog_names()]
    if as_json:
        print_json([_entry(arm) for arm in catalog])
        return
    heads = [Column("arm"), Column("joints"), Column("dof", is_number=True), Column("title")]
    rows = [[arm.name, joint_letters(arm), str(arm.dof), arm.title] for arm in catalog]
    origins = [(arm.licence, arm.source) for arm in catalog]
    if is_terminal():  # two lines per arm, cut to fit; in a pipe one line, whole
        room = terminal_columns() - sum(2 + max(len(row[k]) for row in rows) for k in range(3)) - 2
        for row, origin in zip(rows, origins, strict=True):
            row[3] = f"{_cut(row[3], room)}\n  {_cut('; '.join(origin), room - 2)}"
        print_lines(table("", heads, rows))
    else:
        rows = [[*row, *origin] for row, origin in zip(rows, origins, strict=True)]
        print_lines(table("", [*heads, Column("licence"), Column("source")], rows))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def joint_letters(arm: la.Arm) -> str:
    """The kinds of the joints that move, from the base on: RRP."""
    return "".join(body.joint.kind.traits.letter for body in arm.bodies if not body.joint.is_fixed)


def _entry(arm: la.Arm) -> dict[str, object]:
    credits = {name: getattr(arm, name) for name in ("title", "source", "licence")}
    joints = {"joints": joint_letters(arm), "dof": arm.dof, "joint_names": list(arm.joint_names)}
    return {"name": arm.name, **joints, **credits}
