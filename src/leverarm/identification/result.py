"""The result of identification: an arm, its parameters with intervals, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.documents import Document
from leverarm.documents.html import in_notebook
from leverarm.documents.saving import terminal, to_json
from leverarm.errors import path_text, require_known
from leverarm.findings import Finding
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.prediction import Predictor, Validation
from leverarm.identification.report.saving import save_result
from leverarm.late_import import late
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Estimate:
    """A base parameter: the combination of parameters that the torques depend on, its value and its uncertainty.

    `value` is the weighted least-squares one with its standard error and 95 % interval, in `unit`; `percent` is the
    standard error in percent of the value. `identifiable`: whether the data determine it. `combination`: (factor, name)
    pairs. `cad` is the value of the nominal (CAD) arm that was given, `consistent` that of the identified arm.
    """

    name: str
    unit: str
    value: float
    standard_error: float
    interval: tuple[float, float]
    percent: float
    identifiable: bool
    combination: tuple[tuple[float, str], ...]
    cad: float
    consistent: float


class Estimates(tuple[Estimate, ...]):
    """Base parameters in order, by number or by name: `result.parameters["joint3.viscous"]`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        require_known("base parameter", key, self.names)
        return self[self.names.index(key)]

    def __contains__(self, key: object) -> bool:
        return key in self.names if isinstance(key, str) else super().__contains__(key)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self)

    def items(self) -> Iterator[tuple[str, Estimate]]:
        """(name, estimate) pairs."""
        return ((entry.name, entry) for entry in self)


@dataclass(frozen=True, slots=True)
class JointFriction:
    """Friction of a joint: the model in words, its coefficients [N m s, N m], and the measured curve.

    `viscous` is what the joint feels when it moves alone, with the shaft of a coupled motor; `coulomb` is the joint's
    own. `curve` holds speeds [rad/s or m/s], the torque that the rest of the model leaves there [N m or N], and its
    standard error.
    """

    joint: str
    model: str
    viscous: float
    coulomb: float
    viscous_negative: float | None
    coulomb_negative: float | None
    smoothing: float | None
    offset: float
    curve: tuple[Array, Array, Array]

    @property
    def backward(self) -> tuple[float, float]:
        """Viscous and Coulomb friction of the motion backwards."""
        pairs = ((self.viscous_negative, self.viscous), (self.coulomb_negative, self.coulomb))
        viscous, coulomb = (forward if negative is None else negative for negative, forward in pairs)
        return viscous, coulomb


@dataclass(frozen=True, slots=True)
class Identified:
    """An identified arm and all that is known about it.

    `arm` has physically consistent parameters; `given` is the nominal arm. `parameters` are the base parameters with
    intervals, `frictions` the friction of the joints, `findings` what was noticed, with remedies. `cross_validation`
    predicts each block of time from the others; `validations` are of other logs. `accepted` and `verdict` say whether
    to trust it, and why not.
    """

    arm: Arm
    given: Arm
    parameters: Estimates
    covariance: Array
    frictions: tuple[JointFriction, ...]
    findings: tuple[Finding, ...]
    cross_validation: Validation
    validations: tuple[Validation, ...]
    accepted: bool
    verdict: str
    condition: float
    rank: int
    noise: Mapping[str, float]
    settings: Mapping[str, str | float]
    seconds: float
    predictor: Predictor = field(repr=False)

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Joint torques (..., n) [N m or N] that the identified model needs for a motion (..., n)."""
        return self.predictor.torque(q, qd, qdd)

    def validate(self, log: Source | Log) -> Validation:
        """How well the torques of another log are predicted; it is read as the first one was."""
        return self.predictor.validate(log)

    def document(self) -> Document:
        """The report: verdict, torque errors, plots, friction, parameters, findings, settings."""
        made: Document = late("identification.report.identified:identified_document")(self)
        return made

    def text(self, level: str = "brief", width: int = 100) -> str:
        """The verdict, errors, friction and findings as plain text; "full" has parameters and settings too."""
        return terminal(self.document(), level, width).plain

    def _repr_html_(self) -> str:
        return in_notebook(self.document())

    def to_json(self) -> str:
        """Everything as JSON, long signals thinned."""
        return to_json(self.document())

    def save(self, path: str | Path) -> Path:
        """Writes report.html, result.json, arm.toml and, where possible, arm.urdf into a folder; or one file.

        A .html, .md, .tex, .txt or .ipynb is the report, a .json the numbers, a .toml or .urdf the identified arm.
        Returns the path.
        """
        return save_result(self.document(), self.arm, Path(path_text(path, "result")), "result.json")
