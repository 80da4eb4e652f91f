"""The algorithm in symbols: the same lines for every link, with an index."""

from __future__ import annotations

from leverarm.derivation.document import Level, Shown, Step, Words
from leverarm.derivation.newton_euler.letters import (
    Ad,
    Index,
    ad,
    backwards,
    between,
    each_link,
    is_serial,
    of_link,
    pulled_back,
)
from leverarm.derivation.setting import LARGE, Setting, equation
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
