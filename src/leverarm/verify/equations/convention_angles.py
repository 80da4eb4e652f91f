"""Angles measured otherwise: from another line, in the other sense, from the horizontal instead of the link before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from leverarm.closed_form import Equations
from leverarm.model import PI, Arm, Joint, Quantity
from leverarm.scalars.exact import Cosine, Polynomial, Sine, evaluate
from leverarm.verify.equations.alternative import Alternative, with_joints

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
    groups = eq.notation.vocabulary.parallel
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
    words = f"{_listed(eq, group)} {'grow' if len(group) > 1 else 'grows'} in the other sense"
    if quarters:
        words += f" and {_printed(eq, first)} is measured from {_line(eq, first, quarters)}"
    is_whole = any(set(meanings) == {name for name, _ in each} for each in eq.notation.vocabulary.parallel)
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
    other = " in the other sense" if sense < 0 else ""
    return _alternative(
        eq, f"{words}{other}, not from the link before", "absolute angles", meanings, _with_speeds(meanings)
    )


def _with_speeds(names: Iterable[str]) -> list[str]:
    return [f"{name}{dots}" for name in names for dots in ("", ".d", ".dd")]


def _alternative(
    eq: Equations, words: str, about: str, meanings: Mapping[str, InTheirAngles], touches: Iterable[str]
) -> Alternative:
    rules = [f"{_printed(eq, name)} is {_written(eq, meaning)}" for name, meaning in meanings.items()]
    return Alternative(
        f"{words} (the arm's {', '.join(rules)})",
        about,
        frozenset(touches),
        lambda arm: remeasured(arm, meanings),
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
        return "a line at right angles to the link before"
    up = _height(eq, name, quarters) - _height(eq, name, -quarters)
    return "the perpendicular" if abs(up) < 1e-9 else f"the {'upward' if up > 0 else 'downward'} vertical"


def _is_first(eq: Equations, name: str) -> bool:
    """Whether an angle is the first of those about parallel axes."""
    return any(group[0][0] == name for group in eq.notation.vocabulary.parallel)


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
