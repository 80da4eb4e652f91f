"""How fast equations of motion are derived, next to SymPy and heyoka on the same arms, in one run.

python3 bench/derive.py --quick                                      cuts everything off at 5 s; a minute
python3 bench/derive.py -o derive.json -o docs/benchmarks.md         cuts off at 300 s; about twenty minutes
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import derive_own as own
from derive_rivals import RIVALS
from derive_rivals.arms import arm_named
from derive_rivals.runs import Stage, run_rival
from running import options, placed, say, setting

ARMS = {"elbow": "planar 2R", "planar3r": "planar 3R", "puma560": "Puma 560"}
TIMED = ("lagrange", "kane", "textbook", "heyoka")
PUBLISHED = "puma560-published"
PUBLISHED_OPERATIONS = 1550
"""Counted in benchmarks/puma560.c of SymPyBotics (commit e8c32d5): 866 multiplications, 684 additions for M, g, c."""
LEAST_RATIO = 500
BEGIN, END = "<!-- measured by bench/derive.py -->\n", "<!-- end of what is measured -->\n"
"""Between these lines of a page the tables are replaced."""
LONGEST_OWN = 30.0
"""Seconds that printing every entry of the Puma may take; left out when everything is cut off earlier."""
LARGEST_ERROR = 1e-9
"""How far a rival's forces may be from ours at a motion where all numbers are about one [N m]."""


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    cut_off: float
    bounds: list[own.Timing] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    programs: dict[str, int] = field(default_factory=dict)


def measure(cut_off: float, repeats: int = 7, arms: tuple[str, ...] = tuple(ARMS)) -> Report:
    """The whole run, with a line of progress for each thing done."""
    machine = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
    report = Report(setting(machine, ("python-flint", "sympy", "heyoka")), cut_off)
    for timing in own.timings(repeats):
        report.bounds.append(timing)
        say(f"leverarm  {timing.title}: {duration(timing.seconds)}")
    for name in arms:
        for stage in own_stages(name, cut_off, repeats):
            report.stages.append(stage)
            say(f"leverarm  {ARMS[name]}, {stage.stage}: {duration(stage.seconds)}")
        for rival in TIMED:
            for stage in run_rival(rival, name, cut_off):
                report.stages.append(stage)
                say(f"{rival}  {ARMS[name]}, {stage.stage}: {duration(stage.seconds)} {stage.note}")
    report.programs["leverarm, every sum named"] = own.program_size(arm_named(PUBLISHED))
    for stage in run_rival("newton_euler_code", PUBLISHED, cut_off):
        report.programs[RIVALS["newton_euler_code"][1]] = stage.operations or 0
    report.programs["SymPyBotics, code it published"] = PUBLISHED_OPERATIONS
    return report


def own_stages(name: str, cut_off: float, repeats: int) -> Iterator[Stage]:
    """What leverarm does on an arm of the comparison."""
    arm = arm_named(name)
    yield Stage("leverarm", name, "M, Christoffel, g", own.least_seconds(lambda: own.forms(arm), repeats))
    yield Stage("leverarm", name, "Euler-Lagrange", own.least_seconds(lambda: own.euler_lagrange(arm), repeats))
    is_small = arm.dof < 4
    if is_small or cut_off > LONGEST_OWN:
        seconds = own.least_seconds(lambda: own.printed(arm), repeats if is_small else 1)
        yield Stage("leverarm", name, "printed", seconds, own.operations(arm))


def bars(report: Report) -> dict[str, bool]:
    """Every promise and whether it is kept; the ratio is not judged where SymPy was cut off before it was done."""
    kept = {timing.title: timing.seconds < timing.bound for timing in report.bounds}
    kept["the rivals' forces are ours"] = all((stage.deviation or 0) < LARGEST_ERROR for stage in report.stages)
    ratio = ratio_to_lagrange(report)
    if ratio is not None:
        kept[f"{LEAST_RATIO} times faster than SymPy's Lagrange on the Puma"] = ratio >= LEAST_RATIO
    return kept


def ratio_to_lagrange(report: Report) -> float | None:
    """SymPy's raw Lagrange over ours, both from the arm to d/dt dL/dqd - dL/dq."""
    seconds = {(s.rival, s.stage): s.seconds for s in report.stages if s.arm == "puma560"}
    rival, ours = seconds.get(("lagrange", "raw")), seconds.get(("leverarm", "Euler-Lagrange"))
    return rival / ours if rival and ours else None


def markdown(report: Report) -> str:
    """The tables."""
    machine, *versions = report.setting.items()
    ran = ", ".join([machine[1], *(f"{name} {value}" for name, value in versions)])
    lines = [f"{ran}. Each stage is cut off after {report.cut_off:g} s.", ""]
    lines += ["| leverarm | CPU time | bound | |", "|---|--:|--:|---|"]
    for timing in report.bounds:
        verdict = "met" if timing.seconds < timing.bound else "MISSED"
        lines.append(f"| {timing.title} | {duration(timing.seconds)} | {duration(timing.bound)} | {verdict} |")
    lines += ["", "| arm | what | stage | CPU time | against ours | operations |", "|---|---|---|--:|--:|--:|"]
    for stage in report.stages:
        title = RIVALS[stage.rival][1] if stage.rival in RIVALS else "leverarm"
        size = f"{stage.operations:,}" if stage.operations else ""
        taken = duration(stage.seconds) if stage.seconds is not None else stage.note
        lines.append(f"| {ARMS[stage.arm]} | {title} | {stage.stage} | {taken} | {against(report, stage)} | {size} |")
    lines += ["", "| program for M, g and c of the Puma 560 | operations |", "|---|--:|"]
    lines += [f"| {title} | {count:,} |" for title, count in report.programs.items()]
    return "\n".join(lines) + "\n"


def on_page(tables: str, path: Path) -> str:
    return placed(tables, path, BEGIN, END)


def against(report: Report, stage: Stage) -> str:
    """How many times longer than ours: raw against the derived equations, simplified against the printed ones."""
    if stage.rival == "leverarm":
        return ""
    counterpart = {"raw": "Euler-Lagrange", "simplified": "printed"}[stage.stage]
    if stage.rival == "textbook" and stage.stage == "raw":
        counterpart = "M, Christoffel, g"
    ours = [s.seconds for s in report.stages if (s.rival, s.arm, s.stage) == ("leverarm", stage.arm, counterpart)]
    if not ours or not ours[0] or (stage.seconds is None and not stage.note.startswith(">")):
        return ""
    seconds = report.cut_off if stage.seconds is None else stage.seconds
    ratio = seconds / ours[0]
    return ("> " if stage.seconds is None else "") + (f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}")


def duration(seconds: float | None) -> str:
    """Seconds as a person reads them."""
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def main() -> None:
    asked = options(__doc__, "cut every stage off at 5 s instead of 300 s", (".json", ".md"))
    report = measure(5.0 if asked.quick else 300.0)
    page = markdown(report)
    print(page)
    for path in asked.output:
        path.write_text(on_page(page, path) if path.suffix == ".md" else json.dumps(asdict(report), indent=1) + "\n")
    missed = [promise for promise, is_kept in bars(report).items() if not is_kept]
    if missed:
        sys.exit("MISSED: " + "; ".join(missed))


if __name__ == "__main__":
    main()
