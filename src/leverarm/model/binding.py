"""From the description of an arm to a mechanism over one number system: values put in, fixed bodies merged."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real

from leverarm.model.arm import Arm, with_values
from leverarm.model.expression import Expression, Quantity, subtract, to_float
from leverarm.model.friction import LAWS, SHAFT_LAWS, Coefficient, Friction, FrictionLaw, FrictionTerm
from leverarm.model.mechanism import WORLD, Attachment, Link, Mechanism, RotorTerm, Row, SpringTerm
from leverarm.model.parts import Body, Joint, Motor
from leverarm.model.valuation import Valuation
from leverarm.scalars import FLOAT, NumberSystem, Scalar, as_length, divide, is_one
from leverarm.spatial import HERE, IDENTITY, NO_INERTIA, Pose, rotation_about


def bind(arm: Arm, system: NumberSystem = FLOAT, values: Mapping[str, Scalar] | None = None) -> Mechanism:
    """The arm over a number system. Symbols take their defaults, except those given `values`.

    A value is a scalar of the system, or a plain number, which takes the default's place. Fixed and locked bodies are
    merged into the link that carries them; their frames stay.
    """
    given = {str(name): value for name, value in (values or {}).items()}
    plain = {name: value for name, value in given.items() if isinstance(value, Real | str)}
    arm = with_values(arm, **plain) if plain else arm
    valuation = Valuation.of(arm, system, {name: value for name, value in given.items() if name not in plain})
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
                slide=valuation.advance(joint),
                inertia=inertias[index[body.name]],
            )
        )
    column = {name: j for j, name in enumerate(arm.coordinates)}
    couplings = tuple(_coupling_row(body.joint, column, valuation) for body in moving)
    return Mechanism(
        name=arm.name,
        links=tuple(links),
        gravity=valuation.vector(arm.gravity),
        coordinates=arm.coordinates,
        couplings=couplings,
        frictions=tuple(_friction(body.joint.friction, valuation) for body in moving),
        springs=tuple(_spring(body.joint, valuation) for body in moving),
        rotors=_rotors(arm, moving, couplings, valuation),
        attachments=carried
        | {
            frame.name: Attachment(carried[frame.body].link, carried[frame.body].pose * valuation.pose(frame.placement))
            for frame in arm.named_frames
        },
        tool=arm.tool,
    )


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
    return placement * Pose(rotation, axis * (valuation.advance(joint) * as_length(valuation.number(constant))))


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


def _coupling_row(joint: Joint, column: Mapping[str, int], valuation: Valuation) -> Row:
    if joint.coupling is None:
        return ((column[joint.name], 1),)
    return tuple((column[name], _ratio(ratio, valuation)) for name, ratio in joint.coupling)


def _ratio(ratio: Quantity, valuation: Valuation) -> Scalar:
    """A ratio of one is structural: it changes nothing."""
    return 1 if not isinstance(ratio, Expression) and ratio == 1 else valuation.number(ratio)


def _friction(friction: Friction | None, valuation: Valuation) -> FrictionTerm | None:
    if friction is None:
        return None
    return FrictionTerm(
        {law.name: _coefficient(friction, law, valuation) for law in LAWS},
        is_asymmetric=any(_backward(friction, law) is not None for law in LAWS),
        steepness=None if friction.smoothing is None else divide(1, valuation.number(friction.smoothing)),
    )


def _coefficient(friction: Friction, law: FrictionLaw, valuation: Valuation) -> Coefficient:
    forward, backward = valuation.number(getattr(friction, law.name)), _backward(friction, law)
    return Coefficient(forward, forward if backward is None else valuation.number(backward))


def _backward(friction: Friction, law: FrictionLaw) -> Quantity | None:
    return next((getattr(friction, name) for name in law.fields[1:]), None)


def _spring(joint: Joint, valuation: Valuation) -> SpringTerm | None:
    if joint.spring is None:
        return None
    stiffness, rest = joint.spring.stiffness, subtract(joint.spring.rest, joint.offset)
    return SpringTerm(valuation.number(stiffness), valuation.number(rest))


def _rotors(arm: Arm, moving: list[Body], couplings: tuple[Row, ...], valuation: Valuation) -> tuple[RotorTerm, ...]:
    """The rotors that turn, each with its speed per coordinate: gears of joints through the joints' couplings."""
    rows = {body.joint.name: row for body, row in zip(moving, couplings, strict=True)}
    rotors = []
    for body in arm.bodies:
        motor = body.joint.motor
        if motor is None:
            continue
        gears: dict[int, Scalar] = {}
        for joint, gear in ((body.joint.name, motor.gear), *motor.also):
            for j, ratio in rows.get(joint, ()):
                turn = _times(_ratio(gear, valuation), ratio)
                gears[j] = turn if j not in gears else gears[j] + turn
        if gears:
            rotors.append(
                RotorTerm(
                    body.joint.name,
                    valuation.number(motor.inertia),
                    tuple(sorted(gears.items())),
                    _shaft_friction(body.joint, motor, valuation),
                    motor.has_friction,
                )
            )
    return tuple(rotors)


def _shaft_friction(joint: Joint, motor: Motor, valuation: Valuation) -> FrictionTerm:
    """Friction on the motor's own speed; smooth where the joint's is, and to the same speed of the joint."""
    numbers = {law.name: valuation.number(getattr(motor, law.name)) for law in SHAFT_LAWS}
    steepness = None
    if joint.friction is not None and joint.friction.smoothing is not None:
        at_defaults = to_float(motor.gear, valuation.defaults)
        size = 1 if at_defaults == 0 else valuation.number(motor.gear) * (1 if at_defaults > 0 else -1)
        steepness = divide(1, _times(valuation.number(joint.friction.smoothing), size))
    return FrictionTerm({name: Coefficient(x, x) for name, x in numbers.items()}, steepness=steepness)


def _times(a: Scalar, b: Scalar) -> Scalar:
    return b if is_one(a) else a if is_one(b) else a * b
