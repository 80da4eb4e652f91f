"""Pictures of arms: in the terminal, as SVG, as PNG."""

from leverarm.pictures.drawing import save_picture, terminal_picture
from leverarm.pictures.palette import LEGEND
from leverarm.pictures.pose import presentable_pose
from leverarm.pictures.scene import scene_of
