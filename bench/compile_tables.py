"""What a run of bench/compile.py found: the figures, the promises and whether they are kept, and the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compile_own import Fresh
from compile_rivals import RIVALS
from compile_rivals.arms import TITLES

BEGIN, END = "<!-- measured by bench/compile.py -->\n", "<!-- end of what bench/compile.py measured -->\n"
"""Between these lines of a page the tables are replaced."""
LARGEST_ERROR = 1e-9
"""How far a rival's numbers may be from leverarm's, relative to the largest."""
QUANTITIES = {
    "inverse_dynamics": "inverse dynamics",
    "forward_dynamics": "forward dynamics",
    "mass_matrix": "mass matrix",
    "coriolis_matrix": "C matrix",
    "regressor": "regressor",
    "inverse_dynamics_derivatives": "derivatives of inverse dynamics",
    "forward_dynamics_derivatives": "derivatives of forward dynamics",
}
CALL_RATIOS = dict(zip(QUANTITIES, (6, 6, 4, 5, 8, 4, 4), strict=True))
"""How many times faster than the same call of Pinocchio one call is to be, on the Panda."""
LOOP_RATIOS = {"inverse_dynamics": 50, "forward_dynamics": 60, "mass_matrix": 25, "inverse_dynamics_derivatives": 15}
"""How many times faster than a Python loop over Pinocchio a batch of 16384 on one thread is to be."""
PARALLEL_RATIO = 30
FLOPS = {"inverse_dynamics": 650, "forward_dynamics": 1380}
"""The most operations for the Panda after all passes."""
PUMA, PUMA_PUBLISHED = "Puma 560, links only", 1165
"""Operations of the full explicit model with its authors' inertias, 739 products and 426 sums (305 without the terms
under 1 %). Armstrong, Khatib, Burdick 1986, "The explicit dynamic model and inertial parameters of the PUMA 560 arm".
"""
FIRST_COLD, FIRST_CACHED = 0.5, 0.05
TREE_SECONDS, TREE_MEGABYTES = 60, 2000


@dataclass(frozen=True, slots=True)
class Figure:
    """One way of doing a task: seconds per state (least and median of the repeats), and how many times ours that is.

    `deviation` is how far its numbers are from the reference, relative to the largest.
    """

    arm: str
    quantity: str
    states: int
    threads: int
    title: str
    choices: str
    is_rival: bool
    seconds: float
    median: float
    repeats: int
    ratio: float
    deviation: float


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    figures: list[Figure] = field(default_factory=list)
    flops: dict[str, dict[str, int]] = field(default_factory=dict)
    cold: Fresh | None = None
    cached: Fresh | None = None
    tree: Fresh | None = None
    left_out: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bar:
    """A promise: what was found and its bound, as text, and whether it is kept."""

    title: str
    found: str
    bound: str
    is_met: bool


def bars(report: Report) -> list[Bar]:
    """Every promise about what was measured."""
    return [*_ratio_bars(report), *_other_bars(report)]


def _ratio_bars(report: Report) -> Iterator[Bar]:
    """Those about the Panda next to others."""
    panda = [f for f in report.figures if f.arm == "panda" and f.is_rival]

    def against(prefix: str, quantity: str, states: int, threads: int = 1) -> Iterator[float]:
        for f in panda:
            if f.title.startswith(prefix) and (f.quantity, f.states, f.threads) == (quantity, states, threads):
                yield f.ratio

    for quantity, least in CALL_RATIOS.items():
        for ratio in against("Pinocchio", quantity, 1):
            yield _at_least(f"one call, {QUANTITIES[quantity]}, against Pinocchio", ratio, least)
    for quantity, least in LOOP_RATIOS.items():
        for ratio in list(against("Pinocchio", quantity, 16384))[:1]:
            yield _at_least(f"16384 states, {QUANTITIES[quantity]}, against a loop over Pinocchio", ratio, least)
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        ratios = list(against("heyoka", quantity, 16384))
        if ratios:
            yield _at_least(f"16384 states, {QUANTITIES[quantity]}, against heyoka, one thread", min(ratios), 1)
    for threads in sorted({f.threads for f in panda}):
        for ratio in against("Pinocchio rneaInParallel", "inverse_dynamics", 16384, threads):
            words = f"{threads} thread{'s' if threads > 1 else ''} each"
            yield _at_least(f"16384 states, rneaInParallel, {words}", ratio, PARALLEL_RATIO)


def _other_bars(report: Report) -> Iterator[Bar]:
    for quantity, most in FLOPS.items():
        if "panda" in report.flops:
            yield _at_most(f"operations, Panda, {QUANTITIES[quantity]}", report.flops["panda"][quantity], most, "")
    if PUMA in report.flops:
        count = report.flops[PUMA]["inverse_dynamics"]
        yield _at_most(f"operations, {PUMA}, {QUANTITIES['inverse_dynamics']}", count, PUMA_PUBLISHED, "")
    if report.cold and report.cached:
        yield _at_most("Panda, first inverse dynamics, empty cache", report.cold.first, FIRST_COLD, " s")
        yield _at_most("Panda, first inverse dynamics, from the cache", report.cached.first, FIRST_CACHED, " s")
    if report.tree:
        yield _at_most("30-joint tree, everything compiled", report.tree.first, TREE_SECONDS, " s")
        yield _at_most("30-joint tree, most memory", report.tree.peak, TREE_MEGABYTES, " MB")
    if report.figures:
        worst = max(f.deviation for f in report.figures)
        yield _at_most("everyone computes the same, relative", worst, LARGEST_ERROR, "")


def _at_least(title: str, found: float, bound: float) -> Bar:
    return Bar(title, f"{found:.3g} times faster", f"at least {bound:g}", found >= bound)


def _at_most(title: str, found: float, bound: float, unit: str) -> Bar:
    return Bar(
        title,
        f"{found:.3g}{unit}" if found < 1000 else f"{found:,.0f}{unit}",
        f"at most {bound:g}{unit}",
        found <= bound,
    )


def markdown(report: Report) -> str:
    """The tables."""
    machine, *versions = report.setting.items()
    ran = ", ".join([machine[1], *(f"{name} {value}" for name, value in versions)])
    lines = [f"{ran}.", "", "| promised | found | bound | |", "|---|--:|--:|---|"]
    lines += [f"| {b.title} | {b.found} | {b.bound} | {'ok' if b.is_met else 'MISSED'} |" for b in bars(report)]
    for arm in dict.fromkeys(f.arm for f in report.figures):
        lines += ["", *_arm_table(arm, [f for f in report.figures if f.arm == arm])]
    if report.flops:
        lines += ["", "| operations after all passes | " + " | ".join(report.flops) + " |"]
        lines.append("|---" + "|--:" * len(report.flops) + "|")
        for quantity, title in QUANTITIES.items():
            counts = [f"{of_arm[quantity]:,}" for of_arm in report.flops.values()]
            lines.append(f"| {title} | {' | '.join(counts)} |")
    lines += _fresh_table(report)
    if report.left_out:
        lines += ["", *(f"{rival}: {why}." for rival, why in report.left_out.items())]
    return "\n".join(lines) + "\n"


def _arm_table(arm: str, figures: list[Figure]) -> Iterator[str]:
    """A row for each way of computing at each size; in a cell the time per state, and how many times ours it is."""
    columns = {
        quantity: title for quantity, title in QUANTITIES.items() if any(f.quantity == quantity for f in figures)
    }
    yield f"| {TITLES[arm]} | states | threads | {' | '.join(columns.values())} |"
    yield "|---|--:|--:" + "|--:" * len(columns) + "|"
    cells: dict[tuple[int, int, str, bool], dict[str, str]] = {}
    for f in figures:
        text = duration(f.seconds) + (f" ({times(f.ratio)})" if f.is_rival else "")
        cells.setdefault((f.states, f.threads, way(f), f.is_rival), {})[f.quantity] = text
    for (states, threads, title, _), row in sorted(cells.items(), key=_order):
        entries = " | ".join(row.get(quantity, "") for quantity in columns)
        yield f"| {title} | {'call' if states == 1 else f'{states:,}'} | {threads} | {entries} |"


def _order(cell: tuple[tuple[int, int, str, bool], dict[str, str]]) -> tuple[int, int, int]:
    """By size, then threads, leverarm first and the ways of a rival together."""
    (states, threads, title, _), _ = cell
    return states, threads, rank(title)


def rank(title: str) -> int:
    """The place of a way of computing among the others: leverarm, then the rivals as they are listed."""
    packages = ["leverarm", *(package for package, _ in RIVALS.values())]
    return next((k for k, package in enumerate(packages) if title.startswith(package)), len(packages))


def way(figure: Figure) -> str:
    """The rival and its way of being called, without the names of its functions, which differ from column to column."""
    package, _, rest = figure.title.partition(" ")
    if package == "Pinocchio":
        return "Pinocchio" + (
            " in a Python loop" if "loop" in rest else " in parallel" if "InParallel" in rest else " call"
        )
    if package == "MuJoCo":
        return (
            "MuJoCo rollout" if "rollout" in rest else "MuJoCo in a Python loop" if "loop" in rest else "MuJoCo calls"
        )
    return "Robotics Toolbox" if package == "Robotics" else figure.title


def _fresh_table(report: Report) -> Iterator[str]:
    rows = {
        "Panda, inverse dynamics, empty cache": report.cold,
        "Panda, inverse dynamics, from the cache": report.cached,
        "30-joint tree, everything, empty cache": report.tree,
    }
    if not any(rows.values()):
        return
    yield from ("", "| in a new process | import | load the arm | compile, first result | most memory |")
    yield "|---|--:|--:|--:|--:|"
    for title, fresh in rows.items():
        if fresh:
            times_taken = (duration(x) for x in (fresh.imported, fresh.loaded, fresh.first))
            yield f"| {title} | {' | '.join(times_taken)} | {fresh.peak:,.0f} MB |"


def duration(seconds: float) -> str:
    """Seconds as a person reads them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def times(ratio: float) -> str:
    """How many times longer, without digits that mean nothing."""
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:,.0f}x"
