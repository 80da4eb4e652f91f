"""What each joint must hold for the masses it carries, step by step; and the equations of motion.

The forces on the masses by f = m a, and the arm's share of them.
"""

from __future__ import annotations

from leverarm.derivation.chapters.equations_of_motion import collected
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.force_balance.masses import (
    GRAVITY,
    Mass,
    carried_by,
    force_along,
    force_letter,
    joint_values,
    of,
    share_letter,
)
from leverarm.derivation.setting import (
    AXES,
    LARGE,
    LinkSetting,
    Setting,
    equation,
    forces_along_coordinates,
    joint_forces,
    times,
)
from leverarm.derivation.widths import defined
from leverarm.notation.tree import (
    ZERO,
    Bracketed,
    Equation,
    Matrix,
    Node,
    Product,
    Sum,
    Symbol,
    Transposed,
    column,
    negated,
)
from leverarm.scalars.exact import is_exactly_zero


def forces_of_joints(setting: Setting, masses: list[Mass]) -> Part:
    """The formula, then each joint from the tip inwards, then the equations of motion."""
    joints = [_joint(setting, masses, link) for link in reversed(setting.links)]
    return Part("Forces of the joints", (joint_balance(setting), *joints, _equations_of_motion(setting, masses)))


def joint_balance(setting: Setting) -> Step:
    """tau_j = Sigma tau_{j,i}; tau_{j,i} = u_j^T [p_i - o_j] F_i about an axis, u_j^T F_i along one."""
    joints = setting.mechanism.links
    turning = any(joint.turns for joint in joints)
    sliding = any(not is_exactly_zero(joint.slide) for joint in joints)
    i, j = Symbol("i"), Symbol("j")
    u, F, share = Transposed(of("u", "j")), of(share_letter(setting), "i"), of("tau", "j,i")
    lever = Bracketed(Sum((of("p", "i"), negated(of("o", "j")))))
    words: list[str | Node] = [
        "Action = reaction: each mass pushes back on the arm, and joint ", j, " holds all the masses ", i, " beyond "
        "it. The links themselves have no mass. ", share, " is the share of mass ", i, ", ", of("u", "j"),
        " the axis of the joint",
    ]  # fmt: skip
    shown = [Shown(equation(of("tau", "j"), Product((of("sum", "i"), share))))]
    if turning:
        words += [", ", of("o", "j"), " a point on it, ", of("p", "i"), " the position of a mass"]
        shown.append(Shown(equation(share, Product((u, lever, F)))))
    if sliding:
        shown.append(Shown(equation(share, Product((u, F)))))
    words.append(".")
    if turning:
        words += [
            " A joint that turns holds the moment about its axis; ", Bracketed(Symbol("p")), " is the matrix of the "
            "cross product with ", Symbol("p"), ".",
        ]  # fmt: skip
        shown.append(Shown(_cross_product(), Level.FULL))
    if sliding:
        words.append(" A joint that slides holds the force along its axis.")
    if any(joint.turns and not is_exactly_zero(joint.slide) for joint in joints):
        words.append(" One that does both holds the moment, and the force times its slide per angle.")
    found = "axes[0], origins[0]" if setting.dof >= LARGE else "*axes, *origins" if turning else "*axes"
    return Step("Balance at each joint", tuple(words), tuple(shown), code=f"{_AXES_AGAIN}together(eq, {found})")


_AXES_AGAIN = """links = eq.exact.mechanism.links
poses = la.mechanics.world_from_links(eq.exact.mechanism, eq.exact.q)[: len(links)]
axes = [pose.rotation @ link.axis for pose, link in zip(poses, links)]
origins = [pose.position for pose in poses]
"""


def _cross_product() -> Equation:
    """[p], with [p] F = p x F."""
    x, y, z = (Symbol(f"p_{axis}") for axis in "xyz")
    rows = ((ZERO, negated(z), y), (z, ZERO, negated(x)), (negated(y), x, ZERO))
    return equation(Bracketed(Symbol("p")), Matrix(rows))


def _joint(setting: Setting, masses: list[Mass], link: LinkSetting) -> Step:
    joint, n, letter = setting.mechanism.links[link.i], link.number, share_letter(setting)
    carried = carried_by(setting, masses, link.i)
    shown = [Shown(equation(link.symbol("u"), setting.column(list(link.axis))), Level.FULL)]
    if joint.turns:
        shown.append(Shown(equation(link.symbol("o"), setting.column(list(link.pose.position))), Level.FULL))
    for mass in carried:
        lever = Sum((mass.link.symbol("p"), negated(link.symbol("o"))))
        if joint.turns:
            between = mass.p - link.pose.position
            shown.append(Shown(equation(lever, setting.column(list(between))), Level.EVERY_LINE))
            moment = Product((Bracketed(lever), mass.link.symbol(letter)))
            shown.append(Shown(equation(moment, setting.column(list(between.cross(mass.held)))), Level.EVERY_LINE))
        value = setting.tree(force_along(setting, link, mass))
        shown.append(Shown(equation(_part(n, mass), _share(setting, link, mass), value), Level.FULL))
    beyond = " and ".join(str(mass.number) for mass in carried)
    words = f"It holds mass{'es' if len(carried) > 1 else ''} {beyond}." if carried else "It holds no mass."
    code = _joint_again(setting, link, [masses.index(mass) for mass in carried])
    return Step(f"Joint {n}", (words,), tuple(shown), level=Level.FULL, code=code)


def _joint_again(setting: Setting, link: LinkSetting, carried: list[int]) -> str:
    """Python for the axis, a point on it, and the share of each mass."""
    joint, i = setting.mechanism.links[link.i], link.i
    push, moment = "u @ mass.held", "u @ (mass.p - o).cross(mass.held)"
    share = push if not joint.turns else moment
    if joint.turns and not is_exactly_zero(joint.slide):
        share = f"{moment} + links[{i}].slide * ({push})"
    those = ", ".join(f"masses[{k}]" for k in carried) + ("," if len(carried) == 1 else "")
    shares = f", *({share} for mass in ({those}))" if carried else ""
    if joint.turns:
        return f"u, o = axes[{i}], origins[{i}]\ntogether(eq, u, o{shares})"
    return f"u = axes[{i}]\ntogether(eq, u{shares})"


def _part(n: int, mass: Mass) -> Node:
    return of("tau", f"{n},{mass.number}")


def _share(setting: Setting, link: LinkSetting, mass: Mass) -> Node:
    """u^T [p - o] F, u^T F, or both."""
    joint = setting.mechanism.links[link.i]
    u, F = Transposed(link.symbol("u")), mass.link.symbol(share_letter(setting))
    lever = Bracketed(Sum((mass.link.symbol("p"), negated(link.symbol("o")))))
    moment, push = Product((u, lever, F)), Product((u, F))
    if not joint.turns:
        return push
    return moment if is_exactly_zero(joint.slide) else Sum((moment, times(setting.tree(joint.slide), push)))


def _equations_of_motion(setting: Setting, masses: list[Mass]) -> Step:
    values = joint_values(setting, masses)
    sums: list[Node] = []
    for link in setting.links:
        parts = [_part(link.number, mass) for mass in carried_by(setting, masses, link.i)]
        sums.append(ZERO if not parts else parts[0] if len(parts) == 1 else Sum(tuple(parts)))
    shown: list[Shown] = []
    words = "Summed over the masses, with the accelerations collected."
    if setting.mechanism.is_coupled:
        words += " The joints are coupled: a force along a coordinate is the sum of those at the joints it moves."
        shown = [
            Shown(equation(name, whole, setting.tree(value)), Level.FULL)
            for name, whole, value in zip(joint_forces(setting), sums, values, strict=True)
        ]
        sums = forces_along_coordinates(setting)
    total = setting.mechanism.generalised_forces(values)
    for force, whole, value in zip(setting.forces, sums, total, strict=True):
        shown.append(Shown(equation(force, whole, collected(setting, value))))
    return Step("Equations of motion", (words,), tuple(shown), code="eq.formulas(forces_by_balance(eq))")


def forces_on_masses(setting: Setting, masses: list[Mass]) -> Part:
    """f_i = m_i a_i, and F_i = f_i - m_i a_g, the arm's share of it."""
    return Part("Forces on the masses", (_newton(setting, masses), _held(setting, masses)))


def _newton(setting: Setting, masses: list[Mass]) -> Step:
    letter = force_letter(setting)
    shown = []
    for mass in masses:
        m = setting.tree(mass.m)
        rates = times(m, column([mass.link.symbol(axis, 2) for axis in AXES]))
        value = times(m, setting.column(list(mass.a)))
        shown.append(Shown(equation(mass.link.symbol(letter), rates, value)))
    return Step(
        "Newton's law",
        ("The force ", of(letter, "i"), " that gives each mass its acceleration."),
        tuple(shown),
        code="together(eq, *(mass.a * mass.m for mass in masses))",
    )


def _held(setting: Setting, masses: list[Mass]) -> Step:
    """The weight is part of f_i; the arm supplies the rest."""
    force, share = force_letter(setting), share_letter(setting)
    shown: list[Shown] = []
    for mass in masses:
        rest = Sum((mass.link.symbol(force), negated(times(setting.tree(mass.m), GRAVITY))))
        shown += defined(setting, mass.link.symbol(share), rest, setting.column(list(mass.held)))
    general = equation(of(share, "i"), Sum((of(force, "i"), negated(Product((of("m", "i"), GRAVITY))))))
    return Step(
        "What the arm supplies",
        (
            "The weight ", Product((of("m", "i"), GRAVITY)), " is one part of this force; the arm supplies the rest, ",
            of(share, "i"), ".",
        ),
        (Shown(general), *shown),
        code="together(eq, *((mass.a - eq.exact.mechanism.gravity) * mass.m for mass in masses))",
    )  # fmt: skip
