"""What a run of bench/simulate.py found: the figures, the promises and whether they are kept, and the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compile_tables import Bar, duration, times
from simulate_energy import Drift
from simulate_own import Streamed
from simulate_rivals.problem import FREE, HELD

BEGIN, END = "<!-- measured by bench/simulate.py -->\n", "<!-- end of what bench/simulate.py measured -->\n"
"""Between these lines of a page the tables are replaced."""
BATCH = 4096
SINGLE_RATIO, BATCH_RATIO = 12, 5
"""How many times faster than MuJoCo's loop one environment is to be; and each of a batch than one alone."""
LARGEST_DROP = 1 / 3
"""The most that PD + gravity may take of the steps in a second."""
LARGEST_DEVIATION = 1e-6
"""How far apart positions may be after 1 s [rad]."""
LARGEST_DRIFT = 1e-6
"""The largest relative error of the energy by the implicit midpoint rule."""
NO_TREND = 4.0
"""Standard errors that a trend may be away from none."""
SIMULATE, LOOP, ROLLOUT = "leverarm simulate", "leverarm compiled loop alone", "leverarm rollout"


@dataclass(frozen=True, slots=True)
class March:
    """One way of a march: seconds per step of an environment (least and median), and how many times ours that is.

    `deviation` is how far it is after 1 s from where the others are [rad].
    """

    law: str
    environments: int
    threads: int
    title: str
    is_rival: bool
    seconds: float
    median: float
    repeats: int
    ratio: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Solved:
    """A way to an accurate end: seconds by the clock, steps where known, and the error of the positions there [rad]."""

    title: str
    seconds: float
    steps: int | None
    error: float


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    marches: list[March] = field(default_factory=list)
    until: float = 0.0
    """Seconds of motion to the accurate end."""
    solved: list[Solved] = field(default_factory=list)
    falling: float = 0.0
    """Seconds of motion over which the energy is watched."""
    drifts: list[Drift] = field(default_factory=list)
    stream: Streamed | None = None
    left_out: dict[str, str] = field(default_factory=dict)


def bars(report: Report) -> list[Bar]:
    """Every promise about what was measured."""
    return [*_speed_bars(report), *_energy_bars(report)]


def _speed_bars(report: Report) -> Iterator[Bar]:
    seconds = {(m.title, m.law, m.environments, m.threads): m.seconds for m in report.marches}
    one, batch = seconds.get((SIMULATE, FREE, 1, 1)), seconds.get((ROLLOUT, FREE, BATCH, 1))
    rivals = [m.seconds for m in report.marches if m.is_rival and (m.law, m.environments) == (FREE, 1)]
    if one and rivals:
        yield _faster("one environment, against MuJoCo's RK4 loop in C", min(rivals) / one, SINGLE_RATIO)
    if batch and rivals:
        words = f"{BATCH} environments on one thread, against MuJoCo's RK4 loop in C"
        yield _faster(words, min(rivals) / batch, SINGLE_RATIO * BATCH_RATIO)
    if one and batch:
        yield _faster(f"{BATCH} environments on one thread, each against one alone", one / batch, BATCH_RATIO)
    for title, environments in ((SIMULATE, 1), (ROLLOUT, BATCH)):
        free, held = (seconds.get((title, law, environments, 1)) for law in (FREE, HELD))
        if free and held:
            words = "one environment" if environments == 1 else f"{environments} environments"
            drop = 1 - free / held
            yield Bar(
                f"{words}, steps in a second lost to {HELD}",
                f"{100 * drop:.0f} %",
                "less than a third",
                drop < LARGEST_DROP,
            )
    if report.marches:
        worst = max(m.deviation for m in report.marches)
        bound = f"at most {LARGEST_DEVIATION:g} rad"
        yield Bar("everyone is at the same place after 1 s", f"{worst:.1e} rad", bound, worst <= LARGEST_DEVIATION)


def _energy_bars(report: Report) -> Iterator[Bar]:
    for d in report.drifts:
        if d.title == "implicit midpoint":
            words = f"Panda, {report.falling:g} s at 1 ms, implicit midpoint, "
            kept = d.exploded is None and d.worst <= LARGEST_DRIFT
            yield Bar(words + "energy", f"{d.worst:.1e}", f"at most {LARGEST_DRIFT:g}", kept)
            is_level = d.exploded is None and abs(d.trend) <= NO_TREND * d.trend_error
            found = f"{d.trend:.0e} in 10 s"
            yield Bar(words + "trend", found, f"within {NO_TREND:g} times {d.trend_error:.0e}", is_level)


def _faster(title: str, found: float, bound: float) -> Bar:
    return Bar(title, f"{found:.3g} times faster", f"at least {bound:g}", found >= bound)


def markdown(report: Report) -> str:
    """The tables."""
    machine, *versions = report.setting.items()
    ran = ", ".join([machine[1], *(f"{name} {value}" for name, value in versions)])
    lines = [f"{ran}.", "", "| promised | found | bound | |", "|---|--:|--:|---|"]
    lines += [f"| {b.title} | {b.found} | {b.bound} | {'ok' if b.is_met else 'MISSED'} |" for b in bars(report)]
    for table in (_march_table, _solved_table, _drift_table, _stream_table):
        rows = list(table(report))
        lines += ["", *rows] if rows else []
    if report.left_out:
        lines += ["", *(f"{what}: {why.rstrip('.')}." for what, why in report.left_out.items())]
    return "\n".join(lines) + "\n"


def _march_table(report: Report) -> Iterator[str]:
    """A row for each way at each size; in a cell the time for a step of an environment, and how many times ours."""
    if not report.marches:
        return
    laws = list(dict.fromkeys(m.law for m in report.marches))
    yield f"| Panda, RK4, a step of 1 ms | environments | threads | {' | '.join(laws)} | free, steps in a second |"
    yield "|---|--:|--:" + "|--:" * (len(laws) + 1) + "|"
    rows: dict[tuple[int, int, str], dict[str, March]] = {}
    for m in report.marches:
        rows.setdefault((m.environments, m.threads, m.title), {})[m.law] = m
    for (environments, threads, title), row in rows.items():
        cells = [duration(m.seconds) + (f" ({times(m.ratio)})" if m.is_rival else "") for m in map(row.get, laws) if m]
        cells.append(f"{1 / row[FREE].seconds:,.0f}" if FREE in row else "")
        yield f"| {title} | {environments:,} | {threads} | {' | '.join(cells)} |"


def _solved_table(report: Report) -> Iterator[str]:
    if not report.solved:
        return
    yield f"| Panda, free, {report.until:g} s of motion | time | steps | error at the end |"
    yield "|---|--:|--:|--:|"
    for s in report.solved:
        steps = f"{s.steps:,}" if s.steps is not None else ""
        yield f"| {s.title} | {duration(s.seconds)} | {steps} | {s.error:.0e} rad |"


def _drift_table(report: Report) -> Iterator[str]:
    if not report.drifts:
        return
    yield f"| Panda falls for {report.falling:g} s at 1 ms | largest error of the energy | trend in 10 s | time |"
    yield "|---|--:|--:|--:|"
    for d in report.drifts:
        trend = f"{d.trend:+.1e} ± {d.trend_error:.0e}" if d.exploded is None else f"explodes at {d.exploded:.3g} s"
        yield f"| {d.title} | {d.worst:.1e} | {trend} | {duration(d.seconds)} |"


def _stream_table(report: Report) -> Iterator[str]:
    if report.stream is None:
        return
    s = report.stream
    yield "| Panda, PD + gravity, every step to Parquet | rows | time | rows in a second | on disk | unrecorded |"
    yield "|---|--:|--:|--:|--:|--:|"
    numbers = f"{s.rows:,} | {duration(s.seconds)} | {s.rows / s.seconds:,.0f} | {s.size / 1e6:,.0f} MB"
    yield f"| {SIMULATE} | {numbers} | {duration(s.unrecorded)} |"
