"""The result in a screenful of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from leverarm.findings import LEVELS
from leverarm.identification.report.formatting import percent, setting_text, short
from leverarm.identification.report.parameter_table import shortened

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation
    from leverarm.identification.result import Identified


_CODE = re.compile(r"`([^`]+)`")


def sentence(text: str) -> str:
    """A sentence as HTML."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def paragraphs(text: str) -> str:
    """Every line that is not empty as a paragraph."""
    return "".join(f"<p>{sentence(line.strip())}</p>" for line in text.splitlines() if line.strip())


def counted(number: int, noun: str) -> str:
    """1 error, 2 errors."""
    return f"{number} {noun}{'s' * (number != 1)}"


WIDTH = 100
NAME, NUMBER = 26, 9
"""Widths of a line's name and of each number after it."""
MOST_FINDINGS = 5
MOST_NAMES = 8
MOST_SETTING_LINES = 3


def summary(result: Identified) -> str:
    """The verdict, errors per joint [%], friction, parameters that are not identifiable, findings: about 40 lines."""
    parts = (_verdict(result), _errors(result), _friction(result), _parameters(result), _findings(result))
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part))) + "\n"


def _verdict(result: Identified) -> Iterator[str]:
    word = "accepted" if result.accepted else "refused"
    yield f"{result.given.name} from {result.cross_validation.name}: {word}"
    yield from _wrapped(result.verdict, "  ")
    ran = "; ".join(f"{name} {setting_text(value)}" for name, value in result.settings.items())
    yield from _wrapped(f"settings: {ran}", "  ", most=MOST_SETTING_LINES)


def _errors(result: Identified) -> Iterator[str]:
    joints = result.arm.coordinates
    heads = dict(zip(joints, shortened(joints), strict=True))
    room = (WIDTH - NAME) // NUMBER - 1
    for start in range(0, len(joints), room):
        some = joints[start : start + room]
        yield from _heads([heads[joint] for joint in some])
        for each in result.validations:
            yield from _log(each, each.name, some)
        yield from _log(result.cross_validation, "left-out blocks", some)


def _heads(names: Sequence[str]) -> Iterator[str]:
    """Joint names above their columns; a long one is stacked word by word."""
    pieces = [["all"], *([name] if len(name) < NUMBER else name.split("_") for name in names)]
    height = max(map(len, pieces))
    for k in range(height):
        words = [piece[k - height + len(piece)] if k >= height - len(piece) else "" for piece in pieces]
        title = "torque error [%]" if k == height - 1 else ""
        yield (f"{title:{NAME}}" + "".join(f"{word[: NUMBER - 1]:>{NUMBER}}" for word in words)).rstrip()


def _log(validation: Validation, name: str, joints: Sequence[str]) -> Iterator[str]:
    short_name = name if len(name) < NAME - 9 else "..." + name[-(NAME - 13) :]
    yield _numbers(f"{short_name}", validation.relative_error, validation.per_joint, joints)
    yield _numbers("  filtered torque", validation.filtered_error, validation.per_joint_filtered, joints)
    if validation.cad_error is not None:
        yield _numbers("  nominal arm", validation.cad_error, validation.cad_per_joint or {}, joints)
    if validation.floor is not None:
        yield _numbers("  repeatability floor", validation.floor, {}, joints)
    yield _numbers("  noise above cut-off", validation.noise_error, {}, joints)


def _numbers(name: str, overall: float, errors: Mapping[str, float], joints: Sequence[str]) -> str:
    cells = [percent(overall), *(percent(errors[joint]) if joint in errors else "" for joint in joints)]
    return (f"{name:{NAME}}" + "".join(f"{cell:>{NUMBER}}" for cell in cells)).rstrip()


def _friction(result: Identified) -> Iterator[str]:
    if not result.frictions:
        return
    yield f"{'friction':{NAME}}{'viscous':>11}{'Coulomb':>11}{'offset':>11}  model"
    for each in result.frictions:
        values = (each.viscous, each.coulomb, each.offset)
        numbers = "".join(f"{short(x, 3):>11}" for x in values)
        yield f"  {each.joint:{NAME - 2}}{numbers}  {each.model}"[:WIDTH]


def _parameters(result: Identified) -> Iterator[str]:
    estimates = tuple(result.parameters)
    unidentifiable = [each.name for each in estimates if not each.identifiable]
    identifiable = f"{len(estimates) - len(unidentifiable)} of {len(estimates)} parameters are identifiable"
    more = f" and {len(unidentifiable) - MOST_NAMES} more" if len(unidentifiable) > MOST_NAMES else ""
    rest = f"; not identifiable: {', '.join(unidentifiable[:MOST_NAMES])}{more}" if unidentifiable else ""
    yield from _wrapped(f"{identifiable} (condition number {short(result.condition, 3)}){rest}")


def _findings(result: Identified) -> Iterator[str]:
    levels = [each.level for each in result.findings]
    listed = [counted(levels.count(level), level) for level in LEVELS if level in levels]
    if not listed:
        return
    yield f"findings: {', '.join(listed)}"
    serious = [each for level in LEVELS[:2] for each in result.findings if each.level == level]
    for each in serious[:MOST_FINDINGS]:
        yield from _wrapped(f"{each.level}: {each.where}: {each.message} {each.remedy}", "  ", "    ")
    if len(serious) > MOST_FINDINGS:
        yield f"  and {len(serious) - MOST_FINDINGS} more in the report"


def _wrapped(text: str, first: str = "", others: str | None = None, most: int | None = None) -> list[str]:
    behind = first if others is None else others
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=behind, max_lines=most, placeholder=" ...")
