"""Throws broken mathematics at the reader of people's formulas: python bench/fuzz_reading.py [count] [seed].

No input may raise, take a second or run code: while the reader runs, eval, exec, __import__ and open are traps.
"""

from __future__ import annotations

import builtins
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from leverarm.notation.reading import Statement, Unreadable, read
from leverarm.notation.tree import Node, walk

LONGEST = 1.0
"""The longest processor time that one input may take [s]."""
TRAPS = ("eval", "exec", "compile", "__import__", "open")
EQUATIONS = (
    r"$$\tau_1 = (m_1 L_1^2 + 2m_2 (L_1 L_2 \cos \theta_2)) \ddot{\theta}_1 - m_2 L_1 \sin\theta_2 \dot\theta_2^2$$",
    r"$$M(q) = \begin{bmatrix} (m_1 + m_2)a_1^2 + 2m_2a_2\cos\theta_2 & m_2a_2 \\ 0 & m_2 \end{bmatrix} \quad (16)$$",
    r"\begin{align*} K_2 &= \frac{1}{2}m_2(\dot{x}_2^2 + \dot{y}_2^2) \\ &= \tfrac12 \left(a + b\right)^2 \end{align*}",
    r"$$\frac{d}{dt}\frac{\partial L}{\partial \dot{q}_k} - \frac{\partial L}{\partial q_k} = \tau_k, \quad k = 1$$",
    r"$$egin{cases} au_1 &= \mathfrak{m}_2 heta_2^2 \ddot{ heta}_1 \ au_2 &= rac{1}{2} (a + b" "\night) \\end{cases}$$",
    r"\[ \mathcal{L} = \underbrace{K}_{\text{kinetic}} - P \] and $w = J_{w}\dot q, \; \underline{v = J_v \dot q}$",
    "tau1 = m2*a1*(2*qd1*qd2 + qd2**2)*sin(q2)\n     + g*(m1 + m2)\nM = [[m1*L1^2, 0], [0, m2]]\nmap: a1 = L1, a2 = L2",
    "\u00bd m\u2081 L\u2081\u00b2 \u03b8\u0307\u2081\u00b2 + \u03c4\u2081 \u2212 \u2202L/\u2202q\u2081 = 0",
    r"$$S + S^{T} = \sum_{i=1}^{n} \left[ m_i J_i^T J_{v_i} \right], \text{ with } D_{ij} = \sqrt{x} \; \forall i$$",
    "d/dt(dL/dqd1) - dL/dq1 = tau1   (3)\nwhere theta1dd = q1'' and |x| = abs(x)",
    r"$$M = \begin{bmatrix} a & \ast \\ b & c \end{bmatrix}, \; N = [a, \cdot; b, c]$$ **x** = 1",
)
PROGRAMS = (
    "function tau = dyn(q, qd)\nM = zeros(2); % mass\nM(1,1) = m1*a1^2 + ...\n  I1;\nh = M(1,1);\n"
    "tau = qd'*M*qd + h\\q(1);",
    "def f(q):\n    q1, q2 = q\n    C = np.array([[q1, 0],\n                  [0, np.cos(q[1])]])\n"
    "    C[0, 1] += m1**2\n    for i in range(2):\n        M[i, i] = 1\n    return C @ q + self.g",
    ">>> Eq(tau1, Derivative(q1(t), (t, 2)))\n>>> M[0, 1]\nm1*a1**2\n>>> pprint(x)\n 2\na",
)
_PARTS = r"""
\frac \dot \ddot \theta \tau \sin \cos ^2 ^T ^{-1} _1 _{12} { } ( ) [ ] \left( \right) \left. \right] \begin{bmatrix}
\end{bmatrix} \begin{align} \end{align} \begin{cases} \\ & = + - * / \cdot \times \sum_{i=1}^{n} \partial
\mathcal{K} \mathbf \vec \text{and} \quad \, , ; . : | \| \{ \} \sqrt \underbrace \int \ldots \leq \Rightarrow
\ast .dot( @ += np. zeros( def def_f(x): return for if end ... deal( Eq( >>> M(1,2) M[0,1] ]['k'] .* ;
\tag{1} m g L q1 qdd1 3 0.5 1e3 ' '' d dt \foo \$ $ $$ \[ \] heta rac{1}{2} egin{aligned} ight) % ` ``` map: T ** \_ ~
"""
PARTS = (*_PARTS.split(), "\\ ", "\n", "\u03b8", "\u2081", "\u00b2", "\u00b7", "\u2212", "\u03a3", "\u2202")
STRAYS = ("\x00", "\ud800", "\udfff", *"\u0307\u0308\ufeff\u202e\b\f\t\n\u0663\u00b2", "\n\n", "\U0001d703")
NESTED = (
    *[("(", ")"), ("{", "}"), (r"\frac{", "}{2}"), (r"\sqrt{", "}"), (r"\left(", r"\right)"), ("[", "]"), ("|", "|")],
    *[("x^{", "}"), ("$", "$"), (r"\begin{bmatrix}", r"\end{bmatrix}"), (r"\text{", "}"), ("f(", ")"), ("[[1],", "]")],
)
_REPEATED = r"""
\dot ^ - _ \sin \sum_i d d/ \partial/ ' a, = \\ & \Rightarrow \quad 9 sin $a=b$ \[ \begin{align} \label{ \ heta_1
\frac12
"""
REPEATED = (
    *_REPEATED.split(),
    "\u0307",
    "m1 ",
    "x = 1\n",
    "```\n",
    "the x = y ",
    "map: a=b\n",
    "(x\n",
    "x = x + x;\n",
    "x += M(1,1)\n",
    "def f(x):\n",
    "    for [",
    ">>> x\n",
    "**x** ",
    "\\ ",
    " ",
    "\t",
    "\n\n",
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run saw: how many inputs, statements and refusals, and the slowest input."""

    inputs: int
    statements: int
    unreadable: int
    slowest: float
    slowest_input: str


def soup(chance: random.Random) -> str:
    """Pieces of LaTeX and plain text in any order."""
    joint = chance.choice(["", " ", " "])
    text = joint.join(chance.choice(PARTS) for _ in range(chance.randint(1, 60)))
    return f"$${text}$$" if chance.random() < 0.6 else f"x = {text}"


def noise(chance: random.Random) -> str:
    """Random bytes taken for text, and random characters of any kind."""
    if chance.random() < 0.5:
        return bytes(chance.randrange(256) for _ in range(chance.randint(0, 200))).decode("latin-1")
    return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(0, 60)))


def mutation(chance: random.Random) -> str:
    """A real equation with characters changed, lost, doubled, moved or cut off."""
    text = chance.choice((*EQUATIONS, *PROGRAMS))
    for _ in range(chance.randint(1, 6)):
        first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        last = min(last, first + chance.randint(0, 12))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:first] + text[last:]
        elif kind == 1:
            text = text[:last] + text[first:]
        elif kind == 2:
            text = text[:first] + chance.choice(PARTS) + text[first:]
        elif kind == 3:
            text = text[:first] + chance.choice(STRAYS) + text[first:]
        elif kind == 4:
            text = text[: max(1, last)]
        else:
            text = text[:first] + chr(chance.randrange(32, 127)) + text[first + 1 :]
        text = text or "="
    return text


def pathology(chance: random.Random) -> str:
    """Deep nesting, endless powers, huge numbers, long texts."""
    unit, closing = chance.choice([*NESTED, *((part, "") for part in REPEATED)])
    many = chance.choice([3, 30, 61, 300, 300, 3000, 30_000, 300_000 // len(unit)])
    text = unit * many + "x" + closing * many
    return chance.choice([f"$${text} = y$$", f"y = {text}", text])


KINDS: tuple[tuple[float, Callable[[random.Random], str]], ...] = (
    *((0.45, mutation), (0.35, soup)),
    *((0.17, noise), (0.03, pathology)),
)


def inputs(count: int, seed: int) -> Iterator[str]:
    """Inputs in a repeatable order, all kinds mixed."""
    chance = random.Random(seed)
    weights, kinds = zip(*KINDS, strict=True)
    for _ in range(count):
        yield chance.choices(kinds, weights)[0](chance)


@contextmanager
def trapped() -> Iterator[None]:
    """While it lasts, whatever would run code or open a file raises."""
    kept = {name: getattr(builtins, name) for name in TRAPS}

    def trap(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("the reader ran code, imported or opened a file")

    for name in TRAPS:
        setattr(builtins, name, trap)
    try:
        yield
    finally:
        for name, original in kept.items():
            setattr(builtins, name, original)


def run(count: int, seed: int, longest: float = math.inf) -> Tally:
    """Reads many inputs. Raises AssertionError for one that raises, gets a place outside the text, or takes too long:
    more than `longest` of processor time [s]."""
    statements = unreadable = 0
    slowest, slowest_input = 0.0, ""
    for text in inputs(count, seed):
        start = time.process_time()
        try:
            with trapped():
                found = read(text)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {text[:2000]!r}") from error
        seconds = time.process_time() - start
        if seconds > slowest:
            slowest, slowest_input = seconds, text
        assert seconds < longest, f"{seconds:.2f} s for {text[:2000]!r}"
        for item in found:
            assert well_placed(item, len(text)), f"a place outside the text: {item!r} for {text[:2000]!r}"
            statements += isinstance(item, Statement)
            unreadable += isinstance(item, Unreadable)
    return Tally(count, statements, unreadable, slowest, slowest_input)


def well_placed(item: Node, length: int) -> bool:
    """Whether every part lies inside the text, and the place of a refusal too."""
    inside = all(0 <= part.span[0] <= part.span[1] <= length for part in walk(item))
    return inside and (not isinstance(item, Unreadable) or (0 <= item.at <= length and bool(item.why)))


def main() -> None:
    """Prints the totals and the slowest input."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    start = time.perf_counter()
    tally = run(count, seed, LONGEST)
    seconds = time.perf_counter() - start
    print(f"{tally.inputs} inputs in {seconds:.0f} s: {tally.statements} statements, {tally.unreadable} refusals")
    print(f"slowest {tally.slowest * 1e3:.0f} ms: {len(tally.slowest_input)} characters, {tally.slowest_input[:60]!r}")


if __name__ == "__main__":
    main()
