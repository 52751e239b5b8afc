// Squares over two parameters: hover or arrow keys tell about one, a click or Enter picks it.
const maps = new WeakMap();
const MARGIN = { left: 40, right: 4, top: 4, bottom: 36 };
const ROOM = 0.3;    // of a square, around all squares: rings reach beyond their cells
const LARGEST = 60;  // pixels along a square
const SMALLEST_TEXT = 8;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

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
  }

  show(data) {
    // Most reruns of a page bring the same map again; drawing it anew would disturb who is pointing at it.
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.find(".map").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.stage.classList.toggle("pickable", data.pickable);
    this.stage.setAttribute("aria-label", "Squares: arrow keys go from one to the next" + (data.pickable ? ", Enter picks one" : ""));
    this.drawn = 0;
    this.draw();
    this.point(this.at);
  }

  draw() {
    const width = this.find(".map").clientWidth;
    if (!width || width === this.drawn) return;
    this.drawn = width;
    const { columns, rows, height } = this.data;
    const [across, up] = [columns, rows].map(([first, last]) => last - first + 1 + 2 * ROOM);
    const unit = Math.min(LARGEST, (width - MARGIN.left - MARGIN.right) / across, (height - MARGIN.top - MARGIN.bottom) / up);
    this.unit = unit;
    this.x = (at) => MARGIN.left + unit * (at - columns[0] + 0.5 + ROOM);
    this.y = (at) => MARGIN.top + unit * (rows[1] - at + 0.5 + ROOM);
    const svg = this.find("svg");
    svg.setAttribute("width", MARGIN.left + unit * across + MARGIN.right);
    svg.setAttribute("height", MARGIN.top + unit * up + MARGIN.bottom);
    this.here = shape("rect", { class: "here", visibility: "hidden" });
    svg.replaceChildren(
      ...this.data.cells.map((cell) => this.square(cell)), ...this.axes(up), ...this.data.rings.flatMap((ring) => this.ring(ring)),
      ...this.frame(), this.here,
    );
    this.point(this.at);
  }

  square([x, y, color, ink, text]) {
    const group = shape("g", { "data-x": x, "data-y": y });
    group.append(this.box(x, y, 1, color ? { fill: color } : { fill: "currentColor", "fill-opacity": 0.14 }));
    const lines = text.split("\n");
    const longest = Math.max(...lines.map((line) => line.length));
    const size = Math.min(this.data.font_size, (0.94 * this.unit) / (0.56 * longest));
    if (text && size >= SMALLEST_TEXT)
      group.append(...lines.map((line, number) => label(
        this.x(x), this.y(y) + size * (0.35 + 1.15 * (number - (lines.length - 1) / 2)), line,
        { "text-anchor": "middle", "font-size": size, fill: ink || "currentColor" },
      )));
    return group;
  }

  box(x, y, gap, attributes) {
    const side = this.unit - 2 * gap;
    return shape("rect", { x: this.x(x) - side / 2, y: this.y(y) - side / 2, width: side, height: side, ...attributes });
  }

  axes(up) {
    const { axes, columns, x_ticks, y_ticks } = this.data;
    const bottom = MARGIN.top + this.unit * up;
    const middle = (this.x(columns[0]) + this.x(columns[1])) / 2;
    return [
      ...x_ticks.map(([at, text]) => label(this.x(at), bottom + 12, text, { "text-anchor": "middle" })),
      ...y_ticks.map(([at, text]) => label(MARGIN.left - 4, this.y(at) + 4, text, { "text-anchor": "end" })),
      label(middle, bottom + 28, axes[0], { "text-anchor": "middle" }),
      label(0, 0, axes[1], {
        "text-anchor": "middle",
        transform: `translate(8 ${MARGIN.top + this.unit * up / 2})` + (axes[1].length > 1 ? " rotate(-90)" : ""),
      }),
    ];
  }

  // A ring with its name on a badge outside of it, away from the squares above and to the right
  ring({ x, y, name, color, dashed }) {
    const group = shape("g", {});
    const [width, radius] = [7 * name.length + 6, (dashed ? 0.66 : 0.58) * this.unit];
    const corner = [
      dashed ? this.x(x) - 0.3 * this.unit - width : this.x(x) + 0.3 * this.unit,
      dashed ? this.y(y) + 0.4 * this.unit : this.y(y) - 0.4 * this.unit - 15,
    ];
    group.append(
      shape("rect", { x: corner[0], y: corner[1], width, height: 15, rx: 3, fill: color }),
      label(corner[0] + width / 2, corner[1] + 11.5, name, {
        "text-anchor": "middle", "font-weight": 700, "font-size": 11, fill: "#FFFFFF",
      }),
    );
    return [
      shape("circle", { cx: this.x(x), cy: this.y(y), r: radius, fill: "none", stroke: color, "stroke-width": 3,
        "stroke-dasharray": dashed ? "3 3" : "none" }),
      group,
    ];
  }

  // Seen on light and on dark squares
  frame() {
    if (!this.data.frame) return [];
    return [["#10181F", 5], ["#FFFFFF", 2]].map(([stroke, width]) =>
      this.box(...this.data.frame, 0, { fill: "none", stroke, "stroke-width": width }));
  }

  under(event) {
    const box = this.find("svg").getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const half = this.unit / 2;
    return this.data.cells.findIndex((cell) => Math.abs(this.x(cell[0]) - x) < half && Math.abs(this.y(cell[1]) - y) < half);
  }

  // Tell about a square
  point(number) {
    const tip = this.find(".tip");
    const cell = this.data.cells[number];
    this.at = cell ? number : -1;
    tip.hidden = !cell;
    this.here?.setAttribute("visibility", cell ? "visible" : "hidden");
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

  choose(number) {
    if (this.data.pickable && number >= 0) this.pick(number);
  }

  // Where the arrow keys begin: at the frame, or else at the first square
  start() {
    const [x, y] = this.data.frame ?? this.data.cells[0];
    const away = this.data.cells.map((cell) => Math.hypot(cell[0] - x, cell[1] - y));
    return away.indexOf(Math.min(...away));
  }

  // The next square in a direction, the same one at the end
  beside(number, [right, up]) {
    const [x, y] = this.data.cells[number];
    const ahead = this.data.cells
      .map((cell, other) => [(cell[0] - x) * right + (cell[1] - y) * up, (cell[0] - x) * up + (cell[1] - y) * right, other])
      .filter(([forward, aside]) => forward > 0 && aside === 0)
      .sort((one, other) => one[0] - other[0]);
    return ahead.length ? ahead[0][2] : number;
  }

  key(event) {
    const step = STEPS[event.key];
    if (step) this.point(this.beside(this.at < 0 ? this.start() : this.at, step));
    else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) this.choose(this.at);
    else return;
    event.preventDefault();
  }
}

function shape(kind, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function label(x, y, text, attributes) {
  const element = shape("text", { x, y, ...attributes });
  element.textContent = text;
  return element;
}
