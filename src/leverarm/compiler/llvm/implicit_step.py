"""One step of an implicit method as LLVM IR: initial guess, simplified Newton iteration, and update."""

from __future__ import annotations

from leverarm.compiler.llvm.machine import Machine
from leverarm.compiler.llvm.march_layout import Collocation, Layout
from leverarm.compiler.llvm.march_writer import MarchWriter

MOST_ITERATIONS = 50
"""Iteration limit; a step that needs more has failed."""

_FRESH_MATRIX = 8
"""A is recomputed at the current iterate after this many iterations."""

_ENOUGH = {"double": 2.0**-43, "float": 2.0**-19}
"""Relative tolerance on the velocity corrections; the remaining error is smaller by the convergence rate."""

_ROUNDING = {"double": 2.0**-30, "float": 2.0**-12}
"""Relative corrections below this that stop decreasing are rounding errors."""


class StepWriter(MarchWriter):
    """The parts of the loop that solve a step, in memory that the loop has reserved.

    `%V, %X, %P, %F, %W` with the number of a stage are its velocity, place, momentum, force and rates of the sums;
    `%kept.F` and `%kept.W` those that belong to a lane's last correction.
    """

    def __init__(
        self, layout: Layout, method: Collocation, jumped: tuple[int, ...], lanes: int, real: str, machine: Machine
    ) -> None:
        super().__init__(layout, jumped, lanes, real, machine)
        self.method = method
        self.n, self.stages = layout.coordinates, range(len(method.nodes))
        self.feeds: list[str] = []
        self.lengths: dict[float, str] = {}
        n, at, place = self.n, layout.state, self.asm.place
        self.p, self.past = place("%state", at), place("%state", at + n)
        at += n * (1 + method.remembered)
        self.rounds, self.is_begun, self.failed = (place("%state", at + k) for k in range(3))

    def guess(self) -> None:
        """The velocities of the stages, from those before."""
        asm, n = self.asm, self.n
        for entry in range(n):
            past = [asm.load(self.past, k * n + entry, self.align) for k in range(self.method.remembered)]
            for i in self.stages:
                terms = [asm.mul(asm.constant(w), v) for w, v in zip(self.method.guesses[i], past, strict=True) if w]
                asm.store(self.total(terms), f"%V{i}", entry, self.align)

    def iterate(self) -> None:
        """Iterates until the corrections are small, lane by lane: a converged lane is left unchanged."""
        asm, perform, n = self.asm, self.asm.perform, self.n
        infinite = asm.constant(float("inf"))
        is_well = asm.is_greater(infinite, asm.load(self.failed, 0, self.align))
        asm.go_on("iteration")
        perform("%round = phi i64 [ 0, %part.begin ], [ %round.next, %again ]")
        perform(f"%is_open = phi {asm.condition} [ {is_well}, %part.begin ], [ %is_open.next, %again ]")
        perform(f"%size.before = phi {asm.type} [ {infinite}, %part.begin ], [ %size, %again ]")
        self.evaluate()
        corrections, velocities = [], []
        for i in self.stages:
            residuals = [self.residual(i, entry) for entry in range(n)]
            for entry in range(n):
                row = [asm.load("%inverse", entry * n + k, self.align) for k in range(n)]
                change = asm.mul(row[0], residuals[0])
                for a, r in zip(row[1:], residuals[1:], strict=True):
                    change = asm.fma(a, r, change)
                v = asm.add(asm.load(f"%V{i}", entry, self.align), change)
                self.store_where("%is_open", v, f"%V{i}", entry)
                corrections.append(asm.magnitude(change))
                velocities.append(asm.magnitude(v))
            for kind, entries in (("F", n), ("W", self.layout.sums)):
                for entry in range(entries):
                    found = asm.load(f"%{kind}{i}", entry, self.align)
                    self.store_where("%is_open", found, f"%kept.{kind}{i}", entry)
        perform(f"%size = fadd {asm.type} {self.total(corrections)}, {asm.constant(0.0)}")
        is_done = self.is_done("%size", self.total(velocities))
        is_left = asm.define(f"xor {asm.condition} {is_done}, {self.all_lanes()}")
        perform(f"%is_open.next = and {asm.condition} %is_open, {is_left}")
        self.count_rounds()
        perform("%round.next = add i64 %round, 1")
        is_early = asm.define(f"icmp ult i64 %round.next, {MOST_ITERATIONS}")
        is_any = asm.is_any("%is_open.next")
        perform(f"%is_again = and i1 {is_any}, {is_early}")
        asm.branch("%is_again", "slow", "iterated")
        asm.label("slow")
        since = asm.define(f"urem i64 %round.next, {_FRESH_MATRIX}")
        perform(f"%is_slow = icmp eq i64 {since}, 0")
        asm.branch("%is_slow", "refreshing", "again")
        asm.label("refreshing")
        self.refresh_inverse()
        asm.go_on("again")
        perform("br label %iteration")
        asm.label("iterated")

    def evaluate(self) -> None:
        """P, F and the rates of the sums at every stage."""
        asm = self.asm
        for i in self.stages:
            for entry in range(self.n):
                x = asm.load(self.x, entry, self.align)
                for j, a in enumerate(self.method.matrix[i]):
                    if a:
                        x = asm.add(x, asm.mul(self.lengths[a], asm.load(f"%V{j}", entry, self.align)))
                asm.store(x, f"%X{i}", entry, self.align)
            self.store_time(asm.define(f"fadd double %part.t, {self.times('%part', self.method.nodes[i])}"))
            self.call("flow", f"%X{i}", f"%V{i}", self.feeds, f"%P{i}", f"%F{i}", f"%W{i}")

    def residual(self, i: int, entry: int) -> str:
        """p + h sum_j a_ij F_j - P_i."""
        asm = self.asm
        gained = [
            asm.mul(self.lengths[a], asm.load(f"%F{j}", entry, self.align))
            for j, a in enumerate(self.method.matrix[i])
            if a
        ]
        # Subtract the nearly equal terms first: that is exact, and the impulse of a step is small beside p.
        left = asm.sub(asm.load(self.p, entry, self.align), asm.load(f"%P{i}", entry, self.align))
        return asm.add(left, self.total(gained))

    def is_done(self, size: str, speed: str) -> str:
        """Converged: corrections are small, or at rounding level and no longer decreasing."""
        asm = self.asm
        enough, rounding = asm.constant(_ENOUGH[asm.real]), asm.constant(_ROUNDING[asm.real])
        is_small = asm.define(f"fcmp ole {asm.type} {size}, {asm.mul(enough, speed)}")
        is_stuck = asm.define(f"fcmp oge {asm.type} {size}, %size.before")
        near = asm.mul(rounding, asm.add(speed, asm.constant(1.0)))
        is_near = asm.define(f"fcmp ole {asm.type} {size}, {near}")
        is_rounding = asm.define(f"and {asm.condition} {is_stuck}, {is_near}")
        is_enough = asm.define(f"or {asm.condition} {is_small}, {is_rounding}")
        is_finite = asm.is_greater(asm.constant(float("inf")), size)
        return asm.define(f"and {asm.condition} {is_enough}, {is_finite}")

    def count_rounds(self) -> None:
        """One more iteration, in the lanes that still iterate."""
        asm = self.asm
        one = asm.select("%is_open", asm.constant(1.0), asm.constant(0.0))
        asm.store(asm.add(asm.load(self.rounds, 0, self.align), one), self.rounds, 0, self.align)

    def refresh_inverse(self) -> None:
        """Recomputes A at the current iterate, in the lanes that have not converged."""
        self.mean_state(self.lengths[0.5])
        self.call_inverse("%part.t", self.times("%part", 0.5), "%newer")
        for entry in range(self.n * self.n):
            newer = self.asm.load("%newer", entry, self.align)
            self.store_where("%is_open.next", newer, "%inverse", entry)

    def mean_state(self, half: str) -> None:
        """The state half a length of time from now, with the mean velocity of the stages."""
        asm = self.asm
        for entry in range(self.n):
            stages = [
                asm.mul(asm.constant(w), asm.load(f"%V{i}", entry, self.align))
                for i, w in enumerate(self.method.weights)
            ]
            mean = self.total(stages)
            asm.store(mean, "%at.v", entry, self.align)
            asm.store(asm.add(asm.load(self.x, entry, self.align), asm.mul(half, mean)), "%at.x", entry, self.align)

    def call_inverse(self, t: str, ahead: str, target: str) -> None:
        """A^-1 at the mean state, some time ahead of t."""
        self.store_time(self.asm.define(f"fadd double {t}, {ahead}"))
        self.call("inverse", "%at.x", "%at.v", self.feeds, "%length", target)

    def move(self) -> None:
        """The end of a part: x, p and the sums, and the velocities become the past; a lane that failed stays."""
        asm, n = self.asm, self.n
        failed = asm.select("%is_open.next", asm.constant(float("inf")), asm.load(self.failed, 0, self.align))
        asm.store(failed, self.failed, 0, self.align)
        is_well = asm.is_greater(asm.constant(float("inf")), failed)
        for target, kind, entries in (
            (self.x, "V", n),
            (self.p, "kept.F", n),
            (self.sums, "kept.W", self.layout.sums),
        ):
            for entry in range(entries):
                gained = [
                    asm.mul(self.lengths[w], asm.load(f"%{kind}{i}", entry, self.align))
                    for i, w in enumerate(self.method.weights)
                ]
                after = asm.add(asm.load(target, entry, self.align), self.total(gained))
                self.store_where(is_well, after, target, entry)
        count = self.method.remembered
        for k in range(count):
            newest = k - (count - len(self.stages))
            for entry in range(n):
                if newest < 0:
                    v = asm.load(self.past, (k + len(self.stages)) * n + entry, self.align)
                else:
                    v = asm.load(f"%V{newest}", entry, self.align)
                self.store_where(is_well, v, self.past, k * n + entry)
