"""What there is to be said about a load that was found: whether there is one, what is not told, what else changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leverarm.arrays import Array
from leverarm.identification.loads.load_fit import LoadFit
from leverarm.identification.result import Estimates, Identified, Validation
from leverarm.lint.finding import Finding

IMPOSSIBLE = 30.0
"""Chi squared of the ten numbers against the nearest body: by chance alone 1 in 1000."""
CLEAR = 3.0
"""Standard errors at which something is there."""
UNTOLD = 100.0
"""[kg]: an error of a mass that is none but of a mass that nothing tells."""
NOTICED = 0.1
"""Of itself: a change of friction that is worth saying."""
WORSE = 2.0
"""Times the error of the arm alone: the loaded arm is predicted worse than the load explains."""


def payload_findings(
    numbers: Estimates, chi_squared: float, fit: LoadFit, names: Sequence[str], friction: Array
) -> Iterator[Finding]:
    """Findings on the load itself and on friction that changed."""
    missing = list(_mass(numbers))
    yield from missing or _untold(numbers)
    if chi_squared > IMPOSSIBLE and not missing:
        yield Finding(
            "warning",
            "load",
            f"the numbers by least squares are {chi_squared**0.5:.0f} standard errors from those of any possible body.",
            "Something else differs between the logs: check that both are of the same arm, in the same units, with the "
            "same zeros.",
        )
    changed = {
        name.rpartition(".")[0]: moved / size
        for name, moved, size in zip(names, fit.moved, friction, strict=True)
        if name.endswith(".coulomb") and size > 0 and abs(moved) > NOTICED * size
    }
    if changed:
        told = ", ".join(f"{joint} {100 * part:+.0f} %" for joint, part in changed.items())
        yield Finding(
            "note",
            "friction",
            f"Coulomb friction differs between the logs: {told}. It was fitted along with the load.",
            "Warm the arm up before both logs, and take them one soon after the other.",
        )


def described_finding() -> Finding:
    """Said where no log without load was given."""
    return Finding(
        "note",
        "arm",
        "the arm's masses and inertias were taken as exact, for no log without the load was given.",
        "An error in them goes into the load and is not in its intervals; give a log without load to do better.",
    )


def error_findings(after: Validation, without: Identified | None) -> Iterator[Finding]:
    """A warning where the load leaves more than the model of the arm alone does."""
    if without is None:
        return
    alone = without.cross_validation.filtered_error
    if after.filtered_error > max(WORSE * alone, 2.0):
        yield Finding(
            "warning",
            "load",
            f"with the load {after.filtered_error:.1f} % of the filtered torque is not predicted, without it "
            f"{alone:.1f} %: more changed than a body fixed to the tool.",
            "A load that swings or slips, a cable, contact, or friction that grows with load may be behind it.",
        )


def _mass(numbers: Estimates) -> Iterator[Finding]:
    mass = numbers["mass"]
    figures = f"the mass is {mass.value:.3g} kg, with a standard error of {mass.standard_error:.2g} kg"
    if mass.value < -CLEAR * mass.standard_error:
        yield Finding("error", "load", f"{figures}: below zero.", "Were the two logs given the wrong way round?")
    elif mass.standard_error > UNTOLD:
        yield Finding(
            "error",
            "load",
            "the torques do not tell the mass at all.",
            "Log a motion that lifts the load and swings it, where the arm can.",
        )
    elif mass.value < CLEAR * mass.standard_error:
        yield Finding(
            "error",
            "load",
            f"{figures}: the torques show no load.",
            "Take a heavier load, or longer logs with more motion of the lower joints.",
        )


def _untold(numbers: Estimates) -> Iterator[Finding]:
    untold = [entry.name for entry in numbers if not entry.told]
    if not untold:
        return
    yield Finding(
        "warning",
        "load",
        f"the torques do not tell {', '.join(untold)}: their intervals are wider than half of what they measure.",
        "Centres show when the wrist turns the load against gravity, moments when it is turned fast: log such motions, "
        "where the arm has them. The values given are then those of a compact body.",
    )
