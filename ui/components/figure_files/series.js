// Dots with names, or lines with bands: points are told and picked, series shown alone.
const charts = new WeakMap();
const TOP = 24, BELOW = 42, RIGHT = 12;
const NEAR = 26;      // pixels from the pointer to a point that it means
const LINE = 14;      // the height of a name
const RADIUS = 5;
const FARS = [9, 14, 20, 28, 38, 50, 64, 80, 98, 118, 140, 165, 195, 230];
const TURNS = Array.from({ length: 16 }, (_, turn) => turn * Math.PI / 8);
const ALONG = { ArrowLeft: -1, ArrowRight: 1 };
const ACROSS = { ArrowUp: -1, ArrowDown: 1 };
const pen = document.createElement("canvas").getContext("2d");

export default function (component) {
  const { parentElement, data } = component;
  let chart = charts.get(parentElement);
  if (!chart) charts.set(parentElement, (chart = new Chart(parentElement)));
  // With the time, because the same one may be picked again after Back has chosen another.
  chart.send = (name, number) => component.setStateValue(name, [number, Date.now()]);
  chart.show(data);
}

class Chart {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.svg = this.find(".stage svg");
    this.at = -1;
    this.stage.addEventListener("pointermove", (event) => this.point(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.point(-1));
    this.stage.addEventListener("blur", () => this.point(-1));
    this.stage.addEventListener("click", (event) => this.choose(this.nearest(event)));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.find(".legend").addEventListener("click", (event) => this.pressed(event.target.closest("button")));
    this.find(".save").addEventListener("click", () => this.save());
    const watch = new ResizeObserver(() => (this.stage.isConnected ? this.draw() : watch.disconnect()));
    watch.observe(this.stage);
  }

  show(data) {
    // Most reruns of a page bring most of its figures unchanged.
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.alone = data.alone;
    this.points = data.series.flatMap((series, number) => series.points.map((point) => ({ ...point, series: number })));
    this.find(".chart").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.stage.setAttribute("aria-label", data.pickable
      ? say("Points: arrow keys go from one to the next, Enter picks one, Escape shows all")
      : say("Points: arrow keys go from one to the next, Enter shows its line alone, Escape shows all"));
    this.stage.classList.add("pickable");
    this.fillLegend();
    this.drawn = 0;
    this.draw();
    this.point(-1);
  }

  // The legend: a button for each series

  fillLegend() {
    const place = this.find(".legend");
    const { series } = this.data;
    const content = JSON.stringify(series.map(({ name, color, mark, dash }) => [name, color, mark, dash]));
    if (content !== this.legend) {  // else its buttons keep the focus
      this.legend = content;
      place.replaceChildren(...(series.length > 1 ? series.map((one, number) => this.entry(one, number)) : []));
    }
    for (const button of place.children) button.setAttribute("aria-pressed", String(Number(button.dataset.series) === this.alone));
  }

  entry(series, number) {
    const button = document.createElement("button");
    const sample = shape("svg", { height: 12, "aria-hidden": "true", fill: "currentColor" });
    sample.append(...(this.data.joined ? [stroke(series, { x1: 0, x2: 28, y1: 6, y2: 6 }, "line")] : []), sign(series, 14, 6, RADIUS));
    button.append(sample, series.name);
    Object.assign(button, { type: "button", title: say("Show {name} alone", { name: series.name }) }).dataset.series = number;
    return button;
  }

  pressed(button) {
    if (button) this.isolate(Number(button.dataset.series));
  }

  // Let one series stand out; the same one again shows all
  isolate(number) {
    this.alone = number === this.alone ? null : number;
    this.content = "";  // the page may still say another one
    this.fillLegend();
    this.drawn = 0;
    this.draw();
    if (!this.data.pickable) this.send("alone", this.alone ?? this.data.series.length);
  }

  // Drawing

  draw() {
    const width = this.stage.clientWidth;
    const { data } = this;
    if (!width || width === this.drawn) return;
    this.drawn = width;
    this.font = getComputedStyle(this.stage).fontFamily;
    this.layOut(width, data.height);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", data.height);
    const series = data.series.map((one, number) => ({ ...one, number }));
    series.sort((a, b) => (a.number === this.alone) - (b.number === this.alone) || a.strong - b.strong);
    this.svg.replaceChildren(
      ...this.rules(), ...this.along(), ...this.titles(width),
      ...series.flatMap((one) => (data.joined ? this.line(one) : this.whiskers(one))),
      ...series.flatMap((one) => this.marks(one)),
      ...this.ring(), ...(data.joined ? [] : this.names()),
    );
  }

  layOut(width, height) {
    const { span, range, log } = this.data;
    const bottom = height - BELOW;
    this.ticks = niceTicks(...range, (bottom - TOP) / 48);
    const left = 10 + Math.max(...this.ticks.map((tick) => this.wide(written(tick))));
    this.inner = { left, right: width - RIGHT, top: TOP, bottom };
    const scale = log ? Math.log : (value) => value;
    const [from, to] = span.map(scale);
    this.x = (at) => left + (width - RIGHT - left) * (scale(at) - from) / (to - from);
    this.y = (value) => bottom - (bottom - TOP) * (value - range[0]) / (range[1] - range[0]);
    for (const point of this.points) Object.assign(point, { x: this.x(point.at), y: this.y(point.value) });
  }

  rules() {
    const { left, right } = this.inner;
    const across = (value, more) => shape("line", { x1: left, x2: right, y1: this.y(value), y2: this.y(value), stroke: "currentColor", ...more });
    return [
      ...this.ticks.flatMap((tick) => [
        across(tick, { "stroke-opacity": 0.13 }),
        label(left - 6, this.y(tick) + 4, written(tick), { "text-anchor": "end", opacity: 0.85 }),
      ]),
      ...this.data.levels.map((value) => across(value, { class: "level", "stroke-opacity": 0.55, "stroke-dasharray": "6 5" })),
    ];
  }

  // Values below the axis; of names that would run into each other only the first
  along() {
    const { inner, data } = this;
    const ticks = data.ticks.length ? data.ticks : niceTicks(...data.span, (inner.right - inner.left) / 70).map((tick) => [tick, written(tick)]);
    let last = -Infinity;
    const pieces = ticks.flatMap(([at, text]) => {
      const [x, half] = [this.x(at), this.wide(text) / 2];
      const tick = shape("line", { x1: x, x2: x, y1: inner.bottom, y2: inner.bottom + 4, stroke: "currentColor", "stroke-opacity": 0.6 });
      if (x - half < last + 6) return [tick];
      last = x + half;
      return [tick, label(x, inner.bottom + 17, text, { "text-anchor": "middle", "font-weight": at === data.current?.[0] ? 700 : 400 })];
    });
    return [...pieces, ...this.current()];
  }

  // The marked place; its name stands in the line of the axis' own title, if there is room beside it
  current() {
    if (!this.data.current) return [];
    const [at, text] = this.data.current;
    const { right, top, bottom } = this.inner;
    const [x, half] = [this.x(at), this.wide(text) / 2];
    const [first, last] = [this.wide(this.data.y_title) * 1.1 + 16 + half, right + RIGHT - half];
    return [
      shape("line", { class: "current", x1: x, x2: x, y1: top - 6, y2: bottom, stroke: "currentColor", "stroke-opacity": 0.6, "stroke-dasharray": "2 4" }),
      ...(first <= last ? [label(Math.min(Math.max(x, first), last), 12, text, { "text-anchor": "middle" })] : []),
    ];
  }

  titles(width) {
    const { inner, data } = this;
    const half = this.wide(data.x_title) * 0.55;
    const middle = Math.min(Math.max((inner.left + inner.right) / 2, half), width - half);
    return [
      label(0, 12, data.y_title, { "font-weight": 600 }),
      label(middle, data.height - 6, data.x_title, { "text-anchor": "middle", "font-weight": 600 }),
    ];
  }

  far(number) {
    return this.alone !== null && this.alone !== number ? { class: "far" } : {};
  }

  line(series) {
    const far = this.far(series.number);
    const mine = this.points.filter((point) => point.series === series.number);
    const joined = mine.map(({ x, y }) => `${x},${y}`).join(" ");
    const edge = (end) => mine.map((point) => `${point.x},${this.y(point[end])}`);
    const band = shape("polygon", { points: [...edge("high"), ...edge("low").reverse()].join(" "), fill: series.color || "currentColor",
      "fill-opacity": this.alone === series.number || this.data.series.length < 4 ? 0.22 : 0.09, ...far });
    return [band, stroke(series, { points: joined, fill: "none", "stroke-linejoin": "round", ...far }, "polyline")];
  }

  whiskers(series) {
    return this.points.filter((point) => point.series === series.number && point.high > point.low).map((point) =>
      shape("line", { x1: point.x, x2: point.x, y1: this.y(point.low), y2: this.y(point.high), stroke: series.color || "currentColor",
        "stroke-width": 1.5, ...this.far(series.number) }));
  }

  marks(series) {
    const far = this.far(series.number).class;
    return this.points.map((point, number) => ({ point, number })).filter(({ point }) => point.series === series.number).map(({ point, number }) => {
      const one = sign(series, point.x, point.y, point.strong ? RADIUS + 3 : RADIUS);
      one.dataset.point = number;
      if (far) one.classList.add(far);
      return one;
    });
  }

  ring() {
    const point = this.points[this.data.picked];
    return point ? [shape("circle", { class: "ring", cx: point.x, cy: point.y, r: RADIUS + 7, fill: "none", stroke: "currentColor", "stroke-width": 2.5 })] : [];
  }

  // The names of dots: as near as possible without meeting another name or dot; where there is no room, none

  names() {
    const shown = this.points.filter((point) => point.label && (this.alone === null || point.series === this.alone));
    const crowd = (one) => this.points.filter((other) => Math.hypot(one.x - other.x, one.y - other.y) < 40).length;
    const order = shown.map((point) => ({ point, crowd: crowd(point) }));
    order.sort((a, b) => b.point.strong - a.point.strong || a.crowd - b.crowd);
    const [placed, ways] = [[], []];
    return order.flatMap(({ point }) => {
      const found = this.seat(point, placed, ways) ?? this.seat(point, placed, []);  // rather a crossed way than no name
      if (!found) return [];
      const { box, x, y, way } = found;
      placed.push(box);
      if (way) ways.push(way);
      const text = label(x, y, point.label, { class: "name", "font-weight": point.strong ? 700 : 400 });
      return way ? [shape("line", { ...way, stroke: "currentColor", "stroke-opacity": 0.55 }), text] : [text];
    });
  }

  seat(point, placed, ways) {
    const wide = this.wide(point.label) * (point.strong ? 1.08 : 1) + 2;
    const { left, right, top, bottom } = this.inner;
    const start = point.strong ? 4 : 0;
    for (const far of FARS) for (const turn of TURNS) {
      const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
      const [x, y] = [point.x + (far + start) * dx, point.y + (far + start) * dy];
      // The name begins, ends or has its middle where the way to it ends.
      const from = dx > 0.3 ? x : dx < -0.3 ? x - wide : x - wide / 2;
      const middle = y + (dy > 0.9 ? 4 : dy < -0.9 ? -4 : 0);
      const box = { x1: from - 1, x2: from + wide, y1: middle - LINE / 2, y2: middle + LINE / 2 };
      if (box.x1 < left || box.x2 > right + RIGHT || box.y1 < top - 6 || box.y2 > bottom) continue;
      if (placed.some((other) => meet(box, other))) continue;
      if (this.points.some((other) => meet(box, around(other, other.strong ? RADIUS + 3 : RADIUS + 1)))) continue;
      if (ways.some((way) => crosses(way, box))) continue;
      const way = far > 14 ? { x1: point.x + 6 * dx, y1: point.y + 6 * dy, x2: x - 2 * dx, y2: y - 2 * dy } : null;
      if (way && ways.length && placed.some((other) => crosses(way, other))) continue;
      return { box, x: from, y: middle + 4, way };
    }
    return null;
  }

  wide(text) {
    pen.font = `12px ${this.font}`;
    return pen.measureText(text).width;
  }

  // Pointing and picking

  // The point that the pointer means: one near it, or the next one of a line that is near it
  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, least] = [-1, NEAR];
    this.points.forEach((point, number) => {
      if (this.alone !== null && this.data.pickable && point.series !== this.alone) return;
      const next = this.points[number + 1];
      const away = Math.hypot(point.x - x, point.y - y);
      if (away < least) [best, least] = [number, away];
      if (!this.data.joined || next?.series !== point.series) return;
      const aside = beside(x, y, point, next) + 3;  // a point goes before a line
      if (aside < Math.min(least, 12)) [best, least] = [x - point.x < next.x - x ? number : number + 1, aside];
    });
    return best;
  }

  // Tell about a point
  point(number) {
    const [tip, point] = [this.find(".tip"), this.points[number]];
    this.at = point ? number : -1;
    tip.hidden = !point;
    if (!point) return;
    if (tip.textContent !== point.hover) tip.textContent = point.hover;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(point.x, half), Math.max(half, this.stage.clientWidth - half))}px`;
    tip.style.top = `${point.y - 14}px`;
  }

  choose(number) {
    const point = this.points[number];
    if (!point) return;
    if (!this.data.pickable) {
      if (this.data.series.length > 1) this.isolate(point.series);
      return;
    }
    this.data.picked = number;
    this.content = "";  // the page may still have another one picked
    this.drawn = 0;
    this.draw();
    this.send("picked", number);
  }

  key(event) {
    const [step, jump] = [ALONG[event.key], ACROSS[event.key]];
    if (step || jump) this.point(this.data.joined ? this.beyond(step, jump) : this.next(step ?? jump));
    else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) this.choose(this.at);
    else if (event.key === "Escape" && this.alone !== null) this.isolate(this.alone);
    else return;
    event.preventDefault();
  }

  // Of dots the next one to the left or to the right
  next(step) {
    const order = this.points.map((_, number) => number).filter((number) => this.alone === null || this.points[number].series === this.alone);
    order.sort((a, b) => this.points[a].at - this.points[b].at || a - b);
    const from = order.indexOf(this.at < 0 ? this.data.picked ?? -1 : this.at);
    return from < 0 ? order[0] : order[(from + step + order.length) % order.length];
  }

  // Of lines the next point of the same one, or the point of another at the same place
  beyond(step, jump) {
    const last = this.points.length - 1;
    if (this.at < 0) return Math.max(0, this.data.picked ?? this.points.findIndex((point) => this.alone === null || point.series === this.alone));
    const here = this.points[this.at];
    if (step) {
      const to = Math.min(Math.max(this.at + step, 0), last);
      return this.points[to].series === here.series ? to : this.at;
    }
    const others = this.points.map((point, number) => ({ point, number })).filter(({ point }) => point.series !== here.series);
    const column = others.filter(({ point }) => Math.abs(point.x - here.x) < 8 && (point.y - here.y) * jump > 0);
    column.sort((a, b) => Math.abs(a.point.y - here.y) - Math.abs(b.point.y - here.y));
    return column.length ? column[0].number : this.at;
  }

  save() {
    download(this.svg, this.data.name);
  }
}

function stroke({ color, dash, strong }, attributes, kind) {
  return shape(kind, { stroke: color || "currentColor", "stroke-width": strong ? 3.5 : 2, "stroke-dasharray": dash || "none", ...attributes });
}

// Disc, square, triangle or diamond
function sign({ color, mark }, x, y, r) {
  const look = { class: "mark", fill: color || "currentColor" };
  if (mark === 0) return shape("circle", { cx: x, cy: y, r, ...look });
  const corners = [
    [],
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [0.9 * a, 0.9 * b]),
    [[0, -1.25], [1.15, 0.85], [-1.15, 0.85]],
    [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
  ][mark % 4];
  return shape("polygon", { points: corners.map(([a, b]) => `${x + r * a},${y + r * b}`).join(" "), ...look });
}

function around({ x, y }, r) {
  return { x1: x - r, x2: x + r, y1: y - r, y2: y + r };
}

function meet(a, b) {
  return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
}

// Whether a straight way passes through a box, by a few of its places
function crosses({ x1, y1, x2, y2 }, box) {
  return Array.from({ length: 13 }, (_, step) => step / 12).some((share) => {
    const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    return x > box.x1 && x < box.x2 && y > box.y1 && y < box.y2;
  });
}

// How far a place is from the straight line between two points
function beside(x, y, one, other) {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const share = Math.min(1, Math.max(0, ((x - one.x) * dx + (y - one.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(one.x + share * dx - x, one.y + share * dy - y);
}

function written(tick) {
  return Number(tick.toPrecision(6)).toString().replace("-", "−");
}
