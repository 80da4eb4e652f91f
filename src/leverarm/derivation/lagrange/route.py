"""The chapters of the Euler-Lagrange route, in order.

The Lagrangian, its derivatives one by one, and the equation of motion of each coordinate.

Kinetic energy of each link and of all, the mass matrix in it, and potential energy.
"""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.endpoint import endpoint
from leverarm.derivation.chapters.equations_of_motion import agreement, collected, losses, robot_equation
from leverarm.derivation.chapters.large_arms import structure
from leverarm.derivation.chapters.parameters import parameters
from leverarm.derivation.chapters.properties import properties
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.lagrange.kinematics import J_omega, J_v, kinematics, quadratic
from leverarm.derivation.setting import AXES, HALF, LARGE, LinkSetting, Setting, equation, times
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import (
    Indexed,
    Node,
    Of,
    PartialDerivative,
    Power,
    Product,
    Sum,
    Symbol,
    TimeDerivative,
    Transposed,
    is_negative,
    negated,
)
from leverarm.scalars.exact import is_exactly_zero, partial

L = Symbol("L")


def euler_lagrange(setting: Setting) -> Part:
    """L, then for each coordinate dL/dqd, its time derivative, dL/dq and the force."""
    steps = [_lagrangian(setting), _principle(setting)]
    steps += [_coordinate(setting, i) for i in range(setting.dof)]
    steps.append(_equations_of_motion(setting))
    return Part("Lagrange's equation", tuple(steps))


def principle(setting: Setting) -> Part:
    """The route in words and symbols, for arms whose energies fill pages."""
    eq, K, P = setting.eq, Symbol("K"), Symbol("P")
    energies = Step(
        "Energies",
        (f"Multiplied out, the kinetic energy has {eq.K.terms} terms and the potential energy {eq.P.terms}.",),
        (
            Shown(
                equation(K, times(HALF, Transposed(setting.all(1)), Of(Symbol("M"), (setting.all(),)), setting.all(1)))
            ),
            Shown(equation(L, Sum((K, negated(P))))),
        ),
        code="eq.K.terms, eq.P.terms",
    )
    return Part("Lagrange's equation", (energies, _principle(setting)))


def _lagrangian(setting: Setting) -> Step:
    return Step(
        "The Lagrangian",
        ("Kinetic minus potential energy.",),
        (Shown(equation(L, Sum((Symbol("K"), negated(Symbol("P")))), setting.eq.L.tree)),),
        code="eq.L",
    )


def _principle(setting: Setting) -> Step:
    q, qd = setting.all(), setting.all(1)
    right = Sum((TimeDerivative(PartialDerivative(L, qd)), negated(PartialDerivative(L, q))))
    return Step(
        "Lagrange's equation",
        (
            "One equation for each coordinate. ",
            Symbol("tau"),
            " is the generalised force" + (" that is left after friction." if setting.mechanism.has_friction else "."),
        ),
        (Shown(equation(Symbol("tau"), right)),),
        code="",
    )


def _coordinate(setting: Setting, i: int) -> Step:
    eq = setting.eq
    name, q, qd = eq.exact.coordinates[i], setting.coordinates()[i], setting.coordinates(1)[i]
    momentum = partial(eq.L.value, f"{name}.d")
    by_speed, by_position = PartialDerivative(L, qd), PartialDerivative(L, q)
    return Step(
        f"Derivatives for coordinate {i + 1}",
        (
            "The momentum along ",
            q,
            ", its rate of change, and the derivative of ",
            L,
            " by the coordinate.",
        ),
        (
            Shown(equation(by_speed, setting.tree(momentum)), Level.FULL),
            Shown(equation(TimeDerivative(by_speed), setting.tree(eq.time_derivative(momentum))), Level.FULL),
            Shown(equation(by_position, setting.tree(partial(eq.L.value, name))), Level.FULL),
        ),
        level=Level.FULL,
        code=f"p = eq.momentum[{i}]\ntogether(eq, p, eq.time_derivative(p.value), eq.L.diff({name!r}))",
    )


def _equations_of_motion(setting: Setting) -> Step:
    shown = []
    for force, value in zip(setting.forces, setting.eq.euler_lagrange.values, strict=True):
        shown.append(Shown(equation(force, collected(setting, value))))
    return Step(
        "Equations of motion",
        ("Put together, with the accelerations collected.",),
        tuple(shown),
        code="eq.euler_lagrange",
    )


def energies(setting: Setting) -> Part:
    """K_i, K, M, P_i, P."""
    steps = [_kinetic_of_links(setting), _as_quadratic_forms(setting), _kinetic(setting)]
    steps += [_potential_of_links(setting), _potential(setting)]
    return Part("Kinetic and potential energy", tuple(steps))


def _motion_words(setting: Setting) -> str:
    if not any(link.has_rotation_inertia for link in setting.links):
        return "Point masses: the energy of translation alone."
    words = "Translation of the centre of mass and rotation about it"
    return words + ("." if setting.is_planar else "; the rotations turn the inertia tensors into the world.")


def _kinetic_of_links(setting: Setting) -> Step:
    shown = []
    for link, energy in zip(setting.links, setting.eq.link_kinetic_energies, strict=True):
        if not energy.is_zero:
            shown.append(Shown(equation(link.symbol("K"), _definition(setting, link), energy.tree), Level.FULL))
    return Step(
        "Kinetic energy of each link",
        (_motion_words(setting),),
        tuple(shown),
        level=Level.FULL,
        code="eq.link_kinetic_energies",
    )


def tensor_symbol(link: LinkSetting) -> Node:
    """The inertia tensor about the centre of mass; I1 alone is often a symbol of the arm."""
    return Indexed(Symbol("I"), f"c{link.number}")


def _definition(setting: Setting, link: LinkSetting) -> Node:
    """1/2 m v^2 + 1/2 omega^T R I R^T omega, each part where the link has it; in a plane 1/2 I omega^2."""
    terms: list[Node] = []
    if not is_exactly_zero(link.inertia.m):
        terms.append(times(HALF, setting.tree(link.inertia.m), Power(link.symbol("v"), 2)))
    if link.has_rotation_inertia:
        omega, R, tensor = Symbol(f"omega{link.number}"), Symbol(f"R{link.number}"), tensor_symbol(link)
        if setting.is_planar:
            terms.append(times(HALF, setting.tree(link.about_com.zz), Power(omega, 2)))
        else:
            terms.append(Product((HALF, Transposed(omega), R, tensor, Transposed(R), omega)))
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def _as_quadratic_forms(setting: Setting) -> Step:
    """K_i = 1/2 qd^T [m Jv^T Jv + Jw^T R I R^T Jw] qd with the matrix written out."""
    shown: list[Shown] = []
    tensors = [link for link in setting.heavy_links if link.has_rotation_inertia]
    for link in setting.heavy_links:
        Jv, Jw = J_v(link), J_omega(link)
        inner: list[Node] = [times(setting.tree(link.inertia.m), Transposed(Jv), Jv)]
        if link.has_rotation_inertia:
            R, tensor = Symbol(f"R{link.number}"), tensor_symbol(link)
            inner.append(Product((Transposed(Jw), R, tensor, Transposed(R), Jw)))
        bracket = inner[0] if len(inner) == 1 else Sum(tuple(inner))
        M = setting.matrix(me.link_mass_matrix(setting.mechanism, setting.eq.exact.q, link.i))
        own = M if width(setting, M) <= LINE else link.symbol("M")
        form = [equation(link.symbol("K"), *(times(HALF, quadratic(setting, inside)) for inside in (bracket, own)))]
        if own is not M:
            form.append(equation(own, M))
        shown += [Shown(line, Level.FULL) for line in form]
    return Step(
        "The same with Jacobians",
        (
            "With the velocities through the Jacobians, each link adds a matrix",
            *((". ", tensor_symbol(tensors[0]), " is the inertia tensor about the centre of mass") if tensors else ()),
            ".",
        ),
        tuple(shown),
        level=Level.FULL,
        code="links = eq.exact.mechanism\n"
        "together(eq, *(la.mechanics.link_mass_matrix(links, eq.exact.q, i) for i in range(len(links.links))))",
    )


def _kinetic(setting: Setting) -> Step:
    eq = setting.eq
    parts: list[Node] = [
        link.symbol("K") for link, K in zip(setting.links, eq.link_kinetic_energies, strict=True) if not K.is_zero
    ]
    total: tuple[Node, ...] = (Sum(tuple(parts)),) if len(parts) > 1 else ()
    form = times(HALF, quadratic(setting, Symbol("M")))
    words = "The sum over the links"
    if setting.mechanism.rotors:
        words += ", and over the rotors of the motors, "
        rotors = me.rotor_kinetic_energies(setting.mechanism, eq.exact.qd)
        total = (Sum((*parts, setting.tree(sum(rotors, start=0)))),)
    return Step(
        "Kinetic energy of the arm",
        (words.strip(", ") + ". As a quadratic form in the speeds it defines the mass matrix ", Symbol("M"), "."),
        (
            Shown(equation(Symbol("K"), *total, eq.K.tree)),
            Shown(equation(Symbol("K"), form), Level.FULL),
            Shown(equation(Symbol("M"), eq.M.tree), Level.FULL),
        ),
        code="eq.K",
    )


def _potential_of_links(setting: Setting) -> Step:
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
        shown.append(Shown(equation(*sides, energy.tree), Level.FULL))
    words = "Weight times height of the centre of mass, zero at the world's origin."
    if up is None and any(not is_exactly_zero(x) for x in setting.mechanism.gravity):
        words = "Minus the mass times the free-fall acceleration, dotted with the position of the centre of mass."
    return Step(
        "Potential energy of each link", (words,), tuple(shown), level=Level.FULL, code="eq.link_potential_energies"
    )


def _up(setting: Setting) -> tuple[Node, int, bool] | None:
    """The size of gravity, the axis it is along, and whether it points down that axis; None where it is oblique."""
    along = [a for a, x in enumerate(setting.mechanism.gravity) if not is_exactly_zero(x)]
    if len(along) != 1:
        return None
    size = tuple(setting.mechanism.gravity)[along[0]]
    tree = setting.tree(-size)
    return (setting.tree(size), along[0], False) if is_negative(tree) else (tree, along[0], True)


def _potential(setting: Setting) -> Step:
    eq = setting.eq
    parts: list[Node] = [link.symbol("P") for link in setting.heavy_links]
    total: tuple[Node, ...] = (Sum(tuple(parts)),) if len(parts) > 1 else ()
    return Step(
        "Potential energy of the arm",
        ("The sum over the links.",),
        (Shown(equation(Symbol("P"), *total, eq.P.tree)),),
        code="eq.P",
    )


def lagrange(setting: Setting) -> tuple[Part, ...]:
    """Positions, energies, Lagrange's equation, the robot equation, its properties, and the proof."""
    proof = agreement(setting, "Lagrange", setting.eq.euler_lagrange.values)
    if setting.dof >= LARGE:
        large = (the_arm(setting), principle(setting), *structure(setting), parameters(setting), losses(setting), proof)
        return tuple(part for part in large if part is not None)
    parts = [
        the_arm(setting),
        kinematics(setting),
        energies(setting),
        euler_lagrange(setting),
        robot_equation(setting),
        losses(setting),
        properties(setting),
        parameters(setting),
        endpoint(setting),
        proof,
    ]
    return tuple(part for part in parts if part is not None)
