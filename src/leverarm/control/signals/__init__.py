"""Vector-valued functions of time: torques in a table, reference motions, periodic excitations, noise."""

from leverarm.control.signals.pieces import constant as constant
from leverarm.control.signals.pieces import scaled_in_time as scaled_in_time
from leverarm.control.signals.pieces import shifted as shifted
from leverarm.control.signals.signal import Form as Form
from leverarm.control.signals.signal import Moment as Moment
from leverarm.control.signals.signal import Signal as Signal
from leverarm.control.signals.signal import Source as Source
from leverarm.control.signals.signal import moment as moment
from leverarm.control.signals.splines import cubic as cubic
from leverarm.control.signals.splines import quintic as quintic
from leverarm.control.signals.waveforms import fourier as fourier
from leverarm.control.signals.waveforms import table as table
from leverarm.control.signals.waveforms import trapezoid as trapezoid
from leverarm.control.signals.white_noise import Noise as Noise
from leverarm.control.signals.white_noise import noise as noise
