"""The C library's sine and cosine for angles too large for the fast ones: rare, so out of the way and one by one."""

from __future__ import annotations

from leverarm.compiler.elementary import FAR
from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import Machine


def far_angles_ir(name: str, real: str, machine: Machine) -> str:
    """`void name(ptr angles, ptr sines, ptr cosines, i64 count)`: replaces entries whose angle lies beyond `FAR`."""
    lines: list[str] = []
    asm = IrAssembler(real, 1, machine, lines)
    wide = asm.wide
    angle = asm.define(f"load {real}, ptr {_entry(asm, '%angles')}")
    x = angle if wide is asm else asm.widen(angle)
    is_far = wide.is_greater(wide.magnitude(x), wide.constant(FAR))
    asm.perform(f"br i1 {is_far}, label %far, label %done")
    asm.label("far")
    for function, pointer in (("sin", "%sines"), ("cos", "%cosines")):
        value = asm.define(f"call double @{function}(double {x})")
        asm.perform(f"store {real} {value if wide is asm else asm.narrow(value)}, ptr {_entry(asm, pointer)}")
    body = "\n".join(lines)
    return f"""
declare double @sin(double)
declare double @cos(double)
define internal void {name}(ptr %angles, ptr %sines, ptr %cosines, i64 %count) cold noinline nounwind {{
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %after, %done ]
{body}
  br label %done
done:
  %after = add i64 %k, 1
  %is_more = icmp ult i64 %after, %count
  br i1 %is_more, label %next, label %end
end:
  ret void
}}
"""


def _entry(asm: IrAssembler, pointer: str) -> str:
    return asm.define(f"getelementptr {asm.real}, ptr {pointer}, i64 %k")
