// A curve whose points have intervals: hover or arrow keys tell about a point.
const curves = new WeakMap();
const MARGIN = { left: 56, right: 14, top: 22, bottom: 44 };
const HEIGHTS = [220, 520];
const TICK_ROOM = 34;  // pixels between two values' names

export default function (component) {
  const { parentElement, data } = component;
  let curve = curves.get(parentElement);
  if (!curve) curves.set(parentElement, (curve = new Curve(parentElement)));
  curve.show(data);
}

class Curve {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.at = -1;
    this.stage.addEventListener("pointermove", (event) => this.point(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.point(-1));
    this.stage.addEventListener("blur", () => this.point(-1));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.find(".curve"));
    addEventListener("resize", () => this.draw());
  }

  show(data) {
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.find(".curve").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.drawn = "";
    this.draw();
  }

  draw() {
    const { data } = this;
    const width = this.stage.clientWidth;
    const height = Math.min(HEIGHTS[1], Math.max(HEIGHTS[0], data.around ? innerHeight - data.around : 360));
    if (!width || `${width} ${height}` === this.drawn) return;
    this.drawn = `${width} ${height}`;
    const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
    const scale = ([from, to], [low, high]) => (value) => low + (high - low) * (value - from) / (to - from);
    this.x = scale(data.span, [MARGIN.left, right]);
    this.y = scale(data.range, [bottom, MARGIN.top]);
    const svg = this.find("svg");
    svg.setAttribute("height", height);
    svg.replaceChildren(
      ...niceTicks(...data.range, (bottom - MARGIN.top) / 55).flatMap((tick) => this.rule(tick, right)),
      ...this.values(bottom),
      label((MARGIN.left + right) / 2, height - 6, data.x_title, { "text-anchor": "middle", "font-weight": 600 }),
      label(4, 12, data.y_title, { "font-weight": 600 }),
      shape("polyline", { class: "line", "stroke-width": 2.5, points: data.points.map(([at, value]) => `${this.x(at)},${this.y(value)}`).join(" ") }),
      ...data.points.flatMap((one) => this.measured(one)),
    );
    this.point(this.at);
  }

  rule(tick, right) {
    const y = this.y(tick);
    return [
      shape("line", { x1: MARGIN.left, x2: right, y1: y, y2: y, stroke: "currentColor", "stroke-opacity": 0.14 }),
      label(MARGIN.left - 7, y + 4, Number(tick.toPrecision(6)).toString(), { "text-anchor": "end" }),
    ];
  }

  // The parameter's values; of names that would run into each other only the first
  values(bottom) {
    let last = -Infinity;
    return this.data.ticks.flatMap(([at, text]) => {
      const x = this.x(at);
      const pieces = [shape("line", { x1: x, x2: x, y1: bottom, y2: bottom + 5, stroke: "currentColor" })];
      if (at === this.data.current)
        pieces.push(shape("line", { x1: x, x2: x, y1: MARGIN.top, y2: bottom, stroke: "currentColor", "stroke-opacity": 0.5, "stroke-dasharray": "2 4" }));
      if (x - last < TICK_ROOM) return pieces;
      last = x;
      return [...pieces, label(x, bottom + 20, text, { "text-anchor": "middle", "font-weight": at === this.data.current ? 700 : 400 })];
    });
  }

  measured([at, value, low, high, , strong, alike]) {
    const [x, top, bottom] = [this.x(at), this.y(high), this.y(low)];
    const cap = (y) => shape("line", { class: "whisker", x1: x - 7, x2: x + 7, y1: y, y2: y, "stroke-width": 2 });
    const whisker = high > low ? [shape("line", { class: "whisker", x1: x, x2: x, y1: top, y2: bottom, "stroke-width": 2 }), cap(top), cap(bottom)] : [];
    const name = strong ? "★" : alike ? "≈" : "";
    return [
      ...whisker, shape("circle", { class: "dot", cx: x, cy: this.y(value), r: strong ? 8 : 6 }),
      ...(name ? [label(x, top - 6, name, { "text-anchor": "middle", "font-weight": 700, "font-size": 15 })] : []),
    ];
  }

  nearest(event) {
    const x = event.clientX - this.stage.getBoundingClientRect().left;
    const away = this.data.points.map(([at]) => Math.abs(this.x(at) - x));
    const least = Math.min(...away);
    return least < 40 ? away.indexOf(least) : -1;
  }

  point(number) {
    const one = this.data.points[number];
    const tip = this.find(".tip");
    this.at = one ? number : -1;
    tip.hidden = !one;
    [...this.find("svg").querySelectorAll(".dot")].forEach((dot, place) => dot.classList.toggle("here", place === this.at));
    const told = one ?? this.data.points.find(([, , , , , strong]) => strong);
    const text = told ? told[4].split("\n").join(": ") : "";
    if (this.find(".said").textContent !== text) this.find(".said").textContent = text;
    if (!one) return;
    tip.textContent = one[4];
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(this.x(one[0]), half), this.stage.clientWidth - half)}px`;
    tip.style.top = `${this.y(one[3]) - 12}px`;
  }

  key(event) {
    const last = this.data.points.length - 1;
    const to = { ArrowLeft: Math.max(0, this.at - 1), ArrowRight: Math.min(last, this.at + 1), Home: 0, End: last }[event.key];
    if (to === undefined) return;
    this.point(to);
    event.preventDefault();
  }
}
