"""Vector-valued functions of time: torques in a table, reference motions, periodic excitations, noise."""

from leverarm.control.signals.pieces import constant, scaled_in_time, shifted
from leverarm.control.signals.signal import Form, Moment, Signal, Source, moment
from leverarm.control.signals.splines import cubic, quintic
from leverarm.control.signals.waveforms import fourier, table, trapezoid
from leverarm.control.signals.white_noise import Noise, noise
