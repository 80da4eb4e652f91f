"""An arm as another author would describe it: the same machine with other angles, signs, gravity or reference points.

A convention is nothing but another description, so an equation that holds by convention is one that is exactly equal
for the other description. Which forces and matrices change with it, and how, then follows from the mechanics. What is
a convention, and how it is said, stands in the table of `conventions.py`; how an arm changes by one stands here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from leverarm.closed_form import Equations, equations
from leverarm.errors import LeverarmError
from leverarm.model import (
    PI,
    Arm,
    Body,
    Joint,
    Quantity,
    format_quantity,
    symbols_of,
    to_float,
    without_friction,
    without_springs,
)
from leverarm.scalars.exact import evaluate
from leverarm.spatial import ORIGIN, Symmetric3, Vec3
from leverarm.verify.equations.arm_values import ArmValues


@dataclass(frozen=True, slots=True)
class Change:
    """How our description of an arm becomes another one, and the words that its convention is said with.

    `touches` are the letters of the exact ring that it gives another meaning, where an angle stands for its sine and
    cosine: "theta1", "theta1.d", "g", "I1".
    """

    of: Callable[[Arm], Arm]
    touches: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Another description of an arm: in words that follow "if", what it is about, and how ours becomes it.

    `alone` says when one equation is evidence of it; `parts` are the two conventions of which it is made, if of two.
    """

    words: str
    about: str
    touches: frozenset[str]
    change: Callable[[Arm], Arm]
    cost: int = 0
    alone: str = ""
    parts: tuple[Alternative, ...] = ()


def both(first: Alternative, second: Alternative) -> Alternative:
    """Two conventions at once; the second one in the terms of the first."""
    return Alternative(
        f"{first.words}, and {second.words}",
        f"{first.about}, {second.about}",
        first.touches | second.touches,
        lambda arm: second.change(first.change(arm)),
        first.cost + second.cost,
        parts=(first, second),
    )


@lru_cache(maxsize=512)
def values_of(alternative: Alternative, arm: Arm) -> ArmValues | None:
    """The exact quantities of an arm by another description; None where that is no other, or has no closed form."""
    try:
        other = alternative.change(arm)
        return None if other == arm else ArmValues(equations(other))
    except LeverarmError:
        return None


def with_bodies(arm: Arm, change: Callable[[Body], Body]) -> Arm:
    """The arm with every body changed."""
    return replace(arm, bodies=tuple(change(body) for body in arm.bodies))


def with_joints(arm: Arm, change: Callable[[Joint], Joint]) -> Arm:
    """The arm with every joint changed."""
    return with_bodies(arm, lambda body: replace(body, joint=change(body.joint)))


def weights(arm: Arm) -> frozenset[str]:
    """The letters of gravity."""
    return frozenset(name for part in arm.gravity for name in symbols_of(part))


def gravity_turned(eq: Equations) -> Iterator[Change]:
    """The arm upside down."""
    yield Change(lambda arm: replace(arm, gravity=-arm.gravity), weights(eq.arm))


def gravity_removed(eq: Equations) -> Iterator[Change]:
    """The arm without weight."""
    yield Change(lambda arm: replace(arm, gravity=ORIGIN), weights(eq.arm))


def gravity_along_others(eq: Equations) -> Iterator[Change]:
    """Gravity, where it acts along one axis, along each of the others."""
    along = [k for k, part in enumerate(eq.arm.gravity) if part != 0]
    for k in range(3) if len(along) == 1 else ():
        for sign in (1, -1) if k != along[0] else ():
            parts: list[Quantity] = [0, 0, 0]
            parts[k] = sign * tuple(eq.arm.gravity)[along[0]]
            axis = f"{'negative ' if to_float(parts[k], eq.arm.defaults) < 0 else ''}{'xyz'[k]}"
            yield Change(_with_gravity(Vec3(*parts)), weights(eq.arm), {"axis": axis})


def _with_gravity(gravity: Vec3) -> Callable[[Arm], Arm]:
    return lambda arm: replace(arm, gravity=gravity)


TURNS = {-2: " - pi", -1: " - pi/2", 0: "", 1: " + pi/2", 2: " + pi"}
"""How so many right angles are written."""
Group = tuple[tuple[str, int], ...]
"""Coordinates about parallel axes from the base outwards, each with its sense relative to the first."""


@dataclass(frozen=True, slots=True)
class InTheirAngles:
    """Our coordinate in terms of another author's: a sum of whole multiples of theirs, and right angles."""

    terms: tuple[tuple[str, int], ...]
    quarters: int = 0


def first_angles_shifted(eq: Equations, quarters: Iterable[int]) -> Iterator[Change]:
    """The first angle about parallel axes, zero so many right angles from where ours is."""
    yield from (_shifted(eq, group[0][0], k) for group in eq.notation.vocabulary.chains for k in quarters)


def inner_angles_shifted(eq: Equations) -> Iterator[Change]:
    """An angle between two links, zero a right angle from where ours is."""
    later = [name for group in eq.notation.vocabulary.chains for name, _ in group[1:]]
    yield from (_shifted(eq, name, k) for name in later for k in (-1, 1))


def _shifted(eq: Equations, name: str, quarters: int) -> Change:
    words = {"angle": _printed(eq, name), "line": _line(eq, name, quarters)}
    return _remeasuring(eq, words, {name: InTheirAngles(((name, 1),), quarters)}, [name])


def angles_reversed(eq: Equations, single: Iterable[int], several: Iterable[int]) -> Iterator[Change]:
    """All angles about parallel axes growing the other way round, the first of them zero so many right angles off."""
    for group in eq.notation.vocabulary.chains:
        yield from (_reversed(eq, group, k) for k in (several if len(group) > 1 else single))


def one_angle_reversed(eq: Equations) -> Iterator[Change]:
    """One of several angles about parallel axes growing the other way round."""
    groups = [group for group in eq.notation.vocabulary.chains if len(group) > 1]
    yield from (_reversed(eq, ((name, 1),), 0) for group in groups for name, _ in group)


def _reversed(eq: Equations, group: Group, quarters: int) -> Change:
    meanings = {name: InTheirAngles(((name, -1),)) for name, _ in group}
    first = group[0][0]
    meanings[first] = InTheirAngles(((first, -1),), quarters)
    zero = f"{_printed(eq, first)} is measured from " if len(group) > 1 else "from "
    zero = f" and {zero}{_line(eq, first, quarters)}" if quarters else ""
    words = {"angles": _listed(eq, group), "are": "are" if len(group) > 1 else "is", "zero": zero}
    return _remeasuring(eq, words, meanings, _with_speeds(meanings))


def angles_absolute(eq: Equations, ways: Iterable[tuple[int, int]]) -> Iterator[Change]:
    """Angles about parallel axes that are all measured from one line; each way is a sense and right angles."""
    groups = [group for group in eq.notation.vocabulary.chains if len(group) > 1]
    yield from (_absolute(eq, group, sense, quarters) for group in groups for sense, quarters in ways)


def _absolute(eq: Equations, group: Group, sense: int, quarters: int) -> Change:
    first, e = group[0]
    meanings = {first: InTheirAngles(((first, e * sense),), e * quarters)} if sense < 0 or quarters else {}
    for (before, _), (name, e) in pairwise(group):
        meanings[name] = InTheirAngles(((name, e * sense), (before, -e * sense)))
    if quarters:
        are, line = f"are {'all' if len(group) > 2 else 'both'}", _line(eq, first, quarters)
    else:
        are, line = "are" if len(group) > 2 else "is", f"the line that {_printed(eq, first)} is measured from"
    words = {
        "angles": _listed(eq, group if quarters else group[1:]),
        "are": are,
        "line": f"{line} in the opposite sense" if sense < 0 else line,
    }
    moving = [name for name, meaning in meanings.items() if meaning.terms != ((name, 1),)]  # a shift changes no speed
    return _remeasuring(eq, words, meanings, [*meanings, *_with_speeds(moving)])


def _with_speeds(names: Iterable[str]) -> list[str]:
    return [f"{name}{dots}" for name in names for dots in ("", ".d", ".dd")]


def _remeasuring(
    eq: Equations, words: Mapping[str, str], meanings: Mapping[str, InTheirAngles], touches: Iterable[str]
) -> Change:
    rules = ", ".join(f"{_printed(eq, name)} is {_written(eq, meaning)}" for name, meaning in meanings.items())
    return Change(lambda arm: remeasured(arm, meanings), frozenset(touches), {**words, "rules": f"the arm's {rules}"})


def remeasured(arm: Arm, meanings: Mapping[str, InTheirAngles]) -> Arm:
    """The arm in other coordinates of the same names. Its generalised forces are those that go with them."""

    def change(joint: Joint) -> Joint:
        followed = ((joint.name, 1),) if joint.coupling is None else joint.coupling
        if joint.is_fixed or not any(name in meanings for name, _ in followed):
            return joint
        ratios: dict[str, Quantity] = {}
        offset = joint.offset
        for name, ratio in followed:
            meaning = meanings.get(name, InTheirAngles(((name, 1),)))
            offset = offset + ratio * meaning.quarters * PI / 2
            for other, times in meaning.terms:
                ratios[other] = ratios.get(other, 0) + ratio * times
        kept = tuple((name, ratio) for name, ratio in ratios.items() if ratio != 0)
        return replace(joint, coupling=kept, offset=offset)

    return with_joints(arm, change)


def _line(eq: Equations, name: str, quarters: int) -> str:
    """The line from which an angle is measured that is so many right angles off: a vertical, where the arm rises so."""
    if any(group[0][0] == name for group in eq.notation.vocabulary.chains):
        line = line_of_zero(eq, name, quarters)
        if line and (quarters != 2 or "vertical" in line):
            return f"the {line}"
        return "the opposite direction" if quarters == 2 else "the perpendicular"
    return "the opposite direction" if quarters == 2 else "the perpendicular to the previous link"


def line_of_zero(eq: Equations, name: str, quarters: int = 0) -> str:
    """The line that the link of the first of several angles points along, so many right angles off; "" if unknown."""
    up, across = (_height(eq, name, quarters + k) - _height(eq, name, quarters + k + 2) for k in (0, 1))
    if max(abs(up), abs(across)) < 1e-9:
        return ""
    return "horizontal" if abs(up) < 1e-9 else f"{'upward' if up > 0 else 'downward'} vertical"


def _height(eq: Equations, name: str, quarters: int) -> float:
    """The potential energy with one angle turned by a right angle, as a measure of height. Others are 0, lengths 1."""
    turns = {**eq.notation.defaults, **dict.fromkeys(eq.exact.coordinates, 0.0), name: quarters * math.pi / 2}
    circles = {f"{f.__name__}({each})": f(turn) for each, turn in turns.items() for f in (math.cos, math.sin)}
    return evaluate(eq.P.value, {**eq.notation.defaults, **dict.fromkeys(eq.exact.coordinates, 1.0), **circles})


def _written(eq: Equations, meaning: InTheirAngles) -> str:
    signs = [("-" if times < 0 else "+") + " " + _printed(eq, name) for name, times in meaning.terms]
    text = " ".join(signs).removeprefix("+ ")
    return (f"-{text[2:]}" if text.startswith("- ") else text) + TURNS[meaning.quarters]


def _listed(eq: Equations, group: Group) -> str:
    names = [_printed(eq, name) for name, _ in group]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _printed(eq: Equations, name: str) -> str:
    return eq.notation.vocabulary.printed[name]


def friction_removed(eq: Equations) -> Iterator[Change]:
    """The arm without friction."""
    yield Change(without_friction)


def springs_removed(eq: Equations) -> Iterator[Change]:
    """The arm without springs."""
    yield Change(without_springs)


def rotors_removed(eq: Equations) -> Iterator[Change]:
    """The arm whose motors have no inertia; their friction stays."""
    yield Change(
        lambda arm: with_joints(
            arm, lambda joint: replace(joint, motor=joint.motor and replace(joint.motor, inertia=0))
        )
    )


POINTS = {"com": "the joint, not the centre of mass", "origin": "the centre of mass, not the joint"}


Bodies = tuple[Body, ...]


def together(bodies: Sequence[Body]) -> list[Bodies]:
    """All bodies as one group."""
    return [tuple(bodies)] if bodies else []


def one_by_one(bodies: Sequence[Body]) -> list[Bodies]:
    """Each of several bodies as a group of its own."""
    return [(body,) for body in bodies] if len(bodies) > 1 else []


Grouping = Callable[[Sequence[Body]], list[Bodies]]


def inertias_about_others(eq: Equations, grouped: Grouping) -> Iterator[Change]:
    """Moments of inertia about the other point, of links that have some and are not balanced there."""
    turned = [body for body in eq.arm.bodies if any(_moments(body)) and any(body.mass_properties.com)]
    yield from map(_about_other_point, grouped(turned))


def _moments(body: Body) -> list[Quantity]:
    return [getattr(body.mass_properties.inertia, entry) for entry in Symmetric3.__slots__]


def _about_other_point(bodies: Bodies) -> Change:
    letters = [name for body in bodies for x in _moments(body) for name in symbols_of(x)]
    called = " and ".join(dict.fromkeys(letters)) or " and ".join(f"the inertia of {body.name}" for body in bodies)
    chosen = {body.name for body in bodies}

    def change(body: Body) -> Body:
        if body.name not in chosen:
            return body
        properties = body.mass_properties
        point: Literal["com", "origin"] = "origin" if properties.about == "com" else "com"
        return replace(body, mass_properties=replace(properties, about=point))

    moments = "are moments" if " and " in called else "is the moment"
    words = {"moments": f"{called} {moments}", "point": POINTS[bodies[0].mass_properties.about]}
    return Change(lambda arm: with_bodies(arm, change), frozenset(letters), words)


def centres_from_far_ends(eq: Equations, grouped: Grouping) -> Iterator[Change]:
    """Centres of mass measured from where the link ends, of links on whose axis they lie."""
    ends = {body.name: end for body in eq.arm.bodies if (end := _far_end(eq.arm, body)) is not None}
    ended = [body for body in eq.arm.bodies if body.name in ends]
    yield from (_from_far_end(bodies, ends) for bodies in grouped(ended))


def _far_end(arm: Arm, body: Body) -> Vec3 | None:
    """Where the next joint, or else the tool, is on a body whose centre of mass lies on the way there."""
    com = body.mass_properties.com
    ends = [child.joint.placement.xyz for child in arm.bodies if child.parent == body.name]
    ends += [frame.placement.xyz for frame in arm.named_frames if frame.body == body.name]
    for end in ends:
        along = [k for k, x in enumerate(end) if x != 0]
        if len(along) == 1 and com != end and [k for k, x in enumerate(com) if x != 0] == along:
            return end
    return None


def _from_far_end(bodies: Bodies, ends: Mapping[str, Vec3]) -> Change:
    lengths = {body.name: (_only(body.mass_properties.com), _only(ends[body.name])) for body in bodies}
    texts = {name: (format_quantity(com), format_quantity(end)) for name, (com, end) in lengths.items()}
    words = [
        f"{com} is measured from the far end of {name} (the arm's {com} is {end} - {com})"
        for name, (com, end) in texts.items()
    ]

    def change(body: Body) -> Body:
        if body.name not in lengths:
            return body
        properties = body.mass_properties
        com = Vec3(*(b - a if b != 0 else 0 for a, b in zip(properties.com, ends[body.name], strict=True)))
        return replace(body, mass_properties=replace(properties, com=com))

    letters = frozenset(letter for com, _ in lengths.values() for letter in symbols_of(com))
    return Change(lambda arm: with_bodies(arm, change), letters, {"centres": " and ".join(words)})


def _only(v: Vec3) -> Quantity:
    only: Quantity = next(x for x in v if x != 0)
    return only
