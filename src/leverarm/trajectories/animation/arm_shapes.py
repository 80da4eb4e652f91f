"""What `draw` shows of an arm, in one frame of a motion, from a camera that stays where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.draw import palette
from leverarm.draw.annotations import triad_shapes
from leverarm.draw.ground import floor_shapes
from leverarm.draw.picture import IN_FRONT, levers, link_colours, link_depth, link_shapes, mass_group
from leverarm.draw.scene import Scene
from leverarm.draw.shapes import Path, Role, Shape
from leverarm.draw.sheet import Sheet
from leverarm.draw.solids import joint_shapes
from leverarm.trajectories.animation.stage import Stage


def arm_shapes(scene: Scene, sheet: Sheet, on_levers: Sequence[int]) -> list[Shape]:
    """Links and joints, the farthest first, then centres of mass, some of them on levers, and frames."""
    camera, colours = sheet.camera, link_colours(scene)
    solids: list[tuple[float, Sequence[Shape]]] = [
        *((link_depth(link, camera), link_shapes(link, colours[link.body], scene, sheet)) for link in scene.links),
        *((camera.depth(j.at) + IN_FRONT * scene.mark, joint_shapes(j, scene.mark, sheet)) for j in scene.joints),
    ]
    heaviest = max((dot.mass for dot in scene.masses), default=1.0)
    return [
        *(shape for _, found in sorted(solids, key=lambda item: item[0]) for shape in found),
        *(_lever(scene, k, sheet) for k in on_levers),
        *(mass_group(dot, heaviest, scene, sheet) for dot in scene.masses),
        *(shape for triad in scene.triads for shape in triad_shapes(triad, scene, sheet)),
    ]


def shadow_shapes(scene: Scene, stage: Stage) -> list[Path]:
    """The arm's shadow on the floor; a planar arm has none."""
    if stage.floor is None:
        return []
    ground = floor_shapes(scene, stage.floor, stage.sheet, stage.link_width)
    return [path for path in ground if path.role is Role.SHADOW]


def masses_on_levers(scene: Scene, sheet: Sheet) -> tuple[int, ...]:
    """The centres of mass that lie off the links. Asked once per run: a link that comes near later takes none away."""
    return tuple(k for k, dot in enumerate(scene.masses) if levers(replace(scene, masses=(dot,)), sheet))


def _lever(scene: Scene, k: int, sheet: Sheet) -> Path:
    dot = scene.masses[k]
    ends = sheet.to_page(dot.origin), sheet.to_page(dot.at)
    return Path(Role.LEVER, ends, palette.LINK_EDGE, 1.6 * sheet.line, opacity=0.5)
