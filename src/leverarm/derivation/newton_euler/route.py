"""The chapters of the Newton-Euler route, in order.

Large arms: how many terms each quantity of the recursion has, instead of pages of them.

What does not change with the motion: home poses, screws, inertias.
"""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.equations_of_motion import agreement, losses, robot_equation
from leverarm.derivation.document import Level, Part, Shown, Step, Table
from leverarm.derivation.newton_euler.reading_off import reading_off
from leverarm.derivation.newton_euler.recursion import (
    inward,
    inward_recursion,
    matrices_of_twists,
    outward,
    outward_recursion,
)
from leverarm.derivation.newton_euler.screw_symbols import (
    Ad,
    between,
    inertia_matrix,
    is_serial,
    of_link,
    parent_number,
    pose_matrix,
    six,
    tensor_about_origin,
)
from leverarm.derivation.setting import LARGE, Setting, equation, term_count
from leverarm.derivation.widths import width
from leverarm.mechanics.screw_form import ScrewChain, ScrewRecursion, screw_recursion
from leverarm.notation.tree import Bracketed, Equation, Indexed, Inverse, Matrix, Product, Symbol, negated
from leverarm.spatial import Force, Inertia, Motion


def structure(setting: Setting, run: ScrewRecursion) -> tuple[Part, ...]:
    """The recursion in symbols, both ways, and a table of sizes."""
    head = ("link", of_link("V", "i"), of_link("V", "i", 1), of_link("F", "i"), Indexed(Symbol("tau"), "i"))
    rows = []
    for link in setting.links:
        i = link.i
        sizes = (_terms(run.V[i]), _terms(run.V_dot[i]), _terms(run.F[i]), term_count([run.tau[i]]))
        rows.append((str(link.number), *map(str, sizes)))
    counts = Step(
        "Sizes",
        (
            "Written out, these formulas fill pages. This is how many terms they have when expanded; outward each link "
            "adds its own motion, inward each wrench holds all that is farther out.",
        ),
        (),
        (Table(head, tuple(rows), "Number of terms, expanded."),),
        code="[\n"
        "    [eq.formulas(x).terms for x in ([*V.angular, *V.linear], [*V_dot.angular, *V_dot.linear],"
        " [*F.moment, *F.force], [tau])]\n"
        "    for V, V_dot, F, tau in zip(run.V, run.V_dot, run.F, run.tau)\n"
        "]",
    )
    return (
        Part("Outward: velocities and accelerations", (outward_recursion(setting), matrices_of_twists())),
        Part("Inward: forces", (inward_recursion(setting), counts)),
    )


def _terms(vector: Motion | Force) -> int:
    if isinstance(vector, Motion):
        return term_count((*vector.angular, *vector.linear))
    return term_count((*vector.moment, *vector.force))


WIDEST = 60
"""A 6 x 6 inertia matrix wider than this, in characters, is shown by its blocks."""

FIRST_CELL = """
mechanism, q, qd, qdd = eq.exact.mechanism, eq.exact.q, eq.exact.qd, eq.exact.qdd
chain = la.mechanics.screw_chain(mechanism)
together(eq, *chain.home[:-1])"""
"""The home poses (the world is the last of them), and the names that the cells after it use."""


def constants(setting: Setting) -> Part:
    """M_{0,i}, S_i, A_i, M_{i,parent}, G_i and T_{n+1,n}."""
    chain = me.screw_chain(setting.mechanism)
    steps = (_home(setting, chain), _screws(setting, chain), _relative(setting, chain), _inertias(setting, chain))
    return Part("Constants", steps)


def _home(setting: Setting, chain: ScrewChain) -> Step:
    shown = [
        Shown(equation(between("M", 0, link.number), pose_matrix(setting, chain.home[link.i])), Level.FULL)
        for link in setting.links
    ]
    M = Symbol("M")
    return Step(
        "Home poses",
        (
            between("M", 0, "i"), " is the pose of the frame of link ", Symbol("i"), ", at its joint, with all joints "
            "at zero. ", M, " with two indices is a home pose, ", M, " alone the mass matrix.",
        ),
        tuple(shown),
        code=FIRST_CELL,
    )  # fmt: skip


def _screws(setting: Setting, chain: ScrewChain) -> Step:
    shown = [
        Shown(equation(of_link("S", link.number), six(setting, chain.screws[link.i])), Level.FULL)
        for link in setting.links
    ]
    moved = Product((Ad(Inverse(between("M", 0, "i"))), of_link("S", "i")))
    shown.append(Shown(equation(of_link("A", "i"), moved)))
    shown += [Shown(equation(of_link("A", link.number), six(setting, chain.links[link.i].A))) for link in setting.links]
    return Step(
        "Screws of the joints",
        (
            "The motion of each joint at unit speed, a twist, angular part first: ", of_link("S", "i"), " in the world "
            "with all joints at zero, ", of_link("A", "i"), " in the frame of its link, where it never changes. ",
            Ad(Symbol("T")), " takes a twist to another frame.",
        ),
        tuple(shown),
        code="together(\n"
        "    eq,\n"
        "    *chain.screws,\n"
        "    *(M.inverse().motion_into_parent(S) for M, S in zip(chain.home, chain.screws)),\n"
        ")",
    )  # fmt: skip


def _relative(setting: Setting, chain: ScrewChain) -> Step:
    carrier = "i-1" if is_serial(setting) else "p"
    parts = Product((Inverse(between("M", 0, "i")), between("M", 0, carrier)))
    shown = [Shown(equation(between("M", "i", carrier), parts))]
    for link in setting.links:
        name = between("M", link.number, parent_number(setting, link.i))
        shown.append(Shown(equation(name, pose_matrix(setting, chain.links[link.i].M_from_parent)), Level.FULL))
    tool = setting.mechanism.attachments[setting.mechanism.tool]
    last, tip = tool.link + 1, len(setting.links) + 1
    at_tip = pose_matrix(setting, tool.pose.inverse())
    shown.append(Shown(equation(between("T", tip, last), Inverse(between("M", last, tip)), at_tip), Level.FULL))
    return Step(
        "Each carrier seen from the link it carries",
        (
            "The home pose of the carrying link (the base is 0) in the frame of the link it carries. ",
            *(() if is_serial(setting) else (Symbol("p"), " is the link that carries link ", Symbol("i"), ". ")),
            f"Frame {tip} is the tip, {setting.mechanism.tool!r}.",
        ),
        tuple(shown),
        code="tool = mechanism.attachments[mechanism.tool].pose\n"
        "together(eq, *(link.M_from_parent for link in chain.links), tool.inverse())",
    )


def _inertias(setting: Setting, chain: ScrewChain) -> Step:
    r, m, tensor, identity = of_link("r", "i"), of_link("m", "i"), tensor_about_origin("i"), Symbol("E")
    moment = Product((m, Bracketed(r)))
    blocks = Matrix(((tensor, moment), (negated(moment), Product((m, identity)))))
    shown = [Shown(equation(of_link("G", "i"), blocks))]
    computed = []
    for link in setting.links:
        G = chain.links[link.i].G
        matrix = inertia_matrix(setting, G)
        lines, code = [equation(of_link("G", link.number), matrix)], f"chain.links[{link.i}].G"
        if width(setting, matrix) > WIDEST:
            lines, code = _blocks(setting, link.number, G), f"{code}.m, {code}.h, {code}.I.full()"
        shown += [Shown(line, Level.FULL) for line in lines]
        computed.append(f"    {code},\n")
    return Step(
        "Spatial inertias",
        (
            "The matrix that turns the twist of a link into its momentum: ", m, " is the mass, ", r, " the position of "
            "its centre in the link, ", tensor, " the inertia about the origin of the link's frame, ", Bracketed(r),
            " the matrix of the cross product, ", identity, " the identity.",
        ),
        tuple(shown),
        code=f"together(\n    eq,\n{''.join(computed)})",
    )  # fmt: skip


def _blocks(setting: Setting, n: int, G: Inertia) -> list[Equation]:
    """m_i, m_i r_i and I_{o,i}, from which the matrix is put together."""
    m = of_link("m", n)
    return [
        equation(m, setting.tree(G.m)),
        equation(Product((m, of_link("r", n))), setting.column(list(G.h))),
        equation(tensor_about_origin(n), setting.matrix([list(row) for row in G.I.full().rows()])),
    ]


def newton_euler(setting: Setting) -> tuple[Part, ...]:
    """Constants, motion outward, wrenches inward, M, c and g read off, the robot equation, and the proof."""
    exact = setting.eq.exact
    run = screw_recursion(exact.mechanism, exact.q, exact.qd, exact.qdd)
    rotors = me.rotor_forces(exact.mechanism, exact.qdd)
    forces = [a + b for a, b in zip(exact.mechanism.generalised_forces(run.tau), rotors, strict=True)]
    parts: list[Part | None] = [the_arm(setting), constants(setting)]
    if setting.dof < LARGE:
        parts += [outward(setting, run), inward(setting, run, forces), reading_off(setting), _matrix_form(setting)]
    else:
        parts += [*structure(setting, run), reading_off(setting)]
    parts += [losses(setting), agreement(setting, "Newton-Euler in screw form", forces)]
    return tuple(part for part in parts if part is not None)


def _matrix_form(setting: Setting) -> Part:
    """The robot equation without the Christoffel symbols, which this route does not need."""
    whole = robot_equation(setting)
    return Part(whole.title, whole.steps[:1])
