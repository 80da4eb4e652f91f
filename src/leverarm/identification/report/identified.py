"""An identified arm as a document: verdict, torque errors, plots, friction, parameters, findings, settings.

`identified_data` is all of it as plain data for a JSON file, long signals thinned; what is unknown or not finite is
null.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from leverarm._version import __version__
from leverarm.arrays import Array
from leverarm.documents import Code, Document, Facts, Level, Paragraph, Section, Table, Verdict
from leverarm.documents.findings import findings_section
from leverarm.findings import first_of
from leverarm.formats.loading import python_of_arm
from leverarm.identification.prediction import Validation
from leverarm.identification.report.numbers import percent, plain, setting_text, short
from leverarm.identification.report.parameters import parameter_table
from leverarm.identification.report.plots import friction_plots, torque_plots
from leverarm.identification.result import Identified, JointFriction

MOST_FACTS = 2
"""Logs whose error is among the key figures; the table has them all."""
MOST_NAMES = 8
ERRORS = (
    "Errors are 100 ‖τ − τ̂‖ / ‖τ‖ [%]: the torque that the model does not predict, relative to the torque of that "
    "joint while it moves. Raw torque includes noise above the filter's cut-off, which no model of the motion "
    "predicts; filtered torque does not."
)
WORSE = "▲: the nominal arm was better."
FLOOR = "The floor is how much the torque differs when the robot repeats the same motion."
TORQUES = "Marks at the lower edge: the joint rests, and these samples are not counted."
FRICTION = (
    "In N m and rad/s, or N and m/s where a joint slides; forward and backward where they differ. The points are the "
    "measured torque minus the rigid-body part of the model, means of bins of speeds with ± 2 standard errors."
)
PARAMETERS = (
    "The base (minimal) parameters: the torques depend on these combinations and on no others. The bar shows each with "
    "its 95 % interval on an axis of its own that includes zero: short and far from zero is well identified. The thick "
    "stroke is the nominal value, the wide dot the consistent one: that of the identified arm, whose links are all "
    "physically consistent."
)


def identified_document(result: Identified) -> Document:
    """The report on an identification; brief, it is what a terminal shows."""
    arm, fitted = result.given, result.cross_validation
    checked = ", ".join(each.name for each in result.validations)
    title = f"{arm.title}, " if arm.title else ""
    about = f"{title}{arm.dof} joint{'s' * (arm.dof != 1)}. Fitted to {fitted.name}"
    verdict = f"{'Accepted' if result.accepted else 'Refused'}. {' '.join(result.verdict.split())}"
    return Document(
        title=f"Identification of {arm.name}",
        summary=(
            Paragraph((f"{about}; validated on {checked}." if checked else f"{about}.",)),
            Verdict((verdict,), "good" if result.accepted else "bad"),
            Facts(tuple(_facts(result))),
        ),
        sections=tuple(_sections(result)),
        code=f"import leverarm as la\n\n{python_of_arm(result.arm)}",
        data=identified_data(result),
        layout="report",
    )


def _facts(result: Identified) -> Iterator[tuple[str, str, str]]:
    """The key figures."""
    for name, log in (
        *((each.name, each) for each in result.validations[:MOST_FACTS]), ("left-out blocks", result.cross_validation),
    ):  # fmt: skip
        beside = (("nominal", log.cad_error), ("floor", log.floor))
        remark = ", ".join(f"{what} {percent(error)} %" for what, error in beside if error is not None)
        yield f"error on {name}", f"{percent(log.relative_error)} %", remark
    identifiable = sum(each.identifiable for each in result.parameters)
    yield "identifiable parameters", f"{identifiable} of {len(result.parameters)}", f"rank {result.rank}"
    yield "condition number", short(result.condition, 3), "of the scaled regressor"


def _sections(result: Identified) -> Iterator[Section]:
    table, cross = error_table(result), result.cross_validation
    is_worse = "▲" in str(table.rows)
    has_floor = any(log.floor is not None for log in (*result.validations, cross))
    notes = " ".join((ERRORS, *([WORSE] if is_worse else []), *([FLOOR] if has_floor else [])))
    yield Section("Prediction errors", (table, Paragraph((notes,), "aside")))
    logs = [(f"{log.name}: another motion", log, Level.FULL) for log in result.validations]
    lowest = Level.EVERY_LINE if logs else Level.FULL
    logs.append((f"{cross.name}: each block predicted by a fit without it", cross, lowest))
    plots = tuple(
        Section(name, tuple(torque_plots(result.arm, log, result.noise)), level=level) for name, log, level in logs
    )
    yield Section("Measured and predicted torque", (Paragraph((TORQUES,), "aside"),), plots, Level.FULL)
    if result.frictions:
        drawn = Section("Friction over speed", (Paragraph((FRICTION,)), *friction_plots(result)), level=Level.FULL)
        yield Section("Friction", (friction_table(result),), (drawn,))
    yield _parameters(result)
    yield findings_section(result.findings)
    settings = tuple((name, setting_text(value)) for name, value in result.settings.items())
    ended = Paragraph((f"Fitted in {short(result.seconds, 2)} s.",), "aside")
    yield Section("Settings", (Table((), settings), ended), level=Level.FULL)


def error_table(result: Identified) -> Table:
    """Of each log and joint: the model on raw and on filtered torque, and the nominal arm."""
    rows: list[tuple[str, ...]] = []
    cross = "each block of the fitted log left out in turn"
    for log, kind in (*((each, "another motion") for each in result.validations), (result.cross_validation, cross)):
        rows.append((f"{log.name}: {kind}" + (f", {len(log.t):,} samples" if len(log.t) else ""),))
        rows += _errors(log, result.arm.coordinates)
    heads = ("torque error [%]", "raw torque", "filtered torque", "nominal arm, raw")
    return Table(heads, tuple(rows), numeric=(1, 2, 3))


def _errors(log: Validation, joints: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    given = log.cad_per_joint or {}
    yield _error("all joints", log.relative_error, log.filtered_error, log.cad_error)
    for joint in joints:
        yield _error(joint, log.per_joint.get(joint), log.per_joint_filtered.get(joint), given.get(joint))
    if log.rests.any():
        yield _error("all joints, rest included", log.all_rows_error)
    if log.floor is not None:
        yield _error("repeatability floor", log.floor)
    yield _error("noise above the cut-off", log.noise_error)


def _error(name: str, raw: float | None, filtered: float | None = None, given: float | None = None) -> tuple[str, ...]:
    is_worse = raw is not None and given is not None and raw > given
    cells = ["" if error is None else percent(error) for error in (raw, filtered, given)]
    return name, f"▲ {cells[0]}" if is_worse else cells[0], *cells[1:]


def friction_table(result: Identified) -> Table:
    """The numbers of each joint's friction model."""
    heads = ("joint", "viscous", "Coulomb", "offset", "model")
    return Table(heads, tuple(map(_friction, result.frictions)), numeric=(1, 2, 3))


def _friction(friction: JointFriction) -> tuple[str, ...]:
    forward = (friction.viscous, friction.coulomb)
    cells = [
        short(plus, 3) if plus == minus else f"{short(plus, 3)}, {short(minus, 3)}"
        for plus, minus in zip(forward, friction.backward, strict=True)
    ]
    return friction.joint, *cells, short(friction.offset, 3), friction.model


def _parameters(result: Identified) -> Section:
    estimates = tuple(result.parameters)
    unidentifiable = [each.name for each in estimates if not each.identifiable]
    words = f"{len(estimates) - len(unidentifiable)} of {len(estimates)} parameters are identifiable"
    rest = f"; not identifiable: {first_of(unidentifiable, MOST_NAMES)}" if unidentifiable else ""
    values = {each.name: (each.value, each.standard_error) for each in estimates}
    listed = ",\n".join(f"    {name!r}: {pair!r}" for name, pair in values.items())
    code = Code(f"estimates = {{  # name: (value, standard error)\n{listed},\n}}".replace("inf", "float('inf')"))
    table = (Paragraph((PARAMETERS,)), parameter_table(estimates), code)
    return Section("Parameters", (Paragraph((f"{words}{rest}.",)),), (Section("All", table, level=Level.FULL),))


FORMAT = "leverarm identification 1"
MOST_ROWS = 400
"""Samples of a signal over time; the log itself has them all."""
SIGNAL_DIGITS = 6
WRITTEN = (
    "name", "relative_error", "filtered_error", "all_rows_error", "noise_error", "per_joint", "per_joint_filtered",
    "cad_error", "cad_per_joint", "floor",
)  # fmt: skip
"""Fields of a `Validation` that are written as they are."""


def identified_data(result: Identified) -> dict[str, Any]:
    """Everything about an identified arm."""
    given = result.given
    return {
        "format": FORMAT,
        "versions": {"leverarm": __version__, "numpy": np.__version__, "python": platform.python_version()},
        "arm": {"name": given.name, "title": given.title, "joints": list(given.coordinates)},
        **{name: plain(getattr(result, name)) for name in ("accepted", "verdict", "condition", "rank", "noise")},
        "parameters": [plain(asdict(each)) for each in result.parameters],
        "covariance": [_signal(row) for row in result.covariance],
        "frictions": [_friction_data(each) for each in result.frictions],
        "findings": [asdict(each) for each in result.findings],
        "cross_validation": _validation_data(result.cross_validation, given.coordinates),
        "validations": [_validation_data(each, given.coordinates) for each in result.validations],
        "settings": plain(result.settings),
        "seconds": plain(result.seconds),
    }


def _friction_data(friction: JointFriction) -> dict[str, Any]:
    curve = dict(zip(("speed", "friction", "standard_error"), map(_signal, friction.curve), strict=True))
    return plain(asdict(friction) | {"curve": curve})  # type: ignore[no-any-return]


def _validation_data(validation: Validation, joints: tuple[str, ...]) -> dict[str, Any]:
    every = max(1, -(-len(validation.t) // MOST_ROWS))
    signals = {
        name: {joint: _signal(getattr(validation, name)[::every, k]) for k, joint in enumerate(joints)}
        if len(validation.t)
        else {}
        for name in ("measured", "predicted", "filtered", "predicted_filtered")
    }
    return {
        **{name: plain(getattr(validation, name)) for name in WRITTEN},
        "samples": len(validation.t),
        "rests": {joint: int(validation.rests[:, k].sum()) for k, joint in enumerate(joints)},
        "signals": {"every": every, "t": _signal(validation.t[::every]), **signals},
    }


def _signal(values: Array) -> list[float | None]:
    return [plain(float(f"{x:.{SIGNAL_DIGITS}g}")) for x in np.asarray(values, dtype=np.float64).tolist()]
