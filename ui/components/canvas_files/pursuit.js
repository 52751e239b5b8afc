// Orthogonal matching pursuit, one step at a time. All steps come in one message; playing them needs no server.
const films = new WeakMap();
const PACE = 900;   // ms for each step while it plays
const QUIET = 150;  // ms without a step before the page learns where one is

export default function (component) {
  const { parentElement, data } = component;
  let film = films.get(parentElement);
  if (!film) films.set(parentElement, (film = new Film(parentElement)));
  // With the time, because the same step may be chosen again after Back has chosen another.
  film.tell = (step) => component.setStateValue("picked", [step, Date.now()]);
  film.open = (atom) => component.setStateValue("opened", [atom, Date.now()]);
  film.receive(data);
}

class Film {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.at = 0;
    this.told = null;   // the step that the page said last
    this.said = [];     // steps that the page was told and has not answered yet
    this.find(".back").addEventListener("click", () => this.go(this.at - 1));
    this.find(".forward").addEventListener("click", () => this.go(this.at + 1));
    this.find(".play").addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    this.find(".step").addEventListener("input", (event) => this.go(Number(event.target.value)));
  }

  receive(data) {
    this.table = numbers(data.palette, Uint8Array);
    this.levels = numbers(data.pictures);
    this.side2 = this.levels.length / data.atoms.length;
    this.values = numbers(data.coefficients, Int16Array);
    this.signal = Float32Array.from(numbers(data.signal, Uint8Array), (level) => level / 255);
    this.data = data;
    const slider = this.find(".step");
    slider.max = data.taken.length;
    const answered = this.said.indexOf(data.step);
    if (answered >= 0) this.said.splice(0, answered + 1);
    else if (data.step !== this.told && !this.timer) this.at = data.step;  // a link, Back, or the first time
    this.told = data.step;
    this.at = Math.max(1, Math.min(this.at, data.taken.length));
    this.show();
  }

  // The coefficients of the first `step` atoms after that step
  coefficients(step) {
    const start = (step * (step - 1)) / 2;
    return Array.from(this.values.subarray(start, start + step), (value) => value / 1000);
  }

  go(step) {
    this.pause();
    this.move(step);
    this.report();
  }

  move(step) {
    this.at = Math.max(1, Math.min(step, this.data.taken.length));
    this.show();
  }

  // The page learns of one step at once; of steps in quick succession, of the first and of the one where one stays
  report() {
    clearTimeout(this.reporting);
    if (performance.now() - (this.asked ?? -Infinity) > QUIET) this.say();
    else this.reporting = setTimeout(() => this.say(), QUIET);
    this.asked = performance.now();
  }

  say() {
    this.said.push(this.at);
    this.tell(this.at);
  }

  play() {
    if (this.at >= this.data.taken.length) this.move(1);
    this.timer = setInterval(() => {
      if (!this.find(".pursuit").isConnected) clearInterval(this.timer);  // the page was left
      else if (this.at >= this.data.taken.length) this.pause();
      else this.move(this.at + 1);
    }, PACE);
    this.showButtons();
  }

  pause() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.showButtons();
    this.report();
  }

  show() {
    this.showButtons();
    this.showPictures();
    this.showCurve();
    this.showCandidates();
    this.showFormula();
    this.showRefit();
  }

  showButtons() {
    const last = this.data.taken.length;
    this.find(".step").value = this.at;
    this.find(".at").textContent = say("Step {at} of {last}", { at: this.at, last });
    this.find(".play").textContent = this.timer ? say("⏸ Pause") : say("▶ Play");
    this.find(".back").disabled = this.at <= 1;
    this.find(".forward").disabled = this.at >= last;
    this.find(".pursuit").dataset.step = this.at;
  }

  // All three on one scale
  showPictures() {
    const built = new Float32Array(this.signal.length);
    this.coefficients(this.at).forEach((value, place) => {
      const atom = this.data.taken[place];
      const scale = (value * this.data.peaks[atom]) / 127;
      for (let at = 0; at < built.length; at++) built[at] += scale * this.levels[atom * this.side2 + at];
    });
    const left = this.signal.map((value, at) => value - built[at]);
    const peak = Math.max(1e-9, ...this.signal.map(Math.abs), ...built.map(Math.abs));
    const paint = (name, values) => paintLevels(this.find(name), Array.from(values, (value) => (127 * value) / peak), this.table);
    paint(".x", this.signal);
    paint(".built", built);
    paint(".left", left);
    this.find(".built-from").textContent = this.at > 1 ? say("built from {count} atoms", { count: this.at }) : say("built from 1 atom");
  }

  share(step) {
    return (100 * this.data.residuals[step]) / Math.max(this.data.residuals[0], 1e-9);
  }

  showCurve() {
    const { residuals } = this.data;
    const x = (step) => 44 + (284 * step) / (residuals.length - 1);
    const y = (share) => 122 - share;
    const points = residuals.map((_, step) => `${x(step).toFixed(1)} ${y(this.share(step)).toFixed(1)}`);
    const last = residuals.length - 1;
    const parts = [
      ["line", { class: "axis", x1: 44, x2: 328, y1: 122, y2: 122 }],
      ["line", { class: "axis", x1: 44, x2: 44, y1: 22, y2: 122 }],
      ["path", { class: "line", d: `M${points.join("L")}` }],
      ["circle", { class: "dot", cx: x(this.at), cy: y(this.share(this.at)), r: 6 }],
      ["text", { class: "title", x: 186, y: 12, "text-anchor": "middle" }, say("Left over after {at}: {share} %", { at: this.at, share: this.share(this.at).toFixed(1) })],
      ["text", { x: 38, y: 27, "text-anchor": "end" }, "100 %"],
      ["text", { x: 38, y: 124, "text-anchor": "end" }, "0"],
      ["text", { x: 44, y: 140, "text-anchor": "middle" }, "0"],
      ["text", { x: 328, y: 140, "text-anchor": "end" }, `${last}`],
      ["text", { x: 186, y: 140, "text-anchor": "middle" }, say("atoms taken")],
    ];
    const svg = this.find(".curve svg");
    svg.setAttribute("role", "img");  // not before it has a name
    svg.setAttribute("aria-label", say("Length of the residual after each step; after {at} steps {share} % are left.", { at: this.at, share: this.share(this.at).toFixed(1) }));
    svg.replaceChildren(...parts.map(([tag, attributes, text = ""]) => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      part.textContent = text;
      return part;
    }));
  }

  // A picture of an atom with its class; a button if the atom can be opened
  card(atom, about, ...lines) {
    const card = make(this.data.opens ? "button" : "div", "card");
    const name = `${about}, ${this.data.labels[this.data.classes[atom]]}`;
    if (this.data.opens) {
      card.type = "button";
      card.addEventListener("click", () => this.open(this.data.atoms[atom]));
      card.setAttribute("aria-label", say("{name}. Open it on the Atoms page", { name }));
    }
    card.title = name;
    const canvas = make("canvas");
    canvas.setAttribute("aria-hidden", "true");
    paintLevels(canvas, this.levels.subarray(atom * this.side2, (atom + 1) * this.side2), this.table);
    const kind = make("span", "class", this.data.labels[this.data.classes[atom]]);
    kind.style.setProperty("--color", this.data.colors[this.data.classes[atom]]);
    card.append(canvas, kind, ...lines);
    const item = make("div");
    item.setAttribute("role", "listitem");
    item.append(card);
    return [item, card];
  }

  candidates() {
    const count = this.data.candidates.length / this.data.taken.length;
    const start = (this.at - 1) * count;
    return Array.from({ length: count }, (_, place) => [this.data.candidates[start + place], this.data.similar[start + place]]);
  }

  showCandidates() {
    const found = this.candidates();
    const most = Math.max(...found.map(([, value]) => Math.abs(value)), 1e-9);
    this.find(".candidates").replaceChildren(...found.map(([atom, value]) => {
      const size = make("div", "size");
      size.append(make("i"));
      size.firstChild.style.width = `${(100 * Math.abs(value)) / most}%`;
      const taken = atom === this.data.taken[this.at - 1];
      const [item, card] = this.card(
        atom, `${taken ? say("Taken: ") : ""}⟨r, d⟩ = ${signed(value, 3)}`, make("b", "", signed(value, 3)), size,
        make("span", "tag", taken ? say("✓ taken") : ""),
      );
      card.classList.toggle("chosen", taken);
      return item;
    }));
  }

  showFormula() {
    const place = this.candidates().findIndex(([atom]) => atom === this.data.taken[this.at - 1]);
    const value = this.candidates()[Math.max(0, place)][1];
    const atom = this.data.taken[this.at - 1];
    const [before, after] = [this.data.residuals[this.at - 1], this.data.residuals[this.at]];
    this.find(".take").textContent =
      say("max |⟨r, d⟩| = {value}: take this atom of {atom}.", { value: Math.abs(value).toFixed(3), atom: this.data.labels[this.data.classes[atom]] });
    this.find(".fit").textContent = this.at === 1
      ? say("a₁ = ⟨x, d₁⟩ = {coefficients}, because d₁ has length 1.", { coefficients: signed(this.coefficients(1)[0], 3) })
      : say("Fit all {at} coefficients again, so that ‖x − a₁d₁ − … − a{low}d{low}‖ is smallest; the new one becomes {value}.", { at: this.at, low: low(this.at), value: signed(this.coefficients(this.at).at(-1), 3) });
    this.find(".fall").textContent =
      say("‖r‖ falls from {before} to {after}: {at} % → {at2} % of ‖x‖.", { before: before.toFixed(3), after: after.toFixed(3), at: this.share(this.at - 1).toFixed(1), at2: this.share(this.at).toFixed(1) });
  }

  showRefit() {
    const before = this.at > 1 ? this.coefficients(this.at - 1) : [];
    const after = this.coefficients(this.at);
    this.find(".refit").replaceChildren(...after.map((value, place) => {
      const isNew = place === this.at - 1;
      const was = isNew ? say("new") : signed(before[place]);
      const [item, card] = this.card(
        this.data.taken[place], say("Atom {place}: {was} → {value}", { place: place + 1, was, value: signed(value) }),
        make("span", "before", isNew ? say("new") : `${was} →`), make("b", "", signed(value)),
      );
      card.classList.toggle("chosen", isNew);
      return item;
    }));
  }
}
