"""Programs are followed as text: what they state is read as it is meant, and what is not followed is said."""

from __future__ import annotations

import pytest

from leverarm.notation.reading import Statement, Unreadable, read
from leverarm.notation.tree import walk
from tests.notation.reading.test_reading import spelled


def stated(text):
    """What a program states, each equation in one line; None for what is not read."""
    return [spelled(item) if isinstance(item, Statement) else None for item in read(text)]


STATED = {
    # the syntax of programs
    "import numpy as np\nM22 = m2*np.power": ["M_22 = [m_2 power]"],
    "tau = M @ qdd + C.dot(qd)": ["tau = ([M qdd] + [C qd])"],
    "tau = np.matmul(M, qdd) + np.dot(C, qd)": ["tau = ([M qdd] + [C qd])"],
    "qdd = np.linalg.inv(M) @ b": ["qdd = [M^-1 b]"],
    "qdd = np.linalg.solve(M, tau - c)": ["qdd = [M^-1 (tau + -c)]"],
    "qdd = M\\(tau - c);": ["qdd = [M^-1 (tau + -c)]"],
    "K = 0.5*qd'*M*qd;": ["K = [1/2 qd^T M qd]"],
    "K = 0.5*qd.T @ M @ qd": ["K = [1/2 qd^T M qd]"],
    "x = a1.*cos(q1) + a2.*cos(q1);": ["x = ([a_1 cos(q_1)] + [a_2 cos(q_1)])"],
    "M = [M11 M12; M12 a*b];": ["M = {M_11, M_12; M_12, [a b]}"],
    "M = [a -b; -b c*c];": ["M = {a, -b; -b, [c c]}"],
    "M22 = @(q) m2*cos(q(2));": ["M_22 = [m_2 cos(q_2)]"],
    "f = lambda q: m2*np.cos(q[1])": ["f = [m_2 cos(q_2)]"],
    "G = np.diag([a, b])": ["G = {a, 0; 0, b}"],
    "M = np.array([[a, b],\n              [b, c],\n             ], dtype=float)": ["M = {a, b; b, c}"],
    "tau1 = a*b + ...  % first\n       c*d;": ["tau_1 = ([a b] + [c d])"],
    "y = self.m1*p['l1'] + np.sin(q[0])": ["y = ([m_1 l_1] + sin(q_1))"],
    "h = a*b;  k = h*c; % both\n": ["h = [a b]", "k = [h c]"],
    "M[0, 1] = M[1, 0] = a*np.cos(b)": ["M_12 = M_21 = [a cos(b)]"],
    "x = simplify(np.sin(a))": ["x = sin(a)"],
    # indices
    "q1 = q[0]; tau[1] = J[1, 0]*np.sin(q[1])": ["tau_2 = [J_21 sin(q_2)]"],
    "M[1, 1] = m2*a2**2": ["M_22 = [m_2 a_2^2]"],
    "M[2, 2] = m2*a2^2": ["M_22 = [m_2 a_2^2]"],
    "M(1,2) = a; M(2,1) = M(1,2);": ["M_12 = a", "M_21 = M_12"],
    # inputs
    "def f(q, v):\n    w1, w2 = v\n    h = a*w2*v[0]\n": ["h = [a q_2' q_1']"],
    "function dx = f(t, x)\nr = x(1); w = x(2);\ndx = zeros(2,1);\ndx(1) = w;\ndx(2) = a*w;": ["r'' = [a r']"],
    "def f(t, s):\n    r, v = s\n    return [v, a*v]\n": ["r'' = [a r']"],
    "y = p.m1*self.a.T + np.pi*x;": ["y = ([m_1 a^T] + [pi x])"],
    "y = a*b;  % a = alpha, w = speed": ["y = [a b]"],
    "y = a*b;  % a = alpha": ["y = [a b]", "a = alpha"],
    "def f(q, p):\n    q1, q2 = q\n    th1 = q[0]\n    m1, m2 = p\n    l1 = p[3]\n": [],
    "[q1, q2] = deal(q(1), q(2));\n[a, b] = deal(c, d);": ["a = c", "b = d"],
    "import numpy as np\na, b = c*2, d": ["a = [c 2]", "b = d"],
    # names that are assigned again
    "tau = M @ a\ntau = tau + b\ntau += c": ["tau = (([M a] + b) + c)"],
    "t = a*b;\nx = t;\nt = c*d;\ny = t;": ["x = [a b]", "t = [c d]", "y = t"],
    "x = a;\nx -= b;\nx *= c;\nx /= d;": ["x = ([(a + -b) c] / d)"],
    "def f(a):\n    h = a*2\n    return h + 1\n\ndef g(a):\n    h = a*3\n    return h + 1\n": [
        "h = [a 2]",
        "f = (h + 1)",
        "g = ([a 3] + 1)",
    ],
    "def mass_matrix(q):\n    return np.array([[a, b], [b, c]])\n": ["M = {a, b; b, c}"],
    # functions of the program
    "def mass_matrix(q):\n    return np.array([[a, b], [b, c]])\ntau = mass_matrix(q) @ qdd\n": [
        "M = {a, b; b, c}",
        "tau = [M@(q) qdd]",
    ],
    "def coriolis(q, dq):\n    return np.array([a, b])\n": ["c = {a, b}"],
    "function M = inertia(q)\nM = [a, b; b, c];\nend\nfunction K = f(q, qd)\nM = inertia(q);\nK = qd'*M*qd;\nend": [
        "M = {a, b; b, c}",
        "K = [qd^T M@(q) qd]",
    ],
    "class A:\n    def g(self, q: float):\n        return np.sin(q)\n    def f(self, q):\n        y = self.g(q)\n": [
        "g = sin(q)",
        "y = g@(q)",
    ],
    # arrays that are filled
    "M = zeros(2);\nM(1,1) = a;\nM(1,2) = b;\nM(2,1) = M(1,2);\nM(2,2) = c;": [
        "M_11 = a",
        "M_12 = b",
        "M_21 = M_12",
        "M_22 = c",
    ],
    "M = zeros(2);\nM(1,1) = a;\nM(2,2) = c;": ["M = {a, 0; 0, c}"],
    "A = np.zeros((2, 2))\nA[0, 0] = a\nA[1, 0] = A[0, 0]*b": ["A = {a, 0; [a b], 0}"],
    "J = np.zeros((2, 3))\nJ[0, :] = [a, b, c]\nJ[:, 2] = [d, e]\n": ["J = {a, b, d; 0, 0, e}"],
    "G = np.zeros(2)\nG[0] = a\nG[-1] = b": ["G = {a; b}"],
    "C = np.array([[a, b], [c, d]])\nC[0, 0] += e": ["C = {(a + e), b; c, d}"],
    "A = np.eye(2)\nA[0][1] = a": ["A = {1, a; 0, 1}"],
    # printed by SymPy
    "Eq(tau1, a*Derivative(q1(t), (t, 2)) + b*Derivative(q2(t), t)**2)": [
        "tau_1 = ([a Dt2(q_1@(t))] + [b Dt1(q_2@(t))^2])"
    ],
    "eq = Eq(a, b)": ["a = b"],
    ">>> M[0, 1]\na*b**2\n>>> print(tau1)\nc + d\n": ["M_12 = [a b^2]", "tau_1 = (c + d)"],
    "In [3]: M\nOut[3]: Matrix([[a, b], [c, d]])": ["M = {a, b; c, d}"],
    # what states nothing
    "import numpy as np\nx = np.linspace(0, 1)\nm = symbols('m')\nprint(a == b)\nq0 = np.array([0.1, 0.2])\ny = a": [
        "y = a"
    ],
    'def f(x):\n    """z = 3"""\n    y = x**2  # w = 1\n': ["y = x^2"],
    "G = np.cos(q[0])\nif __name__ == '__main__':\n    q = np.array([1, 2])\n    x = G\n": ["G = cos(q_1)"],
}


@pytest.mark.parametrize("text", STATED)
def test_programs_state_what_they_assign(text):
    assert stated(text) == STATED[text]


@pytest.mark.parametrize("language", ["python", "matlab", "Python 3", "octave"])
def test_programs_in_fences_belong_together(language):
    text = f"First\n```{language}\nimport numpy as np\nt = np.sin(a)\nx = t\n```\nthen\n```{language}\nt = b\n```\n$y = 1$\n"
    assert stated(text) == ["x = sin(a)", "t = b", "y = 1"]


NOT_FOLLOWED = {
    "M = np.zeros((2, 2))\nfor i in range(2):\n    M[i, i] = a\n": ("M[i, i] = a", "loop or a branch"),
    "for i = 1:2\n  x = zeros(2)*a;\nend\n": ("x = zeros(2)*a", "loop or a branch"),
    "C = np.array([a, b])\nx = C*2\nfor i in r:\n    C = x\nC = C + a": ("C + a", "not known"),
    "x += np.sin(a)": ("x +=", "what it was before is not known"),
    "A = np.array([[a, b], [c, d]])\ntau = A*qdd": ("*qdd", "entry by entry"),
    "tau = M.*qdd;": (".*qdd", "entry by entry"),
    "A = np.zeros((2, 2))\nA[2, 0] = a": ("A[2, 0]", "is not one of an array of 2 rows"),
    ">>> pprint(M)\n 2\na  b\n": ("2\na", "pprint"),
    "def f(a):\n    h = np.sin(a)\n\ndef g(a):\n    h = a*3\n": ("h = a*3", "another formula in another function"),
    "x = 2*q[-1] + np.sin(a)": ("[-1]", "not read in a formula"),
    "b = a[0:2]*np.sin(a)": ("[0:2]", "not read in a formula"),
    "def f(x):\n    return x**2\ny = f(a) + f(b)": ("f(a)", "other arguments"),
    "A = np.zeros((40, 40))\nA[0, 0] = a": ("A = np", "at most 12"),
}


@pytest.mark.parametrize("text", NOT_FOLLOWED)
def test_what_is_not_followed_is_said(text):
    rest, why = NOT_FOLLOWED[text]
    unread = [item for item in read(text) if isinstance(item, Unreadable)]
    (item,) = [item for item in unread if why in item.why]
    assert text[item.at :].lstrip().startswith(rest)


def test_what_was_put_in_keeps_its_place():
    text = "tau = np.sin(a)\ntau = tau + b\n"
    (item,) = read(text)
    written = {spelled(part): text[slice(*part.span)] for part in walk(item)}
    assert written["sin(a)"] == "sin(a)"
    assert written["(sin(a) + b)"] == "tau + b"
    assert text[slice(*item.span)] == "tau = tau + b"


@pytest.mark.parametrize("line", ["x = x + x\n", "x += M(1,1);\n", "[a, b] = deal(b, a);\n"])
def test_long_programs_are_bounded(line):
    found = read("import numpy\nx = np.sin(a)\n" + line * (200_000 // len(line)))
    assert any("in parts" in item.why or "not followed" in item.why for item in found if isinstance(item, Unreadable))


def test_nothing_of_a_plain_text_becomes_a_program():
    text = "tau1 = m1 l1^2 q1'' + m2 g l1 cos(q1);\nM = [a b^2, c; c, d];\n"
    assert stated(text) == ["tau_1 = ([m_1 l_1^2 q_1''] + [m_2 g l_1 cos(q_1)])", "M = {[a b^2], c; c, d}"]
