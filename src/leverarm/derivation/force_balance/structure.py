"""Large arms of point masses: the formulas in symbols and how many terms each quantity has."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.document import Part, Shown, Step, Table
from leverarm.derivation.force_balance.joints import joint_balance
from leverarm.derivation.force_balance.letters import GRAVITY, of, share_letter
from leverarm.derivation.force_balance.masses import Mass
from leverarm.derivation.setting import Setting, equation
from leverarm.derivation.sizes import term_count
from leverarm.notation.tree import Indexed, Product, Sum, Symbol, negated
from leverarm.scalars import Scalar


def structure(setting: Setting, masses: list[Mass], forces: Sequence[Scalar]) -> list[Part]:
    """F_i = m_i (a_i - a_g), the balance at the joints, and two tables of sizes."""
    F, m, p = of(share_letter(setting), "i"), of("m", "i"), of("p", "i")
    acceleration = Indexed(Symbol("p", 2), "i")
    law = Step(
        "Newton's law",
        ("The arm supplies what a mass needs for its acceleration, less its weight.",),
        (Shown(equation(F, Product((m, Sum((acceleration, negated(GRAVITY))))))),),
        code="from leverarm.derivation.force_balance import forces_by_balance, point_masses\n"
        "from leverarm.derivation.together import together\n\n"
        "masses = point_masses(eq)\n"
        "together(eq, (masses[0].a - eq.exact.mechanism.gravity) * masses[0].m)",
    )
    rows = tuple((str(mass.number), *map(str, map(term_count, (mass.p, mass.v, mass.a)))) for mass in masses)
    sizes = Step(
        "Sizes",
        ("Written out, these formulas fill pages. This is how many terms they have when expanded.",),
        (),
        (
            Table(("mass", p, Indexed(Symbol("p", 1), "i"), acceleration), rows, "Number of terms, expanded."),
            Table(
                ("force", "terms"),
                tuple((name, str(term_count([x]))) for name, x in zip(setting.forces, forces, strict=True)),
            ),
        ),
        code="of_masses = [[eq.formulas(list(x)).terms for x in (mass.p, mass.v, mass.a)] for mass in masses]\n"
        "of_masses, [eq.formula(x).terms for x in forces_by_balance(eq)]",
    )
    return [Part("Forces on the masses", (law,)), Part("Forces of the joints", (joint_balance(setting), sizes))]
