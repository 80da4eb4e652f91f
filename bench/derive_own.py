"""leverarm's own figures for the derivation: CPU time after import, and sizes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import leverarm as la
from leverarm import mechanics as me
from leverarm.scalars.exact import Polynomial, is_exactly_zero
from leverarm.scalars.exact.abbreviation import Abbreviations


@dataclass(frozen=True, slots=True)
class Task:
    """Something to time, on an arm, with the most seconds it may take."""

    title: str
    arm: Callable[[], la.Arm]
    work: Callable[[la.Arm], Any]
    bound: float


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds of a task: the least of several repeats, none of which finds anything remembered."""

    title: str
    seconds: float
    bound: float
    repeats: int


def forms(arm: la.Arm) -> tuple[la.types.Formulas, ...]:
    """M, all Christoffel symbols and g."""
    eq = la.equations(arm)
    return eq.M, eq.christoffel, eq.g


def euler_lagrange(arm: la.Arm) -> la.types.Formulas:
    """d/dt dL/dqd - dL/dq, expanded."""
    return la.equations(arm).euler_lagrange


def printed(arm: la.Arm) -> list[str]:
    """Every entry of M, c and g as text."""
    eq = la.equations(arm)
    return [entry.text() for form in (eq.M, eq.c, eq.g) for entry in form]


def proof(arm: la.Arm) -> None:
    """Newton-Euler minus Lagrange has no terms."""
    eq = la.equations(arm)
    both = zip(eq.tau.values, eq.euler_lagrange.values, eq.friction.values, strict=True)
    assert all(is_exactly_zero(tau - conservative - friction) for tau, conservative, friction in both)


def base_parameters(arm: la.Arm) -> int:
    return len(la.equations(arm).base_parameters)


def puma() -> la.Arm:
    """The catalog's Puma, motors and friction included; lengths and all ten numbers of each link are symbols."""
    return la.symbolic(la.load("puma560"), "inertia", "geometry")


def puma_shoulder() -> la.Arm:
    """The Puma's first three joints, the wrist locked at zero."""
    arm = la.load("puma560")
    locked = la.lock(arm, dict.fromkeys(arm.coordinates[3:], 0))
    return la.symbolic(locked, "inertia", "geometry")


TASKS = (
    Task("planar 2R: M, Christoffel symbols, g", lambda: la.load("elbow"), forms, 0.005),
    Task("Puma 560: M, Christoffel symbols, g", puma, forms, 0.1),
    Task("Panda: M, Christoffel symbols, g", lambda: la.symbolic(la.load("panda"), "inertia", "geometry"), forms, 0.25),
    Task("Puma 560: Newton-Euler = Lagrange, proven", puma, proof, 0.5),
    Task("planar 2R: M, c, g printed", lambda: la.load("elbow"), printed, 0.03),
    Task("planar 3R: M, c, g printed", lambda: la.load("planar3r"), printed, 0.1),
    Task("Puma 560, first three joints: M, c, g printed", puma_shoulder, printed, 0.5),
    Task("Puma 560: base parameters", puma, base_parameters, 0.3),
)


def least_seconds(work: Callable[[], Any], repeats: int) -> float:
    """The least CPU time of several runs, each with empty caches; one run before them loads what is loaded once."""
    work()
    times = []
    for _ in range(repeats):
        forget()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def forget() -> None:
    """Empties every cache of leverarm's functions, so that a repeat does all of its work again."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "leverarm":
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def timings(repeats: int = 7) -> Iterable[Timing]:
    """Each task of the list, as it is done."""
    for task in TASKS:
        arm = task.arm()
        seconds = least_seconds(lambda task=task, arm=arm: task.work(arm), repeats)
        yield Timing(task.title, seconds, task.bound, repeats)


def terms(arm: la.Arm) -> int:
    """The terms of M, the Christoffel symbols and g, expanded."""
    return sum(entry.terms for form in forms(arm) for entry in form)


def operations(arm: la.Arm) -> int:
    """The operations of M (all entries), c and g as printed."""
    eq = la.equations(arm)
    return sum(entry.operations for form in (eq.M, eq.c, eq.g) for entry in form)


def program_size(arm: la.Arm) -> int:
    """The operations of a program for M, g and c in which every sum has a name, nothing else being optimised."""
    exact = la.equations(arm).exact
    book = Abbreviations(exact.ring, longest=1)
    mechanism, q = exact.abbreviated(book)
    M, g = me.mass_matrix(mechanism, q), me.gravity_forces(mechanism, q)
    c = me.coriolis_torques(mechanism, q, [book.of(speed) for speed in exact.qd])
    results = [x for i, row in enumerate(M) for x in row[i:]] + g + c
    shorts = [x.short for x in results if hasattr(x, "short")]
    return sum(map(_operations, (*book.needed(results).values(), *shorts)))


def _operations(x: Polynomial) -> int:
    """One addition less than terms; per term one multiplication less than factors."""
    count = -1
    for monomial, coefficient in x.terms():
        degree = sum(exponent for _, exponent in monomial)
        count += 1 + max(degree - 1 + int(abs(coefficient) != 1 and degree > 0), 0)
    return count
