"""The time-stepping loop of an explicit method over a program that gives accelerations.

The state stays in the L1 cache; only the records leave the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.llvm.machine import Machine
from leverarm.compiler.llvm.march_layout import Layout, Tableau, alike
from leverarm.compiler.llvm.march_writer import MarchWriter
from leverarm.compiler.program import Program


def march_ir(
    rates: Program, jump: Program | None, marks: int, tableau: Tableau, lanes: int, real: str, machine: Machine
) -> str:
    """`void @march(ptr state, ptr feeds, ptr records, i64 first, i64 steps, i64 every, double t0, double h)`.

    Does the steps number first, ..., first + steps - 1 from the times t0 + number h. `state` points to [entry][lane]
    and is changed. `feeds` is an array of {ptr data, ptr rows, i64 step}: in step k the feed is row rows[k' step] of
    data, [row][entry][lane], k' counting from 0; behind them, {ptr callback, ...} where a feed has the name CALLBACK.
    Where a step's number is a multiple of `every`, its begin is appended to `records`, [record][entry][lane].
    `jump` takes what `rates` takes, the acceleration and what is shown; it gives x, v, additions to the sums, and the
    marks, and must leave lanes alone in which nothing happens.
    """
    layout = Layout.of(rates, marks, jump is not None)
    kernels = [kernel_ir(rates, "rates", lanes, real, machine)]
    if jump is not None:
        kernels.append(kernel_ir(jump, "jump", lanes, real, machine))
    return module_ir(*kernels, March(layout, jump, tableau, lanes, real, machine).march())


class March(MarchWriter):
    """The loop by an explicit method while it is written.

    `%a` and `%power` with the number of a stage are its acceleration and its rates of the sums.
    """

    def __init__(
        self, layout: Layout, jump: Program | None, tableau: Tableau, lanes: int, real: str, machine: Machine
    ) -> None:
        jumped = () if jump is None else tuple(array.size for array in jump.outputs)
        super().__init__(layout, jumped, lanes, real, machine)
        self.tableau = tableau
        self._factors: dict[tuple[str, float], str] = {}

    def stages(self) -> str:
        """`void @stages(ptr state, ptr feeds, ptr out, double t, double h)`: all stages of a step, which is not taken.

        `out` receives the accelerations of all stages, then their rates of the sums, then what is shown at the first
        stage and its guard. The first row of each feed is used.
        """
        self._prepare()
        layout, tableau = self.layout, self.tableau
        feeds = self.first_feeds()
        stages = range(len(tableau.nodes))
        parts = [(f"%a{i}", layout.coordinates) for i in stages] + [(f"%power{i}", layout.sums) for i in stages]
        behind = self.asm.place("%out", sum(size for _, size in parts))
        self._rates(0, self.x, self.v, feeds)
        self.write(
            behind, [*self.shown_parts, ("%guard", int(layout.has_guard))]
        )  # now: later stages overwrite the guard
        for i in stages[1:]:
            self._stage("%stage.x", "%stage.v", tableau.nodes[i], tableau.positions[i], tableau.velocities[i])
            self._rates(i, "%stage.x", "%stage.v", feeds)
        self.write("%out", parts)
        head = "define void @stages(ptr noalias %state, ptr noalias %feeds, ptr noalias %out, double %t, double %h)"
        return "\n".join([f"{head} nounwind {{", "entry:", *self.lines, "  ret void", "}", ""])

    def march(self) -> str:
        """The loop over steps."""
        self._prepare()
        perform, layout, tableau = self.asm.perform, self.layout, self.tableau
        self.asm.go_on("test")
        perform("%k = phi i64 [ 0, %entry ], [ %k.next, %moved ]")
        perform("%record = phi ptr [ %records, %entry ], [ %record.next, %moved ]")
        perform("%is_more = icmp ult i64 %k, %steps")
        self.asm.branch("%is_more", "step", "done")
        self.asm.label("step")
        self.time_of_step("", "%k")
        feeds = self.read_feeds("%k")
        self._rates(0, self.x, self.v, feeds)
        if self.jumped:
            self.jump_where_due("step", feeds, "%a0", lambda _: self._rates(0, self.x, self.v, feeds))
        self.record_where_due("%number", "%a0")
        for i in range(1, len(tableau.nodes)):
            self._stage("%stage.x", "%stage.v", tableau.nodes[i], tableau.positions[i], tableau.velocities[i])
            self._rates(i, "%stage.x", "%stage.v", feeds)
        self._stage("%stage.x", "%stage.v", 1.0, tableau.last_position, tableau.last_velocity)
        self.copy("%stage.x", self.x, layout.coordinates)
        self.copy("%stage.v", self.v, layout.coordinates)
        for entry in range(layout.sums):
            total = self.asm.load(self.sums, entry, self.align)
            for weight, stages in alike(tableau.last_velocity):
                rate = self._sum([self.asm.load(f"%power{j}", entry, self.align) for j in stages])
                total = self.asm.add(total, self.asm.mul(self._factor("h", weight), rate))
            self.asm.store(total, self.sums, entry, self.align)
        self.asm.go_on("moved")
        perform("%k.next = add i64 %k, 1")
        perform("br label %test")
        arguments = "ptr noalias %state, ptr noalias %feeds, ptr noalias %records, i64 %first, i64 %steps, i64 %every"
        head = f"define void @march({arguments}, double %t0, double %h) nounwind {{"
        return "\n".join([head, "entry:", *self.lines, "done:", "  ret void", "}", ""])

    def _prepare(self) -> None:
        """Memory for the stages, the feeds, and the step's length times every number of the tableau."""
        layout, stages = self.layout, len(self.tableau.nodes)
        memory = {"%stage.x": layout.coordinates, "%stage.v": layout.coordinates, **self.memory_for_rates()}
        for i in range(stages):
            memory |= {f"%a{i}": layout.coordinates, f"%power{i}": layout.sums}
        memory |= {f"%unseen{k}": array.size for k, array in enumerate(layout.shown)}
        self.reserve(memory)
        self.open_feeds()
        self.asm.perform("%hh = fmul double %h, %h")
        t = self.tableau
        for weight in (*t.nodes, 1.0, *t.last_velocity, *(w for row in t.velocities for w in row)):
            self._factor("h", weight)
        for weight in (*t.last_position, *(w for row in t.positions for w in row)):
            self._factor("hh", weight)

    def _factor(self, power: str, weight: float) -> str:
        """h or h^2 times a number, in every lane."""
        if (power, weight) not in self._factors and weight:
            self._factors[power, weight] = self.everywhere(self.times(f"%{power}", weight))
        return self._factors.get((power, weight), "")

    def _rates(self, i: int, x: str, v: str, feeds: Sequence[str]) -> None:
        """The rates at stage i; only those of the first are shown, and only there may something jump."""
        t = "%t"
        if self.tableau.nodes[i]:
            t = self.asm.define(f"fadd double %t, {self.times('%h', self.tableau.nodes[i])}")
        self.store_time(t)
        shown = self.shown if i == 0 else [f"%unseen{k}" for k in range(len(self.layout.shown))]
        self.call("rates", x, v, feeds, f"%a{i}", f"%power{i}", *shown, *self.guards)

    def _stage(self, x: str, v: str, node: float, positions: Sequence[float], velocities: Sequence[float]) -> None:
        """The state of a stage (or, with the last weights, the end of the step), one rounding per operation."""
        asm = self.asm
        for entry in range(self.layout.coordinates):
            speed = asm.load(self.v, entry, self.align)
            at = asm.load(self.x, entry, self.align)
            if node:
                at = asm.add(at, asm.mul(self._factor("h", node), speed))
            used = [j for j, pair in enumerate(zip(positions, velocities, strict=True)) if any(pair)]
            a = {j: asm.load(f"%a{j}", entry, self.align) for j in used}
            for weight, stages in alike(positions):
                at = asm.add(at, asm.mul(self._factor("hh", weight), self._sum([a[j] for j in stages])))
            for weight, stages in alike(velocities):
                speed = asm.add(speed, asm.mul(self._factor("h", weight), self._sum([a[j] for j in stages])))
            asm.store(at, x, entry, self.align)
            asm.store(speed, v, entry, self.align)

    def _sum(self, terms: Sequence[str]) -> str:
        """One rounding per addition, in the order of the stages."""
        return reduce(self.asm.add, terms)
