"""Loads as documents: a payload with its errors and torques, and drive gains calibrated by a known load."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from leverarm._version import __version__
from leverarm.documents import Code, Document, Facts, Level, Mark, Paragraph, Section, Table, Verdict
from leverarm.documents.document import Words
from leverarm.documents.findings import findings_section
from leverarm.formats.loading import python_of_arm
from leverarm.identification.estimates import QUANTILE
from leverarm.identification.loads.drive_gains import Gains
from leverarm.identification.loads.payloads import PayloadEstimate
from leverarm.identification.prediction import Validation
from leverarm.identification.report.numbers import percent, plain, short, unit_text
from leverarm.identification.report.plots import torque_plots
from leverarm.identification.result import Estimate

NOTHING = 1e-9
"""[kg, m, kg m^2], shown as zero."""
BODY = (
    "The consistent values are those of the likeliest body that can exist, which the arm with its load carries. Least "
    "squares has an interval; what is not identifiable cannot be found from these motions."
)
GAINS = "Torque per ampere of each drive, and the root mean square torque of the known load on it."
WRITTEN = ("unit", "value", "standard_error", "interval", "identifiable", "consistent")
"""Fields of an `Estimate` that are in a payload's data."""


def payload_document(found: PayloadEstimate) -> Document:
    """The report on a payload: its ten numbers, how well the torques are explained with it, and findings."""
    before, after = found.before, found.after
    centre = ", ".join(short(_seen(x), 3) for x in found.com.tolist())
    verdict = "The mass is identifiable" if found.accepted else "The load is not identified; see the findings"
    both = ((joint, before.per_joint[joint], error) for joint, error in after.per_joint.items())
    errors = tuple((joint, percent(alone), percent(loaded)) for joint, alone, loaded in both)
    overall = ("all joints", percent(before.relative_error), percent(after.relative_error))
    filtered = ("all joints, filtered", percent(before.filtered_error), percent(after.filtered_error))
    torques = Table(("torque error [%]", "arm alone", "with the load"), (overall, *errors, filtered), numeric=(1, 2))
    tensor = found.inertia.tolist()
    load = f"load = la.payload({found.mass!r}, com={found.com.tolist()!r}, inertia={tensor!r})"
    drawn = tuple(torque_plots(found.arm, after, {}))
    return Document(
        title=f"Load at {found.frame} of {found.arm.name}",
        summary=(
            Paragraph((f"In the axes of `{found.frame}`, found in {short(found.seconds, 2)} s.",)),
            Verdict((f"{verdict}.",), "good" if found.accepted else "bad"),
            Facts((
                ("mass", f"{short(found.mass)} kg", _error_of(found.numbers["mass"])),
                ("centre of mass [m]", centre, "x, y, z"),
                ("torque not predicted", f"{percent(after.filtered_error)} %",
                 f"by the arm alone {percent(before.filtered_error)} %; filtered, left-out blocks"),
            )),
        ),
        sections=(
            Section("Load", (_body(found), Paragraph((BODY,), "aside"), Code(load))),
            Section("Torques with the load", (torques,), (Section("Measured and predicted", drawn, level=Level.FULL),)),
            findings_section(found.findings),
        ),
        code=f"import leverarm as la\n\n{python_of_arm(found.arm)}",
        data=payload_data(found),
        layout="report",
    )  # fmt: skip


def _body(found: PayloadEstimate) -> Table:
    rows = tuple(
        (f"{each.name} [{unit_text(each.unit)}]", short(_seen(each.consistent)), *_least_squares(each))
        for each in found.numbers
    )
    return Table(("load", "consistent", "least squares", "± (95 %)", ""), rows, numeric=(1, 2, 3))


def _least_squares(estimate: Estimate) -> tuple[str | Words, ...]:
    if not estimate.identifiable:
        return "", "", (Mark("not identifiable", "fair"),)
    return short(estimate.value), short(QUANTILE * estimate.standard_error, 2), ""


def _seen(x: float) -> float:
    return x if abs(x) > NOTHING else 0.0


def _error_of(estimate: Estimate) -> str:
    return f"± {short(QUANTILE * estimate.standard_error, 2)} {estimate.unit}" if estimate.identifiable else ""


def payload_data(found: PayloadEstimate) -> dict[str, Any]:
    """Everything but signals, as plain data; what is not finite is null."""
    return {
        "format": "leverarm payload 1",
        "version": __version__,
        "arm": found.arm.name,
        **{name: plain(getattr(found, name)) for name in ("frame", "mass", "com", "inertia", "accepted")},
        "numbers": {entry.name: {field: plain(getattr(entry, field)) for field in WRITTEN} for entry in found.numbers},
        "covariance": plain(found.covariance),
        "before": _errors(found.before),
        "after": _errors(found.after),
        "findings": [asdict(finding) for finding in found.findings],
        "seconds": found.seconds,
    }


def _errors(validation: Validation) -> dict[str, Any]:
    errors = ("relative_error", "filtered_error", "per_joint")
    return {"log": validation.name} | {name: plain(getattr(validation, name)) for name in errors}


def gains_document(found: Gains) -> Document:
    """The gain of each drive with its interval, as `gains` of `read_log` takes them."""
    values = [float(f"{value:.6g}") for value in found.values]
    return Document(
        title="Drive gains",
        summary=(Paragraph((GAINS,)),),
        sections=(
            Section("Gains", (
                Table(("joint", "N m per A", "± (95 %)", "load [N m]", ""), tuple(_gains(found)), numeric=(1, 2, 3)),
                Code(f"gains = {values}  # la.read_log(..., gains=gains)"),
            )),
            findings_section(found.findings),
        ),
        data=gains_data(found),
        layout="report",
    )  # fmt: skip


def _gains(found: Gains) -> Iterator[tuple[str | Words, ...]]:
    for k, joint in enumerate(found.joints):
        note = "" if found.identifiable[k] else (Mark("not identifiable", "fair"),)
        error = short(QUANTILE * float(found.standard_errors[k]), 2)
        yield joint, short(float(found.values[k]), 5), error, short(float(found.load_torques[k]), 2), note


def gains_data(found: Gains) -> dict[str, Any]:
    """The gains as plain data."""
    arrays = ("standard_errors", "intervals", "identifiable", "load_torques")
    return {
        "joints": list(found.joints),
        "gains": found.values.tolist(),
        **{name: getattr(found, name).tolist() for name in arrays},
        "findings": [asdict(finding) for finding in found.findings],
        "seconds": found.seconds,
    }
