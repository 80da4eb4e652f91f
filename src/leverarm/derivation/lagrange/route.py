"""The Euler-Lagrange route: kinetic and potential energy, the Lagrangian, and Lagrange's equations."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.endpoint import endpoint
from leverarm.derivation.chapters.equations_of_motion import agreement, collected, equations_of_motion, losses
from leverarm.derivation.chapters.forward_dynamics import forward_dynamics
from leverarm.derivation.chapters.large_arms import structure
from leverarm.derivation.chapters.parameters import parameters
from leverarm.derivation.chapters.properties import properties
from leverarm.derivation.formulas import HALF, K, L, M, P, brief, full, plus, tau, times
from leverarm.derivation.lagrange.kinematics import J_omega, J_v, kinematics
from leverarm.derivation.setting import AXES, LARGE, LINE, LinkSetting, Setting, width
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, sentence
from leverarm.notation.tree import (
    Indexed,
    Node,
    Of,
    PartialDerivative,
    Power,
    Symbol,
    TimeDerivative,
    Transposed,
    is_negative,
    negated,
)
from leverarm.scalars.exact import is_exactly_zero, partial


def euler_lagrange(setting: Setting) -> Section:
    """L, then for each coordinate dL/dqd, its time derivative, dL/dq and the force."""
    steps = [_lagrangian(setting), _principle(setting)]
    steps += [_coordinate(setting, i) for i in range(setting.dof)]
    steps.append(_equations_of_motion(setting))
    return chapter("Lagrange's equations", tuple(steps))


def principle(setting: Setting) -> Section:
    """The route in words and symbols, for arms whose energies fill pages."""
    eq = setting.eq
    energies = step(
        "Energies",
        (f"Multiplied out, the kinetic energy has {eq.K.terms} terms and the potential energy {eq.P.terms}.",),
        (
            brief(K, times(HALF, quadratic(setting, Of(M, (setting.all(),))))),
            brief(L, plus(K, negated(P))),
        ),
        code="eq.K.terms, eq.P.terms",
    )
    return chapter("Lagrange's equations", (energies, _principle(setting)))


def _lagrangian(setting: Setting) -> Section:
    return step(
        "The Lagrangian",
        ("The Lagrangian is the kinetic energy minus the potential energy.",),
        (brief(L, plus(K, negated(P)), setting.eq.L.tree),),
        code="eq.L",
    )


def _principle(setting: Setting) -> Section:
    q, qd = setting.all(), setting.all(1)
    right = plus(TimeDerivative(PartialDerivative(L, qd)), negated(PartialDerivative(L, q)))
    words = "There is one equation for each coordinate; {tau} is the generalised force along it"
    if not setting.mechanism.has_friction:
        return step("Lagrange's equations", sentence(f"{words}.", tau=tau), (brief(tau, right),))
    less_friction = sentence(f"{words}, of which friction takes {{F}}.", tau=tau, F=setting.friction)
    return step("Lagrange's equations", less_friction, (brief(plus(tau, negated(setting.friction)), right),))


def _coordinate(setting: Setting, i: int) -> Section:
    eq = setting.eq
    name, q, qd = eq.exact.coordinates[i], setting.coordinates()[i], setting.coordinates(1)[i]
    momentum = partial(eq.L.value, f"{name}.d")
    by_speed, by_position = PartialDerivative(L, qd), PartialDerivative(L, q)
    return step(
        f"Derivatives for coordinate {i + 1}",
        sentence(
            "The generalised momentum of {q}, its time derivative, and the derivative of {L} with respect to {q}.",
            q=q,
            L=L,
        ),
        (
            full(by_speed, setting.tree(momentum)),
            full(TimeDerivative(by_speed), setting.tree(eq.time_derivative(momentum))),
            full(by_position, setting.tree(partial(eq.L.value, name))),
        ),
        level=Level.FULL,
        code=f"p = eq.momentum[{i}]\ntogether(eq, p, eq.time_derivative(p.value), eq.L.diff({name!r}))",
    )


def _equations_of_motion(setting: Setting) -> Section:
    values = enumerate(zip(setting.forces, setting.eq.euler_lagrange.values, strict=True))
    shown = [brief(force, collected(setting, i, value)) for i, (force, value) in values]
    words = "Substitute, and collect the terms of each acceleration."
    if setting.friction_forces:
        words += " Friction comes last."
    return step("Equations of motion", (words,), tuple(shown), code="eq.euler_lagrange")


def energies(setting: Setting) -> Section:
    """The energies of the links and of the arm, and the mass matrix in the kinetic energy."""
    steps = [_kinetic_of_links(setting), _as_quadratic_forms(setting), _kinetic(setting)]
    steps += [_potential_of_links(setting), *_potential_of_springs(setting), _potential(setting)]
    return chapter("Kinetic and potential energy", tuple(steps))


def _motion_words(setting: Setting) -> str:
    if not any(link.has_rotation_inertia for link in setting.links):
        return "The links are point masses, so there is only energy of translation."
    words = "Each link has energy of translation of its centre of mass and of rotation about it"
    return words + ("." if setting.is_planar else "; its rotation matrix takes its inertia tensor to the world frame.")


def _kinetic_of_links(setting: Setting) -> Section:
    shown = [
        full(link.symbol("K"), _definition(setting, link), energy.tree)
        for link, energy in zip(setting.links, setting.eq.link_kinetic_energies, strict=True)
        if not energy.is_zero
    ]
    return step(
        "Kinetic energy of each link",
        (_motion_words(setting),),
        tuple(shown),
        level=Level.FULL,
        code="eq.link_kinetic_energies",
    )


def tensor_symbol(link: LinkSetting) -> Node:
    """The inertia tensor about the centre of mass, I_c1: I1 alone is often a symbol of the arm."""
    return Indexed(Symbol("I"), f"c{link.number}")


def _definition(setting: Setting, link: LinkSetting) -> Node:
    """1/2 m v^2 + 1/2 omega^T R I R^T omega, each part where the link has it; in a plane 1/2 I omega^2."""
    terms: list[Node] = []
    if not is_exactly_zero(link.inertia.m):
        terms.append(times(HALF, setting.tree(link.inertia.m), Power(link.symbol("v"), 2)))
    if link.has_rotation_inertia:
        omega, R, tensor = link.symbol("omega"), link.symbol("R"), tensor_symbol(link)
        if setting.is_planar:
            terms.append(times(HALF, setting.tree(link.about_com.zz), Power(omega, 2)))
        else:
            terms.append(times(HALF, Transposed(omega), R, tensor, Transposed(R), omega))
    return plus(*terms)


def _as_quadratic_forms(setting: Setting) -> Section:
    """K_i = 1/2 qd^T [m Jv^T Jv + Jw^T R I R^T Jw] qd with the matrix written out."""
    shown: list[Shown] = []
    tensors = [link for link in setting.heavy_links if link.has_rotation_inertia]
    for link in setting.heavy_links:
        Jv, Jw = J_v(link), J_omega(link)
        inner: list[Node] = [times(setting.tree(link.inertia.m), Transposed(Jv), Jv)]
        if link.has_rotation_inertia:
            R, tensor = link.symbol("R"), tensor_symbol(link)
            inner.append(times(Transposed(Jw), R, tensor, Transposed(R), Jw))
        matrix = setting.matrix(me.link_mass_matrix(setting.mechanism, setting.eq.exact.q, link.i))
        own = matrix if width(setting, matrix) <= LINE else link.symbol("M")
        shown.append(full(link.symbol("K"), *(times(HALF, quadratic(setting, x)) for x in (plus(*inner), own))))
        if own is not matrix:
            shown.append(full(own, matrix))
    return step(
        "The same with Jacobians",
        (
            "With the velocities written through the Jacobians, each link contributes a matrix to the mass matrix.",
            *((" ", tensor_symbol(tensors[0]), " is the inertia tensor about the centre of mass.") if tensors else ()),
        ),
        tuple(shown),
        level=Level.FULL,
        code="links = eq.exact.mechanism\n"
        "together(eq, *(la.mechanics.link_mass_matrix(links, eq.exact.q, i) for i in range(len(links.links))))",
    )


def _kinetic(setting: Setting) -> Section:
    eq = setting.eq
    energies = zip(setting.links, eq.link_kinetic_energies, strict=True)
    parts: list[Node] = [link.symbol("K") for link, energy in energies if not energy.is_zero]
    words = "The sum over the links"
    if setting.mechanism.rotors:
        words += " and the rotors of the motors"
        rotors = me.rotor_kinetic_energies(setting.mechanism, eq.exact.qd)
        parts.append(setting.tree(sum(rotors, start=0)))
    total = (plus(*parts),) if len(parts) > 1 else ()
    words += ". It is a quadratic form in the velocities, which defines the mass matrix {M}"
    split = _parts(setting)
    if split:
        words += ", the sum of a part of translation of the centres of mass and a part of rotation about them"
    return step(
        "Kinetic energy of the arm",
        sentence(f"{words}.", M=M),
        (
            brief(K, *total, eq.K.tree),
            full(K, times(HALF, quadratic(setting, M))),
            *split,
            full(M, eq.M.tree),
        ),
        code="eq.K",
    )


def _parts(setting: Setting) -> list[Shown]:
    """M as the sum of its parts of translation and rotation, where there are both."""
    mechanism, q = setting.eq.exact.mechanism, setting.eq.exact.q
    parts = {"trans": me.translational_mass_matrix(mechanism, q), "rot": me.rotational_mass_matrix(mechanism, q)}
    if any(all(is_exactly_zero(x) for row in part for x in row) for part in parts.values()):
        return []
    shown = [full(Indexed(M, name), setting.matrix(part)) for name, part in parts.items()]
    return [full(M, plus(*(Indexed(M, name) for name in parts))), *shown]


def _potential_of_links(setting: Setting) -> Section:
    shown = []
    up = _up(setting)
    for link, energy in zip(setting.links, setting.eq.link_potential_energies, strict=True):
        if is_exactly_zero(link.inertia.m):
            continue
        sides: list[Node] = [link.symbol("P")]
        if up is not None:
            weight, axis, is_down = up
            height = times(setting.tree(link.inertia.m), weight, link.symbol(AXES[axis]))
            sides.append(height if is_down else negated(height))
        shown.append(full(*sides, energy.tree))
    words = "Weight times height of the centre of mass above the origin of the world frame."
    if up is None and any(not is_exactly_zero(x) for x in setting.mechanism.gravity):
        words = "Minus the mass times the dot product of the acceleration of gravity with the centre of mass position."
    return step(
        "Potential energy of each link", (words,), tuple(shown), level=Level.FULL, code="eq.link_potential_energies"
    )


def _potential_of_springs(setting: Setting) -> list[Section]:
    """P_s = k (q - q0)^2 / 2 of each joint that has a spring."""
    shown = [
        full(Symbol(f"P_s{k}"), setting.tree(energy.value))
        for k, energy in enumerate(setting.eq.spring_energies, start=1)
        if not energy.is_zero
    ]
    words = "Half the stiffness times the square of the distance from the rest position."
    title = "Potential energy of each spring"
    found = step(title, (words,), tuple(shown), level=Level.FULL, code="eq.spring_energies")
    return [found] if shown else []


def _up(setting: Setting) -> tuple[Node, int, bool] | None:
    """The magnitude of gravity, the axis it acts along, and whether downwards; None where it is along no axis."""
    along = [a for a, x in enumerate(setting.mechanism.gravity) if not is_exactly_zero(x)]
    if len(along) != 1:
        return None
    size = tuple(setting.mechanism.gravity)[along[0]]
    tree = setting.tree(-size)
    return (setting.tree(size), along[0], False) if is_negative(tree) else (tree, along[0], True)


def _potential(setting: Setting) -> Section:
    eq = setting.eq
    parts = [link.symbol("P") for link in setting.heavy_links]
    springs = [Symbol(f"P_s{k}") for k, energy in enumerate(eq.spring_energies, start=1) if not energy.is_zero]
    total = (plus(*parts, *springs),) if len(parts) + len(springs) > 1 else ()
    words = "The sum over the links and the springs." if springs else "The sum over the links."
    return step("Potential energy of the arm", (words,), (brief(P, *total, eq.P.tree),), code="eq.P")


def quadratic(setting: Setting, inner: Node) -> Node:
    """thetad^T [inner] thetad."""
    return times(Transposed(setting.all(1)), inner, setting.all(1))


def lagrange(setting: Setting) -> tuple[Section, ...]:
    """Kinematics, energies, Lagrange's equations, the equations of motion, their properties, and the proof."""
    parts: list[Section | None] = [the_arm(setting)]
    if setting.dof >= LARGE:
        parts += [principle(setting), *structure(setting), parameters(setting), losses(setting)]
        parts.append(forward_dynamics(setting))
    else:
        parts += [kinematics(setting), energies(setting), euler_lagrange(setting), equations_of_motion(setting)]
        parts += [losses(setting), forward_dynamics(setting), properties(setting), parameters(setting)]
        parts.append(endpoint(setting))
    parts.append(agreement(setting, "Lagrange", setting.eq.euler_lagrange.values))
    return tuple(part for part in parts if part is not None)
