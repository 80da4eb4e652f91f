"""Makes identification-report.png: the top of a report on a Panda that differs from its description.

python docs/images/identification_report.py [-o identification-report.png] [--browser chromium]

A motion is designed for the arm of the catalog and driven by another Panda, with other masses, friction, rotors and
coloured torque noise; its log, and that of a second motion to validate on, go through `la.identify`. A browser without
a window takes the picture. About a minute.
"""

from __future__ import annotations

import argparse
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import leverarm as la

WIDTH, HEIGHT = 1200, 1900
"""Ends below the first row of torques."""
RATE = 200.0
MEMORY = 0.8
"""Of the torque noise, from one row to the next."""
NOISE = 0.02
"""Of each joint's torque."""
PLACES = (
    (0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.0),
    (1.0, 0.3, -0.5, -1.0, 0.5, 2.2, 1.0),
    (-0.8, 0.5, 0.6, -2.2, -1.0, 2.8, -0.7),
    (0.4, -0.9, 1.0, -1.5, 1.2, 1.0, 0.9),
    (0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.0),
)
"""Of the second motion, a second and a half apart."""


def built(arm: la.Arm, random: np.random.Generator) -> la.Arm:
    """Another arm of the same geometry: bodies heavier or lighter by up to a fifth, with friction and rotors."""
    bodies = []
    for k, body in enumerate(arm.bodies):
        size = 1.0 if k < 4 else 0.3
        friction = la.Friction(*(size * random.uniform(0.5, 1.5, 2)), offset=size * random.normal(scale=0.2))
        joint = replace(body.joint, friction=friction, motor=la.Motor(inertia=size * random.uniform(0.2, 0.4)))
        bodies.append(
            replace(body, joint=joint, mass_properties=scaled(body.mass_properties, random.uniform(0.8, 1.2)))
        )
    return replace(arm, bodies=tuple(bodies))


def scaled(body: la.MassProperties, density: float) -> la.MassProperties:
    """The same shape of another density, times that of the given body."""
    moments = {name: density * value for name, value in asdict(body.inertia).items()}
    return replace(body, mass=density * body.mass, inertia=la.types.Symmetric3(**moments))


def write_log(path: Path, arm: la.Arm, motion: la.types.Signal, random: np.random.Generator) -> None:
    """Positions and torques along a motion, with the noise of a torque sensor."""
    run = la.trajectories.torques_along(arm, motion, rate=RATE)
    noise = random.normal(scale=NOISE * np.sqrt(np.mean(run.tau**2, axis=0) * (1 - MEMORY**2)), size=run.tau.shape)
    for k in range(1, len(noise)):
        noise[k] += MEMORY * noise[k - 1]
    heads = ["t", *(f"{x}{k}" for x in ("q", "tau") for k in range(1, arm.dof + 1))]
    rows = np.column_stack([run.t, run.q, run.tau + noise])
    np.savetxt(path, rows, fmt="%.8g", delimiter=",", header=",".join(heads), comments="")


def report(folder: Path) -> Path:
    """The web page of the identification, in a folder."""
    drawn, random = la.load("panda"), np.random.default_rng(1)
    robot = built(drawn, random)
    exciting = la.excite(drawn, rate=RATE).signal
    other = la.signals.quintic(np.array(PLACES), 1.5 * np.arange(len(PLACES)))
    write_log(folder / "log.csv", robot, exciting, random)
    write_log(folder / "other.csv", robot, other, random)
    result = la.identify(drawn, folder / "log.csv", validate=folder / "other.csv")
    print(result.text())
    return result.save(folder / "result") / "report.html"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).with_name("identification-report.png"))
    parser.add_argument("--browser", default="chromium", help="a Chromium or Chrome")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        page = report(Path(folder))
        picture = [f"--screenshot={options.output.resolve()}", f"--window-size={WIDTH},{HEIGHT}", page.as_uri()]
        quiet = ["--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"]
        subprocess.run([options.browser, *quiet, *picture], check=True, capture_output=True)


if __name__ == "__main__":
    main()
