"""A picture of a run of bench/compile.py: how many times longer others take on the Panda, for a call and a batch."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from compile_rivals.arms import TITLES
from compile_tables import QUANTITIES, Report, rank, way


def save_chart(report: Report, path: Path, arm: str = "panda", batch: int = 16384) -> None:
    """Bars from 1 (leverarm) on a logarithmic axis, one per rival's way and quantity."""
    figure, plots = plt.subplots(1, 2, figsize=(12, 7), sharex=True, layout="constrained")
    colours = dict(zip(QUANTITIES, plt.get_cmap("tab10").colors, strict=False))
    for plot, states, title in zip(plots, (1, batch), ("one call", f"{batch:,} states, one thread"), strict=True):
        chosen = [f for f in report.figures if f.is_rival and (f.arm, f.states, f.threads) == (arm, states, 1)]
        rows = 0.0
        ticks: dict[str, float] = {}
        for name in sorted(dict.fromkeys(map(way, chosen)), key=rank):
            ratios = {f.quantity: f.ratio for f in chosen if way(f) == name}
            places = [rows + k for k in range(len(ratios))]
            widths = [ratio - 1 for ratio in ratios.values()]
            plot.barh(places, widths, 0.9, left=1, color=[colours[quantity] for quantity in ratios])
            ticks[name] = rows + (len(ratios) - 1) / 2
            rows += len(ratios) + 1
        plot.set(title=f"{TITLES[arm]}, {title}", xscale="log", xlabel="times leverarm's time")
        plot.set_yticks(list(ticks.values()), list(ticks))
        plot.invert_yaxis()
        plot.axvline(1, color="black", linewidth=1)
        plot.grid(axis="x", alpha=0.3)
    handles = [Patch(color=colours[quantity], label=title) for quantity, title in QUANTITIES.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)
