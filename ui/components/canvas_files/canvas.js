// A sheet to draw on and the answer beside it. Strokes go to the server, never pixels;
// while the pen moves one message is under way at a time, so that no old drawings queue up.
const SIDE = 280;
const EVERY = 120;      // ms between two messages while the pen moves; more where answers take long
const PATIENCE = 2000;  // ms to wait for an answer before sending again
const PHOTO_SIDE = 640;    // more the server would only shrink
const PHOTO_LETTERS = 500_000;  // of a picture's URL; the server takes little more
const MAX_POINTS = 3000;   // of a drawing; beyond, every second point goes
const desks = new WeakMap();
let latest = null;         // the drawing on the newest sheet: the server does not send it back

export default function (component) {
  const { parentElement, data } = component;
  let desk = desks.get(parentElement);
  if (!desk) {
    desk = new Desk(parentElement, data);
    desks.set(parentElement, desk);
  }
  desk.send = component.setStateValue;
  desk.receive(data);
}

class Desk {
  constructor(root, data) {
    this.find = (name) => root.querySelector(name);
    this.sheet = this.find(".sheet");
    const own = data.strokes === undefined && latest?.version === data.seen ? latest : {};
    this.strokes = data.strokes ?? own.strokes ?? [];
    this.photo = data.photo ?? own.photo ?? null;
    this.brush = data.brush ?? own.brush ?? 20;
    this.version = data.seen ?? 0;
    this.sent = this.version;
    this.token = data.token;
    this.pen = null;        // id of the pointer that draws
    this.waiting = false;
    this.dirty = false;
    this.timer = 0;
    this.took = 0;          // ms the last answer took
    this.buildBars(data.colors);
    this.buildExamples(data.examples);
    this.listen();
    this.redraw();
  }

  // Drawing

  listen() {
    const sheet = this.sheet;
    sheet.addEventListener("pointerdown", (event) => this.start(event));
    sheet.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"])
      sheet.addEventListener(kind, (event) => this.stop(event));
    sheet.addEventListener("keydown", (event) => this.key(event));
    // Anywhere on the page: who has just copied a picture has not clicked the sheet before.
    const pasted = (event) => {
      if (sheet.isConnected) this.paste(event);
      else document.removeEventListener("paste", pasted);  // the page was left
    };
    document.addEventListener("paste", pasted);
    sheet.addEventListener("dragover", (event) => { event.preventDefault(); sheet.classList.add("dropping"); });
    sheet.addEventListener("dragleave", () => sheet.classList.remove("dropping"));
    sheet.addEventListener("drop", (event) => {
      event.preventDefault();
      sheet.classList.remove("dropping");
      this.load(event.dataTransfer.files[0]);
    });
    this.find(".undo").addEventListener("click", () => this.undo());
    this.find(".clear").addEventListener("click", () => this.clear());
    const file = this.find(".file");
    this.find(".open").addEventListener("click", () => file.click());
    file.addEventListener("change", () => { this.load(file.files[0]); file.value = ""; });
    const brush = this.find(".brush input");
    brush.value = this.brush;
    brush.addEventListener("input", () => { this.brush = Number(brush.value); this.redraw(); });
  }

  place(event) {
    const box = this.sheet.getBoundingClientRect();
    const at = (value, start, length) => Math.round(((value - start) / length) * SIDE * 10) / 10;
    return [at(event.clientX, box.left, box.width), at(event.clientY, box.top, box.height)];
  }

  start(event) {
    if (this.pen !== null || event.button > 0) return;
    event.preventDefault();
    this.sheet.focus({ preventScroll: true });
    this.pen = event.pointerId;
    try { this.sheet.setPointerCapture(this.pen); } catch { /* a pointer that is gone already */ }
    this.photo = null;
    this.strokes.push([this.place(event)]);
    this.redraw();
    this.changed(false);
  }

  move(event) {
    if (event.pointerId !== this.pen) return;
    const stroke = this.strokes.at(-1);
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) {
      const [x, y] = this.place(each);
      const [lastX, lastY] = stroke.at(-1);
      if (Math.hypot(x - lastX, y - lastY) >= 1.5) stroke.push([x, y]);
    }
    if (this.thin()) this.redraw();
    else this.line.setAttribute("d", path(stroke));
    this.changed(false);
  }

  stop(event) {
    if (event.pointerId !== this.pen) return;
    this.pen = null;
    this.changed(true);
  }

  // A drawing that goes on and on loses points, never its ends
  thin() {
    if (this.strokes.reduce((sum, stroke) => sum + stroke.length, 0) <= MAX_POINTS) return false;
    const every = (stroke) => stroke.filter((_, index) => index % 2 === 0 || index === stroke.length - 1);
    this.strokes = this.strokes.map(every);
    return true;
  }

  undo() {
    if (this.photo) this.photo = null;
    else this.strokes.pop();
    this.redraw();
    this.changed(true);
  }

  clear() {
    this.strokes = [];
    this.photo = null;
    this.redraw();
    this.changed(true);
  }

  key(event) {
    const undo = event.key === "Backspace" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z");
    if (!undo && event.key !== "Delete") return;
    event.preventDefault();
    event.stopPropagation();
    if (undo) this.undo();
    else this.clear();
  }

  redraw() {
    const ink = this.find(".ink");
    ink.replaceChildren(...this.strokes.map((stroke) => {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", path(stroke));
      line.setAttribute("stroke-width", this.brush);
      return line;
    }));
    this.line = ink.lastElementChild;
    const photo = this.find(".photo");
    if (this.photo) photo.setAttribute("href", this.photo);
    else photo.removeAttribute("href");
    this.find(".hint").style.display = this.strokes.length || this.photo ? "none" : "";
  }

  // Pictures

  paste(event) {
    if (event.composedPath()[0].matches?.("input:not([type=range]), textarea, [contenteditable]")) return;
    const item = [...(event.clipboardData?.items ?? [])].find((each) => each.type.startsWith("image/"));
    if (!item) return;
    event.preventDefault();
    this.load(item.getAsFile());
  }

  async load(file) {
    if (!file) return;
    this.photo = await reduced(file);
    this.strokes = [];
    this.redraw();
    this.changed(true);
  }

  // Conversation with the server

  changed(done) {
    this.version += 1;
    this.find(".desk").dataset.drawn = this.version;
    this.dirty = true;
    this.speak(done);
  }

  speak(done) {
    const now = performance.now();
    // A finished drawing does not wait: the server drops what it is doing for an older one.
    if (!this.dirty || (!done && this.waiting && now - this.at < PATIENCE)) return;
    const pause = Math.max(EVERY, 1.5 * this.took);
    const rest = (this.at ?? -pause) + pause - now;
    if (!done && rest > 0) {
      this.later(rest);
      return;
    }
    this.dirty = false;
    this.waiting = true;
    this.at = now;
    this.sent = this.version;
    latest = this;
    this.later(PATIENCE);
    const live = this.pen !== null;
    this.send("drawing", { id: this.version, strokes: this.strokes, brush: this.brush, photo: this.photo, live });
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.speak(this.pen === null), wait);
  }

  receive(data) {
    if (data.token !== this.token) {  // the page has another drawing, or wants an empty sheet
      this.token = data.token;
      this.strokes = data.strokes ?? [];
      this.photo = null;
      this.redraw();
    }
    this.show(data);
    if (this.waiting && data.seen >= this.sent) {
      this.waiting = false;
      this.took = performance.now() - this.at;
      this.speak(this.pen === null);
    }
  }

  // The answer

  buildBars(colors) {
    this.rows = colors.map((color, number) => {
      const row = document.createElement("div");
      row.className = "bar";
      row.setAttribute("role", "listitem");
      for (const name of ["name", "track", "share"]) {
        const part = document.createElement("div");
        part.className = name;
        row.append(part);
      }
      const fill = document.createElement("div");
      fill.className = "fill";
      fill.style.background = color;
      row.children[0].textContent = number;
      row.children[1].append(fill);
      return row;
    });
    this.find(".bars").replaceChildren(...this.rows);
  }

  buildExamples(examples) {
    const group = this.find(".examples");
    group.replaceChildren(group.firstElementChild, ...examples.map((strokes, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = number;
      button.setAttribute("aria-label", say("Load an example of the digit {number}", { number }));
      button.addEventListener("click", () => {
        this.strokes = structuredClone(strokes);
        this.photo = null;
        this.redraw();
        this.changed(true);
      });
      return button;
    }));
  }

  show(data) {
    const answer = data.answer;
    const best = answer?.digit ?? null;  // null too where the drawing is no digit
    this.find(".digit").textContent = best ?? "?";
    this.find(".digit").style.setProperty("--color", best === null ? "transparent" : data.colors[best]);
    this.find(".bars").classList.toggle("doubtful", answer !== null && best === null);
    this.find(".words").textContent = data.words;
    this.find(".desk").dataset.seen = data.seen;
    this.rows.forEach((row, number) => {
      const share = answer ? answer.probabilities[number] : 0;
      row.classList.toggle("best", number === best);
      row.querySelector(".fill").style.transform = `scaleX(${share})`;
      row.querySelector(".share").textContent = answer ? `${(100 * share).toFixed(1)} %` : "";
    });
    this.tell(answer);
  }

  // Whoever shows more of what was read, as the strip below does, learns of it in the same moment
  tell(answer) {
    const detail = { answer, strokes: this.strokes, photo: this.photo, brush: this.brush };
    globalThis.digitRead = detail;
    document.dispatchEvent(new CustomEvent("digit-read", { detail }));
  }
}

function path(stroke) {
  const [x, y] = stroke[0];
  if (stroke.length === 1) return `M${x} ${y}h0.01`;
  return `M${x} ${y}` + stroke.slice(1).map((point) => `L${point[0]} ${point[1]}`).join("");
}

// A picture small enough to send; of what the browser cannot read only the head goes, and the server says what is wrong.
async function reduced(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, PHOTO_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const exact = canvas.toDataURL("image/png");
    return exact.length <= PHOTO_LETTERS ? exact : canvas.toDataURL("image/jpeg", 0.8);
  } catch {
    const head = file.slice(0, 10_000);
    return new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(head);
    });
  }
}
