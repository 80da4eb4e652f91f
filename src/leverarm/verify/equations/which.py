"""Which arm a text of equations is about: the arms of the catalog and the usual planar arms, best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from leverarm.closed_form import equations
from leverarm.errors import InputError, LeverarmError
from leverarm.formats import catalog_names, load, planar
from leverarm.model import Arm
from leverarm.notation.reading import Found, Statement, read
from leverarm.notation.tree import Name
from leverarm.verify.equations.algebra import every
from leverarm.verify.equations.consistency import fits_other_description
from leverarm.verify.equations.document import is_definition, scope_of
from leverarm.verify.equations.readings import Case, case_of, holds, read_statement, readings_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.settings import setting_of
from leverarm.verify.equations.verdict import WrittenError

MAX_TERMS = 200_000
"""The largest closed forms that an arm is tried with."""
COORDINATES = ("q", "theta", "vartheta", "phi", "varphi", "qd", "qdd", "thetad", "thetadd", "tau")
"""Letters whose number says how many joints an arm has."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An arm that a text may be about: how many of its equations hold exactly, and how its letters were read.

    `by_convention` more of them hold by another convention.
    """

    name: str
    arm: Arm
    equal: int
    by_convention: int
    of: int
    readings: tuple[str, ...]

    def __str__(self) -> str:
        more = f", {self.by_convention} more by convention" if self.by_convention else ""
        read_as = f" (reading {', '.join(self.readings)})" if self.readings else ""
        noun, verb = ("equation", "holds") if self.of == 1 else ("equations", "hold")
        return f"{self.name}: {self.equal} of {self.of} {noun} {verb}{more}{read_as}"


@dataclass(frozen=True, slots=True)
class _Try:
    """An arm with the text read for it: the equations that say something of the arm, and those that hold."""

    name: str
    scope: Scope
    claims: tuple[Statement, ...]
    true: tuple[Statement, ...]


def which_arm(text: str, arms: Iterable[Arm | str] | None = None) -> tuple[Candidate, ...]:
    """The arms that the equations of a text may belong to, the one for which most of them hold first.

    Without `arms` those of the catalog and planar arms with point masses, slender bars and general links are tried.
    Only where no arm has all of the equations are other conventions looked for. Arms for which no equation holds are
    left out.

    >>> which_arm("tau1 = m*r^2*thetadd + 2*m*r*rd*thetad + m*g*r*cos(theta)")[0].name
    'polar'
    """
    if not isinstance(text, str):
        raise InputError(f"which_arm: {type(text).__name__} was given as the text. Give a str.")
    pieces = read(text)
    if not any(len(statement.sides) > 1 for statement in _statements(pieces)):
        raise InputError("which_arm: no equation was found in the text. Write equations with '='.")
    joints = _joints(pieces)
    named = _given(arms) if arms is not None else _usual(joints)
    tries = [each for name, arm in named if (each := _tried(name, arm, text, pieces)) is not None]
    is_settled = any(len(each.true) == len(each.claims) for each in tries)
    found = []
    for each in tries:
        others = 0 if is_settled or each.scope.arm.dof != joints else _by_convention(each)
        if each.true or others:
            found.append(_candidate(each, others))
    return tuple(sorted(found, key=lambda each: (-each.equal - each.by_convention, -each.equal, len(each.readings))))


def _tried(name: str, arm: Arm, text: str, pieces: tuple[Found, ...]) -> _Try | None:
    try:
        scope = scope_of(equations(arm, max_terms=MAX_TERMS), text, pieces)
    except LeverarmError:
        return None
    claims = tuple(each for each in scope.statements if _is_claim(each, scope))
    return _Try(name, scope, claims, tuple(each for each in claims if holds(each, scope)))


def _is_claim(statement: Statement, scope: Scope) -> bool:
    """Whether a statement says something about an arm: no definition, no setting, no line without an equals sign."""
    if len(statement.sides) < 2 or is_definition(statement, scope):
        return False
    return setting_of(statement, scope) is None


def _by_convention(tried: _Try) -> int:
    """How many of the equations that do not hold as they stand do so by another convention."""
    wrong = (each for each in tried.claims if each not in tried.true)
    cases = (_case(each, tried.scope) for each in wrong)
    return sum(1 for case in cases if case is not None and fits_other_description(case))


def _case(statement: Statement, scope: Scope) -> Case | None:
    try:
        found = read_statement(statement, scope, {})
    except WrittenError:
        return None
    return None if found.holds else case_of(found)


def _candidate(tried: _Try, by_convention: int) -> Candidate:
    arm = tried.scope.arm
    all_readings = [reading for each in tried.true for reading in readings_of(each, tried.scope)]
    readings = tuple(dict.fromkeys(each for each in all_readings if each.split(" as ")[-1] in arm.defaults))
    return Candidate(tried.name, arm, len(tried.true), by_convention, len(tried.claims), readings)


def _given(arms: Iterable[Arm | str]) -> Iterator[tuple[str, Arm]]:
    for each in arms:
        match each:
            case str():
                yield each, load(each)
            case Arm():
                yield each.name, each


def _usual(joints: int) -> Iterator[tuple[str, Arm]]:
    """The arms of the catalog that have enough joints and not many more, and planar arms in the usual parameters."""
    for name in catalog_names():
        arm = load(name)
        if arm.dof >= joints and (arm.dof <= 3 or arm.dof <= joints + 1):
            yield name, arm
    for kinds in ("R", "RR", "RP", "PR", "RRR"):
        if len(kinds) >= joints:
            yield from _planar(kinds)


def _planar(kinds: str) -> Iterator[tuple[str, Arm]]:
    """Arms in the plane with masses at the ends of the links, with slender bars, and with links in general."""
    ends = [("", kinds)] if len(kinds) == 1 else [(str(i), kind) for i, kind in enumerate(kinds, 1)]
    shown = "pendulum" if kinds == "R" else f"planar {kinds}"
    masses = [f"m{i}" for i, _ in ends]
    lengths: list[str | int] = [f"L{i}" if kind == "R" else 0 for i, kind in ends]
    joints = ["theta"] if len(kinds) == 1 else None
    described: dict[str, tuple[list[str | int], list[str | int]]] = {
        "point masses at the ends": (lengths, [0 for _ in ends]),
        "slender bars": (
            [f"L{i}/2" if kind == "R" else 0 for i, kind in ends],
            [f"m{i}*L{i}^2/12" if kind == "R" else 0 for i, kind in ends],
        ),
        "centres of mass and inertias": (
            [f"lc{i}" if kind == "R" else 0 for i, kind in ends],
            [f"I{i}" for i, _ in ends],
        ),
    }
    for words, (coms, inertias) in described.items():
        yield f"{shown}, {words}", planar(kinds, lengths, masses, coms, inertias, joints=joints)


def _statements(pieces: Iterable[Found]) -> list[Statement]:
    return [piece for piece in pieces if isinstance(piece, Statement)]


def _joints(pieces: tuple[Found, ...]) -> int:
    """How many joints the text speaks of: the highest number at a coordinate or a torque."""
    names = every(Name, *_statements(pieces))
    digits = [name.lower for name in names if name.letter in COORDINATES and name.lower.isdigit()]
    return max((int(digit) for digit in digits if len(digit) == 1), default=1)
