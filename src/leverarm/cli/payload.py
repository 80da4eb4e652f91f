"""`leverarm payload`: a payload from logs without and with it; or drive gains from a known load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

import leverarm as la
from leverarm.cli.command_group import Mistake
from leverarm.cli.log_options import log_options
from leverarm.cli.output_files import doing
from leverarm.errors import FormatError, InputError, LeverarmError

REFUSED = 1
NOTHING = 1e-9
"""[kg, m, kg m^2], shown as zero."""
ENDINGS = (".json", ".toml", ".urdf")


@click.command(short_help="Identify mass, centre and inertia of a payload from logs.")
@click.argument("arm_name", metavar="ARM")
@click.argument("logs", metavar="[WITHOUT] WITH", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="PATH", help="Write all files to a folder; or .json, or the loaded arm: .toml, .urdf."
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
        _check_path(output)
    found = _found(arm, logs, frame, given)
    if output is not None:
        found.save(output)
    _report(found, output, as_json)
    if not found.accepted:
        raise click.exceptions.Exit(REFUSED)


def _found(arm: la.Arm, logs: tuple[str, ...], frame: str | None, given: dict[str, Any]) -> la.types.PayloadEstimate:
    from leverarm.cli.log_options import log_source, reading_options

    without = arm if len(logs) == 1 else log_source(logs[0])
    reading = reading_options(arm, given)
    with in_options(), doing(f"load of {arm.name[:16]}") as progress:
        return la.identify_payload(arm, without, log_source(logs[-1]), frame=frame, progress=progress, **reading)


def _report(found: la.types.PayloadEstimate, output: str | None, as_json: bool) -> None:
    from leverarm.cli.output import Column, print_lines, table

    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    rows = [
        [
            entry.name,
            entry.unit,
            f"{entry.consistent:.5g}" if abs(entry.consistent) > NOTHING else "0",
            *((f"{entry.value:.5g}", f"{1.96 * entry.standard_error:.2g}") if entry.identifiable else ("", "")),
            "" if entry.identifiable else "not identifiable",
        ]
        for entry in found.numbers
    ]
    heads = [Column("load at " + found.frame), Column("unit")]
    heads += [Column(head, is_number=True) for head in ("consistent", "least squares", "+- (95 %)")]
    print_lines(table("", [*heads, Column("")], rows), "")
    print_lines(
        f"torques with the load: {found.before.filtered_error:.3g} % not predicted by the arm alone, "
        f"{found.after.filtered_error:.3g} % with the load (filtered, left-out blocks); found in {found.seconds:.3g} s"
    )
    print_findings(found.findings)
    if output is not None:
        print_lines("", f"wrote {output}")


def _check_path(output: str) -> None:
    """Raises FormatError for what cannot be written, before the work starts."""
    path = Path(output)
    if path.suffix and path.suffix.lower() not in ENDINGS and not path.is_dir():
        raise FormatError(f"-o: {path.name!r} is no payload file. Valid: {', '.join(ENDINGS)}, or a folder.")
    if not path.suffix and path.is_file():
        raise FormatError(f"-o: {output!r} is a file; a payload is written into a folder. Give another name.")
    if not path.absolute().parent.is_dir():
        raise FormatError(f"-o: there is no folder {str(path.parent)!r} for {path.name!r}. Make it first.")


def print_findings(findings: tuple[la.types.Finding, ...]) -> None:
    from leverarm.cli.output import print_lines
    from leverarm.cli.reading_words import in_reading_options

    for finding in findings:
        message, remedy = in_reading_options(finding.message), in_reading_options(finding.remedy)
        print_lines(str(replace(finding, message=message, remedy=remedy)))


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
    from leverarm.cli.output import Column, print_json, print_lines, table
    from leverarm.cli.output import short as digits

    if len(logs) != 2:
        raise InputError(f"--gains-from-load: {len(logs)} logs were given; it takes two, WITHOUT WITH.")
    load = numbers(known, arm, "--gains-from-load")
    if len(load) not in (1, 4):
        raise InputError(
            f"--gains-from-load: {len(load)} numbers; it takes MASS, or MASS,x,y,z with the centre of mass."
        )
    empty, loaded = (log_source(log) for log in logs)
    reading = reading_options(arm, given)
    with in_options(), doing(f"gains of {arm.name[:16]}") as progress:
        found = la.identify_gains(
            arm, empty, loaded, mass=load[0], com=load[1:] or [0.0] * 3, frame=frame, progress=progress, **reading
        )
    if as_json:
        print_json(_facts(found))
        return
    rows = [
        [joint, digits(float(value)), f"{1.96 * error:.2g}", "" if precise else "not identifiable", f"{torque:.2g}"]
        for joint, value, error, precise, torque in zip(
            found.joints, found.values, found.standard_errors, found.identifiable, found.load_torques, strict=True
        )
    ]
    heads = [Column("joint"), Column("N m per A", is_number=True), Column("+- (95 %)", is_number=True), Column("")]
    print_lines(table("", [*heads, Column("load [N m]", is_number=True)], rows), "")
    print_lines(f"--gains {','.join(digits(float(value)) for value in found.values)}")
    print_findings(found.findings)


def _facts(found: la.types.Gains) -> dict[str, Any]:
    return {
        "joints": list(found.joints),
        "gains": found.values.tolist(),
        "standard_errors": found.standard_errors.tolist(),
        "intervals": found.intervals.tolist(),
        "identifiable": found.identifiable.tolist(),
        "load_torques": found.load_torques.tolist(),
        "findings": [asdict(finding) for finding in found.findings],
        "seconds": found.seconds,
    }
