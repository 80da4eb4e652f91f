#!/usr/bin/env python3
"""Set up and run leverarm from a fresh checkout, with nothing but Python 3.11+ (pip and venv, or uv).

python3 dev.py demo    set up .venv and run the main job on an arm of the catalog
python3 dev.py test    set up .venv and run everything CI runs
python3 dev.py bench   set up .venv and compare speed with other libraries, an hour (--quick: four minutes)
python3 dev.py setup   only set up .venv with the test dependencies
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def run(*command: str | Path) -> None:
    """Runs a command in the checkout and stops with its exit code if it fails."""
    shown = [os.path.relpath(part, ROOT) if isinstance(part, Path) else part for part in command]
    print("\n$", " ".join(shown), flush=True)
    done = subprocess.run([str(part) for part in command], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def set_up(extra: str) -> None:
    """A virtual environment with leverarm and some of its extras; does nothing when it is there and unchanged."""
    stamp = VENV / f"installed-{extra.replace(',', '-')}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    uv = shutil.which("uv")
    if not PYTHON.exists():
        run(uv, "venv", VENV) if uv else run(sys.executable, "-m", "venv", VENV)
    target = f".[{extra}]"
    if uv:
        run(uv, "pip", "install", "--quiet", "--python", PYTHON, "--editable", target)
    else:
        run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", target)
    stamp.write_text(wanted)


def demo() -> None:
    set_up("plot,mjcf")
    leverarm = BIN / "leverarm"
    run(leverarm, "derive", "elbow")
    run(leverarm, "derive", "elbow", "--level", "every-line", "-o", "elbow.html")
    run(leverarm, "eval", "elbow", "tau", "--q", "30deg,45deg", "--qd", "1,-0.5", "--qdd", "0.2,0.1")
    run(leverarm, "simulate", "elbow")
    print("\nOpen elbow.html in a browser. More: `leverarm --help`, `import leverarm as la`, README.md.")


def test() -> None:
    set_up("test")
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "mypy")
    run(PYTHON, "-m", "pytest", "-n", "auto")


def bench() -> None:
    """A full run puts its tables on the page of the documentation; a quick one keeps them apart."""
    set_up("bench")
    results = ROOT / "build" / "bench"
    results.mkdir(parents=True, exist_ok=True)
    if "--quick" in sys.argv:
        run(PYTHON, "bench/compile.py", "--quick", "-o", results / "quick.json", "-o", results / "quick.md")
        run(PYTHON, "bench/simulate.py", "--quick", "-o", results / "simulate.json", "-o", results / "simulate.md")
        run(PYTHON, "bench/properties.py", "--quick", "-o", results / "bounds.json", "-o", results / "bounds.md")
        run(PYTHON, "bench/identify.py", "--quick", "-o", results / "identify.json", "-o", results / "identify.md")
    else:
        page, images = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "images"
        run(PYTHON, "bench/compile.py", "-o", results / "compile.json", "-o", page, "-o", images / "benchmarks.png")
        run(PYTHON, "bench/simulate.py", "-o", results / "simulate.json", "-o", page, "-o", images / "simulation.png")
        run(PYTHON, "bench/properties.py", "-o", results / "bounds.json", "-o", page)
        run(PYTHON, "bench/identify.py", "-o", results / "identify.json", "-o", page)


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python should be told, not trip
        sys.exit(f"leverarm needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    tasks = {"demo": demo, "test": test, "bench": bench, "setup": lambda: set_up("test")}
    if sys.argv[1:] != ["bench", "--quick"] and (len(sys.argv) != 2 or sys.argv[1] not in tasks):
        sys.exit(__doc__)
    tasks[sys.argv[1]]()


if __name__ == "__main__":
    main()
