"""An animation as one self-contained web page: the run as JSON, and a player that draws it."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from typing import Any, BinaryIO

import numpy as np

from leverarm.arrays import Array
from leverarm.documents.page import page
from leverarm.model import JointKind
from leverarm.model.joint_kinds import Picture
from leverarm.pictures import palette
from leverarm.pictures.arm_shapes import link_colours
from leverarm.pictures.plot_sheet import KINETIC, POTENTIAL
from leverarm.simulation.trajectories.animation.film import FADED_TRACE, TRACE, Film, Progress, Stage, energy_digits
from leverarm.simulation.trajectories.animation.rig import Motion
from leverarm.simulation.trajectories.files.columns import quaternions
from leverarm.spatial import Vec3


def run_data(film: Film) -> dict[str, Any]:
    """The player's data: points attached to bodies, the poses of the bodies in each frame, the view, the energies."""
    motion, frames, stage = film.motion, film.frames, film.stage
    rig, scene = motion.rig, motion.rig.scene
    used = sorted({*rig.homes.ravel().tolist(), *rig.joint_homes, *rig.triad_homes})
    number = {home: k for k, home in enumerate(used)}
    carriers = frames.poses[:, used]
    turns = quaternions(carriers[..., :3, :3].reshape(-1, 3, 3)).reshape(*carriers.shape[:2], 4)
    poses = np.concatenate([carriers[..., :3, 3], turns], axis=2)
    tips = [frames.fine_poses[:, home, :3, 3] for home in rig.triad_homes[1:]]
    return {
        "t": _numbers(frames.t),
        "kinetic": _numbers(frames.kinetic, 7),
        "potential": _numbers(frames.potential, 7),
        "digits": energy_digits(frames),
        "rate": frames.rate,
        "between": frames.between,
        "homes": len(used),
        "poses": _numbers(poses, 5),
        "trails": [_numbers(tip, 5) for tip in tips],
        **_picture(film, number),
        "triads": [number[home] for home in rig.triad_homes],
        "mark": scene.mark,
        "base": _vector(scene.base.origin),
        "gravity": _vector(scene.gravity),
        **_view(motion, stage),
        "palette": _palette(),
    }


def _picture(film: Film, number: dict[int, int]) -> dict[str, Any]:
    """Links, joints and centres of mass as numbers of points, and what the points ride on."""
    rig = film.motion.rig
    scene, colours = rig.scene, link_colours(rig.scene)
    heaviest = max((dot.mass for dot in scene.masses), default=1.0)
    points = [
        [x for home, at in zip(homes[:ends], local[:ends], strict=True) for x in (number[home], *_numbers(at))]
        for homes, local in zip(rig.homes.tolist(), rig.local, strict=True)
        for ends in (1 if homes[0] == homes[1] else 2,)
    ]
    rest = iter(range(len(points)))
    return {
        "points": points,
        "links": [
            {
                "points": [next(rest) for _ in link.points],
                "colour": palette.ROD if link.is_rod else colours[link.body],
                "rod": link.is_rod,
            }
            for link in scene.links
        ],
        "joints": [
            {
                "name": joint.name,
                "kind": str(joint.kind),
                "solid": joint.kind.traits.picture.solid,
                "point": next(rest),
                "home": number[home],
                "axis": _numbers(axis),
            }
            for joint, home, axis in zip(scene.joints, rig.joint_homes, rig.axes, strict=True)
        ],
        "masses": [
            {
                "point": next(rest),
                "origin": next(rest),
                "radius": scene.mark * (0.22 + 0.2 * (dot.mass / heaviest) ** (1 / 3)),
                "lever": k in film.on_levers,
            }
            for k, dot in enumerate(scene.masses)
        ],
    }


def _view(motion: Motion, stage: Stage) -> dict[str, Any]:
    """The camera, its target, and the size of the visible scene [m]."""
    camera, floor, page = stage.sheet.camera, stage.floor, stage.page
    low, high = motion.points.min(axis=(0, 1)), motion.points.max(axis=(0, 1))
    middle = page.width / 2, page.headroom + (page.greatest_height - page.headroom) / 2
    sheet = stage.sheet
    x, y = (middle[0] - sheet.left) / sheet.scale, (sheet.top - middle[1]) / sheet.scale
    deep = camera.depth(Vec3(*((low + high) / 2).tolist()))
    centre = camera.right * x + camera.up * y + camera.toward * deep
    return {
        "planar": camera.is_head_on,
        "camera": {name: _vector(getattr(camera, name)) for name in ("right", "up", "toward")},
        "up": _vector(motion.rig.scene.up),
        "centre": _vector(centre),
        "width": page.width / sheet.scale,
        "height": (page.greatest_height - page.headroom) / sheet.scale,
        "aspect": (page.greatest_height - page.headroom) / page.width,
        "floor": None if floor is None else {
            "centre": _vector(floor.centre),
            "along": _vector(floor.along),
            "across": _vector(floor.across),
            "columns": floor.columns,
            "rows": floor.rows,
        },
    }  # fmt: skip


def _palette() -> dict[str, Any]:
    return {
        "ink": palette.INK, "soft": palette.SOFT_INK, "ground": palette.GROUND, "groundLine": palette.GROUND_LINE,
        "groundEdge": palette.GROUND_EDGE, "shadow": palette.SHADOW, "linkEdge": palette.LINK_EDGE,
        "shine": palette.LINK_HIGHLIGHT, "gravity": palette.GRAVITY, "trail": TRACE, "fadedTrail": FADED_TRACE,
        "kinetic": KINETIC, "potential": POTENTIAL, "axes": [colour for _, _, colour in palette.AXES],
        "joints": {str(kind): _colours(kind.traits.picture) for kind in JointKind},
    }  # fmt: skip


def _colours(picture: Picture) -> tuple[str, str, str]:
    return picture.edge, picture.side, picture.cap


def _numbers(values: Array, digits: int = 6) -> list[float]:
    """Numbers short enough for a page: so many digits after the point."""
    return [float(x) for x in np.round(values, digits).ravel()]


def _vector(v: Vec3) -> list[float]:
    return [round(float(part), 9) for part in v]


SPEEDS = (0.1, 0.25, 0.5, 1, 2, 4)

BODY = """<main style="max-width: {width}px">
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
{script}</script>"""


def write_page(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes one .html file that plays the run in any browser; spatial arms can be turned with the mouse."""
    data = json.dumps(run_data(film), separators=(",", ":"), allow_nan=False)
    speeds = sorted({*SPEEDS, film.speed})
    options = (f'<option value="{x:g}"{" selected" * (x == film.speed)}>{x:g} x</option>' for x in speeds)
    body = BODY.format(
        title=escape(film.title), subtitle=escape(film.subtitle), script=_resource("player.js"),
        width=round(film.stage.page.width) + 2, speeds="".join(options), kinetic=KINETIC, potential=POTENTIAL,
        data=data.replace("<", "\\u003c"),  # a name cannot end the script
    )  # fmt: skip
    stream.write(page(film.title, _resource("player.css"), body).encode())
    progress(len(film.frames), len(film.frames))


def _resource(name: str) -> str:
    return (resources.files("leverarm") / "simulation" / "trajectories" / "animation" / name).read_text(
        encoding="utf-8"
    )
