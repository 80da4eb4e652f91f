"""Pictures of arms: in the terminal, as SVG, as PNG."""

from leverarm.pictures.drawing import draw_arm, save_picture, terminal_picture
from leverarm.pictures.palette import LEGEND
from leverarm.pictures.pose import MassDot, presentable_pose
from leverarm.pictures.scene import JointMark, LinkPath, Scene, Triad

__all__ = [
    "LEGEND",
    "JointMark",
    "LinkPath",
    "MassDot",
    "Scene",
    "Triad",
    "draw_arm",
    "presentable_pose",
    "save_picture",
    "terminal_picture",
]
