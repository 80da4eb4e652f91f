"""The shapes of an arm, back to front: links and joints, centres of mass, frames; and the arrow of gravity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from leverarm.pictures import palette
from leverarm.pictures.camera import Camera, Sheet
from leverarm.pictures.pose import MassDot, distance
from leverarm.pictures.scene import AXIS, JointMark, LinkPath, Scene, Triad
from leverarm.pictures.shapes import Disc, Group, Page, Path, Point, Role, Shape, TextLine
from leverarm.pictures.solids import joint_shapes
from leverarm.spatial import Vec3

LINK = 0.95
"""Width of a link in joint markers."""
MANY = 100
"""Centres of mass that are checked for a lever; longer chains are drawn without."""
IN_FRONT = 4.0
"""A joint is drawn over the links that meet in it: as if this many markers nearer."""


def arm_shapes(scene: Scene, sheet: Sheet, on_levers: Sequence[int]) -> list[Shape]:
    """Links and joints, the farthest first, then centres of mass, some of them on levers, and frames."""
    camera, colours = sheet.camera, link_colours(scene)
    solids: list[tuple[float, tuple[Shape, ...]]] = [
        *((_link_depth(link, camera), _link_shapes(link, colours[link.body], scene, sheet)) for link in scene.links),
        *((camera.depth(j.at) + IN_FRONT * scene.mark, (_joint_group(j, scene, sheet),)) for j in scene.joints),
    ]
    heaviest = max((dot.mass for dot in scene.masses), default=1.0)
    return [
        *(shape for _, found in sorted(solids, key=lambda item: item[0]) for shape in found),
        *(_lever(scene.masses[k], sheet) for k in on_levers),
        *(_mass_group(dot, heaviest, scene, sheet) for dot in scene.masses),
        *(shape for triad in scene.triads for shape in _triad_shapes(triad, scene, sheet)),
    ]


def masses_on_levers(scene: Scene) -> tuple[int, ...]:
    """The centres of mass that lie off the links: a thin line to the body's origin holds each of them."""
    pieces = [(a, b) for link in scene.links for a, b in pairwise(link.points)]
    return tuple(
        k for k, dot in enumerate(scene.masses[:MANY]) if all(_gap(dot.at, a, b) > 1.2 * scene.mark for a, b in pieces)
    )


def link_width(scene: Scene, sheet: Sheet) -> float:
    """The width of a link on the page."""
    return LINK * scene.mark * sheet.scale


def link_colours(scene: Scene) -> dict[str, str]:
    """Neighbouring bodies in different colours."""
    bodies = dict.fromkeys(link.body for link in scene.links)
    return {body: palette.LINKS[i % len(palette.LINKS)] for i, body in enumerate(bodies)}


def _link_depth(link: LinkPath, camera: Camera) -> float:
    return sum(camera.depth(point) for point in link.points) / len(link.points)


def _link_shapes(link: LinkPath, colour: str, scene: Scene, sheet: Sheet) -> tuple[Path, Path, Path]:
    """A tube: its dark edge, its colour, and a highlight along the upper left."""
    points = tuple(sheet.to_page(point) for point in link.points)
    width = link_width(scene, sheet) * (0.55 if link.is_rod else 1.0)
    role, fill = (Role.ROD, palette.ROD) if link.is_rod else (Role.LINK, colour)
    highlight = tuple((x - 0.16 * width, y - 0.16 * width) for x, y in points)
    return (
        Path(Role.LINK_EDGE, points, palette.LINK_EDGE, width),
        Path(role, points, fill, width - 2 * sheet.line),
        Path(Role.LINK_HIGHLIGHT, highlight, palette.LINK_HIGHLIGHT, 0.16 * width, opacity=0.55),
    )


def _joint_group(joint: JointMark, scene: Scene, sheet: Sheet) -> Group:
    shapes = joint_shapes(joint, scene.mark, sheet)
    return Group(
        Role.JOINT, f"{joint.name} ({joint.kind})", sheet.to_page(joint.at), joint.kind.traits.picture.symbol, shapes
    )


def _lever(dot: MassDot, sheet: Sheet) -> Path:
    ends = sheet.to_page(dot.origin), sheet.to_page(dot.at)
    return Path(Role.LEVER, ends, palette.LINK_EDGE, 1.6 * sheet.line, opacity=0.5)


def _gap(p: Vec3, a: Vec3, b: Vec3) -> float:
    """The distance of a point from a straight piece."""
    along = b - a
    t = max(0.0, min(1.0, ((p - a) @ along) / (along @ along or 1.0)))
    return distance(p, a + along * t)


def _mass_group(dot: MassDot, heaviest: float, scene: Scene, sheet: Sheet) -> Group:
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


def _triad_shapes(triad: Triad, scene: Scene, sheet: Sheet) -> list[Shape]:
    """Arrows for x, y, z, the farthest first; an axis that points at the viewer is left out."""
    arrows = []
    origin = sheet.to_page(triad.origin)
    for axis, (role, letter, colour) in zip(triad.axes, palette.AXES, strict=True):
        tip = sheet.to_page(triad.origin + axis * (AXIS * scene.mark))
        length = math.dist(origin, tip)
        if length > 0.25 * AXIS * scene.mark * sheet.scale:
            arrows.append((sheet.camera.depth(axis), _arrow(role, letter, colour, origin, tip, sheet.line)))
    return [shape for _, shapes in sorted(arrows, key=lambda item: item[0]) for shape in shapes]


def gravity_shapes(scene: Scene, camera: Camera, page: Page) -> list[Shape]:
    """An arrow in the corner; a crossed or dotted circle where gravity points away from or at the viewer."""
    strength = math.hypot(*scene.gravity)
    if not strength:
        return []
    h = page.letter_height
    x, y = page.width - 2.2 * h, page.headroom / 2 + 1.2 * h
    right, up = camera.flat(scene.gravity * (1 / strength))
    letter = TextLine(Role.GRAVITY, (x + 0.9 * h, y), "g", h, palette.SOFT_INK)
    if math.hypot(right, up) > 0.3:
        start, tip = (x - 1.3 * h * right, y + 1.3 * h * up), (x + 1.3 * h * right, y - 1.3 * h * up)
        symbol = "→↑←↓"[round(math.atan2(up, right) / (math.pi / 2)) % 4]
        arrow = _arrow(Role.GRAVITY, "", palette.GRAVITY, start, tip, h / 11)
        return [Group(Role.GRAVITY, "gravity", (x, y), symbol, arrow), letter]
    r = 0.5 * h
    ring = Disc(Role.GRAVITY, (x, y), r, palette.PAPER, palette.GRAVITY, h / 8)
    if camera.depth(scene.gravity) > 0:
        dot = Disc(Role.GRAVITY, (x, y), 0.3 * r, palette.GRAVITY)
        return [Group(Role.GRAVITY, "gravity, towards the viewer", (x, y), "⊙", (ring, dot)), letter]
    s = r * math.sqrt(0.5)
    cross = (Path(Role.GRAVITY, ((x - s, y - k * s), (x + s, y + k * s)), palette.GRAVITY, h / 8) for k in (1, -1))
    return [Group(Role.GRAVITY, "gravity, away from the viewer", (x, y), "⊗", (ring, *cross)), letter]


def _arrow(role: Role, letter: str, colour: str, start: Point, tip: Point, line: float) -> tuple[Path | TextLine, ...]:
    length = math.dist(start, tip)
    ux, uy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    head = min(7.5 * line, 0.45 * length)
    neck = tip[0] - head * ux, tip[1] - head * uy
    barbs = tuple((neck[0] + s * 0.42 * head * -uy, neck[1] + s * 0.42 * head * ux) for s in (1, -1))
    shaft = Path(role, (start, neck), colour, 2.2 * line)
    point = Path(role, (tip, *barbs), colour, 0.6 * line, colour)
    beyond = tip[0] + 8 * line * ux, tip[1] + 8 * line * uy
    return (shaft, point, TextLine(role, beyond, letter, 11 * line, colour, is_bold=True)) if letter else (shaft, point)
