"""A bundle as serialised CasADi functions."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from leverarm.runtime.bridges import to_casadi
from leverarm.runtime.export.bundle import Bundle, Function
from leverarm.runtime.quantities import QUANTITIES


def casadi_files(bundle: Bundle) -> dict[str, bytes]:
    """One file per function, to be read by `casadi.Function.load`."""
    return {f"{function.symbol}.casadi": _serialised(function) for function in bundle.functions}


def _serialised(function: Function) -> bytes:
    request = function.request
    chosen: Any = {name: getattr(request.choices, name) for name in QUANTITIES[request.quantity].choices}
    made = to_casadi(request.arm, request.quantity, inputs=request.parameters, extras=request.extras, **chosen)
    with TemporaryDirectory() as folder:  # what CasADi loads is only what it saved
        path = Path(folder) / "function.casadi"
        made.save(str(path))
        return path.read_bytes()
