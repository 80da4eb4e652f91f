"""How close certified bounds of arms come to the truth, in how much time.

python3 bench/properties.py --quick                                        the small arms; half a minute
python3 bench/properties.py -o bounds.json -o docs/benchmarks.md           all arms; about seven minutes
"""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import leverarm as la
from compile_tables import Bar, duration
from leverarm.verify.enclosures import enclosures
from leverarm.verify.enclosures.branch_and_bound import available_processes
from leverarm.verify.enclosures.enclosing import Enclosure
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.table.box import box_of
from leverarm.verify.table.digits import outward
from running import exit_if_missed, options, placed, say, setting

BEGIN, END = "<!-- measured by bench/properties.py -->\n", "<!-- end of what bench/properties.py measured -->\n"
"""Between these lines of a page the tables are replaced."""

CONSTANTS = tuple(key for key in EXTREMES if key != "norm_upper" and not key.startswith("lambda"))
"""In the 2-norm, m2 is mu2. The effective mass is bounded over a part of the box that the machine's speed decides."""
Ranges = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Task:
    """An arm, how long its bounds are narrowed [s], and how far apart their sides may then be, relatively.

    `box` has ranges where the joint limits are not meant. `boxes` is the most that is looked at for each constant.
    """

    arm: str
    seconds: float
    promised: Mapping[str, float]
    box: Ranges = field(default_factory=dict)
    boxes: int | None = None


def promises(sharp: float, loose: float) -> dict[str, float]:
    """Gaps for greatest inertia and weight, and for least inertia and velocity forces, which are harder."""
    return {"mu1": loose, "mu2": sharp, "v_b": loose, "g_b": sharp}


SMALL = (
    Task("elbow", 10.0, promises(1e-6, 1e-6)),
    Task("polar", 10.0, promises(1e-6, 1e-6), {"r": (0.5, 1.5)}),
)
LARGE = (
    Task("puma560", 120.0, promises(0.05, 0.20)),
    Task("ur5", 120.0, promises(0.05, 0.20)),
    Task("panda", 120.0, promises(0.10, 0.40)),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One constant of an arm: its sides at the end, boxes and seconds spent on it.

    `reached` is when the gap was as promised, by the clock from the begin of the arm's run [s]; None where it never
    was, or nothing is promised.
    """

    arm: str
    quantity: str
    lower: float
    upper: float
    promised: float | None
    reached: float | None
    boxes: int
    seconds: float

    @property
    def gap(self) -> float:
        return gap(self.lower, self.upper)


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    figures: list[Figure] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """By arm: by the clock, all constants together."""


def gap(lower: float, upper: float) -> float:
    """How far two sides are apart, relative to the larger one."""
    largest = max(abs(lower), abs(upper))
    if not math.isfinite(largest):
        return math.inf
    return (upper - lower) / largest if largest else 0.0


def measure(tasks: tuple[Task, ...], processes: int | None = None) -> Report:
    """The whole run, with a line of progress for each arm."""
    processes = processes or available_processes()
    words = f"{processes} process{'es' * (processes > 1)}"
    report = Report(setting(f"{platform.system()} on {platform.machine()}, {words}", ("numpy", "python-flint")))
    for task in tasks:
        begun = time.perf_counter()
        report.figures += figures(task, processes)
        report.seconds[task.arm] = time.perf_counter() - begun
        say(f"{task.arm}: {report.seconds[task.arm]:.1f} s")
    return report


def figures(task: Task, processes: int) -> list[Figure]:
    """All constants of one arm: their sides at the end, and when each came as close as promised."""
    arm = la.load(task.arm)
    box = box_of(arm, task.box)
    reached: dict[str, float] = {}
    begun = time.perf_counter()

    def watch(key: str, found: Enclosure) -> None:
        if key not in reached and gap(found.lower, found.upper) <= task.promised.get(key, -1.0):
            reached[key] = time.perf_counter() - begun

    found = enclosures(arm, box.lower, box.upper, task.seconds, boxes=task.boxes, processes=processes, progress=watch)
    return [
        Figure(
            task.arm, key, found[key].lower, found[key].upper, task.promised.get(key), reached.get(key),
            found[key].boxes, found[key].seconds,
        )
        for key in CONSTANTS
        if key in found
    ]  # fmt: skip


def bars(report: Report) -> list[Bar]:
    """Every promise about what was measured."""
    return [
        Bar(
            f"{f.arm}, {f.quantity}: gap",
            percent(f.gap),
            f"below {percent(f.promised)}",
            f.gap <= f.promised,
        )
        for f in report.figures
        if f.promised is not None
    ]


def percent(part: float) -> str:
    """A gap as a person reads it."""
    return "no enclosure" if math.isinf(part) else f"{100 * part:.2g} %" if part >= 1e-4 else f"{part:.2g}"


def markdown(report: Report) -> str:
    """The tables."""
    machine, *versions = report.setting.items()
    ran = ", ".join([machine[1], *(f"{name} {value}" for name, value in versions)])
    lines = [f"{ran}.", "", "| promised | found | bound | |", "|---|--:|--:|---|"]
    lines += [f"| {b.title} | {b.found} | {b.bound} | {'ok' if b.is_met else 'MISSED'} |" for b in bars(report)]
    lines += ["", *_table(report), ""]
    lines += [", ".join(f"{arm} {duration(seconds)}" for arm, seconds in report.seconds.items()) + " by the clock."]
    return "\n".join(lines) + "\n"


def _table(report: Report) -> Iterator[str]:
    yield "| arm | constant | enclosure | gap | as promised after | boxes | time spent on it |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for f in report.figures:
        after = "" if f.promised is None else "never" if f.reached is None else duration(f.reached)
        sides = " to ".join(outward(f.lower, f.upper)) if math.isfinite(f.upper) else f"from {f.lower:.3g}"
        spent = f"{f.boxes:,} | {duration(f.seconds)}"
        yield f"| {f.arm} | {f.quantity} | {sides} | {percent(f.gap)} | {after} | {spent} |"


def on_page(tables: str, path: Path) -> str:
    return placed(tables, path, BEGIN, END)


def main() -> None:
    asked = options(__doc__, "the small arms only, in half a minute", (".json", ".md"))
    report = measure(SMALL if asked.quick else (*SMALL, *LARGE))
    page = markdown(report)
    print(page)
    for path in asked.output:
        path.write_text(on_page(page, path) if path.suffix == ".md" else json.dumps(asdict(report), indent=1) + "\n")
    exit_if_missed(bars(report))


if __name__ == "__main__":
    main()
