"""Outward: the frame, twist and acceleration of each link from those of the link that carries it."""

from __future__ import annotations

from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.joints import joint_value
from leverarm.derivation.newton_euler.letters import (
    Ad,
    Index,
    ad,
    backwards,
    between,
    is_null,
    of_link,
    parent_number,
    pose_matrix,
    six,
)
from leverarm.derivation.newton_euler.recursion import matrices_of_twists, outward_recursion, twist, twist_rate
from leverarm.derivation.setting import LinkSetting, Setting, equation, times
from leverarm.derivation.widths import defined
from leverarm.mechanics.screw_form import ScrewRecursion, exponential
from leverarm.notation.tree import Bracketed, Indexed, Node, Product, Sum, Symbol
from leverarm.spatial import AT_REST, ORIGIN, Motion


def outward(setting: Setting, run: ScrewRecursion) -> Part:
    """The recursion in symbols, then link by link, then the angular parts on their own."""
    steps = [outward_recursion(setting), matrices_of_twists()]
    steps += [_link(setting, run, link) for link in setting.links]
    if any(link.turns for link in setting.mechanism.links):
        steps.append(_angular(setting, run))
    return Part("Outward: velocities and accelerations", tuple(steps))


def _link(setting: Setting, run: ScrewRecursion, link: LinkSetting) -> Step:
    i, n, p = link.i, link.number, parent_number(setting, link.i)
    speed, acceleration = joint_value(setting, i, 1), joint_value(setting, i, 2)
    V, V_rate, A, T = of_link("V", n), of_link("V", n, 1), of_link("A", n), between("T", n, p)
    back = backwards(A, joint_value(setting, i))
    screw = run.chain.links[i].A
    joint_pose = exponential(screw, -setting.mechanism.joint_values(setting.eq.exact.q)[i])
    V_p = run.V[p - 1] if p else AT_REST
    V_dot_p = run.V_dot[p - 1] if p else Motion(ORIGIN, -setting.mechanism.gravity)
    bracket = run.V[i].cross(screw * setting.mechanism.joint_values(setting.eq.exact.qd)[i])
    shown = [
        Shown(equation(back, pose_matrix(setting, joint_pose)), Level.EVERY_LINE),
        *defined(setting, T, Product((back, between("M", n, p))), pose_matrix(setting, run.T[i])),
        *_piece(setting, Product((Ad(T), of_link("V", p))), run.T[i].motion_into_parent(V_p)),
        *defined(setting, V, twist(n, p, speed), six(setting, run.V[i])),
        *_piece(setting, Product((Ad(T), of_link("V", p, 1))), run.T[i].motion_into_parent(V_dot_p)),
        *_piece(setting, times(ad(V), A, speed), bracket),
        *defined(setting, V_rate, twist_rate(n, p, speed, acceleration), six(setting, run.V_dot[i])),
    ]
    return Step(
        f"Link {n}: motion",
        (f"Carried by {f'link {p}' if p else 'the base'}. All in the coordinates of link {n}, angular parts first.",),
        tuple(shown),
        level=Level.FULL,
        code=f"together(eq, run.T[{i}], run.V[{i}], run.V_dot[{i}])",
    )


def _piece(setting: Setting, name: Node, value: Motion) -> list[Shown]:
    """One term of a sum on a line of its own, where it is not zero."""
    return [] if is_null(value) else [Shown(equation(name, six(setting, value)), Level.EVERY_LINE)]


def _angular(setting: Setting, run: ScrewRecursion) -> Step:
    """R_{i,p}, omega_i and its rate: the upper three rows, which need nothing of the lower."""
    shown: list[Shown] = []
    for link in setting.links:
        i, n, p = link.i, link.number, parent_number(setting, link.i)
        R, a, omega, rate = between("R", n, p), _axis(n), of_link("omega", n), of_link("omega", n, 1)
        rows = [list(row) for row in run.T[i].rotation.rows()]
        turned, turned_rate = Product((R, of_link("omega", p))), Product((R, of_link("omega", p, 1)))
        speed, acceleration = joint_value(setting, i, 1), joint_value(setting, i, 2)
        own, own_rate = Product((a, speed)), Product((a, acceleration))
        bracket = Product((Bracketed(omega), a, speed))
        turns = setting.mechanism.links[i].turns
        velocity = Sum((turned, own)) if turns else turned
        change = Sum((turned_rate, own_rate, bracket)) if turns else turned_rate
        shown += [
            Shown(equation(R, setting.matrix(rows)), Level.EVERY_LINE),
            Shown(equation(omega, velocity, setting.column(list(run.V[i].angular))), Level.EVERY_LINE),
            Shown(equation(rate, change, setting.column(list(run.V_dot[i].angular))), Level.EVERY_LINE),
        ]
    return Step(
        "The angular parts on their own",
        (
            "The upper halves of the twists need nothing of the lower: ", Symbol("R"), " is the rotation in ",
            Symbol("T"), ", ", _axis("i"), " the angular half of ", of_link("A", "i"), ", zero where a joint slides. "
            "The base does not turn.",
        ),
        tuple(shown),
        level=Level.EVERY_LINE,
        code="together(\n"
        "    eq,\n"
        "    *(T.rotation for T in run.T),\n"
        "    *(V.angular for V in run.V),\n"
        "    *(V_dot.angular for V_dot in run.V_dot),\n"
        ")",
    )  # fmt: skip


def _axis(i: Index) -> Node:
    """The angular half of A_i."""
    return Indexed(Symbol("omega"), str(i), "A")
