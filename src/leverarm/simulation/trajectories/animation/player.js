"use strict";
// Plays a run. All data are in the page; shapes follow leverarm's own pictures: tubes, cylinders, boxes, frames.

const run = JSON.parse(document.getElementById("run").textContent);
const paint = run.palette;
const byId = (id) => document.getElementById(id);
const view = byId("view"), strip = byId("strip"), slider = byId("slider"), button = byId("play");
const start = run.t[0], last = run.t.length - 1, end = run.t[last], span = Math.max(end - start, 1e-9);

// Vectors are arrays of three numbers.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => times(a, 1 / Math.hypot(...a));

// ---- where everything is -------------------------------------------------------------------------------------------

function poseAt(home, row, part) {
  // Between two frames positions go straight and rotations the shorter way.
  const width = 7 * run.homes, i = row * width + 7 * home, j = Math.min(row + 1, last) * width + 7 * home, p = run.poses;
  const at = [0, 1, 2].map((k) => p[i + k] + part * (p[j + k] - p[i + k]));
  let agree = 0;
  for (let k = 3; k < 7; k++) agree += p[i + k] * p[j + k];
  const side = agree < 0 ? -1 : 1, r = [3, 4, 5, 6].map((k) => (1 - part) * p[i + k] + part * side * p[j + k]);
  const n = Math.hypot(...r), [w, x, y, z] = r.map((v) => v / n);
  return { at, axes: [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ] };
}

const turned = (pose, v) => add(add(times(pose.axes[0], v[0]), times(pose.axes[1], v[1])), times(pose.axes[2], v[2]));

function sceneAt(time) {
  const exact = Math.min(Math.max((time - start) / span, 0), 1) * last, row = Math.floor(exact), part = exact - row;
  const poses = Array.from({ length: run.homes }, (_, home) => poseAt(home, row, part));
  const ride = (a) => add(poses[a[0]].at, turned(poses[a[0]], a.slice(1)));
  const points = run.points.map((p) => p.length === 4 ? ride(p) : times(add(ride(p.slice(0, 4)), ride(p.slice(4))), 0.5));
  return { exact, row, part, poses, points };
}

// ---- the camera ----------------------------------------------------------------------------------------------------

const lateral = Math.abs(run.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
const east = unit(sub(lateral, times(run.up, dot(lateral, run.up)))), north = cross(run.up, east);
let azimuth = Math.atan2(dot(run.camera.toward, north), dot(run.camera.toward, east));
let elevation = Math.asin(Math.min(Math.max(dot(run.camera.toward, run.up), -1), 1));
let zoom = 1;

function camera() {
  let c = run.camera;
  if (!run.planar) {
    const level = add(times(east, Math.cos(azimuth)), times(north, Math.sin(azimuth)));
    const toward = add(times(level, Math.cos(elevation)), times(run.up, Math.sin(elevation)));
    const right = unit(cross(run.up, toward));
    c = { right, up: cross(toward, right), toward };
  }
  const scale = zoom * Math.min(view.clientWidth / run.width, view.clientHeight / run.height);
  const x0 = dot(run.centre, c.right), y0 = dot(run.centre, c.up);
  return { ...c, scale, page: (p) => [
    view.clientWidth / 2 + scale * (dot(p, c.right) - x0), view.clientHeight / 2 - scale * (dot(p, c.up) - y0),
  ], depth: (p) => dot(p, c.toward) };
}

// ---- shapes --------------------------------------------------------------------------------------------------------

const ink = view.getContext("2d"), LINE = 1.2;

function trace(points, stroke, width, fill, opacity = 1) {
  if (points.length < 2) return;
  ink.beginPath();
  points.forEach(([x, y], k) => k ? ink.lineTo(x, y) : ink.moveTo(x, y));
  ink.globalAlpha = opacity;
  if (fill) { ink.closePath(); ink.fillStyle = fill; ink.fill(); }
  if (stroke) { ink.strokeStyle = stroke; ink.lineWidth = width; ink.stroke(); }
  ink.globalAlpha = 1;
}

function disc([x, y], radius, fill, stroke, from = 0, to = 2 * Math.PI) {
  ink.beginPath();
  if (to - from < 6) ink.moveTo(x, y);
  ink.arc(x, y, Math.max(radius, 0), from, to);
  ink.fillStyle = fill; ink.fill();
  if (stroke) { ink.strokeStyle = stroke; ink.lineWidth = LINE; ink.stroke(); }
}

function words(text, [x, y], colour, size, align = "center", weight = "") {
  ink.font = `${weight} ${size}px Inter, "Segoe UI", "Helvetica Neue", Arial, sans-serif`;
  ink.textAlign = align; ink.textBaseline = "middle";
  ink.strokeStyle = "#fff"; ink.lineWidth = 0.3 * size; ink.strokeText(text, x, y);
  ink.fillStyle = colour; ink.fillText(text, x, y);
}

function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list) => {
    const kept = [];
    for (const p of list) {
      while (kept.length > 1) {
        const a = kept[kept.length - 2], b = kept[kept.length - 1];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        kept.pop();
      }
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

function across(axis, toward) {
  const near = toward ? sub(toward, times(axis, dot(toward, axis))) : [0, 0, 0];
  let u;
  if (Math.hypot(...near) > 1e-6) u = unit(near);
  else {
    const least = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].reduce((a, b) => Math.abs(dot(b, axis)) < Math.abs(dot(a, axis)) ? b : a);
    u = unit(cross(axis, least));
  }
  return [u, cross(axis, u)];
}

function tube(link, points, eye) {
  const page = link.points.map((k) => eye.page(points[k]));
  const width = 0.95 * run.mark * eye.scale * (link.rod ? 0.55 : 1);
  trace(page, paint.linkEdge, width);
  trace(page, link.colour, width - 2 * LINE);
  trace(page.map(([x, y]) => [x - 0.16 * width, y - 0.16 * width]), paint.shine, 0.16 * width, null, 0.55);
}

function marker(joint, at, axis, eye) {
  const [edge, side, cap] = paint.joints[joint.kind], m = run.mark;
  if (joint.solid === "box" || joint.solid === "cube") {
    const half = joint.solid === "cube" ? [0.45 * m, 0.45 * m, 0.45 * m] : [0.8 * m, 0.8 * m, 1.3 * m];
    const axes = [...across(axis, null), axis].map((d, k) => times(d, half[k]));
    for (let i = 0; i < 3; i++) {
      const facing = eye.depth(axes[i]), a = axes[(i + 1) % 3], b = axes[(i + 2) % 3];
      if (Math.abs(facing) < 1e-6 * half[i]) continue;
      const out = facing > 0 ? axes[i] : times(axes[i], -1);
      const corners = [add(add(out, a), b), sub(add(out, a), b), sub(sub(out, a), b), add(sub(out, a), b)];
      const bright = i === 2 || Math.abs(facing) > 0.6 * half[i];
      trace(corners.map((c) => eye.page(add(at, c))), edge, LINE, bright ? cap : side);
    }
    return;
  }
  const near = eye.depth(axis) >= 0 ? axis : times(axis, -1), [u, v] = across(near, eye.toward);
  const on = (along, turn) => eye.page(add(add(at, times(near, along)),
    add(times(u, 0.92 * m * Math.cos(turn)), times(v, 0.92 * m * Math.sin(turn)))));
  const turns = Array.from({ length: 28 }, (_, k) => 2 * Math.PI * k / 28);
  const front = turns.map((turn) => on(0.95 * m, turn)), back = turns.map((turn) => on(-0.95 * m, turn));
  trace(hull([...front, ...back]), edge, LINE, side);
  if (joint.solid === "screw") {
    for (const along of [-0.6, -0.2, 0.2, 0.6]) {
      const thread = Array.from({ length: 13 }, (_, k) => Math.PI * (k / 12 - 0.5));
      trace(thread.map((turn) => on(0.95 * m * (along + 0.15 * Math.sin(turn)), turn)), edge, LINE);
    }
  }
  trace(front, edge, LINE, cap);
  if (eye.depth(near) > 0.9) disc(eye.page(at), 0.26 * m * eye.scale, edge);
}

function arrow(from, to, colour, width) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const u = [(to[0] - from[0]) / length, (to[1] - from[1]) / length], head = Math.min(9, 0.45 * length);
  const neck = [to[0] - head * u[0], to[1] - head * u[1]];
  trace([from, neck], colour, width);
  const barb = (s) => [neck[0] - s * 0.42 * head * u[1], neck[1] + s * 0.42 * head * u[0]];
  trace([to, barb(1), barb(-1)], colour, 0.6, colour);
  return u;
}

function triad(pose, eye) {
  const from = eye.page(pose.at);
  const arrows = pose.axes.map((axis, k) => ({ axis, k })).sort((a, b) => eye.depth(a.axis) - eye.depth(b.axis));
  for (const { axis, k } of arrows) {
    const to = eye.page(add(pose.at, times(axis, 2.8 * run.mark))), length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length <= 0.25 * 2.8 * run.mark * eye.scale) continue;
    const u = arrow(from, to, paint.axes[k], 2.6);
    words("xyz"[k], [to[0] + 9 * u[0], to[1] + 9 * u[1]], paint.axes[k], 13, "center", "bold");
  }
}

function gravity(eye) {
  const strength = Math.hypot(...run.gravity);
  if (!strength) return;
  const right = dot(run.gravity, eye.right) / strength, up = dot(run.gravity, eye.up) / strength;
  const x = view.clientWidth - 34, y = 34;
  if (Math.hypot(right, up) > 0.3) arrow([x - 18 * right, y + 18 * up], [x + 18 * right, y - 18 * up], paint.gravity, 3);
  else disc([x, y], 6, eye.depth(run.gravity) > 0 ? paint.gravity : "#fff", paint.gravity);
  words("g", [x + 14, y], paint.soft, 14);
}

function ground(scene, eye) {
  if (run.planar) {
    const m = run.mark, at = (a, b) => eye.page(add(run.base, add(times(eye.right, a * m), times(eye.up, b * m))));
    trace([at(0, 0), at(-1.5, -2.6), at(1.5, -2.6), at(0, 0)], paint.groundEdge, LINE, paint.ground);
    for (const k of [-1.8, -0.9, 0, 0.9, 1.8, 2.7]) trace([at(k, -2.6), at(k - 0.8, -3.5)], paint.groundEdge, LINE);
    trace([at(-2.8, -2.6), at(2.8, -2.6)], paint.soft, 1.6 * LINE);
    return;
  }
  const f = run.floor, [left, right] = f.columns, [near, far] = f.rows;
  const at = (c, r) => add(f.centre, add(times(f.along, c), times(f.across, r)));
  trace([at(left, near), at(right, near), at(right, far), at(left, far)].map(eye.page), paint.groundEdge, LINE, paint.ground);
  for (let k = left + 1; k < right; k++) trace([at(k, near), at(k, far)].map(eye.page), paint.groundLine, LINE);
  for (let k = near + 1; k < far; k++) trace([at(left, k), at(right, k)].map(eye.page), paint.groundLine, LINE);
  const height = (p) => dot(sub(p, f.centre), run.up), width = 0.95 * run.mark * eye.scale;
  if (scene.points.every((p) => height(p) > -1e-6)) {
    for (const link of run.links) {
      trace(link.points.map((k) => eye.page(sub(scene.points[k], times(run.up, height(scene.points[k]))))), paint.shadow, 0.8 * width);
    }
  }
  if (height(run.base) > 1e-6) {
    const post = [f.centre, run.base].map(eye.page);
    trace(post, paint.groundEdge, 1.2 * width);
    trace(post, paint.ground, 1.2 * width - 2 * LINE);
  }
}

function trails(scene, eye) {
  const now = Math.round(scene.exact * run.between), recent = Math.max(0, now - Math.round(run.rate * run.between));
  for (const trail of run.trails) {
    const page = [];
    for (let k = 0; k <= now; k++) page.push(eye.page([trail[3 * k], trail[3 * k + 1], trail[3 * k + 2]]));
    trace(page.slice(0, recent + 1), paint.fadedTrail, 1.3);
    trace(page.slice(recent), paint.trail, 1.9);
  }
}

function drawScene(scene) {
  const eye = camera();
  ink.clearRect(0, 0, view.clientWidth, view.clientHeight);
  ink.lineCap = ink.lineJoin = "round";
  ground(scene, eye);
  trails(scene, eye);
  const solids = run.links.map((link) => [
    link.points.reduce((sum, k) => sum + eye.depth(scene.points[k]), 0) / link.points.length, () => tube(link, scene.points, eye),
  ]);
  for (const joint of run.joints) {
    const at = scene.points[joint.point], axis = turned(scene.poses[joint.home], joint.axis);
    solids.push([eye.depth(at) + 4 * run.mark, () => marker(joint, at, axis, eye)]);
  }
  solids.sort((a, b) => a[0] - b[0]).forEach(([, draw]) => draw());
  for (const mass of run.masses) {
    const at = eye.page(scene.points[mass.point]), r = mass.radius * eye.scale;
    if (mass.lever) trace([eye.page(scene.points[mass.origin]), at], paint.linkEdge, 1.9, null, 0.5);
    disc(at, r, "#fff", paint.ink);
    disc(at, r, paint.ink, null, 0, Math.PI / 2);
    disc(at, r, paint.ink, null, Math.PI, 1.5 * Math.PI);
  }
  run.triads.forEach((home) => triad(scene.poses[home], eye));
  gravity(eye);
  if (byId("names").checked) {
    for (const joint of run.joints) {
      const [x, y] = eye.page(scene.points[joint.point]);
      words(joint.name, [x + 1.4 * run.mark * eye.scale + 6, y], paint.ink, 13, "left");
    }
  }
}

// ---- the energies over time ----------------------------------------------------------------------------------------

const STRIP_PAD = 46;
const total = run.kinetic.map((k, i) => k + run.potential[i]);
const curves = [[run.kinetic, paint.kinetic], [run.potential, paint.potential], [total, paint.ink]];
const every = curves.flatMap(([values]) => values);
const low = every.reduce((a, b) => Math.min(a, b)), high = every.reduce((a, b) => Math.max(a, b));

function drawStrip(time) {
  const pen = strip.getContext("2d"), w = strip.clientWidth, h = strip.clientHeight, pad = STRIP_PAD;
  const x = (t) => pad + (w - 2 * pad) * (t - start) / span, y = (e) => h - 6 - (h - 12) * (e - low) / (high - low || 1);
  pen.clearRect(0, 0, w, h);
  for (const [values, colour] of curves) {
    pen.beginPath();
    values.forEach((e, k) => k ? pen.lineTo(x(run.t[k]), y(e)) : pen.moveTo(x(run.t[k]), y(e)));
    pen.strokeStyle = colour; pen.lineWidth = 1.5; pen.stroke();
  }
  pen.font = "10px sans-serif"; pen.textAlign = "right"; pen.fillStyle = paint.soft;
  pen.fillText(`${high.toPrecision(3)} J`, w - 4, 10);
  pen.fillText(`${low.toPrecision(3)} J`, w - 4, h - 2);
  pen.fillStyle = paint.trail;
  pen.fillRect(x(time) - 0.75, 0, 1.5, h);
}

// ---- playing -------------------------------------------------------------------------------------------------------

let now = start, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches && last > 0, before = null, pause = 0;

function show() {
  const scene = sceneAt(now), at = (values) => values[scene.row] + scene.part * (values[Math.min(scene.row + 1, last)] - values[scene.row]);
  drawScene(scene);
  drawStrip(now);
  slider.value = String(Math.round(1000 * (now - start) / span));
  byId("time").textContent = `t = ${now.toFixed(2)} s`;
  for (const [id, values] of [["kinetic", run.kinetic], ["potential", run.potential], ["total", total]]) {
    byId(id).textContent = `${at(values).toFixed(run.digits)} J`;
  }
  button.textContent = playing ? "Pause" : "Play";
}

function tick(stamp) {
  if (playing && before !== null) {
    const passed = Math.min((stamp - before) / 1000, 0.1);
    if (now < end) now = Math.min(now + passed * Number(byId("speed").value), end);
    else if ((pause += passed) > 1) { now = start; pause = 0; }
    show();
  }
  before = stamp;
  requestAnimationFrame(tick);
}

function seek(time) { now = Math.min(Math.max(time, start), end); pause = 0; show(); }
function toggle() { if (!playing && now >= end) now = start; playing = !playing; show(); }

function resize() {
  for (const canvas of [view, strip]) {
    const ratio = window.devicePixelRatio || 1;
    if (canvas === view) canvas.style.height = `${canvas.clientWidth * run.aspect}px`;
    canvas.width = canvas.clientWidth * ratio; canvas.height = canvas.clientHeight * ratio;
    canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  show();
}

button.addEventListener("click", toggle);
slider.addEventListener("input", () => { playing = false; seek(start + span * Number(slider.value) / 1000); });
byId("names").addEventListener("change", show);
strip.addEventListener("pointerdown", (e) => seek(start + span * (e.offsetX - STRIP_PAD) / (strip.clientWidth - 2 * STRIP_PAD)));
document.addEventListener("keydown", (e) => {
  if (e.target.tagName === "SELECT" || e.target === slider) return;
  if (e.key === " ") { e.preventDefault(); if (e.target !== button || !e.repeat) toggle(); }
  if (e.key === "ArrowRight" || e.key === "ArrowLeft") { playing = false; seek(now + (e.key === "ArrowRight" ? 1 : -1) * span / Math.max(last, 1)); }
});
button.addEventListener("keyup", (e) => { if (e.key === " ") e.preventDefault(); });
if (!run.planar) {
  view.classList.add("turns");
  view.addEventListener("pointerdown", (e) => { view.setPointerCapture(e.pointerId); view.classList.add("turning"); });
  view.addEventListener("pointerup", () => view.classList.remove("turning"));
  view.addEventListener("pointermove", (e) => {
    if (!view.classList.contains("turning")) return;
    azimuth -= 0.008 * e.movementX;
    elevation = Math.min(Math.max(elevation + 0.008 * e.movementY, 0), 1.5);
    show();
  });
}
view.addEventListener("wheel", (e) => { e.preventDefault(); zoom = Math.min(Math.max(zoom * Math.exp(-0.001 * e.deltaY), 0.4), 6); show(); }, { passive: false });
view.addEventListener("dblclick", () => { zoom = 1; show(); });
window.addEventListener("resize", resize);
resize();
requestAnimationFrame(tick);
