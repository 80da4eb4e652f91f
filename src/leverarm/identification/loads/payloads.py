"""Mass, centre of mass and inertia of a payload, from a log without it and a log with it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leverarm.arrays import Array
from leverarm.documents import Document
from leverarm.documents.html import in_notebook
from leverarm.documents.saving import terminal, to_json
from leverarm.errors import InputError, path_text
from leverarm.findings import Finding, by_level
from leverarm.identification.fitting.rows import Samples
from leverarm.identification.identifying import Progress, identify
from leverarm.identification.loads import load_body
from leverarm.identification.loads.load_fit import LoadFit, load_fit
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.modelling.modelled_arm import KnownSprings
from leverarm.identification.motions import joined
from leverarm.identification.prediction import Predicted, Validation, floor_of, validation
from leverarm.identification.report.saving import save_result
from leverarm.identification.result import Estimates, Identified
from leverarm.late_import import late
from leverarm.model import Arm, without_springs


@dataclass(frozen=True, slots=True)
class PayloadEstimate:
    """A load at a frame of an arm: mass [kg], centre of mass (3,) [m] and tensor about it (3, 3) [kg m^2], in the
    frame's axes.

    They are of the likeliest physically consistent body, ready for `la.payload(mass, com, inertia)`. `numbers` are the
    same ten ("mass", "com.x", "inertia.xx") by least squares, with standard errors, 95 % intervals and whether they are
    identifiable; `covariance` (10, 10) is of m, m c and the six moments about the frame's origin.

    `before` are the errors of the loaded arm's torques predicted without the load, `after` with it, every block of time
    by the others. `arm` carries the load as a body, `without` is what was identified of the arm alone, None where the
    arm was taken as described. `accepted`: the mass is identifiable, and no error was found.
    """

    frame: str
    mass: float
    com: Array
    inertia: Array
    numbers: Estimates
    covariance: Array
    before: Validation
    after: Validation
    findings: tuple[Finding, ...]
    accepted: bool
    arm: Arm
    without: Identified | None
    seconds: float

    def document(self) -> Document:
        """The report: the ten numbers, how well the torques are explained, and findings."""
        made: Document = late("identification.report.loads:payload_document")(self)
        return made

    def text(self, level: str = "brief", width: int = 100) -> str:
        """The load, its errors and findings as plain text; "full" or "every-line" has more."""
        return terminal(self.document(), level, width).plain

    def _repr_html_(self) -> str:
        return in_notebook(self.document())

    def to_json(self) -> str:
        """Everything but signals, as JSON."""
        return to_json(self.document())

    def save(self, path: str | Path) -> Path:
        """Writes report.html, payload.json, arm.toml and, where possible, arm.urdf into a folder; or one file.

        A .html, .md, .tex, .txt or .ipynb is the report, a .json the numbers, a .toml or .urdf the arm with its load.
        Returns the path.
        """
        return save_result(self.document(), self.arm, Path(path_text(path, "payload.json")), "payload.json")


payload_json = PayloadEstimate.to_json
"""Its name before 0.2.0."""


IMPOSSIBLE = 30.0
"""Chi squared of the ten parameters against the nearest body: exceeded by chance once in 1000."""
CLEAR = 3.0
"""Standard errors at which a mass is significant."""
UNTOLD = 100.0
"""[kg]: a standard error beyond which the mass is not identifiable at all."""
NOTICED = 0.1
"""Relative change of friction that is worth reporting."""
WORSE = 2.0
"""Factor on the error of the arm alone beyond which the load does not explain the torques."""


def payload_findings(
    numbers: Estimates, chi_squared: float, fit: LoadFit, names: Sequence[str], friction: Array
) -> Iterator[Finding]:
    """Findings on the load itself and on friction that changed."""
    missing = list(_mass(numbers))
    yield from missing or _unidentifiable(numbers)
    if chi_squared > IMPOSSIBLE and not missing:
        far = f"{chi_squared**0.5:.0f} standard errors"
        message = f"the least-squares values are {far} from any physically consistent body."
        remedy = "Something else differs between the logs: check that both are of the same arm, in the same units and"
        yield Finding("warning", "load", message, f"{remedy} with the same zeros.")
    changed = {
        name.rpartition(".")[0]: moved / size
        for name, moved, size in zip(names, fit.moved, friction, strict=True)
        if name.endswith(".coulomb") and size > 0 and abs(moved) > NOTICED * size
    }
    if changed:
        changes = ", ".join(f"{joint} {100 * part:+.0f} %" for joint, part in changed.items())
        message = f"Coulomb friction differs between the logs: {changes}. It was fitted along with the load."
        remedy = "Warm the arm up before both logs, and record them soon after each other."
        yield Finding("note", "friction", message, remedy)


DESCRIBED = Finding(
    "note",
    "arm",
    "the arm's masses and inertias were taken as exact, since no log without the load was given.",
    "Errors in them end up in the load and are not in its intervals; give a log without load to avoid that.",
)


def error_findings(after: Validation, without: Identified | None) -> Iterator[Finding]:
    """A warning where torques with the load are predicted worse than without it."""
    alone = math.inf if without is None else without.cross_validation.filtered_error
    if after.filtered_error > max(WORSE * alone, 2.0):
        figures = f"{after.filtered_error:.1f} % of the filtered torque is not predicted, without it {alone:.1f} %"
        message = f"with the load {figures}: more has changed than a body fixed to the tool."
        remedy = "Possible causes: a load that swings or slips, a cable, contact, or friction that grows with load."
        yield Finding("warning", "load", message, remedy)


def _mass(numbers: Estimates) -> Iterator[Finding]:
    mass = numbers["mass"]
    figures = f"the mass is {mass.value:.3g} kg, with a standard error of {mass.standard_error:.2g} kg"
    if mass.value < -CLEAR * mass.standard_error:
        yield Finding("error", "load", f"{figures}: below zero.", "Check whether the two logs were swapped.")
    elif mass.standard_error > UNTOLD:
        remedy = "Log a motion that lifts and swings the load, where the arm can."
        yield Finding("error", "load", "the mass is not identifiable from the torques.", remedy)
    elif mass.value < CLEAR * mass.standard_error:
        remedy = "Use a heavier load, or longer logs with more motion of the lower joints."
        yield Finding("error", "load", f"{figures}: no load is visible in the torques.", remedy)


def _unidentifiable(numbers: Estimates) -> Iterator[Finding]:
    if names := [entry.name for entry in numbers if not entry.identifiable]:
        message = f"not identifiable: {', '.join(names)}; the intervals are wider than half of the value's scale."
        remedy = (
            "Centres show when the wrist turns the load against gravity, moments when it turns fast: log such "
            "motions, if the arm can make them. Until then the values are those of a compact body."
        )
        yield Finding("warning", "load", message, remedy)


Logs = Source | Log | list[Source | Log]


def identify_payload(
    arm: Arm,
    without: Logs | Identified | Arm,
    with_load: Logs,
    *,
    frame: str | None = None,
    progress: Progress = lambda what: None,
    **reading: Any,
) -> PayloadEstimate:
    """Identifies a payload: mass [kg], centre of mass [m] and inertia [kg m^2], with intervals.

    `without` is a log of the arm without the load, or what `identify` made of one, or an arm whose bodies are taken as
    exact; `with_load` a log with it, of the same or of another motion. Lists of logs are fitted together. The load is
    described in `frame`; by default the tool, or the last body that moves where the tool does not. Keywords
    that say how to read logs (`columns`, `units`, `rate`, `ratio`, `motor_side`, `gains`, `zero`) are those of
    `read_log`.

    The loaded arm's torques are fitted by the base parameters of the arm alone, with their covariance as a prior, and
    the ten parameters of a body at the frame; friction may change between the logs by as much as helps to predict
    left-out blocks.
    Raises InputError for logs that cannot be used.
    """
    began = time.perf_counter()
    body = load_body.attached_body(arm, frame)
    described = without if isinstance(without, Arm) else None
    springs = without.predictor.springs if isinstance(without, Identified) else KnownSprings.of(described or arm)
    sources = with_load if isinstance(with_load, list) else [with_load]
    logs = [springs.taken_off(read_log(source, arm, **reading)) for source in sources]
    if not logs:
        raise InputError("no log with the load was given. Give at least one file or mapping of arrays.")
    result = _identified(arm, without, logs, progress, reading)
    progress("fitting the load")
    predictor = result.predictor
    motion = joined([predictor.motion(log) for log in logs])
    columns = predictor.columns.columns(motion.q, motion.qd, motion.qdd, predictor.drives)
    columns = columns.plus_drives(predictor.spread(logs))
    if described is None:
        alone = load_body.identified_alone(result, columns)
    else:
        alone = load_body.described_alone(described, result, columns, motion)
    # how base parameters change with the ten parameters of the load (b, 10)
    K = body.columns(load_body.regrouping(result.parameters, predictor.columns.link_names))
    samples = Samples.of(motion, predictor.zone)
    fit = load_fit(columns.W[:, :, alone.columns], samples, samples.fitted(predictor.drives), alone, K)

    ten, chi_squared = load_body.consistent_body(fit.numbers, fit.covariance, fit.precision)
    numbers = load_body.estimates_of(fit.numbers, fit.covariance, ten)
    name, floor = logs[0].name, floor_of(logs[0])
    before, after = (
        validation(name, motion, Predicted(torque, torque), samples.rests, predictor.given, floor)
        for torque in (fit.alone, fit.left_out)
    )
    kept = result if described is None else None
    findings = [*payload_findings(numbers, chi_squared, fit, alone.names, alone.friction), *error_findings(after, kept)]
    findings += [f for f in result.findings if f.level != "note"] if described is None else [DESCRIBED]
    findings += [finding for log in logs for finding in log.findings]
    found = load_body.mass_centre_inertia(ten)
    refusals = [finding for finding in findings if finding.level == "error" and finding.where == "load"]
    return PayloadEstimate(
        frame=body.frame,
        mass=float(found[0]),
        com=found[1:4],
        inertia=load_body.tensor_of(found[4:]),
        numbers=numbers,
        covariance=fit.covariance,
        before=before,
        after=after,
        findings=by_level(findings),
        accepted=numbers["mass"].identifiable and not refusals,
        arm=load_body.with_body(described or result.arm, body.frame, ten),
        without=kept,
        seconds=time.perf_counter() - began,
    )


def _identified(
    arm: Arm, without: Logs | Identified | Arm, logs: list[Log], progress: Progress, reading: dict[str, Any]
) -> Identified:
    """The arm alone; where it is only described, filter and friction models come from the log with the load."""
    if isinstance(without, Identified):
        return without
    if isinstance(without, Arm):
        return identify(without_springs(without), list[Source | Log](logs), progress=progress)
    return identify(arm, without, progress=progress, **reading)
