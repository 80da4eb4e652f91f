"""What a new process waits for, as a line of JSON: compile_fresh.py panda inverse_dynamics, or tree30 all."""

import json
import sys
import time
from pathlib import Path

import numpy as np

start = time.perf_counter()
import leverarm as la  # noqa: E402

imported = time.perf_counter() - start


def main(name: str, quantity: str) -> None:
    start = time.perf_counter()
    if name == "tree30":
        from compile_rivals.arms import tree

        arm = tree()
    else:
        arm = la.load(name)
    loaded = time.perf_counter() - start
    zeros = np.zeros(arm.dof)
    start = time.perf_counter()
    fast = la.compile(arm)
    if quantity == "all":
        fast.warm()
    else:
        getattr(fast, quantity)(zeros, zeros, zeros)
    first = time.perf_counter() - start
    print(json.dumps({"imported": imported, "loaded": loaded, "first": first, "peak": peak_megabytes()}))


def peak_megabytes() -> float:
    """The most memory this process had. On Linux, getrusage counts the process that started it too."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # bytes on macOS


if __name__ == "__main__":
    main(*sys.argv[1:])
