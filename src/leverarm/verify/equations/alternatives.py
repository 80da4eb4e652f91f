"""An arm as another author would describe it: the same machine with other angles, signs, gravity or reference points.

A convention is nothing but another description, so an equation that holds by convention is one that is exactly equal
for the other description. Which forces and matrices change with it, and how, then follows from the mechanics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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
    has_friction,
    has_springs,
    symbols_of,
    without_friction,
    without_springs,
)
from leverarm.scalars.exact import Cosine, Polynomial, Sine, evaluate
from leverarm.spatial import ORIGIN, Symmetric3, Vec3
from leverarm.verify.equations.arm_values import ArmValues


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Another description: in words that follow "if", what it is about, and how our description becomes it.

    `touches` are the letters of the exact ring that it gives another meaning, where an angle stands for its sine and
    cosine: "theta1", "theta1.d", "g", "I1".
    """

    words: str
    about: str
    touches: frozenset[str]
    change: Callable[[Arm], Arm]


def both(first: Alternative, second: Alternative) -> Alternative:
    """Two conventions at once; the second one in the terms of the first."""
    return Alternative(
        f"{first.words}, and {second.words}",
        f"{first.about}, {second.about}",
        first.touches | second.touches,
        lambda arm: second.change(first.change(arm)),
    )


@lru_cache(maxsize=512)
def values_of(alternative: Alternative, arm: Arm) -> ArmValues | None:
    """The exact quantities of an arm by another description; None where that is no other, or has no closed form."""
    try:
        other = alternative.change(arm)
        return None if other == arm else ArmValues(equations(other))
    except LeverarmError:
        return None


def with_joints(arm: Arm, change: Callable[[Joint], Joint]) -> Arm:
    """The arm with every joint changed."""
    return with_bodies(arm, lambda body: replace(body, joint=change(body.joint)))


def with_bodies(arm: Arm, change: Callable[[Body], Body]) -> Arm:
    """The arm with every body changed."""
    return replace(arm, bodies=tuple(change(body) for body in arm.bodies))


AXES = "xyz"


def gravity_alternatives(arm: Arm) -> Iterator[Alternative]:
    """The other directions gravity may have, and none."""
    pull = tuple(arm.gravity)
    along = [k for k, part in enumerate(pull) if part != 0]
    if not along:
        return
    letters = frozenset(name for part in pull for name in symbols_of(part))
    yield Alternative(
        "gravity acts in the opposite direction (or heights are measured downwards)",
        "gravity's sign",
        letters,
        lambda arm: replace(arm, gravity=-arm.gravity),
    )
    yield Alternative(
        "gravity is neglected (the arm moves in a horizontal plane)",
        "no gravity",
        letters,
        lambda arm: replace(arm, gravity=ORIGIN),
    )
    if len(along) == 1:
        yield from (_along(k, sign, pull[along[0]], letters) for k in range(3) if k != along[0] for sign in (1, -1))


def _along(k: int, sign: int, pull: Quantity, letters: frozenset[str]) -> Alternative:
    parts: list[Quantity] = [0, 0, 0]
    parts[k] = pull if sign > 0 else -pull
    return Alternative(
        f"gravity acts along the {AXES[k]} axis",
        "gravity's axis",
        letters,
        lambda arm: replace(arm, gravity=Vec3(*parts)),
    )


TURNS = {-1: " - pi/2", 0: "", 1: " + pi/2", 2: " + pi"}
"""How so many right angles are written."""
WHOLE = ("an angle's zero", "an angle's sense", "absolute angles")
"""What alternatives are about that measure the angles of a whole arm otherwise, not an inner one alone."""
Group = tuple[tuple[str, int], ...]
"""Coordinates about parallel axes from the base outwards, each with its sense relative to the first."""


@dataclass(frozen=True, slots=True)
class InTheirAngles:
    """Our coordinate in terms of another author's: a sum of whole multiples of theirs, and right angles."""

    terms: tuple[tuple[str, int], ...]
    quarters: int = 0


def angle_alternatives(eq: Equations) -> Iterator[Alternative]:
    """The ways in which turning coordinates may be measured, the commonest first."""
    groups = eq.notation.vocabulary.chains
    chains = [group for group in groups if len(group) > 1]
    turning = [name for group in groups for name, _ in group]
    yield from (_shifted(eq, name, quarters) for name in turning for quarters in (-1, 1))
    for group in chains:
        yield from (_absolute(eq, group, 1, quarters) for quarters in (0, -1, 1))
    yield from (_reversed(eq, ((name, 1),), 0) for name in turning)
    yield from (_reversed(eq, group, quarters) for group in chains for quarters in (0, -1, 1))
    for group in chains:
        yield from (_absolute(eq, group, -1, quarters) for quarters in (0, -1, 1))
        yield _absolute(eq, group, 1, 2)
    yield from (_shifted(eq, group[0][0], 2) for group in groups)


def _shifted(eq: Equations, name: str, quarters: int) -> Alternative:
    """An angle that is zero elsewhere: ours is theirs plus so many right angles."""
    words = f"{_printed(eq, name)} is measured from {_line(eq, name, quarters)}"
    about = "an angle's zero" if _is_first(eq, name) else "an inner angle"
    return _alternative(eq, words, about, {name: InTheirAngles(((name, 1),), quarters)}, [name])


def _reversed(eq: Equations, group: Group, quarters: int) -> Alternative:
    """Angles that grow the other way round, the first of them maybe zero elsewhere."""
    meanings = {name: InTheirAngles(((name, -1),)) for name, _ in group}
    first = group[0][0]
    meanings[first] = InTheirAngles(((first, -1),), quarters)
    words = f"{_listed(eq, group)} {'are' if len(group) > 1 else 'is'} measured in the opposite sense"
    if quarters:
        words += f" and {_printed(eq, first)} is measured from {_line(eq, first, quarters)}"
    is_whole = any(set(meanings) == {name for name, _ in each} for each in eq.notation.vocabulary.chains)
    about = "an angle's sense" if is_whole else "an inner angle"
    return _alternative(eq, words, about, meanings, _with_speeds(meanings))


def _absolute(eq: Equations, group: Group, sense: int, quarters: int) -> Alternative:
    """Angles about parallel axes that are all measured from one line, not each from the link before."""
    first, e = group[0]
    meanings = {first: InTheirAngles(((first, e * sense),), e * quarters)} if sense < 0 or quarters else {}
    for (before, _), (name, e) in pairwise(group):
        meanings[name] = InTheirAngles(((name, e * sense), (before, -e * sense)))
    if quarters:
        words = (
            f"{_listed(eq, group)} are {'all' if len(group) > 2 else 'both'} measured from {_line(eq, first, quarters)}"
        )
    else:
        later = group[1:]
        verb = "are" if len(later) > 1 else "is"
        words = f"{_listed(eq, later)} {verb} measured from the line that {_printed(eq, first)} is measured from"
    other = " in the opposite sense" if sense < 0 else ""
    return _alternative(
        eq, f"{words}{other}, not from the previous link", "absolute angles", meanings, _with_speeds(meanings)
    )


def _with_speeds(names: Iterable[str]) -> list[str]:
    return [f"{name}{dots}" for name in names for dots in ("", ".d", ".dd")]


def _alternative(
    eq: Equations, words: str, about: str, meanings: Mapping[str, InTheirAngles], touches: Iterable[str]
) -> Alternative:
    rules = [f"{_printed(eq, name)} is {_written(eq, meaning)}" for name, meaning in meanings.items()]
    return Alternative(
        f"{words} (the arm's {', '.join(rules)})", about, frozenset(touches), lambda arm: remeasured(arm, meanings)
    )


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
    if quarters == 2:
        return "the opposite direction"
    if not _is_first(eq, name):
        return "the perpendicular to the previous link"
    up = _height(eq, name, quarters) - _height(eq, name, -quarters)
    return "the perpendicular" if abs(up) < 1e-9 else f"the {'upward' if up > 0 else 'downward'} vertical"


def _is_first(eq: Equations, name: str) -> bool:
    """Whether an angle is the first of those about parallel axes."""
    return any(group[0][0] == name for group in eq.notation.vocabulary.chains)


def _height(eq: Equations, name: str, quarters: int) -> float:
    """The potential energy with one angle turned by a right angle and all others zero, as a measure of height."""
    P = eq.P.value
    if not isinstance(P, Polynomial):
        return 0.0
    state = {g.name: float(isinstance(g, Cosine)) for g in P.ring.generators if isinstance(g, Cosine | Sine)}
    state |= dict.fromkeys(eq.exact.coordinates, 0.0) | dict(eq.notation.defaults)
    return evaluate(P, state | {f"cos({name})": 0.0, f"sin({name})": float(quarters)})


def _written(eq: Equations, meaning: InTheirAngles) -> str:
    signs = [("-" if times < 0 else "+") + " " + _printed(eq, name) for name, times in meaning.terms]
    text = " ".join(signs).removeprefix("+ ")
    return (f"-{text[2:]}" if text.startswith("- ") else text) + TURNS[meaning.quarters]


def _listed(eq: Equations, group: Group) -> str:
    names = [_printed(eq, name) for name, _ in group]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _printed(eq: Equations, name: str) -> str:
    return eq.notation.vocabulary.printed[name]


POINTS = {"com": "the joint, not the centre of mass", "origin": "the centre of mass, not the joint"}


def inertia_alternatives(arm: Arm) -> Iterator[Alternative]:
    """The other ways to describe links and what acts in the joints."""
    turned = [body for body in arm.bodies if _depends_on_point(body)]
    for bodies in dict.fromkeys([tuple(turned), *((body,) for body in turned)]):
        if bodies:
            yield _about_other_point(bodies, "inertia" if bodies == tuple(turned) else "the inertia of one link")
    ended = {body.name: end for body in arm.bodies if (end := _far_end(arm, body)) is not None}
    for names in dict.fromkeys([tuple(ended), *((name,) for name in ended)]):
        if names:
            about = "centres of mass" if names == tuple(ended) else "the centre of mass of one link"
            yield _from_far_end(arm, {name: ended[name] for name in names}, about)
    if has_friction(arm):
        yield Alternative("friction is neglected", "friction", frozenset(), without_friction)
    if has_springs(arm):
        yield Alternative("springs are neglected", "springs", frozenset(), without_springs)
    if any(body.joint.motor is not None for body in arm.bodies):
        yield Alternative(
            "the rotors' inertia is neglected", "rotors", frozenset(), lambda arm: with_joints(arm, _without_rotor)
        )


def _without_rotor(joint: Joint) -> Joint:
    """The joint with a motor that has no inertia; its friction stays."""
    return replace(joint, motor=joint.motor and replace(joint.motor, inertia=0))


def _depends_on_point(body: Body) -> bool:
    """Whether the body's moments would be others about the other point: it has some, and they are not at one place."""
    properties = body.mass_properties
    return any(x != 0 for x in _moments(body)) and any(x != 0 for x in properties.com)


def _moments(body: Body) -> list[Quantity]:
    return [getattr(body.mass_properties.inertia, entry) for entry in Symmetric3.__slots__]


def _about_other_point(bodies: tuple[Body, ...], about: str) -> Alternative:
    letters = [name for body in bodies for x in _moments(body) for name in symbols_of(x)]
    called = " and ".join(dict.fromkeys(letters)) or " and ".join(f"the inertia of {body.name}" for body in bodies)
    chosen = {body.name for body in bodies}

    def change(body: Body) -> Body:
        if body.name not in chosen:
            return body
        properties = body.mass_properties
        point: Literal["com", "origin"] = "origin" if properties.about == "com" else "com"
        return replace(body, mass_properties=replace(properties, about=point))

    several = " and " in called
    return Alternative(
        f"{called} {'are moments' if several else 'is the moment'} of inertia about "
        f"{POINTS[bodies[0].mass_properties.about]}",
        about,
        frozenset(letters),
        lambda arm: with_bodies(arm, change),
    )


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


def _from_far_end(arm: Arm, ends: dict[str, Vec3], about: str) -> Alternative:
    words: list[str] = []
    letters: set[str] = set()
    for body in arm.bodies:
        if body.name in ends:
            com, end = (_only(v) for v in (body.mass_properties.com, ends[body.name]))
            words.append(
                f"{format_quantity(com)} is measured from the far end of {body.name} (the arm's "
                f"{format_quantity(com)} is {format_quantity(end)} - {format_quantity(com)})"
            )
            letters.update(symbols_of(com))

    def change(body: Body) -> Body:
        if body.name not in ends:
            return body
        properties = body.mass_properties
        parts = (b - a if b != 0 else 0 for a, b in zip(properties.com, ends[body.name], strict=True))
        return replace(body, mass_properties=replace(properties, com=Vec3(*parts)))

    return Alternative(" and ".join(words), about, frozenset(letters), lambda arm: with_bodies(arm, change))


def _only(v: Vec3) -> Quantity:
    only: Quantity = next(x for x in v if x != 0)
    return only
