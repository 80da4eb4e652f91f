"""What `derive` and `equations` have in common: which arm is meant, and patience."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import click

import leverarm as la
from leverarm.errors import FormatError, InputError, unknown_name

SYMBOLIC = ("inertia", "geometry", "gravity", "friction", "motors")
DEFAULTS = {"coordinates": "own", "angles": "short"}
PATIENCE = 1.0
"""How long nothing is said [s]."""


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say which arm is meant and how its coordinates and angles are written."""
    names = "own names where they are letters, or theta or q with numbers."
    groups = f"Turn numbers into symbols first: {', '.join(SYMBOLIC)}, or all."
    for flag, metavar, text in (
        ("--angles", "NAME", "short (c1, s12) or expanded (cos(theta1))."),
        ("--coordinates", "NAME", names),
        ("--symbolic", "GROUPS", groups),
    ):
        command = click.option(flag, metavar=metavar, default=DEFAULTS.get(flag[2:]), help=text)(command)
    return command


def arm_of(name: str, symbolic: str | None) -> la.Arm:
    """The arm, with the groups of numbers that are asked for as symbols."""
    groups = groups_of(symbolic)
    return la.symbolic(la.load(name), *groups) if groups else la.load(name)


def groups_of(symbolic: str | None) -> Sequence[str]:
    """The groups of numbers that `--symbolic` names."""
    groups = [] if symbolic is None else listed(symbolic, "--symbolic")
    for group in groups:
        check_choice("--symbolic", "group of numbers", group, (*SYMBOLIC, "all"))
    return SYMBOLIC if "all" in groups else groups


def listed(text: str, option: str) -> list[str]:
    """Names separated by commas or spaces."""
    names = text.replace(",", " ").split()
    if not names:
        raise InputError(f"{option} is empty. Give names separated by commas.")
    return names


def check_choice(option: str, kind: str, given: str, valid: Sequence[str]) -> None:
    if given not in valid:
        raise InputError(f"{option}: {unknown_name(kind, given, valid)}")


def check_ending(output: str, kind: str, valid: Sequence[str]) -> None:
    """Refuses a file's ending before the work rather than after it."""
    if not output.strip() or output.endswith("/"):
        given = f"{output!r} is a folder" if output.strip() else "-o is empty"
        raise FormatError(f"{given}. Give the name of a file that ends in {', '.join(valid)}.")
    if Path(output).suffix.lower() not in valid:
        raise FormatError(f"-o: the ending of {Path(output).name!r} names no {kind}. Valid: {', '.join(valid)}.")


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Says what is being done when it takes long and someone is looking; takes it back when it is done."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    told: list[str] = []

    def tell() -> None:
        told.append(f"{doing} ... (Ctrl-C stops)")
        click.echo(told[0], nl=False, err=True)

    timer = Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if told:
            click.echo("\r" + " " * len(told[0]) + "\r", nl=False, err=True)
