"""`--frame`, `--at` and `--point`: which point of an arm a quantity is of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

import leverarm as la
from leverarm.errors import InputError, require_known

PLACES = ("com", "joint")


def place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for the point that J, Lambda, x, v, ... are of."""
    for flag, metavar, text in (
        ("--point", "X,Y,Z", "A point of the frame, in its axes [m], in place of its origin."),
        ("--at", "PLACE", "Of a body as --frame: com (its centre of mass) or joint (its origin, the default)."),
        ("--frame", "NAME", "A named frame, or a body, whose origin is on its joint (default: the tool)."),
    ):
        command = click.option(flag, metavar=metavar, help=text)(command)
    return command


def placed(arm: la.Arm, frame: str | None, at: str | None, point: str | None) -> tuple[la.Arm, str | None]:
    """The arm, with one more frame where a point of one is asked for, and the frame's name."""
    if at is not None:
        require_known("place", at, PLACES, "--at")
        if frame is None:
            raise InputError(f"--at {at} is of a body. Name it, as in --frame {arm.bodies[0].name} --at {at}.")
        if point is not None:
            raise InputError("--at and --point are two places. Give one of them.")
    if at == "com":
        return la.model.with_centre_of_mass(arm, str(frame))
    if point is None:
        return arm, frame
    from leverarm.cli.numbers import quantity

    parts = point.replace(",", " ").split()
    if len(parts) != 3:
        raise InputError(f"--point {point}: {len(parts)} numbers; it takes three, x,y,z [m].")
    return la.model.with_point(arm, frame or arm.tool, la.types.Vec3(*(quantity(p, arm, "--point") for p in parts)))


def said(arm: la.Arm, frame: str) -> str:
    """The frame in words: of a body, that its origin is on its joint."""
    joint = next((body.joint for body in arm.bodies if body.name == frame), None)
    if joint is None:
        return f"frame {frame}"
    return f"frame {frame}, whose origin is on its joint {joint.name} (--at com: its centre of mass)"
