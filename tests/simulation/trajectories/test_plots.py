"""Plots of runs: what is in them, with which units, and that no peak gets lost."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError, MissingExtraError
from leverarm.pictures.panels import rows_to_draw
from leverarm.pictures.plot_sheet import joint_style
from leverarm.simulation.trajectories import Event
from leverarm.simulation.trajectories.run_plots import duration, heading, plot
from tests.support.made_trajectories import swing

pytest.importorskip("matplotlib")


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_a_falling_arm_is_told_in_four_panels():
    run = swing("elbow")
    figure = plot(run)
    assert titles(figure) == ["joints", "velocities", "energy", "energy balance"]
    joints, velocities, energy, _ = figure.axes
    assert (joints.get_xlabel(), joints.get_ylabel()) == ("time [s]", "angle [rad]")
    assert velocities.get_ylabel() == "velocity [rad/s]"
    for k in range(2):
        assert np.array_equal(joints.lines[k].get_ydata(), run.q[:, k])
        assert np.array_equal(velocities.lines[k].get_ydata(), run.qd[:, k])
        assert np.array_equal(joints.lines[k].get_xdata(), run.t)
    assert [line.get_label() for line in energy.lines] == ["kinetic", "potential", "total"]
    assert np.allclose(energy.lines[2].get_ydata(), run.records.kinetic + run.records.potential)
    assert energy.get_ylabel() == "energy [J]"
    assert figure.get_suptitle() == "elbow: falls 2 s, rk4, 1 ms"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["theta1", "theta2"]


def test_a_driven_arm_shows_its_torques_and_their_work():
    figure = plot(swing("elbow", torque=0.5))
    assert titles(figure) == ["joints", "torques", "energy", "energy balance"]
    assert figure.axes[1].get_ylabel() == "torque [N m]"
    labels = [line.get_label() for line in figure.axes[2].lines]
    assert labels == ["kinetic", "potential", "total", "torque work", "friction work"]
    assert figure.get_suptitle().startswith("elbow: moves 2 s")


def test_angles_and_lengths_have_axes_of_their_own():
    run = swing("scara", torque=1.0)
    figure = plot(run, ["joints", "torques", "phase"])
    labels = [(axes.get_ylabel(), len(axes.lines)) for axes in figure.axes[:4]]
    assert labels == [("angle [rad]", 3), ("displacement [m]", 1), ("torque [N m]", 3), ("force [N]", 1)]
    assert np.array_equal(figure.axes[1].lines[0].get_ydata(), run.q[:, 2])
    assert figure.axes[1].lines[0].get_color() == joint_style(2)[0]
    assert [axes.get_xlabel() for axes in figure.axes[4:]] == ["angle [rad]", "displacement [m]"]
    assert [axes.get_ylabel() for axes in figure.axes[4:]] == ["velocity [rad/s]", "velocity [m/s]"]
    slide = figure.axes[5].lines[0]
    assert np.array_equal(slide.get_xdata(), run.q[:, 2]) and np.array_equal(slide.get_ydata(), run.qd[:, 2])


def test_the_balance_is_logarithmic_and_has_its_bound():
    run = swing("elbow", torque=0.5)
    run = replace(run, about={**run.about, "bound": 1e-6})
    (axes,) = plot(run, "balance").axes
    ledger = run.energy
    shown = axes.lines[0].get_ydata()
    assert axes.get_yscale() == "log"
    assert np.allclose(shown[1:], np.abs(ledger.balance[1:]) / ledger.scale)
    assert 0 < shown[0] <= 1e-16, "an exact balance stands at the lower edge"
    assert list(axes.lines[1].get_ydata()) == [1e-6, 1e-6]
    low, high = axes.get_ylim()
    assert low < 1e-15 and high > ledger.relative
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        f"largest {ledger.relative:.2g}",
        "bound 1e-06",
    ]


def test_a_run_that_rests_can_be_plotted():
    rest = swing("elbow")[np.array([0])]
    figure = plot(rest)
    assert titles(figure)[3] == "energy balance"
    assert figure.axes[0].lines[0].get_marker() == "o"
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_every_joint_of_a_large_arm_can_be_told_apart():
    run = swing("torso")
    figure = plot(run)
    looks = {(line.get_color(), line.get_linestyle()) for axes in figure.axes[:2] for line in axes.lines}
    assert len(looks) == run.arm.dof == 10
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(run.arm.joint_names)


def test_names_are_shown_letter_by_letter():
    arm = la.load("elbow")
    first, second = arm.bodies
    bodies = (
        replace(first, joint=replace(first.joint, name="_hidden")),
        replace(second, joint=replace(second.joint, name="$x^2$")),
    )
    figure = plot(swing(replace(arm, bodies=bodies, coordinates=())))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [" _hidden", r"\$x^2\$"]
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_events_are_lines_in_the_colour_of_their_joint():
    events = (Event(0.5, "theta2", "slips"), Event(1.0, None, "payload"), Event(1.5, "theta2", "slips"))
    run = swing("elbow", events=events)
    figure = plot(run, ["joints", "balance"])
    for axes, curves in zip(figure.axes, (2, 1), strict=True):
        marks = axes.lines[curves:]
        assert [line.get_xdata()[0] for line in marks] == [0.5, 1.0, 1.5]
        assert marks[0].get_color() == marks[2].get_color() == joint_style(1)[0] != marks[1].get_color()
        assert marks[0].get_linestyle() == marks[2].get_linestyle() != marks[1].get_linestyle()
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["theta1", "theta2", "slips", "payload"]
    many = tuple(Event(t, "theta1", "slips") for t in np.linspace(0, 2, 500))
    (axes,) = plot(swing("elbow", events=many), "joints").axes
    assert len(axes.lines) == 2 and len(axes.collections[0].get_segments()) == 500


@pytest.mark.parametrize("count", [1, 2, 5, 2999, 3001, 4500, 100_003])
def test_thinning_keeps_the_ends_and_every_peak(count):
    rng = np.random.default_rng(count)
    x, y = rng.normal(size=(2, count))
    rows = rows_to_draw(x, y)
    assert rows[0] == 0 and rows[-1] == count - 1 and (np.diff(rows) > 0).all()
    for signal in (x, y):
        assert signal[rows].max() == signal.max() and signal[rows].min() == signal.min()
    assert len(rows) <= max(4 * 1500 + 6, 6000)
    one = rows_to_draw(x)
    assert len(one) <= 2 * 1500 + 4
    width = -(-count // 1500)
    if width > 2:  # the envelope of every bucket, not only of the whole
        for start in range(0, count - count % width, width):
            block = slice(start, start + width)
            kept = one[(one >= start) & (one < start + width)]
            assert x[block].max() == x[kept].max() and x[block].min() == x[kept].min()


def test_a_spike_in_a_million_rows_is_drawn():
    run = swing("elbow", rows=1_000_001)
    q = run.q.copy()
    q[765_432, 1] = 9.0
    spiked = replace(run, records=replace(run.records, q=q))
    (axes,) = plot(spiked, "joints").axes
    assert max(axes.lines[1].get_ydata()) == 9.0
    assert all(len(line.get_xdata()) < 4000 for line in axes.lines)


def test_headings_say_what_was_run():
    run = swing("panda", until=5.0)
    assert heading(replace(run, about={"method": "implicit_midpoint", "step": 1e-3})) == (
        "panda: falls 5 s, implicit midpoint, 1 ms"
    )
    assert heading(replace(run, about={"method": "dopri5", "rtol": 1e-10})) == "panda: falls 5 s, dopri5, rtol 1e-10"
    assert heading(replace(run, about={})) == "panda: falls 5 s"
    assert [duration(x) for x in (0.0, 0.25, 1e-3, 1e-4, 2.5e-5, 100.0)] == [
        "0 s", "0.25 s", "1 ms", "0.1 ms", "25 µs", "100 s",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ending", "magic"), [(".png", b"\x89PNG"), (".svg", b"<svg"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_plots_are_written_by_their_ending(tmp_path, ending, magic):
    path = tmp_path / f"run{ending}"
    swing("elbow").plot("phase", path)
    assert path.read_bytes().startswith(magic)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_plots_that_cannot_be_made(tmp_path):
    run = swing("elbow")
    with pytest.raises(InputError, match="there is no panel named 'torque'; did you mean 'torques'"):
        plot(run, "torque")
    with pytest.raises(InputError, match="no panel was given"):
        plot(run, [])
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        plot(run, path=tmp_path / "run.gif")
    with pytest.raises((InputError, FormatError), match="folder"):
        plot(run, path=tmp_path / "nowhere" / "run.png")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_a_plot_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name == "leverarm.pictures.figures"]:
        monkeypatch.delitem(sys.modules, name)
    for module in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'leverarm\[plot\]'"):
        plot(swing("elbow"))


@pytest.mark.slow
def test_matplotlib_is_loaded_when_asked_for_and_pyplot_never():
    code = (
        "import sys, numpy as np, leverarm as la\n"
        "from leverarm.simulation.trajectories import Records, Trajectory\n"
        "from leverarm.simulation.trajectories.run_plots import plot\n"
        "assert 'matplotlib' not in sys.modules\n"
        "o, z = np.zeros(2), np.zeros((2, 2))\n"
        "records = Records(np.arange(2.0), z, z, z, z, o, o, {}, z.astype(bool))\n"
        "plot(Trajectory(la.load('elbow'), records, {}))._repr_png_()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
