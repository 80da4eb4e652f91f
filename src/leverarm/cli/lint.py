"""`leverarm lint`: problems of an arm description."""

from __future__ import annotations

import os

import click

import leverarm as la


@click.command(short_help="Problems of an arm description, and what to do about them.")
@click.argument("arm_name", metavar="ARM")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def lint(ctx: click.Context, arm_name: str, as_json: bool) -> None:
    """What is impossible, suspicious or missing in an arm, and what to do about it.

    The exit code is 1 where something is impossible (an error), 0 otherwise.

    \b
    leverarm lint panda
    leverarm lint my_arm.urdf --json
    """
    from leverarm.cli.output import COLOURS, print_json

    arm = la.load(arm_name)
    findings = la.lint(arm)
    if as_json:
        found = [{"level": f.level, "where": f.where, "message": f.message, "remedy": f.remedy} for f in findings]
        print_json({"arm": arm.name, "findings": found})
    else:
        color = False if os.environ.get("NO_COLOR") else None
        for finding in findings:
            level = click.style(finding.level, fg=COLOURS[finding.level], bold=True)
            click.echo(f"{level}: {finding.where}: {finding.message}", color=color)
            click.echo(f"    {finding.remedy}")
        click.echo(_summary(arm.name, [finding.level for finding in findings]))
    ctx.exit(1 if any(finding.level == "error" for finding in findings) else 0)


def _summary(name: str, levels: list[str]) -> str:
    from leverarm.cli.output import COLOURS

    numbers = {level: levels.count(level) for level in COLOURS if level in levels}
    counts = [f"{number} {level}{'s' * (number != 1)}" for level, number in numbers.items()]
    return f"{name}: {', '.join(counts)}" if counts else f"{name}: nothing to remark"
