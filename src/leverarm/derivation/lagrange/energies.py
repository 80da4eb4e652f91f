"""Kinetic energy of each link and of all, the mass matrix in it, and potential energy."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.lagrange.kinematics import J_omega, J_v, quadratic
from leverarm.derivation.setting import AXES, HALF, LinkSetting, Setting, equation, times
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import Indexed, Node, Power, Product, Sum, Symbol, Transposed, is_negative, negated
from leverarm.scalars.exact import is_exactly_zero


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
