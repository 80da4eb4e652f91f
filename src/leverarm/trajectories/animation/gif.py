"""A film as GIF, written frame by frame: only what changed, in colours chosen once for all frames."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import numpy as np

from leverarm.draw import palette
from leverarm.trajectories.animation.film import TRACE, Film
from leverarm.trajectories.animation.progress import Progress
from leverarm.trajectories.animation.raster import Image, pictures

SAME = 255
"""The colour number that stands for: as in the frame before."""
SAMPLES = 6
"""Frames that are looked at to choose the colours."""
APART = 12
"""A blend nearer to a colour that fills areas would be taken for it: Pillow compares colours coarsely."""
NO_DITHER: Any = 0
"""Pillow's number for it: areas stay plain, and what does not move does not change."""
LAST = 1.0
"""How long the last frame stays before the film starts again [s]."""


def write_gif(film: Film, stream: BinaryIO, progress: Progress) -> None:
    """Writes a GIF that repeats. Its clock ticks in hundredths of a second; frames take turns so that none drifts."""
    count = len(film.frames)
    colours = _colours(film)
    before = None
    for k, picture in enumerate(pictures(film, range(count))):
        if before is None:
            stream.write(_header(picture.size, colours))
        now = np.asarray(picture.quantize(palette=colours, dither=NO_DITHER))
        is_last = k == count - 1
        ticks = round(100 * LAST) if is_last else _tick(k + 1, film) - _tick(k, film)
        stream.writelines(_frame(now, before, ticks))
        before = now
        progress(k + 1, count)
    stream.write(b";")


def _tick(k: int, film: Film) -> int:
    return round(100 * k / film.frames.rate)


def _colours(film: Film) -> Image:
    """255 colours: those that fill areas, exactly, and those that blend them along edges."""
    from PIL import Image as image_of
    from PIL import ImageColor

    fixed = dict.fromkeys(
        (palette.PAPER, palette.INK, palette.SOFT_INK, palette.GROUND, palette.GROUND_LINE, palette.GROUND_EDGE,
         palette.SHADOW, palette.LINK_EDGE, *palette.LINKS, palette.ROD, TRACE,
         *palette.JOINT_SIDE.values(), *palette.JOINT_CAP.values(), *palette.JOINT_EDGE.values(),
         *(colour for _, _, colour in palette.AXES))
    )  # fmt: skip
    exact = [band for name in fixed for band in ImageColor.getrgb(name)]
    looked_at = np.unique(np.linspace(0, len(film.frames) - 1, SAMPLES, dtype=int))
    sample = np.concatenate([np.asarray(image) for image in pictures(film, looked_at.tolist())])
    found = image_of.fromarray(sample).quantize(255 - len(fixed), method=image_of.Quantize.MEDIANCUT)
    blends = np.array(found.getpalette()).reshape(-1, 3)
    own = np.array(exact).reshape(-1, 3)
    is_apart = np.abs(blends[:, None] - own[None]).sum(axis=2).min(axis=1) > APART
    bands = exact + blends[is_apart].ravel().tolist()
    chosen = image_of.new("P", (1, 1))
    chosen.putpalette(bands + bands[:3] * (256 - len(bands) // 3))
    return chosen


def _header(size: tuple[int, int], colours: Image) -> bytes:
    """Screen, global colours, and the request to repeat for ever (GIF89a specification; Netscape 2.0 extension)."""
    screen = struct.pack("<6sHHBBB", b"GIF89a", *size, 0xF7, 0, 0)
    return screen + bytes(colours.getpalette()) + b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"


def _frame(now: Any, before: Any, ticks: int) -> list[bytes]:
    """The smallest rectangle that holds every pixel that changed, with the others left as they are."""
    from PIL import GifImagePlugin
    from PIL import Image as image_of

    if before is None:
        left, top, part = 0, 0, now
    else:
        changed = now != before
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not rows.size:
            rows = columns = np.zeros(1, dtype=int)
        top, left = int(rows[0]), int(columns[0])
        box = slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1)
        part = np.where(changed[box], now[box], np.uint8(SAME))
    image = image_of.fromarray(part)
    return GifImagePlugin.getdata(image, (left, top), duration=10 * ticks, disposal=1, transparency=SAME)
