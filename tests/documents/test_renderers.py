"""A document as terminal text, Markdown, LaTeX, a web page and a notebook: complete, escaped, never too wide."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import leverarm as la
from leverarm.derivation.steps import chapter, step
from leverarm.documents.arrangement import rows_that_fit
from leverarm.documents.displays import displays
from leverarm.documents.document import Document, Level, Paragraph, Shown, Table, at_level
from leverarm.documents.html import to_html
from leverarm.documents.latex import latex_text, size_that_fits, to_latex_document
from leverarm.documents.markdown import to_markdown
from leverarm.documents.notebook import to_notebook
from leverarm.documents.saving import RENDERERS, save
from leverarm.documents.terminal import to_terminal
from leverarm.documents.terminal_lines import cells, wrapped_text
from leverarm.errors import FormatError, InputError
from leverarm.notation import tree
from leverarm.notation.latex import to_latex
from leverarm.notation.line_breaking import narrowed
from leverarm.notation.tree import Equation, Matrix, Product, Sum, Symbol, column
from tests.support.paths import ROOT
from tests.support.sample_document import REPORT, SAMPLE

ODD = 'a_b & <i> "50 %" $x$ #1 {y} ~ ^ \\ | * ` [d] é θ 中'
"""Everything that means something to one of the formats, an accent, a Greek letter, and a letter LaTeX lacks."""


def titles(level: Level) -> list[str]:
    return [each.title for each in at_level(SAMPLE, level) if not each.sections]


def odd_document() -> Document:
    shown = tuple(Shown(Equation((Symbol(name), tree.Indexed(Symbol("F"), name)))) for name in (ODD, *ODD.split()))
    one = step(ODD, (ODD, Symbol("m1")), (Shown(Symbol("m1")), *shown), (Table((ODD,), ((ODD,),), ODD),), proven=(ODD,))
    return replace(SAMPLE, title=ODD, summary=(Paragraph((ODD,)),), sections=(chapter(ODD, (one,)),))


class Page(HTMLParser):
    """A page's tags must nest; its ids, links and text are collected."""

    VOID = ("meta", "input", "br", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if "href" in given:
            self.links.append(given["href"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.text += data


@pytest.mark.parametrize("ending", RENDERERS)
@pytest.mark.parametrize("level", [Level.BRIEF, Level.FULL, Level.EVERY_LINE])
def test_a_level_shows_its_steps_and_no_others(ending, level):
    text = RENDERERS[ending](SAMPLE, level)
    for title in titles(Level.EVERY_LINE):
        # A web page holds every level and hides what is not asked for.
        assert (title in text) == (ending == ".html" or title in titles(level)), title
    assert text.endswith("\n")


@pytest.mark.parametrize("ending", RENDERERS)
def test_rendering_twice_gives_the_same_text(ending):
    assert RENDERERS[ending](SAMPLE, Level.FULL) == RENDERERS[ending](SAMPLE, Level.FULL)


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120, 200])
def test_terminal_lines_are_never_wider_than_the_terminal(width):
    for derivation in (SAMPLE, odd_document()):
        lines = to_terminal(derivation, Level.EVERY_LINE, width).plain.splitlines()
        assert max(cells(line) for line in lines) <= width
        assert not any(line != line.rstrip() for line in lines)


def test_terminal_numbers_are_dim_titles_bold_and_proofs_green():
    text = to_terminal(SAMPLE, Level.FULL)
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert styles["Both routes agree"] == "bold"
    assert styles["3.1  "] == "dim"
    assert styles["✓ Computed, not said: τ_NE and τ_L differ by 0 terms."] == "green"


def test_terminal_text_is_plain_where_it_is_piped():
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    Console(file=stream, width=80, color_system=None).print(to_terminal(SAMPLE, Level.FULL))
    assert "\x1b" not in stream.getvalue()
    assert [line.rstrip() for line in stream.getvalue().splitlines()][:2] == [SAMPLE.title, "═" * len(SAMPLE.title)]


def test_sentences_are_broken_inside_a_formula_only_if_they_must():
    assert wrapped_text("see a\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}b there", 8) == ["see", "a + b", "there"]
    assert wrapped_text("a\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}b", 3) == ["a +", "b"]
    assert wrapped_text("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrapped_text("", 10) == [""]


def test_markdown_has_balanced_dollars_and_tables_of_one_width():
    text = to_markdown(SAMPLE, Level.EVERY_LINE)
    assert text.splitlines().count("$$") % 2 == 0
    displays = re.findall(r"^\$\$\n(.*?)\n\$\$$", text, re.S | re.M)
    for equation in (shown.equation for each in SAMPLE for shown in each.equations if hasattr(shown.equation, "sides")):
        assert any(to_latex(equation.sides[0], SAMPLE.writing) in formula for formula in displays)
    assert all("\n\n" not in formula and "$" not in formula for formula in displays)
    assert all(formula.count(r"\begin{aligned}") == formula.count(r"\end{aligned}") for formula in displays)
    tables = re.findall(r"^\| .*? \|$(?:\n\|.*? \|$)+", text, re.M)
    assert len(tables) == 3
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_matrices_stand_beside_each_other_and_short_equations_below():
    x, y, theta, tau = (Symbol(name) for name in ("x", "y", "theta", "tau"))
    vectors = tuple(Shown(Equation((name, column((x, y))))) for name in (theta, tau))
    lines = tuple(Shown(Equation((name, theta))) for name in (x, y))
    one = step("Layout", (), vectors + lines)
    derivation = replace(SAMPLE, summary=(), sections=(chapter("Part", (one,)),))
    assert to_terminal(derivation).plain.splitlines()[-6:] == [
        "",
        "        θ = ⎡x⎤    τ = ⎡x⎤",
        "            ⎣y⎦        ⎣y⎦",
        "",
        "        x = θ",
        "        y = θ",
    ]
    beside = r"\theta = \begin{bmatrix} x \\ y \end{bmatrix} \qquad \tau = \begin{bmatrix} x \\ y \end{bmatrix}"
    for text in (to_markdown(derivation), to_latex_document(derivation)):
        assert beside in text
        assert "x &= \\theta \\\\\ny &= \\theta\n" in text
    assert to_html(derivation).count('<div class="equations tall brief">') == 1


def test_rows_are_even_where_that_fits_and_else_filled():
    assert rows_that_fit([10, 10, 10, 10], 2, 100) == [4]
    assert rows_that_fit([15, 5, 15, 5], 2, 40) == [2, 2]
    assert rows_that_fit([30, 5, 5, 5], 2, 30) == [1, 3]
    assert rows_that_fit([50, 5], 2, 30) == [1, 1]
    assert rows_that_fit([5], 2, 30) == [1]


def test_markdown_escapes_words():
    text = to_markdown(odd_document())
    assert r"# a\_b & &lt;i&gt; " in text
    assert r"\$x\$ \#1" in text and r"\| \* \` \[d\]" in text


def test_markdown_has_no_tags_in_mathematics():
    one = step("x", (Symbol("<script>&amp;"),), (Shown(Equation((Symbol("<b>%_#$\\{}"), Symbol("tau")))),))
    text = to_markdown(replace(SAMPLE, title="<script>", sections=(chapter("x", (one,)),)))
    assert "<script" not in text and "<b>" not in text and "&amp;" not in text
    assert r"\mathrm{{<}b>\%}_{\#\$\backslash \{\}}" in text


def test_latex_is_escaped_and_spelled():
    assert latex_text("50 % of a_b & {#1} $2") == r"50 \% of a\_b \& \{\#1\} \$2"
    assert latex_text("Lévy, Ångström, Gauß, Łódź") == r"L\'{e}vy, \r{A}ngstr\"{o}m, Gau{\ss}, {\L}\'{o}d\'{z}"
    assert latex_text("θ Λ − 中") == r"\ensuremath{\theta} \ensuremath{\Lambda} \ensuremath{-} [U+4E2D]"
    assert to_latex_document(odd_document()).isascii()
    assert set(re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", to_latex_document(SAMPLE))) == {"amsmath", "geometry"}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("document", [SAMPLE, REPORT, odd_document()], ids=["sample", "report", "odd"])
def test_latex_compiles_and_stays_inside_the_margins(document, tmp_path):
    save(document, tmp_path / "sheet.tex", "every-line")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=3600)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "sheet.pdf").exists()
    assert re.findall(r"Overfull \\hbox.*", done.stdout) == []


@pytest.mark.parametrize("width", [23, 0, -1, 40.5, None, "80"])
def test_a_terminal_is_a_whole_number_of_columns_wide(width):
    with pytest.raises(InputError, match="at least 24"):
        to_terminal(SAMPLE, Level.BRIEF, width)


@pytest.mark.parametrize("path", [None, 3, b"a.txt", "a.txt/"])
def test_what_is_no_name_of_a_file_is_refused(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match=r"not a file name.*\.html"):
        save(SAMPLE, path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", RENDERERS)
def test_an_arm_without_mass_is_derived(ending):
    bodies = [la.Body(b, p, la.Joint(f"j{b}", la.JointKind.REVOLUTE), la.MassProperties()) for p, b in ("0a", "ab")]
    derivation = la.derive(la.Arm("light", tuple(bodies), base="0"))
    assert any(shown.equation.sides[-1] == column(()) for each in derivation for shown in each.equations)
    assert RENDERERS[ending](derivation.document, Level.EVERY_LINE)


def test_a_long_left_side_is_broken_too():
    terms = tuple(Product((Symbol(f"m{k}"), Symbol("g"), Symbol(f"a{k}"))) for k in range(1, 40))
    block = displays((Shown(Equation((Sum(terms), Symbol("tau")))),), SAMPLE.writing, 39.0)[0]
    assert block.width < 42 and block.aligned.endswith("\n&\\quad = \\tau")


def test_what_cannot_be_narrower_is_set_smaller():
    assert [size_that_fits(width, 40) for width in (40, 43, 48, 54, 90)] == [
        "",
        r"\small",
        r"\footnotesize",
        *[r"\scriptsize"] * 2,
    ]


def test_html_is_one_file_that_nests_and_whose_links_lead_somewhere():
    text = to_html(SAMPLE)
    page = Page(text)
    assert "http" not in text and "script" not in page.tags and "link" not in page.tags
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    formulas = sum(len(each.equations) for each in SAMPLE)
    assert text.count('<div class="display ') == formulas


def test_html_opens_at_the_level_asked_for():
    for name, level in {"brief": Level.BRIEF, "full": Level.FULL, "every-line": Level.EVERY_LINE}.items():
        checked = re.findall(r'id="([^"]+)" checked', to_html(SAMPLE, level))
        assert checked == [name]


def test_html_escapes_words():
    page = Page(to_html(odd_document()))
    assert page.text.count(ODD) == 11  # title, h1, summary, part, step, words, index, table (3), proof
    assert "i" not in page.tags


def test_code_in_a_sentence_is_set_as_code():
    derivation = replace(SAMPLE, summary=(Paragraph(("Ask `la.equations(arm_1)` & see.",)),))
    assert "Ask `la.equations(arm_1)` & see." in to_markdown(derivation)
    assert r"Ask \texttt{la.equations(arm\_1)} \& see." in to_latex_document(derivation)
    assert "Ask <code>la.equations(arm_1)</code> &amp; see." in to_html(derivation)


def test_columns_give_way_from_the_widest_and_never_below_the_least():
    assert narrowed([10, 5], [2, 2], 20) == [10, 5]
    assert narrowed([10, 5], [2, 2], 12) == [7, 5]
    assert narrowed([10, 6, 3], [2, 2, 3], 11) == [4, 4, 3]
    assert narrowed([10, 20], [10, 5], 22) == [10, 12]
    assert narrowed([10, 20], [10, 20], 22) is None


def test_a_table_that_is_too_wide_for_the_terminal_becomes_lists():
    row = ("upper arm", Equation((Symbol("I"), Matrix(((Symbol("inertia"),) * 3,) * 2))))
    derivation = replace(
        SAMPLE, sections=(chapter("Part", (step("Step", (), (), (Table(("link", "inertia"), (row,)),)),)),)
    )
    assert "link       inertia" in to_terminal(derivation, Level.FULL, 60).plain
    narrow = to_terminal(derivation, Level.FULL, 34).plain
    assert "link     upper arm" in narrow and "inertia  " in narrow


def test_html_names_of_equal_titles_differ():
    one = step("Again", ())
    page = Page(
        to_html(replace(SAMPLE, sections=(chapter("Again", (one, one)), chapter("Again", (one,)), chapter("full", ()))))
    )
    assert {"again", "again-2", "again-3", "again-4", "again-5", "full-2"} <= set(page.ids)


def test_notebook_is_valid_and_its_ids_are_stable():
    nbformat = pytest.importorskip("nbformat")
    text = to_notebook(SAMPLE, Level.EVERY_LINE)
    nbformat.validate(nbformat.reads(text, as_version=4))
    ids = [cell["id"] for cell in json.loads(text)["cells"]]
    assert ids[:4] == ["title", "setup", "section-1-1-4-words", "section-1-1-4"] and len(ids) == len(set(ids))


def test_notebook_code_runs_from_top_to_bottom():
    cells = json.loads(to_notebook(SAMPLE))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    names: dict[str, object] = {}
    for cell in code:
        exec("".join(cell["source"]), names)
    assert names["M"].shape == (2, 2)


@pytest.mark.slow
def test_notebook_executes_in_jupyter():
    pytest.importorskip("ipykernel")
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.reads(to_notebook(SAMPLE, Level.BRIEF), as_version=4)
    nbclient.NotebookClient(notebook, timeout=None, startup_timeout=3600).execute()
    outputs = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    assert [out.output_type for out in outputs] == ["execute_result"]
    assert "array" in outputs[0].data["text/plain"]


@pytest.mark.parametrize("ending", [*RENDERERS, ".HTML"])
def test_save_writes_by_the_ending(ending, tmp_path):
    path = tmp_path / f"sheet{ending}"
    path.write_text("old")
    path.chmod(0o640)
    save(SAMPLE, path)
    assert path.read_text(encoding="utf-8") == RENDERERS[ending.lower()](SAMPLE, Level.FULL)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet", ".html", ""])
def test_save_names_the_valid_endings(name, tmp_path):
    with pytest.raises(FormatError, match=r"Valid: \.html, \.md, \.tex, \.ipynb, \.txt\."):
        save(SAMPLE, f"{tmp_path}/{name}")
    assert list(tmp_path.iterdir()) == []


def test_save_says_which_path_cannot_be_written(tmp_path):
    folder = tmp_path / "folder.md"
    folder.mkdir()
    for path in (tmp_path / "missing" / "a.md", folder, "\0.md"):
        with pytest.raises(FormatError, match="cannot be written") as caught:
            save(SAMPLE, path)
        assert str(caught.value).startswith(f"{path}: ")
    assert [each.name for each in tmp_path.iterdir()] == ["folder.md"]


def test_importing_the_renderers_loads_no_rich():
    code = "import sys, leverarm.documents.saving; print('rich' in sys.modules, 'numpy' in sys.modules)"
    source = ROOT / "src"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(source)})
    assert done.stdout.split()[0] == "False", done.stderr
