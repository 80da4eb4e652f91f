"""What people write is read as they mean it, with the right place for every part."""

from __future__ import annotations

import inspect
from fractions import Fraction

import pytest

from leverarm.notation.reading import Mapping, Statement, Unreadable, read
from leverarm.notation.reading import tokens as limits_of_reading
from leverarm.notation.tree import (
    Between,
    Call,
    Inverse,
    Matrix,
    Name,
    Negative,
    Number,
    Of,
    PartialDerivative,
    Power,
    Product,
    Ratio,
    Sum,
    TimeDerivative,
    Total,
    Transposed,
    replaced,
    walk,
)


def spelled(node):
    """A tree in one line, so that a whole reading is compared at once."""
    if isinstance(node, Number):
        return str(node.value)
    if isinstance(node, Name):
        marks = f"_{node.lower}" * bool(node.lower) + f"^{node.upper}" * bool(node.upper) + "'" * node.dots
        return node.letter + marks + f"<{node.style}>" * bool(node.style)
    if isinstance(node, Sum):
        return "(" + " + ".join(map(spelled, node.terms)) + ")"
    if isinstance(node, Product):
        return "[" + " ".join(map(spelled, node.factors)) + "]"
    if isinstance(node, Matrix):
        return "{" + "; ".join(", ".join(map(spelled, row)) for row in node.rows) + "}"
    if isinstance(node, Of):
        return f"{spelled(node.head)}@({', '.join(map(spelled, node.arguments))})"
    if isinstance(node, Total):
        index = ",".join(map(spelled, node.index))
        ends = "..".join(spelled(end) if end else "" for end in (node.first, node.last))
        return f"sum[{index}={ends}]({spelled(node.of)})"
    forms = {
        Negative: lambda: f"-{spelled(node.of)}",
        Ratio: lambda: f"({spelled(node.above)} / {spelled(node.below)})",
        Power: lambda: f"{spelled(node.base)}^{node.exponent}",
        Call: lambda: f"{node.function}({spelled(node.argument)})",
        Transposed: lambda: f"{spelled(node.of)}^T",
        Inverse: lambda: f"{spelled(node.of)}^-1",
        Between: lambda: f"<{spelled(node.left)} {node.sign} {spelled(node.right)}>",
        PartialDerivative: lambda: f"D({spelled(node.of)}, {spelled(node.by)})",
        TimeDerivative: lambda: f"Dt{node.order}({spelled(node.of)})",
        Statement: lambda: " = ".join(map(spelled, node.sides)),
    }
    return forms[type(node)]()


def formula(text):
    """What one formula is read as, behind "Z =", in LaTeX where it has a backslash and in plain text else."""
    (item,) = read("Z = " + text)
    assert isinstance(item, Statement), item
    return spelled(item).removeprefix("Z = ")


def statements(text):
    found = read(text)
    assert all(isinstance(item, Statement) for item in found), found
    return [spelled(item) for item in found]


READINGS = {
    # dots
    r"\ddot\theta_1": "theta_1''",
    r"\ddot{\theta}_1": "theta_1''",
    r"\dot{\theta_1}": "theta_1'",
    r"\dot\theta_1^2": "theta_1'^2",
    r"\dot{q}^T M \dot q": "[q'^T M q']",
    "q1''": "q_1''",
    "q_1''": "q_1''",
    "qdd1": "qdd_1",
    "theta1dd": "thetadd_1",
    "thetadd1": "thetadd_1",
    "dq1": "dq_1",
    "ddq1": "ddq_1",
    "theta1_dot": "theta_1'",
    "q_dot_1": "q_1'",
    "ddot theta_1": "theta_1''",
    "θ̇₁": "theta_1'",
    "ẍ₂": "x_2''",
    r"\dot{M}(q)": "M'@(q)",
    r"\dot{(a b)}": "Dt1([a b])",
    # letters and words
    r"gm_1h_1\,x": "[gm_1 h_1 x]",
    r"mgr\cos\theta": "[m g r cos(theta)]",
    "m2 a1": "[m_2 a_1]",
    "m2a2": "[m_2 a_2]",
    "m_1L_1^2": "[m_1 L_1^2]",
    "c12": "c_12",
    r"c_{12}\,s_2": "[c_12 s_2]",
    r"L_{c_1}": "L_c1",
    r"\ell_{c1}": "ell_c1",
    r"I_{zz1}": "I_zz1",
    r"J_{\boldsymbol{v}_{c1}}": "J_vc1",
    r"\mathcal{I}_{\text{eq}}": "I_eq<mathcal>",
    r"\mathfrak{m}_2\vec{q}": "[m_2<mathfrak> q<vec>]",
    r"R_1^0 \omega_2^1": "[R_1^0 omega_2^1]",
    r"T_{i,i-1}": "T_ii-1",
    # functions
    r"\cos(\theta_1+\theta_2)": "cos((theta_1 + theta_2))",
    r"\cos\theta_1\dot\theta_2": "[cos(theta_1) theta_2']",
    r"\sin^2\theta_1": "sin(theta_1)^2",
    r"\sin{\theta}_1": "sin(theta_1)",
    r"\sin 2\theta_2 \cos 3(a+b)": "[sin([2 theta_2]) cos([3 (a + b)])]",
    r"\sin\theta_1^2": "sin(theta_1)^2",
    r"\sin\theta_1 (a+b)": "[sin(theta_1) (a + b)]",
    "cos(2 q2)": "cos([2 q_2])",
    "sin^2(q1)": "sin(q_1)^2",
    "np.sin(q1)**2": "sin(q_1)^2",
    "sqrt(x^2 + y^2)": "sqrt((x^2 + y^2))",
    "|x| + 1": "(abs(x) + 1)",
    r"K_d \operatorname{sgn}(\dot{q})": "[K_d sgn(q')]",
    # products and quotients
    r"\tfrac12 x": "[(1 / 2) x]",
    "1/2 m v^2": "[(1 / 2) m v^2]",
    "a/b*c": "[(a / b) c]",
    "½ m": "[1/2 m]",
    "0.25 m": "[1/4 m]",
    r"\left( a+b\right)^2 \{c-d\}": "[(a + b)^2 (c + -d)]",
    r"\bigl[ a - b \bigr] c\,\alpha": "[(a + -b) c alpha]",
    "m1*-x": "[m_1 -x]",
    "a - -b": "(a + b)",
    "τ₁ − θ₁² · x": "(tau_1 + -[theta_1^2 x])",
    r"\omega \times p": "<omega cross p>",
    r"2 \times 3": "[2 3]",
    r"\tau \cdot \omega": "[tau omega]",
    r"\vec a \cdot \vec b": "<a<vec> dot b<vec>>",
    r"g(m_1 + m_2)L_1\,x": "[g@((m_1 + m_2)) L_1 x]",
    r"g(m_1 + m_2)^2\,x": "[g (m_1 + m_2)^2 x]",
    r"J(q)^T J(q)\,x": "[J@(q)^T J@(q) x]",
    r"M^{-1}(\theta)(\tau - h)": "[M^-1@(theta) (tau + -h)]",
    # matrices
    r"\begin{bmatrix}a & b\\c & d\end{bmatrix}^\top": "{a, b; c, d}^T",
    r"\left[\begin{array}{cc} a & b \\[2pt] c & d \end{array}\right]": "{a, b; c, d}",
    "[[a, b], [c, d]]": "{a, b; c, d}",
    "[a, b; c, d]": "{a, b; c, d}",
    "[m1*a + I1  0; 0  m2]": "{([m_1 a] + I_1), 0; 0, m_2}",
    r"[\theta_1 \ \theta_2]^T": "{theta_1, theta_2}^T",
    "(a, b)": "{a; b}",
    "diag(a, b)": "{a, 0; 0, b}",
    "qd.T @ M @ inv(A)": "[qd^T M A^-1]",
    r"A^{-T} B^{-1} x^{-2}": "[A^-1^T B^-1 x^-2]",
    # marks for the entry on the other side of the diagonal
    r"\begin{bmatrix} a & \ast \\ b & c \end{bmatrix}": "{a, b^T; b, c}",
    r"\begin{bmatrix} a & b \\ * & c \end{bmatrix}": "{a, b; b^T, c}",
    r"\begin{bmatrix} a & b & d \\ \cdot & c & \star \\ \text{(sym.)} & e & f \end{bmatrix}": "{a, b, d; b^T, c, e^T; d^T, e, f}",
    r"\begin{pmatrix} a & b \\ \mathrm{symm} & c \end{pmatrix}": "{a, b; b^T, c}",
    r"\left[\begin{smallmatrix} a & b \\ \bullet & c \end{smallmatrix}\right]": "{a, b; b^T, c}",
    "[a, b; *, c]": "{a, b; b^T, c}",
    "[[a, sym], [b, c]]": "{a, b^T; b, c}",
    "[a, b; \u00b7, c]": "{a, b; b^T, c}",
    r"[a\,b,\; c,~d]^T": "{[a b], c, d}^T",
    # derivatives and sums
    r"\frac{d}{dt}\left(\frac{\partial L}{\partial \dot\theta_1}\right)": "Dt1(D(L, theta_1'))",
    r"\frac{d}{dt} \frac{\partial L}{\partial \dot{q}_k} - x": "(Dt1(D(L, q_k')) + -x)",
    r"\frac{\partial}{\partial \theta_1}( a+b ) c": "[D((a + b), theta_1) c]",
    r"\frac{\partial^2 L}{\partial q_i\partial q_j}": "D(D(L, q_j), q_i)",
    r"\frac{\mathrm{d}^2 x}{\mathrm{d}t^2}": "Dt2(x)",
    r"\frac{d_1}{d_2}": "(d_1 / d_2)",
    "dL/dq1": "D(L, q_1)",
    "d1/d2": "(d_1 / d_2)",
    "d/dt(dL/dqd1) - dL/dq1": "(Dt1(D(L, qd_1)) + -D(L, q_1))",
    "d(dL/dqd1)/dt": "Dt1(D(L, qd_1))",
    "∂L/∂q₁": "D(L, q_1)",
    r"\sum_{i=1}^{n} m_i g + 1": "(sum[i=1..n]([m_i g]) + 1)",
    r"\sum_{i=1}^{n} m_i + \alpha I_i": "sum[i=1..n]((m_i + [alpha I_i]))",
    r"\sum_{i,j} d_{ij}\dot q_i \dot q_j": "sum[i,j=..]([d_ij q_i' q_j'])",
    r"\underbrace{a + b}_{c(d)} + e": "((a + b) + e)",
    r"{}\tau{} + x": "(tau + x)",
}


@pytest.mark.parametrize("text", READINGS)
def test_formulas_are_read_as_they_are_meant(text):
    assert formula(text) == READINGS[text]


def test_numbers_are_exact():
    (item,) = read("x = 0.1 + 1.5e-3")
    assert [part.value for part in walk(item) if isinstance(part, Number)] == [Fraction(1, 10), Fraction(3, 2000)]


PLACES = {
    "y = a_1^2 (b+c)^2 / (d+e)": ["a_1^2", "a_1", "(b+c)^2 / (d+e)", "(b+c)^2", "b+c", "d+e"],
    r"$y = \boldsymbol{\omega}_i^2 \sin\theta_1^2$": [
        r"\boldsymbol{\omega}_i^2",
        r"\boldsymbol{\omega}_i",
        r"\sin\theta_1^2",
        r"\sin\theta_1",
    ],
    r"$y = -2\dot{\theta}_1 M(q)$": [r"-2\dot{\theta}_1 M(q)", r"2\dot{\theta}_1 M(q)", r"\dot{\theta}_1", "M(q)"],
    r"$y = rac{1}{ heta_2^2}$": ["rac{1}{ heta_2^2}", "heta_2^2", "heta_2"],
    "y = theta1dd + qd1": ["theta1dd + qd1", "theta1dd", "qd1"],
    "y = θ̇₁² − ½": ["θ̇₁²", "θ̇₁", "− ½", "½"],
    "y = dL/dqd1": ["dL/dqd1", "L", "qd1"],
    "y = \\frac12 x": ["\\frac12 x", "\\frac12", "1", "2"],
}


@pytest.mark.parametrize("text", PLACES)
def test_every_part_knows_its_place(text):
    (item,) = read(text)
    written = [text[part.span[0] : part.span[1]] for part in walk(item)]
    assert [piece for piece in PLACES[text] if piece not in written] == []
    for part in walk(item):
        assert item.span[0] <= part.span[0] < part.span[1] <= item.span[1]


def test_a_part_can_be_exchanged_and_found_by_its_place():
    (item,) = read(r"\tau_1 = m_1 L_2^2 \ddot\theta_1")
    (wrong,) = [part for part in walk(item) if isinstance(part, Name) and part.letter == "L"]
    right = replaced(item, wrong, Name("L", "1", span=wrong.span))
    assert spelled(right) == "tau_1 = [m_1 L_1^2 theta_1'']"


def test_chains_and_continued_rows_are_one_statement():
    assert statements(r"$$\begin{aligned} L = K - P &= K_1 \\ &\quad + K_2 - P \\ &= 3 \end{aligned} \quad (12)$$") == [
        "L = (K + -P) = (K_1 + K_2 + -P) = 3"
    ]
    assert statements("$$\\Lambda = A$$\n\n$$= B$$") == ["Lambda = A = B"]
    assert statements(r"$$x = \left( a \right. \\ \left. + b \right), \\ y = c$$") == ["x = (a + b)", "y = c"]


def test_rows_columns_commas_and_words_part_statements():
    assert statements(r"\begin{align} x &= 1 & y &= 2 \\ z &= 3 \notag \end{align}") == ["x = 1", "y = 2", "z = 3"]
    assert statements(r"$$\begin{cases} x = 1 \\ y = 2 \end{cases}$$") == ["x = 1", "y = 2"]
    assert statements(r"$$\left\{\begin{array}{l} x = 1 \\ y = 2 \end{array}\right.$$") == ["x = 1", "y = 2"]
    assert statements(r"$$x = 1 \quad \text{and} \quad y = 2, \; \underline{z = 3}.$$") == ["x = 1", "y = 2", "z = 3"]
    assert statements(r"$$a = b \qquad c = d$$") == ["a = b", "c = d"]
    assert statements(r"$$\tau_i = q_i, \quad i = 1, \ldots, n, \quad q \in \mathbb{R}^n$$") == ["tau_i = q_i"]


def test_lines_that_lay_out_equations():
    assert statements(
        r"\begin{multline} x = a \left( b \right. \\ \left. {} + c \right) \\ + d \tag{3} \label{eq:x} \end{multline}"
    ) == ["x = (a@((b + c)) + d)"]
    assert statements(
        r"\begin{gather*} x = a \left[ b \right. \nonumber \\ \left. - c \right] \\ y = 1 \end{gather*}"
    ) == [
        "x = [a (b + -c)]",
        "y = 1",
    ]
    assert statements(
        r"\begin{equation}\begin{split} x &= a \Big( b \\ &\quad\; + c \Big) \end{split}\end{equation}"
    ) == ["x = a@((b + c))"]
    assert statements(r"\begin{eqnarray} x &=& a, \\ y &=& b \,. \end{eqnarray}") == ["x = a", "y = b"]
    assert statements(r"\begin{align} x &= a \\ \shortintertext{and} y &= \boxed{b} \end{align}") == ["x = a", "y = b"]
    assert statements(r"$$x = a \text{ and } y = b \Rightarrow z = c \therefore w = d$$") == [
        "x = a",
        "y = b",
        "z = c",
        "w = d",
    ]
    assert statements(r"$x = \underbrace{a}_{\text{inertia}} + \overbrace{b\,c}^{2 d} ~ {}^{0}p_1\!$") == [
        "x = (a + [[b c] p_1^0])"
    ]


def test_markdown():
    text = """
- **x** = a
* *y* = b
1. z = c

| quantity | formula |
|:---|---|
| 1 | u = d |
| 2 | $v = e$ |
"""
    assert statements(text) == ["x = a", "y = b", "z = c", "u = d", "v = e"]


def test_an_equation_in_plain_lines_goes_on():
    text = """
tau1 = (m1 + m2)*L1^2*qdd1
     + m2*L1*(
         2*qdd1 + qdd2)*cos(q2)
     - g
M = [m1, 0;
     0, m2]
C = [[a, b],
     [c, d]]   (7)
"""
    assert statements(text) == [
        "tau_1 = ([(m_1 + m_2) L_1^2 qdd_1] + [m_2 L_1 ([2 qdd_1] + qdd_2) cos(q_2)] + -g)",
        "M = {m_1, 0; 0, m_2}",
        "C = {a, b; c, d}",
    ]


def test_prose_is_skipped():
    text = r"""
# Energy = work
The kinetic energy is K = 1/2 m v^2 and the potential energy P = m g y.
Here $M(q)$ is symmetric and $q \in \mathbb{R}^n$; see https://example.org/?a=b.
- tau1 = m1*g (see `L = K - P`)

```python
x = np.array([1, 2])
```
"""
    assert statements(text) == ["K = [(1 / 2) m v^2]", "P = [m g y]", "L = (K + -P)"]
    assert statements("F = 2 m r rdot thdot + m xddot") == ["F = ([2 m r r' th'] + [m x''])"]


def test_a_latex_document():
    text = r"""\documentclass{article}
\usepackage[margin=1in]{geometry}
\begin{document}
% map: a_1 = L1
\begin{equation}\label{eq:1}
\tau_1 = m_1 L_1^2 \ddot\theta_1 % what = this
\end{equation}
so that \(P = m g\) and x = 3.
\end{document}
"""
    found = read(text)
    assert [type(item) for item in found] == [Mapping, Statement, Statement]
    assert [spelled(item) for item in found[1:]] == ["tau_1 = [m_1 L_1^2 theta_1'']", "P = [m g]"]


def test_mappings():
    text = "map: a1 = L1, \\ell_{c1} -> lc1\nmap:\n  l_1 = L1\n  $m$ = m1\n\nx = 1\nmap: 2 = y"
    found = read(text)
    pairs = [(spelled(item.written), item.meant) for item in found if isinstance(item, Mapping)]
    assert pairs == [("a_1", "L1"), ("ell_c1", "lc1"), ("l_1", "L1"), ("m", "m1")]
    assert isinstance(found[-1], Unreadable)
    assert "'2' is not one name" in found[-1].why


def test_damaged_text_is_mended_and_says_so():
    text = (
        "$$egin{bmatrix} au_1 \\ au_2 \\end{bmatrix} = rac{1}{2} \\left( heta_1 + L\night) egin{bmatrix} a & 0 \\ 0 & b"
        " \\end{bmatrix}^ op$$"
    )
    (item,) = read(text)
    assert spelled(item) == "{tau_1; tau_2} = [(1 / 2) (theta_1 + L) {a, 0; 0, b}^T]"
    for note in ("'egin' as \\begin", "'au' as \\tau", "'heta' as \\theta", "'rac' as \\frac", "'op' as \\top"):
        assert note in item.repairs
    rows = "$$egin{aligned} x_1 &= L\\cos heta_1\\ x_2 &= heta_2 \\ \\end{aligned}$$"
    assert statements(rows) == ["x_1 = [L cos(theta_1)]", "x_2 = theta_2"]


def test_sound_text_is_not_mended():
    (item,) = read(r"$x = au + ho + [\theta_1 \ \theta_2]$")
    assert spelled(item) == "x = ([a u] + [h o] + {theta_1, theta_2})"
    assert item.repairs == ()


REFUSALS = {
    r"$$\frac{1} = x$$": (" = x$$", r"'\frac' needs two groups in braces"),
    "x = (a + b": ("(a", "'(' is never closed"),
    "x = a) + b": (") +", "')' without '('"),
    r"$x = [a + (b]$": ("]$", "'(' is closed by ']'"),
    "x =": ("", "the line ends where a formula was expected"),
    "x = a *": ("", "the line ends where a formula was expected"),
    "x = = 3": ("= 3", "'=' stands where a formula was expected"),
    "= 3": ("= 3", "'=' has nothing before it"),
    "x = a^100": ("100", "the exponent 100 is too large; at most 64"),
    "x = 1e999": ("1e999", "the power of ten"),
    "x = " + "7" * 1001: ("7" * 1001, "at most 1000 are read"),
    r"$x = \thetta_1$": (r"\thetta", r"nearest is '\theta'"),
    r"$x = \arctan y$": (r"\arctan", "valid are sin, cos"),
    r"$x = a + \cdots + b$": (r"\cdots", "leaves terms out"),
    r"$$m_1 \leq M$$": (r"\leq", "is not an equality"),
    r"$$x = \begin{bmatrix} 1 & 2 \\ 3 \end{bmatrix}$$": ("3", "row 2 of a matrix has 1 entries, row 1 has 2"),
    r"$$x = \begin{bmatrix} 1 & \\ 3 & 4 \end{bmatrix}$$": (r"\\ 3", "an entry of a matrix is empty"),
    r"$$x = 0 \Rightarrow y = 1$$": (r"\Rightarrow", "write two equations"),
    r"$x = \sum_{i=1}^{2000} m_i$": ("2000", "more than 1000 terms"),
    r"$x = (a+b)^n$": ("n$", "whole number, T or -1"),
    "x, y = 1, 2": ("", "',' stands where a formula was expected"),
    "x = " + "(" * 51 + "y" + ")" * 51: ("(y", "nested more than 50 deep"),
    r"$x = \int y$": (r"\int", "is not read"),
    r"$$x = \begin{bmatrix} a & * \\ * & c \end{bmatrix}$$": (r"* \\ *", "entries 1, 2 and 2, 1 are both marks"),
    r"$$x = \begin{bmatrix} * & b \\ b & c \end{bmatrix}$$": ("* & b", "this one stands on it"),
    r"$$x = \begin{bmatrix} a & * & b \\ b & c & d\end{bmatrix}$$": ("* & b", "this matrix is not square"),
}


@pytest.mark.parametrize("text", REFUSALS, ids=lambda text: text[:30])
def test_refusals_say_what_is_wrong_and_where(text):
    rest, why = REFUSALS[text]
    (item,) = read(text)
    assert isinstance(item, Unreadable), spelled(item)
    assert why in item.why
    assert text[item.at :].startswith(rest)
    assert item.span[0] <= item.at <= item.span[1]


def test_one_bad_equation_does_not_spoil_the_next():
    for text in ("x = (a\ny = 2", "$x = \\foo$ and $y = 2$", r"$$\begin{aligned} x &= (a \\ y &= 2 \end{aligned}$$"):
        bad, good = read(text)
        assert isinstance(bad, Unreadable)
        assert spelled(good) == "y = 2"


def test_what_is_refused_for_its_size_has_a_limit_by_name():
    names = [name for name, _ in inspect.getmembers(limits_of_reading) if name.startswith("MAX_")]
    assert {"MAX_CHARACTERS", "MAX_NESTING", "MAX_EXPONENT", "MAX_DIGITS", "MAX_ENTRIES", "MAX_TERMS"} <= set(names)
    large = "x = [" + "; ".join([", ".join("1" * 60)] * 60) + "]"
    (item,) = read(large)
    assert "a matrix of 3600 entries is too large" in item.why


def test_a_lone_expression_is_a_statement_of_one_side():
    (item,) = read(r"m_1 L_1^2 \ddot\theta_1")
    assert len(item.sides) == 1
    assert read("nothing to see here") == ()
    assert read("") == ()


# Spacing, labels and operators of typeset answers


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"K = [a\cos(q_2)\,\dot q_1 (b + c) + d]", "K = (a cos(q_2) q_1' (b + c) + d)"),
        (r"x = \tfrac l2\sin q_1", "x = l/2 sin(q_1)"),
        (r"\tau = \underbrace{a b}_{\text{inertia}} \quad \underbrace{-\,c d}_{\text{gravity}}", "tau = a b - c d"),
        (
            r"T = \frac{d}{d t} \theta{\left(t \right)} \frac{d}{d t} x{\left(t \right)}",
            "T = d/dt(theta(t)) d/dt(x(t))",
        ),
        ("T = theta_ddot + r_ddot + q1_ddot", "T = theta'' + r'' + q1''"),
        ("H = p_r^2/(2m)", "H = p_r^2/(2 m)"),
        ("H = a^2/(2g) + b(3 s)", "H = a^2/(2*g) + b(3*s)"),
    ],
)
def test_the_same_formula_in_another_hand(written, plain):
    (first,), (second,) = read(written), read(plain)
    assert first.sides == second.sides


def test_a_determinant_is_of_the_matrix_at_its_arguments():
    ((left, _),) = (each.sides for each in read(r"\det M(q) = m"))
    assert left == Call("det", Of(Name("M"), (Name("q"),)))


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("Pose q1 = 30 deg, speeds q1_dot = 1 rad/s", ["q1 = 30 deg", "q1_dot = 1 rad/s"]),
        ("Take m1 = 3 kg", ["m1 = 3 kg"]),
        ("With q1_ddot = 3 rad/s^2 therefore", ["q1_ddot = 3 rad/s^2"]),
        ("To lift with x_ddot = 2 m/s^2:  f = 0.25*(2 + 9.81)", ["x_ddot = 2 m/s^2", "f = 0.25*(2 + 9.81)"]),
        ("Without the force (f = 0) it falls: x_ddot = -g", ["f = 0", "x_ddot = -g"]),
        ("**Q4 (rr arm).** m1 = 2 kg, m2 = 1.5 kg", ["m1 = 2 kg", "m2 = 1.5 kg"]),
        ("Title\n" + "=" * 40 + "\nm1 = 2", ["m1 = 2"]),
        ("mass = 3 m1", ["mass = 3 m1"]),
        ("tau = M qdd + gravity", ["tau = M qdd + gravity"]),
    ],
)
def test_formulas_among_words(text, formulas):
    assert [text[slice(*each.span)] for each in read(text)] == formulas


def test_derivatives_by_a_method():
    (first,), (second,) = read("K = m*(x.diff(t)**2)/2"), read("K = m*(diff(x, t)**2)/2")
    assert first.sides == second.sides


def test_a_bracket_goes_on_in_the_next_line_of_an_alignment():
    text = "\\begin{align} x &= a \\Big[ b \\nonumber\\\\ &\\quad + c\\Big] \\end{align}"
    assert read(text)[0].sides == read("$x = a [b + c]$")[0].sides
    matrix = r"$M = \left[\begin{array}{cc} 1 & 2 \\ & -3 \end{array}\right]$"
    assert isinstance(read(matrix)[0], Unreadable)  # an entry is missing
