"""Findings as a section of a document: the most severe first, each with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.documents.document import Document, Items, Mark, Paragraph, Section, Tone
from leverarm.findings import LEVELS, Finding, Level

TONES: dict[Level, Tone] = {"error": "bad", "warning": "fair", "note": "plain"}
HINTS: dict[Level, str] = {
    "error": "the result cannot be used as it is",
    "warning": "the result may be wrong because of this",
    "note": "worth knowing",
}


def findings_section(findings: Sequence[Finding]) -> Section:
    """A list of all findings under their number: "Findings: 1 error, 2 notes"."""
    if not findings:
        return Section("Findings", (Paragraph(("No findings.",)),))
    return Section(f"Findings: {counted(findings)}", (findings_items(findings),))


def findings_items(findings: Sequence[Finding]) -> Items:
    """Each finding with its level as a mark."""
    ordered = sorted(findings, key=lambda finding: LEVELS.index(finding.level))
    return Items(
        tuple(
            (Mark(each.level, TONES[each.level], HINTS[each.level]), f" {each.where}: {each.message} {each.remedy}")
            for each in ordered
        )
    )


def counted(findings: Sequence[Finding]) -> str:
    """How many there are of each level: 1 error, 2 notes."""
    levels = [finding.level for finding in findings]
    numbers = {level: levels.count(level) for level in LEVELS if level in levels}
    return ", ".join(f"{number} {level}{'s' * (number != 1)}" for level, number in numbers.items())


def findings_document(name: str, findings: Sequence[Finding]) -> Document:
    """Findings on their own, under the name of what they are about."""
    title = f"{name}: {counted(findings) or 'nothing to remark'}"
    return Document(title, (findings_items(findings),) if findings else (), ())
