// Bars, stems, dots or lines, drawn anew in place whenever their values change.
const charts = new WeakMap();
const shownAlone = new Map();  // by the chart's name: the group that stands out, also after its page was left
const TITLE = 30;   // pixels of the figure's height that its title takes
const LINE = 13;    // pixels between two lines of text
const LONGEST = 11; // letters of a name below the axis
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
// Where a glyph may stand if another one has its place: as near as possible
const BESIDE = [0, 5, 8, 11, 15, 19, 24, 29, 35, 42, 50, 60].flatMap((far) =>
  Array.from({ length: far ? 12 : 1 }, (_, turn) => [far * Math.cos(turn * Math.PI / 6), far * Math.sin(turn * Math.PI / 6)]));
const ALONG = [0, ...[4, 8, 12, 16, 24, 32, 44, 60, 80, 104].flatMap((step) => [step, -step])];
const BAND = 0.45;  // most of the height that the band may take
const LANES = 14;   // most lines of glyphs in the band below the axis
const ROOMY = 5;    // lines that are filled before glyphs make way to the side
const LANE = 12;    // the height of a line
const SEATS = ALONG.flatMap((step) => Array.from({ length: LANES }, (_, lane) => ({ step, lane })))
  .sort((a, b) => seatCost(a) - seatCost(b));
const pen = document.createElement("canvas").getContext("2d");

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
    this.find(".legend").addEventListener("click", (event) => this.isolate(event.target.closest("button")?.dataset.group));
    this.find(".legend").addEventListener("keydown", (event) => this.legendKey(event));
    this.find(".save").addEventListener("click", () => this.save());
    const watch = new ResizeObserver(() => (this.stage.isConnected ? this.draw() : watch.disconnect()));
    watch.observe(this.stage);
    watch.observe(document.documentElement);  // a chart may take the height that the window leaves
  }

  show(data) {
    // Most reruns of a page bring most of its figures unchanged.
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.alone = data.glyphs.includes(shownAlone.get(data.name)) ? shownAlone.get(data.name) : null;
    this.find(".chart").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.fillLegend();
    if (data.picked !== null) {
      this.stage.tabIndex = 0;
      this.stage.classList.add("pickable");
      this.stage.setAttribute("role", "group");
      this.stage.setAttribute("aria-label", data.glyphs.length
        ? say("Points: arrow keys go from one to the next, Enter picks one, the key of a class shows it alone")
        : say("Points: arrow keys go from one to the next, Enter picks one"));
    }
    this.drawn = "";
    this.draw();
    this.point(-1);
  }

  // The legend

  fillLegend() {
    const { glyphs } = this.data;
    const legend = this.data.kind === "lines" ? [] : this.data.legend;  // lines have their names at their ends
    const place = this.find(".legend");
    const written = JSON.stringify([legend, glyphs]);
    if (written !== this.legend) {  // else its buttons keep the focus
      this.legend = written;
      place.replaceChildren(...legend.map(([name, color], number) => {
        const entry = document.createElement(glyphs.length ? "button" : "span");
        const glyph = glyphs[number] ?? name;
        entry.textContent = `${name} `.startsWith(`${glyph} `) ? name : `${glyph} ${name}`;
        entry.style.setProperty("--color", color);
        if (glyphs.length) Object.assign(entry, { type: "button", title: say("Show class {name} alone (key {glyph})", { name, glyph }) }).dataset.group = glyph;
        return entry;
      }));
      if (glyphs.length) place.removeAttribute("aria-hidden");
      else place.setAttribute("aria-hidden", "true");
    }
    if (!glyphs.length) return;
    place.setAttribute("role", "group");
    place.dataset.only = say("Only");
    place.setAttribute("aria-label", say("Show one class alone: arrow keys go from class to class, Escape shows all"));
    for (const button of place.children) {
      button.setAttribute("aria-pressed", String(button.dataset.group === this.alone));
      button.tabIndex = button.dataset.group === (this.alone ?? glyphs[0]) ? 0 : -1;
    }
  }

  // Let one group stand out; the same one again, or none, shows all
  isolate(group) {
    if (group === undefined) return;
    this.alone = group === this.alone ? null : group;
    shownAlone.set(this.data.name, this.alone);
    this.fillLegend();
    this.drawn = "";
    this.draw();
    this.point(-1);
  }

  isolatingKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === "Escape" && this.alone !== null) this.isolate(null);
    else if (this.data.glyphs.includes(event.key)) this.isolate(event.key);
    else return false;
    return true;
  }

  legendKey(event) {
    const buttons = [...this.find(".legend").querySelectorAll("button")];
    const from = buttons.indexOf(event.target);
    if (from < 0) return;
    const step = ARROWS[event.key];
    if (step) {
      const next = buttons[(from + step + buttons.length) % buttons.length];
      this.alone = null;
      this.isolate(next.dataset.group);
      next.focus();
    } else if (!this.isolatingKey(event)) return;
    event.preventDefault();
  }

  isShown(spot) {
    return this.alone === null || spot.group === this.alone;
  }

  // Drawing

  draw() {
    const width = this.stage.clientWidth;
    const { data } = this;
    const left = data.around ? Math.min(window.innerHeight - data.around, (data.kind === "bars" ? 1.6 : 1.45) * width) : 0;
    const height = Math.round(Math.max(data.height, left)) - TITLE;
    if (!width || this.drawn === `${width} ${height}`) return;
    this.drawn = `${width} ${height}`;
    this.font = getComputedStyle(this.stage).fontFamily;
    let roof = 16;
    this.layOut(width, height, roof);
    if (data.kind === "bars") {  // names that would lie on each other go up, and the bars make room
      const highest = Math.min(...this.barLabels().map((one) => one.y), 12);
      if (highest < 11) this.layOut(width, height, (roof += 12 - highest));
    }
    this.svg = this.find("svg");
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren(
      ...this.rules(),
      ...this.drawBand(),
      ...inLayers(this.marks()),
      ...this.along(),
      ...this.axisTitles(width, height),
    );
  }

  // Scales and margins
  layOut(width, height, roof) {
    const { data } = this;
    const values = data.spots.map((spot) => spot.value);
    const lowest = data.log ? Math.min(...values) : Math.min(0, ...values);
    const highest = Math.max(data.top, ...values) || 1;
    this.ticks = data.log ? logTicks(lowest, highest, height / 40) : niceTicks(lowest, highest, height / 55);
    const widest = Math.max(...this.ticks.map((tick) => this.wide(written(tick))));
    const left = 10 + widest + (data.y_title ? 18 : 0);
    const right = data.kind === "lines" ? 22 + Math.max(0, ...data.legend.map(([name]) => this.wide(name))) : 6;
    this.inner = { left, right: width - right, width: width - left - right };
    this.x = (at) => left + this.inner.width * (at - data.span[0]) / (data.span[1] - data.span[0]);
    this.layOutTicks();
    this.note = data.band ? this.wrap(data.band, this.inner.width - 8) : [];
    this.places = [];
    const room = BAND * (height - this.below) - LINE * this.note.length - 10;
    const lanes = data.band ? this.spreadBand(Math.min(LANES, Math.max(3, Math.floor(room / LANE)))) : 0;
    this.band = data.band ? LINE * this.note.length + 10 + LANE * lanes : 0;
    const floor = height - this.below - this.band;
    const [low, high] = [Math.min(this.ticks[0], lowest), Math.max(this.ticks.at(-1), highest)];
    const scale = data.log ? Math.log : (value) => value;
    this.inner.top = roof;
    this.inner.bottom = floor;
    this.y = (value) => roof + (floor - roof) * (scale(high) - scale(value)) / (scale(high) - scale(low));
    for (const place of this.places) if (place) place.y = floor + LINE * this.note.length + 8 + LANE * (place.lane + 0.5);
    if (data.kind === "dots") this.spread();
  }

  // Numbers or names below the axis; names that are too wide are turned
  layOutTicks() {
    const { data, inner } = this;
    let along = data.ticks;
    if (!along.length) {
      const room = 24 + Math.max(...data.span.map((end) => this.wide(written(Number(end.toPrecision(2))))));
      along = niceTicks(...data.span, inner.width / room).map((tick) => [tick, written(tick)]);
    }
    along = along.map(([at, text]) => [at, text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text]);
    const pitch = Math.min(...along.slice(1).map(([at], number) => Math.abs(this.x(at) - this.x(along[number][0]))));
    const widest = Math.max(0, ...along.map(([, text]) => this.wide(text)));
    this.turned = widest + 2 > pitch && data.ticks.length > 0;
    const every = Math.max(1, Math.ceil((this.turned ? LINE : widest + 2) / pitch));
    this.labels = along.filter((_, number) => number % every === 0);
    this.below = (this.turned ? widest + 8 : 20) + (data.x_title ? 20 : 4);
  }

  rules() {
    return this.ticks.flatMap((tick) => {
      const y = this.y(tick);
      return [
        shape("line", { x1: this.inner.left, x2: this.inner.right, y1: y, y2: y, stroke: "currentColor",
          "stroke-opacity": tick === 0 ? 0.5 : 0.12 }),
        label(this.inner.left - 6, y + 4, written(tick), { "text-anchor": "end", opacity: 0.8 }),
      ];
    });
  }

  along() {
    const y = this.inner.bottom + this.band;
    return this.labels.map(([at, text]) => this.turned
      ? label(0, 0, text, { "text-anchor": "end", transform: `translate(${this.x(at) + 4} ${y + 6}) rotate(-90)` })
      : label(this.x(at), y + 16, text, { "text-anchor": "middle" }));
  }

  axisTitles(width, height) {
    const { inner, data } = this;
    const middle = (inner.top + inner.bottom) / 2;
    const fits = this.wide(data.y_title) <= inner.bottom - inner.top + 16;
    const upwards = fits ? data.y_title : data.y_title.split(" ").at(-1);  // its symbol
    return [
      label((inner.left + inner.right) / 2, height - 5, data.x_title, { "text-anchor": "middle", opacity: 0.8 }),
      label(0, 0, upwards, {
        "text-anchor": "middle", opacity: 0.8, transform: `translate(12 ${middle}) rotate(-90)`,
      }),
    ].filter((one) => one.textContent);
  }

  marks() {
    const { data } = this;
    if (data.kind === "lines") return this.lines();
    const names = data.kind === "bars" ? this.barLabels().map(({ x, y, spot }) =>
      label(x, y, spot.label, { "text-anchor": "middle", "font-weight": spot.weight === "pale" ? 400 : 700 })) : [];
    return [...data.spots.flatMap((spot, number) => this[data.kind](spot, number)), ...names, ...this.ring()];
  }

  bars(spot) {
    const width = 0.8 * Math.abs(this.x(1) - this.x(0));
    const [y, zero] = [this.y(spot.value), this.y(0)];
    return [shape("rect", { x: this.x(spot.at) - width / 2, y: Math.min(y, zero), width, height: Math.abs(zero - y),
      fill: spot.color, opacity: spot.weight === "pale" ? 0.5 : 1 })];
  }

  // The names at the bars' ends: those of strong bars first, each above what is there already; pale ones give way
  barLabels() {
    const placed = [];
    const order = this.data.spots.filter((spot) => spot.label);
    order.sort((a, b) => (a.weight === "pale") - (b.weight === "pale"));
    for (const spot of order) {
      const one = { x: this.x(spot.at), y: this.y(spot.value) - 4, half: this.wide(spot.label) / 2 + 1, spot };
      const met = () => placed.find((other) =>
        Math.abs(other.x - one.x) < other.half + one.half && Math.abs(other.y - one.y) < LINE);
      if (met() && spot.weight === "pale") continue;
      for (let other = met(); other; other = met()) one.y = other.y - LINE;
      placed.push(one);
    }
    return placed;
  }

  stems(spot) {
    const [x, y] = [this.x(spot.at), this.y(spot.value)];
    return [
      shape("line", { x1: x, x2: x, y1: this.y(0), y2: y, stroke: spot.color, "stroke-width": 2 }),
      shape("circle", { cx: x, cy: y, r: 4, fill: spot.color }),
    ];
  }

  line(spot, number) {
    const last = this.data.spots[number - 1];
    const before = last?.at < spot.at ? last : spot;  // where the way goes back, another line begins
    const pieces = [shape("line", {
      x1: this.x(before.at), y1: this.y(before.value), x2: this.x(spot.at), y2: this.y(spot.value),
      stroke: spot.color, "stroke-width": 2.5, "stroke-linecap": "round",
    })];
    if (spot.weight === "strong")
      pieces.push(shape("circle", { cx: this.x(spot.at), cy: this.y(spot.value), r: 7, fill: spot.color }));
    return pieces;
  }

  // One line for each name of the legend, which stands at its end
  lines() {
    const ends = [];
    const pieces = this.data.legend.map(([name, color]) => {
      const spots = this.data.spots.filter((spot) => spot.group === name);
      if (!spots.length) return null;
      ends.push({ name, color, x: this.x(spots.at(-1).at), y: this.y(spots.at(-1).value) });
      const { weight } = spots[0];
      return shape("polyline", {
        points: spots.map((spot) => `${this.x(spot.at).toFixed(1)},${this.y(spot.value).toFixed(1)}`).join(" "),
        fill: "none", stroke: color, "stroke-linejoin": "round", "stroke-width": weight === "strong" ? 3.5 : 2.2,
        "stroke-dasharray": weight === "pale" ? "5 4" : "none",
      });
    }).filter(Boolean);
    ends.sort((a, b) => a.y - b.y);
    ends.forEach((one, number) => { one.at = Math.max(one.y, number ? ends[number - 1].at + LINE : 0); });
    // What was pushed below the axis pushes back.
    for (let number = ends.length - 1, limit = this.inner.bottom; number >= 0; number--, limit -= LINE)
      ends[number].at = Math.min(ends[number].at, limit);
    return [...pieces, ...ends.flatMap(({ name, color, x, y, at }) => [
      shape("line", { x1: x, y1: y, x2: this.inner.right + 12, y2: at, stroke: color, "stroke-width": 1 }),
      label(this.inner.right + 16, at + 4, name, {}),
    ])];
  }

  // Dots with the glyphs of their groups

  dots(spot, number) {
    const place = this.places[number];
    const strong = spot.weight === "strong";
    if (!this.isShown(spot))
      return [shape("circle", { cx: place.x, cy: place.y, r: 3, fill: spot.color, opacity: 0.25 })];
    const told = spot.group && place.free;
    const pieces = [shape("circle", {
      cx: place.x, cy: place.y, r: strong ? 9.5 : told ? 6 : 3.5, fill: spot.color, "fill-opacity": told ? 0.3 : 0.8,
      stroke: spot.color, "stroke-width": strong ? 2.5 : 0,
    })];
    if (place.moved)
      pieces.push(shape("line", { x1: place.x, y1: place.y, x2: this.x(spot.at), y2: this.y(spot.value),
        stroke: spot.color, "stroke-width": 1, "stroke-opacity": 0.5 }));
    if (told)
      pieces.push(label(place.x, place.y + (strong ? 4.6 : 4), spot.group, {
        "text-anchor": "middle", "font-size": strong ? 13 : 11, "font-weight": strong ? 700 : 400,
      }));
    return pieces;
  }

  ring() {
    const place = this.data.kind === "dots" && this.places[this.data.picked];
    return place ? [shape("circle", { cx: place.x, cy: place.y, r: 13, fill: "none", stroke: "currentColor", "stroke-width": 2.5 })] : [];
  }

  size(spot) {
    const strong = spot.weight === "strong";
    return { across: Math.max(strong ? 9.5 : 4.2, this.wide(spot.group) / 2 + 1), up: strong ? 9.5 : 5.5 };
  }

  // Strong spots first; the order never changes while the values do not
  inOrder(wanted) {
    const { spots } = this.data;
    const numbers = spots.map((_, number) => number).filter((number) => wanted(spots[number]));
    return numbers.sort((a, b) => (spots[b].weight === "strong") - (spots[a].weight === "strong") || a - b);
  }

  // Dots whose value was cut: side by side in no more lines than given; the number of lines they need
  spreadBand(lanes) {
    const placed = [];
    const seats = SEATS.filter(({ lane }) => lane < lanes);
    let most = 1;
    for (const number of this.inOrder((spot) => spot.cut)) {
      const spot = this.data.spots[number];
      const size = this.size(spot);
      const tries = seats.map(({ step, lane }) => ({ x: this.x(spot.at) + step, lane }));
      const fits = ({ x, lane }) => placed.every((other) => Math.abs(other.x - x) >= other.across + size.across - 0.5
        || Math.abs(other.lane - lane) * LANE >= other.up + size.up);
      const left = Math.min(this.inner.left + size.across + 1, this.x(spot.at));
      const right = Math.max(this.inner.right - size.across, this.x(spot.at));
      const found = tries.find((one) => one.x >= left && one.x <= right && (size.up < LANE / 2 || one.lane > 0) && fits(one));
      const place = { x: this.x(spot.at), lane: lanes - 1, ...found, ...size, free: Boolean(found) };
      most = Math.max(most, place.lane + 1 + (size.up > LANE / 2 ? 0.5 : 0));
      placed.push((this.places[number] = place));
    }
    return most;
  }

  // The other dots: where their values are, or a little beside with a line to that place
  spread() {
    const placed = [];
    const { left, right, top, bottom } = this.inner;
    for (const number of this.inOrder((spot) => !spot.cut)) {
      const spot = this.data.spots[number];
      const [home, size] = [{ x: this.x(spot.at), y: this.y(spot.value) }, this.size(spot)];
      const found = BESIDE.map(([x, y]) => ({ x: home.x + x, y: home.y + y })).find(({ x, y }) =>
        (x === home.x && y === home.y || (x > left && x < right && y > top - 8 && y < bottom - 2)) &&
        placed.every((other) => Math.abs(other.x - x) >= other.across + size.across || Math.abs(other.y - y) >= other.up + size.up));
      const place = { ...home, ...found, ...size, free: Boolean(found) };
      place.moved = place.x !== home.x || place.y !== home.y;
      placed.push((this.places[number] = place));
    }
  }

  drawBand() {
    if (!this.data.band) return [];
    const { left, width, bottom } = this.inner;
    return [
      shape("rect", { x: left, y: bottom + 1, width, height: this.band - 2, fill: "currentColor", opacity: 0.06 }),
      ...this.note.map((text, number) => label(left + 5, bottom + LINE * (number + 1), text, {})),
    ];
  }

  // Text

  wide(text) {
    pen.font = `12px ${this.font}`;
    return pen.measureText(text).width;
  }

  wrap(text, width) {
    return text.split(" ").reduce((lines, word) => {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      return lines.length && this.wide(longer) <= width ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, []);
  }

  // Pointing and picking

  // Where a spot is seen
  seat(number) {
    const spot = this.data.spots[number];
    return this.places[number] ?? { x: this.x(spot.at), y: this.y(spot.value) };
  }

  // The spot nearest to the pointer, -1 if none is near
  nearest(event) {
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const flat = !["dots", "lines"].includes(this.data.kind);  // a bar is met anywhere above its place
    let [best, least] = [-1, 40];
    this.data.spots.forEach((spot, number) => {
      if (!this.isShown(spot)) return;
      const seat = this.seat(number);
      const away = Math.hypot(seat.x - x, flat ? 0 : seat.y - y);
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
    const seat = this.seat(number);
    const y = ["dots", "lines"].includes(this.data.kind) ? seat.y : this.y(Math.max(0, spot.value));
    tip.style.left = `${Math.min(Math.max(seat.x, half), this.stage.clientWidth - half)}px`;
    tip.style.top = `${y - 12}px`;
  }

  choose(number) {
    if (this.data.picked === null || number < 0) return;
    this.data.picked = number;
    this.content = "";  // the page may have another one picked
    this.drawn = "";
    this.draw();
    this.pick(number);
  }

  key(event) {
    if (this.data.picked === null) return;
    const step = ARROWS[event.key];
    if (step) {
      const { spots } = this.data;
      const order = spots.map((_, number) => number).filter((number) => this.isShown(spots[number]));
      if (!order.length) return;
      order.sort((a, b) => spots[a].at - spots[b].at);
      const from = order.indexOf(this.at < 0 ? this.data.picked : this.at);
      this.point(order[(Math.max(from, 0) + (from < 0 ? 0 : step) + order.length) % order.length]);
    } else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) this.choose(this.at);
    else if (!this.isolatingKey(event)) return;
    event.preventDefault();
  }

  save() {
    download(this.svg, this.data.name, label(this.inner.left, 8, this.data.title, { "font-weight": 700 }));
  }
}

function seatCost({ step, lane }) {
  return 1.5 * Math.abs(step) + LANE * Math.max(0, lane - ROOMY) + 0.01 * lane;
}

// A mark must not cover the name of another one, nor a line a mark.
function inLayers(pieces) {
  const layer = ({ tagName }) => (tagName === "line" ? 0 : tagName === "text" ? 2 : 1);
  return pieces.toSorted((a, b) => layer(a) - layer(b));
}

function written(tick) {
  return Number(tick.toPrecision(6)).toString();
}

// 1, 2 and 5 of every power of ten between low and high, or the powers alone where that is too many
function logTicks(low, high, wanted) {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, number) => first + number);
  const inside = (factors) => powers.flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((tick) => tick >= 0.999 * low && tick <= 1.001 * high);
  const [many, few] = [inside([1, 2, 5]), inside([1])];
  const found = many.length <= Math.max(3, wanted) || few.length < 2 ? many : few;
  return found.length ? found : [low, high];
}
