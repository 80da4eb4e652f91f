"""What the terms of the equations of motion mean: M_ij, the slope of M_11, gravity torques as moments of weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from leverarm.closed_form import Equations, equations
from leverarm.derivation.formulas import HALF, K, M, P, brief, full, plus, tau, times
from leverarm.derivation.setting import Setting
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.general_equations import total
from leverarm.derivation.theory.proofs import ANGLES, at, at_rate, letter, proven, rotation, vector
from leverarm.documents.document import Section, Shown, sentence
from leverarm.formats import load
from leverarm.mechanics import first_moment, world_from_links
from leverarm.mechanics.kinematics import ancestors
from leverarm.notation.tree import (
    Between,
    Indexed,
    Inverse,
    Of,
    PartialDerivative,
    Power,
    Symbol,
    Transposed,
    column,
    negated,
)
from leverarm.scalars import Scalar, half
from leverarm.scalars.exact import partial, substitute
from leverarm.spatial import ORIGIN, Vec3

EXAMPLE = "rp"
"""The arm whose terms are shown: an angle, and a length that moves a mass outwards."""
TRIED = ("rp", "rr", "elbow", "scara", "cylindrical", "spherical")
"""Arms on which each meaning is verified, with every symbol free."""
q, q_dot, q_ddot = (Symbol("q", dots) for dots in range(3))
r_i, m_i, z_k, o_k, g_k = at("r", "i"), at("m", "i"), at("z", "k"), at("o", "k"), at("g", "k")
field = Symbol("a_g")


def meanings() -> Section:
    """The mass matrix, its slopes, and gravity."""
    return chapter("What the terms mean", (_mass_matrix(), _slope(), _weight(), _moments()))


@cache
def closed_form(name: str) -> Equations:
    """The closed forms of an arm of the catalog."""
    return equations(load(name))


def _mass_matrix() -> Section:
    setting = Setting(closed_form(EXAMPLE))
    M_11, M_ij = at("M", "11"), at("M", "ij")
    rests: list[Scalar] = []
    for eq in map(closed_form, TRIED):
        names = eq.exact.coordinates
        rests += [
            partial(f, f"{name}.dd") - eq.M.values[i][j]
            for i, f in enumerate(eq.tau.values)
            for j, name in enumerate(names)
        ]
        only_first = {f"{name}.d": 0 for name in names[1:]}
        speed = eq.exact.qd[0]
        rests.append(substitute(eq.K.value, only_first) - half(eq.M.values[0][0] * speed * speed))
    return step(
        "An entry of the mass matrix",
        sentence(
            "At rest and without gravity, {M} alone relates torques and accelerations. Its column j holds the torques "
            "that accelerate joint j by one unit while all others stay as they are: {diagonal} is the inertia that "
            "joint j itself has to move, all that hangs on it included, and {M_ij} the torque that joint i needs so as "
            "not to be carried along. The matrix is symmetric: joint j needs as much when i is accelerated. What "
            "joint i does when only motor j pushes is an entry of the inverse of {M}, not of {M}.",
            M=M, diagonal=at("M", "jj"), M_ij=M_ij,
        ),
        (
            brief(tau, times(Of(M, (q,)), q_ddot)),
            brief(M_ij, PartialDerivative(at("tau", "i"), Indexed(Symbol("q", 2), "j")), at("M", "ji")),
            full(K, times(HALF, M_11, Power(at_rate("q", "1"), 2))),
            full(q_ddot, times(Inverse(M), tau)),
            brief(M_11, setting.tree(closed_form(EXAMPLE).M.values[0][0])),
        ),
        proven=proven(
            f"Verified for {_listed(TRIED)}: the slopes of the Newton-Euler torques by the accelerations are M, and "
            "with joint 1 alone moving the energy is that of one body of inertia M11. The last line is that of rp.",
            rests,
        ),
        code=f"print(la.equations(la.load({EXAMPLE!r})).text(['M']))",
    )  # fmt: skip


def _slope() -> Section:
    eq = closed_form(EXAMPLE)
    setting = Setting(eq)
    second, theta2 = eq.exact.coordinates[1], setting.coordinates()[1]
    v1, v2 = setting.coordinates(1)[:2]
    M_11 = at("M", "11")
    by_2 = PartialDerivative(M_11, theta2)
    rests: list[Scalar] = []
    for each in map(closed_form, TRIED):
        a, b = each.exact.coordinates[:2]
        speed_a, speed_b = each.exact.qd[:2]
        slope = partial(each.M.values[0][0], b)
        both, once = (
            partial(partial(each.c.values[0], f"{a}.d"), f"{b}.d"),
            partial(partial(each.c.values[1], f"{a}.d"), f"{a}.d"),
        )
        rests += [both - slope, once + slope]
        given = slope * speed_a * speed_b * speed_a - half(slope * speed_a * speed_a) * speed_b
        rests.append(given - half(slope * speed_b * speed_a * speed_a))
    return step(
        "The slope of an inertia",
        sentence(
            "If moving joint 2 changes the inertia about joint 1, then the same slope {slope} appears twice: as a "
            "Coriolis torque at joint 1, which has to speed up what moves outwards, and, halved and with the other "
            "sign, as a centrifugal force at joint 2, which has to hold it back. It is what a skater feels who pulls "
            "in the arms. (No entry of the mass matrix depends on the first joint's position.) Together their power is "
            "the rate at which the energy stored in {M} changes.",
            slope=by_2, M=M_11,
        ),
        (
            brief(setting.forces[0], plus(times(by_2, v1, v2), Symbol("cdots"))),
            brief(setting.forces[1], plus(negated(times(HALF, by_2, Power(v1, 2))), Symbol("cdots"))),
            brief(by_2, setting.tree(partial(eq.M.values[0][0], second))),
            full(plus(times(v1, by_2, v1, v2), negated(times(HALF, v2, by_2, Power(v1, 2)))),
                 times(HALF, Indexed(Symbol("M", 1), "11"), Power(v1, 2))),
        ),
        proven=proven(
            f"Verified for {_listed(TRIED)}: these are the coefficients in their Coriolis and centrifugal torques. "
            "The slope shown is that of rp.",
            rests,
        ),
        code=f"la.equations(la.load({EXAMPLE!r})).M[0, 0].diff({second!r})",
    )  # fmt: skip


def _weight() -> Section:
    mass, g = letter("m"), vector("g")
    place = vector("r")
    energy = -(mass * (g @ place))
    return step(
        "Weight is the slope of the potential energy",
        sentence(
            "In a uniform field {field} a mass has potential energy in proportion to its height. The weight points "
            "where the energy falls fastest.",
            field=field,
        ),
        (
            brief(times(Symbol("m"), field), negated(PartialDerivative(P, Symbol("r")))),
            brief(P, negated(total("i", m_i, Transposed(field), r_i))),
        ),
        proven=proven(
            "Verified for every field and every place.",
            [partial(energy, f"r{axis}") + mass * part for axis, part in zip("xyz", g, strict=True)],
        ),
        code="print(la.equations(la.load('elbow')).text(['P']))",
    )


def _moments() -> Section:
    eq = closed_form(EXAMPLE)
    setting = Setting(eq)
    A, lever, g = rotation(), vector("l"), vector("g")
    turned = [Vec3(*(partial(part, ANGLES[2]) for part in A @ lever))]
    z = Vec3(0, 0, 1)
    at_angle = A @ lever
    held = [
        a - b
        for name in TRIED
        for a, b in zip(_held_weight(closed_form(name)), closed_form(name).g.values, strict=True)
    ]
    lever_arm = plus(r_i, negated(o_k))
    weights = negated(times(m_i, field))
    return step(
        "Gravity torques are moments",
        sentence(
            "Turning about the axis {z} through {o} moves a mass across its lever arm. The gravity torque of a "
            "revolute joint is therefore the moment about its axis of the forces that hold the weights, that of a "
            "prismatic joint the part of these forces along its axis; only masses that the joint carries count.",
            z=z_k, o=o_k,
        ),
        (
            full(PartialDerivative(r_i, at("q", "k")), Between(z_k, "cross", lever_arm)),
            full(g_k, PartialDerivative(P, at("q", "k")),
                 negated(total("i", m_i, Transposed(field), PartialDerivative(r_i, at("q", "k"))))),
            brief(g_k, times(Transposed(z_k), total("i", Between(lever_arm, "cross", weights)))),
            brief(g_k, negated(times(Transposed(z_k), total("i", m_i, field)))),
            *_example(setting),
        ),
        proven=proven(
            f"Verified for every rotation about an axis, and joint by joint for {_listed(TRIED)}: the moments and "
            "forces of the weights are the slopes of P.",
            [*(turned[0] - z.cross(at_angle))],
            [g @ z.cross(at_angle) - z @ at_angle.cross(g)],
            held,
        ),
        code=f"print(la.equations(la.load({EXAMPLE!r})).text(['g']))",
    )  # fmt: skip


def _example(setting: Setting) -> list[Shown]:
    """The two gravity torques of rp: a moment, and the weight along the sliding axis."""
    eq = setting.eq
    link = eq.exact.mechanism.links[1]
    pose = world_from_links(eq.exact.mechanism, eq.exact.q)[1]
    axis = pose.rotation @ link.axis
    weight = eq.exact.mechanism.gravity * -link.inertia.m
    along, down = (column([setting.tree(x) for x in (v.x, v.y)]) for v in (axis, weight))
    return [
        brief(at("g", "1"), setting.tree(eq.g.values[0])),
        brief(at("g", "2"), times(Transposed(along), down), setting.tree(eq.g.values[1])),
    ]


def _held_weight(eq: Equations) -> Sequence[Scalar]:
    """Along each coordinate: the moment about the axis of the forces that hold the weights, or their part along it."""
    arm, poses = eq.exact.mechanism, world_from_links(eq.exact.mechanism, eq.exact.q)
    forces: list[Scalar] = []
    for k, joint in enumerate(arm.links):
        mass: Scalar = 0
        moment = ORIGIN
        for i, link in enumerate(arm.links):
            if k in ancestors(arm, i):
                mass = mass + link.inertia.m
                moment = moment + first_moment(link.inertia, poses[i])
        axis, weight = poses[k].rotation @ joint.axis, -arm.gravity
        lever = moment - poses[k].position * mass
        turning = axis @ lever.cross(weight) if joint.turns else 0
        forces.append(turning + joint.slide * (axis @ weight) * mass)
    return arm.generalised_forces(forces)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
