"""Logs as one motion that can be fitted: filtered, checked, torques in step with the motion, gravity the right way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from leverarm.identification.choosing.filter_choice import Tried, filter_choice
from leverarm.identification.modelling.columns import Columns, UserColumn
from leverarm.identification.modelling.drives import DriveModel
from leverarm.identification.motion import Motion, joined
from leverarm.identification.motions.every_sample import EverySample
from leverarm.identification.motions.smooth_motion import Filtering, for_log, is_same_rate, smooth_motion
from leverarm.identification.plain_model import PlainModel
from leverarm.identification.preflight import Preflight, preflight
from leverarm.logs.log import Log
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Prepared:
    """The motion of all logs and how it was made; the arm with the gravity that the torques show; what was found.

    `filtering` is that of logs of `rate` [Hz], the longest one's.
    """

    motion: Motion
    every: EverySample
    filtering: Filtering
    rate: float
    chosen: Tried
    tried: Sequence[Tried]
    checks: Preflight
    arm: Arm
    plain: PlainModel


def prepared(logs: Sequence[Log], arm: Arm, own: Mapping[str, UserColumn], progress: Callable[[str], None]) -> Prepared:
    """Chooses a filter, looks for lag, signs and gravity, and makes the motion that is fitted."""
    plain = PlainModel.of(arm, own)
    progress("choosing a filter")
    chosen, tried = filter_choice(list(logs), plain.columns, plain.base.columns, progress)
    longest = max(logs, key=len)
    filtering, rate = chosen.filtering, longest.rate
    progress("pre-flight checks")
    alike = [log for log in logs if is_same_rate(log.rate, rate)]
    checks = preflight(longest, plain.with_drives, one_motion(alike, filtering, rate), plain.structure)
    if checks.gravity.arm.gravity != arm.gravity:
        arm = replace(arm, gravity=checks.gravity.arm.gravity)
        plain = PlainModel.of(arm, own)
    if checks.lag.significant:
        filtering = replace(filtering, lag=checks.lag.seconds)
    every = EverySample.of(logs, filterings(logs, filtering, rate))
    return Prepared(one_motion(logs, filtering, rate), every, filtering, rate, chosen, tried, checks, arm, plain)


def one_motion(logs: Sequence[Log], filtering: Filtering, rate: float) -> Motion:
    """The motions of all logs, through the same cut-off as those of a rate [Hz], as nearly as can be at one rate."""
    each = filterings(logs, filtering, rate)
    return joined([smooth_motion(log, own) for log, own in zip(logs, each, strict=True)])


def filterings(logs: Sequence[Log], filtering: Filtering, rate: float) -> list[Filtering]:
    """The filtering of each log: the same cut-off, and strides that bring them as near as can be to one rate."""
    own = [for_log(filtering, rate, log) for log in logs]
    slowest = min(log.rate / each.stride for log, each in zip(logs, own, strict=True))
    return [replace(each, stride=max(1, round(log.rate / slowest))) for log, each in zip(logs, own, strict=True)]


def filtered_columns(columns: Columns, ready: Prepared, drives: DriveModel) -> Columns:
    """The columns of the motion, those of the drives through the filter of the torques: what filtered torques show."""
    maker = ready.plain.columns
    return columns.plus_drives(ready.every.spread(lambda m: maker.of_drives(m.qd, m.qdd, drives)))
