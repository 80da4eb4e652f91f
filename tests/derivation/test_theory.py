"""The theory is written only where it is proven, in every form, and its cells run."""

from __future__ import annotations

import json
import re
from itertools import combinations_with_replacement

import pytest
from click import ClickException

import leverarm as la
from leverarm.cli import cli
from leverarm.derivation.theory import integrals, proofs
from leverarm.derivation.theory.general_equations import AnyArm
from leverarm.derivation.theory.proofs import ProofError, letter, proven, rotation, vector
from leverarm.derivation.theory.topics import TOPICS
from leverarm.documents.document import Verdict
from leverarm.errors import InputError
from leverarm.scalars.exact import partial, substitute
from leverarm.spatial import IDENTITY, skew

ENDINGS = (".html", ".md", ".tex", ".ipynb", ".txt")


@pytest.mark.parametrize("topic", TOPICS)
def test_chapters_are_proven(topic):
    steps = list(la.theory(topic))
    verdicts = [block for step in steps for block in step.blocks if isinstance(block, Verdict)]
    assert len(steps) >= 5 and len(verdicts) >= len(steps) - 2
    assert all(verdict.tone == "good" for verdict in verdicts)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_command_writes_every_form(topic, ending, tmp_path):
    path = tmp_path / f"page{ending}"
    cli.main(["theory", topic, "-o", str(path)], standalone_mode=False)
    assert la.theory(topic).title in path.read_text(encoding="utf-8")


SHOWN = {
    "rod": lambda: la.inertia.integrals("rho0*(2 - z)", la.inertia.solid("rod", length=(0, 1))),
    "box": lambda: la.inertia.integrals("rho0*(2 - z)", la.inertia.solid("box", z=(0, "c"))),
} | {topic: lambda topic=topic: la.theory(topic) for topic in TOPICS}


@pytest.mark.parametrize("topic", SHOWN)
def test_cells_run_after_the_first(topic, tmp_path):
    path = tmp_path / "page.ipynb"
    SHOWN[topic]().save(path)
    cells = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    first, *others = ["".join(cell["source"]) for cell in cells]
    names: dict[str, object] = {}
    exec(first, names)
    assert len(others) >= 3
    for cell in others:
        exec(cell, dict(names))


@pytest.mark.parametrize("topic", SHOWN)
def test_no_letter_of_the_latex_has_two_indices_below(topic, tmp_path):
    path = tmp_path / "page.tex"
    SHOWN[topic]().save(path)
    assert re.findall(r"_(?:\w|\{[^{}]*\})_", path.read_text(encoding="utf-8")) == []


def test_what_is_false_is_not_written():
    A, a = rotation(), vector("a")
    assert proven("R R^T = 1", A * A.transposed() - IDENTITY) == ("R R^T = 1",)
    with pytest.raises(ProofError, match="is not zero"):
        proven("R = 1", A - IDENTITY)
    with pytest.raises(ProofError):
        proven("S(R a) = S(a)", skew(A @ a) - skew(a))
    with pytest.raises(ProofError):
        proven("symmetric", proofs.tensor("I"))


def test_integrals_over_the_mass_are_linear_in_ten_letters():
    x, y = letter("x"), letter("y")
    found = integrals.integrated_over_mass(3 * x * x + 2 * x * y - 5 * y + 7)
    assert found == 3 * letter("Qxx") + 2 * letter("Qxy") - 5 * letter("hy") + 7 * letter("m")


def test_an_unknown_topic_names_those_there_are():
    with pytest.raises(InputError, match="rigid-body"):
        la.theory("nothing")


def test_the_rigid_body_says_what_the_lecture_says():
    text = la.theory("rigid-body").text(width=100)
    for line in ("S + Sᵀ = 0", "= R S(Ω)", "ω₂⁰ = ω₁⁰ + R₁⁰ ω₂¹", "K = ½ m v_cᵀ v_c + ½ ωᵀ I_c ω",
                 "v = v_o + ω × R p¹", "I_base = ∫", "Ixx + Iyy ≥ Izz"):  # fmt: skip
        assert line in text


def test_general_equations_say_what_the_lecture_says():
    text = la.theory("equations-of-motion").text(width=100)
    for line in ("τₖ = Σⱼ dₖⱼ q̈ⱼ + Σᵢ,ⱼ cᵢⱼₖ q̇ᵢ q̇ⱼ + φₖ", "cᵢⱼₖ = ½ (∂dₖⱼ/∂qᵢ + ∂dₖᵢ/∂qⱼ − ∂dᵢⱼ/∂qₖ)", "φₖ = ∂P/∂qₖ",
                 "∂M₁₁/∂θ₂ = 2 m₂ θ₂", "m a_g = −∂P/∂r", "g₁ = (m₁ L₁ + m₂ θ₂) g cos(θ₁)"):  # fmt: skip
        assert line in text


@pytest.mark.parametrize("name", ["elbow", "rp", "scara"])
def test_letters_for_any_arm_become_an_arm(name):
    """The general equation with the arm's own entries and slopes is its Lagrange equation."""
    eq = la.equations(la.load(name))
    names, n = eq.exact.coordinates, len(eq.exact.coordinates)
    general = AnyArm(n)
    values = {f"phi{k + 1}": eq.g.values[k] for k in range(n)}
    for i, j in combinations_with_replacement(range(n), 2):
        values[f"d{i + 1}_{j + 1}"] = eq.M.values[i][j]
        values |= {f"d{i + 1}_{j + 1}_by_{k + 1}": partial(eq.M.values[i][j], names[k]) for k in range(n)}
    for k in range(n):
        values |= {f"q{k + 1}.d": eq.exact.qd[k], f"q{k + 1}.dd": eq.exact.qdd[k]}
    for k in range(n):
        assert substitute(general.in_indices(k + 1), values) == eq.euler_lagrange.values[k]
        assert substitute(general.christoffel(1, 2, k + 1), values) == eq.christoffel.values[k][0][1]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_command_writes_integrals_in_every_form(ending, tmp_path):
    path = tmp_path / f"page{ending}"
    words = ["inertia", "box", "x=0:L", "--density", "rho0*(1 + x/L)", "--set", "rho0=1", "--set", "L=2"]
    cli.main([*words, "--set", "b=1", "--set", "c=1", "-o", str(path)], standalone_mode=False)
    assert "Inertia of a box by integration" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cylinder", "radius"], "'radius' is no NAME=VALUE"),
        (["cylinder", "--set", "R="], "'R=' is no NAME=VALUE"),
        (["cylinder", "--set", "R=L"], "a number is needed"),
        (["cylinder", "--level", "deep"], "no level named 'deep'"),
        (["cylinder", "-o", "x.pdf"], "x.pdf"),
    ],
)
def test_mistakes_on_the_command_line_are_named(words, message):
    with pytest.raises(ClickException, match=message):
        cli.main(["inertia", *words], standalone_mode=False)
