"""The whole table for an arm: what can be proven first, then what is narrowed for as long as there is time."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.verify.enclosures.enclosing import Enclosure, OpenBoxes
from leverarm.verify.enclosures.extremes import EXTREMES, extreme
from leverarm.verify.statements import STATEMENTS
from leverarm.verify.table.bound_rows import (
    disturbance_property,
    is_amount,
    missing_row,
    ranges_needed,
    ranges_needed_at_the_tool,
    with_needless,
    zero_bounds,
)
from leverarm.verify.table.box import Box, Ranges, box_of
from leverarm.verify.table.definiteness import positive_definite
from leverarm.verify.table.exact_states import ExactStates, exact_states
from leverarm.verify.table.friction_bounds import bounds_under_load, friction_properties
from leverarm.verify.table.growth import growth_property
from leverarm.verify.table.identities import (
    AT_REST,
    ENERGY,
    FACTORISED,
    QUADRATIC,
    SKEW,
    SYMMETRIC,
    Identity,
    base_parameters_property,
    linearity_property,
    property_of,
)
from leverarm.verify.table.property import Bound, Properties, Property, plain
from leverarm.verify.table.resuming import Draft, Progress, previous_bounds, previous_boxes
from leverarm.verify.table.velocity_terms import dissipation_property, passivity_property, velocity_terms_property

SECONDS = 60.0
"""How long bounds are narrowed unless something else is said."""
Narrow = Callable[[Callable[[str, Enclosure], None]], None]
"""Encloses the constants over the box, and reports each whenever it is known better."""


def properties(
    arm: Arm,
    box: Ranges | None = None,
    seconds: float | None = None,
    *,
    boxes: int | None = None,
    norm: str = "2",
    disturbance: float | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> Properties:
    """The properties of the equations of motion M qdd + c + F + g + tau_d = tau of an arm (the sources' Table 3.3.1).

    Bounds hold for every position in `box`, {"theta1": (low, high), ...} [rad or m]: the joint limits where it says
    nothing. They are narrowed until `seconds` are over, or until `boxes` parts of the box have been looked at for each
    bound (60 s unless one of them is given), by as many `processes` as there are processors unless that is given; what
    is known by then is an honest enclosure. Only `boxes` with one process is the same on every machine. `norm` is that
    used to bound M: "2", "1", "inf" or "fro". `disturbance` declares d. `resume` names a .json report of the same arm
    and box, which is gone on with. `progress` is called with what is being worked on and its bound so far. Ctrl-C
    returns what is draft, with `finished` False.

    >>> import leverarm as la
    >>> p = la.properties(la.load("elbow"), boxes=32)
    >>> p["skew"].value
    'proven'
    """
    extreme("norm_lower", norm)
    limit, most = _time(seconds, boxes), _count(boxes)
    where = box_of(arm, box)
    ends = time.perf_counter() + limit
    draft = Draft(where, norm, progress or _silent, {} if resume is None else previous_bounds(resume, where))
    previous = {} if resume is None else previous_boxes(resume, where)
    left = {key: each for key, each in previous.items() if draft.before(key) is not None}
    draft.add(disturbance_property(disturbance))
    finished = gather(draft, lambda tell: _narrowed(draft, ends, most, processes, left, tell))
    return Properties(arm, draft.box, draft.rows(), finished, draft.left)


def gather(draft: Draft, narrow: Narrow) -> bool:
    """Finds out what can be, and whether that came to its end: after Ctrl-C what is known stays."""
    box, arm = draft.box, draft.box.arm
    try:
        for line in (*friction_properties(arm), dissipation_property(arm)):
            draft.add(line)
        draft.progress("closed forms", None)
        states = exact_states(arm)
        for name, line_of in PROOFS.items():
            draft.progress(name, None)
            draft.add(line_of(states))
        draft.add(passivity_property(states, draft.lines[ENERGY.key], box))
        needed, at_the_tool = ranges_needed(states, box), ranges_needed_at_the_tool(states, box)
        draft.box = with_needless(box, needed)
        if needed:
            draft.add(growth_property(states, replace(box, missing=needed)))
        else:
            if box.winding:  # g is the one that grows with the range
                draft.add(growth_property(states, replace(box, missing=box.winding)))
            narrow(_all_but(draft, lambda key: _is_boundless(key, bool(at_the_tool), box)))
        draft.bounds.update(zero_bounds(states))
        for key in EXTREMES:
            if key not in draft.bounds:
                draft.add(_missing(key, draft.norm, replace(box, missing=at_the_tool)))
        draft.add(positive_definite(states, draft.bounds.get("mu1")))
        for line in bounds_under_load(arm, draft.bounds):
            draft.add(line)
    except KeyboardInterrupt:
        return False
    return True


def _is_boundless(key: str, needs_ranges_at_the_tool: bool, box: Box) -> bool:
    """Whether a constant has no bound: an effective mass where a range is missing, g where springs wind without end."""
    return (needs_ranges_at_the_tool and EXTREMES[key].is_of_tool) or (key == "g_b" and bool(box.winding))


def _all_but(draft: Draft, boundless: Callable[[str], bool]) -> Callable[[str, Enclosure], None]:
    """Takes what is found, but not of what has no bound."""
    return lambda key, found: None if boundless(key) else draft.narrow(key, found)


def _proof(identity: Identity) -> Callable[[ExactStates], Property]:
    return lambda states: property_of(identity, states)


PROOFS: dict[str, Callable[[ExactStates], Property]] = {
    **{
        plain(STATEMENTS[each.key].title): _proof(each)
        for each in (SYMMETRIC, QUADRATIC, FACTORISED, SKEW, AT_REST, ENERGY)
    },
    "M positive definite": positive_definite,
    "Coriolis and centripetal terms": velocity_terms_property,
    "Linear in the parameters": linearity_property,
    "Base parameters": base_parameters_property,
}
"""The lines that are proven, and how each is made."""


def _narrowed(
    draft: Draft,
    ends: float,
    most: int | None,
    processes: int | None,
    left: Mapping[str, OpenBoxes],
    tell: Callable[[str, Enclosure], None],
) -> None:
    """Encloses the constants over the box; a coordinate without a range, which has no effect, stands still."""
    from leverarm.verify.enclosures import enclosures

    box, seconds = draft.box, max(ends - time.perf_counter(), 0.0)
    lower, upper = ([x if math.isfinite(x) else 0.0 for x in side] for side in (box.lower, box.upper))
    found = enclosures(
        box.arm, lower, upper, seconds, boxes=most, norm=draft.norm, processes=processes, progress=tell, left=left
    )
    for key, enclosure in found.items():
        tell(key, enclosure)


def _missing(key: str, norm: str, box: Box) -> Property:
    """The line of a constant that there is not, and why."""
    if key == "g_b" and box.winding:
        why = f"no bound: {', '.join(box.winding)} can wind springs without limit, so g grows without limit"
        return missing_row(key, norm, why, (replace(box, missing=box.winding).remedy,))
    if not box.is_bounded:
        have = "has" if len(box.missing) == 1 else "have"
        return missing_row(key, norm, f"no bound: {', '.join(box.missing)} {have} no range", (box.remedy,))
    return missing_row(key, norm, f"none: {box.arm.tool} only turns, so no mass is felt along an axis")


def _time(seconds: float | None, boxes: int | None) -> float:
    if seconds is None:
        return SECONDS if boxes is None else math.inf
    if not is_amount(seconds):
        raise InputError(f"seconds={seconds!r}; it is how long bounds are narrowed, a finite number, zero or more.")
    return float(seconds)


def _count(boxes: int | None) -> int | None:
    if boxes is not None and (not is_amount(boxes) or boxes != int(boxes) or boxes < 1):
        raise InputError(f"boxes={boxes!r}; it is how many boxes are looked at for each bound, 1 or more.")
    return None if boxes is None else int(boxes)


def _silent(_name: str, _bound: Bound | None) -> None:
    pass
