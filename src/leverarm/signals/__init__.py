"""Vector-valued functions of time: torques in a table, reference motions, periodic excitations, noise."""

from leverarm.signals.form import Form, Moment, moment
from leverarm.signals.fourier_series import fourier
from leverarm.signals.pieces import constant
from leverarm.signals.retiming import scaled_in_time, shifted
from leverarm.signals.signal import Signal
from leverarm.signals.source import Source
from leverarm.signals.tables import table
from leverarm.signals.trapezoids import trapezoid
from leverarm.signals.waypoints import cubic, quintic
from leverarm.signals.white_noise import Noise, noise

__all__ = [
    "Form",
    "Moment",
    "Noise",
    "Signal",
    "Source",
    "constant",
    "cubic",
    "fourier",
    "moment",
    "noise",
    "quintic",
    "scaled_in_time",
    "shifted",
    "table",
    "trapezoid",
]
