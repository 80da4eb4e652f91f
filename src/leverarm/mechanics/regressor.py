"""The equations of motion are linear in the parameters: tau = W(q, qd, qdd) phi.

phi holds ten numbers per link (m, h, I about the link origin) and, where asked for, the friction, offset, rotor
and spring constants. Each kind of parameter knows its names, its values and its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from leverarm.mechanics.classical_motion import ClassicalMotion, classical_motion
from leverarm.mechanics.dissipation import direction
from leverarm.mechanics.energy import first_moment
from leverarm.mechanics.kinematics import ancestors, outward_motion, still, world_from_links
from leverarm.mechanics.rotors import rotor_speed
from leverarm.mechanics.springs import stretches
from leverarm.model import FRICTIONLESS, LAWS, FrictionLaw, FrictionTerm, Mechanism, RotorTerm, Sliding, shares
from leverarm.scalars import Scalar, half
from leverarm.spatial import Inertia, Motion, Vec3

INERTIAL_NAMES = ("m", "hx", "hy", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
UNIT_INERTIAS = tuple(Inertia.from_numbers(*(int(k == p) for k in range(10))) for p in range(10))
"""The inertia with one number 1 and the others 0: a body's inertia is the sum of its numbers times these."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One entry of phi: its name, such as "link2.Ixy" or "joint3.viscous", and its value in the arm."""

    name: str
    value: Scalar


Column = list[Scalar]
State = tuple[Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]]
Load = Sequence[Scalar] | None
"""What each joint transmits. At a given load, friction that grows with it is linear in its coefficients."""


def inertial_parameters(arm: Mechanism) -> list[Parameter]:
    """Ten per link: m, h, I about the link origin."""
    return [
        Parameter(f"{link.name}.{name}", number)
        for link in arm.links
        for name, number in zip(INERTIAL_NAMES, link.inertia.numbers(), strict=True)
    ]


def inertial_columns(arm: Mechanism, state: State, load: Load = None) -> Iterator[Column]:
    """For each link and each of its ten numbers, the forces of a link that has only that one. Ring, O(n depth)."""
    motion = classical_motion(arm, *state)
    for i in range(len(arm.links)):
        rows = {j: _powers(motion[i], S) for j, S in _joints_seen_from(arm, motion, i).items()}
        for k in range(len(INERTIAL_NAMES)):
            yield arm.generalised_forces([rows[j][k] if j in rows else 0 for j in range(len(arm.links))])


def _joints_seen_from(arm: Mechanism, motion: Sequence[ClassicalMotion], link: int) -> dict[int, Motion]:
    """S of every joint that moves a link, in the coordinates of that link."""
    seen: dict[int, Motion] = {}
    for i in reversed(ancestors(arm, link)):
        seen = {j: motion[i].parent_from_link.motion_into_child(S) for j, S in seen.items()} | {i: arm.links[i].S}
    return seen


def _powers(motion: ClassicalMotion, S: Motion) -> tuple[Scalar, ...]:
    """The power that each of a link's ten numbers takes along a joint's motion S = (u, l).

    Of m it is l . a, of h_k the force A e_k and the moment e_k x a, of I the moment I wd + w x I w.
    """
    u, w, wd, spread = S.angular, motion.w, motion.wd, motion.A.spread
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = motion.A.A.rows()
    h = motion.A.A.transpose_apply(S.linear) + motion.a.cross(u)
    moments = (
        Vec3(wd.x, w.x * w.z, -(w.x * w.y)),
        Vec3(-zx, zy, -spread.z),
        Vec3(-(w.y * w.z), wd.y, w.x * w.y),
        Vec3(yx, -spread.y, -yz),
        Vec3(-spread.x, -xy, xz),
        Vec3(w.y * w.z, -(w.x * w.z), wd.z),
    )
    return (S.linear @ motion.a, *h, *(u @ moment for moment in moments))


def _frictions(arm: Mechanism) -> list[tuple[str, FrictionTerm]]:
    return [(link.joint, term or FRICTIONLESS) for link, term in zip(arm.links, arm.frictions, strict=True)]


def _shafts(arm: Mechanism) -> list[RotorTerm]:
    return [rotor for rotor in arm.rotors if rotor.has_friction_parameters]


def friction_parameters(law: FrictionLaw, arm: Mechanism) -> list[Parameter]:
    """A law's coefficients: one per joint, or two where friction is asymmetric, then one per motor's shaft."""
    found = []
    for joint, term in _frictions(arm):
        for name, x in zip(law.fields, (term[law.name].forward, term[law.name].backward), strict=False):
            if name == law.name or term.is_asymmetric:
                found.append(Parameter(f"{joint}.{name}", x))
    if law.is_of_shafts:
        found += [Parameter(f"{r.joint}.motor_{law.name}", r.friction[law.name].forward) for r in _shafts(arm)]
    return found


def friction_columns(law: FrictionLaw, arm: Mechanism, state: State, load: Load = None) -> Iterator[Column]:
    """The law's force on each joint, split into two where friction is asymmetric, and on each shaft."""
    sizes = arm.load_sizes(load) if law.loads else [0] * len(arm.links)
    for i, ((_, term), speed) in enumerate(zip(_frictions(arm), arm.joint_values(state[1]), strict=True)):
        s = direction(term, speed)
        for share in shares(s) if term.is_asymmetric and law.is_two_sided else (1,):
            yield _on_joint(arm, i, share * law.force(Sliding(speed, s, sizes[i])))
    if law.is_of_shafts:
        for rotor in _shafts(arm):
            speed = rotor_speed(rotor, state[1])
            yield _on_rotor(arm, rotor, law.force(Sliding(speed, direction(rotor.friction, speed), 0)))


def _on_joint(arm: Mechanism, i: int, force: Scalar) -> Column:
    return arm.generalised_forces([force if k == i else 0 for k in range(len(arm.links))])


def rotor_parameters(arm: Mechanism) -> list[Parameter]:
    """The inertia of each rotor [kg m^2]."""
    return [Parameter(f"{rotor.joint}.rotor", rotor.inertia) for rotor in arm.rotors]


def rotor_columns(arm: Mechanism, state: State, load: Load = None) -> Iterator[Column]:
    """N^T N qdd of each rotor."""
    return (_on_rotor(arm, rotor, rotor_speed(rotor, state[2])) for rotor in arm.rotors)


def _on_rotor(arm: Mechanism, rotor: RotorTerm, force: Scalar) -> Column:
    column: Column = [0] * arm.dof
    for j, gear in rotor.gears:
        column[j] = gear * force
    return column


def spring_parameters(arm: Mechanism) -> list[Parameter]:
    """The stiffness of each spring [N m/rad or N/m]; where it rests is known, as the width of a tanh is."""
    springs = zip(arm.links, arm.springs, strict=True)
    return [Parameter(f"{link.joint}.spring", spring.stiffness) for link, spring in springs if spring is not None]


def spring_columns(arm: Mechanism, state: State, load: Load = None) -> Iterator[Column]:
    """How far each spring is from rest."""
    found = enumerate(stretches(arm, state[0]))
    return (_on_joint(arm, i, x) for i, x in found if arm.springs[i] is not None)


@dataclass(frozen=True, slots=True)
class ParameterKind:
    """A kind of parameter: what there is of it in an arm, and its columns of the regressor."""

    parameters: Callable[[Mechanism], list[Parameter]]
    columns: Callable[..., Iterator[Column]]
    """Of a mechanism, a state and a load."""


KINDS = {
    "inertial": ParameterKind(inertial_parameters, inertial_columns),
    **{law.name: ParameterKind(partial(friction_parameters, law), partial(friction_columns, law)) for law in LAWS},
    "rotor": ParameterKind(rotor_parameters, rotor_columns),
    "spring": ParameterKind(spring_parameters, spring_columns),
}


def kinds_of(arm: Mechanism) -> tuple[str, ...]:
    """The kinds an arm has: inertial always, the others where some joint has one."""
    laws = tuple(law.name for law in LAWS if (arm.has_friction if law.is_common else _occurs(law, arm)))
    others = {"rotor": bool(arm.rotors), "spring": arm.has_springs}
    return ("inertial", *laws, *(name for name, has in others.items() if has))


def _occurs(law: FrictionLaw, arm: Mechanism) -> bool:
    """Whether some joint has a coefficient of the law that is not zero."""
    return any(term is not None and term.has(law) for term in arm.frictions)


def parameters(arm: Mechanism, kinds: Sequence[str] | None = None) -> list[Parameter]:
    """phi: names and values, in the order of the regressor's columns."""
    return [entry for kind in (kinds_of(arm) if kinds is None else kinds) for entry in KINDS[kind].parameters(arm)]


def regressor(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    kinds: Sequence[str] | None = None,
    load: Load = None,
) -> list[list[Scalar]]:
    """W(q, qd, qdd), n x p: W phi are the forces of inverse dynamics. By default the kinds the arm has. Ring.

    Where friction grows with the load, tau is linear in phi only at a given `load` (`joint_loads`): a load that
    depends on the inertial parameters itself makes their products with the coefficients.
    """
    columns = [
        column
        for kind in (kinds_of(arm) if kinds is None else kinds)
        for column in KINDS[kind].columns(arm, (q, qd, qdd), load)
    ]
    return [[column[i] for column in columns] for i in range(arm.dof)]


def kinetic_energy_regressor(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """The row w with w . (inertial parameters) = K of the links. Ring, O(n)."""
    motion = outward_motion(arm, q, qd, still(arm))
    return [half(m.v @ (unit @ m.v)) for m in motion[:-1] for unit in UNIT_INERTIAS]


def potential_energy_regressor(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """The row w with w . (inertial parameters) = P of the links. Ring, O(n)."""
    return [
        -(arm.gravity @ first_moment(unit, pose)) for pose in world_from_links(arm, q)[:-1] for unit in UNIT_INERTIAS
    ]
