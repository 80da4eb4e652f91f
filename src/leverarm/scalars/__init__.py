"""Number systems an algorithm can run over. A system is one file and one line in SYSTEMS."""

from leverarm.scalars.ball import BALL, Ball, as_ball, precision
from leverarm.scalars.dual import DUAL, Dual, along, slope, value
from leverarm.scalars.exact import EXACT
from leverarm.scalars.floats import FLOAT
from leverarm.scalars.operations import Op
from leverarm.scalars.rational import RATIONAL, exact
from leverarm.scalars.ring import (
    HALF,
    Number,
    NumberSystem,
    Scalar,
    as_length,
    cos_sin,
    divide,
    half,
    is_one,
    is_zero,
    sign,
    tanh,
)
from leverarm.scalars.series import SERIES, Series
from leverarm.scalars.tape import TAPE, Node, Tape
from leverarm.scalars.turn import SNAP, Turn, quarter_turn

SYSTEMS = {system.name: system for system in (FLOAT, RATIONAL, DUAL, SERIES, EXACT, TAPE, BALL)}
