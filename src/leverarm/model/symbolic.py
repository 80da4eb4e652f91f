"""The same arm with its numbers turned into symbols, whose default values are the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from string import ascii_lowercase
from typing import Literal

from leverarm.errors import ArmError, unknown_name
from leverarm.model.arm import Arm
from leverarm.model.binding import bind
from leverarm.model.expression import Expression, Quantity, negate, symbol, symbols_of, to_float
from leverarm.model.friction import LETTERS, SHAFT_LAWS
from leverarm.model.mechanism import WORLD
from leverarm.model.parts import Body, MassProperties, Placement
from leverarm.scalars import RATIONAL, Number, Scalar, exact
from leverarm.spatial import Inertia, Symmetric3, Vec3, point_inertia

GROUPS = ("inertia", "geometry", "gravity", "friction", "motors", "springs")
MOTOR = {"inertia": "J", "gear": "N"}
SPRING = {"stiffness": "k", "rest": "q0_"}
SHAFT = {law.name: f"{law.letter}m" for law in SHAFT_LAWS}

SMALL_FRACTION = 10**6
"""The largest denominator that a default value keeps."""

About = Literal["origin", "com"]
Zeros = Literal["named", "kept"]


def symbolic(arm: Arm, *groups: str, about: About = "origin", zeros: Zeros = "named") -> Arm:
    """The arm with the numbers of these groups (all of them by default) as symbols; what was symbolic stays.

    i counts the moving bodies from 1.

    - "inertia": of every moving body, with all that is welded to it, m{i}, the centre of mass rx{i} ry{i} rz{i} and the
      moments Ixx{i} Ixy{i} ... `about` its origin, which keeps equations shortest, or about its centre of mass. With
      `zeros` "kept" only numbers that are not zero. A body with symbols of its own keeps the point of its moments.
    - "geometry": lengths that are not zero, Lx{i} Ly{i} Lz{i} where joint i sits in the body that carries it and
      Lx_{name} for the base, fixed bodies and named frames; the advance p{i} of a screw. Angles and axes stay numbers.
    - "gravity": g, or gx gy gz where gravity is not along an axis of the world.
    - "friction": viscous Fv{i}, Coulomb Fc{i}, offset Fo{i}, backwards Fvn{i}, Fcn{i}, at the motor Fvm{i}, Fcm{i}.
    - "motors": rotor inertia J{i}, gear ratio N{i}.
    - "springs": stiffness k{i}, rest position q0_{i}.

    A name that the arm has already gets one more letter: m1b, m1c.

    >>> import leverarm as la
    >>> from leverarm.model.symbolic import symbolic
    >>> symbolic(la.load("puma560"), "geometry", "gravity").defaults
    {'Lz1': 0.672, 'Lx3': 0.4318, 'Lz3': 0.15005, 'Lx4': 0.0203, 'Ly4': 0.4318, 'g': 9.81}
    """
    if not isinstance(arm, Arm):
        raise ArmError(f"symbolic: {arm!r} was given; an arm is needed, as from la.load('puma560').")
    for group in groups:
        if group not in GROUPS:
            raise ArmError("symbolic: " + unknown_name("group of numbers", group, GROUPS))
    for what, given, valid in (("about", about, ("origin", "com")), ("zeros", zeros, ("named", "kept"))):
        if given not in valid:
            raise ArmError(f"symbolic, {what}: " + unknown_name("choice", given, valid))
    chosen, names = groups or GROUPS, _Names(arm)
    bodies = _with_inertia(arm, names, about, zeros) if "inertia" in chosen else arm.bodies
    base, frames, gravity = arm.base_placement, arm.named_frames, arm.gravity
    if "geometry" in chosen:
        base = names.placement(base, f"_{arm.base}")
        bodies = tuple(_with_geometry(body, suffix, names) for body, suffix in _numbered(bodies))
        frames = tuple(replace(f, placement=names.placement(f.placement, f"_{f.name}")) for f in frames)
    if "gravity" in chosen:
        gravity = _gravity(gravity, names)
    if "friction" in chosen:
        bodies = tuple(_with_settings(body, "friction", LETTERS, i, names) for body, i in _numbered(bodies))
        bodies = tuple(_with_settings(body, "motor", SHAFT, i, names) for body, i in _numbered(bodies))
    if "motors" in chosen:
        bodies = tuple(_with_settings(body, "motor", MOTOR, i, names) for body, i in _numbered(bodies))
    if "springs" in chosen:
        bodies = tuple(_with_settings(body, "spring", SPRING, i, names) for body, i in _numbered(bodies))
    symbols = (*arm.symbols, *names.defaults.items())
    return replace(arm, bodies=bodies, base_placement=base, named_frames=frames, gravity=gravity, symbols=symbols)


class _Names:
    """The symbols made so far, with their values, and the names that are taken."""

    def __init__(self, arm: Arm) -> None:
        joints = [body.joint for body in arm.bodies]
        self.taken = {*arm.defaults, *arm.coordinates, *(j.name for j in joints), *(j.force for j in joints)}
        self.defaults: dict[str, Number] = {}

    def named(self, name: str, number: Quantity) -> Quantity:
        """A symbol for a plain number; a quantity with symbols stays."""
        if _has_symbols(number):
            return number
        free = re.sub(r"\W", "_", name, flags=re.ASCII)
        free = next(free + more for more in _endings() if free + more not in self.taken)
        self.taken.add(free)
        self.defaults[free] = to_float(number, {}) if isinstance(number, Expression) else number
        return symbol(free)

    def unless_zero(self, name: str, number: Quantity) -> Quantity:
        return number if not isinstance(number, Expression) and number == 0 else self.named(name, number)

    def placement(self, placement: Placement, suffix: str) -> Placement:
        parts = zip("xyz", placement.xyz, strict=True)
        return replace(placement, xyz=Vec3(*(self.unless_zero(f"L{axis}{suffix}", x) for axis, x in parts)))


def _endings() -> Iterator[str]:
    yield from ("", *ascii_lowercase[1:])
    for ending in _endings():
        yield "z" + ending


def _has_symbols(*numbers: Quantity) -> bool:
    return any(True for number in numbers for _ in symbols_of(number))


def _numbered(bodies: tuple[Body, ...]) -> Iterator[tuple[Body, str]]:
    """Each body with what its symbols end in: its number among those that move, or _ and its name."""
    i = 0
    for body in bodies:
        i += not body.joint.is_fixed
        yield body, f"_{body.name}" if body.joint.is_fixed else str(i)


def _with_inertia(arm: Arm, names: _Names, about: About, zeros: Zeros) -> tuple[Body, ...]:
    """The bodies with symbols for inertias. What is welded to a body of plain numbers becomes part of its symbols."""
    make = names.named if zeros == "named" else names.unless_zero
    mechanism = bind(arm, RATIONAL)
    whole = {link.name: link.inertia for link in mechanism.links}
    links = {body.name: mechanism.attachments[body.name].link for body in arm.bodies}
    carrier = {name: mechanism.links[link].name for name, link in links.items() if link != WORLD}
    with_symbols = {carrier.get(body.name) for body in arm.bodies if _has_symbols(*_inertial_numbers(body))}
    bodies = []
    for body, i in _numbered(arm.bodies):
        mp, link = body.mass_properties, carrier.get(body.name)
        if body.joint.is_fixed:
            is_left = link is None or link in with_symbols
            bodies.append(body if is_left else replace(body, mass_properties=MassProperties()))
            continue
        if link not in with_symbols:
            mp = _mass_properties(whole[body.name], about)
        mass = make(f"m{i}", mp.mass)
        com = Vec3(*(make(f"r{axis}{i}", x) for axis, x in zip("xyz", mp.com, strict=True)))
        moments = Symmetric3(*(make(f"I{entry}{i}", getattr(mp.inertia, entry)) for entry in Symmetric3.__slots__))
        bodies.append(replace(body, mass_properties=replace(mp, mass=mass, com=com, inertia=moments)))
    return tuple(bodies)


def _inertial_numbers(body: Body) -> Iterator[Quantity]:
    """The numbers that the inertia of the moving body that carries this one depends on."""
    mp, joint = body.mass_properties, body.joint
    yield from (mp.mass, *mp.com, *mp.rpy, *(getattr(mp.inertia, entry) for entry in Symmetric3.__slots__))
    if joint.is_fixed:
        yield from (*joint.placement.xyz, *joint.placement.rpy, *joint.axis, joint.pitch, joint.locked or 0)


def _mass_properties(whole: Inertia, about: About) -> MassProperties:
    mp = MassProperties.from_inertia(whole)
    if about == "com":
        mp = replace(mp, inertia=mp.inertia - point_inertia(mp.com) * mp.mass, about="com")
    moments = (_literal(getattr(mp.inertia, entry)) for entry in Symmetric3.__slots__)
    com = Vec3(*(_literal(x) for x in mp.com))
    return replace(mp, mass=_literal(mp.mass), com=com, inertia=Symmetric3(*moments))


def _literal(x: Scalar) -> Number:
    """A rational number as a short literal: a whole number, a decimal, a small fraction, or the nearest float."""
    if x == int(x):
        return int(x)
    near = float(x)
    return near if exact(near) == x or x.denominator > SMALL_FRACTION else Fraction(x)


def _with_geometry(body: Body, suffix: str, names: _Names) -> Body:
    joint = body.joint
    placement, pitch = names.placement(joint.placement, suffix), names.unless_zero(f"p{suffix}", joint.pitch)
    return replace(body, joint=replace(joint, placement=placement, pitch=pitch))


def _gravity(gravity: Vec3, names: _Names) -> Vec3:
    along = [x for x in gravity if isinstance(x, Expression) or x != 0]
    if len(along) != 1 or isinstance(along[0], Expression):
        return Vec3(*(names.unless_zero(f"g{axis}", x) for axis, x in zip("xyz", gravity, strict=True)))
    g = names.named("g", abs(along[0]))
    return Vec3(*(0 if x == 0 else g if x > 0 else negate(g) for x in gravity))


def _with_settings(
    body: Body, what: Literal["friction", "motor", "spring"], letters: dict[str, str], i: str, names: _Names
) -> Body:
    """The body with symbols for the numbers of its joint's friction, motor or spring; zeros and a gear of one stay."""
    settings = getattr(body.joint, what)
    if settings is None or body.joint.is_fixed:
        return body
    named = {}
    for field, letter in letters.items():
        number = getattr(settings, field)
        if number is not None and not (field == "gear" and number == 1):
            named[field] = names.unless_zero(letter + i, number)
    return replace(body, joint=replace(body.joint, **{what: replace(settings, **named)}))
