"""What was found about the log, the motion and the fit, with what to do; and what ran with which settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from leverarm.identification.report.numbers import short
from leverarm.identification.report.sentences import sentence
from leverarm.lint.finding import LEVELS, Finding

TITLES = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
SAYS = {
    "error": "the result cannot be used as it is",
    "warning": "the result may be wrong because of this",
    "note": "worth knowing",
}


def findings_list(findings: Sequence[Finding]) -> str:
    """Findings by level, the worst first."""
    if not findings:
        return "<p>Nothing was found that a user should know.</p>"
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
    """What ran, one line per setting."""
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(setting_text(value))}</td></tr>'
        for name, value in settings.items()
    )
    return f'<table class="settings">{lines}</table>'


def setting_text(value: object) -> str:
    """A setting as words or as a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return short(float(value), 5)


def _item(finding: Finding) -> str:
    remedy = f'<div class="remedy">{sentence(finding.remedy)}</div>' if finding.remedy else ""
    return f"<li><b>{escape(finding.where)}</b> {sentence(finding.message)}{remedy}</li>"
