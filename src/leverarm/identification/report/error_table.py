"""Torque errors of every joint on every log, next to those of the arm as it was given."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from leverarm.identification.report.numbers import percent
from leverarm.identification.report.parameter_names import shortened

if TYPE_CHECKING:
    from leverarm.identification.result import Identified, Validation

WHAT = (
    "Errors are 100 ‖τ − τ̂‖ / ‖τ‖ [%]: the torque that the model leaves unexplained, as a part of the torque of that "
    "joint while it does not rest. Raw torque has noise above the filter's cut-off, which no model of the motion "
    "predicts; filtered torque has not."
)
WORSE = "▲ where the arm as given was better."
FLOOR = "The floor is how much the same motion differs from itself when the robot repeats it."


def error_table(result: Identified) -> str:
    """One group of lines per log: the model on raw and on filtered torque, the arm as given, the floor."""
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
        lines.append(_line("arm as given", validation.cad_error, given, joints))
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
    mark = '<span class="worse" title="the arm as given was better">▲</span>' if is_worse else ""
    return f'<td class="number">{mark}{percent(value)}</td>'
