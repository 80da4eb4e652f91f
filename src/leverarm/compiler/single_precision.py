"""Constants in single precision."""

from __future__ import annotations

import struct

from leverarm.errors import NotFiniteError


def nearest_float(value: float) -> float:
    """The number of 32 bits that is nearest. Raises NotFiniteError where it would be infinite."""
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        raise NotFiniteError(
            f"a constant of the program is {value:.3g}, beyond the range of float32 (3.4e38). Compile in float64, or "
            "give smaller parameters of the arm."
        ) from None
    return float(rounded)
