"""`leverarm lagrange`: what it prints, writes and refuses."""

from __future__ import annotations

import pytest

from tests.cli.test_derive import mistake, run

CART = (
    "lagrange", "1/2 M xd^2 + 1/2 m (ud^2 + wd^2) - m g w", "--coordinates", "x,theta", "--let", "u=x + l sin(theta)",
    "--let", "w = l cos(theta)", "--force", "x=F - b xd", "--name", "cart-pole",
)  # fmt: skip
NUMBERS = ("--set", "M=2", "--set", "m=1", "--set", "l=1", "--set", "g=9.81", "--set", "b=0.1")


def test_it_prints_the_derivation():
    text = run(*CART).stdout
    assert "cart-pole: Lagrange's equations" in text and "From least action" in text
    assert "Γ₁₂₂ = −m l sin(θ)" in text and "θ = π" in text
    assert "Γ" not in run(*CART, "--level", "brief").stdout


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".ipynb", ".txt", ".c"])
def test_it_writes_every_form(ending, tmp_path):
    path = tmp_path / f"cart{ending}"
    assert run(*CART, "-o", str(path)).stdout == f"wrote {path}: cart-pole\n"
    assert path.stat().st_size > 1000


def test_it_simulates(tmp_path):
    path = tmp_path / "run.csv"
    text = run(*CART, *NUMBERS, "--q0", "0,10deg", "--until", "2", "-o", str(path)).stdout
    assert text.startswith(f"wrote {path}: 1001 rows\nat t = 2: x = ")
    assert "  forces: -" in text and "of what was exchanged" in text
    assert path.read_text().splitlines()[0].startswith("t,x,theta,")


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (("--q0", "0,0"), "--q0 is for a motion. Give --until SECONDS as well."),
        (("--until", "1"), "no number was given for M, m, g, l, b"),
        (("--until", "soon", *NUMBERS), "--until: "),
        (("--set", "mass=1"), "no constant named 'mass'"),
        (("--level", "all"), "there is no level named 'all'"),
        (("-o", "cart.pdf"), "names no document"),
        (("--until", "1", *NUMBERS, "--q0", "1"), "it takes 2 finite numbers (x, theta)"),
    ],
)
def test_mistakes_are_one_line(more, problem):
    assert problem in mistake(*CART, *more)
