"""Parameters of an arm as inputs of a compiled function: for randomisation, payloads, identification.

An input is a symbol of the arm, or one of the groups below. Each group knows the arm's own values and how to
replace them, over any scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.errors import InputError, unknown_name
from leverarm.model import FRICTIONLESS, UNLOADED_LAWS, Arm, FrictionLaw, FrictionTerm, Link, Mechanism, RotorTerm, bind
from leverarm.runtime.quantities import QUANTITIES
from leverarm.scalars import TAPE, Scalar, divide, is_zero
from leverarm.spatial import Inertia, Vec3


@dataclass(frozen=True, slots=True)
class Group:
    """A group of parameters: labels with units, the arm's values, and the mechanism with others substituted."""

    meaning: str
    labels: Callable[[Mechanism], tuple[str, ...]]
    values: Callable[[Mechanism], list[Scalar]]
    replaced: Callable[[Mechanism, Sequence[Scalar]], Mechanism]


def _with_inertias(arm: Mechanism, inertias: Sequence[Inertia]) -> Mechanism:
    links = [replace(link, inertia=inertia) for link, inertia in zip(arm.links, inertias, strict=True)]
    return replace(arm, links=tuple(links))


def _with_mass(arm: Mechanism) -> list[Link]:
    """The links with mass: a massless link has no inertia to scale."""
    return [link for link in arm.links if not is_zero(link.inertia.m)]


def _with_masses(arm: Mechanism, masses: Sequence[Scalar]) -> Mechanism:
    """Links of the same shape and other density: all inertial parameters scale with the mass."""
    given = {link.name: mass for link, mass in zip(_with_mass(arm), masses, strict=True)}
    scaled = []
    for link in arm.links:
        body = link.inertia
        if link.name in given:
            mass = given[link.name]
            ratio = mass * divide(1, body.m)
            body = Inertia(mass, body.h * ratio, body.I * ratio)
        scaled.append(body)
    return _with_inertias(arm, scaled)


def _with_inertial(arm: Mechanism, numbers: Sequence[Scalar]) -> Mechanism:
    return _with_inertias(arm, [Inertia.from_numbers(*numbers[k : k + 10]) for k in range(0, len(numbers), 10)])


def _with_payload(arm: Mechanism, numbers: Sequence[Scalar]) -> Mechanism:
    """A body welded to the tool: mass, mass times centre, moments about the tool's origin, in its axes."""
    at = arm.attachments[arm.tool]
    if at.link < 0:
        return arm
    carried = Inertia.from_numbers(*numbers).into_parent(at.pose)
    inertias = [link.inertia + carried if i == at.link else link.inertia for i, link in enumerate(arm.links)]
    return _with_inertias(arm, inertias)


def _with_friction(law: FrictionLaw, arm: Mechanism, numbers: Sequence[Scalar]) -> Mechanism:
    """Coefficients of one friction law, in the order of the regressor's parameters."""
    given = iter(numbers)
    frictions = tuple(_with_coefficient(law, term or FRICTIONLESS, given) for term in arm.frictions)
    if not law.is_of_shafts:
        return replace(arm, frictions=frictions)
    rotors = tuple(_one_shaft(rotor, law, given) if rotor.has_friction_parameters else rotor for rotor in arm.rotors)
    return replace(arm, frictions=frictions, rotors=rotors)


def _with_coefficient(law: FrictionLaw, term: FrictionTerm, given: Iterator[Scalar]) -> FrictionTerm:
    forward = next(given)
    return term.with_coefficient(law.name, forward, next(given) if term.is_asymmetric and law.is_two_sided else forward)


def _one_shaft(rotor: RotorTerm, law: FrictionLaw, given: Iterator[Scalar]) -> RotorTerm:
    return replace(rotor, friction=_with_coefficient(law, rotor.friction, given), has_friction=True)


def _with_rotors(arm: Mechanism, numbers: Sequence[Scalar]) -> Mechanism:
    return replace(arm, rotors=tuple(replace(r, inertia=x) for r, x in zip(arm.rotors, numbers, strict=True)))


def _with_stiffnesses(arm: Mechanism, numbers: Sequence[Scalar]) -> Mechanism:
    given = iter(numbers)
    return mechanics.with_stiffnesses(arm, [0 if spring is None else next(given) for spring in arm.springs])


def _kind(kind: str, meaning: str, replaced: Callable[[Mechanism, Sequence[Scalar]], Mechanism]) -> Group:
    """A group that is one parameter kind of the regressor, in the same order."""
    return Group(
        meaning,
        lambda arm: tuple(p.name for p in mechanics.KINDS[kind].parameters(arm)),
        lambda arm: [p.value for p in mechanics.KINDS[kind].parameters(arm)],
        replaced,
    )


GROUPS: Mapping[str, Group] = {
    "gravity": Group(
        "free-fall acceleration in the world",
        lambda arm: ("x [m/s^2]", "y [m/s^2]", "z [m/s^2]"),
        lambda arm: list(arm.gravity),
        lambda arm, g: replace(arm, gravity=Vec3(*g)),
    ),
    "masses": Group(
        "masses of the moving links that have one; centres stay, moments scale along",
        lambda arm: tuple(f"{link.name} [kg]" for link in _with_mass(arm)),
        lambda arm: [link.inertia.m for link in _with_mass(arm)],
        _with_masses,
    ),
    "payload": Group(
        "a body welded to the tool: m, m c, I about the tool's origin in its axes",
        lambda arm: mechanics.INERTIAL_NAMES,
        lambda arm: [0] * 10,
        _with_payload,
    ),
    "inertial": _kind("inertial", "ten numbers per link: m, m c, I about the link's origin", _with_inertial),
    **{law.name: _kind(law.name, law.meaning, partial(_with_friction, law)) for law in UNLOADED_LAWS},
    "rotor": _kind("rotor", "inertia of the rotors [kg m^2]", _with_rotors),
    "spring": _kind("spring", "stiffness of the joints' springs", _with_stiffnesses),
}
ALIASES = {"friction": tuple(law.name for law in UNLOADED_LAWS if law.is_common)}
CALL_NAMES = frozenset(
    name for q in QUANTITIES.values() for name in (*q.arguments, *q.optional, *q.choices, "out", "threads")
)
"""Other argument names of a call: a symbol of the same name would be ambiguous."""


def parameter_inputs(arm: Arm, names: Sequence[str] | str) -> tuple[str, ...]:
    """The requested inputs, checked: symbols of the arm and groups, with "friction" expanded."""
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given to be compiled; an arm is needed, as from la.load('panda').")
    names = (names,) if isinstance(names, str) else names
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"inputs: {names!r} was given; it must be a list of names, such as ['masses', 'gravity'].")
    chosen = [name for asked in names for name in ALIASES.get(asked, (asked,))]
    valid = (*arm.defaults, *GROUPS, *ALIASES)
    for name in chosen:
        if name not in valid:
            raise InputError(
                f"inputs of arm {arm.name!r}: {unknown_name('parameter', name, valid)} `la.symbolic` makes symbols of "
                "an arm's other numbers."
            )
        if name in GROUPS and name in arm.defaults:
            raise InputError(f"inputs: {name!r} is both a symbol of arm {arm.name!r} and a group. Rename the symbol.")
        if name in CALL_NAMES:
            raise InputError(
                f"inputs: {name!r} is a symbol of arm {arm.name!r} and also an argument of compiled functions. Rename "
                "the symbol."
            )
    if {"masses", "inertial"} <= set(chosen):
        raise InputError('inputs: "inertial" already includes the masses. Leave "masses" out, or "inertial".')
    if len(set(chosen)) != len(chosen):
        raise InputError(f"inputs: {', '.join(names)} names a parameter twice.")
    return tuple(chosen)


def parameter_array(arm: Arm, name: str) -> Array:
    """The argument of a parameter: a number for a symbol, a vector for a group."""
    if name not in GROUPS:
        return Array(name, (), f"symbol {name} of the arm")
    group = GROUPS[name]
    labels = group.labels(bind(arm))
    return Array(name, (len(labels),), group.meaning, labels)


def present_values(arm: Arm, name: str) -> list[float]:
    """The arm's own values: the default of a parameter omitted from a call."""
    if name not in GROUPS:
        return [float(arm.defaults[name])]
    return [float(x) for x in GROUPS[name].values(bind(arm))]


def bound(arm: Arm, parameters: Mapping[str, Sequence[Scalar]]) -> Mechanism:
    """The mechanism with these scalars substituted: symbols first, then groups, each applied on top of the last."""
    symbols = {name: values[0] for name, values in parameters.items() if name not in GROUPS}
    mechanism = bind(arm, TAPE, symbols)
    for name, values in parameters.items():
        if name in GROUPS:
            mechanism = GROUPS[name].replaced(mechanism, values)
    return mechanism


def inertias_are_numbers(arm: Mechanism) -> bool:
    """Whether every link's inertia is known at compile time."""
    return all(
        isinstance(x, int | float) for link in arm.links for x in (*link.inertia.numbers(), *link.placement.position)
    )
