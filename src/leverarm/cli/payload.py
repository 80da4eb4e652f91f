"""`leverarm payload`: a payload from logs without and with it; or drive gains from a known load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

import leverarm as la
from leverarm.cli.command_group import Mistake
from leverarm.cli.log_options import log_options
from leverarm.cli.output_files import check_result
from leverarm.cli.progress import progress_bar
from leverarm.errors import InputError, LeverarmError

REFUSED = 1


@click.command(short_help="Identify mass, centre and inertia of a payload from logs.")
@click.argument("arm_name", metavar="ARM")
@click.argument("logs", metavar="[WITHOUT] WITH", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Write a report, JSON, TOML and URDF to a folder; or one of them, by its ending.",
)
@click.option("--frame", metavar="NAME", help="The frame the load is described in (default: the tool).")
@click.option("--gains-from-load", "known", metavar="MASS[,x,y,z]",
              help="A known load [kg, m] calibrates the drive gains (N m per A); torques are currents.")  # fmt: skip
@log_options
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def payload(
    arm_name: str,
    logs: tuple[str, ...],
    output: str | None,
    frame: str | None,
    known: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Identify mass, centre of mass and inertia of a payload, each with its 95 % interval.

    WITHOUT and WITH are logs as for `leverarm identify`, without the load and with it; the motions may differ. With one
    log the arm is taken as described. The exit code is 0 where the mass is identifiable, 1 where it is not (files are
    written all the same), 2 for input that cannot be used.

    With --gains-from-load a known load calibrates the drive gains: the torques of the logs are currents, and the output
    is what --gains takes.

    \b
    leverarm payload panda empty.csv gripper.csv
    leverarm payload ur5 empty.csv loaded.csv --frame tool0 -o result
    leverarm payload my_arm.urdf loaded.csv -o arm_with_load.urdf
    leverarm payload ur5 empty.csv loaded.csv --units tau=A --gains-from-load 5,0,0,0.06
    """
    from leverarm.cli.numbers import with_settings

    arm = with_settings(la.load(arm_name), given["settings"])
    if known is not None:
        if output is not None:
            raise InputError("-o has nothing to write with --gains-from-load. Leave it out; --json prints all digits.")
        print_gains(arm, logs, known, frame, as_json, given)
        return
    if len(logs) > 2:
        raise InputError(f"{len(logs)} logs were given; it takes one without the load and one with it: WITHOUT WITH.")
    if output is not None:
        check_result(output)
    found = _found(arm, logs, frame, given)
    if output is not None:
        found.save(output)
    _report(found, output, as_json)
    if not found.accepted:
        raise click.exceptions.Exit(REFUSED)


def _found(arm: la.Arm, logs: tuple[str, ...], frame: str | None, given: dict[str, Any]) -> la.types.PayloadEstimate:
    from leverarm.cli.log_options import log_source, reading_options
    from leverarm.cli.reading_words import with_options

    without = arm if len(logs) == 1 else log_source(logs[0])
    reading = reading_options(arm, given)
    with in_options(), progress_bar(f"load of {arm.name[:16]}") as report:
        steps = partial(report, None)
        found = la.identify_payload(arm, without, log_source(logs[-1]), frame=frame, progress=steps, **reading)
    return with_options(found)


def _report(found: la.types.PayloadEstimate, output: str | None, as_json: bool) -> None:
    from leverarm.cli.output import print_document

    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    print_document(found.document())
    if output is not None:
        click.echo(f"wrote {output}")


@contextmanager
def in_options() -> Iterator[None]:
    """Errors in terms of the command line."""
    from leverarm.cli.reading_words import in_reading_options

    try:
        yield
    except LeverarmError as problem:
        raise Mistake(in_reading_options(str(problem))) from None


def print_gains(
    arm: la.Arm,
    logs: tuple[str, ...],
    known: str,
    frame: str | None,
    as_json: bool,
    given: dict[str, Any],
) -> None:
    """Prints the drive gains; `known` is the load, MASS or MASS,x,y,z."""
    from leverarm.cli.log_options import log_source, reading_options
    from leverarm.cli.numbers import numbers
    from leverarm.cli.output import print_document
    from leverarm.cli.reading_words import with_options

    if len(logs) != 2:
        raise InputError(f"--gains-from-load: {len(logs)} logs were given; it takes two, WITHOUT WITH.")
    load = numbers(known, arm, "--gains-from-load")
    if len(load) not in (1, 4):
        raise InputError(
            f"--gains-from-load: {len(load)} numbers; it takes MASS, or MASS,x,y,z with the centre of mass."
        )
    empty, loaded = (log_source(log) for log in logs)
    reading = reading_options(arm, given)
    with in_options(), progress_bar(f"gains of {arm.name[:16]}") as report:
        centre, steps = load[1:] or [0.0] * 3, partial(report, None)
        found = la.identify_gains(arm, empty, loaded, mass=load[0], com=centre, frame=frame, progress=steps, **reading)
    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    print_document(with_options(found).document())
    click.echo(f"--gains {','.join(f'{value:.6g}' for value in found.values)}")
