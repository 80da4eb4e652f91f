"""The forces on the masses by f = m a, and what each joint must hold for them."""

from __future__ import annotations

from leverarm.derivation.chapters.collection import collected
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.force_balance.masses import Mass, carried_by
from leverarm.derivation.joints import forces_along_coordinates, joint_forces
from leverarm.derivation.setting import AXES, LinkSetting, Setting, equation, times
from leverarm.derivation.widths import defined
from leverarm.notation.tree import ZERO, Bracketed, Indexed, Node, Product, Sum, Symbol, Transposed, column, negated
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero

GRAVITY = Symbol("a_g")


def forces_on_masses(setting: Setting, masses: list[Mass]) -> Part:
    """f_i = m_i a_i, and F_i = f_i - m_i a_g, the arm's share of it."""
    return Part("Forces on the masses", (_newton(setting, masses), _held(setting, masses)))


def forces_of_joints(setting: Setting, masses: list[Mass]) -> Part:
    """The formula, then each joint from the tip inwards, then the equations of motion."""
    joints = [_joint(setting, masses, link) for link in reversed(setting.links)]
    return Part("Forces of the joints", (joint_balance(setting), *joints, _equations_of_motion(setting, masses)))


def force_along(setting: Setting, link: LinkSetting, mass: Mass) -> Scalar:
    """What a mass asks of a joint: the moment about its axis where it turns, the force along it where it slides."""
    joint, lever = setting.mechanism.links[link.i], mass.p - link.pose.position
    moment = link.axis @ lever.cross(mass.held) if joint.turns else 0
    return moment + joint.slide * (link.axis @ mass.held)


def joint_values(setting: Setting, masses: list[Mass]) -> list[Scalar]:
    """The force of each joint, summed over the masses it carries."""
    return [
        sum((force_along(setting, link, mass) for mass in carried_by(setting, masses, link.i)), start=0)
        for link in setting.links
    ]


def _newton(setting: Setting, masses: list[Mass]) -> Step:
    letter = force_letter(setting)
    shown = []
    for mass in masses:
        m = setting.tree(mass.link.inertia.m)
        rates = times(m, column([mass.link.symbol(axis, 2) for axis in AXES]))
        value = times(m, setting.column(list(mass.a)))
        shown.append(Shown(equation(mass.link.symbol(letter), rates, value)))
    return Step("Newton's law", ("The force that gives each mass its acceleration.",), tuple(shown))


def _held(setting: Setting, masses: list[Mass]) -> Step:
    """The weight is part of f_i; the arm supplies the rest."""
    letter = force_letter(setting)
    shown: list[Shown] = []
    for mass in masses:
        share = Sum((mass.link.symbol(letter), negated(times(setting.tree(mass.link.inertia.m), GRAVITY))))
        shown += defined(setting, mass.link.symbol("F"), share, setting.column(list(mass.held)))
    weight = Product((Indexed(Symbol("m"), "i"), GRAVITY))
    words = (
        "The weight ",
        weight,
        " is one part of this force; the arm supplies the rest, ",
        Indexed(Symbol("F"), "i"),
        ".",
    )
    return Step("What the arm supplies", words, tuple(shown), level=Level.FULL)


def force_letter(setting: Setting) -> str:
    """f for the force on a mass, or another letter where the arm calls its own forces or symbols f1, f2."""
    taken = {*setting.eq.arm.defaults, *(force.name for force in setting.forces)}
    free = (letter for letter in "fkw" if not any(link.symbol(letter).name in taken for link in setting.heavy_links))
    return next(free, "f_m")


def joint_balance(setting: Setting) -> Step:
    """tau_j = u_j^T Sigma [p_i - o_j] F_i about an axis, u_j^T Sigma F_i along one."""
    joints = setting.mechanism.links
    turning = any(joint.turns for joint in joints)
    sliding = any(not is_exactly_zero(joint.slide) for joint in joints)
    u, F, tau, sigma = Transposed(_of("u", "j")), _of("F", "i"), _of("tau", "j"), Indexed(Symbol("sum"), "i")
    lever = Bracketed(Sum((_of("p", "i"), negated(_of("o", "j")))))
    words: list[str | Node] = [
        "Action = reaction: each mass pushes back on the arm, and joint j holds all the masses i beyond it. ",
        _of("u", "j"),
        " is the axis of the joint",
    ]
    shown = []
    if turning:
        words += [", ", _of("o", "j"), " a point on it, ", _of("p", "i"), " the position of a mass"]
        shown.append(Shown(equation(tau, Product((u, sigma, lever, F)))))
    if sliding:
        shown.append(Shown(equation(tau, Product((u, sigma, F)))))
    words.append(".")
    if turning:
        words.append(
            " A joint that turns holds the moment about its axis; the bracket is the matrix of the cross product."
        )
    if sliding:
        words.append(" A joint that slides holds the force along its axis.")
    if any(joint.turns and not is_exactly_zero(joint.slide) for joint in joints):
        words.append(" One that does both holds the moment, and the force times its slide per angle.")
    return Step("Balance at each joint", tuple(words), tuple(shown))


def _of(letter: str, index: str) -> Node:
    return Indexed(Symbol(letter), index)


def _joint(setting: Setting, masses: list[Mass], link: LinkSetting) -> Step:
    joint, n = setting.mechanism.links[link.i], link.number
    carried = carried_by(setting, masses, link.i)
    shown = [Shown(equation(link.symbol("u"), setting.column(list(link.axis))), Level.FULL)]
    if joint.turns:
        shown.append(Shown(equation(link.symbol("o"), setting.column(list(link.pose.position))), Level.FULL))
    for mass in carried:
        lever = Sum((mass.link.symbol("p"), negated(link.symbol("o"))))
        if joint.turns:
            between = mass.p - link.pose.position
            shown.append(Shown(equation(lever, setting.column(list(between))), Level.EVERY_LINE))
            moment = Product((Bracketed(lever), mass.link.symbol("F")))
            shown.append(Shown(equation(moment, setting.column(list(between.cross(mass.held)))), Level.EVERY_LINE))
        share = _share(setting, link, mass)
        value = setting.tree(force_along(setting, link, mass))
        shown.append(Shown(equation(_part(n, mass), share, value), Level.FULL))
    beyond = " and ".join(str(mass.number) for mass in carried)
    words = f"It holds mass{'es' if len(carried) > 1 else ''} {beyond}." if carried else "It holds no mass."
    return Step(f"Joint {n}", (words,), tuple(shown), level=Level.FULL)


def _part(n: int, mass: Mass) -> Node:
    return Indexed(Symbol("tau"), f"{n},{mass.number}")


def _share(setting: Setting, link: LinkSetting, mass: Mass) -> Node:
    """u^T [p - o] F, u^T F, or both."""
    joint = setting.mechanism.links[link.i]
    u, F = Transposed(link.symbol("u")), mass.link.symbol("F")
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
    return Step("Equations of motion", (words,), tuple(shown), code="eq.tau")
