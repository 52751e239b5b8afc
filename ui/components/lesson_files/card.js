// The card of a lesson. The server says whether a step is done, with every answer; the card shows it and frames.
const cards = new WeakMap();
const PATIENCE = 30000;  // ms to wait for what is pointed at
const GROWS = 4000;     // ms in which the page may still move it away
const STUCK = 5;        // looks, ten in a second, after which it is tried again

export default function (component) {
  const { parentElement, data } = component;
  let card = cards.get(parentElement);
  if (!card) cards.set(parentElement, (card = new Card(parentElement)));
  card.send = (what) => component.setTriggerValue("used", what);
  card.receive(data);
  return () => card.end();
}

class Card {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.card = this.find(".card");
    for (const name of ["back", "next", "leave", "here"])
      this.find(`.${name}`).addEventListener("click", () => this.send(name));
    this.find(".fold").addEventListener("click", () => this.fold(!this.card.classList.contains("folded")));
    this.listen = (event) => this.hear(event.detail);
    this.measured = new ResizeObserver(() => this.settle());
    this.noticed = new MutationObserver(() => this.settle());
  }

  start() {
    if (this.runs) return;
    this.runs = true;
    document.addEventListener("page-told", this.listen);
    for (const one of [this.card, document.documentElement]) this.measured.observe(one);
    this.noticed.observe(document.body, { subtree: true, attributeFilter: ["data-collapsed"] });
  }

  // The page without a lesson has nothing of it
  end() {
    this.runs = false;
    document.removeEventListener("page-told", this.listen);
    this.measured.disconnect();
    this.noticed.disconnect();
    this.cut = Boolean(this.looking);  // drawn anew while it was still looking
    clearInterval(this.looking);
    for (const name of ["lesson", "lessonDone", "lessonStep"]) delete document.documentElement.dataset[name];
    document.documentElement.style.removeProperty("--lesson-height");
  }

  receive(data) {
    this.start();
    const isNew = data.place !== this.data?.place;
    this.data = data;
    this.done = data.done[data.number - 1];
    if (isNew) {
      this.fold(false);
      this.find(".body").scrollTop = 0;
      this.find(".why").textContent = "";
      this.tried = new Set();
      this.late = data.here;
      this.aim = data.point;
    }
    if (isNew || this.cut || (data.here && !this.late)) this.reveal();
    this.cut = false;
    this.late = data.here;
    this.write();
    this.settle();
  }

  // A run of the page, or of a piece of it, has ended
  hear(told) {
    if (told.place !== this.data.place || this.done || !told.done) return;
    this.done = true;
    this.write();
    if (!this.data.then.length) return;
    this.aim = this.data.then;
    this.reveal();
  }

  write() {
    const { data, done } = this;
    const asks = data.answers.length > 0;
    this.find(".lesson").textContent = data.lesson;
    this.find(".title").textContent = data.title;
    embolden(this.find(".text"), data.text);
    this.find(".text").hidden = this.find(".answers").hidden = !data.here;
    this.find(".here").hidden = data.here || done;
    embolden(this.find(".after"), done || !(data.watched || asks) ? data.after : "");
    this.writeAnswers();
    const total = data.done.length;
    const steps = this.find(".steps");
    steps.replaceChildren(...data.done.map((one, place) => {
      const mark = document.createElement("i");
      mark.classList.toggle("done", one || (done && place === data.number - 1));
      mark.classList.toggle("now", place === data.number - 1);
      return mark;
    }));
    steps.setAttribute("aria-valuenow", data.number);
    steps.setAttribute("aria-valuemax", total);
    this.find(".count").textContent = say("{number} of {total}", { number: data.number, total });
    this.find(".back").disabled = data.number === 1;
    this.find(".next").textContent = data.number === total ? say("Finish") : done || !(data.watched || asks) ? say("Next ›") : say("Skip ›");
    this.find(".next").classList.toggle("ready", done || !(data.watched || asks));
    this.card.classList.toggle("done", done);
    document.documentElement.dataset.lessonDone = done ? "yes" : "no";
    document.documentElement.dataset.lessonStep = data.place;
    this.keep();
  }

  // At once: whoever leaves in the middle has seen no list of lessons
  keep() {
    const { place, number } = this.data;
    const lesson = place.slice(0, place.lastIndexOf("."));
    const isDone = (step) => this.data.done[step - 1] || (this.done && step === number);
    const steps = this.data.done.map((_, at) => at + 1).filter(isDone);
    if (steps.length) keep(steps.map((step) => `${lesson}.${step}`).join(" "));
  }

  writeAnswers() {
    const group = this.find(".answers");
    if (group.dataset.place !== this.data.place) {
      group.dataset.place = this.data.place;
      group.replaceChildren(...this.data.answers.map(([text], place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", () => this.answer(place));
        return button;
      }));
    }
    this.data.answers.forEach(([, right], place) => {
      group.children[place].classList.toggle("right", right && this.done);
      group.children[place].classList.toggle("wrong", this.tried.has(place));
    });
  }

  answer(place) {
    const [, right, why] = this.data.answers[place];
    if (!right) this.tried.add(place);
    const more = !right && !this.done && this.data.hint ? say(" Hint: {hint}", { hint: this.data.hint }) : "";
    embolden(this.find(".why"), `${right ? say("Right. ") : ""}${why}${more}`);
    if (right && !this.done) {
      this.done = true;
      this.send("answered");
    }
    this.write();
  }

  fold(folded) {
    this.card.classList.toggle("folded", folded);
    this.find(".fold").setAttribute("aria-expanded", String(!folded));
    this.find(".fold").textContent = folded ? "+" : "–";
  }

  // Where the navigation is, or at the bottom of a window without it
  settle() {
    const sidebar = document.querySelector("[data-testid=stSidebar]");
    const open = sidebar?.dataset.collapsed === "false" && innerWidth > 640 && sidebar.getBoundingClientRect().width > 100;
    this.card.dataset.place = document.documentElement.dataset.lesson = open ? "side" : "dock";
    document.documentElement.style.setProperty("--lesson-height", `${this.card.offsetHeight}px`);
  }

  // Bring what is pointed at into the middle of the window, with room for what it changes, as soon as it is there;
  // figures above it may still grow for a while
  reveal() {
    clearInterval(this.looking);
    const names = this.aim.map((key) => `.st-key-${key}`).join(", ");
    if (!names) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let until = performance.now() + PATIENCE, last = null, rests = null, still = 0, opened = null;
    const stop = () => {
      clearInterval(this.looking);
      this.looking = 0;
    };
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
      document.addEventListener(kind, stop, { once: true, capture: true, passive: true });
    this.looking = setInterval(() => {
      if (performance.now() > until) return stop();
      const found = document.querySelector(names);
      const shut = found?.closest("details:not([open])");  // on a phone some controls are folded
      if (shut && shut !== opened) (opened = shut).querySelector("summary").click();
      const box = found?.getBoundingClientRect();
      if (!box?.height) return;
      if (last === null) until = performance.now() + GROWS;
      const bottom = innerHeight - (this.card.dataset.place === "dock" ? this.card.offsetHeight + 12 : 0);
      const fits = box.top >= 0 && box.bottom <= bottom;
      const top = innerWidth > 640 ? 16 : 52;  // on a phone, brand and button lie over the first line
      const begins = box.height > bottom && Math.abs(box.top - top) < 30;
      still = box.top === rests ? still + 1 : 0;
      // Where it has come to rest elsewhere, or never moved: the page was too short, or was drawn anew.
      if (!fits && !begins && (last === null || (box.top !== last && (calm || still)) || still >= STUCK)) {
        found.style.scrollMargin = `${top}px 0 ${innerHeight - bottom + 16}px`;
        found.scrollIntoView({ block: box.height > bottom ? "start" : "center", behavior: calm ? "auto" : "smooth" });
        [last, still] = [box.top, 0];
      }
      last ??= box.top;
      rests = box.top;
    }, 100);
  }
}

// Text with **bold** parts
function embolden(place, text) {
  place.replaceChildren(...text.split("**").map((part, number) => {
    if (number % 2 === 0) return part;
    const bold = document.createElement("b");
    bold.textContent = part;
    return bold;
  }));
}
