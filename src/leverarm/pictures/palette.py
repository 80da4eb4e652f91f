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

JOINT_EDGE = {
    JointKind.REVOLUTE: "#8a4b0f",
    JointKind.CONTINUOUS: "#8a4b0f",
    JointKind.PRISMATIC: "#0d5c4a",
    JointKind.HELICAL: "#53389e",
    JointKind.FIXED: "#475467",
}
JOINT_SIDE = {
    JointKind.REVOLUTE: "#f2994a",
    JointKind.CONTINUOUS: "#f2994a",
    JointKind.PRISMATIC: "#3fb08f",
    JointKind.HELICAL: "#9b7fe0",
    JointKind.FIXED: "#98a2b3",
}
JOINT_CAP = {
    JointKind.REVOLUTE: "#fbd0a4",
    JointKind.CONTINUOUS: "#fbd0a4",
    JointKind.PRISMATIC: "#a6e3d1",
    JointKind.HELICAL: "#d3c6f5",
    JointKind.FIXED: "#d0d5dd",
}
JOINT_SYMBOL = {
    JointKind.REVOLUTE: "●",
    JointKind.CONTINUOUS: "●",
    JointKind.PRISMATIC: "■",
    JointKind.HELICAL: "◆",
    JointKind.FIXED: "▪",
}
MASS_SYMBOL = "○"
LEGEND = f"● revolute  ■ prismatic  ◆ helical  ▪ fixed  {MASS_SYMBOL} centre of mass"
"""What the characters in a terminal's picture mean."""
