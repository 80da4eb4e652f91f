"""Old names of options work for one version, with a note."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from leverarm.cli.command_group import RenamingCommand


@click.command(cls=RenamingCommand, renamed={"--zeros": "--zero"})
@click.option("--zero")
@click.argument("rest", nargs=-1)
def command(zero: str | None, rest: tuple[str, ...]) -> None:
    click.echo(f"{zero} {rest}")


@pytest.mark.parametrize("args", [("--zeros", "1"), ("--zeros=1",)])
def test_an_old_name_is_read_as_the_new_one_with_a_note(args):
    result = CliRunner().invoke(command, list(args))
    assert result.exit_code == 0 and result.stdout == "1 ()\n"
    assert result.stderr == "note: --zeros is now called --zero; the old name works in this version only.\n"


def test_the_new_name_and_what_follows_two_dashes_are_left_alone():
    result = CliRunner().invoke(command, ["--zero", "1", "--", "--zeros"])
    assert result.stdout == "1 ('--zeros',)\n" and result.stderr == ""
    assert "--zeros" not in CliRunner().invoke(command, ["--help"]).stdout
