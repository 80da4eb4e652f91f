"""The report as one web page: drawings, formulas and style sheets inside, no script, nothing from the network."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from leverarm._version import __version__
from leverarm.identification.report.error_table import error_table
from leverarm.identification.report.findings_list import findings_list, settings_table
from leverarm.identification.report.friction_plots import friction_plots
from leverarm.identification.report.numbers import percent, short
from leverarm.identification.report.parameter_table import parameter_table
from leverarm.identification.report.sentences import counted, paragraphs
from leverarm.identification.report.torque_plots import torque_plots
from leverarm.notation.page_style import page_style

if TYPE_CHECKING:
    from leverarm.identification.result import Identified, Validation

MOST_TILES = 2
"""Logs whose error stands at the top; the table has them all."""
SWAP = '<div class="switches"><label class="swap"><input type="checkbox" id="swap">light / dark</label></div>'
PARAMETERS = (
    "The torques depend on these combinations of parameters and on no others. The bar shows each on an axis of its own "
    "that has zero: short and far from zero is well told. The consistent value is that of the identified arm, whose "
    "links all have positive mass and an inertia that a body can have."
)
FRICTION = "What is left of the measured torque without the rigid part of the model, and the law that predicts best."


def to_html(result: Identified) -> str:
    """The text of an .html file."""
    own = (resources.files("leverarm") / "identification" / "report" / "report.css").read_text(encoding="utf-8")
    title = f"Identification of {escape(result.given.name)}"
    parts = _parts(result)
    counts = {"findings": _serious(result)}
    contents = "".join(f'<li><a href="#{anchor}">{name}</a>{counts.get(anchor, "")}</li>' for anchor, name, _ in parts)
    return "\n".join((
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="leverarm {escape(__version__)}">',
        f"<title>{title}</title>", f"<style>\n{page_style()}\n{own}</style>", "</head>",
        '<body class="identification">', '<div class="sheet">', "<header>", SWAP, f"<h1>{title}</h1>",
        _about(result), _verdict(result), _figures(result),
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>', "</header>", "<main>",
        *(_section(*part) for part in parts),
        "</main>", f"<footer>{_footer(result)}</footer>", "</div>", "</body>", "</html>", "",
    ))  # fmt: skip


def _parts(result: Identified) -> list[tuple[str, str, str]]:
    """Anchor, title and content of each part, in the order a reader wants them."""
    parts = [("errors", "How well it predicts", error_table(result))]
    parts.append(("torques", "Measured and predicted torque", _torques(result)))
    if result.frictions:
        parts.append(("friction", "Friction", f"<p>{FRICTION}</p>{friction_plots(result)}"))
    parts.append(("parameters", "Parameters", f"<p>{PARAMETERS}</p>{parameter_table(result)}"))
    parts.append(("findings", "Findings", findings_list(result.findings)))
    parts.append(("settings", "What ran", settings_table(result.settings)))
    return parts


def _serious(result: Identified) -> str:
    """How many errors and warnings there are, for the contents."""
    levels = [finding.level for finding in result.findings]
    told = [counted(levels.count(level), level) for level in ("error", "warning") if level in levels]
    return f" ({', '.join(told)})" if told else ""


def _section(anchor: str, title: str, content: str) -> str:
    here = f'<a class="here" href="#{anchor}" aria-label="link to this place">#</a>'
    return f'<section class="part" id="{anchor}">\n<h2>{title}{here}</h2>\n{content}\n</section>'


def _about(result: Identified) -> str:
    arm = result.given
    named = f"{escape(arm.title)}, <code>{escape(arm.name)}</code>" if arm.title else f"<code>{escape(arm.name)}</code>"
    fitted = escape(result.cross_validation.name)
    checked = ", ".join(escape(each.name) for each in result.validations)
    words = f"{named}, {arm.dof} joint{'s' * (arm.dof != 1)}. Fitted to {fitted}"
    return f'<p class="summary">{words}{f"; tried on {checked}" if checked else ""}.</p>'


def _verdict(result: Identified) -> str:
    word, kind = ("Accepted", "accepted") if result.accepted else ("Refused", "refused")
    mark = "✓" if result.accepted else "✗"
    return f'<div class="verdict {kind}"><strong>{mark} {word}</strong>{paragraphs(result.verdict)}</div>'


def _figures(result: Identified) -> str:
    """The few numbers that matter most."""
    estimates = tuple(result.parameters)
    told = sum(each.told for each in estimates)
    cross = result.cross_validation
    tiles = [
        _tile(f"{percent(each.relative_error)} %", f"error on {each.name}", _beside(each))
        for each in result.validations[:MOST_TILES]
    ]
    tiles.append(_tile(f"{percent(cross.relative_error)} %", "error on blocks left out", _beside(cross)))
    tiles.append(_tile(f"{told} of {len(estimates)}", "parameters told by the data", f"rank {result.rank}"))
    tiles.append(_tile(short(result.condition, 3), "condition number", "of the scaled regressor"))
    return f'<dl class="figures">{"".join(tiles)}</dl>'


def _beside(validation: Validation) -> str:
    parts = [f"as given {percent(validation.cad_error)} %"] if validation.cad_error is not None else []
    parts += [f"floor {percent(validation.floor)} %"] if validation.floor is not None else []
    return ", ".join(parts)


def _tile(number: str, what: str, beside: str) -> str:
    more = f"<small>{escape(beside)}</small>" if beside else ""
    return f"<div><dt>{escape(what)}{more}</dt><dd>{escape(number)}</dd></div>"


def _torques(result: Identified) -> str:
    """Every log that the model was tried on; blocks left out are folded away where another motion was given."""
    cross = result.cross_validation
    shown = [
        f"<h3>{escape(each.name)} <span>another motion</span></h3>\n{torque_plots(result, each)}"
        for each in result.validations
    ]
    heading = f"{escape(cross.name)} <span>each block predicted by a fit without it</span>"
    plots = torque_plots(result, cross)
    if shown:
        shown.append(f"<details><summary>{heading}</summary>\n{plots}\n</details>")
    else:
        shown.append(f"<h3>{heading}</h3>\n{plots}")
    return "\n".join(shown)


def _footer(result: Identified) -> str:
    return f"Fitted in {short(result.seconds, 2)} s by leverarm {escape(__version__)}."
