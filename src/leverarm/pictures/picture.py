"""From a scene to a page of shapes, back to front: floor, links and joints, centres of mass, frames, names."""

from __future__ import annotations

import math
from itertools import pairwise

from leverarm.pictures import palette
from leverarm.pictures.annotations import AXIS, gravity_shapes, heading, name_shapes, triad_shapes
from leverarm.pictures.pose import distance
from leverarm.pictures.scene import JointMark, LinkPath, MassDot, Scene
from leverarm.pictures.shapes import Disc, Group, Page, Path, Picture, Role, Shape
from leverarm.pictures.sheet import Camera, Sheet, camera_for, fit
from leverarm.pictures.solids import floor_of, floor_shapes, joint_shapes, stand_shapes
from leverarm.spatial import Vec3

LINK = 0.95
"""Width of a link in joint markers."""
MANY = 100
"""Centres of mass that are looked at closely; a longer snake is drawn without such care."""
IN_FRONT = 4.0
"""A joint is drawn over the links that meet in it: as if this many markers nearer."""


def lay_out(scene: Scene, page: Page) -> Picture:
    """The scene as shapes on a page, as large as fits."""
    camera = camera_for(scene)
    sheet = fit(camera, _outline(scene, camera), page)
    ground = _ground(scene, sheet)
    colours = link_colours(scene)
    solids: list[tuple[float, tuple[Shape, ...]]] = [
        *((link_depth(link, camera), link_shapes(link, colours[link.body], scene, sheet)) for link in scene.links),
        *((camera.depth(j.at) + IN_FRONT * scene.mark, (_joint_group(j, scene, sheet),)) for j in scene.joints),
    ]
    heaviest = max((dot.mass for dot in scene.masses), default=1.0)
    shapes: list[Shape] = [
        *ground,
        *(shape for _, found in sorted(solids, key=lambda item: item[0]) for shape in found),
        *levers(scene, sheet),
        *(mass_group(dot, heaviest, scene, sheet) for dot in scene.masses),
        *(shape for triad in scene.triads for shape in triad_shapes(triad, scene, sheet)),
        *gravity_shapes(scene, camera, page),
        *name_shapes(scene, sheet, page, ground if camera.is_head_on else ()),
        *heading(scene, page),
    ]
    return Picture(scene.title or scene.name, page.width, sheet.height, tuple(shapes))


def _outline(scene: Scene, camera: Camera) -> list[Vec3]:
    """Points that must be on the page."""
    m = scene.mark
    points = [p + d * (s * m) for p in scene.points for d in (camera.right, camera.up) for s in (-1.2, 1.2)]
    points += [triad.origin + axis * (AXIS * m) for triad in scene.triads for axis in triad.axes]
    if camera.is_head_on:
        return [*points, scene.base.origin - camera.up * (3.5 * m)]
    return [*points, *floor_of(scene).corners()]


def _ground(scene: Scene, sheet: Sheet) -> list[Path]:
    if sheet.camera.is_head_on:
        return stand_shapes(scene, sheet)
    return floor_shapes(scene, floor_of(scene), sheet, LINK * scene.mark * sheet.scale)


def link_colours(scene: Scene) -> dict[str, str]:
    """Neighbouring bodies in different colours."""
    bodies = dict.fromkeys(link.body for link in scene.links)
    return {body: palette.LINKS[i % len(palette.LINKS)] for i, body in enumerate(bodies)}


def link_depth(link: LinkPath, camera: Camera) -> float:
    return sum(camera.depth(point) for point in link.points) / len(link.points)


def link_shapes(link: LinkPath, colour: str, scene: Scene, sheet: Sheet) -> tuple[Path, Path, Path]:
    """A tube: its dark edge, its colour, and a shine along the upper left."""
    points = tuple(sheet.to_page(point) for point in link.points)
    width = LINK * scene.mark * sheet.scale * (0.55 if link.is_rod else 1.0)
    role, fill = (Role.ROD, palette.ROD) if link.is_rod else (Role.LINK, colour)
    shine = tuple((x - 0.16 * width, y - 0.16 * width) for x, y in points)
    return (
        Path(Role.LINK_EDGE, points, palette.LINK_EDGE, width),
        Path(role, points, fill, width - 2 * sheet.line),
        Path(Role.LINK_SHINE, shine, palette.LINK_SHINE, 0.16 * width, opacity=0.55),
    )


def _joint_group(joint: JointMark, scene: Scene, sheet: Sheet) -> Group:
    shapes = joint_shapes(joint, scene.mark, sheet)
    symbol = palette.JOINT_SYMBOL[joint.kind]
    return Group(Role.JOINT, f"{joint.name} ({joint.kind})", sheet.to_page(joint.at), symbol, shapes)


def levers(scene: Scene, sheet: Sheet) -> list[Path]:
    """What holds the centres of mass that lie off the links: thin lines to the bodies' origins."""
    pieces = [(a, b) for link in scene.links for a, b in pairwise(link.points)]
    loose = [dot for dot in scene.masses[:MANY] if all(_gap(dot.at, a, b) > 1.2 * scene.mark for a, b in pieces)]
    ends = [(sheet.to_page(dot.origin), sheet.to_page(dot.at)) for dot in loose]
    return [Path(Role.LEVER, pair, palette.LINK_EDGE, 1.6 * sheet.line, opacity=0.5) for pair in ends]


def _gap(p: Vec3, a: Vec3, b: Vec3) -> float:
    """The distance of a point from a straight piece."""
    along = b - a
    t = max(0.0, min(1.0, ((p - a) @ along) / (along @ along or 1.0)))
    return distance(p, a + along * t)


def mass_group(dot: MassDot, heaviest: float, scene: Scene, sheet: Sheet) -> Group:
    """The engineer's sign for a centre of mass, larger for a heavier body."""
    x, y = centre = sheet.to_page(dot.at)
    r = scene.mark * sheet.scale * (0.22 + 0.2 * (dot.mass / heaviest) ** (1 / 3))
    shapes: list[Path | Disc] = [Disc(Role.MASS, centre, r, palette.PAPER, palette.MASS, sheet.line)]
    for start in (0, 180):
        arc = [math.radians(start + step) for step in range(0, 91, 15)]
        wedge = (centre, *((x + r * math.cos(a), y - r * math.sin(a)) for a in arc))
        shapes.append(Path(Role.MASS, wedge, fill=palette.MASS))
    return Group(
        Role.MASS, f"centre of mass of {dot.body} ({dot.mass:g} kg)", centre, palette.MASS_SYMBOL, tuple(shapes)
    )
