"""The algorithm in symbols: the same lines for every link, with an index.

Outward: the frame, twist and acceleration of each link from those of the link that carries it.

Inward: the wrench on each link from those on the links it carries, and the force of each joint.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.chapters.equations_of_motion import collected
from leverarm.derivation.document import Level, Part, Shown, Step, Words
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
    LARGE,
    LinkSetting,
    Setting,
    equation,
    forces_along_coordinates,
    joint_forces,
    joint_value,
    times,
)
from leverarm.derivation.widths import defined
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

GRAVITY = Symbol("a_g")


def outward_recursion(setting: Setting) -> Step:
    """T, V and V_dot of link i from those of the link that carries it."""
    p = "i-1" if is_serial(setting) else "p"
    theta, speed, acceleration = (Indexed(Symbol(setting.vector, dots), "i") for dots in range(3))
    words = f"From the base to the {'tip' if is_serial(setting) else 'tips'}. "
    return Step(
        "The recursion",
        (
            words + "The twist of a link is that of its carrier, seen from the link, plus the motion of its own joint. "
            "The base is given the acceleration opposite to free fall: this puts the weight of every link into its "
            "acceleration. ", Bracketed(of_link("A", "i")), " is the 4 x 4 matrix of a twist, ", ad(of_link("V", "i")),
            " the bracket of twists. ", *_moving_frame(),
        ),
        (
            Shown(equation(between("T", "i", p), Product((backwards(of_link("A", "i"), theta), between("M", "i", p))))),
            Shown(equation(of_link("V", "i"), twist("i", p, speed))),
            Shown(equation(of_link("V", "i", 1), twist_rate("i", p, speed, acceleration))),
            Shown(equation(of_link("V", 0), ZERO)),
            Shown(equation(of_link("V", 0, 1), column([ZERO, negated(GRAVITY)]))),
        ),
        code="run = la.mechanics.screw_recursion(mechanism, q, qd, qdd)\n"
        f"together(eq, {each_link(setting, 'run.V')}, {each_link(setting, 'run.V_dot')})",
    )  # fmt: skip


def matrices_of_twists() -> Step:
    """[V], ad(V) and Ad(T) by their blocks."""
    V, T, R, p = Symbol("V"), Symbol("T"), Symbol("R"), Symbol("p")
    omega, v = Symbol("omega"), Symbol("v")
    turning, sliding, turned = Bracketed(omega), Bracketed(v), Product((Bracketed(p), R))
    blocks = {
        Bracketed(V): ((turning, v), (ZERO, ZERO)),
        ad(V): ((turning, ZERO), (sliding, turning)),
        Ad(T): ((R, ZERO), (turned, R)),
    }
    return Step(
        "Matrices of twists and frames",
        (
            omega, " and ", v, " are the halves of ", V, "; ", R, " and ", p, " are the rotation and the position in ",
            T, ". The bracket of a vector of three is the matrix of the cross product with it.",
        ),
        tuple(Shown(equation(name, Matrix(rows)), Level.EVERY_LINE) for name, rows in blocks.items()),
        level=Level.EVERY_LINE,
        code="from leverarm.spatial import skew\n\n"
        "T, V = run.T[0], run.V[0]\n"
        "together(eq, skew(V.angular), skew(V.linear), T.rotation, skew(T.position) * T.rotation)",
    )  # fmt: skip


def _moving_frame() -> Words:
    """Why the lower half of Vd is not the acceleration of a point: centripetal terms look missing in it."""
    omega, v = of_link("omega", "i"), of_link("v", "i")
    at_origin = Sum((of_link("v", "i", 1), Product((Bracketed(omega), v))))
    return (
        of_link("V", "i", 1), " is the rate of the components of ", of_link("V", "i"), " in the moving frame. With the "
        "halves ", omega, " and ", v, " of ", of_link("V", "i"), ", the acceleration of the frame's origin, less free "
        "fall, is ", at_origin, ".",
    )  # fmt: skip


def twist(i: Index, p: Index, speed: Node) -> Node:
    """Ad(T_{i,p}) V_p + A_i thetad_i."""
    carried = Product((Ad(between("T", i, p)), of_link("V", p)))
    return Sum((carried, Product((of_link("A", i), speed))))


def twist_rate(i: Index, p: Index, speed: Node, acceleration: Node) -> Node:
    """Ad(T_{i,p}) Vd_p + A_i thetadd_i + ad(V_i) A_i thetad_i."""
    carried = Product((Ad(between("T", i, p)), of_link("V", p, 1)))
    bracket = Product((ad(of_link("V", i)), of_link("A", i), speed))
    return Sum((carried, Product((of_link("A", i), acceleration)), bracket))


def inward_recursion(setting: Setting) -> Step:
    """F and tau of link i from the wrenches of the links it carries."""
    i, k = Symbol("i"), Symbol("k")
    if is_serial(setting):
        handed_on = pulled_back(between("T", "i+1", "i"), of_link("F", "i+1"))
        words: Words = ("From the tip to the base. ",)
    else:
        handed_on = Product(
            (Indexed(Symbol("sum"), "k"), *_factors(pulled_back(between("T", "k", "i"), of_link("F", "k"))))
        )
        words = ("From the tips to the base, summed over the links ", k, " that link ", i, " carries. ")
    last = len(setting.links) + 1
    return Step(
        "The recursion",
        (
            *words, "A link needs the wrench that changes its momentum, and hands on the wrenches of the links it "
            "carries: action = reaction. A joint supplies the part along its own screw. ", of_link("F", last),
            " is the wrench that the tip applies to its surroundings; it is zero here.",
        ),
        (
            Shown(equation(of_link("F", "i"), wrench("i", [handed_on]))),
            Shown(equation(Indexed(Symbol("tau"), "i"), joint_force("i"))),
        ),
        code="together(eq, run.net[0])" if setting.dof >= LARGE else "together(eq, *run.F)",
    )  # fmt: skip


def wrench(i: Index, handed_on: list[Node]) -> Node:
    """Ad(T_{k,i})^T F_k + G_i Vd_i - ad(V_i)^T G_i V_i."""
    G, V = of_link("G", i), of_link("V", i)
    return Sum((*handed_on, Product((G, of_link("V", i, 1))), negated(Product((Transposed(ad(V)), G, V)))))


def joint_force(i: Index) -> Node:
    """F_i^T A_i."""
    return Product((Transposed(of_link("F", i)), of_link("A", i)))


def _factors(product: Node) -> tuple[Node, ...]:
    return product.factors if isinstance(product, Product) else (product,)


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


def inward(setting: Setting, run: ScrewRecursion, forces: Sequence[Scalar]) -> Part:
    """The recursion in symbols, then link by link, then the joints' forces."""
    steps = [inward_recursion(setting), *(_link_inward(setting, run, link) for link in reversed(setting.links))]
    steps += [_joint_forces(setting, run, forces)]
    return Part("Inward: forces", tuple(steps))


def _link_inward(setting: Setting, run: ScrewRecursion, link: LinkSetting) -> Step:
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
        *_piece_inward(setting, Product((G, V)), inertia @ run.V[i]),
        *_piece_inward(setting, Product((G, V_dot)), inertia @ run.V_dot[i]),
        *_piece_inward(setting, bracket, run.V[i].cross_force(inertia @ run.V[i])),
    ]
    for k, name in zip(carried, names, strict=False):
        shown += _piece_inward(setting, name, run.T[k].inverse().force_into_parent(run.F[k]))
    shown += defined(setting, of_link("F", n), wrench(n, names), six(setting, run.F[i]))
    return Step(
        f"Link {n}: wrench",
        ("The moment about the origin of the link's frame, then the force.",),
        tuple(shown),
        level=Level.FULL,
        code=f"together(eq, run.F[{i}])",
    )


def _piece_inward(setting: Setting, name: Node, value: Force) -> list[Shown]:
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
