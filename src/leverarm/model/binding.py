"""From the description of an arm to a mechanism over one number system: values put in, fixed bodies merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leverarm.errors import ArmError, unknown_name
from leverarm.model.arm import Arm
from leverarm.model.expression import Expression, Quantity, symbols_of, to_float
from leverarm.model.mechanism import WORLD, Attachment, FrictionTerm, Link, Mechanism, RotorTerm, weighted_sum
from leverarm.model.parts import Body, Friction, Joint, JointKind, MassProperties, Placement
from leverarm.scalars import FLOAT, Number, NumberSystem, Scalar, cos_sin
from leverarm.spatial import HERE, IDENTITY, NO_INERTIA, Inertia, Pose, Vec3, rotation_about, rotation_from_rpy


def bind(arm: Arm, system: NumberSystem = FLOAT, values: Mapping[str, Scalar] | None = None) -> Mechanism:
    """The arm over a number system. Symbols take their defaults, except those given `values` (scalars of the system).

    Fixed and locked bodies are merged into the link that carries them; their frames stay.
    """
    valuation = Valuation.of(arm, system, values or {})
    carried = _carriers(arm, valuation)
    moving = [body for body in arm.bodies if not body.joint.is_fixed]
    index = {body.name: i for i, body in enumerate(moving)}
    inertias = [NO_INERTIA] * len(moving) + [NO_INERTIA]
    for body in arm.bodies:
        at = carried[body.name]
        inertias[at.link] = inertias[at.link] + valuation.inertia(body.mass_properties).into_parent(at.pose)
    links = []
    for body in moving:
        at, joint = carried[body.parent], body.joint
        links.append(
            Link(
                name=body.name,
                joint=joint.name,
                parent=at.link,
                placement=at.pose * _constant_pose(joint, valuation),
                axis=valuation.direction(joint.axis),
                turns=joint.kind.turns,
                slide=_slide(joint, valuation),
                inertia=inertias[index[body.name]],
            )
        )
    couplings = tuple(_coupling_row(arm, body.joint, valuation) for body in moving)
    return Mechanism(
        name=arm.name,
        links=tuple(links),
        gravity=valuation.vector(arm.gravity),
        coordinates=arm.coordinates,
        couplings=couplings,
        frictions=tuple(_friction(body.joint.friction, valuation) for body in moving),
        rotors=_rotors(arm, moving, couplings, valuation),
        attachments=carried
        | {
            frame.name: Attachment(carried[frame.body].link, carried[frame.body].pose * valuation.pose(frame.placement))
            for frame in arm.named_frames
        },
        tool=arm.tool,
    )


@dataclass(frozen=True, slots=True)
class Valuation:
    """Gives the quantities of one arm their values in one number system."""

    system: NumberSystem
    defaults: Mapping[str, Number]
    values: Mapping[str, Scalar]
    """The scalar of every symbol."""
    free: frozenset[str]
    """The symbols whose value is not their default: an angle that contains one is a scalar, not a constant."""

    @staticmethod
    def of(arm: Arm, system: NumberSystem, given: Mapping[str, Scalar]) -> Valuation:
        defaults = arm.defaults
        for name in given:
            if name not in defaults:
                raise ArmError(f"arm {arm.name!r}: " + unknown_name("symbol", name, defaults))
        lifted = {name: system.lift(number) for name, number in defaults.items()}
        return Valuation(system, defaults, lifted | dict(given), frozenset(given))

    def number(self, quantity: Quantity) -> Scalar:
        if not isinstance(quantity, Expression):
            return self.system.lift(quantity)
        head, args = quantity.head, quantity.args
        if head == "symbol":
            return self.values[args[0]]
        if head in ("cos", "sin"):
            return self.angle(args[0])[head == "sin"]
        if head in ("pi", "sqrt"):
            if any(name in self.free for name in symbols_of(quantity)):
                raise ArmError(f"{quantity} has no exact value; a square root may hold only symbols with fixed values.")
            return self.system.lift(to_float(quantity, self.defaults))
        operands = [self.number(arg) for arg in args if head != "^"]
        if head == "^":
            return _power(self.number(args[0]), args[1])
        if head == "neg":
            return -operands[0]
        a, b = operands
        return a + b if head == "+" else a - b if head == "-" else a * b if head == "*" else a / b

    def angle(self, quantity: Quantity) -> tuple[Scalar, Scalar]:
        """Cosine and sine."""
        if any(name in self.free for name in symbols_of(quantity)):
            return cos_sin(self.number(quantity))
        return self.system.turn(to_float(quantity, self.defaults))

    def vector(self, v: Vec3) -> Vec3:
        return Vec3(*(self.number(part) for part in v))

    def direction(self, v: Vec3) -> Vec3:
        if any(name in self.free for part in v for name in symbols_of(part)):
            return self.vector(v)
        numbers = [part if not isinstance(part, Expression) else to_float(part, self.defaults) for part in v]
        return Vec3(*self.system.direction(*numbers))

    def pose(self, placement: Placement) -> Pose:
        rotation = rotation_from_rpy(*(self.angle(part) for part in placement.rpy))
        return Pose(rotation, self.vector(placement.xyz))

    def inertia(self, mp: MassProperties) -> Inertia:
        """The ten numbers about the body origin, in body axes."""
        rotation = rotation_from_rpy(*(self.angle(part) for part in mp.rpy))
        t = mp.inertia
        entries = (self.number(part) for part in (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz))
        second = type(t)(*entries).rotated(rotation)
        mass, com = self.number(mp.mass), self.vector(mp.com)
        if mp.about == "com":
            return Inertia.from_com(mass, com, second)
        return Inertia(mass, com * mass, second)


def _power(base: Scalar, exponent: int) -> Scalar:
    result = base
    for _ in range(abs(exponent) - 1):
        result = result * base
    return 1 if exponent == 0 else result if exponent > 0 else 1 / result


def _slide(joint: Joint, valuation: Valuation) -> Scalar:
    """Advance along the axis per unit of the joint variable: 1 when prismatic, the pitch when helical."""
    if joint.kind is JointKind.PRISMATIC:
        return 1
    return valuation.number(joint.pitch) if joint.kind is JointKind.HELICAL else 0


def _constant_pose(joint: Joint, valuation: Valuation) -> Pose:
    """The pose of a joint at the constant part of its position: where it is locked, or the offset of its coupling.

    A joint's motions commute, so the coordinates move it on from there.
    """
    placement = valuation.pose(joint.placement)
    constant = joint.offset if joint.locked is None else joint.locked
    if constant == 0:
        return placement
    axis = valuation.direction(joint.axis)
    rotation = rotation_about(axis, *valuation.angle(constant)) if joint.kind.turns else IDENTITY
    return placement * Pose(rotation, axis * (_slide(joint, valuation) * valuation.number(constant)))


def _carriers(arm: Arm, valuation: Valuation) -> dict[str, Attachment]:
    """For the base and each body: the moving link that carries it, and link_from_body."""
    base = valuation.pose(arm.base_placement)
    carried = {arm.base: Attachment(WORLD, base)}
    moving = 0
    for body in arm.bodies:
        if body.joint.is_fixed:
            at = carried[body.parent]
            carried[body.name] = Attachment(at.link, at.pose * _constant_pose(body.joint, valuation))
        else:
            carried[body.name] = Attachment(moving, HERE)
            moving += 1
    return carried


def _coupling_row(arm: Arm, joint: Joint, valuation: Valuation) -> tuple[Scalar, ...]:
    ratios: dict[str, Scalar] = {joint.name: 1}
    if joint.coupling is not None:
        ratios = {name: _one(valuation.number(ratio)) for name, ratio in joint.coupling}
    return tuple(ratios.get(name, 0) for name in arm.coordinates)


def _one(x: Scalar) -> Scalar:
    return 1 if not isinstance(x, int) and x == 1 else x


def _friction(friction: Friction | None, valuation: Valuation) -> FrictionTerm | None:
    if friction is None:
        return None
    viscous, coulomb = valuation.number(friction.viscous), valuation.number(friction.coulomb)
    back_viscous, back_coulomb = friction.viscous_negative, friction.coulomb_negative
    return FrictionTerm(
        viscous=viscous,
        viscous_negative=viscous if back_viscous is None else valuation.number(back_viscous),
        coulomb=coulomb,
        coulomb_negative=coulomb if back_coulomb is None else valuation.number(back_coulomb),
        offset=valuation.number(friction.offset),
        is_asymmetric=back_viscous is not None or back_coulomb is not None,
        steepness=None if friction.smoothing is None else 1 / valuation.number(friction.smoothing),
    )


def _rotors(
    arm: Arm, moving: list[Body], couplings: tuple[tuple[Scalar, ...], ...], valuation: Valuation
) -> tuple[RotorTerm, ...]:
    names = [body.joint.name for body in moving]
    rotors = []
    for body in arm.bodies:
        motor = body.joint.motor
        if motor is None:
            continue
        gears = {body.joint.name: valuation.number(motor.gear)}
        gears |= {name: valuation.number(ratio) for name, ratio in motor.also}
        per_joint = [gears.get(name, 0) for name in names]
        per_coordinate = tuple(
            weighted_sum([row[j] for row in couplings], per_joint) for j in range(len(arm.coordinates))
        )
        rotors.append(RotorTerm(body.joint.name, valuation.number(motor.inertia), per_coordinate))
    return tuple(rotors)
