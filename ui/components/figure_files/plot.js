// Bars, stems or dots, drawn anew in place whenever their values change.
const charts = new WeakMap();
const MARGIN = { left: 56, right: 6, top: 16, bottom: 40 };
const TITLE = 30;  // pixels of the figure's height that its title takes

export default function (component) {
  const { parentElement, data } = component;
  let chart = charts.get(parentElement);
  if (!chart) charts.set(parentElement, (chart = new Chart(parentElement)));
  // With the time, because the same spot may be picked again after Back has chosen another.
  chart.pick = (number) => component.setStateValue("picked", [number, Date.now()]);
  chart.show(data);
}

class Chart {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.stage.addEventListener("pointermove", (event) => this.point(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.point(-1));
    this.stage.addEventListener("blur", () => this.point(-1));
    this.stage.addEventListener("click", (event) => this.choose(this.nearest(event)));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.find(".save").addEventListener("click", () => this.save());
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  show(data) {
    this.data = data;
    this.find(".chart").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.find(".legend").replaceChildren(...data.legend.map(([name, color]) => {
      const entry = document.createElement("span");
      entry.textContent = name;
      entry.style.setProperty("--color", color);
      return entry;
    }));
    if (data.picked !== null) {
      this.stage.tabIndex = 0;
      this.stage.classList.add("pickable");
      this.stage.setAttribute("role", "group");
      this.stage.setAttribute("aria-label", "Points: arrow keys go from one to the next, Enter picks one");
    }
    this.drawn = 0;
    this.draw();
    this.point(-1);
  }

  draw() {
    const width = this.stage.clientWidth;
    if (!width || width === this.drawn) return;
    this.drawn = width;
    const { data } = this;
    const height = data.height - TITLE;
    const values = data.spots.map((spot) => spot.value);
    const ticks = niceTicks(Math.min(0, ...values), Math.max(data.top, ...values) || 1, height / 55);
    const [low, high] = [Math.min(ticks[0], ...values), Math.max(ticks.at(-1), ...values)];
    const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    this.x = (at) => MARGIN.left + inner.width * (at - data.span[0]) / (data.span[1] - data.span[0]);
    this.y = (value) => MARGIN.top + inner.height * (high - value) / (high - low);
    const bottom = MARGIN.top + inner.height;
    const along = data.ticks.length ? data.ticks
      : niceTicks(...data.span, inner.width / 90).map((tick) => [tick, written(tick)]);
    const places = along.map(([at, text]) => label(this.x(at), bottom + 16, text, { "text-anchor": "middle" }));
    const middle = MARGIN.top + inner.height / 2;
    this.svg = this.find("svg");
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren(
      ...ticks.flatMap((tick) => this.rule(tick, width)),
      ...textsLast(data.spots.flatMap((spot, number) => this[data.kind](spot, number))),
      ...places,
      label(MARGIN.left + inner.width / 2, height - 6, data.x_title, { "text-anchor": "middle", opacity: 0.75 }),
      label(0, 0, data.y_title, {
        "text-anchor": "middle", opacity: 0.75, transform: `translate(12 ${middle}) rotate(-90)`,
      }),
    );
  }

  rule(tick, width) {
    const y = this.y(tick);
    return [
      shape("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y, stroke: "currentColor",
        "stroke-opacity": tick === 0 ? 0.5 : 0.12 }),
      label(MARGIN.left - 7, y + 4, written(tick), { "text-anchor": "end", opacity: 0.75 }),
    ];
  }

  bars(spot) {
    const width = 0.8 * Math.abs(this.x(1) - this.x(0));
    const [y, zero] = [this.y(spot.value), this.y(0)];
    const [opacity, boldness] = spot.weight === "pale" ? [0.5, 400] : [1, 700];
    return [
      shape("rect", { x: this.x(spot.at) - width / 2, y: Math.min(y, zero), width, height: Math.abs(zero - y),
        fill: spot.color, opacity }),
      label(this.x(spot.at), y - 4, spot.label, { "text-anchor": "middle", "font-weight": boldness }),
    ];
  }

  stems(spot) {
    const [x, y] = [this.x(spot.at), this.y(spot.value)];
    return [
      shape("line", { x1: x, x2: x, y1: this.y(0), y2: y, stroke: spot.color, "stroke-width": 2 }),
      shape("circle", { cx: x, cy: y, r: 4, fill: spot.color }),
    ];
  }

  line(spot, number) {
    const before = this.data.spots[number - 1] ?? spot;
    const pieces = [shape("line", {
      x1: this.x(before.at), y1: this.y(before.value), x2: this.x(spot.at), y2: this.y(spot.value),
      stroke: spot.color, "stroke-width": 2.5, "stroke-linecap": "round",
    })];
    if (spot.weight === "strong")
      pieces.push(shape("circle", { cx: this.x(spot.at), cy: this.y(spot.value), r: 7, fill: spot.color }));
    return pieces;
  }

  dots(spot, number) {
    const strong = spot.weight === "strong";
    const picked = number === this.data.picked;
    const [x, y] = [this.x(spot.at), this.y(spot.value)];
    return [
      shape("circle", {
        cx: x, cy: y, r: strong ? 8 : 4.5, fill: spot.color,
        opacity: strong || picked ? 1 : 0.7, stroke: "currentColor", "stroke-width": picked ? 3.5 : strong ? 1.5 : 0,
      }),
      label(x, y - 12, spot.label, { "text-anchor": "middle", "font-weight": 700 }),
    ];
  }

  // The spot nearest to the pointer, -1 if none is near
  nearest(event) {
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const flat = this.data.kind !== "dots";  // a bar is met anywhere above its place
    let [best, least] = [-1, 40];
    this.data.spots.forEach((spot, number) => {
      const away = Math.hypot(this.x(spot.at) - x, flat ? 0 : this.y(spot.value) - y);
      if (away < least) [best, least] = [number, away];
    });
    return best;
  }

  // Tell about a spot
  point(number) {
    const tip = this.find(".tip");
    const spot = this.data.spots[number];
    this.at = spot ? number : -1;
    tip.hidden = !spot;
    if (!spot) return;
    tip.textContent = spot.hover;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(this.x(spot.at), half), this.stage.clientWidth - half)}px`;
    tip.style.top = `${this.y(this.data.kind === "dots" ? spot.value : Math.max(0, spot.value)) - 10}px`;
  }

  choose(number) {
    if (this.data.picked === null || number < 0) return;
    this.data.picked = number;
    this.drawn = 0;
    this.draw();
    this.pick(number);
  }

  key(event) {
    if (this.data.picked === null) return;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step) {
      const order = this.data.spots.map((_, number) => number).sort((a, b) => this.data.spots[a].at - this.data.spots[b].at);
      const from = order.indexOf(this.at < 0 ? this.data.picked : this.at);
      this.point(order[(from + step + order.length) % order.length]);
    } else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) this.choose(this.at);
    else return;
    event.preventDefault();
  }

  save() {
    const copy = this.svg.cloneNode(true);
    copy.style.color = "#222";
    copy.insertBefore(label(MARGIN.left, 8, this.data.title, { "font-weight": 700 }), copy.firstChild);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
    link.download = `${this.data.name}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function shape(kind, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// A mark must not cover the name of another one.
function textsLast(pieces) {
  const isText = (piece) => piece.tagName === "text";
  return [...pieces.filter((piece) => !isText(piece)), ...pieces.filter(isText)];
}

function label(x, y, text, attributes) {
  const element = shape("text", { x, y, ...attributes });
  element.textContent = text;
  return element;
}

function written(tick) {
  return Number(tick.toPrecision(6)).toString();
}

// Round numbers from low to high, about as many as wanted
function niceTicks(low, high, wanted) {
  const rough = (high - low) / Math.max(2, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
