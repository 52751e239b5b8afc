// Squares over two parameters: hover or arrow keys tell about one, a click or Enter picks it.
const maps = new WeakMap();
const MARGIN = { left: 30, right: 3, top: 20, bottom: 36 };
const MINI = { left: 1, right: 1, top: 1, bottom: 1 };
const LARGEST = 92;   // pixels along a square
const READABLE = 44;  // a square's least size on a page that has the room; then numbers and marks fit into it
const SMALL = 18;     // the same in a small map
const TEXT = [12, 20];
const TAG = 14;       // height of a name in a square, in pixels
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const ENDS = { Home: [-1, 0], End: [1, 0] };

export default function (component) {
  const { parentElement, data } = component;
  let map = maps.get(parentElement);
  if (!map) maps.set(parentElement, (map = new ScoreMap(parentElement)));
  // A trigger, not a state: the same square may be picked again after the weights were moved elsewhere.
  map.pick = (number) => component.setTriggerValue("picked", number);
  map.show(data);
}

class ScoreMap {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.at = -1;  // the square that the pointer or the arrow keys are on
    this.stage.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.stage.addEventListener("pointerleave", () => this.point(-1));
    this.stage.addEventListener("blur", () => this.point(-1));
    this.stage.addEventListener("click", (event) => this.choose(this.under(event)));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.find(".map"));
    addEventListener("resize", () => this.draw());
  }

  show(data) {
    // Most reruns of a page bring the same map again; drawing it anew would disturb who is pointing at it.
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.find(".map").setAttribute("aria-label", data.alt);
    this.find(".map").classList.toggle("mini", data.mini);
    this.find(".title").textContent = data.title;
    this.stage.classList.toggle("pickable", data.pickable);
    if (data.mini) {
      this.stage.setAttribute("role", "button");
      this.stage.setAttribute("aria-pressed", data.chosen);
      this.stage.setAttribute("aria-label", data.alt);
    } else this.stage.setAttribute("aria-label", data.pickable ? say("Squares: arrow keys go from one to the next, Enter picks one") : say("Squares: arrow keys go from one to the next"));
    this.drawn = 0;
    this.draw();
    this.point(this.at);
  }

  // Pixels along a square: as many as the page and, on the first screen, the window have room for
  unitFor(width, across, up) {
    const margin = this.margin;
    const wide = (width - margin.left - margin.right) / across;
    if (this.data.mini) return Math.min(wide, SMALL);
    const free = this.data.around ? innerHeight - this.data.around : 420;
    const high = Math.max(READABLE, (free - margin.top - margin.bottom) / up);
    return Math.min(LARGEST, wide, high);
  }

  draw() {
    const width = this.find(".map").clientWidth - (this.data.mini ? 10 : 0);
    if (width <= 0) return;
    this.margin = this.data.mini ? MINI : MARGIN;
    const { columns, rows } = this.data;
    const [across, up] = [columns, rows].map(([first, last]) => last - first + 1);
    const unit = this.unitFor(width, across, up);
    // For a moment, while the page is laid out, there may be less room than the gaps between the squares need
    if (unit <= 2 || `${width} ${unit}` === this.drawn) return;
    this.drawn = `${width} ${unit}`;
    this.unit = unit;
    this.x = (at) => this.margin.left + unit * (at - columns[0] + 0.5);
    this.y = (at) => this.margin.top + unit * (rows[1] - at + 0.5);
    const svg = this.find("svg");
    svg.setAttribute("width", this.margin.left + unit * across + this.margin.right);
    svg.setAttribute("height", this.margin.top + unit * up + this.margin.bottom);
    this.here = shape("rect", { class: "here", visibility: "hidden" });
    svg.replaceChildren(
      ...this.data.cells.map((cell) => this.square(cell)), ...(this.data.mini ? [] : this.axes(up)),
      ...this.data.tags.flatMap((tag) => this.tag(tag)), ...this.frame(), this.here,
    );
    this.legend(across);
    this.point(this.at);
  }

  square([x, y, color, ink, text, , alike]) {
    const group = shape("g", { "data-x": x, "data-y": y });
    const gap = this.data.mini ? 0.5 : 1;
    group.append(this.box(x, y, gap, color ? { fill: color } : { fill: "currentColor", "fill-opacity": 0.14 }));
    if (this.data.mini) return group;
    const fill = ink || "currentColor";
    const lines = text.split("\n");
    const longest = Math.max(...lines.map((line) => line.length));
    const fitting = Math.min((0.88 * this.unit) / (0.58 * longest), (0.8 * this.unit) / (1.2 * lines.length));
    const size = Math.min(TEXT[1], fitting, Math.max(TEXT[0], 0.27 * this.unit));
    if (text && size >= TEXT[0])
      group.append(...lines.map((line, number) => label(
        this.x(x), this.y(y) + size * (0.35 + 1.15 * (number - (lines.length - 1) / 2)), line,
        { "text-anchor": "middle", "font-size": size, fill },
      )));
    if (alike && this.unit >= 24)
      group.append(label(this.x(x) - this.unit / 2 + 5, this.y(y) - this.unit / 2 + 14, "≈", { class: "alike", "font-size": 14, "font-weight": 700, fill }));
    return group;
  }

  box(x, y, gap, attributes) {
    const side = this.unit - 2 * gap;
    return shape("rect", { x: this.x(x) - side / 2, y: this.y(y) - side / 2, width: side, height: side, ...attributes });
  }

  axes(up) {
    const { axes, columns, x_ticks, y_ticks } = this.data;
    const bottom = this.margin.top + this.unit * up;
    const middle = (this.x(columns[0]) + this.x(columns[1])) / 2;
    return [
      ...x_ticks.map(([at, text]) => label(this.x(at), bottom + 13, text, { "text-anchor": "middle" })),
      ...y_ticks.map(([at, text]) => label(this.margin.left - 4, this.y(at) + 4, text, { "text-anchor": "end" })),
      label(middle, bottom + 30, axes[0], { "text-anchor": "middle", "font-weight": 600 }),
      label(this.margin.left - 4 - 12 * (axes[1].length === 1), 12, axes[1], { "font-weight": 600 }),
    ];
  }

  // A frame inside its square with a name at an edge: between the number and the border, never on either
  tag({ x, y, name, color, dashed }) {
    if (this.data.mini) return dashed ? [] : [this.box(x, y, 0, { fill: "none", stroke: color, "stroke-width": 2.5 })];
    const inside = dashed ? 5 : 2.5;
    const frame = this.box(x, y, inside, { fill: "none", stroke: color, "stroke-width": 3, "stroke-dasharray": dashed ? "4 3" : "none" });
    if (this.unit < 40) return [frame];
    const group = shape("g", { class: "tag" });
    const width = 6.3 * name.length + 6;
    const top = dashed ? this.y(y) + this.unit / 2 - 1 - TAG : this.y(y) - this.unit / 2 + 1;
    group.append(
      shape("rect", { x: this.x(x) - width / 2, y: top, width, height: TAG, rx: 2, fill: color }),
      label(this.x(x), top + 11, name, { "text-anchor": "middle", "font-weight": 700, "font-size": 11, fill: "#FFFFFF" }),
    );
    return [frame, group];
  }

  // Seen on light and on dark squares
  frame() {
    if (!this.data.frame || this.data.mini) return [];
    return [["#10181F", 5], ["#FFFFFF", 2]].map(([stroke, width]) =>
      this.box(...this.data.frame, 0, { class: "current", fill: "none", stroke, "stroke-width": width }));
  }

  // What the marks mean, and the colours; a triangle leaves its upper right corner to it
  legend(across) {
    const legend = this.find(".legend");
    const corner = this.data.corner && across > 4;
    legend.classList.toggle("corner", corner);
    legend.style.width = corner ? `${Math.min(this.unit * (across - 3) - 6, 270)}px` : "";
    const entries = this.data.legend.map(([kind, text]) => entry([mark(kind, this.data.colors)], text));
    const strip = document.createElement("span");
    strip.className = "strip";
    strip.style.background = `linear-gradient(to right, ${this.data.scale.join(", ")})`;
    const scale = entry([this.data.limits[0], strip], this.data.limits[1]);
    scale.className = "scale";
    legend.replaceChildren(...(entries.length ? [scale, ...entries] : []));
  }

  under(event) {
    const box = this.find("svg").getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const half = this.unit / 2;
    return this.data.cells.findIndex((cell) => Math.abs(this.x(cell[0]) - x) < half && Math.abs(this.y(cell[1]) - y) < half);
  }

  // Tell about a square; when none is pointed at, the line below tells about the framed one
  point(number) {
    if (this.data.mini) return;
    const tip = this.find(".tip");
    const cell = this.data.cells[number];
    this.at = cell ? number : -1;
    tip.hidden = !cell;
    this.here?.setAttribute("visibility", cell ? "visible" : "hidden");
    this.say(cell ?? (this.data.frame ? this.data.cells[this.start()] : null));
    if (!cell || !this.here) return;
    const [x, y] = [this.x(cell[0]), this.y(cell[1])];
    const side = this.unit;
    for (const [name, value] of Object.entries({ x: x - side / 2, y: y - side / 2, width: side, height: side }))
      this.here.setAttribute(name, value);
    if (tip.textContent !== cell[5]) tip.textContent = cell[5];
    const [half, room] = [tip.offsetWidth / 2, this.find(".map").clientWidth];
    tip.style.left = `${Math.max(half, Math.min(x, room - half))}px`;
    tip.style.top = `${y - 0.6 * side - 4}px`;
  }

  say(cell) {
    const said = this.find(".said");
    const text = cell ? cell[5].split("\n").slice(0, 2).join(": ") : "";
    if (said.textContent !== text) said.textContent = text;
  }

  choose(number) {
    if (this.data.mini) this.pick(0);
    else if (this.data.pickable && number >= 0) this.pick(number);
  }

  // Where the arrow keys begin: at the frame, or else at the first square
  start() {
    const [x, y] = this.data.frame ?? this.data.cells[0];
    const away = this.data.cells.map((cell) => Math.hypot(cell[0] - x, cell[1] - y));
    return away.indexOf(Math.min(...away));
  }

  // The squares in a direction, the nearest first
  ahead(number, [right, up]) {
    const [x, y] = this.data.cells[number];
    return this.data.cells
      .map((cell, other) => [(cell[0] - x) * right + (cell[1] - y) * up, (cell[0] - x) * up + (cell[1] - y) * right, other])
      .filter(([forward, aside]) => forward > 0 && aside === 0)
      .sort((one, other) => one[0] - other[0])
      .map(([, , other]) => other);
  }

  key(event) {
    const from = this.at < 0 && !this.data.mini ? this.start() : this.at;
    const isPick = event.key === "Enter" || event.key === " ";
    if (isPick && (this.data.mini || this.at >= 0)) this.choose(this.at);
    else if (this.data.mini) return;
    else if (STEPS[event.key]) this.point(this.ahead(from, STEPS[event.key])[0] ?? from);
    else if (ENDS[event.key]) this.point(this.ahead(from, ENDS[event.key]).at(-1) ?? from);
    else return;
    event.preventDefault();
  }
}

function mark(kind, colors) {
  const element = document.createElement("i");
  element.className = kind;
  if (kind === "alike") element.textContent = "≈";
  if (colors[kind]) element.style.setProperty("--color", colors[kind]);
  return element;
}

function entry(marks, text) {
  const line = document.createElement("div");
  const words = document.createElement("span");
  words.textContent = text;
  line.append(...marks, words);
  return line;
}
