// Parallel coordinates: each run is a line through its values; ranges on the axes keep some of the lines.
const charts = new WeakMap();
const TOP = 30, BELOW = 10, SIDE = 46;
const LEAST = 74;       // pixels between two axes
const NEAR = 7;         // pixels from the pointer to a line that it means
const STEP = 0.02;      // of an axis for one press of an arrow key
const EXACT = 1e-5;     // of an axis: places come rounded
const REST = 250;       // ms without a key before the page is told
const PATIENCE = 3000;  // ms to wait for the page's answer before its word counts again

export default function (component) {
  const { parentElement, data } = component;
  let chart = charts.get(parentElement);
  if (!chart) charts.set(parentElement, (chart = new Parallel(parentElement)));
  chart.send = (name, value) => component.setStateValue(name, value);
  chart.show(data);
}

class Parallel {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.svg = this.find(".stage svg");
    this.ranges = [];
    this.sent = 0;
    this.stage.addEventListener("pointermove", (event) => this.point(event));
    this.stage.addEventListener("pointerleave", () => this.tell(-1));
    this.stage.addEventListener("click", (event) => this.pick(event));
    this.find(".save").addEventListener("click", () => download(this.svg, this.data.name));
    const watch = new ResizeObserver(() => (this.stage.isConnected ? this.draw() : watch.disconnect()));
    watch.observe(this.stage);
  }

  show(data) {
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    const names = JSON.stringify(data.axes.map((axis) => axis.name));
    this.data = data;
    const late = performance.now() - this.at > PATIENCE;
    // What is in the visitor's hand, or on its way to the page, is newer.
    if (names !== this.names || (!this.held && !this.timer && (data.seen >= this.sent || late)))
      this.ranges = data.axes.map((axis) => [axis.low, axis.high]);
    if (names !== this.names) this.makeHandles();
    this.names = names;
    this.find(".chart").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    // A thousand lines take long to paint: they are drawn anew only if they are others.
    const picture = JSON.stringify([data.height, data.lines, data.axes.map(({ low, high, ...axis }) => axis)]);
    if (picture === this.picture) return this.drawn && this.mark();
    this.picture = picture;
    this.drawn = 0;
    this.draw();
  }

  // Two handles on each axis; between them lies what is kept

  makeHandles() {
    this.axes = this.data.axes.map((axis, number) => {
      const place = document.createElement("div");
      place.className = "axis";
      place.dataset.axis = axis.name;
      place.addEventListener("pointerdown", (event) => this.grasp(event, number));
      place.addEventListener("pointermove", (event) => this.drag(event));
      for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, (event) => this.release(event));
      for (const end of [0, 1]) {
        const handle = document.createElement("div");
        handle.className = "handle";
        handle.tabIndex = 0;
        handle.setAttribute("role", "slider");
        handle.setAttribute("aria-orientation", "vertical");
        handle.setAttribute("aria-label", end ? say("{title}, upper end", { title: axis.title }) : say("{title}, lower end", { title: axis.title }));
        handle.setAttribute("aria-valuemin", 0);
        handle.setAttribute("aria-valuemax", 100);
        handle.addEventListener("keydown", (event) => this.key(event, number, end));
        place.append(handle);
      }
      return place;
    });
    this.find(".handles").replaceChildren(...this.axes);
  }

  share(event) {
    const box = this.svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (this.bottom - (event.clientY - box.top)) / (this.bottom - TOP)));
  }

  grasp(event, axis) {
    if (event.button > 0) return;
    event.preventDefault();
    const at = this.share(event);
    const [low, high] = this.ranges[axis];
    const reach = 12 / (this.bottom - TOP);
    const whole = low <= 0 && high >= 1;
    let end = Math.abs(at - low) <= Math.abs(at - high) ? 0 : 1;
    const near = Math.abs(at - (end ? high : low)) <= reach;
    // An end is taken; a range is moved; anywhere else a new range begins.
    const way = near ? "end" : !whole && at > low && at < high ? "move" : "new";
    this.held = { axis, end, way, at, from: [low, high], moved: false };
    this.axes[axis].setPointerCapture(event.pointerId);
    if (way === "end") this.axes[axis].children[end].focus({ preventScroll: true, focusVisible: false });
  }

  drag(event) {
    if (!this.held) return;
    const { axis, way, at, from } = this.held;
    const now = this.share(event);
    if (!this.held.moved && Math.abs(now - at) * (this.bottom - TOP) < 3) return;
    this.held.moved = true;
    if (way === "end") this.setEnd(axis, this.held.end, now);
    else if (way === "new") this.ranges[axis] = [Math.min(at, now), Math.max(at, now)];
    else {
      const shift = Math.min(1 - from[1], Math.max(-from[0], now - at));
      this.ranges[axis] = [from[0] + shift, from[1] + shift];
    }
    this.mark();
  }

  release() {
    if (!this.held) return;
    const { axis, moved, way } = this.held;
    this.held = null;
    this.quiet = performance.now();
    if (!moved && way !== "end") this.ranges[axis] = [0, 1];  // a click beside the ends clears the range
    else if (!moved) return;
    this.mark();
    this.speak();
  }

  setEnd(axis, end, at) {
    const range = [...this.ranges[axis]];
    range[end] = Math.min(1, Math.max(0, at));
    if (range[0] > range[1]) range[end] = range[1 - end];
    this.ranges[axis] = range;
  }

  key(event, axis, end) {
    const steps = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP, PageUp: 5 * STEP, PageDown: -5 * STEP };
    if (event.key in steps) this.setEnd(axis, end, this.ranges[axis][end] + steps[event.key] * (event.shiftKey ? 5 : 1));
    else if (event.key === "Home") this.setEnd(axis, end, 0);
    else if (event.key === "End") this.setEnd(axis, end, 1);
    else if (event.key === "Escape") this.ranges[axis] = [0, 1];
    else return;
    event.preventDefault();
    this.mark();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.timer = 0; this.speak(); }, REST);
  }

  speak() {
    this.sent = Date.now();
    this.at = performance.now();
    const set = this.ranges.flatMap(([low, high], axis) => (low > 0 || high < 1 ? [[axis, low, high]] : []));
    this.send("brush", [set, this.sent]);
  }

  // Drawing

  draw() {
    const seen = this.stage.clientWidth;
    if (!seen || !this.data || seen === this.drawn) return;
    this.drawn = seen;
    const { axes, lines, height } = this.data;
    const width = Math.max(seen, axes.length * LEAST);  // on a phone the chart is scrolled sideways
    this.bottom = height - BELOW;
    this.xs = axes.map((_, number) => SIDE + (axes.length > 1 ? (width - 2 * SIDE) * number / (axes.length - 1) : (width - 2 * SIDE) / 2));
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.style.width = `${width}px`;
    this.paths = lines.map((line) => shape("path", { d: this.path(line.places) }));
    this.looks = [];
    // Strong lines lie above the others.
    const order = [...this.paths.keys()].sort((a, b) => lines[a].strong - lines[b].strong);
    this.bars = axes.map((_, number) => shape("rect", { class: "range", x: this.xs[number] - 7, width: 14 }));
    this.svg.replaceChildren(...order.map((number) => this.paths[number]), ...axes.flatMap((axis, number) => this.axis(axis, number)), ...this.bars);
    for (const [number, place] of this.axes.entries())
      Object.assign(place.style, { left: `${this.xs[number]}px`, top: `${TOP}px`, height: `${this.bottom - TOP}px` });
    this.mark();
  }

  y(share) {
    return this.bottom - (this.bottom - TOP) * share;
  }

  // A run without a value there has a gap
  path(places) {
    let pen = "M";
    return places.map((share, axis) => {
      if (share === null) return (pen = "M"), "";
      const piece = `${pen}${this.xs[axis].toFixed(1)} ${this.y(share).toFixed(1)}`;
      pen = "L";
      return piece;
    }).join("");
  }

  axis({ title, ticks }, number) {
    const x = this.xs[number];
    const wide = number % 2 && this.data.axes.length > 8;
    return [
      shape("line", { x1: x, x2: x, y1: TOP, y2: this.bottom, stroke: "currentColor", "stroke-opacity": 0.65 }),
      label(x, wide ? 22 : 10, title, { class: "name", "text-anchor": "middle", "font-weight": 600 }),
      ...ticks.map(([share, text]) => label(x + 9, this.y(share) + 4, text, { class: "name", "font-size": 11 })),
    ];
  }

  // What the ranges keep, at once and without asking the page
  mark() {
    const { lines, axes } = this.data;
    const set = this.ranges.flatMap(([low, high], axis) => (low > 0 || high < 1 ? [[axis, low - EXACT, high + EXACT]] : []));
    this.kept = lines.map(({ places }) => set.every(([axis, low, high]) => places[axis] !== null && places[axis] >= low && places[axis] <= high));
    for (const [number, path] of this.paths.entries()) {
      const look = `line${this.kept[number] ? "" : " out"}${lines[number].strong ? " strong" : ""}`;
      if (look !== this.looks[number]) path.setAttribute("class", look);
      this.looks[number] = look;
    }
    const count = this.kept.filter(Boolean).length;
    for (const [number, [low, high]] of this.ranges.entries()) {
      const isSet = low > 0 || high < 1;
      for (const [name, value] of Object.entries({ y: this.y(high), height: Math.max(2, this.y(low) - this.y(high)), display: isSet ? "inline" : "none" }))
        this.bars[number].setAttribute(name, value);
      for (const [end, share] of [low, high].entries()) {
        const handle = this.axes[number].children[end];
        handle.style.top = `${100 * (1 - share)}%`;
        handle.classList.toggle("set", isSet);
        handle.setAttribute("aria-valuenow", Math.round(100 * share));
        handle.setAttribute("aria-valuetext", say("{value}; {count} runs", { value: this.value(axes[number], share), count }));
      }
    }
  }

  // The value at a share of an axis, as its nearest names or numbers tell it
  value({ ends, ticks }, share) {
    if (ends) return String(Number((ends[0] + share * (ends[1] - ends[0])).toPrecision(3)));
    return ticks.reduce((best, tick) => (Math.abs(tick[0] - share) < Math.abs(best[0] - share) ? tick : best), ticks[0])[1];
  }

  // Lines under the pointer

  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const right = this.xs.findIndex((one) => one >= x);
    if (right < 1) return -1;
    const part = (x - this.xs[right - 1]) / (this.xs[right] - this.xs[right - 1]);
    let [best, least] = [-1, NEAR];
    for (const [number, { places }] of this.data.lines.entries()) {
      const [a, b] = [places[right - 1], places[right]];
      if (!this.kept[number] || a === null || b === null) continue;
      const far = Math.abs(y - this.y(a + part * (b - a)));
      if (far < least) [best, least] = [number, far];
    }
    return best;
  }

  point(event) {
    if (this.held || event.target.closest(".axis")) return this.tell(-1);
    this.tell(this.nearest(event), event);
  }

  tell(number, event) {
    const tip = this.find(".tip");
    if (number !== this.told) {
      this.paths?.[this.told]?.classList.remove("near");
      this.paths?.[number]?.classList.add("near");
      this.told = number;
    }
    tip.hidden = number < 0;
    if (number < 0) return;
    const box = this.svg.getBoundingClientRect();
    tip.textContent = this.data.lines[number].hover;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(box.width - half, Math.max(half, event.clientX - box.left))}px`;
    tip.style.top = `${event.clientY - box.top - 10}px`;
  }

  pick(event) {
    if (event.target.closest(".axis") || performance.now() - (this.quiet ?? -1000) < 50) return;
    const number = this.nearest(event);
    if (number >= 0) this.send("picked", [number, Date.now()]);
  }
}
