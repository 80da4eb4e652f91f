"""The colours of a picture."""

from leverarm.model import JointKind
from leverarm.pictures.shapes import Role

PAPER = "#ffffff"
INK = "#1d2939"
SOFT_INK = "#667085"
GROUND = "#f5f7fa"
GROUND_LINE = "#e1e7ee"
GROUND_EDGE = "#c3ccd7"
SHADOW = "#dbe2ea"
LINK_EDGE = "#27405e"
LINKS = ("#6d97c6", "#a9c3de")
LINK_HIGHLIGHT = "#ffffff"
ROD = "#c7ced6"
MASS = "#1d2939"
AXES = ((Role.AXIS_X, "x", "#d92d20"), (Role.AXIS_Y, "y", "#12924f"), (Role.AXIS_Z, "z", "#2457d6"))
GRAVITY = "#98a2b3"

MASS_SYMBOL = "○"
_MEANINGS = {kind.traits.picture.symbol: kind for kind in reversed(JointKind)}
LEGEND = "  ".join(f"{symbol} {kind}" for symbol, kind in reversed(_MEANINGS.items()))
LEGEND = f"{LEGEND}  {MASS_SYMBOL} centre of mass"
"""What the characters in a terminal's picture mean."""
