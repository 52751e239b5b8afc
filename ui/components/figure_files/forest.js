// Dots with intervals around a line at zero, one row each; pointer and arrow keys tell the numbers.
const figures = new WeakMap();
const GAP = 10;        // pixels between labels, plot and numbers
const ROW = 24;        // pixels of a row with one dot; more dots stand one below the other
const BETWEEN = 11;    // pixels from one dot of a row to the next
const TOP = 42, BOTTOM = 44;
const LEAST_PLOT = 190;

export default function (component) {
  const { parentElement, data } = component;
  let figure = figures.get(parentElement);
  if (!figure) figures.set(parentElement, (figure = new Forest(parentElement)));
  figure.show(data);
}

class Forest {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.svg = this.find("svg");
    this.at = -1;
    this.stage.addEventListener("pointermove", (event) => this.point(this.nearest(event)));
    this.stage.addEventListener("pointerdown", (event) => this.point(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.point(-1));
    this.stage.addEventListener("blur", () => this.point(-1));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.find(".save").addEventListener("click", () => this.save());
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  show(data) {
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.find(".forest").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.drawn = 0;
    this.draw();
    this.point(-1);
  }

  draw() {
    const width = this.stage.clientWidth;
    if (!width || width === this.drawn) return;
    this.drawn = width;
    this.layOut(width);
    const pieces = [];
    let y = TOP;
    this.dots = [];
    for (const line of this.data.lines) {
      const middle = y + this.height(line) / 2;
      pieces.push(...(line.dots.length ? this.row(line, y, middle) : [label(0, middle + 4, line.label, { "font-weight": 700 })]));
      y += this.height(line);
    }
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", y + BOTTOM);
    this.svg.replaceChildren(...this.axis(y), ...this.heads(), ...pieces);
    this.point(this.at);
  }

  // Labels beside the plot, or above their dots where that leaves too little room; numbers only where there is room
  layOut(width) {
    const { lines, kinds } = this.data;
    const rows = lines.filter((line) => line.dots.length);
    const names = this.widest(rows.map((line) => line.label));
    this.column = Math.max(this.widest(rows.flatMap((line) => line.dots.map((dot) => dot.text))), this.widest(kinds) + 16);
    const numbers = kinds.length * (this.column + GAP);
    this.above = names + GAP + LEAST_PLOT > width;
    const left = this.above ? 8 : names + GAP;
    this.numbered = left + LEAST_PLOT + numbers <= width;
    this.left = left;
    this.right = width - (this.numbered ? numbers + GAP : 12);
    const ends = rows.flatMap((line) => line.dots.flatMap((dot) => [dot.value - dot.half, dot.value + dot.half]));
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const room = 0.06 * (high - low || 1);
    const [first, last] = [Math.min(low - room, -0.3 * high), Math.max(high + room, -0.3 * low)];
    this.span = [first, last];
    this.x = (value) => this.left + (this.right - this.left) * (value - first) / (last - first);
  }

  height(line) {
    return ROW + BETWEEN * Math.max(0, line.dots.length - 1) + (this.above && line.dots.length ? 14 : 0);
  }

  row(line, top, middle) {
    const lift = this.above ? 7 : 0;
    const pieces = [label(0, this.above ? top + 12 : middle + 4, line.label, {})];
    line.dots.forEach((dot, number) => {
      const y = middle + lift + BETWEEN * (number - (line.dots.length - 1) / 2);
      this.dots.push({ ...dot, x: this.x(dot.value), y });
      pieces.push(...this.dot(dot, y));
      if (this.numbered)
        pieces.push(label(this.place(dot.kind), middle + 4, dot.text, { "text-anchor": "end", "font-weight": dot.clear ? 700 : 400 }));
    });
    return pieces;
  }

  // Where the numbers of a kind end
  place(kind) {
    return this.right + GAP + (kind + 1) * (this.column + GAP) - GAP;
  }

  dot({ kind, value, half, clear }, y) {
    const [x, color] = [this.x(value), this.color(kind)];
    const bar = { stroke: color, "stroke-width": clear ? 2.5 : 1.5, "stroke-dasharray": clear ? "none" : "4 3" };
    return [shape("line", { x1: this.x(value - half), x2: this.x(value + half), y1: y, y2: y, ...bar }), this.sign(kind, x, y)];
  }

  // The first kind is an open diamond, the second a full disc; a single one is a disc.
  sign(kind, x, y) {
    const open = this.data.kinds.length > 1 && kind === 0;
    if (!open) return shape("circle", { cx: x, cy: y, r: 5, fill: this.color(kind) });
    return shape("rect", { x: x - 4, y: y - 4, width: 8, height: 8, transform: `rotate(45 ${x} ${y})`, class: "open",
      fill: "none", stroke: this.color(kind), "stroke-width": 2 });
  }

  color(kind) {
    return this.data.kinds.length > 1 && kind === 0 ? "currentColor" : this.data.color;
  }

  axis(bottom) {
    const { axis } = this.data;
    const middle = Math.min(Math.max((this.left + this.right) / 2, this.widest([axis]) / 2), this.drawn - this.widest([axis]) / 2);
    return [
      ...niceTicks(...this.span, (this.right - this.left) / 45).flatMap((tick) => [
        shape("line", { x1: this.x(tick), x2: this.x(tick), y1: TOP - 4, y2: bottom + 4, stroke: "currentColor",
          "stroke-opacity": tick === 0 ? 0.8 : 0.13, "stroke-width": tick === 0 ? 1.5 : 1 }),
        label(this.x(tick), bottom + 18, written(tick), { "text-anchor": "middle", "font-size": 12 }),
      ]),
      label(middle, bottom + 38, axis, { "text-anchor": "middle", "font-size": 12, opacity: 0.8 }),
    ];
  }

  // Which side of zero means what, and which sign is which network
  heads() {
    const { sides, kinds } = this.data;
    const [worse, better] = [`◀ ${sides[0]}`, `${sides[1]} ▶`];
    const zero = this.x(0);
    const [one, other] = [this.widest([worse]), this.widest([better])];
    // Beside the line at zero, and moved where an end of the figure leaves no room.
    const starts = Math.min(Math.max(zero, one + 2) + 8, (this.numbered ? this.right : this.drawn) - other);
    const ends = Math.min(Math.max(zero - 8, one), starts - 8);
    const pieces = [
      label(ends, TOP - 12, worse, { "text-anchor": "end", "font-weight": 600 }),
      label(starts, TOP - 12, better, { "font-weight": 600 }),
    ];
    if (this.numbered) kinds.forEach((kind, number) => pieces.push(...this.head(kind, number, this.place(number) - this.column, TOP - 12)));
    else {
      let x = 8;
      kinds.forEach((kind, number) => {
        pieces.push(...this.head(kind, number, x, 12));
        x += this.widest([kind]) + 40;
      });
    }
    return pieces;
  }

  head(kind, number, x, y) {
    return [this.sign(number, x + 5, y - 4), label(x + 16, y, kind, {})];
  }

  widest(texts) {
    const sheet = (this.sheet ??= document.createElement("canvas").getContext("2d"));
    sheet.font = `700 13px ${getComputedStyle(this.stage).fontFamily}`;
    return Math.max(0, ...texts.map((text) => sheet.measureText(text).width));
  }

  // The dot at the pointer's height and nearest to it, -1 between rows
  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, least] = [-1, ROW];
    this.dots.forEach((dot, number) => {
      const away = Math.abs(dot.y - y) + Math.abs(dot.x - x) / 1000;
      if (away < least) [best, least] = [number, away];
    });
    return best;
  }

  // Tell about a dot
  point(number) {
    const [tip, dot] = [this.find(".tip"), this.dots?.[number]];
    this.at = dot ? number : -1;
    tip.hidden = !dot;
    if (!dot) return;
    if (tip.textContent !== dot.hover) tip.textContent = dot.hover;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(dot.x, half), Math.max(half, this.stage.clientWidth - half))}px`;
    tip.style.top = `${dot.y - 12}px`;
  }

  key(event) {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!step || !this.dots.length) return;
    const from = this.at < 0 && step < 0 ? 0 : this.at;
    this.point((from + step + this.dots.length) % this.dots.length);
    event.preventDefault();
  }

  save() {
    download(this.svg, this.data.name);
  }
}

function written(tick) {
  return tick > 0 ? `+${Number(tick.toPrecision(6))}` : Number(tick.toPrecision(6)).toString().replace("-", "−");
}
