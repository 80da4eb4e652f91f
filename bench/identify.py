"""Whether identified parameters and their intervals are right, on arms whose every number is known, and how fast.

python3 bench/identify.py --quick                                           a few runs of the UR5; half a minute
python3 bench/identify.py -o identify.json -o docs/benchmarks.md            200 runs for each arm; a quarter of an hour
python3 bench/identify.py --runs 50 --arms ur5                              as asked
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import leverarm as la
from compile_tables import Bar
from leverarm.identification.estimation.pseudo_inertia import pseudo_inertias
from running import exit_if_missed, placed, say, setting
from synthetic_logs import Colour, Machine, log_of, machine, noisy

Array = NDArray[np.float64]

BEGIN, END = "<!-- measured by bench/identify.py -->\n", "<!-- end of what bench/identify.py measured -->\n"
"""Between these lines of a page the tables are replaced."""
ARMS = ("panda", "ur5")
RUNS = 200
SECONDS, RATE = 10.0, 200.0
COLUMNS = {
    "q, qd, qdd, tau": ("t", "q", "qd", "qdd", "tau"),
    "q, qd, tau": ("t", "q", "qd", "tau"),
    "q, tau": ("t", "q", "tau"),
}
EXACT = 1e-8
COVERED = (92.0, 97.0)
LONGEST = 3.0
"""Seconds for 20,000 samples of seven joints."""


@dataclass(frozen=True, slots=True)
class Exactness:
    """The greatest error of a base parameter without noise, of its size or, if that is more, its kind's."""

    arm: str
    columns: str
    rate: float
    worst: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """Percent of the base parameters that lie in their 95 % intervals, over runs with other motions and other noise.

    `textbook` is that of intervals which take the noise of each joint for white.
    """

    arm: str
    colour: Colour
    runs: int
    covered: float
    inertial: float
    friction: float
    textbook: float
    least: float
    """Of the single parameter that is covered most rarely."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """Least eigenvalues of M(q) [kg m^2] in 1e5 poses and of pseudo-inertias; how far written arms' torques are off."""

    arm: str
    inertia: float
    pseudo: float
    toml: float
    urdf: float


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    exactness: list[Exactness] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    bodies: list[Bodies] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """CPU time of 20,000 samples of the Panda from a CSV file to all numbers, once everything is compiled."""


def measure(arms: tuple[str, ...], runs: int, colours: tuple[Colour, ...] = ("mixed", "white", "slow")) -> Report:
    """The whole run, with a line of progress for each part."""
    report = Report(setting(f"{platform.system()} on {platform.machine()}, one core", ("numpy",)))
    for arm in arms:
        report.exactness += [exactness(arm, columns, rate) for rate in (1000.0, 200.0) for columns in COLUMNS]
        say(f"{arm}: without noise")
        for colour in colours:
            # The colour that is promised about takes most of the time.
            report.coverage.append(coverage(arm, colour, runs if colour == "mixed" else max(1, runs // 4)))
            say(f"{arm}: {report.coverage[-1]}")
        report.bodies.append(bodies(arm))
    return report


def exactness(arm: str, columns: str, rate: float) -> Exactness:
    """One log without noise."""
    random = np.random.default_rng(1)
    real = machine(arm, random)
    log = log_of(real.real, random, SECONDS, rate)
    result = la.identify(real.described, {name: log[name] for name in COLUMNS[columns]})
    return Exactness(arm, columns, rate, worst_error(real, result))


def worst_error(real: Machine, result: la.types.Identified) -> float:
    """Of the parameter's size, or of the root mean square of those with the same unit if that is more."""
    true = np.array([real.true_value(entry) for entry in result.parameters])
    units = np.array([entry.unit for entry in result.parameters])
    size = np.array([np.sqrt(np.mean(true[units == unit] ** 2)) for unit in units])
    off = np.array([entry.value for entry in result.parameters]) - true
    return float(np.max(np.abs(off) / np.maximum(np.abs(true), size)))


def coverage(arm: str, colour: Colour, runs: int) -> Coverage:
    """Complete identifications with default settings, every one of another machine, motion and noise."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for seed in range(runs):
        random = np.random.default_rng(seed)
        real = machine(arm, random)
        log = noisy(log_of(real.real, random, SECONDS, RATE), random, colour, random.uniform(0.01, 0.03))
        result = la.identify(real.described, {name: log[name] for name in ("t", "q", "tau")})
        for entry, white in zip(result.parameters, textbook_errors(result, log), strict=True):
            true = real.true_value(entry)
            inside = entry.interval[0] <= true <= entry.interval[1]
            found.setdefault(entry.name, []).append((inside, abs(entry.value - true) <= 1.96 * white))
    friction = [rows for name, rows in found.items() if name.rpartition(".")[2].startswith(("viscous", "coul", "offs"))]
    others = [rows for rows in found.values() if not any(rows is each for each in friction)]
    # A parameter of a richer friction model is there in few runs only, which say nothing of it alone.
    often = [rows for rows in found.values() if 2 * len(rows) > runs]
    every, (inertial, rubbing) = _share(list(found.values())), (_share(others)[0], _share(friction)[0])
    return Coverage(arm, colour, runs, every[0], inertial, rubbing, every[1], min(_share([rows])[0] for rows in often))


def _share(rows: list[list[tuple[bool, bool]]]) -> tuple[float, float]:
    """Percent inside of the intervals, and of the textbook's."""
    inside, textbook = 100 * np.mean([each for row in rows for each in row], axis=0)
    return float(inside), float(textbook)


def textbook_errors(result: la.types.Identified, log: dict[str, Array]) -> Array:
    """Standard errors (b,) if the noise of every joint were white: the diagonal of (W^T W / noise^2)^-1."""
    predictor = result.predictor
    motion = predictor.motion(la.read_log({name: log[name] for name in ("t", "q", "tau")}, result.given))
    columns = predictor.columns.columns(motion.q, motion.qd, motion.qdd, predictor.drives)
    base = [columns.names.index(name) for name in result.parameters.names]
    X = columns.W[:, :, base] / np.array(list(result.noise.values()))[:, None]
    return np.asarray(np.sqrt(np.diag(np.linalg.pinv(np.einsum("kni,knj->ij", X, X)))))


def bodies(arm: str, poses: int = 100_000) -> Bodies:
    """Of an arm identified from a noisy log."""
    random = np.random.default_rng(2)
    real = machine(arm, random)
    log = noisy(log_of(real.real, random, SECONDS, RATE), random)
    result = la.identify(real.described, {name: log[name] for name in ("t", "q", "tau")})
    q = random.uniform(-np.pi, np.pi, (poses, result.arm.dof))
    inertia = np.linalg.eigvalsh(np.asarray(la.compile(result.arm, "mass_matrix").mass_matrix(q))).min()
    numbers = np.array([[float(x) for x in link.inertia.numbers()] for link in la.bind(result.arm).links])
    states = random.uniform(-2, 2, (3, 1000, result.arm.dof))
    torque = result.torque(*states)
    off = {}
    with tempfile.TemporaryDirectory() as folder:
        result.save(folder)
        for name in ("arm.toml", "arm.urdf"):
            again = la.compile(la.load(Path(folder) / name), "inverse_dynamics").inverse_dynamics(*states)
            off[name] = float(np.abs(np.asarray(again) - torque).max() / np.abs(torque).max())
    least = float(np.linalg.eigvalsh(pseudo_inertias(numbers)).min())
    return Bodies(arm, float(inertia), least, off["arm.toml"], off["arm.urdf"])


def seconds_from_file(samples: int = 20_000, rate: float = 1000.0) -> dict[str, float]:
    """CPU time of the second of two runs, of a log without noise and of one with it."""
    random = np.random.default_rng(3)
    real = machine("panda", random)
    clean = log_of(real.real, random, samples / rate, rate)
    found = {}
    for title, log in (("without noise", clean), ("with noise", noisy(clean, random))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.csv"
            names = [f"{name}{j + 1}" for name in ("q", "tau") for j in range(7)]
            table = np.column_stack([log["t"], log["q"], log["tau"]])
            np.savetxt(path, table, delimiter=",", header=",".join(["t", *names]), comments="", fmt="%.12g")
            for _ in range(2):
                begun = time.process_time()
                la.identify(real.described, path)
                found[title] = time.process_time() - begun
    return found


def bars(report: Report) -> list[Bar]:
    """Every promise about what was measured."""
    return [*_exact_bars(report), *_coverage_bars(report), *_body_bars(report), *_time_bars(report)]


def _exact_bars(report: Report) -> Iterator[Bar]:
    for e in report.exactness:
        title = f"{e.arm}, {e.columns} at {e.rate:.0f} Hz without noise"
        yield Bar(title, f"{e.worst:.1g}", f"below {EXACT:.0e}", e.worst < EXACT)


def _coverage_bars(report: Report) -> Iterator[Bar]:
    low, high = COVERED
    for c in report.coverage:
        if c.colour == "mixed":
            title, bound = f"{c.arm}, {c.runs} runs: covered", f"{low:.0f} to {high:.0f} %"
            yield Bar(title, f"{c.covered:.1f} %", bound, low <= c.covered <= high)


def _body_bars(report: Report) -> Iterator[Bar]:
    for b in report.bodies:
        yield Bar(f"{b.arm}: least eigenvalue of M(q)", f"{b.inertia:.2g}", "above 0", b.inertia > 0)
        yield Bar(f"{b.arm}: least eigenvalue of a pseudo-inertia", f"{b.pseudo:.2g}", "above 0", b.pseudo > 0)
        off = max(b.toml, b.urdf)
        yield Bar(f"{b.arm}: torques of the written TOML and URDF", f"{off:.1g}", "below 1e-9", off < 1e-9)


def _time_bars(report: Report) -> Iterator[Bar]:
    for title, taken in report.seconds.items():
        bound = f"below {LONGEST:.0f} s"
        yield Bar(f"20,000 samples of 7 joints, {title}", f"{taken:.2f} s", bound, taken < LONGEST)


def markdown(report: Report) -> str:
    """The tables."""
    machine_, *versions = report.setting.items()
    ran = ", ".join([machine_[1], *(f"{name} {value}" for name, value in versions)])
    lines = [f"{ran}.", "", "| promised | found | bound | |", "|---|--:|--:|---|"]
    lines += [f"| {b.title} | {b.found} | {b.bound} | {'ok' if b.is_met else 'MISSED'} |" for b in bars(report)]
    return "\n".join([*lines, "", *_coverage_table(report)]) + "\n"


def _coverage_table(report: Report) -> Iterator[str]:
    yield "| arm | noise | runs | covered | inertial | friction | rarest parameter | textbook intervals |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for c in report.coverage:
        shares = " | ".join(f"{x:.1f} %" for x in (c.covered, c.inertial, c.friction, c.least, c.textbook))
        yield f"| {c.arm} | {c.colour} | {c.runs} | {shares} |"


def on_page(tables: str, path: Path) -> str:
    return placed(tables, path, BEGIN, END)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few runs of the UR5, in half a minute")
    parser.add_argument(
        "--runs", type=int, default=RUNS, help=f"of the coloured noise, for each arm; {RUNS} unless given"
    )
    parser.add_argument("--arms", nargs="+", default=ARMS, choices=la.catalog_names(), help="of the catalog")
    files = "FILE.json, FILE.md; may be repeated"
    parser.add_argument("-o", dest="output", action="append", type=Path, default=[], help=files)
    asked = parser.parse_args()
    report = measure(("ur5",), 5, ("mixed",)) if asked.quick else measure(tuple(asked.arms), asked.runs)
    report.seconds = seconds_from_file()
    page = markdown(report)
    print(page)
    for path in asked.output:
        path.write_text(on_page(page, path) if path.suffix == ".md" else json.dumps(asdict(report), indent=1) + "\n")
    exit_if_missed(bars(report))


if __name__ == "__main__":
    main()
