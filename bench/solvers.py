"""Leverarm's own solvers next to Clarabel, SciPy and FLINT, on problems of leverarm's own.

python3 bench/solvers.py --quick                                   a few small problems; a quarter of a minute
python3 bench/solvers.py --logs ../shared/data -o solvers.json     with the real logs; some minutes

The decisions that rest on it are in docs/decisions/0012-own-solvers.md. Times are CPU times, medians of repeats, so
only ratios of one run mean something. Set OPENBLAS_NUM_THREADS=1: threads that wait for each other count as work.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, optimize, special

import leverarm as la
from leverarm.errors import LeverarmError
from leverarm.identification.estimation.consistent_fit import consistent_fit
from leverarm.identification.estimation.interior_point import SHARE_KEPT
from leverarm.identification.estimation.pseudo_inertia import consistency, pseudo_inertias
from leverarm.identification.excitation.designing import objective_of
from leverarm.identification.excitation.harmonics import Harmonics, bounds_of
from leverarm.identification.excitation.objective import Objective, downhill
from leverarm.identification.excitation.search import BARRIERS, FIRST_BARRIER, LEAST_GAIN, STEPS, random_motion
from leverarm.identification.fitting.methods import exceeded_by_chance
from leverarm.identification.modelling.modelled_arm import nominal_values
from leverarm.identification.physical_consistency import STRENGTHS, physical_prior
from leverarm.model.inertias.density import moments_over_box
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.enclosures.local_descent import along_ridges, climbed, shortest_mixture
from leverarm.verify.enclosures.local_search import box_of, random_states
from running import say, setting
from solver_rivals import cone_fit, scipy_descent
from synthetic_logs import log_of, machine, noisy

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One way of solving problems of a kind: how many failed, how far off the others were, the median CPU time.

    `error` says of what it is the greatest. A failure raises, does not converge, or gives what is not valid.
    """

    problem: str
    by: str
    number: int
    failures: int
    error: float
    of: str
    seconds: float


@dataclass(slots=True)
class Report:
    """Everything measured in a run."""

    setting: dict[str, str]
    rows: list[Row] = field(default_factory=list)


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


# Physically consistent fits.


@dataclass(frozen=True, slots=True)
class Fit:
    """A problem of `consistent_fit`, with rows W and torques in units of the noise."""

    W: Array
    tau: Array
    cad: Array
    links: list[slice]
    bounded: list[int]
    strength: float

    def normal(self) -> tuple[Array, Array]:
        return self.W.T @ self.W, self.W.T @ self.tau

    def value(self, phi: Array) -> float:
        """What is minimised."""
        rest = self.W @ phi - self.tau
        total = 0.5 * float(rest @ rest)
        for link in self.links:
            P, P0 = pseudo_inertias(phi[link]), pseudo_inertias(self.cad[link])
            ratio = np.linalg.solve((1 - SHARE_KEPT) * P0, P - SHARE_KEPT * P0)
            total += self.strength * float(np.trace(ratio) - np.linalg.slogdet(ratio)[1] - 4)
        return total

    def is_valid(self, phi: Array) -> bool:
        """Finite, bodies that can exist, nothing negative that must not be."""
        if not np.isfinite(phi).all() or (phi[self.bounded] < 0).any():
            return False
        return float(consistency(phi[: self.links[-1].stop].reshape(-1, 10)).min()) > 0


def identified_problem(arm: la.Arm, logs: object, **reading: object) -> Fit:
    """The last fit of an identification."""
    result = la.identify(arm, logs, **reading)
    predictor = result.predictor
    rows = []
    for log in logs if isinstance(logs, list) else [logs]:
        motion = predictor.motion(la.read_log(log, result.given, **reading))
        columns = predictor.columns.columns(motion.q, motion.qd, motion.qdd, predictor.drives)
        noise = np.array(list(result.noise.values()))
        rows.append((columns.W / noise[:, None], motion.tau / noise))
    W, tau = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    cad = nominal_values(result.given, columns.names, physical_prior(arm).values)
    links = [slice(i, i + 10) for i in range(0, columns.kinds.count("inertial"), 10)]
    bounded = [i for i, kind in enumerate(columns.kinds) if kind in ("rotor", "viscous", "coulomb")]
    return Fit(W.reshape(-1, len(cad)), tau.ravel(), cad, links, bounded, 1.0)


def perturbed(problem: Fit, random: np.random.Generator, kind: str) -> Fit:
    """Another problem like it: fewer rows and other bodies, or data that hardly determine or that contradict them."""
    n = len(problem.W)
    start = int(random.integers(0, n // 2))
    rows = slice(start, start + n // 2)
    W, tau, cad = problem.W[rows], problem.tau[rows], problem.cad.copy()
    for link in problem.links:
        cad[link] *= random.uniform(0.5, 2.0)
    strength = float(random.choice(STRENGTHS))
    if kind == "few rows":
        few = random.choice(len(W), 20, replace=False)
        W, tau = W[few], tau[few]
    elif kind == "weak prior":
        strength = 1e-8
    elif kind == "contradiction":
        tau = tau * -random.uniform(1, 100)
    elif kind == "no noise":
        W, tau = 1e6 * W, 1e6 * (W @ cad)
    return Fit(W, tau, cad, problem.links, problem.bounded, strength)


KINDS = ("usual", "few rows", "weak prior", "contradiction", "no noise")


def consistent_fits(problems: Sequence[Fit], count: int) -> Iterator[Row]:
    """`consistent_fit` and Clarabel on the same problems: what is minimised, above the lower of the two, relative."""
    random = np.random.default_rng(0)
    for kind in KINDS:
        each = [perturbed(problem, random, kind) for problem in problems for _ in range(count)]
        seconds: dict[str, list[float]] = {"own": [], "Clarabel": []}
        failures = dict.fromkeys(seconds, 0)
        worst = dict.fromkeys(seconds, 0.0)
        for problem in each:
            H, b = problem.normal()
            given = (H, b, problem.cad, problem.links, problem.bounded, problem.strength)
            found: dict[str, float] = {}
            for by in seconds:
                begun = time.process_time()
                try:
                    phi = consistent_fit(*given).values if by == "own" else _solved(cone_fit(*given, 1e-8))
                    if by == "Clarabel":
                        # What an interior point leaves below zero by its tolerance is zero.
                        phi[problem.bounded] = np.maximum(phi[problem.bounded], 0)
                except (LeverarmError, np.linalg.LinAlgError, ArithmeticError):
                    phi = np.full(len(b), np.nan)
                seconds[by].append(time.process_time() - begun)
                if problem.is_valid(phi):
                    found[by] = problem.value(phi)
                else:
                    failures[by] += 1
            if found:
                least = min(found.values())
                for by, value in found.items():
                    worst[by] = max(worst[by], (value - least) / max(abs(least), 1e-300))
        for by, taken in seconds.items():
            title = f"consistent fit, {kind}"
            yield Row(
                title, by, len(each), failures[by], worst[by], "what is minimised, above the lower", median(taken)
            )


def _solved(answer: tuple[Array, str]) -> Array:
    values, status = answer
    if status not in ("Solved", "AlmostSolved"):
        raise ArithmeticError(status)
    return values


# Descent in the design of excitation.


def excitation_descents(arms: Sequence[str], starts: int) -> Iterator[Row]:
    """`downhill` and SciPy through the same barriers from the same random motions: information lost to the best."""
    for name in arms:
        arm, random = la.load(name), np.random.default_rng(0)
        objective = objective_of(arm, bounds_of(arm, 0.1, None)[0], Harmonics.of(5, 0.1), None)
        begun = [random_motion(objective, random) for _ in range(starts)]
        ways: dict[str, Callable[[Array, float], Array]] = {
            "own": lambda x, mu, o=objective: _own_descent(o, x, mu),
            **{f"SciPy {by}": lambda x, mu, o=objective, by=by: _scipy_descent(o, x, mu, by) for by in SCIPY},
        }
        plain: dict[str, list[float]] = {by: [] for by in ways}
        seconds: dict[str, list[float]] = {by: [] for by in ways}
        for start in begun:
            for by, descend in ways.items():
                x, at = start, time.process_time()
                for mu in (FIRST_BARRIER, *BARRIERS):
                    x = descend(x, mu)
                seconds[by].append(time.process_time() - at)
                end = objective.cost(x, BARRIERS[-1])
                plain[by].append(math.inf if end is None else end.plain)
        lowest = np.min(list(plain.values()), axis=0)
        for by, values in plain.items():
            lost = np.array(values) - lowest
            is_off = ~np.isfinite(lost)
            worst = float(np.median(lost[~is_off])) if not is_off.all() else math.inf
            title = f"excitation of the {name}"
            yield Row(title, by, starts, int(is_off.sum()), worst, "log det lost, median", median(seconds[by]))


SCIPY = ("L-BFGS-B", "BFGS")


def _own_descent(objective: Objective, x: Array, mu: float) -> Array:
    points = downhill(lambda y: objective.cost(y, mu), x, LEAST_GAIN)
    return [x, *(point for point, _ in islice(points, STEPS))][-1]


def _scipy_descent(objective: Objective, x: Array, mu: float, by: str) -> Array:
    """Outside the limits the cost is infinite for SciPy too; its slope there is nothing."""

    def cost(y: Array) -> tuple[float, Array]:
        found = objective.cost(y, mu)
        return (math.inf, np.zeros_like(y)) if found is None else (found.value, found.slope)

    with np.errstate(all="ignore"):
        end = scipy_descent(cost, x, STEPS, LEAST_GAIN / max(1.0, abs(cost(x)[0])), by)
    return end if objective.cost(end, mu) is not None else x


# Search for extreme states.

WITNESSES = ("mu1", "mu2", "g_b", "v_b", "norm_lower")


def witness_searches(arms: Sequence[str], starts: int) -> Iterator[Row]:
    """`climbed` (and `along_ridges`) and SciPy's L-BFGS-B from the same states in the same box of positions."""
    for name in arms:
        arm = la.load(name)
        low, high = box_of(arm, [-1.0] * arm.dof, [1.0] * arm.dof)
        for quantity in WITNESSES:
            what, random = EXTREMES[quantity].searched(arm, "2"), np.random.default_rng(0)
            sign = 1.0 if what.is_greatest else -1.0
            begun = random_states(random, what, low, high, starts)
            wide = np.full(begun.shape[1] - arm.dof, np.inf)
            box = np.concatenate([low, -wide]), np.concatenate([high, wide])

            def own(what=what, sign=sign, begun=begun, box=box, random=random) -> float:
                def slope(z: Array) -> tuple[Array, Array]:
                    numbers, slopes = what.slope(z)
                    return sign * numbers, sign * slopes

                z = climbed(lambda z: sign * what.number(z), slope, begun, *box, 40)
                if what.has_ridges:
                    best = z[np.argsort(-sign * what.number(z))[:1]]
                    z = np.array(
                        [along_ridges(lambda z: sign * what.number(z), slope, x, *box, random, 40) for x in best]
                    )
                return float((sign * what.number(z)).max())

            def rival(what=what, sign=sign, begun=begun, box=box) -> float:
                def cost(z: Array) -> tuple[float, Array]:
                    numbers, slopes = what.slope(z[None])
                    return -sign * float(numbers[0]), -sign * np.nan_to_num(slopes[0])

                bounds = optimize.Bounds(*box)
                return max(
                    -float(optimize.minimize(cost, z, jac=True, method="L-BFGS-B", bounds=bounds).fun) for z in begun
                )

            own(), rival()  # whatever is compiled first
            heights = {"own": own(), "SciPy L-BFGS-B": rival()}
            best = max(heights.values())
            for by, work in (("own", own), ("SciPy L-BFGS-B", rival)):
                off, title = (best - heights[by]) / abs(best), f"extreme {quantity} of the {name}"
                yield Row(title, by, starts, 0, off, "below the better", timed(work))


def nonnegative_mixtures(count: int) -> Iterator[Row]:
    """The shortest mixture of slopes, and SciPy's nnls on the same matrix."""
    random, sizes = np.random.default_rng(0), (7, 42)
    seconds: dict[str, list[float]] = {"own": [], "SciPy nnls": []}
    worst = 0.0
    for _ in range(count):
        slopes = random.normal(size=sizes[::-1]) + 0.3
        at = random.random((2, sizes[0])) < 0.1
        begun = time.process_time()
        own = shortest_mixture(slopes, at[0], at[1])
        seconds["own"].append(time.process_time() - begun)
        begun = time.process_time()
        theirs = _by_nnls(slopes, at[0], at[1])
        seconds["SciPy nnls"].append(time.process_time() - begun)
        worst = max(worst, float(np.abs(own - theirs).max()))
    for by, taken in seconds.items():
        yield Row("mixture of slopes", by, count, 0, worst, "between the two", median(taken))


def _by_nnls(slopes: Array, at_lower: NDArray[np.bool_], at_upper: NDArray[np.bool_]) -> Array:
    n = slopes.shape[1]
    walls = np.concatenate([np.eye(n)[at_lower], -np.eye(n)[at_upper]])
    scale = np.abs(slopes).max()
    columns = np.concatenate([slopes / scale, walls]).T
    adding = np.concatenate([np.full(len(slopes), 1e3), np.zeros(len(walls))])
    return np.asarray(scale * (columns @ optimize.nnls(np.vstack([columns, adding]), np.append(np.zeros(n), 1e3))[0]))


# Chi-squared and Student's distribution.


def p_values(freedoms: Sequence[int]) -> Iterator[Row]:
    """Tails of chi-squared from 0.99 to 1e-250, next to FLINT's in arbitrary precision."""
    cases = [
        (float(x), k) for k in freedoms for x in k * np.geomspace(0.3, 30, 12) if special.gammaincc(k / 2, x / 2) > 0
    ]
    exact = [_exact_tail(x, k) for x, k in cases]
    ways: dict[str, Callable[[float, int], float]] = {
        "own": exceeded_by_chance,
        "SciPy": lambda x, k: float(special.gammaincc(k / 2, x / 2)),
    }
    for by, tail in ways.items():
        off = max(abs(tail(x, k) / true - 1) for (x, k), true in zip(cases, exact, strict=True))
        taken = [timed(lambda tail=tail: [tail(x, k) for x, k in cases]) / len(cases) for _ in range(5)]
        yield Row("chi-squared", by, len(cases), 0, off, "relative", median(taken))


def _exact_tail(x: float, freedom: int) -> float:
    from flint import arb, ctx

    before, ctx.prec = ctx.prec, 400
    try:
        return float((arb(x) / 2).gamma_upper(arb(freedom) / 2, 1))
    finally:
        ctx.prec = before


# Cubature of densities.

WIDE = (0.1, 0.2, 0.3)


def ellipsoid(x: float, y: float, z: float) -> float:
    return 1000.0 if (x / 0.1) ** 2 + (y / 0.2) ** 2 + (z / 0.3) ** 2 <= 1 else 0.0


def cloud(x: float, y: float, z: float) -> float:
    return 1000.0 * math.exp(-((x / 0.05) ** 2) - (y / 0.1) ** 2 - ((z - 0.1) / 0.1) ** 2)


def graded(x: float, y: float, z: float) -> float:
    return 1000.0 * (1 + x / 0.2) * (1 + (z / 0.3) ** 2)


def _cloud_mass() -> float:
    parts = [(0.1, 0.05, 0.0), (0.2, 0.1, 0.0), (0.3, 0.1, 0.1)]
    each = (s * math.sqrt(math.pi) / 2 * (math.erf((w - c) / s) + math.erf((w + c) / s)) for w, s, c in parts)
    return 1000.0 * math.prod(each)


DENSITIES = {
    "smooth": (cloud, _cloud_mass(), 1e-6),
    "polynomial": (graded, 1000.0 * 8 * math.prod(WIDE) * 4 / 3, 1e-9),
    "solid with a surface": (ellipsoid, 1000.0 * 4 / 3 * math.pi * math.prod(WIDE), 0.03),
}


def cubatures() -> Iterator[Row]:
    """`moments_over_box` and SciPy's cubature with the same rule: the mass, and calls of the density as `problems`."""
    for name, (rho, mass, rtol) in DENSITIES.items():
        for by, work in (("own", _own_moments), ("SciPy cubature", _scipy_moments)):
            calls = 0

            def counted(x: float, y: float, z: float, rho=rho) -> float:
                nonlocal calls
                calls += 1
                return rho(x, y, z)

            found: list[float] = []
            seconds = timed(lambda work=work, rtol=rtol, found=found: found.append(work(counted, rtol)))
            yield Row(f"density, {name}, rtol {rtol:g}", by, calls, 0, abs(found[0] / mass - 1), "of the mass", seconds)


def _own_moments(rho: Callable[[float, float, float], float], rtol: float) -> float:
    return moments_over_box(lambda x, y, z: (rho(x, y, z), (x, y, z)), WIDE, rtol, 10_000_000)[0]


def _scipy_moments(rho: Callable[[float, float, float], float], rtol: float) -> float:
    def moments(points: Array) -> Array:
        x, y, z = points.T
        values = np.array([rho(*point) for point in points.tolist()])
        return values[:, None] * np.stack([x**0, x, y, z, x * x, x * y, y * y, x * z, y * z, z * z], axis=1)

    low = -np.array(WIDE)
    # The moments that vanish have no relative error; their scale is that of the mass and the box.
    return float(integrate.cubature(moments, low, -low, rule="genz-malik", rtol=rtol, atol=rtol).estimate[0])


def problems_of(logs: Path | None, arms: Sequence[str]) -> list[Fit]:
    """Fits of synthetic logs of arms, and of the real Panda, UR10 and TX40 where their logs are."""
    problems = []
    for name in arms:
        random = np.random.default_rng(0)
        real = machine(name, random)
        log = noisy(log_of(real.real, random, 10.0, 200.0), random)
        problems.append(identified_problem(real.described, {key: log[key] for key in ("t", "q", "tau")}))
    if logs is not None:
        ratio = np.diag([32.0, 32.0, 45.0, -48.0, 45.0, 32.0])
        ratio[5, 4] = 32.0
        tx40 = {"rate": 5000.0, "ratio": ratio, "zero": [0, -np.pi / 2, np.pi / 2, 0, 0, 0], "units": {"tau": "N m"}}
        files = tuple(logs / "tx40_figaroh" / f"{name}_data.csv.gz" for name in ("pos_read", "curr"))
        problems += [
            identified_problem(la.load("panda"), logs / "panda_unisa" / "panda_exciting_trajectory.csv.gz"),
            identified_problem(
                la.load(logs / "ur10_unisa" / "ur10_example-robot-data.urdf"),
                logs / "ur10_unisa" / "ur10_exciting_trajectory.csv.gz",
            ),
            identified_problem(la.load(logs / "tx40_figaroh" / "tx40_mdh_modified.urdf"), files, **tx40),
        ]
    return problems


def parts(logs: Path | None, arms: tuple[str, ...], count: int) -> dict[str, Callable[[], Iterator[Row]]]:
    """What is measured, by name; `count` perturbed problems of each kind, starts and states."""
    return {
        "chi-squared": lambda: p_values((1, 2, 5, 10, 30, 100, 300)),
        "cubature": cubatures,
        "mixtures": lambda: nonnegative_mixtures(10 * count),
        "extremes": lambda: witness_searches(arms, 2 * count),
        "excitation": lambda: excitation_descents(arms, count),
        "fits": lambda: consistent_fits(problems_of(logs, arms[-1:]), count),
    }


def measure(chosen: Sequence[Callable[[], Iterator[Row]]]) -> Report:
    """The rows of some parts, in turn."""
    packages = ("numpy", "scipy", "clarabel", "python-flint")
    report = Report(setting(f"{platform.system()} on {platform.machine()}, CPU time", packages))
    for part in chosen:
        for row in part():
            report.rows.append(row)
            say(str(row))
    return report


def markdown(report: Report) -> str:
    """The table."""
    lines = [", ".join(f"{name} {value}" for name, value in report.setting.items()) + ".", ""]
    lines += ["| problem | by | number | failed | error | of | CPU time |", "|---|---|--:|--:|--:|---|--:|"]
    lines += [
        f"| {r.problem} | {r.by} | {r.number:,} | {r.failures} | {r.error:.1g} | {r.of} | {_time(r.seconds)} |"
        for r in report.rows
    ]
    return "\n".join(lines) + "\n"


def _time(seconds: float) -> str:
    return (
        f"{seconds:.2g} s"
        if seconds >= 1
        else f"{1e3 * seconds:.3g} ms"
        if seconds >= 1e-3
        else f"{1e6 * seconds:.3g} us"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few problems of the elbow, in a quarter of a minute")
    parser.add_argument("--logs", type=Path, help="folder of the real logs")
    parser.add_argument("--parts", nargs="+", choices=parts(None, ("elbow",), 1), help="some of what is measured")
    parser.add_argument("-o", dest="output", action="append", type=Path, default=[], help="FILE.json, FILE.md")
    asked = parser.parse_args()
    named = parts(None, ("elbow",), 2) if asked.quick else parts(asked.logs, ("elbow", "ur5", "panda"), 12)
    report = measure([named[name] for name in asked.parts or named])
    page = markdown(report)
    print(page)
    for path in asked.output:
        path.write_text(page if path.suffix == ".md" else json.dumps(asdict(report), indent=1) + "\n")


if __name__ == "__main__":
    main()
