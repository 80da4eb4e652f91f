"""What `leverarm payload --gains-from-load` prints: torque per ampere of each drive, weighed by a known load."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import leverarm as la
from leverarm.cli.payload import doing, in_options, say_findings
from leverarm.errors import InputError


def tell_gains(
    arm: la.Arm,
    logs: tuple[str, ...],
    known: str,
    frame: str | None,
    as_json: bool,
    given: dict[str, Any],
) -> None:
    """Prints the gains of the drives; `known` is the load, MASS or MASS,x,y,z."""
    from leverarm.cli.log_options import log_source, reading_options
    from leverarm.cli.numbers import numbers
    from leverarm.cli.output import Column, say, say_json, table
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
        say_json(_facts(found))
        return
    rows = [
        [joint, digits(float(value)), f"{1.96 * error:.2g}", "" if told else "not told", f"{torque:.2g}"]
        for joint, value, error, told, torque in zip(
            found.joints, found.values, found.standard_errors, found.told, found.load_torques, strict=True
        )
    ]
    heads = [Column("joint"), Column("N m per A", is_number=True), Column("+- (95 %)", is_number=True), Column("")]
    say(table("", [*heads, Column("load [N m]", is_number=True)], rows), "")
    say(f"--gains {','.join(digits(float(value)) for value in found.values)}")
    say_findings(found.findings)


def _facts(found: la.Gains) -> dict[str, Any]:
    return {
        "joints": list(found.joints),
        "gains": found.values.tolist(),
        "standard_errors": found.standard_errors.tolist(),
        "intervals": found.intervals.tolist(),
        "told": found.told.tolist(),
        "load_torques": found.load_torques.tolist(),
        "findings": [asdict(finding) for finding in found.findings],
        "seconds": found.seconds,
    }
