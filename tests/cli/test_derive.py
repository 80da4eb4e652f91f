"""`leverarm derive` and `leverarm equations`: what they print and write, and that what they write is right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli, equations
from leverarm.cli import derive as derive_command
from leverarm.cli import equations as equations_command
from leverarm.closed_form.sheet import FORMS, closed_forms
from leverarm.closed_form.sheet.source_code import SourceCode
from leverarm.closed_form.sheet.writing import ENDINGS
from leverarm.derivation.routes import ROUTES
from leverarm.documents.document import LEVELS
from leverarm.documents.saving import RENDERERS
from leverarm.errors import FormatError, InputError
from leverarm.model.symbolic import GROUPS
from leverarm.notation.parsing import parse_text
from leverarm.notation.tree import Number, Power, Product, Sum, Symbol
from leverarm.notation.vocabulary import Writing
from tests.support.paths import ROOT

ESCAPE = "\x1b"
SMALL = [name for name in la.catalog_names() if la.load(name).dof <= 4]


def run(*args, code=0):
    result = CliRunner().invoke(cli, list(args), prog_name="leverarm")
    assert result.exit_code == code, result.output
    assert ESCAPE not in result.output
    assert "Traceback" not in result.output
    return result


def mistake(*args):
    """The one line on stderr of a command that fails."""
    result = run(*args, code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    return result.stderr


def environment(**more):
    return os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"} | more


def process(*args, **more):
    command = [sys.executable, "-m", "leverarm.cli", *args]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=environment(**more), timeout=3600
    )


def module(*args):
    """The names of the Python that `leverarm equations` writes."""
    names = {}
    exec(compile(run("equations", *args).stdout, "written", "exec"), names)
    return names


@pytest.mark.parametrize("command", ["derive", "equations"])
def test_help_teaches_by_example(command):
    text = run(command, "--help").stdout
    assert text.count(f"\n  leverarm {command} ") == 5
    assert f"leverarm {command} elbow" in run("--help").stdout


def test_the_choices_are_those_of_the_library():
    assert tuple(ROUTES) == derive_command.ROUTES
    assert tuple(LEVELS) == derive_command.LEVELS
    assert tuple(RENDERERS) == derive_command.ENDINGS
    assert tuple(FORMS) == equations_command.FORMS
    assert equations_command.ENDINGS == ENDINGS
    assert equations.SYMBOLIC == GROUPS


# derive ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ROUTES)
def test_derive_prints_every_route_in_full(route):
    text = run("derive", "elbow", "--route", route).stdout
    derivation = la.derive(la.load("elbow"), route)
    for part in derivation.parts:
        assert part.title in text
    assert text == derivation.text().rstrip("\n") + "\n"


def test_levels_show_more_and_more():
    lengths = [len(run("derive", "elbow", "--level", level).stdout) for level in LEVELS]
    assert lengths[0] < lengths[1] < lengths[2]


def test_the_text_fits_the_terminal(monkeypatch):
    for width in (50, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = run("derive", "rp").stdout.splitlines()
        assert width - 10 < max(map(len, lines)) <= width + 3  # dots over letters take no column


def test_letters_are_as_asked_for():
    assert "q̇₁" in run("derive", "elbow", "--coordinates", "q", "--level", "brief").stdout
    assert "cos" in run("derive", "elbow", "--angles", "expanded", "--level", "brief").stdout


@pytest.mark.parametrize(("ending", "start"), [(".html", "<!"), (".md", "# "), (".tex", "\\documentclass"),
                                               (".ipynb", "{"), (".txt", "Two-link")])  # fmt: skip
def test_derive_writes_documents(tmp_path, ending, start):
    target = tmp_path / f"elbow{ending}"
    told = run("derive", "elbow", "--level", "brief", "-o", str(target)).stdout
    assert told == f"wrote {target}: elbow by Euler-Lagrange, brief\n"
    assert target.read_text(encoding="utf-8").startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [target.name]


def first_cell(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "".join(next(cell for cell in cells if cell["cell_type"] == "code")["source"])


def test_a_notebook_makes_the_same_closed_forms_where_it_lies(tmp_path, monkeypatch):
    source, target = tmp_path / "my arm.toml", tmp_path / "out" / "arm.ipynb"
    target.parent.mkdir()
    run("convert", "rp", str(tmp_path / "rp.urdf"))
    run("convert", str(tmp_path / "rp.urdf"), str(source))
    monkeypatch.chdir(tmp_path)
    run("derive", source.name, "--symbolic", "inertia", "--coordinates", "q", "--level", "brief", "-o", str(target))
    monkeypatch.chdir(target.parent)
    names = {}
    exec(first_cell(target), names)
    expected = la.equations(la.symbolic(la.load(source), "inertia"), "q")
    assert names["eq"].M.text() == expected.M.text()
    run("derive", "elbow", "--level", "brief", "-o", str(target))
    assert first_cell(target).endswith("arm = la.load('elbow')\neq = la.equations(arm)")


def test_derive_makes_symbols_of_numbers():
    found = run("equations", "puma560", "--what", "P,x", "--symbolic", "inertia,geometry").stdout
    assert "m6" in found and "Lx3" in found
    assert "Ixx" in run("equations", "rp", "--what", "phi", "--symbolic", "all").stdout


def test_a_group_without_numbers_is_noted():
    found = run("equations", "elbow", "--what", "F", "--symbolic", "friction")
    assert found.stderr == "note: --symbolic friction changes nothing: elbow has no numbers of friction.\n"
    for arm, groups in (("puma560", "friction"), ("elbow", "all"), ("elbow", "gravity,inertia")):
        noted = "--symbolic gravity" in run("equations", arm, "--what", "F", "--symbolic", groups).stderr
        assert noted == ("gravity" in groups)  # g of the elbow is a symbol already


# equations ---------------------------------------------------------------------------------------------------------------


def test_equations_are_lines_of_text():
    assert run("equations", "rp").stdout.splitlines() == [
        "# rp: " + la.load("rp").title,
        "# M(q) qdd + c(q, qd) + F(qd) + g(q) = tau",
        "# q = (theta1, theta2), qd = (thetad1, thetad2)",
        f"# leverarm {la.__version__}",
        "",
        "# M(q): mass matrix, rotors included",
        "M11 = m1 L1^2 + m2 theta2^2 + I1 + I2",
        "M22 = m2",
        "M12 = M21 = 0",
        "",
        "# c(q, qd): Coriolis and centrifugal torques, c = C qd",
        "c_1 = 2 m2 theta2 thetad1 thetad2",
        "c_2 = -m2 theta2 thetad1^2",
        "",
        "# g(q): gravity torques, which hold the arm against its weight",
        "g1 = (m1 L1 + m2 theta2) g c1",
        "g2 = m2 g s1",
    ]


@pytest.mark.parametrize("quantity", closed_forms(), ids=lambda quantity: quantity.name)
@pytest.mark.parametrize("form", FORMS)
def test_every_quantity_is_written_in_every_form(form, quantity):
    eq = la.equations(la.load("elbow"))
    text = eq.text([quantity.name], form)
    assert text == eq.text([quantity.letter, quantity.spelled], form)
    unescaped = {"html": unescape, "markdown": lambda text: text.replace("\\", "")}.get(form, str)
    assert quantity.meaning.split(" a frame")[0] in unescaped(text)
    if form in ("python", "sympy"):
        names = {}
        exec(compile(text, "written", "exec"), names)
        assert quantity.letter in names
    if form == "json":
        assert list(json.loads(text)["quantities"]) == [quantity.letter]


@pytest.mark.parametrize("name", SMALL)
def test_text_reads_back_to_the_same_values(name):
    eq = la.equations(la.load(name))
    notation = eq.notation
    read = {}
    for line in eq.text(["M", "c", "g", "K", "Mdot"]).splitlines():
        if line and not line.startswith("#"):
            *labels, right = line.split(" = ")
            read |= dict.fromkeys(labels, parse_text(right, notation.vocabulary, notation.writing))
    dof = eq.arm.dof
    for i in range(dof):
        assert read[f"c_{i + 1}"] == eq.c[i].value and read[f"g{i + 1}"] == eq.g[i].value
        assert all(read[f"M{i + 1}{j + 1}"] == eq.M[i, j].value for j in range(dof))
        rates = {j: read.get(f"Mdot{i + 1}{j + 1}", 0) for j in range(dof)}  # many zeros are not named
        assert all(rate == eq.M_dot[i, j].value for j, rate in rates.items())
    assert read["K"] == eq.K.value
    assert len(read) > dof * dof + 2 * dof + 1


STATE_FUNCTIONS = {
    "M": ("q", la.mass_matrix),
    "C": ("q qd", lambda arm, q, qd: la.coriolis_matrix(arm, q, qd, "christoffel")),
    "c": ("q qd", la.coriolis_torques),
    "g": ("q", la.gravity),
    "F": ("qd", la.friction),
    "tau": ("q qd qdd", la.inverse_dynamics),
    "K": ("q qd", la.kinetic_energy),
    "P": ("q", la.potential_energy),
    "J": ("q", la.jacobian),
    "Jdot": ("q qd", la.jacobian_dot),
    "W": ("q qd qdd", la.regressor),
    "phi": ("", la.parameters),
}


@pytest.mark.parametrize("name", SMALL)
def test_python_is_a_module_that_agrees_with_the_numeric_api(name):
    arm = la.load(name)
    names = module(name, "--what", ",".join(STATE_FUNCTIONS), "--as", "python")
    rng = np.random.default_rng(7)
    state = {letter: rng.normal(size=(2, 3, arm.dof)) for letter in ("q", "qd", "qdd")}
    values = {symbol: float(value) * 1.5 for symbol, value in arm.defaults.items()}
    changed = la.with_values(arm, **values)
    for letter, (needs, function) in STATE_FUNCTIONS.items():
        given = [state[need] for need in needs.split()]
        found = names[letter](*given)
        taken = {symbol: x for symbol, x in values.items() if symbol in names[letter].__kwdefaults__ or ()}
        found_changed = names[letter](*given, **taken)
        for at in np.ndindex(2, 3) if given else [()]:
            here = [x[at] for x in given]
            assert found[at] == pytest.approx(np.asarray(function(arm, *here)), abs=1e-11, rel=1e-11)
            assert found_changed[at] == pytest.approx(np.asarray(function(changed, *here)), abs=1e-11, rel=1e-11)


def test_python_of_a_large_arm_compiles_and_agrees(tmp_path):
    target = tmp_path / "puma.py"
    told = run("equations", "puma560", "--what", "M,c", "-o", str(target)).stdout
    assert told == f"wrote {target}: M, c of puma560 as python\n"
    names = {}
    exec(compile(target.read_text(encoding="utf-8"), "written", "exec"), names)
    arm, (q, qd) = la.load("puma560"), np.random.default_rng(3).normal(size=(2, 6))
    assert names["M"](q) == pytest.approx(la.mass_matrix(arm, q), abs=1e-12)
    assert names["c"](q, qd) == pytest.approx(la.coriolis_torques(arm, q, qd), abs=1e-12)


@pytest.mark.slow
def test_sums_that_are_too_long_for_the_compiler_are_split():
    terms = [Product((Number(Fraction(k)), Symbol("x"))) for k in range(1, 30_001)]
    code = SourceCode("np", {"x", "np"}, Writing())
    source = code.expression(Power(Sum(tuple(terms)), 2))
    names = {"x": 1}
    exec("\n".join((*code.lines, f"result = {source}")), names)
    assert names["result"] == sum(range(1, 30_001)) ** 2


@pytest.mark.parametrize("name", ["elbow", "scara", "spherical"])
def test_sympy_is_a_script_that_builds_the_same_matrices(name):
    sympy = pytest.importorskip("sympy")
    arm = la.load(name)
    names = module(name, "--what", "M,c,g,K,Gamma", "--as", "sympy")
    eq = la.equations(arm)
    gravity = names["gravity" if "g" in arm.defaults else "g"]
    for found, expected in ((names["M"], eq.M), (names["c"], eq.c), (gravity, eq.g), (names["K"], eq.K)):
        assert sympy.expand(found - expected.sympy()) == 0 * found
    assert names["Gamma"].shape == (arm.dof,) * 3
    assert not any(names[letter].atoms(sympy.Float) for letter in ("M", "c", "K"))
    assert {str(symbol): float(value) for symbol, value in names["values"].items()}.items() <= {
        symbol: float(value) for symbol, value in arm.defaults.items()
    }.items()


def test_numbers_stay_exact_in_sympy():
    sympy = pytest.importorskip("sympy")
    names = module("puma560", "--what", "M", "--as", "sympy")
    assert names["M"].atoms(sympy.Rational) and not names["M"].atoms(sympy.Float)
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = names["M"].subs({f"q{i + 1}": x for i, x in enumerate(q)}).evalf()
    assert np.array(found.tolist(), dtype=float) == pytest.approx(la.mass_matrix(la.load("puma560"), q), abs=1e-12)


def test_json_holds_texts_and_exact_terms():
    data = json.loads(run("equations", "elbow", "--what", "M,Lambda", "--as", "json").stdout)
    assert data["arm"] == "elbow" and data["leverarm"] == la.__version__
    assert data["symbols"] == {"m1": 1.0, "m2": 1.0, "a1": 1.0, "a2": 1.0, "g": 9.81}
    assert [c["qd"] for c in data["coordinates"]] == ["thetad1", "thetad2"]
    assert [c["qdd"] for c in data["coordinates"]] == ["thetadd1", "thetadd2"]
    eq = la.equations(la.load("elbow"))
    q = np.array([0.3, 0.7])
    letters = data["symbols"] | {"cos(theta1)": np.cos(0.3), "sin(theta1)": np.sin(0.3)}
    letters |= {"cos(theta2)": np.cos(0.7), "sin(theta2)": np.sin(0.7)}

    def value(terms):
        powers = ((Fraction(t["coefficient"]), t["letters"].items()) for t in terms)
        return sum(float(c) * np.prod([letters[name] ** power for name, power in each]) for c, each in powers)

    M, Lambda = data["quantities"]["M"], data["quantities"]["Lambda"]
    assert M["shape"] == [2, 2] and M["terms"] == eq.M.terms and M["needs"] == ["q"]
    for entry, formula in zip(M["entries"], eq.M, strict=True):
        assert entry["text"] == formula.text() and entry["term_count"] == formula.terms == len(entry["terms"])
    found = [value(entry["terms"]) for entry in M["entries"]]
    assert found == pytest.approx(la.mass_matrix(eq.arm, q).ravel())
    felt = [value(entry["numerator"]) / value(entry["denominator"]) for entry in Lambda["entries"]]
    assert felt == pytest.approx(la.operational_inertia(eq.arm, q, axes=["x", "y"]).ravel())
    assert Lambda["frame"] == "tool"


def test_latex_can_be_pasted(tmp_path):
    text = run("equations", "planar3r", "--what", "M,C,Gamma,K,phi", "--as", "latex").stdout
    text += run("equations", "elbow", "--what", "Lambda", "--as", "latex").stdout
    assert text.count("\\begin{align*}") == text.count("\\end{align*}") == 6
    assert "All other entries are zero." in text
    if shutil.which("pdflatex"):
        document = (
            f"\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n{text}\\end{{document}}\n"
        )
        (tmp_path / "a.tex").write_text(document)
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=3600, check=False)
        assert done.returncode == 0, done.stdout[-2000:]


def test_base_parameters_are_told_with_what_they_gather():
    lines = run("equations", "elbow", "--what", "base").stdout.splitlines()
    assert "link1.Izz + a1^2 link2.m = (m1 + m2) a1^2" in lines


def test_a_frame_and_notation_reach_the_api():
    text = run("equations", "elbow", "--what", "x", "--frame", "link2", "--angles", "expanded").stdout
    assert "# x(q): position of frame link2" in text and "x = a1 cos(theta1)" in text
    assert "g2 = m2 g a2 c12" in run("equations", "elbow", "--coordinates", "q").stdout
    assert "qd1" in run("equations", "elbow", "--coordinates", "q").stdout


@pytest.mark.slow
def test_a_terminal_is_told_how_many_terms_long_entries_have(monkeypatch):
    whole = run("equations", "puma560", "--what", "c").stdout
    monkeypatch.setattr("leverarm.cli.output.is_terminal", lambda: True)
    shown = run("equations", "puma560", "--what", "c")
    eq = la.equations(la.load("puma560"))
    assert f"c_1 = ... {eq.c[0].terms} terms" in shown.stdout and "..." not in whole
    assert f"c_6 = {eq.c[5].text()}" in shown.stdout
    assert "-o FILE or a pipe" in shown.stderr
    assert run("equations", "puma560", "--what", "M").stderr == ""


# mistakes and interrupts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["derive", "elbo"], ["no arm in the catalog named 'elbo'", "did you mean 'elbow'"]),
        (["derive", "no_such.urdf"], ["no_such.urdf", "no such file"]),
        (["derive", "elbow", "--route", "newton"], ["no route named 'newton'", "did you mean 'newton-euler'"]),
        (["derive", "elbow", "--level", "every"], ["no level named 'every'", "did you mean 'every-line'"]),
        (["derive", "elbow", "--coordinates", "p"], ["'p'", "'own'", "'theta'"]),
        (["derive", "elbow", "--angles", "long"], ["'long'", "'short'", "'expanded'"]),
        (["derive", "elbow", "--symbolic", "mass"], ["no group of numbers named 'mass'", "inertia, geometry"]),
        (["derive", "elbow", "--symbolic", ","], ["--symbolic is empty"]),
        (["derive", "elbow", "-o", "elbow.pdf"], ["'elbow.pdf' names no document", ".html, .md, .tex, .ipynb, .txt"]),
        (["derive", "elbow", "-o", ""], ["-o is empty", ".html"]),
        (["derive", "rr", "--route", "force-balance"], ["point masses", "lagrange"]),
        (["equations", "elbow", "--what", "M,Lamda"], ["no quantity named 'Lamda'", "by letter: M, C"]),
        (["equations", "elbow", "--what", "coriolis"], ["did you mean 'coriolis-matrix'"]),
        (["equations", "elbow", "--what", " "], ["--what is empty"]),
        (["equations", "elbow", "--as", "tex"], ["no form named 'tex'", "latex"]),
        (["equations", "elbow", "-o", "elbow.doc"], ["'elbow.doc' names no form", ".txt, .tex, .py, .json"]),
        (["derive", "elbow", "-o", "elbow.txt/"], ["'elbow.txt/' is a folder", ".html"]),
        (["equations", "elbow", "-o", "elbow.txt/"], ["'elbow.txt/' is a folder", ".json"]),
        (["equations", "elbow", "--as", "python", "-o", "elbow/"], ["'elbow/' is a folder"]),
        (["equations", "elbow", "--as", "text", "-o", "z.py"], ["--as text contradicts -o z.py", ".py means python"]),
        (["equations", "elbow", "--as", "sympy", "-o", "z.TEX"], ["--as sympy contradicts -o z.TEX", "latex"]),
        (["equations", "elbow", "--frame", "tool"], ["a frame makes no difference to M, c, g", "Lambda"]),
        (["equations", "elbow", "--what", "J", "--frame", "hand"], ["no frame named 'hand'", "tool"]),
    ],
)
def test_mistakes_are_told_in_one_line(args, parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = mistake(*args)
    for part in parts:
        assert part in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["derive", "elbow", "--level", "brief"], ["equations", "elbow"]])
def test_a_place_that_cannot_be_written_is_told(command, tmp_path):
    assert "cannot be written" in mistake(*command, "-o", str(tmp_path / "no" / "elbow.txt"))
    (tmp_path / "folder.txt").mkdir()
    assert "cannot be written" in mistake(*command, "-o", str(tmp_path / "folder.txt"))
    assert [file.name for file in tmp_path.iterdir()] == ["folder.txt"]


@pytest.mark.parametrize("form", ["python", "sympy"])
def test_symbols_that_code_cannot_name_are_refused(form, tmp_path):
    source = tmp_path / "arm.toml"
    word = {"python": "np", "sympy": "sp"}[form]
    source.write_text(
        (ROOT / "src" / "leverarm" / "formats" / "catalog" / "elbow.toml").read_text().replace("m1", word)
    )
    assert f"symbol '{word}'" in mistake("equations", str(source), "--as", form)


def test_a_title_cannot_become_code(tmp_path):
    source = tmp_path / "arm.toml"
    text = (ROOT / "src" / "leverarm" / "formats" / "catalog" / "elbow.toml").read_text()
    title = next(line for line in text.splitlines() if line.startswith("title"))
    source.write_text(text.replace(title, 'title = "arm\\nraise SystemExit(7)\\r\\"\\"\\" \\\\"'))
    for form in ("python", "sympy"):
        assert "M" in module(str(source), "--as", form)


@pytest.mark.parametrize("command", [["derive", "elbow", "--level", "brief"], ["equations", "elbow"]])
def test_an_interrupt_is_quiet_and_leaves_no_half_file(command, tmp_path, monkeypatch):
    target = tmp_path / "elbow.txt"
    target.write_text("before")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert run(*command, "-o", str(target), code=130).output == ""
    monkeypatch.setattr(la, command[0], interrupted)
    assert run(*command, "-o", str(target), code=130).output == ""
    assert target.read_text() == "before" and len(list(tmp_path.iterdir())) == 1


class Terminal:
    """A standard error that someone looks at."""

    def __init__(self):
        self.told = ""

    def isatty(self):
        return True

    def write(self, text):
        self.told += text

    def flush(self):
        pass


class Timer(threading.Timer):
    """A timer whose time comes when the test says so; all that were made are kept."""

    made: ClassVar[list[Timer]] = []

    def __init__(self, interval, function):
        super().__init__(3600, function)
        self.asked = interval
        self.made.append(self)


def test_patience_is_asked_for_only_when_it_takes_long(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(equations, "Timer", Timer)
    monkeypatch.setattr(Timer, "made", [])
    with equations.patience("deriving"):
        assert [timer.asked for timer in Timer.made] == [equations.PATIENCE] and Timer.made[0].is_alive()
    assert terminal.told == "" and not Timer.made[0].is_alive()
    with equations.patience("deriving"):
        Timer.made[1].function()  # it takes long
        assert terminal.told == "deriving ... (Ctrl-C stops)"
    assert terminal.told.endswith("\r") and terminal.told.count("\r") == 2
    monkeypatch.setattr(terminal, "isatty", lambda: False, raising=False)
    terminal.told = ""
    with equations.patience("deriving"):
        assert len(Timer.made) == 2
    assert terminal.told == ""


def test_a_timer_of_patience_tells_by_itself(monkeypatch):
    terminal, told = Terminal(), threading.Event()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(terminal, "flush", told.set)
    monkeypatch.setattr(equations, "PATIENCE", 0.01)
    with equations.patience("deriving"):
        assert told.wait(3600)
    assert terminal.told.startswith("deriving ... (Ctrl-C stops)\r")


# as a process ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_cold_derivation_loads_only_what_it_needs():
    """How long it takes is measured by bench/startup.py."""
    code = "import atexit, sys; from leverarm.cli import main"
    code += "; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules))); main()"
    command = [sys.executable, "-c", code, "derive", "elbow"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment())
    assert done.returncode == 0 and done.stdout == process("derive", "elbow").stdout
    loaded = set(done.stderr.split())
    unused = {"sympy", "matplotlib", "scipy", "llvmlite", "pyarrow", "leverarm.compiler", "leverarm.simulation"}
    assert "leverarm.derivation" in loaded and unused & loaded == set()


def test_importing_loads_no_computer_algebra():
    code = "import sys, leverarm; print({'flint', 'sympy', 'rich', 'click'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
def test_equations_in_text_load_no_sympy_and_a_closed_pipe_is_quiet():
    code = "import sys; from leverarm.cli import cli; cli(['equations', 'elbow'], standalone_mode=False)"
    code += "; assert not {'sympy', 'rich'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True)
    command = f"{sys.executable} -m leverarm.cli derive elbow | head -1"
    found = subprocess.run(command, shell=True, capture_output=True, env=environment(), timeout=3600, check=False)
    assert found.stderr == b"" and found.stdout.count(b"\n") == 1


@pytest.mark.parametrize(("form", "name"), [("sympy", "z.py"), ("python", "z.py"), ("text", "z.dat"), ("json", "z")])
def test_a_form_may_be_asked_for_where_the_ending_says_nothing_else(form, name, tmp_path):
    assert f"as {form}" in run("equations", "elbow", "--as", form, "-o", str(tmp_path / name)).stdout
    assert (tmp_path / name).stat().st_size


def test_the_library_refuses_contradictions_and_what_is_no_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    eq = la.equations(la.load("elbow"))
    for path, form, part in (
        ("z.py", "text", "form='text' contradicts.*'z.py'.*python or sympy"),
        (None, None, "None is no file"),
    ):
        with pytest.raises(FormatError, match=part):
            eq.save(path, ["M"], form)
    for what, part in (([3], "no quantity named '3'"), (3, "what = 3 names no quantities"), (None, "what = None")):
        with pytest.raises(InputError, match=part):
            eq.text(what)
    for form in ([], None):
        with pytest.raises(InputError, match="no form named"):
            eq.text(["M"], form)
    assert list(tmp_path.iterdir()) == []


def test_python_functions_of_one_state_and_of_many_agree_with_the_numeric_api():
    arm, eq = la.load("rr"), la.equations(la.load("rr"))
    names = {}
    exec(eq.text(["K", "P", "L", "H", "M", "phi", "g"], "python"), names)
    q, qd = np.random.default_rng(1).normal(size=(2, 5, 2))
    for letter, states in (("K", (q, qd)), ("P", (q,)), ("L", (q, qd)), ("H", (q, qd)), ("M", (q,)), ("g", (q,))):
        many = names[letter](*states)
        assert many.shape[:1] == (5,)
        one = names[letter](*(state[0] for state in states))
        assert np.shape(one) == many.shape[1:]
        np.testing.assert_allclose(one, many[0], rtol=1e-15)
    assert names["K"](q[0], qd[0]) == pytest.approx(la.kinetic_energy(arm, q[0], qd[0]), rel=1e-12)
    assert names["P"](q[0]) == pytest.approx(la.potential_energy(arm, q[0]), rel=1e-12)


@pytest.mark.parametrize("form", ["python", "sympy"])
@pytest.mark.parametrize("words", [("lambda", "while_"), ("_columns", "_array")])
def test_symbols_named_like_parts_of_python_are_kept_apart(words, form, tmp_path):
    source = tmp_path / "arm.toml"
    text = (ROOT / "src" / "leverarm" / "formats" / "catalog" / "elbow.toml").read_text()
    source.write_text(text.replace("m1", words[0]).replace("m2", words[1]))
    arm, names = la.load(source), module(str(source), "--what", "M", "--as", form)
    if form == "python":
        q = [0.3, 0.7]
        np.testing.assert_allclose(names["M"](q), la.mass_matrix(arm, q), rtol=1e-12)
    else:
        assert {str(symbol) for symbol in names["M"].free_symbols} >= set(words)


def test_tiny_numbers_stay_exact_in_sympy():
    names = {}
    arm = la.load("elbow")
    body = replace(arm.bodies[0], mass_properties=la.MassProperties(3e-30, la.types.Vec3(1, 0, 0)))
    eq = la.equations(replace(arm, bodies=(body, *arm.bodies[1:])))
    assert "3e-30" in eq.text(["P"])
    exec(eq.text(["P"], "sympy"), names)
    sympy = pytest.importorskip("sympy")
    assert (
        names["P"].atoms(sympy.Float) == set()
        and Fraction("3e-30") in names["P"].expand().as_coefficients_dict().values()
    )
