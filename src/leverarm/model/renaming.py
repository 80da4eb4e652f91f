"""The same arm with other letters: those of a page for its symbols, coordinates and generalised forces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from leverarm.errors import ArmError, unknown_name
from leverarm.model.arm import Arm
from leverarm.model.expression import Expression
from leverarm.model.joint_kinds import JointKind
from leverarm.model.parts import Joint


def rename(arm: Arm, names: Mapping[str, str]) -> Arm:
    """The arm with other names for some of its symbols, coordinates and generalised forces, all at once.

    A name that is both a symbol and a coordinate is the symbol's. Raises ArmError where a name is unknown, or where two
    would be the same.

    >>> import leverarm as la
    >>> arm = la.model.rename(la.load("elbow"), {"a1": "L1", "a2": "L2", "theta1": "q1", "theta2": "q2"})
    >>> la.equations(arm).M[0, 1].text()
    'm2 L2 (L2 + L1 c2)'
    """
    joints = [body.joint.name for body in arm.bodies]
    forces = {name: f for name, f in zip(arm.coordinates, force_letters(arm), strict=True) if name in joints}
    known = dict.fromkeys((*arm.defaults, *arm.coordinates, *forces.values()))
    for old, new in names.items():
        if old not in known:
            raise ArmError(f"arm {arm.name!r}, rename: {unknown_name('letter', old, known)}")
        if not isinstance(new, str) or not new.isidentifier():
            raise ArmError(f"arm {arm.name!r}, rename: {old!r} was given the name {new!r}. Give letters and digits.")
    after = [names.get(name, name) for name in known]
    if len(set(after)) < len(after):
        twice = next(name for name in after if after.count(name) > 1)
        raise ArmError(f"arm {arm.name!r}, rename: {twice!r} would be the name of two letters. Give each its own.")
    of_symbols = {old: new for old, new in names.items() if old in arm.defaults}
    of_joints = {old: new for old, new in names.items() if old in arm.coordinates and old not in of_symbols}
    of_forces = {old: new for old, new in names.items() if old not in of_symbols and old not in of_joints}
    bodies = []
    for body in arm.bodies:
        joint = replace(body.joint, force=of_forces.get(forces.get(body.joint.name, ""), body.joint.force))
        bodies.append(_with_symbols(replace(body, joint=_with_names(joint, of_joints)), of_symbols))
    return replace(
        arm,
        bodies=tuple(bodies),
        gravity=_with_symbols(arm.gravity, of_symbols),
        base_placement=_with_symbols(arm.base_placement, of_symbols),
        named_frames=_with_symbols(arm.named_frames, of_symbols),
        symbols=tuple((of_symbols.get(name, name), value) for name, value in arm.symbols),
        coordinates=tuple(of_joints.get(name, name) for name in arm.coordinates),
    )


def force_letters(arm: Arm) -> tuple[str, ...]:
    """The letters of the generalised forces: the arm's own for them, else tau1, tau2."""
    own = {body.joint.name: body.joint.force for body in arm.bodies}
    return tuple(own.get(name) or f"tau{i}" for i, name in enumerate(arm.coordinates, start=1))


def _with_names(joint: Joint, names: Mapping[str, str]) -> Joint:
    """The joint under its new name, which follows and turns with others by theirs."""
    coupling, motor = joint.coupling, joint.motor
    if coupling is not None:
        coupling = tuple((names.get(name, name), ratio) for name, ratio in coupling)
    if motor is not None:
        motor = replace(motor, also=tuple((names.get(name, name), ratio) for name, ratio in motor.also))
    return replace(joint, name=names.get(joint.name, joint.name), coupling=coupling, motor=motor)


def _with_symbols(part: Any, names: Mapping[str, str]) -> Any:
    """A part of an arm, or a number, with other names in its expressions."""
    match part:
        case Expression(head="symbol", args=(name,)):
            return Expression("symbol", (names.get(name, name),))
        case Expression(head=head, args=args):
            return Expression(head, tuple(_with_symbols(each, names) for each in args))
        case tuple():
            return tuple(_with_symbols(each, names) for each in part)
        case JointKind():
            return part
        case _ if is_dataclass(part) and not isinstance(part, type):
            return replace(
                part, **{f.name: _with_symbols(getattr(part, f.name), names) for f in fields(part) if f.init}
            )
        case _:
            return part
