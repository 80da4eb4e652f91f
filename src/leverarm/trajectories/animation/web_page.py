"""A film as one web page: the run as JSON, and a player beside it. Nothing comes from the network."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from typing import BinaryIO

from leverarm._version import __version__
from leverarm.trajectories.animation.film import Film
from leverarm.trajectories.animation.player_data import run_data
from leverarm.trajectories.animation.progress import Progress
from leverarm.trajectories.plots.styles import KINETIC, POTENTIAL

SPEEDS = (0.1, 0.25, 0.5, 1, 2, 4)

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="leverarm {version}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main style="max-width: {width}px">
<header><h1>{title}</h1><p>{subtitle}</p></header>
<canvas id="view" role="img" aria-label="{title}, moving"></canvas>
<canvas id="strip" role="img" aria-label="energies over time"></canvas>
<div class="bar">
<button id="play" type="button">Play</button>
<input id="slider" type="range" min="0" max="1000" value="0" aria-label="time">
<label>speed <select id="speed">{speeds}</select></label>
<label><input id="names" type="checkbox"> names</label>
</div>
<div class="bar">
<output id="time"></output>
<output><b style="color: {kinetic}">K</b> = <span id="kinetic"></span></output>
<output><b style="color: {potential}">P</b> = <span id="potential"></span></output>
<output><b>K + P</b> = <span id="total"></span></output>
</div>
</main>
<script type="application/json" id="run">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


def write_page(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes one .html file that plays the run in any browser; spatial arms can be turned with the mouse."""
    data = json.dumps(run_data(film), separators=(",", ":"), allow_nan=False)
    speeds = sorted({*SPEEDS, film.speed})
    options = (f'<option value="{x:g}"{" selected" * (x == film.speed)}>{x:g} x</option>' for x in speeds)
    page = PAGE.format(
        version=escape(__version__), title=escape(film.title), subtitle=escape(film.subtitle),
        style=_resource("player.css"), script=_resource("player.js"), width=round(film.stage.page.width) + 2,
        speeds="".join(options), kinetic=KINETIC, potential=POTENTIAL,
        data=data.replace("<", "\\u003c"),  # a name cannot end the script
    )  # fmt: skip
    stream.write(page.encode())
    progress(len(film.frames), len(film.frames))


def _resource(name: str) -> str:
    return (resources.files("leverarm") / "trajectories" / "animation" / name).read_text(encoding="utf-8")
