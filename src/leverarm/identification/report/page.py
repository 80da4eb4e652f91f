"""The report as one web page: plots, formulas and style sheets inside, no script, nothing from the network.

Verdict and figures, torque errors of every joint on every log, plots, parameters, findings with remedies, settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from leverarm._version import __version__
from leverarm.documents.page import page_style
from leverarm.findings import LEVELS, Finding
from leverarm.identification.report.formatting import percent, setting_text, short
from leverarm.identification.report.parameter_table import parameter_table, shortened
from leverarm.identification.report.plots import friction_plots, torque_plots
from leverarm.identification.report.terminal_text import counted, paragraphs, sentence

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation
    from leverarm.identification.result import Identified


WHAT = (
    "Errors are 100 ‖τ − τ̂‖ / ‖τ‖ [%]: the torque that the model does not predict, relative to the torque of that "
    "joint while it moves. Raw torque includes noise above the filter's cut-off, which no model of the motion "
    "predicts; filtered torque does not."
)
WORSE = "▲ where the nominal arm was better."
FLOOR = "The floor is how much the torque differs when the robot repeats the same motion."


def error_table(result: Identified) -> str:
    """One group of lines per log: the model on raw and on filtered torque, the nominal arm, the floor."""
    joints = result.arm.coordinates
    names = [escape(name).replace("_", "_<wbr>") for name in ("all", *shortened(joints))]
    heads = "".join(f'<th scope="col" class="number">{name}</th>' for name in names)
    groups = [_group(validation, "another motion", joints) for validation in result.validations]
    groups.append(_group(result.cross_validation, "each block of the fitted log left out in turn", joints))
    is_worse = any('class="worse"' in group for group in groups)
    has_floor = any(each.floor is not None for each in (*result.validations, result.cross_validation))
    caption = " ".join((WHAT, *([WORSE] if is_worse else []), *([FLOOR] if has_floor else [])))
    head = f'<thead><tr><th scope="col">torque error [%]</th>{heads}</tr></thead>'
    return (
        f'<div class="table" tabindex="0"><table class="errors">{head}\n{chr(10).join(groups)}\n</table></div>'
        f'<p class="aside">{caption}</p>'
    )


def _group(validation: Validation, kind: str, joints: tuple[str, ...]) -> str:
    overall, given = validation.cad_error, validation.cad_per_joint or {}
    lines = [
        _line("model, raw torque", validation.relative_error, validation.per_joint, joints, overall, given),
        _line("model, filtered torque", validation.filtered_error, validation.per_joint_filtered, joints),
    ]
    if validation.cad_error is not None:
        lines.append(_line("nominal arm", validation.cad_error, given, joints))
    if validation.floor is not None:
        lines.append(_line("repeatability floor", validation.floor, {}, joints))
    lines.append(_line("noise above the cut-off", validation.noise_error, {}, joints))
    if validation.rests.any():
        lines.append(_line("model, resting joints too", validation.all_rows_error, {}, joints))
    samples = f", {len(validation.t):,} samples" if len(validation.t) else ""
    named = f"{escape(validation.name)} <span>{kind}{samples}</span>"
    head = f'<th scope="rowgroup" colspan="{len(joints) + 2}">{named}</th>'
    return f'<tbody><tr class="log">{head}</tr>{"".join(lines)}</tbody>'


def _line(
    name: str,
    overall: float,
    errors: Mapping[str, float],
    joints: tuple[str, ...],
    overall_given: float | None = None,
    given: Mapping[str, float] | None = None,
) -> str:
    bounds = [overall_given, *((given or {}).get(joint) for joint in joints)]
    values = [overall, *(errors.get(joint) for joint in joints)]
    cells = "".join(_cell(value, bound) for value, bound in zip(values, bounds, strict=True))
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def _cell(value: float | None, given: float | None) -> str:
    if value is None:
        return "<td></td>"
    is_worse = given is not None and value > given
    mark = '<span class="worse" title="the nominal arm was better">▲</span>' if is_worse else ""
    return f'<td class="number">{mark}{percent(value)}</td>'


TITLES = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
SAYS = {
    "error": "the result cannot be used as it is",
    "warning": "the result may be wrong because of this",
    "note": "worth knowing",
}


def findings_list(findings: Sequence[Finding]) -> str:
    """Findings by level, most severe first."""
    if not findings:
        return "<p>No findings.</p>"
    groups = []
    for level in LEVELS:
        own = [finding for finding in findings if finding.level == level]
        if own:
            items = "\n".join(_item(finding) for finding in own)
            groups.append(
                f'<h3 class="{level}">{TITLES[level]} <span>{len(own)}, {SAYS[level]}</span></h3>'
                f'\n<ul class="findings {level}">\n{items}\n</ul>'
            )
    return "\n".join(groups)


def settings_table(settings: Mapping[str, str | float]) -> str:
    """The settings, one per line."""
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(setting_text(value))}</td></tr>'
        for name, value in settings.items()
    )
    return f'<table class="settings">{lines}</table>'


def _item(finding: Finding) -> str:
    remedy = f'<div class="remedy">{sentence(finding.remedy)}</div>' if finding.remedy else ""
    return f"<li><b>{escape(finding.where)}</b> {sentence(finding.message)}{remedy}</li>"


MOST_TILES = 2
"""Logs whose error is shown at the top; the table has them all."""
SWAP = '<div class="switches"><label class="swap"><input type="checkbox" id="swap">light / dark</label></div>'
PARAMETERS = (
    "The base (minimal) parameters: the torques depend on these combinations and on no others. The bar shows each on "
    "an axis of its own that includes zero: short and far from zero is well identified. The consistent value is that "
    "of the identified arm, whose links are all physically consistent."
)
FRICTION = "The measured torque minus the rigid-body part of the model, and the friction law that predicts best."


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
    """Anchor, title and content of each part."""
    parts = [("errors", "Prediction errors", error_table(result))]
    parts.append(("torques", "Measured and predicted torque", _torques(result)))
    if result.frictions:
        parts.append(("friction", "Friction", f"<p>{FRICTION}</p>{friction_plots(result)}"))
    parts.append(("parameters", "Parameters", f"<p>{PARAMETERS}</p>{parameter_table(result)}"))
    parts.append(("findings", "Findings", findings_list(result.findings)))
    parts.append(("settings", "Settings", settings_table(result.settings)))
    return parts


def _serious(result: Identified) -> str:
    """The number of errors and warnings, for the contents."""
    levels = [finding.level for finding in result.findings]
    serious = [counted(levels.count(level), level) for level in ("error", "warning") if level in levels]
    return f" ({', '.join(serious)})" if serious else ""


def _section(anchor: str, title: str, content: str) -> str:
    here = f'<a class="here" href="#{anchor}" aria-label="link to this place">#</a>'
    return f'<section class="part" id="{anchor}">\n<h2>{title}{here}</h2>\n{content}\n</section>'


def _about(result: Identified) -> str:
    arm = result.given
    named = f"{escape(arm.title)}, <code>{escape(arm.name)}</code>" if arm.title else f"<code>{escape(arm.name)}</code>"
    fitted = escape(result.cross_validation.name)
    checked = ", ".join(escape(each.name) for each in result.validations)
    words = f"{named}, {arm.dof} joint{'s' * (arm.dof != 1)}. Fitted to {fitted}"
    return f'<p class="summary">{words}{f"; validated on {checked}" if checked else ""}.</p>'


def _verdict(result: Identified) -> str:
    word, kind = ("Accepted", "accepted") if result.accepted else ("Refused", "refused")
    mark = "✓" if result.accepted else "✗"
    return f'<div class="verdict {kind}"><strong>{mark} {word}</strong>{paragraphs(result.verdict)}</div>'


def _figures(result: Identified) -> str:
    """The key figures."""
    estimates = tuple(result.parameters)
    identifiable = sum(each.identifiable for each in estimates)
    cross = result.cross_validation
    tiles = [
        _tile(f"{percent(each.relative_error)} %", f"error on {each.name}", _beside(each))
        for each in result.validations[:MOST_TILES]
    ]
    tiles.append(_tile(f"{percent(cross.relative_error)} %", "error on left-out blocks", _beside(cross)))
    tiles.append(_tile(f"{identifiable} of {len(estimates)}", "identifiable parameters", f"rank {result.rank}"))
    tiles.append(_tile(short(result.condition, 3), "condition number", "of the scaled regressor"))
    return f'<dl class="figures">{"".join(tiles)}</dl>'


def _beside(validation: Validation) -> str:
    parts = [f"nominal {percent(validation.cad_error)} %"] if validation.cad_error is not None else []
    parts += [f"floor {percent(validation.floor)} %"] if validation.floor is not None else []
    return ", ".join(parts)


def _tile(number: str, what: str, beside: str) -> str:
    more = f"<small>{escape(beside)}</small>" if beside else ""
    return f"<div><dt>{escape(what)}{more}</dt><dd>{escape(number)}</dd></div>"


def _torques(result: Identified) -> str:
    """Every validation log; left-out blocks are folded away where another motion was given."""
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
