"""The loop over steps in time by an implicit Runge-Kutta method in canonical variables x and p.

    x' = v,  p' = F(t, x, v),  p = P(t, x, v)

The velocities V_i of a step's stages, at X_i = x + h sum_j a_ij V_j, solve P(X_i, V_i) = p + h sum_j a_ij F(X_j, V_j).
They are extrapolated from the steps before and corrected by V_i += A^-1 (residual), with one A near dP/dv for all
stages, until converged to rounding: so Gauss methods are symplectic up to rounding (Hairer, Lubich and Wanner 2006,
VI.4 and VIII.6).
"""

from __future__ import annotations

from leverarm.compiler.llvm.implicit_step import StepWriter
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.llvm.machine import Machine
from leverarm.compiler.llvm.march_layout import CanonicalPrograms, Collocation, Layout


def implicit_march_ir(
    programs: CanonicalPrograms, marks: int, method: Collocation, lanes: int, real: str, machine: Machine
) -> str:
    """`void @march(state, feeds, records, first, steps, every, t0, h, i64 parts)`, the others as `march_ir` has them.

    But the state has the entries of `carried` besides, and each step is done in so many equal parts. v in the state is
    up to date when the march returns. Jumps happen where whole steps begin; p then follows from v.
    """
    layout = Layout.of(programs.rates, marks, programs.jump is not None)
    named = {
        "rates": programs.rates,
        "jump": programs.jump,
        "flow": programs.flow,
        "velocity": programs.velocity,
        "inverse": programs.inverse,
    }
    kernels = [kernel_ir(program, name, lanes, real, machine) for name, program in named.items() if program is not None]
    jumped = () if programs.jump is None else tuple(array.size for array in programs.jump.outputs)
    return module_ir(*kernels, _Loop(layout, method, jumped, lanes, real, machine).text())


class _Loop(StepWriter):
    """Writes the loop."""

    def text(self) -> str:
        """The function."""
        asm, perform = self.asm, self.asm.perform
        self.prepare()
        perform("%is_any = icmp ne i64 %steps, 0")
        asm.branch("%is_any", "begin", "nothing")
        asm.label("begin")
        self.begin()
        asm.go_on("step")
        perform("%k = phi i64 [ 0, %begin ], [ %k.next, %stepped ]")
        perform("%record = phi ptr [ %records, %begin ], [ %record.next, %stepped ]")
        self.set_time("step", "%k")
        if self.jumped:
            self.jump()
        update = None if self.jumped else lambda: self.up_to_date("first", "updating", "showing")
        self.record_where_due("%step.number", "%a", update)
        self.substeps()
        perform("%k.next = add i64 %k, 1")
        perform("%is_more = icmp ult i64 %k.next, %steps")
        asm.branch("%is_more", "step", "done")
        asm.label("done")
        self.feeds = self.read_feeds("%k")
        self.call("velocity", self.x, self.p, self.feeds, self.v)
        asm.go_on("nothing")
        arguments = "ptr noalias %state, ptr noalias %feeds, ptr noalias %records, i64 %first, i64 %steps, i64 %every"
        head = f"define void @march({arguments}, double %t0, double %h, i64 %parts) nounwind {{"
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}", ""])

    def prepare(self) -> None:
        """Memory, the feeds, and the length of a part times every number of the method."""
        layout, method, n = self.layout, self.method, self.n
        memory = {**self.memory_for_rates(), "%a": n, "%power.shown": layout.sums, "%length": 1}
        memory |= {"%at.x": n, "%at.v": n, "%inverse": n * n, "%newer": n * n}
        for i in self.stages:
            memory |= {f"%X{i}": n, f"%V{i}": n, f"%P{i}": n, f"%F{i}": n, f"%W{i}": layout.sums}
            memory |= {f"%kept.F{i}": n, f"%kept.W{i}": layout.sums}
        self.reserve(memory)
        self.open_feeds()
        self.asm.perform("%parts.real = sitofp i64 %parts to double")
        self.asm.perform("%part = fdiv double %h, %parts.real")
        self.asm.perform("%half.step = fmul double %h, 0.5")
        numbers = {*method.weights, *(a for row in method.matrix for a in row), 0.5, method.stiffness}
        numbers |= {k + 1 - c for k in range(self.steps_remembered) for c in method.nodes}
        self.lengths = {number: self.everywhere(self.times("%part", number)) for number in sorted(numbers)}
        self.half_step = self.everywhere("%half.step")
        self.asm.store(self.lengths[method.stiffness], "%length", 0, self.align)

    @property
    def steps_remembered(self) -> int:
        """How many steps the velocities that are carried along belong to."""
        return self.method.remembered // len(self.method.nodes)

    def set_time(self, word: str, k: str) -> None:
        """The time at which step k begins, and its feeds."""
        t = self.time_of_step(f"{word}.", k)
        self.feeds = self.read_feeds(k)
        self.store_time(t)

    def begin(self) -> None:
        """The first step, in lanes that bring only x and v."""
        asm = self.asm
        self.set_time("begin", "0")
        self.rates()
        self.begin_anew(asm.is_greater(asm.constant(0.5), asm.load(self.is_begun, 0, self.align)))
        asm.store(asm.constant(1.0), self.is_begun, 0, self.align)

    def begin_anew(self, is_new: str) -> None:
        """Where the condition holds: p from x and v, and the past as if the acceleration had always been the same."""
        asm, n = self.asm, self.n
        self.call("flow", self.x, self.v, self.feeds, "%P0", "%F0", "%W0")
        for entry in range(n):
            self.store_where(is_new, asm.load("%P0", entry, self.align), self.p, entry)
            v, a = asm.load(self.v, entry, self.align), asm.load("%a", entry, self.align)
            for k in range(self.steps_remembered):
                for i in self.stages:
                    before = self.lengths[self.steps_remembered - k - self.method.nodes[i]]
                    earlier = asm.sub(v, asm.mul(before, a))
                    self.store_where(is_new, earlier, self.past, (k * len(self.stages) + i) * n + entry)

    def jump(self) -> None:
        """v and the rates where the step begins; in lanes whose guard is negative the jump, and a new beginning."""
        self.up_to_date("start", "coming", "watching")

        def after(is_due: str) -> None:
            self.rates()
            self.begin_anew(is_due)

        self.jump_where_due("watching", self.feeds, "%a", after)

    def up_to_date(self, word: str, otherwise: str, then: str) -> None:
        """v, which is there in the first step, and the rates."""
        self.asm.perform(f"%is_{word} = icmp eq i64 %k, 0")
        self.asm.branch(f"%is_{word}", then, otherwise)
        self.asm.label(otherwise)
        self.call("velocity", self.x, self.p, self.feeds, self.v)
        self.asm.go_on(then)
        self.rates()

    def substeps(self) -> None:
        """One step, in parts; A is that of the middle of the step, where the guess sees it."""
        perform = self.asm.perform
        self.guess()
        self.mean_state(self.half_step)
        self.call_inverse("%step.t", "%half.step", "%inverse")
        self.asm.go_on("part.begin")
        perform("%j = phi i64 [ 0, %recorded ], [ %j.next, %iterated ]")
        perform("%j.real = sitofp i64 %j to double")
        perform("%part.gone = fmul double %j.real, %part")
        perform("%part.t = fadd double %step.t, %part.gone")
        self.guess()
        self.iterate()
        self.move()
        perform("%j.next = add i64 %j, 1")
        perform("%is_part = icmp ult i64 %j.next, %parts")
        self.asm.branch("%is_part", "part.begin", "stepped")
        self.asm.label("stepped")

    def rates(self) -> None:
        """The rates of the state, which only records and jumps ask for."""
        self.call("rates", self.x, self.v, self.feeds, "%a", "%power.shown", *self.shown, *self.guards)
