"""A picture of a run of bench/compile.py: how many times longer others take on the Panda, for a call and a batch."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt

from compile_tables import QUANTITIES, Report, way


def save_chart(report: Report, path: Path, arm: str = "panda", batch: int = 16384) -> None:
    """Bars on a logarithmic axis, one per rival's way and quantity; leverarm is the line at 1."""
    figure, plots = plt.subplots(1, 2, figsize=(11, 6.5), layout="constrained")
    for plot, states, title in zip(plots, (1, batch), ("one call", f"{batch:,} states, one thread"), strict=True):
        chosen = [
            f for f in report.figures if f.is_rival and (f.arm, f.states, f.threads) == (arm, states, 1)
        ]  # fmt: skip
        ways = list(dict.fromkeys(map(way, chosen)))
        quantities = [q for q in QUANTITIES if any(f.quantity == q for f in chosen)]
        height = 0.8 / max(len(quantities), 1)
        for k, quantity in enumerate(quantities):
            found = [f for f in chosen if f.quantity == quantity]
            places = [ways.index(way(f)) + (k - (len(quantities) - 1) / 2) * height for f in found]
            plot.barh(places, [f.ratio for f in found], height, label=QUANTITIES[quantity])
        plot.set(title=title, xscale="log", xlabel="times leverarm's time")
        plot.set_yticks(range(len(ways)), ways)
        plot.invert_yaxis()
        plot.axvline(1, color="black", linewidth=1)
        plot.grid(axis="x", alpha=0.3)
    plots[0].legend(fontsize="small")
    figure.savefig(path, dpi=120)
    plt.close(figure)
