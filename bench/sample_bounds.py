"""Random states against certified enclosures: no sampled value may lie outside.

    python bench/sample_bounds.py [REPORT.json ...] [--arms NAME ...] [--count 1e7] [--seed 0] [-o FILE.md|FILE.json]

A report is what `leverarm properties ARM -o REPORT.json` wrote for an arm of the catalog. Without reports, the
properties of every arm of the catalog (or of those named) are computed first. Each constant has its own states; a
coordinate without a range (a sliding joint that nothing depends on) is drawn between -10 and 10. The most extreme state
is looked at in ball arithmetic, so that rounding accuses nobody. Ends with 1 where an enclosure was left.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import leverarm as la
from leverarm.verify.enclosures.extremes import EXTREMES, certified_value
from running import say

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.support.drawn_states import sampled

SLIDE = (0.2, 1.0)
"""The range of a joint that slides without limits [m], where it matters."""
FREE = 10.0
"""The range of a coordinate that has none [m]."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A constant of an arm: its certified sides, and the most extreme value among random states, between two floats."""

    arm: str
    quantity: str
    lower: float
    upper: float
    sampled: tuple[float, float]
    states: int
    seconds: float

    @property
    def is_inside(self) -> bool:
        """A minimum is not below its lower side at any state, a maximum not above its upper side."""
        low, high = self.sampled
        return high >= self.lower if EXTREMES[self.quantity].is_least else low <= self.upper

    @property
    def distance(self) -> float:
        """How far inside the sample stays, relative to the side that it may not pass; negative outside."""
        low, high = self.sampled
        side, away = (
            (self.lower, high - self.lower) if EXTREMES[self.quantity].is_least else (self.upper, self.upper - low)
        )
        return away / abs(side) if side and math.isfinite(side) else math.inf if away else 0.0


def samples(report: Mapping[str, Any], count: int, seed: int) -> Iterable[Sample]:
    """The constants of a report (see `Properties.facts`), sampled one after the other."""
    name = report["arm"]["name"]
    arm = la.load(name)
    ranges = [report["box"][joint] or (-FREE, FREE) for joint in arm.joint_names]
    lower, upper = [low for low, _ in ranges], [high for _, high in ranges]
    for row in report["rows"]:
        bound = row["bound"]
        if row["key"] not in EXTREMES or bound is None or bound["how"] != "certified enclosure":
            continue
        norm = row["statement"].partition("||_")[2].split(" ")[0] or "2"
        start = time.perf_counter()
        part = bound["part"] or list(zip(lower, upper, strict=True))
        found = sampled(arm, row["key"], *zip(*part, strict=True), count, seed, norm)
        state = {"q": found.q} | ({} if found.qd is None else {"qd": found.qd})
        value = certified_value(arm, row["key"], state, norm)
        sides = _number(bound["lower"], -math.inf), _number(bound["upper"], math.inf)
        yield Sample(name, row["key"], *sides, value, count, time.perf_counter() - start)


def _number(side: float | None, unknown: float) -> float:
    return unknown if side is None else float(side)


def table(found: Iterable[Sample]) -> str:
    """A Markdown table, a line per constant."""
    lines = ["| arm | constant | certified | sampled | inside by | states | |", "|---|---|---|---|---|---|---|"]
    for s in found:
        verdict = "ok" if s.is_inside else "OUTSIDE"
        lines.append(
            f"| {s.arm} | {s.quantity} | [{s.lower:.9g}, {s.upper:.9g}] | {s.sampled[0]:.9g} | {s.distance:.1e} "
            f"| {s.states:,} | {verdict} |"
        )
    return "\n".join(lines) + "\n"


def reports(files: Iterable[Path], names: Iterable[str], seconds: float) -> Iterable[Mapping[str, Any]]:
    """Those in the files, or freshly computed ones of the arms named; joints that slide without limits get a range."""
    for path in files:
        yield json.loads(path.read_text())
    for name in names:
        say(f"{name}: properties")
        arm = la.load(name)
        missing = la.properties(arm, seconds=0).box.missing
        yield la.properties(arm, dict.fromkeys(missing, SLIDE), seconds).facts()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="*", type=Path)
    parser.add_argument("--arms", nargs="+", default=[], choices=la.catalog_names(), metavar="NAME")
    parser.add_argument("--count", type=float, default=1e7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the properties of each arm")
    given = parser.parse_args()
    names = given.arms or ([] if given.reports else la.catalog_names())
    found = []
    for report in reports(given.reports, names, given.seconds):
        for sample in samples(report, int(given.count), given.seed):
            say(f"{sample.arm} {sample.quantity}: {sample.sampled[0]:.9g}, {sample.seconds:.1f} s")
            found.append(sample)
    print(table(found), end="")
    if given.output is not None:
        plain = json.dumps([asdict(sample) for sample in found], indent=1) + "\n"
        given.output.write_text(plain if given.output.suffix == ".json" else table(found))
    if outside := [f"{s.arm} {s.quantity}" for s in found if not s.is_inside]:
        sys.exit("OUTSIDE: " + "; ".join(outside))


if __name__ == "__main__":
    main()
