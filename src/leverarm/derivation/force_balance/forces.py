"""Newton's law for each mass, the joint forces that balance it, and the equations of motion, step by step."""

from __future__ import annotations

from leverarm.derivation.chapters.equations_of_motion import collected
from leverarm.derivation.force_balance.masses import (
    Mass,
    carried_by,
    force_along,
    force_letter,
    joint_values,
    of,
    share_letter,
)
from leverarm.derivation.formulas import a_g, added, brief, equation, every_line, full, plus, times
from leverarm.derivation.setting import (
    AXES,
    COUPLED,
    LARGE,
    LinkSetting,
    Setting,
    defined,
    force_at_joint,
    forces_along_coordinates,
    joint_forces,
)
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, sentence
from leverarm.mechanics.springs import plus_springs
from leverarm.notation.tree import ZERO, Bracketed, Equation, Matrix, Node, Symbol, Transposed, column, negated
from leverarm.scalars.exact import is_exactly_zero


def forces_of_joints(setting: Setting, masses: list[Mass]) -> Section:
    """The formula, then each joint from the tip inwards, then the equations of motion."""
    joints = [_joint(setting, masses, link) for link in reversed(setting.links)]
    return chapter("Joint forces", (joint_balance(setting), *joints, _equations_of_motion(setting, masses)))


def joint_balance(setting: Setting) -> Section:
    """tau_j = Sigma tau_{j,i}; tau_{j,i} = u_j^T [p_i - o_j] F_i about an axis, u_j^T F_i along one."""
    joints = setting.mechanism.links
    turning = any(joint.turns for joint in joints)
    sliding = any(not is_exactly_zero(joint.slide) for joint in joints)
    i, j = Symbol("i"), Symbol("j")
    u, F, share = Transposed(of("u", "j")), of(share_letter(setting), "i"), of("tau", "j,i")
    lever = Bracketed(plus(of("p", "i"), negated(of("o", "j"))))
    words = (
        "By action and reaction each mass pushes back on the arm, and joint {j} must balance all masses {i} beyond it; "
        "the links themselves have no mass. {share} is the share of mass {i}, and {u} the axis of the joint"
    )
    shown = [brief(force_at_joint(setting, "j"), times(of("sum", "i"), share))]
    if turning:
        words += ", {o} a point on it, and {p} the position of the mass"
        shown.append(brief(share, times(u, lever, F)))
    if sliding:
        shown.append(brief(share, times(u, F)))
    words += "."
    if turning:
        words += " A revolute joint supplies the moment about its axis; {cross} is the cross-product matrix of {v}."
        shown.append(Shown(_cross_product(), Level.FULL))
    if sliding:
        words += " A prismatic joint supplies the force along its axis."
    if any(joint.turns and not is_exactly_zero(joint.slide) for joint in joints):
        words += " A helical joint supplies the moment, plus the force times its pitch."
    symbols = {"i": i, "j": j, "share": share, "u": of("u", "j"), "o": of("o", "j"), "p": of("p", "i")}
    symbols |= {"cross": Bracketed(Symbol("p")), "v": Symbol("p")}
    found = "axes[0], origins[0]" if setting.dof >= LARGE else "*axes, *origins" if turning else "*axes"
    return step("Balance at each joint", sentence(words, **symbols), tuple(shown), code=f"together(eq, {found})")


def _cross_product() -> Equation:
    """[p], with [p] F = p x F."""
    x, y, z = (Symbol(f"p_{axis}") for axis in "xyz")
    rows = ((ZERO, negated(z), y), (z, ZERO, negated(x)), (negated(y), x, ZERO))
    return equation(Bracketed(Symbol("p")), Matrix(rows))


def _joint(setting: Setting, masses: list[Mass], link: LinkSetting) -> Section:
    joint, n, letter = setting.mechanism.links[link.i], link.number, share_letter(setting)
    carried = carried_by(setting, masses, link.i)
    shown = [full(link.symbol("u"), setting.column(list(link.axis)))]
    if joint.turns:
        shown.append(full(link.symbol("o"), setting.column(list(link.pose.position))))
    for mass in carried:
        lever = plus(mass.link.symbol("p"), negated(link.symbol("o")))
        if joint.turns:
            between = mass.p - link.pose.position
            shown.append(every_line(lever, setting.column(list(between))))
            moment = times(Bracketed(lever), mass.link.symbol(letter))
            shown.append(every_line(moment, setting.column(list(between.cross(mass.held)))))
        value = setting.tree(force_along(setting, link, mass))
        shown.append(full(_part(n, mass), _share(setting, link, mass), value))
    beyond = " and ".join(str(mass.number) for mass in carried)
    words = f"It moves mass{'es' if len(carried) > 1 else ''} {beyond}." if carried else "It moves no mass."
    code = _joint_again(setting, link, [masses.index(mass) for mass in carried])
    return step(f"Joint {n}", (words,), tuple(shown), level=Level.FULL, code=code)


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
    lever = Bracketed(plus(mass.link.symbol("p"), negated(link.symbol("o"))))
    moment, push = times(u, lever, F), times(u, F)
    if not joint.turns:
        return push
    return moment if is_exactly_zero(joint.slide) else plus(moment, times(setting.tree(joint.slide), push))


def _equations_of_motion(setting: Setting, masses: list[Mass]) -> Section:
    values = joint_values(setting, masses)
    sums = [plus(*(_part(link.number, mass) for mass in carried_by(setting, masses, link.i))) for link in setting.links]
    shown: list[Shown] = []
    words = "Sum over the masses, and collect the terms of each acceleration."
    if setting.mechanism.is_coupled:
        words += f" {COUPLED}"
        shown = [
            full(name, whole, setting.tree(value))
            for name, whole, value in zip(joint_forces(setting), sums, values, strict=True)
        ]
        sums = forces_along_coordinates(setting)
    total = plus_springs(setting.mechanism, setting.eq.exact.q, setting.mechanism.generalised_forces(values))
    if setting.springs:
        words += " What holds the joints against their springs is added."
        sums = added(sums, setting.springs)
    if setting.friction_forces:
        words += " Friction comes last."
        sums = added(sums, setting.friction_forces)
    for i, (force, whole, value) in enumerate(zip(setting.forces, sums, total, strict=True)):
        shown.append(brief(force, whole, collected(setting, i, value)))
    return step("Equations of motion", (words,), tuple(shown), code="eq.formulas(forces_by_balance(eq))")


def forces_on_masses(setting: Setting, masses: list[Mass]) -> Section:
    """f_i = m_i a_i, and F_i = f_i - m_i a_g, the arm's share of it."""
    return chapter("Forces on the masses", (_newton(setting, masses), _held(setting, masses)))


def _newton(setting: Setting, masses: list[Mass]) -> Section:
    letter = force_letter(setting)
    shown = []
    for mass in masses:
        m = setting.tree(mass.m)
        rates = times(m, column([mass.link.symbol(axis, 2) for axis in AXES]))
        value = times(m, setting.column(list(mass.a)))
        shown.append(brief(mass.link.symbol(letter), rates, value))
    return step(
        "Newton's law",
        sentence("The net force {f} on each mass is its mass times its acceleration.", f=of(letter, "i")),
        tuple(shown),
        code="together(eq, *(mass.a * mass.m for mass in masses))",
    )


def _held(setting: Setting, masses: list[Mass]) -> Section:
    """Gravity supplies a part of f_i; the arm supplies the rest."""
    force, share = force_letter(setting), share_letter(setting)
    shown: list[Shown] = []
    for mass in masses:
        rest = plus(mass.link.symbol(force), negated(times(setting.tree(mass.m), a_g)))
        shown += defined(setting, mass.link.symbol(share), rest, setting.column(list(mass.held)))
    weight = times(of("m", "i"), a_g)
    return step(
        "Force supplied by the arm",
        sentence("Gravity supplies {mg} of this force; the arm supplies the rest, {F}.", mg=weight, F=of(share, "i")),
        (brief(of(share, "i"), plus(of(force, "i"), negated(weight))), *shown),
        code="together(eq, *((mass.a - eq.exact.mechanism.gravity) * mass.m for mass in masses))",
    )
