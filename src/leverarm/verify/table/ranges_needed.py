"""Which coordinates need a range at all: bounds of M, V and G need none of a joint that they do not depend on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from leverarm import mechanics as me
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial
from leverarm.verify.table.box import Box
from leverarm.verify.table.exact_states import ExactStates

TRANSLATION = slice(3, 6)
"""The rows of a Jacobian that move a point; the others turn it."""


def ranges_needed(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The coordinates without a range that M or G depends on: all of them where there is no closed form to tell.

    V is made of the slopes of M, so it depends on no other coordinate.
    """
    eq = states.equations
    if eq is None:
        return box.missing
    return _felt((*(x for row in states.states[0].M for x in row), *eq.g.values), box)


def ranges_needed_at_the_tool(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The same of the effective mass, made of M and the Jacobian of the tool's point."""
    if states.equations is None:
        return box.missing
    state = states.states[0]
    J = me.jacobian(state.mechanism, state.q, box.arm.tool)[TRANSLATION]
    return tuple(dict.fromkeys((*ranges_needed(states, box), *_felt((x for row in J for x in row), box))))


def with_needless(box: Box, needed: tuple[str, ...]) -> Box:
    """The box with a note about the ranges that are missing, but not missed."""
    needless = [name for name in box.missing if name not in needed]
    note = f"{', '.join(needless)}: no range, and none is needed: M, V and G do not depend on it."
    return replace(box, notes=(*box.notes, note)) if needless else box


def _felt(entries: Iterable[Scalar], box: Box) -> tuple[str, ...]:
    """The coordinates without a range that one of the entries changes with."""
    every = list(entries)
    return tuple(name for name in box.missing if not all(is_exactly_zero(partial(x, name)) for x in every))
