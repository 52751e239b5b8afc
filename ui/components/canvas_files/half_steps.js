// K-SVD by half-steps. One iteration comes in one message and plays here; at its end the next one is asked for.
const shows = new WeakMap();
const QUIET = 150;  // ms without a step before the page learns where one is
const SPEEDS = { slow: [1000, "step"], brisk: [250, "step"], units: [100, "unit"], halves: [500, "half"] };

export default function (component) {
  const { parentElement, data } = component;
  let show = shows.get(parentElement);
  if (!show) shows.set(parentElement, (show = new Apart(parentElement)));
  // With the time, because the same step may be chosen again after Back has chosen another.
  show.tell = (step) => component.setStateValue("picked", [step, Date.now()]);
  show.receive(data);
}

// Pictures as they were sent: levels, and what the largest one stands for
class Pictures {
  constructor({ levels, peaks }) {
    this.levels = numbers(levels);
    this.peaks = numbers(peaks, Float32Array);
    this.size = this.peaks.length ? this.levels.length / this.peaks.length : 0;
  }

  at(index) {
    const scale = this.peaks[index] / 127;
    return Float32Array.from(this.levels.subarray(index * this.size, (index + 1) * this.size), (level) => level * scale);
  }
}

class Apart {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.at = 0;
    this.wanted = null;  // a step of another iteration, which is on its way
    this.speed = "slow";
    const click = (name, act) => this.find(name).addEventListener("click", act);
    click(".forward", () => this.go(this.at + 1));
    click(".back", () => this.go(this.at - 1));
    click(".unit", () => this.go(this.next("unit")));
    click(".half", () => this.go(this.next("half")));
    click(".restart", () => this.go(0));
    click(".play", () => (this.timer ? this.pause() : this.play()));
    this.find(".rail").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.find(".speed").addEventListener("change", (event) => this.setSpeed(event.target.value));
    this.find(".apart").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by || event.target.matches("input, select")) return;
      event.preventDefault();
      this.go(this.at + by);
    });
  }

  receive(data) {
    const other = this.data?.film !== data.film;
    const told = other || data.token !== this.data.token;  // a link, Back, another sample, or the first time
    if (other || this.data.iteration !== data.iteration) this.unpack(data);
    this.data = data;
    this.table = numbers(data.palette, Uint8Array);
    if (told) {
      this.stop();
      clearTimeout(this.reporting);
      [this.at, this.wanted] = [data.step, null];
    } else if (this.wanted !== null && this.has(this.wanted)) {
      [this.at, this.wanted] = [this.wanted, null];
    }
    if (!this.has(this.at)) this.at = Math.max(data.first, Math.min(this.at, data.first + this.steps.length - 1));
    this.show();
  }

  unpack(data) {
    this.signals = new Pictures(data.signals);
    this.start = new Pictures(data.atoms);
    this.renewed = data.updates.map((update) => new Pictures(update.new).at(0));
    this.without = data.updates.map((update) => new Pictures(update.without));
    this.fresh = new Pictures(data.check.fresh);
    const part = (name) => numbers(data.codes[name], Float32Array);
    this.codes = { ...data.codes, correlations: part("correlations"), coefficients: part("coefficients"), lengths: part("lengths"), gram: part("gram") };
    this.count = data.updates.length;
    this.list(data);
  }

  // What each step shows: kind, the signal or atom, and how many atoms the code has before it
  list({ first, codes }) {
    this.steps = first === 0 ? [{ kind: "start" }] : [];
    let [atom, triangle] = [0, 0];
    codes.counts.forEach((count, signal) => {
      const begin = { signal, atom, triangle, length: atom + signal };
      for (let s = 0; s < count; s++) this.steps.push({ kind: "look", s, ...begin }, { kind: "fit", s, ...begin });
      atom += count;
      triangle += (count * (count + 1)) / 2;
    });
    this.coded = this.steps.push({ kind: "coded" }) - 1;
    for (let j = 0; j < this.count; j++) this.steps.push({ kind: "users", j }, { kind: "renew", j });
    this.steps.push({ kind: "check" });
  }

  has(step) {
    return step >= this.data.first && step < this.data.first + this.steps.length;
  }

  get step() {
    return this.steps[this.at - this.data.first];
  }

  // The last step of the next signal or atom, or of the next half of an iteration
  next(kind) {
    const here = this.at - this.data.first;
    const end = this.steps.length - 1;
    if (here === end) return this.at + 1;
    if (kind === "half") return this.data.first + (here < this.coded ? this.coded : end);
    const same = (one, other) => one.kind !== "start" && one.signal === other?.signal && one.j === other?.j;
    let there = here + 1;
    while (there < end && same(this.steps[there], this.steps[there + 1])) there++;
    return this.data.first + there;
  }

  go(step) {
    this.pause();
    this.move(step);
    if (this.wanted === null) this.report();
  }

  move(step) {
    const wanted = Math.max(0, Math.min(step, this.data.last));
    if (this.has(wanted)) {
      [this.at, this.wanted] = [wanted, null];
      this.show();
    } else if (this.wanted !== wanted) {  // its iteration comes with the answer
      this.wanted = wanted;
      this.say(wanted);
    }
  }

  // The page learns of one step at once; of steps in quick succession, of the first and of the one where one stays
  report() {
    clearTimeout(this.reporting);
    if (performance.now() - (this.asked ?? -Infinity) > QUIET) this.say(this.at);
    else this.reporting = setTimeout(() => this.say(this.at), QUIET);
    this.asked = performance.now();
  }

  say(step) {
    clearTimeout(this.reporting);
    this.tell(step);
  }

  setSpeed(speed) {
    this.speed = speed;
    if (!this.timer) return;
    this.stop();
    this.play();
  }

  play() {
    const [pace, kind] = SPEEDS[this.speed];
    if (this.at >= this.data.last) this.move(0);
    this.timer = setInterval(() => {
      if (!this.find(".apart").isConnected) this.stop();  // the page was left
      else if (this.wanted !== null) return;              // the next iteration is on its way
      else if (this.at >= this.data.last) this.pause();
      else this.move(kind === "step" ? this.at + 1 : this.next(kind));
    }, pace);
    this.showButtons();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  pause() {
    if (!this.timer) return;
    this.stop();
    this.showButtons();
    this.report();
  }

  // Atom j as it is at this step
  atomNow(j) {
    const { kind, j: now } = this.step;
    const place = this.data.check.replaced.indexOf(j);
    if (kind === "check" && place >= 0) return this.fresh.at(place);
    const done = kind === "check" || (kind === "renew" && j <= now) || (kind === "users" && j < now);
    return done ? this.renewed[j] : this.start.at(j);
  }

  // The code of the step's signal after its first `count` atoms: which they are, and their coefficients
  codeNow(count) {
    const { atom, triangle } = this.step;
    const start = triangle + (count * (count - 1)) / 2;
    return [this.codes.taken.slice(atom, atom + count), this.codes.coefficients.subarray(start, start + count)];
  }

  show() {
    this.showButtons();
    const shown = DRAWN[this.step.kind](this);
    this.find(".title").textContent = shown.title;
    this.find(".pictures").replaceChildren(...shown.pictures);
    this.find(".formula").replaceChildren(...shown.formula.map((line) => (line instanceof Node ? line : make("p", "", line))));
    this.find(".legend").textContent = shown.legend;
    this.showAtoms(shown);
    this.showCurve();
  }

  showButtons() {
    const { first, iteration, n_iterations: all, last } = this.data;
    const { kind, signal, s, j } = this.step;
    const n = this.data.labels.length;
    const where = {
      start: () => say("Start"),
      look: () => say("signal {signal} of {n} · atom {s}: look", { signal: signal + 1, n, s: s + 1 }),
      fit: () => say("signal {signal} of {n} · atom {s}: refit", { signal: signal + 1, n, s: s + 1 }),
      coded: () => say("all {n} signals coded", { n }),
      users: () => say("atom {j} of {count}: its users", { j: j + 1, count: this.count }),
      renew: () => say("atom {j} of {count}: renewed", { j: j + 1, count: this.count }),
      check: () => say("check of all atoms"),
    }[kind]();
    this.find(".at").textContent = kind === "start" ? where : say("Iteration {iteration} of {all} · {where}", { iteration, all, where });
    const rail = this.find(".rail");
    [rail.min, rail.max, rail.value] = [first, first + this.steps.length - 1, this.at];
    const next = this.steps[this.at - first + 1];
    this.find(".forward").textContent = next ? say("Step: {next} ▶", { next: NEXT[next.kind](next) }) : say("Step: next iteration ▶");
    this.find(".unit").textContent = !next || next.j === undefined ? say("Whole signal") : say("Whole atom");
    this.find(".half").textContent = this.at - first < this.coded || !next ? say("All signals") : say("All atoms");
    for (const name of [".forward", ".unit", ".half"]) this.find(name).disabled = this.at >= last;
    for (const name of [".back", ".restart"]) this.find(name).disabled = this.at <= 0;
    this.find(".play").textContent = this.timer ? say("⏸ Pause") : say("▶ Play");
    Object.assign(this.find(".apart").dataset, { step: this.at, kind, iteration });
  }

  // All atoms, each with a bar and a number below; a click goes to the atom's update
  showAtoms({ bars, digits = 0, chosen = -1, taken = [], replaced = [] }) {
    const most = Math.max(...bars.map(Math.abs), 1e-9);
    const tiles = this.find(".atoms");
    if (tiles.children.length !== this.count) tiles.replaceChildren(...Array.from({ length: this.count }, (_, j) => this.tile(j)));
    for (let j = 0; j < this.count; j++) {
      const [button] = tiles.children[j].children;
      const [canvas, size, text] = button.children;
      this.paint(canvas, this.atomNow(j));
      size.firstChild.style.width = `${(100 * Math.abs(bars[j])) / most}%`;
      text.textContent = bars[j] === null ? "" : digits ? signed(bars[j], digits) : bars[j];
      button.className = j === chosen ? "chosen" : taken.includes(j) ? "taken" : replaced.includes(j) ? "replaced" : "";
      button.title = say("Atom {j}{state}: go to its update", { j: j + 1, state: j === chosen ? say(", chosen") : taken.includes(j) ? say(", taken before") : "" });
      button.setAttribute("aria-label", `${button.title}. ${text.textContent}`);
    }
  }

  tile(j) {
    const button = make("button");
    button.type = "button";
    const size = make("div", "size");
    size.append(make("i"));
    button.append(make("canvas"), size, make("span"));
    button.addEventListener("click", () => this.go(this.data.first + this.coded + 2 * j + 1));
    const item = make("div");
    item.setAttribute("role", "listitem");
    item.append(button);
    return item;
  }

  paint(canvas, values, peak = Math.max(1e-9, ...values.map(Math.abs))) {
    paintLevels(canvas, Array.from(values, (value) => (127 * value) / peak), this.table);
  }

  picture(values, caption, className, peak) {
    const figure = make("figure", className);
    const canvas = make("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", caption);
    this.paint(canvas, values, peak);
    figure.append(canvas, make("figcaption", "", caption));
    return figure;
  }

  // Squared errors so far, as shares of ‖X‖²: after coding, then after each atom
  errorsNow() {
    const { earlier, coded, updates } = this.data;
    const { kind, j } = this.step;
    const done = { users: j, renew: j + 1, check: this.count }[kind] ?? 0;
    const now = this.at - this.data.first < this.coded ? [] : [coded.error, ...updates.slice(0, done).map((one) => one.errors[1])];
    return [...earlier, ...now].map((error) => (100 * error) / Math.max(this.data.energy, 1e-12));
  }

  showCurve() {
    const shares = this.errorsNow();
    const width = this.count + 1;  // points of an iteration
    const span = Math.max(4, Math.ceil(shares.length / width));
    const when = (point) => Math.floor(point / width) + 0.5 + (0.5 * (point % width)) / this.count;
    const top = Math.max(...shares, 0);
    const bottom = Math.min(...shares, top);
    const x = (point) => 48 + (336 * when(point)) / span;
    const y = (share) => 104 - (78 * (share - bottom)) / Math.max(top - bottom, 1e-9);
    const parts = [
      ["line", { class: "axis", x1: 48, x2: 384, y1: 110, y2: 110 }],
      ["line", { class: "axis", x1: 48, x2: 48, y1: 22, y2: 110 }],
      ["text", { class: "title", x: 200, y: 12, "text-anchor": "middle" }, shares.length ? say("Error ‖X − AD‖²: {at} % of ‖X‖²", { at: shares.at(-1).toFixed(2) }) : ""],
      ...Array.from({ length: span + 1 }, (_, l) => l).filter((l) => l % Math.ceil(span / 10) === 0)
        .map((l) => ["text", { x: 48 + (336 * l) / span, y: 124, "text-anchor": "middle" }, `${l}`]),
    ];
    if (shares.length) {
      parts.push(
        ["path", { class: "line", d: `M${shares.map((share, point) => `${x(point).toFixed(1)} ${y(share).toFixed(1)}`).join("L")}` }],
        ["circle", { class: "dot", cx: x(shares.length - 1), cy: y(shares.at(-1)), r: 5 }],
        ["text", { x: 43, y: 30, "text-anchor": "end" }, `${top.toFixed(1)} %`],
      );
      if (top > bottom) parts.push(["text", { x: 43, y: 108, "text-anchor": "end" }, `${bottom.toFixed(1)} %`]);
    }
    this.find(".curve").classList.toggle("empty", !shares.length);
    const svg = this.find(".curve svg");
    svg.setAttribute("aria-label", say("{parts}. Horizontal: iterations that are over.", { parts: parts[2][2] }));
    svg.replaceChildren(...parts.map(([tag, attributes, text = ""]) => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      part.textContent = text;
      return part;
    }));
  }
}
