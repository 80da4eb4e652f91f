"""The Newton-Euler recursion: in symbols, then link by link.

Outward, the frame, twist and acceleration of each link follow from those of its parent. Inward, the wrench on each link
follows from those on its children, and gives the force of its joint.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.chapters.equations_of_motion import collected
from leverarm.derivation.formulas import a_g, added, brief, every_line, full, plus, times
from leverarm.derivation.newton_euler.screw_symbols import (
    Ad,
    Index,
    ad,
    backwards,
    between,
    each_link,
    is_null,
    is_serial,
    of_link,
    parent_number,
    pose_matrix,
    pulled_back,
    six,
)
from leverarm.derivation.setting import (
    COUPLED,
    LARGE,
    LinkSetting,
    Setting,
    defined,
    force_at_joint,
    forces_along_coordinates,
    joint_forces,
    joint_value,
)
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Words, sentence
from leverarm.mechanics.screw_form import ScrewRecursion, exponential
from leverarm.notation.tree import (
    ZERO,
    Bracketed,
    Indexed,
    Matrix,
    Node,
    Product,
    Sum,
    Symbol,
    Transposed,
    column,
    negated,
)
from leverarm.scalars import Scalar
from leverarm.spatial import AT_REST, ORIGIN, Force, Motion


def outward_recursion(setting: Setting) -> Section:
    """T, V and V_dot of link i from those of its parent."""
    p = "i-1" if is_serial(setting) else "p"
    theta, speed, acceleration = (Indexed(Symbol(setting.vector, dots), "i") for dots in range(3))
    return step(
        "The recursion",
        (
            *sentence(
                f"From the base to the {'tip' if is_serial(setting) else 'tips'}. The twist of a link is the twist of "
                "its parent, expressed in the frame of the link, plus the motion of its own joint. The base is given "
                "the acceleration opposite to gravity, which accounts for the weight of every link. {A} is the 4 x 4 "
                "matrix of a twist, and {ad} the matrix of the Lie bracket of twists. ",
                A=Bracketed(of_link("A", "i")),
                ad=ad(of_link("V", "i")),
            ),
            *_moving_frame(),
        ),
        (
            brief(between("T", "i", p), times(backwards(of_link("A", "i"), theta), between("M", "i", p))),
            brief(of_link("V", "i"), twist("i", p, speed)),
            brief(of_link("V", "i", 1), twist_rate("i", p, speed, acceleration)),
            brief(of_link("V", 0), ZERO),
            brief(of_link("V", 0, 1), column([ZERO, negated(a_g)])),
        ),
        code=f"together(eq, {each_link(setting, 'run.V')}, {each_link(setting, 'run.V_dot')})",
    )


def matrices_of_twists() -> Section:
    """[V], ad(V) and Ad(T) by their blocks."""
    V, T, R, p = Symbol("V"), Symbol("T"), Symbol("R"), Symbol("p")
    omega, v = Symbol("omega"), Symbol("v")
    turning, sliding, turned = Bracketed(omega), Bracketed(v), times(Bracketed(p), R)
    blocks = {
        Bracketed(V): ((turning, v), (ZERO, ZERO)),
        ad(V): ((turning, ZERO), (sliding, turning)),
        Ad(T): ((R, ZERO), (turned, R)),
    }
    return step(
        "Matrices of twists and frames",
        sentence(
            "{omega} and {v} are the angular and linear parts of {V}, {R} and {p} the rotation and position of {T}. "
            "The bracket of a 3-vector is its cross-product matrix.",
            omega=omega, v=v, V=V, R=R, p=p, T=T,
        ),
        tuple(every_line(name, Matrix(rows)) for name, rows in blocks.items()),
        level=Level.EVERY_LINE,
        code="from leverarm.spatial import skew\n\n"
        "T, V = run.T[0], run.V[0]\n"
        "together(eq, skew(V.angular), skew(V.linear), T.rotation, skew(T.position) * T.rotation)",
    )  # fmt: skip


def _moving_frame() -> Words:
    """Why the linear part of Vd is not the acceleration of a point: centripetal terms look missing in it."""
    omega, v = of_link("omega", "i"), of_link("v", "i")
    return sentence(
        "{rate} is the time derivative of the components of {V} in the moving frame: with the angular and linear parts "
        "{omega} and {v} of {V}, the acceleration of the frame's origin, less that of gravity, is {acceleration}.",
        rate=of_link("V", "i", 1), V=of_link("V", "i"), omega=omega, v=v,
        acceleration=plus(of_link("v", "i", 1), times(Bracketed(omega), v)),
    )  # fmt: skip


def twist(i: Index, p: Index, speed: Node) -> Node:
    """Ad(T_{i,p}) V_p + A_i thetad_i."""
    carried = times(Ad(between("T", i, p)), of_link("V", p))
    return Sum((carried, Product((of_link("A", i), speed))))


def twist_rate(i: Index, p: Index, speed: Node, acceleration: Node) -> Node:
    """Ad(T_{i,p}) Vd_p + A_i thetadd_i + ad(V_i) A_i thetad_i."""
    carried = times(Ad(between("T", i, p)), of_link("V", p, 1))
    bracket = Product((ad(of_link("V", i)), of_link("A", i), speed))
    return Sum((carried, Product((of_link("A", i), acceleration)), bracket))


def inward_recursion(setting: Setting) -> Section:
    """F and tau of link i from the wrenches on its children."""
    if is_serial(setting):
        passed_on = pulled_back(between("T", "i+1", "i"), of_link("F", "i+1"))
        words = "From the tip to the base."
    else:
        passed_on = times(Indexed(Symbol("sum"), "k"), pulled_back(between("T", "k", "i"), of_link("F", "k")))
        words = "From the tips to the base, summed over the children {k} of link {i}."
    tip = len(setting.links) + 1
    at_tip = "; it is zero here" if setting.tip == "free" else ", in the tip's own frame: moment, then force"
    return step(
        "The recursion",
        sentence(
            f"{words} The wrench on a link changes its momentum and, by action and reaction, balances the wrenches on "
            "its children. The joint supplies the component along its screw. {F} is the wrench that the tip applies to "
            f"its surroundings{at_tip}.",
            i=Symbol("i"), k=Symbol("k"), F=of_link("F", tip),
        ),
        (
            brief(of_link("F", "i"), wrench("i", [passed_on])),
            brief(force_at_joint(setting, "i"), joint_force("i")),
            *([] if setting.tip == "free" else [brief(of_link("F", tip), setting.eq.wrench.tree)]),
        ),
        code="together(eq, run.net[0])" if setting.dof >= LARGE else "together(eq, *run.F)",
    )  # fmt: skip


def wrench(i: Index, passed_on: list[Node]) -> Node:
    """Ad(T_{k,i})^T F_k + G_i Vd_i - ad(V_i)^T G_i V_i."""
    G, V = of_link("G", i), of_link("V", i)
    return plus(*passed_on, times(G, of_link("V", i, 1)), negated(times(Transposed(ad(V)), G, V)))


def joint_force(i: Index) -> Node:
    """F_i^T A_i."""
    return times(Transposed(of_link("F", i)), of_link("A", i))


def outward(setting: Setting, run: ScrewRecursion) -> Section:
    """The recursion in symbols, then link by link, then the angular parts on their own."""
    steps = [outward_recursion(setting), matrices_of_twists()]
    steps += [_link(setting, run, link) for link in setting.links]
    if any(link.turns for link in setting.mechanism.links):
        steps.append(_angular(setting, run))
    return chapter("Outward: velocities and accelerations", tuple(steps))


def _link(setting: Setting, run: ScrewRecursion, link: LinkSetting) -> Section:
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
        every_line(back, pose_matrix(setting, joint_pose)),
        *defined(setting, T, times(back, between("M", n, p)), pose_matrix(setting, run.T[i])),
        *_piece(setting, times(Ad(T), of_link("V", p)), run.T[i].motion_into_parent(V_p)),
        *defined(setting, V, twist(n, p, speed), six(setting, run.V[i])),
        *_piece(setting, times(Ad(T), of_link("V", p, 1)), run.T[i].motion_into_parent(V_dot_p)),
        *_piece(setting, times(ad(V), A, speed), bracket),
        *defined(setting, V_rate, twist_rate(n, p, speed, acceleration), six(setting, run.V_dot[i])),
    ]
    return step(
        f"Link {n}: motion",
        (f"The parent is {f'link {p}' if p else 'the base'}. All in the frame of link {n}, angular parts first.",),
        tuple(shown),
        level=Level.FULL,
        code=f"together(eq, run.T[{i}], run.V[{i}], run.V_dot[{i}])",
    )


def _piece(setting: Setting, name: Node, value: Motion | Force) -> list[Shown]:
    """One term of a sum on a line of its own, where it is not zero."""
    return [] if is_null(value) else [every_line(name, six(setting, value))]


def _angular(setting: Setting, run: ScrewRecursion) -> Section:
    """R_{i,p}, omega_i and its rate: the upper three rows, which do not depend on the lower."""
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
            every_line(R, setting.matrix(rows)),
            every_line(omega, velocity, setting.column(list(run.V[i].angular))),
            every_line(rate, change, setting.column(list(run.V_dot[i].angular))),
        ]
    return step(
        "The angular parts alone",
        sentence(
            "The angular parts of the twists do not depend on the linear ones. {R} is the rotation of {T}, and {axis} "
            "the angular part of {A}, which is zero for a prismatic joint. The base does not rotate.",
            R=Symbol("R"), T=Symbol("T"), axis=_axis("i"), A=of_link("A", "i"),
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
    """The angular part of A_i."""
    return Indexed(Symbol("omega"), str(i), "A")


def inward(setting: Setting, run: ScrewRecursion, forces: Sequence[Scalar]) -> Section:
    """The recursion in symbols, then link by link, then the joints' forces."""
    steps = [inward_recursion(setting), *(_link_inward(setting, run, link) for link in reversed(setting.links))]
    steps += [_joint_forces(setting, run, forces)]
    return chapter("Inward: forces", tuple(steps))


def _link_inward(setting: Setting, run: ScrewRecursion, link: LinkSetting) -> Section:
    i, n = link.i, link.number
    carried = [k for k, other in enumerate(setting.mechanism.links) if other.parent == i]
    names = [pulled_back(between("T", k + 1, n), of_link("F", k + 1)) for k in carried]
    G, V, V_dot = of_link("G", n), of_link("V", n), of_link("V", n, 1)
    inertia = run.chain.links[i].G
    bracket = negated(times(Transposed(ad(V)), G, V))
    is_last = i == setting.mechanism.attachments[setting.mechanism.tool].link
    if is_last:
        tip = len(setting.links) + 1
        names.append(pulled_back(between("T", tip, n), of_link("F", tip)))
    shown = [
        *_piece(setting, times(G, V), inertia @ run.V[i]),
        *_piece(setting, times(G, V_dot), inertia @ run.V_dot[i]),
        *_piece(setting, bracket, run.V[i].cross_force(inertia @ run.V[i])),
    ]
    for k, name in zip(carried, names, strict=False):
        shown += _piece(setting, name, run.T[k].inverse().force_into_parent(run.F[k]))
    if is_last and setting.tip_wrench is not None:
        pushed = setting.mechanism.attachments[setting.mechanism.tool].pose.force_into_parent(setting.tip_wrench[1])
        shown += _piece(setting, names[-1], pushed)
    shown += defined(setting, of_link("F", n), wrench(n, names), six(setting, run.F[i]))
    return step(
        f"Link {n}: wrench",
        ("The moment about the origin of the link frame, then the force.",),
        tuple(shown),
        level=Level.FULL,
        code=f"together(eq, run.F[{i}])",
    )


def _joint_forces(setting: Setting, run: ScrewRecursion, forces: Sequence[Scalar]) -> Section:
    """tau_i = F_i^T A_i; with coupled joints or rotors, the generalised forces that follow from it."""
    words = "Each joint supplies the component of the wrench along its screw; the structure of the arm bears the rest."
    shown: list[Shown] = []
    along: list[Node] = [joint_force(link.number) for link in setting.links]
    if setting.mechanism.is_coupled:
        words += f" {COUPLED}"
        shown = [
            full(symbol, name, setting.tree(value))
            for symbol, name, value in zip(joint_forces(setting), along, run.tau, strict=True)
        ]
        along = forces_along_coordinates(setting)
    if setting.mechanism.rotors:
        words += " The torque that accelerates the motor's rotor is added."
        rotor: list[Node] = [Symbol(f"tau_r{j}") for j in range(1, setting.dof + 1)]
        shown.append(full(Symbol("tau_r"), column(rotor), setting.eq.rotors.tree))
        along = added(along, rotor)
    if setting.springs:
        words += " What holds the joint against its spring is added."
        along = added(along, setting.springs)
    if setting.friction_forces:
        words += " Friction comes last."
        along = added(along, setting.friction_forces)
    for i, (force, name, value) in enumerate(zip(setting.forces, along, forces, strict=True)):
        shown.append(brief(force, name, collected(setting, i, value)))
    return step("Joint forces", (words,), tuple(shown), code=_joint_forces_again(setting))


def _joint_forces_again(setting: Setting) -> str:
    """Python for the forces at the joints, those of the rotors, and the generalised forces."""
    if not setting.mechanism.is_coupled and not setting.mechanism.rotors and not setting.springs:
        return "eq.formulas([link.A @ F for link, F in zip(chain.links, run.F)])"
    lines = ["joints = [link.A @ F for link, F in zip(chain.links, run.F)]"]
    lines += ["forces = mechanism.generalised_forces(joints)"]
    shown = ["joints"] if setting.mechanism.is_coupled else []
    if setting.mechanism.rotors:
        lines += ["forces = [a + b for a, b in zip(forces, eq.rotors.values)]"]
        shown += ["eq.rotors"]
    if setting.springs:
        lines += ["forces = la.mechanics.plus_springs(mechanism, q, forces)"]
        shown += ["eq.springs"]
    return "\n".join([*lines, f"together(eq, {', '.join([*shown, 'forces'])})"])
