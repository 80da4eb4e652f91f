"""`leverarm lint`: problems of an arm description."""

from __future__ import annotations

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
    from dataclasses import asdict

    from leverarm.cli.output import print_document, print_json
    from leverarm.documents.findings import findings_document

    arm = la.load(arm_name)
    findings = la.lint(arm)
    if as_json:
        print_json({"arm": arm.name, "findings": [asdict(finding) for finding in findings]})
    else:
        print_document(findings_document(arm.name, findings))
    ctx.exit(1 if any(finding.level == "error" for finding in findings) else 0)
