// The weights of the three measures as a point in a triangle, dragged or moved by arrow keys.
const triangles = new WeakMap();
const EVERY = 120;      // ms between two messages while the handle moves
const PATIENCE = 2000;  // ms to wait for an answer before sending again
const RE = [20, 104], AF = [130, 104], CM = [75, 22];  // corners of the picture, in its pixels
const LINES = [0.25, 0.5, 0.75];  // weights at which the grid has lines
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export default function (component) {
  const { parentElement, data } = component;
  let triangle = triangles.get(parentElement);
  if (!triangle) triangles.set(parentElement, (triangle = new Triangle(parentElement)));
  triangle.send = (weights) => component.setStateValue("weights", weights);
  triangle.receive(data);
}

class Triangle {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.handle = this.find(".handle");
    this.weights = [0, 0];  // in hundredths: α, β
    this.sent = 0;
    const picture = this.find("svg");
    this.find(".grid").setAttribute("d", gridPath());
    for (const [name, [x, y]] of Object.entries({ re: RE, af: AF, cm: CM }))
      for (const [key, value] of [["x1", x], ["y1", y]]) this.find(`.${name}`).setAttribute(key, value);
    for (const part of [picture, this.handle]) {
      part.addEventListener("pointerdown", (event) => this.grasp(event, part));
      part.addEventListener("pointermove", (event) => this.dragging && this.move(this.under(event)));
      for (const end of ["pointerup", "pointercancel"]) part.addEventListener(end, () => this.release());
    }
    this.handle.addEventListener("keydown", (event) => this.key(event));
  }

  // The page's weights; those in the visitor's hand, or on their way to the page, are newer
  receive(data) {
    this.unused = data.unused;
    this.find(".triangle").classList.toggle("unused", data.unused);
    this.handle.setAttribute("aria-label", data.label);
    this.handle.setAttribute("aria-disabled", String(data.unused));
    if (this.waiting && data.seen >= this.sent) {
      this.waiting = false;
      this.speak();
    }
    if (!this.dragging && !this.dirty && !this.waiting) {
      const told = [data.alpha, data.beta];
      this.weights = told.map((weight) => Math.round(100 * weight));
      // A link may name weights between the hundredths.
      this.exact = told.some((weight, axis) => Math.abs(100 * weight - this.weights[axis]) > 1e-6) ? told : null;
    }
    this.draw();
  }

  grasp(event, part) {
    if (this.unused || event.button > 0) return;
    event.preventDefault();
    this.handle.focus({ preventScroll: true, focusVisible: false });
    part.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.move(this.under(event));
  }

  release() {
    if (!this.dragging) return;
    this.dragging = false;
    this.speak();
  }

  // The weights at the pointer, or at the nearest place inside
  under(event) {
    const box = this.find("svg").getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const beta = Math.min(1, Math.max(0, (RE[1] - y) / (RE[1] - CM[1])));
    const alpha = Math.min(1 - beta, Math.max(0, (x - RE[0] - beta * (CM[0] - RE[0])) / (AF[0] - RE[0])));
    const hundredths = Math.round(100 * beta);
    return [Math.min(Math.round(100 * alpha), 100 - hundredths), hundredths];
  }

  key(event) {
    const step = STEPS[event.key];
    if (this.unused || !(step || event.key === "Home")) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const moved = step ? this.weights.map((weight, axis) => Math.min(100, Math.max(0, weight + far * step[axis]))) : [0, 0];
    // The weight that is moved pushes the other one down, as the sliders do.
    const other = step && step[0] ? 1 : 0;
    moved[other] = Math.min(moved[other], 100 - moved[1 - other]);
    this.move(moved);
  }

  move(weights) {
    if (weights[0] === this.weights[0] && weights[1] === this.weights[1] && !this.exact) return;
    [this.weights, this.exact, this.dirty] = [weights, null, true];
    this.draw();
    this.speak();
  }

  // Tell the page, but not faster than it answers
  speak() {
    const now = performance.now();
    if (!this.dirty) return;
    const rest = Math.max((this.at ?? -EVERY) + EVERY - now, this.waiting ? (this.at + PATIENCE) - now : 0);
    clearTimeout(this.timer);
    if (rest > 0) {
      this.timer = setTimeout(() => this.speak(), rest);
      return;
    }
    this.dirty = false;
    this.waiting = true;
    this.at = now;
    this.sent = Date.now();
    this.send([...this.weights, this.sent]);
  }

  draw() {
    const [alpha, beta] = this.exact ?? this.weights.map((weight) => weight / 100);
    const rest = Math.max(0, 1 - alpha - beta);
    const [x, y] = at(rest, alpha, beta);
    Object.assign(this.handle.style, { left: `${x}px`, top: `${y}px` });
    for (const line of this.find("svg").querySelectorAll(".mix")) {
      line.setAttribute("x2", x);
      line.setAttribute("y2", y);
      line.style.opacity = { re: rest, af: alpha, cm: beta }[line.classList[1]];
    }
    this.find(".numbers").textContent = `α ${alpha.toFixed(2)} · β ${beta.toFixed(2)}\n1−α−β ${rest.toFixed(2)}`;
    this.handle.setAttribute("aria-valuenow", alpha.toFixed(2));
    this.handle.setAttribute("aria-valuetext", `α ${alpha.toFixed(2)}, β ${beta.toFixed(2)}, 1−α−β ${rest.toFixed(2)}`);
  }
}

// Where weights of m_re, m_af and m_cm stand
function at(re, af, cm) {
  return [0, 1].map((axis) => re * RE[axis] + af * AF[axis] + cm * CM[axis]);
}

function gridPath() {
  const line = (from, to) => `M ${from.join(" ")} L ${to.join(" ")}`;
  return LINES.flatMap((part) => [
    line(at(1 - part, part, 0), at(0, part, 1 - part)),
    line(at(1 - part, 0, part), at(0, 1 - part, part)),
    line(at(part, 1 - part, 0), at(part, 0, 1 - part)),
  ]).join(" ");
}
