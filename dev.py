#!/usr/bin/env python3
"""Set up and run leverarm from a fresh checkout, with nothing but Python 3.11+ (pip and venv, or uv).

python3 dev.py demo       set up .venv, then derive, evaluate and simulate an arm of the catalog
python3 dev.py quick      the fast tests of every room, for use while you work: a minute and a half
python3 dev.py test       everything that CI runs: twelve minutes on two cores
python3 dev.py thorough   the same with more arms, states and examples: twenty minutes
python3 dev.py bench      compare speed with other libraries: an hour (--quick: five minutes)
python3 dev.py setup      only set up .venv with everything that the tests need

Arguments after quick, test or thorough are passed to pytest: python3 dev.py test tests/formats -k urdf --shuffle 7
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - say so on an older Python
    sys.exit(f"leverarm needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
import tomllib

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

IS_COMPLETE = """
import sys
from importlib.metadata import distribution, requires
from pathlib import Path
from pip._vendor.packaging.requirements import Requirement

def missing(name, extras, seen):
    for text in requires(name) or []:
        need = Requirement(text)
        if need.marker and not any(need.marker.evaluate({"extra": e}) for e in extras or [""]):
            continue
        key = (need.name.lower(), tuple(sorted(need.extras)))
        if key in seen:
            continue
        seen.add(key)
        if not need.specifier.contains(distribution(need.name).version, prereleases=True):
            return True
        if missing(need.name, need.extras, seen):
            return True
    return False

import leverarm
is_here = Path(leverarm.__file__).is_relative_to(sys.argv[1])
sys.exit(not is_here or missing("leverarm", sys.argv[2].split(","), set()))
"""


def run(*command: str | Path, **environment: str) -> None:
    """Runs a command in the checkout and stops with its exit code if it fails."""
    shown = [os.path.relpath(part, ROOT) if isinstance(part, Path) else part for part in command]
    print("\n$", " ".join([*(f"{key}={value}" for key, value in environment.items()), *shown]), flush=True)
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=os.environ | environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def works(*command: str | Path) -> bool:
    """Whether a command runs and succeeds; its output is not shown."""
    try:
        return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True).returncode == 0
    except OSError:
        return False


def set_up(extra: str) -> None:
    """Sets up a virtual environment with leverarm and some extras; does nothing if it is there and up to date."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needs = repr((project["dependencies"], project["optional-dependencies"], str(ROOT)))
    wanted = hashlib.sha256(needs.encode()).hexdigest()
    stamp = VENV / f"installed-{extra.replace(',', '-')}"
    if stamp.exists() and stamp.read_text() == wanted and PYTHON.exists():
        return
    began, uv = time.monotonic(), shutil.which("uv")
    if not works(PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"):
        run(uv, "venv", "--clear", VENV) if uv else run(sys.executable, "-m", "venv", "--clear", VENV)
    if not works(PYTHON, "-c", IS_COMPLETE, ROOT, extra):
        install(uv, extra, project)
    stamp.write_text(wanted)
    print(f"\n.venv is ready ({time.monotonic() - began:.0f} s). The next start is immediate.", flush=True)


def install(uv: str | None, extra: str, project: dict) -> None:
    """Installs leverarm with extras; says what is installed, how long it may take, and what to do if it fails."""
    names = named(extra, project)
    print(f"\nInstalling into .venv: {', '.join(names)}, and their dependencies.")
    print("Up to 3 GB on the disk; one or two minutes with a fast connection, ten with a slow one.", flush=True)
    target = f".[{extra}]"
    if uv:
        command = [uv, "pip", "install", "--python", PYTHON, "--editable", target]
    else:
        if not works(PYTHON, "-m", "pip", "--version"):
            run(PYTHON, "-m", "ensurepip")
        command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--editable", target]
    if not sys.stdout.isatty():
        command.insert(command.index("install") + 1, "--quiet")
    try:
        run(*command)
    except SystemExit as failed:
        sys.exit(
            f"\nThe installation failed (exit code {failed.code}); its last lines say why. Behind a proxy set "
            "HTTPS_PROXY; with a folder of wheels and no network set PIP_NO_INDEX=1 and PIP_FIND_LINKS=FOLDER "
            "(uv: UV_NO_INDEX, UV_FIND_LINKS). Then run the same command again."
        )


def named(extra: str, project: dict) -> list[str]:
    """The packages of an extra by name, those that leverarm always needs first."""
    found = list(project["dependencies"])
    left = extra.split(",")
    while left:
        for need in project["optional-dependencies"][left.pop(0)]:
            if need.startswith("leverarm["):
                left += need.removeprefix("leverarm[").rstrip("]").split(",")
            else:
                found.append(need)
    return list(dict.fromkeys(need.split(">")[0].split("<")[0].strip() for need in found))


def demo() -> None:
    set_up("plot,mjcf")
    leverarm = BIN / "leverarm"
    run(leverarm, "derive", "elbow")
    run(leverarm, "derive", "elbow", "--level", "every-line", "-o", "elbow.html")
    run(leverarm, "eval", "elbow", "tau", "--q", "30deg,45deg", "--qd", "1,-0.5", "--qdd", "0.2,0.1")
    run(leverarm, "simulate", "elbow")
    print("\nOpen elbow.html in a browser. More: `leverarm --help`, `import leverarm as la`, README.md.")


def check(level: str, *arguments: str) -> None:
    """Linters, then the tests at a level in as many processes as there are processors, with mypy beside them."""
    set_up("test")
    run(PYTHON, "-m", "ruff", "check", ".")
    if level != "quick":
        run(PYTHON, "-m", "ruff", "format", "--check", ".")
    # bytecode is kept: hundreds of processes import the same modules
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # one BLAS thread in each process: the processes share the processors already
    with types_checked_meanwhile() if level != "quick" else nullcontext():
        run(PYTHON, "-m", "pytest", "-n", "auto", *arguments, LEVERARM_TESTS=level, OPENBLAS_NUM_THREADS="1")


@contextmanager
def types_checked_meanwhile() -> Iterator[None]:
    """Runs mypy, which uses one thread only, during the block; shows its errors afterwards and exits with its code."""
    with tempfile.TemporaryFile("w+") as out, subprocess.Popen([PYTHON, "-m", "mypy"], cwd=ROOT, stdout=out) as mypy:
        try:
            yield
        finally:
            code = mypy.wait()
            if code:
                out.seek(0)
                print(f"\n$ {os.path.relpath(PYTHON, ROOT)} -m mypy\n{out.read()}", end="", flush=True)
    if code:
        sys.exit(code)


def bench() -> None:
    """Runs all benchmarks. A full run writes its tables into docs/benchmarks.md, a quick one into build/bench."""
    set_up("bench")
    results = ROOT / "build" / "bench"
    results.mkdir(parents=True, exist_ok=True)
    run(PYTHON, "bench/startup.py")
    run(PYTHON, "bench/files.py")
    if "--quick" in sys.argv:
        run(PYTHON, "bench/compile.py", "--quick", "-o", results / "quick.json", "-o", results / "quick.md")
        run(PYTHON, "bench/simulate.py", "--quick", "-o", results / "simulate.json", "-o", results / "simulate.md")
        run(PYTHON, "bench/properties.py", "--quick", "-o", results / "bounds.json", "-o", results / "bounds.md")
        run(PYTHON, "bench/identify.py", "--quick", "-o", results / "identify.json", "-o", results / "identify.md")
        run(PYTHON, "bench/solvers.py", "--quick", "-o", results / "solvers.json", "-o", results / "solvers.md")
    else:
        page, images = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "images"
        run(PYTHON, "bench/compile.py", "-o", results / "compile.json", "-o", page, "-o", images / "benchmarks.png")
        run(PYTHON, "bench/simulate.py", "-o", results / "simulate.json", "-o", page, "-o", images / "simulation.png")
        run(PYTHON, "bench/properties.py", "-o", results / "bounds.json", "-o", page)
        run(PYTHON, "bench/identify.py", "-o", results / "identify.json", "-o", page)
        run(PYTHON, "bench/solvers.py", "-o", results / "solvers.json", "-o", results / "solvers.md")


def main() -> None:
    task, arguments = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    if task in ("quick", "test", "thorough"):
        check(task, *arguments)
    elif task == "bench" and arguments in ([], ["--quick"]):
        bench()
    elif task == "demo" and not arguments:
        demo()
    elif task == "setup" and not arguments:
        set_up("test")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
