"""The Newton-Euler route in screw form: constants of the links, then the recursion; for large arms only its sizes."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.equations_of_motion import agreement, losses, matrix_form_alone
from leverarm.derivation.formulas import brief, full, times
from leverarm.derivation.newton_euler.reading_off import pushed, reading_off
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
from leverarm.derivation.notebook_cells import entries
from leverarm.derivation.setting import LARGE, Setting, force_at_joint, term_count, width
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Section, Shown, Table, sentence
from leverarm.mechanics.screw_form import ScrewChain, ScrewRecursion, screw_recursion
from leverarm.notation.tree import Bracketed, Inverse, Matrix, Symbol, negated
from leverarm.spatial import Inertia


def structure(setting: Setting, run: ScrewRecursion) -> tuple[Section, ...]:
    """The recursion in symbols, both ways, and a table of sizes."""
    head = ("link", of_link("V", "i"), of_link("V", "i", 1), of_link("F", "i"), force_at_joint(setting, "i"))
    rows = []
    for link in setting.links:
        i = link.i
        values = (*(entries(vector) for vector in (run.V[i], run.V_dot[i], run.F[i])), [run.tau[i]])
        rows.append((str(link.number), *(str(term_count(x)) for x in values)))
    counts = step(
        "Sizes",
        (
            "Written out, these formulas fill pages. This is the number of their terms when multiplied out. Outward, "
            "each link adds the motion of its joint; inward, each wrench contains all links farther out.",
        ),
        (),
        (Table(head, tuple(rows), "Number of terms, multiplied out."),),
        code="[\n"
        "    [eq.formulas(x).terms for x in ([*V.angular, *V.linear], [*V_dot.angular, *V_dot.linear],"
        " [*F.moment, *F.force], [tau])]\n"
        "    for V, V_dot, F, tau in zip(run.V, run.V_dot, run.F, run.tau)\n"
        "]",
    )
    return (
        chapter("Outward: velocities and accelerations", (outward_recursion(setting), matrices_of_twists())),
        chapter("Inward: forces", (inward_recursion(setting), counts)),
    )


WIDEST = 60
"""A 6 x 6 inertia matrix wider than this, in characters, is shown by its blocks."""

SETUP = """mechanism, q, qd, qdd = eq.exact.mechanism, eq.exact.q, eq.exact.qd, eq.exact.qdd
chain = la.mechanics.screw_chain(mechanism)
{run}
still = [0] * len(qd)
units = [[int(k == j) for k in range(len(qd))] for j in range(len(qd))]


def tau(qd, qdd, gravity):
    links = la.mechanics.screw_inverse_dynamics(mechanism, q, qd, qdd, gravity=gravity)
    return [a + b for a, b in zip(links, la.mechanics.rotor_forces(mechanism, qdd))]"""
"""What the cells of this route compute with: the recursion run once, and as a function."""
RUNS = {
    "free": "run = la.mechanics.screw_recursion(mechanism, q, qd, qdd)",
    "wrench": "from leverarm.spatial import Force, Vec3\n\n"
    "tip = (mechanism.tool, Force(Vec3(*eq.wrench.values[:3]), Vec3(*eq.wrench.values[3:])))\n"
    "run = la.mechanics.screw_recursion(mechanism, q, qd, qdd, tip)",
}


def setup(setting: Setting) -> str:
    """Python for what the cells of this route compute with."""
    return SETUP.replace("{run}", RUNS[setting.tip])


def constants(setting: Setting) -> Section:
    """M_{0,i}, S_i, A_i, M_{i,parent}, G_i and T_{n+1,n}."""
    chain = me.screw_chain(setting.mechanism)
    steps = (_home(setting, chain), _screws(setting, chain), _relative(setting, chain), _inertias(setting, chain))
    return chapter("Constants", steps)


def _home(setting: Setting, chain: ScrewChain) -> Section:
    return step(
        "Home poses",
        sentence(
            "{M0i} is the pose of the frame of link {i}, located at its joint, with all joint variables zero. {M} with "
            "two indices is a home pose, {M} alone the mass matrix.",
            M0i=between("M", 0, "i"), i=Symbol("i"), M=Symbol("M"),
        ),
        tuple(full(between("M", 0, link.number), pose_matrix(setting, chain.home[link.i])) for link in setting.links),
        code="together(eq, *chain.home[:-1])",
    )  # fmt: skip


def _screws(setting: Setting, chain: ScrewChain) -> Section:
    shown = [full(of_link("S", link.number), six(setting, chain.screws[link.i])) for link in setting.links]
    shown.append(brief(of_link("A", "i"), times(Ad(Inverse(between("M", 0, "i"))), of_link("S", "i"))))
    shown += [brief(of_link("A", link.number), six(setting, chain.links[link.i].A)) for link in setting.links]
    return step(
        "Screws of the joints",
        sentence(
            "The screw of a joint is its twist at unit velocity, angular part first: {S} in the world frame at home, "
            "{A} in the frame of its link, where it is constant. {Ad} expresses a twist in another frame.",
            S=of_link("S", "i"), A=of_link("A", "i"), Ad=Ad(Symbol("T")),
        ),
        tuple(shown),
        code="together(\n"
        "    eq,\n"
        "    *chain.screws,\n"
        "    *(M.inverse().motion_into_parent(S) for M, S in zip(chain.home, chain.screws)),\n"
        ")",
    )  # fmt: skip


def _relative(setting: Setting, chain: ScrewChain) -> Section:
    parent = "i-1" if is_serial(setting) else "p"
    shown = [brief(between("M", "i", parent), times(Inverse(between("M", 0, "i")), between("M", 0, parent)))]
    for link in setting.links:
        name = between("M", link.number, parent_number(setting, link.i))
        shown.append(full(name, pose_matrix(setting, chain.links[link.i].M_from_parent)))
    tool = setting.mechanism.attachments[setting.mechanism.tool]
    last, tip = tool.link + 1, len(setting.links) + 1
    at_tip = pose_matrix(setting, tool.pose.inverse())
    shown.append(full(between("T", tip, last), Inverse(between("M", last, tip)), at_tip))
    return step(
        "Home poses of the parents",
        (
            "The home pose of the parent of each link (the base is 0), in the frame of the link. ",
            *(() if is_serial(setting) else sentence("{p} is the parent of link {i}. ", p=Symbol("p"), i=Symbol("i"))),
            f"Frame {tip} is the tip, {setting.mechanism.tool!r}.",
        ),
        tuple(shown),
        code="tool = mechanism.attachments[mechanism.tool].pose\n"
        "together(eq, *(link.M_from_parent for link in chain.links), tool.inverse())",
    )


def _inertias(setting: Setting, chain: ScrewChain) -> Section:
    r, m, tensor, identity = of_link("r", "i"), of_link("m", "i"), tensor_about_origin("i"), Symbol("E")
    moment = times(m, Bracketed(r))
    shown = [brief(of_link("G", "i"), Matrix(((tensor, moment), (negated(moment), times(m, identity)))))]
    computed = []
    for link in setting.links:
        G = chain.links[link.i].G
        matrix = inertia_matrix(setting, G)
        lines, code = [full(of_link("G", link.number), matrix)], f"chain.links[{link.i}].G"
        if width(setting, matrix) > WIDEST:
            lines, code = _blocks(setting, link.number, G), f"{code}.m, {code}.h, {code}.I.full()"
        shown += lines
        computed.append(f"    {code},\n")
    return step(
        "Spatial inertias",
        sentence(
            "The spatial inertia {G} maps the twist of a link to its momentum. {m} is the mass, {r} the centre of mass "
            "in the link frame, {I} the inertia about the origin of that frame, {cross} a cross-product matrix, {E} "
            "the identity.",
            G=of_link("G", "i"), m=m, r=r, I=tensor, cross=Bracketed(r), E=identity,
        ),
        tuple(shown),
        code=f"together(\n    eq,\n{''.join(computed)})",
    )  # fmt: skip


def _blocks(setting: Setting, n: int, G: Inertia) -> list[Shown]:
    """m_i, m_i r_i and I_{o,i}, of which the matrix consists."""
    m = of_link("m", n)
    return [
        full(m, setting.tree(G.m)),
        full(times(m, of_link("r", n)), setting.column(list(G.h))),
        full(tensor_about_origin(n), setting.matrix(entries(G.I.full()))),
    ]


def newton_euler(setting: Setting) -> tuple[Section, ...]:
    """Constants, motion outward, wrenches inward, M, c and g from the recursion, the equations of motion, the proof."""
    exact = setting.eq.exact
    run = screw_recursion(exact.mechanism, exact.q, exact.qd, exact.qdd, setting.tip_wrench)
    rotors = me.rotor_forces(exact.mechanism, exact.qdd)
    forces = [a + b for a, b in zip(exact.mechanism.generalised_forces(run.tau), rotors, strict=True)]
    forces = me.plus_springs(exact.mechanism, exact.q, forces)
    parts: list[Section | None] = [the_arm(setting), constants(setting)]
    if setting.dof < LARGE:
        parts += [outward(setting, run), inward(setting, run, forces), reading_off(setting), matrix_form_alone(setting)]
    else:
        parts += [*structure(setting, run), reading_off(setting)]
    free = [a - b for a, b in zip(forces, pushed(setting), strict=True)]
    parts += [losses(setting), agreement(setting, "Newton-Euler in screw form", free)]
    return tuple(part for part in parts if part is not None)
