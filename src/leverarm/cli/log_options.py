"""How to read a log, from options that several commands share: the keywords of `la.read_log`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

import leverarm as la
from leverarm.errors import InputError, require_known

Command = TypeVar("Command", bound=Callable[..., Any])

QUANTITIES = ("t", "q", "qd", "qdd", "tau")
OPTIONS = ("columns", "units", "rate", "ratio", "motor_side", "gains", "zero")
"""What `log_options` adds to a command's arguments."""
UNUSED = "none"
"""In place of columns: this quantity of the file is not used."""


def log_options(command: Command) -> Command:
    """Adds --columns, --units, --rate, --ratio, --motor-side, --gains and --zero to a command."""
    options = [
        click.option(
            "--columns",
            multiple=True,
            metavar="q=COLUMNS",
            help="Columns by name, number range (2-8) or prefix; none: not used.",
        ),
        click.option("--units", multiple=True, metavar="q=UNIT", help="Units: q=deg, qd=rpm, tau=A, t=ms."),
        click.option("--rate", metavar="HZ", help="Sampling rate, where the log has no times."),
        click.option(
            "--ratio",
            metavar="NUMBERS",
            help="Gear ratios (motor turns per joint turn); a matrix by rows, separated by ;.",
        ),
        click.option("--motor-side", metavar="q,tau", help="Signals measured at the motor (default: all)."),
        click.option(
            "--gains", metavar="NUMBERS", help="Drive gains [N m/A] of each joint, where torques are currents."
        ),
        click.option("--zero", metavar="NUMBERS", help="Offset added to the positions [rad, m], e.g. 90deg."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def reading_options(arm: la.Arm, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of `la.read_log` that were given, from the arguments of a command; others are ignored."""
    from leverarm.cli.numbers import coordinates, number, one_or_each

    found: dict[str, Any] = {}
    if given["columns"]:
        pairs = _by_quantity(given["columns"], "--columns", "q=2-8 or q=a,b,c")
        found["columns"] = {name: [] if text.strip() == UNUSED else text for name, text in pairs}
    if given["units"]:
        pairs = _by_quantity(given["units"], "--units", "q=deg")
        found["units"] = {name: one_or_each([part.strip() for part in text.split(",")]) for name, text in pairs}
    if given["rate"] is not None:
        found["rate"] = number(given["rate"], arm, "--rate")
    if given["ratio"] is not None:
        found["ratio"] = _matrix(given["ratio"], arm)
    if given["motor_side"] is not None:
        found["motor_side"] = _quantities(given["motor_side"])
        if given["ratio"] is None:
            raise InputError("--motor-side makes no difference without --ratio. Give that too, or leave it out.")
    if given["gains"] is not None:
        found["gains"] = _numbers(given["gains"], arm, "--gains")
    if given["zero"] is not None:
        text = given["zero"]
        found["zero"] = coordinates(text, arm, "--zero") if "=" in text else _numbers(text, arm, "--zero")
    return found


def log_source(text: str) -> str | tuple[str, ...]:
    """A file, or a+b: files whose columns stand side by side."""
    parts = tuple(part.strip() for part in text.split("+"))
    return text if len(parts) == 1 or not all(parts) or Path(text).exists() else parts


def _by_quantity(texts: Sequence[str], option: str, form: str) -> list[tuple[str, str]]:
    """(quantity, text) pairs from name=text, several in one text or the option given several times."""
    from leverarm.cli.numbers import named

    parts = [part for text in texts for part in re.split(rf"[,;\s]+(?=(?:{'|'.join(QUANTITIES)})\s*=)", text)]
    pairs = named(parts, option, form)
    for name, _ in pairs:
        require_known("quantity", name, QUANTITIES, option)
    return pairs


def _matrix(text: str, arm: la.Arm) -> Any:
    """Numbers, or rows of them between semicolons."""
    if ";" not in text:
        return _numbers(text, arm, "--ratio")
    from leverarm.cli.numbers import numbers

    rows = [numbers(row, arm, "--ratio") for row in text.strip(" ;").split(";")]
    if len({len(row) for row in rows}) > 1:
        raise InputError(f"--ratio: rows of {', '.join(str(len(row)) for row in rows)} numbers; all take {arm.dof}.")
    return rows


def _quantities(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        require_known("quantity", name, QUANTITIES[1:], "--motor-side")
    return names


def _numbers(text: str, arm: la.Arm, option: str) -> Any:
    from leverarm.cli.numbers import numbers, one_or_each

    return one_or_each(numbers(text, arm, option))
