"""The rows of a run, its motion between them, and its energy balance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leverarm.arrays import Array, BoolArray
from leverarm.control.signals.checked import positive
from leverarm.errors import InputError

Rows = SupportsIndex | slice | NDArray[Any]
"""What picks rows: one number, a slice, an array of row numbers or of truth values."""

PER_JOINT = ("q", "qd", "qdd", "tau", "held")
PER_ROW = ("t", "kinetic", "potential")


class Event(NamedTuple):
    """Something that happened at a time [s], in a joint or, where `joint` is None, to the arm: "sticks", "stop"."""

    t: float
    joint: str | None
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Time [s], motion, torques and energies [J] of N rows; arrays are read-only views of what was given.

    `t` (N,) never decreases; two rows may be at one time, before and after an impact. `q qd qdd tau` are (N, n);
    `tau` is what the torque source applied. `kinetic` and `potential` are (N,). `works` holds the energy that flowed
    into the arm through each account since the start, (N,) each. `held` (N, n): the joint is stuck or rests on a stop.
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    kinetic: Array
    potential: Array
    works: Mapping[str, Array]
    held: BoolArray

    def __post_init__(self) -> None:
        rows, joints = np.shape(self.t), np.shape(self.q)[1:]
        if len(rows) != 1 or len(joints) != 1:
            raise InputError(f"records: t has shape {rows}, q {np.shape(self.q)}; they must be (N,) and (N, n).")
        for name in PER_ROW:
            self._set(name, _view(name, getattr(self, name), rows))
        for name in PER_JOINT:
            self._set(name, _view(name, getattr(self, name), rows + joints, "?" if name == "held" else "d"))
        self._set("works", {str(name): _view(f"works[{name!r}]", work, rows) for name, work in self.works.items()})
        back = np.flatnonzero(~(np.diff(self.t) >= 0))
        if back.size:
            row = int(back[0])
            raise InputError(
                f"records: time goes from {self.t[row]!r} in row {row} to {self.t[row + 1]!r} in the next; it may not "
                "decrease. Sort the rows by time."
            )

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, rows: Rows) -> Records:
        """The rows picked; one number gives one row."""
        if isinstance(rows, SupportsIndex) and not isinstance(rows, np.ndarray):
            row = range(len(self))[rows]
            rows = slice(row, row + 1)
        picked = {name: array[rows] for name, array in self.arrays()}
        works = {name: work[rows] for name, work in self.works.items()}
        return Records(**picked, works=works)

    @property
    def dof(self) -> int:
        """Number of joints."""
        return int(self.q.shape[1])

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Every array but the works, with its name."""
        for field in fields(self):
            if field.name != "works":
                yield field.name, getattr(self, field.name)


def concatenated(parts: Sequence[Records]) -> Records:
    """The rows of all parts, one after another. They must have the same joints and the same accounts of work."""
    if not parts:
        raise InputError("records: no parts to concatenate; give at least one.")
    first = parts[0]
    for part in parts[1:]:
        if part.works.keys() != first.works.keys():
            raise InputError(
                f"records: one part has the accounts of work {_listed(first)}, another {_listed(part)}; "
                "the parts of a run have the same ones."
            )
        if part.dof != first.dof:
            raise InputError(f"records: one part has {first.dof} joints, another {part.dof}; they are of two arms.")
    if len(parts) == 1:
        return first
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name, _ in first.arrays()}
    works = {name: np.concatenate([part.works[name] for part in parts]) for name in first.works}
    return Records(**joined, works=works)


def first_not_finite(records: Records) -> tuple[str, int] | None:
    """The name of the first array that holds a NaN or an infinity and the first row that does, if there is one."""
    named = [*records.arrays(), *((f"works[{name!r}]", work) for name, work in records.works.items())]
    for name, array in named:
        if array.dtype == np.float64 and not np.isfinite(array).all():
            return name, int(np.argwhere(~np.isfinite(array))[0][0])
    return None


def _view(name: str, given: Any, shape: tuple[int, ...], kind: str = "d") -> NDArray[Any]:
    """A read-only view, so that the records cannot change while the caller's own array stays writable."""
    try:
        array = np.asarray(given, dtype=kind)
    except (TypeError, ValueError):
        raise InputError(f"records: {name} is not an array of numbers; give one of shape {shape}.") from None
    if array.shape != shape:
        raise InputError(f"records: {name} has shape {array.shape}; with these t and q it must be {shape}.")
    view = array.view()
    view.flags.writeable = False
    return view


def _listed(records: Records) -> str:
    return ", ".join(records.works) or "(none)"


@dataclass(frozen=True, slots=True, eq=False)
class EnergyLedger:
    """Energies over time [J], (N,) each: `kinetic`, `potential`, and `works`, what flowed into the arm by account.

    Accounts: "torque", "friction", "disturbance", "noise", "wrench", "stops", "payload"; those that exist.
    """

    t: Array
    kinetic: Array
    potential: Array
    works: Mapping[str, Array]

    @staticmethod
    def of(records: Records) -> EnergyLedger:
        return EnergyLedger(records.t, records.kinetic, records.potential, records.works)

    @property
    def total(self) -> Array:
        """E = K + P [J]."""
        return self.kinetic + self.potential

    @property
    def balance(self) -> Array:
        """The unexplained energy [J]: E - E(start) - sum of (W - W(start)); zero for an exact motion.

        Counted from the first row, so that a slice of a run has its own balance.
        """
        unexplained = self.total - self.total[0]
        for work in self.works.values():
            unexplained = unexplained - (work - work[0])
        return np.asarray(unexplained)

    @property
    def scale(self) -> float:
        """The energy exchanged [J]: the largest of max K, the range of P, and the flow through any one account."""
        moved = [self.kinetic.max(), np.ptp(self.potential)]
        moved += [np.abs(work - work[0]).max() for work in self.works.values()]
        return float(max(moved))

    @property
    def relative(self) -> float:
        """The largest imbalance relative to the energy exchanged; 0 where nothing moved."""
        return float(np.abs(self.balance).max() / self.scale) if self.scale else 0.0

    @property
    def worst(self) -> int:
        """The row at which the imbalance is largest."""
        return int(np.abs(self.balance).argmax())

    def __repr__(self) -> str:
        change = self.total[-1] - self.total[0]
        accounts = ", ".join(f"{name} {work[-1] - work[0]:+.4g} J" for name, work in self.works.items())
        return (
            f"<EnergyLedger: K + P changed by {change:+.4g} J; {accounts or 'no work was done'}; "
            f"balance {self.relative:.1e} of {self.scale:.4g} J>"
        )


EPS = float(np.finfo(np.float64).eps)
MOST_ROWS = 10**9


def evenly_spaced(records: Records, rate: float) -> Array:
    """Times from the first to the last row, `rate` of them a second [1/s]."""
    rate = positive("rate", rate, "rows a second")
    start, end = float(records.t[0]), float(records.t[-1])
    steps = np.floor((end - start) * rate * (1 + 4 * EPS))
    if steps >= MOST_ROWS:
        raise InputError(f"rate = {rate!r} gives {steps:.0f} rows over {end - start:g} s; ask for fewer than 1e9.")
    # the last one may round to just after the end
    return np.minimum(start + np.arange(int(steps) + 1) / rate, end)


def resampled(records: Records, times: ArrayLike) -> Records:
    """The run at other times, which must lie within it: nothing is extrapolated.

    In each interval q is the polynomial of degree 5 that has q, qd and qdd of both its rows; qd and qdd are its
    derivatives. Torques, energies and works are linear between rows, so that the energy balance is unchanged. A
    row's own time gives that row (the last one at that time). `held` is that of the row before.
    """
    at = _checked(records, times)
    left = np.searchsorted(records.t, at, side="right") - 1
    right = np.minimum(left + 1, len(records) - 1)
    h = records.t[right] - records.t[left]
    u = np.divide(at - records.t[left], h, out=np.zeros_like(at), where=h > 0)

    def linear(values: Array) -> Array:
        part = u if values.ndim == 1 else u[:, None]
        return np.asarray(values[left] + part * (values[right] - values[left]))

    return Records(
        at,
        *_motion(records, left, right, h[:, None], u[:, None]),
        tau=linear(records.tau),
        kinetic=linear(records.kinetic),
        potential=linear(records.potential),
        works={name: linear(work) for name, work in records.works.items()},
        held=records.held[left],
    )


def _checked(records: Records, times: ArrayLike) -> Array:
    try:
        at = np.array(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"times = {times!r} is not a list of numbers; give times in seconds.") from None
    if at.ndim != 1 or not at.size or not (np.diff(at) >= 0).all():
        raise InputError(f"times of shape {at.shape} were given; give one or more times [s], sorted, as one list.")
    start, end = float(records.t[0]), float(records.t[-1])
    outside = at[~((at >= start) & (at <= end))]
    if outside.size:
        raise InputError(
            f"t = {float(outside[0])!r} s is outside of the run, which lasts from {start!r} to {end!r} s. "
            "Ask for times within it: nothing is extrapolated."
        )
    return at


def _motion(records: Records, left: np.ndarray, right: np.ndarray, h: Array, u: Array) -> tuple[Array, Array, Array]:
    """q, qd, qdd at u = (t - t_left) / h.

    The polynomial is written as a sum of what each of three levels adds. The lowest one has a linear qdd. F is what the
    change of velocity differs from that: u^3 - u^4/2 adds it to h qd and leaves qdd at the ends. E is what the change
    of position still differs: u^3 (10 - 15 u + 6 u^2) adds it and leaves qd and qdd at the ends. Rounding makes E as
    wrong as q is, which qdd sees divided by h^2: so the derivatives take F and E only where they are larger than their
    own rounding errors, and short intervals stay smooth.
    """
    q0, q1 = records.q[left], records.q[right]
    step = np.where(h > 0, h, 1.0)
    v0, v1 = step * records.qd[left], step * records.qd[right]
    a0, a1 = step * step * records.qdd[left], step * step * records.qdd[right]
    speeds, turns = np.abs(v0) + np.abs(v1), np.abs(a0) + np.abs(a1)
    clock = EPS * (1 + np.abs(records.t[right])[:, None] / step)  # how well h is known
    jump = a1 - a0
    F = v1 - v0 - a0 - jump / 2
    F = np.where(np.abs(F) > 4 * (EPS * speeds + clock * turns), F, 0.0)
    E = q1 - q0 - v0 - a0 / 2 - jump / 6 - F / 2
    q = q0 + u * (v0 + u * (a0 / 2 + u * (jump / 6 + F * (1 - u / 2) + E * (10 + u * (6 * u - 15)))))
    E = np.where(np.abs(E) > 4 * (EPS * (np.abs(q0) + np.abs(q1)) + clock * speeds), E, 0.0)
    qd = (v0 + u * (a0 + u * (jump / 2 + F * (3 - 2 * u) + E * (30 + u * (30 * u - 60))))) / step
    qdd = (a0 + u * (jump + 6 * F * (1 - u) + E * (60 + u * (120 * u - 180)))) / (step * step)
    rows = ((records.q, q), (records.qd, qd), (records.qdd, qdd))
    at_q, at_qd, at_qdd = (np.where(u == 0, values[left], between) for values, between in rows)
    return at_q, at_qd, at_qdd
