"""How long a user waits: import, `--help`, `show panda` and `derive elbow`, each in a fresh process; medians."""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time

TARGETS = {
    "python (nothing imported)": ([sys.executable, "-c", "pass"], None),
    "import numpy": ([sys.executable, "-c", "import numpy"], None),
    "import leverarm": ([sys.executable, "-c", "import leverarm"], 0.3),
    "leverarm --help": ([sys.executable, "-m", "leverarm.cli", "--help"], 1.0),
    "leverarm show panda": ([sys.executable, "-m", "leverarm.cli", "show", "panda"], 1.5),
    "leverarm derive elbow": ([sys.executable, "-m", "leverarm.cli", "derive", "elbow"], 1.5),
}
"""What is run, and the most seconds it may take beyond starting Python."""


def seconds(command: list[str], runs: int) -> float:
    """The median wall time of a command."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(runs: int = 7) -> dict[str, float]:
    """Seconds per target."""
    return {name: seconds(command, runs) for name, (command, _) in TARGETS.items()}


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, median of 7 fresh processes")
    results = measure()
    bare = results["python (nothing imported)"]
    for name, taken in results.items():
        bound = TARGETS[name][1]
        verdict = "" if bound is None else f"   bound {bound} s: {'met' if taken - bare < bound else 'MISSED'}"
        print(f"{name:28} {taken:6.3f} s{verdict}")


if __name__ == "__main__":
    main()
