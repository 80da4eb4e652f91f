"""Pictures of a run of bench/simulate.py: what a step takes, and how well each method keeps the energy."""

from __future__ import annotations

from pathlib import Path

from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from compile_tables import duration
from simulate_tables import Report

COLOURS = colormaps["tab10"].colors
LEAST = 1e-16
"""Errors are drawn from here on: below is rounding."""


def save_chart(report: Report, path: Path) -> None:
    """Bars of the time for a step of an environment on a logarithmic axis, by way, size and law."""
    sizes = list(dict.fromkeys((m.environments, m.threads) for m in report.marches))
    laws = list(dict.fromkeys(m.law for m in report.marches))
    figure = Figure(figsize=(12, 1.2 + 0.45 * len(report.marches)), layout="constrained")
    rows = [len({m.title for m in report.marches if (m.environments, m.threads) == size}) for size in sizes]
    plots = figure.subplots(len(sizes), 1, sharex=True, squeeze=False, height_ratios=rows)[:, 0]
    for plot, (environments, threads) in zip(plots, sizes, strict=True):
        chosen = [m for m in report.marches if (m.environments, m.threads) == (environments, threads)]
        titles = list(dict.fromkeys(m.title for m in chosen))
        for m in chosen:
            place = titles.index(m.title) + (laws.index(m.law) - (len(laws) - 1) / 2) * 0.4
            plot.barh(place, m.seconds * 1e9, 0.38, color=COLOURS[laws.index(m.law)])
            plot.annotate(
                duration(m.seconds),
                (m.seconds * 1e9, place),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        words = "one environment" if environments == 1 else f"{environments:,} environments"
        on = "one thread" if threads == 1 else f"{threads} threads"
        plot.set_title(f"{words}, {on}", loc="left")
        plot.set_xscale("log")
        plot.set_yticks(range(len(titles)), titles)
        plot.invert_yaxis()
        plot.grid(axis="x", alpha=0.3)
        plot.set_axisbelow(True)
    plots[-1].set_xlabel("time for a step of one environment [ns]")
    plots[-1].set_xlim(10, 3e9 * max(m.seconds for m in report.marches))
    figure.suptitle("Panda, RK4, steps of 1 ms")
    handles = [Patch(color=COLOURS[k], label=law) for k, law in enumerate(laws)]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(laws), frameon=False)
    _save(figure, path)


def save_drift(report: Report, path: Path) -> None:
    """The error of the energy over time on a logarithmic axis, a line for each method."""
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    plot = figure.subplots()
    for k, d in enumerate(report.drifts):
        ends = "" if d.exploded is None else f",\nexplodes at {d.exploded:.3g} s"
        plot.plot(d.t, [max(e, LEAST) for e in d.error], color=COLOURS[k], label=d.title + ends)
    plot.set(
        title=f"Panda without friction falls for {report.falling:g} s, steps of 1 ms",
        xlabel="time [s]",
        ylabel="|E - E(0)| / E(0), largest in each hundredth of the run",
        yscale="log",
        xlim=(0, report.falling),
    )
    if any(d.exploded is not None for d in report.drifts):
        plot.set_ylim(top=1e2)
    plot.grid(alpha=0.3)
    figure.legend(loc="outside right upper", frameon=False)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    FigureCanvasAgg(figure).print_png(path)
