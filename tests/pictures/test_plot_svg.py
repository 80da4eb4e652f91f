"""Plots as SVG files: everything that the figure shows is in them, on the page, and no extra is needed."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.pictures.plot_sheet import Pen, Plot, PlotSheet, joint_style, over_time
from leverarm.pictures.svg import plots_to_svg
from leverarm.simulation.trajectories import Event
from leverarm.simulation.trajectories.run_plots import PANELS, sheet_of
from tests.support.made_trajectories import swing

SVG = "{http://www.w3.org/2000/svg}"


def drawn(run, *names):
    root = ElementTree.fromstring(plots_to_svg(sheet_of(run, names, None)))
    return root, [text.text for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", ["elbow", "scara", "panda", "torso"])
def test_every_panel_is_drawn_with_its_words(name):
    run = swing(name, torque=0.5)
    root, texts = drawn(run, *PANELS)
    assert root.find(f"{SVG}title").text == texts[0] == f"{name}: moves 2 s, rk4, 1 ms"
    for wanted in ("joints", "velocities", "torques", "energy", "energy balance", "phase portrait", "time [s]"):
        assert wanted in texts
    for wanted in ("kinetic", "potential", "total", "torque work", "friction work", *run.arm.joint_names):
        assert texts.count(wanted) == 1
    assert "nan" not in ElementTree.tostring(root, encoding="unicode")


def test_curves_have_the_colours_and_strokes_of_the_figure():
    run = swing("torso")
    root, _ = drawn(run, "joints")
    style = root.find(f"{SVG}style").text
    for k in range(run.arm.dof):
        colour, stroke = joint_style(k)
        rules = re.findall(rf"{{stroke:{colour};([^}}]*)}}", style)
        assert any(("dasharray" in rule) is (stroke == "--") for rule in rules)


def test_a_curve_goes_through_its_values():
    t = np.linspace(0.0, 4.0, 5)
    plot = Plot("", "", "", (over_time(t, 3 * t, Pen("#123456")),), x_range=(0.0, 4.0), y_range=(0.0, 12.0))
    text = plots_to_svg(PlotSheet("", (((plot,),),), (1.0,), (5.0, 3.0)))
    name = re.search(r"\.(pen\d+){stroke:#123456", text)[1]
    start, steps = re.search(rf'class="{name}" d="M(\d+ \d+)l([^"]*)"', text).groups()
    corners = np.array([[int(x) for x in re.findall(r"-?\d+", steps)]]).reshape(-1, 2)
    assert start.split()[0] == "0" and np.ptp(corners, axis=0).max() <= 1, "equal steps up a straight line"
    assert int(start.split()[1]) + corners[:, 1].sum() == 0, "it ends in the upper corner"


def test_events_and_limits_are_lines():
    run = swing("elbow", events=(Event(0.5, "theta2", "slips"), Event(1.0, None, "payload")))
    run = replace(run, about={**run.about, "bound": 1e-6})
    _, texts = drawn(run, "joints", "balance")
    assert {"slips", "payload", "bound 1e-06"} <= set(texts)
    many = swing("elbow", events=tuple(Event(t, "theta1", "slips") for t in np.linspace(0, 2, 500)))
    root, texts = drawn(many, "joints")
    assert "500 events" in texts
    assert max(path.get("d").count("v") for path in root.iter(f"{SVG}path")) == 500


def test_words_stay_on_the_page_and_cannot_break_it():
    arm = la.load("elbow")
    first, second = arm.bodies
    bodies = (replace(first, joint=replace(first.joint, name="<b>&")), second)
    root, texts = drawn(swing(replace(arm, bodies=bodies, coordinates=())), "joints", "phase")
    assert "<b>&" in texts and not list(root.iter(f"{SVG}b"))
    width, height = float(root.get("width")), float(root.get("height"))
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height


def test_a_run_of_one_row_is_a_dot():
    root, _ = drawn(swing("elbow")[np.array([0])], *PANELS)
    assert any("dot" in path.get("class") for path in root.iter(f"{SVG}path"))


def test_an_svg_needs_no_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert swing("elbow").plot(path=tmp_path / "run.svg") is None
    assert (tmp_path / "run.svg").read_text().startswith("<svg")
