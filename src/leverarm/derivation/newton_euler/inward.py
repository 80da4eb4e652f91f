"""Inward: the wrench on each link from those on the links it carries, and the force of each joint."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.chapters.collection import collected
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.joints import forces_along_coordinates, joint_forces
from leverarm.derivation.newton_euler.letters import ad, between, is_null, of_link, pulled_back, six
from leverarm.derivation.newton_euler.recursion import inward_recursion, joint_force, wrench
from leverarm.derivation.setting import LinkSetting, Setting, equation
from leverarm.derivation.widths import defined
from leverarm.mechanics.screw_form import ScrewRecursion
from leverarm.notation.tree import Node, Product, Sum, Symbol, Transposed, column, negated
from leverarm.scalars import Scalar
from leverarm.spatial import Force


def inward(setting: Setting, run: ScrewRecursion, forces: Sequence[Scalar]) -> Part:
    """The recursion in symbols, then link by link, then the joints' forces."""
    steps = [inward_recursion(setting), *(_link(setting, run, link) for link in reversed(setting.links))]
    steps += [_joint_forces(setting, run, forces)]
    return Part("Inward: forces", tuple(steps))


def _link(setting: Setting, run: ScrewRecursion, link: LinkSetting) -> Step:
    i, n = link.i, link.number
    carried = [k for k, other in enumerate(setting.mechanism.links) if other.parent == i]
    names = [pulled_back(between("T", k + 1, n), of_link("F", k + 1)) for k in carried]
    G, V, V_dot = of_link("G", n), of_link("V", n), of_link("V", n, 1)
    inertia = run.chain.links[i].G
    bracket = negated(Product((Transposed(ad(V)), G, V)))
    if i == setting.mechanism.attachments[setting.mechanism.tool].link:
        tip = len(setting.links) + 1
        names.append(pulled_back(between("T", tip, n), of_link("F", tip)))
    shown = [
        *_piece(setting, Product((G, V)), inertia @ run.V[i]),
        *_piece(setting, Product((G, V_dot)), inertia @ run.V_dot[i]),
        *_piece(setting, bracket, run.V[i].cross_force(inertia @ run.V[i])),
    ]
    for k, name in zip(carried, names, strict=False):
        shown += _piece(setting, name, run.T[k].inverse().force_into_parent(run.F[k]))
    shown += defined(setting, of_link("F", n), wrench(n, names), six(setting, run.F[i]))
    return Step(
        f"Link {n}: wrench",
        ("The moment about the origin of the link's frame, then the force.",),
        tuple(shown),
        level=Level.FULL,
        code=f"together(eq, run.F[{i}])",
    )


def _piece(setting: Setting, name: Node, value: Force) -> list[Shown]:
    """One term of a sum on a line of its own, where it is not zero."""
    return [] if is_null(value) else [Shown(equation(name, six(setting, value)), Level.EVERY_LINE)]


def _joint_forces(setting: Setting, run: ScrewRecursion, forces: Sequence[Scalar]) -> Step:
    """tau_i = F_i^T A_i; where joints are coupled or motors have rotors, what becomes of it."""
    words = "Of each wrench the joint supplies the part along its screw; the structure of the arm holds the rest."
    shown: list[Shown] = []
    along: list[Node] = [joint_force(link.number) for link in setting.links]
    if setting.mechanism.is_coupled:
        words += " The joints are coupled: a force along a coordinate is the sum of those at the joints it moves."
        shown = [
            Shown(equation(symbol, name, setting.tree(value)), Level.FULL)
            for symbol, name, value in zip(joint_forces(setting), along, run.tau, strict=True)
        ]
        along = forces_along_coordinates(setting)
    if setting.mechanism.rotors:
        words += " To it comes what accelerates the rotor of the motor."
        rotor: list[Node] = [Symbol(f"tau_r{j}") for j in range(1, setting.dof + 1)]
        shown.append(Shown(equation(Symbol("tau_r"), column(rotor), setting.eq.rotors.tree), Level.FULL))
        along = [Sum((*_terms(name), own)) for name, own in zip(along, rotor, strict=True)]
    for force, name, value in zip(setting.forces, along, forces, strict=True):
        shown.append(Shown(equation(force, name, collected(setting, value))))
    return Step("Joint forces", (words,), tuple(shown), code=_joint_forces_again(setting))


def _joint_forces_again(setting: Setting) -> str:
    """Python for the forces at the joints, those of the rotors, and the forces along the coordinates."""
    if not setting.mechanism.is_coupled and not setting.mechanism.rotors:
        return "eq.formulas([link.A @ F for link, F in zip(chain.links, run.F)])"
    lines = ["joints = [link.A @ F for link, F in zip(chain.links, run.F)]"]
    lines += ["forces = mechanism.generalised_forces(joints)"]
    shown = ["joints"] if setting.mechanism.is_coupled else []
    if setting.mechanism.rotors:
        lines += ["forces = [a + b for a, b in zip(forces, eq.rotors.values)]"]
        shown += ["eq.rotors"]
    return "\n".join([*lines, f"together(eq, {', '.join([*shown, 'forces'])})"])


def _terms(value: Node) -> tuple[Node, ...]:
    return value.terms if isinstance(value, Sum) else (value,)
