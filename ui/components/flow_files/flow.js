// The five steps of an iteration: each picture grows out of the one before it. Plays once in a browser's first
// visit, and afterwards only when asked to.
const flows = new WeakMap();
const TIMES = [1200, 1200, 1700, 1300, 1500];  // ms of each step
const PATIENCE = 400;  // ms: a frame that takes longer was not seen by anybody
const LAST = TIMES.length - 1;
const PLAYED = "dasksvd-flow-played";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export default function (component) {
  const { parentElement, data } = component;
  let flow = flows.get(parentElement);
  if (!flow) flows.set(parentElement, (flow = new Flow(parentElement)));
  // With the time, because the same step may be opened again after Back.
  flow.open = (step) => component.setStateValue("picked", [step, Date.now()]);
  flow.show(data);
}

class Flow {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.figure = this.find(".flow");
    [this.step, this.part] = [LAST, 1];  // the step that is shown last, and how much of it
    this.last = LAST;                    // where playing stops
    this.frame = 0;
    this.find(".back").addEventListener("click", () => this.back());
    this.find(".next").addEventListener("click", () => this.next());
    this.find(".play").addEventListener("click", () => this.toggle());
    this.figure.addEventListener("keydown", (event) => this.key(event));
  }

  async show(data) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const names = ["drawn", "noisy", "learned", "kept"];
    const loaded = await Promise.all(names.map((name) => picture(data[name])));
    if (turn !== this.turn) return;  // newer data came meanwhile
    this.data = data;
    this.pictures = Object.fromEntries(names.map((name, place) => [name, loaded[place]]));
    this.figure.setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    this.build();
    this.paint();
    if (turn === 1 && !calm.matches && !wasPlayed()) this.playWhenSeen();
  }

  // What is shown

  build() {
    const { counts: [drawn, learned, kept], judged, names, bars, stages } = this.data;
    const grid = (count, ...kinds) => group("tiles", range(count).map((place) => this.tile(place, ...kinds)));
    const panes = [grid(drawn, "drawn"), grid(drawn, "drawn", "noisy"), grid(learned, "noisy", "learned"),
      group("judging", [this.tile(judged, "learned"), group("bars", bars.map(bar))]),
      group("tiles kept", range(kept).map((place) => named(this.tile(place, "kept"), names[place])))];
    this.panes = panes;
    panes.forEach((pane) => { pane.classList.add("pane"); pane.ariaHidden = "true"; });
    if (this.stages) stages.forEach((stage, place) => this.fill(this.stages[place], stage, panes[place], place));
    else this.stages = stages.map((stage, place) => this.fill(button(() => this.open(place)), stage, panes[place], place));
    if (!this.stages[0].isConnected) this.find(".stages").replaceChildren(...this.stages.map(inList));
  }

  // A step keeps its button, and with it the focus, when its content changes.
  fill(door, [title, caption, opens], pane, place) {
    const head = group("head", [text("b", `${place + 1} ${title}`), text("span", opens, "opens")]);
    door.replaceChildren(head, pane, text("span", caption, "caption"));
    door.setAttribute("aria-label", say("{place} {title}. {caption}. Opens {opens}", { place: place + 1, title, caption, opens }));
    return door;
  }

  // One image, or one over the other, from the columns of images
  tile(place, ...kinds) {
    const { side } = this.data;
    return group("tile", kinds.map((kind) => {
      const sheet = document.createElement("canvas");
      sheet.width = sheet.height = side;
      const from = place % Math.round((this.pictures[kind].height + 1) / (side + 1));
      sheet.getContext("2d").drawImage(this.pictures[kind], 0, from * (side + 1), side, side, 0, 0, side, side);
      return sheet;
    }));
  }

  paint() {
    const shown = range(LAST + 1).map((step) => (step < this.step ? 1 : step > this.step ? 0 : this.part));
    const [draw, noise, learn, judge, keep] = calm.matches ? shown.map((part) => Math.ceil(part)) : shown;
    this.stages.forEach((stage, step) => {
      stage.classList.toggle("now", step === this.step && (this.frame !== 0 || this.step < LAST));
      stage.parentElement.classList.toggle("coming", step > this.step);
    });
    const tiles = (step) => [...this.panes[step].children];
    tiles(0).forEach((tile, place, all) => slide(tile, eased(staged(draw, place, all.length))));
    tiles(1).forEach((tile) => fade(tile, eased(noise)));
    tiles(2).forEach((tile, place, all) => {
      fade(tile, eased(staged(learn, (7 * place) % all.length, all.length)));
      const kept = keep > 0 ? this.data.origins.includes(place) : judge > 0 && place === this.data.judged;
      tile.classList.toggle("marked", kept);
    });
    this.paintBars(judge);
    tiles(4).forEach((tile, place, all) => this.fly(tile.firstChild, place, eased(staged(keep, place, all.length))));
    this.tell();
  }

  paintBars(part) {
    const most = Math.max(...this.data.bars.map(([, share]) => share), 1e-9);
    this.panes[3].querySelectorAll(".bar").forEach((column, place) => {
      const [, share, , mark] = this.data.bars[place];
      // Beside name and mark
      column.querySelector("i").style.height = `calc((100% - 28px) * ${(share / most) * eased(Math.min(1, part / 0.7))})`;
      column.querySelector("b").style.visibility = part > 0.75 ? "" : "hidden";
      column.classList.toggle("strong", mark !== "" && part > 0.75);
    });
  }

  // An atom that stays comes from its place among all that were learned.
  fly(sheet, place, part) {
    sheet.style.transform = "";
    sheet.style.opacity = part > 0 ? 1 : 0;
    if (part <= 0 || part >= 1) return;
    const [to, from] = [sheet, this.panes[2].children[this.data.origins[place]]].map((one) => one.getBoundingClientRect());
    const rest = 1 - part;
    const size = 1 + rest * (from.width / to.width - 1);
    sheet.style.transform = `translate(${rest * (from.left - to.left)}px, ${rest * (from.top - to.top)}px) scale(${size})`;
  }

  tell() {
    const playing = this.frame !== 0;
    const done = this.step === LAST && this.part >= 1;
    const word = playing ? say("Pause") : done ? say("Replay") : say("Play");
    if (this.find(".play").textContent !== word) this.find(".play").textContent = word;
    Object.assign(this.figure.dataset, { step: this.step + 1, playing, done });
  }

  // What is played

  playWhenSeen() {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      remember();
      this.run(0, LAST);
    }, { threshold: 0.5 });
    watch.observe(this.figure);
  }

  run(from, to, part = 0) {
    this.stop();
    [this.step, this.part, this.last] = [from, part, to];
    let before = performance.now();
    const tick = (now) => {
      // Slow frames are skipped, so that the film is as long on a busy machine; a tab in the background stands still.
      this.part += Math.min(PATIENCE, Math.max(0, now - before)) / TIMES[this.step];
      before = now;
      if (this.part >= 1 && this.step < this.last) [this.step, this.part] = [this.step + 1, 0];
      else if (this.part >= 1 || !this.figure.isConnected) return this.rest(this.step, Math.min(1, this.part));
      this.frame = requestAnimationFrame(tick);
      this.follow();
      this.paint();
    };
    this.frame = requestAnimationFrame(tick);
    this.follow();
    this.paint();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  rest(step, part = 1) {
    this.stop();
    [this.step, this.part] = [step, part];
    this.follow();
    this.paint();
  }

  toggle() {
    if (this.frame) this.rest(this.step, this.part);
    else if (this.step === LAST && this.part >= 1) this.run(0, LAST);
    else if (this.part >= 1) this.run(this.step + 1, LAST);
    else this.run(this.step, LAST, this.part);
    this.say();
  }

  next() {
    const step = Math.min(LAST, this.step + 1);
    if (this.step === LAST || calm.matches) this.rest(step);
    else this.run(step, step);
    this.say();
  }

  back() {
    this.rest(Math.max(0, this.step - 1));
    this.say();
  }

  // Where one is, after one's own steps only: nobody wants every step of the film read out.
  say() {
    this.find(".where").textContent = say("Step {step} of {LAST}", { step: this.step + 1, LAST: LAST + 1 });
  }

  // Where not all steps fit, the one that is played comes into sight.
  follow() {
    const strip = this.find(".strip");
    const room = strip.scrollWidth - strip.clientWidth;
    if (room < 2 || this.followed === this.step) return;
    this.followed = this.step;
    const item = this.stages[this.step].parentElement;
    const left = item.offsetLeft - (strip.clientWidth - item.offsetWidth) / 2;
    strip.scrollTo({ left, behavior: calm.matches ? "auto" : "smooth" });
  }

  key(event) {
    const act = { ArrowRight: () => this.next(), ArrowLeft: () => this.back() }[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }
}

const range = (count) => Array.from({ length: count }, (_, place) => place);
const eased = (part) => part * part * (3 - 2 * part);

// How far one of many is that start one after the other
function staged(part, place, count) {
  const start = 0.55 * place / Math.max(1, count - 1);
  return Math.min(1, Math.max(0, (part - start) / 0.45));
}

function slide(tile, part) {
  tile.style.opacity = part;
  tile.style.transform = part < 1 ? `translate(${-40 * (1 - part)}px, 0)` : "";
}

// From the first image to the one over it; both are partly clear.
function fade(tile, part) {
  tile.firstChild.style.opacity = 1 - part;
  tile.lastChild.style.opacity = part;
}

async function picture(bytes) {
  const image = new Image();
  image.src = `data:image/png;base64,${bytes}`;
  await image.decode();
  return image;
}

function wasPlayed() {
  try { return localStorage.getItem(PLAYED) !== null; } catch { return true; }  // a browser that keeps nothing
}

function remember() {
  try { localStorage.setItem(PLAYED, "1"); } catch { /* it is played again next time */ }
}

function text(kind, words, name = "") {
  const element = document.createElement(kind);
  element.className = name;
  element.textContent = words;
  return element;
}

function group(name, children) {
  const element = text("span", "", name);
  element.append(...children);
  return element;
}

function bar([name, , color, mark], _, all) {
  const short = all.every(([each]) => each.length <= 2);  // longer names are in the caption
  const column = group("bar", [text("b", mark), document.createElement("i"), text("span", short ? name : "", "name")]);
  column.style.setProperty("--color", color);
  return column;
}

function named(tile, [name, color]) {
  const label = text("small", name);
  label.style.setProperty("--color", color);
  tile.append(label);
  return tile;
}

function button(act) {
  const element = text("button", "", "stage");
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

function inList(element) {
  const item = document.createElement("li");
  item.append(element);
  return item;
}
