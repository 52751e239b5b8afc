// The way of a drawing as a strip of pictures. What it shows comes from the sheet, which tells all the page
// what has been read: so the answer and its way change in the same moment, by one message.
const strips = new WeakMap();
const READ = "digit-read";

export default function (component) {
  const { parentElement, data } = component;
  let strip = strips.get(parentElement);
  if (!strip) strips.set(parentElement, (strip = new Strip(parentElement)));
  strip.open = (atom) => component.setStateValue("picked", [atom, Date.now()]);
  strip.configure(data);
}

class Strip {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    const read = (event) => {
      if (this.find(".way").isConnected) this.show(event.detail);
      else document.removeEventListener(READ, read);  // the page was left
    };
    document.addEventListener(READ, read);
  }

  configure(data) {
    this.data = data;
    this.table = numbers(data.palette, Uint8Array);
    this.find(".way").dataset.reader = data.reader;
    this.buildAtoms();
    this.find(".way").classList.toggle("of-picture", Boolean(data.read));
    if (data.read) {
      this.find(".way").setAttribute("aria-label", say("The way from the picture to the rebuilt one"));
      this.find(".first").textContent = say("picture");
    }
    this.show(data.read ?? globalThis.digitRead ?? {});
  }

  buildAtoms() {
    const { count, opens } = this.data;
    if (this.slots?.length === count && this.opens === opens) return;
    this.opens = opens;
    this.slots = Array.from({ length: count }, (_, place) => {
      const slot = make(opens ? "button" : "div", "atom");
      const canvas = make("canvas");
      canvas.setAttribute("aria-hidden", "true");
      const weight = make("div", "weight");
      weight.append(make("span"), make("b"));
      slot.append(canvas, weight);
      if (opens) {
        slot.type = "button";
        slot.addEventListener("click", () => { if (this.answer) this.open(this.answer.atoms[place]); });
      } else slot.setAttribute("role", "img");
      return slot;
    });
    this.find(".atoms").replaceChildren(...this.slots);
  }

  show({ answer, strokes = [], photo = null, brush = 20 }) {
    this.answer = answer ?? null;
    this.drawSheet(strokes, photo, brush);
    this.grey(".p28", answer?.image28);
    this.grey(".p16", answer?.image16);
    const side = this.find(".p16").width;
    this.find(".size").textContent = `${side} × ${side}`;
    this.grey(".rebuilt", answer?.rebuilt);
    this.showAtoms(answer);
    const more = answer ? answer.n_atoms - answer.atoms.length : 0;
    this.find(".rest").textContent = more > 0 ? say("+ {more} more", { more }) : answer ? "" : "+ …";
    this.find(".left").textContent = answer ? say("{left} % left over", { left: (100 * answer.left).toFixed(1) }) : "\u00a0";
    this.find(".way").dataset.seen = answer ? answer.n_atoms : "";
  }

  drawSheet(strokes, photo, brush) {
    const sheet = this.find(".drawn");
    sheet.parentElement.classList.toggle("empty", !strokes.length && !photo);
    const name = "http://www.w3.org/2000/svg";
    sheet.replaceChildren(...(photo ? [photo] : strokes).map((each) => {
      const part = document.createElementNS(name, photo ? "image" : "path");
      if (photo) {
        for (const [key, value] of Object.entries({ href: photo, width: 280, height: 280 })) part.setAttribute(key, value);
      } else {
        const points = each.length > 1 ? each : [each[0], [each[0][0] + 0.01, each[0][1]]];
        part.setAttribute("d", "M" + points.map((point) => point.join(" ")).join("L"));
        part.setAttribute("stroke-width", brush);
      }
      return part;
    }));
  }

  // Grey levels white on black, as in MNIST
  grey(name, text) {
    const canvas = this.find(name);
    canvas.parentElement.classList.toggle("empty", !text);
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (!text) return;
    const levels = numbers(text, Uint8Array);
    const side = Math.round(Math.sqrt(levels.length));
    if (canvas.width !== side) canvas.width = canvas.height = side;
    const picture = pen.createImageData(side, side);
    levels.forEach((level, index) => picture.data.set([level, level, level, 255], 4 * index));
    pen.putImageData(picture, 0, 0);
  }

  showAtoms(answer) {
    const levels = answer ? numbers(answer.pictures) : null;
    const size = answer?.atoms.length ? levels.length / answer.atoms.length : 0;
    this.slots.forEach((slot, place) => {
      const [canvas, weight] = slot.children;
      const there = answer && place < answer.atoms.length;
      slot.hidden = Boolean(answer) && !there;
      slot.classList.toggle("empty", !there);
      if (this.opens) slot.disabled = !there;
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
      const [value, kind] = weight.children;
      value.textContent = there ? signed(answer.coefficients[place]) : `a${low(place + 1)}d${low(place + 1)}`;
      kind.textContent = there ? this.data.labels[answer.classes[place]] : "\u00a0";
      kind.style.setProperty("--color", there ? this.data.colors[answer.classes[place]] : "transparent");
      if (!there) {
        slot.setAttribute("aria-label", say("Place of atom {place}", { place: place + 1 }));
        return;
      }
      const about = say("Atom {place} taken: {name}, coefficient {value}", { place: place + 1, name: this.data.labels[answer.classes[place]], value: signed(answer.coefficients[place]) });
      slot.setAttribute("aria-label", this.opens ? say("{about}. Open it on the Atoms page", { about }) : about);
      slot.title = this.opens ? say("{about}. Click to open it.", { about }) : about;
      paintLevels(canvas, levels.subarray(place * size, (place + 1) * size), this.table);
    });
  }
}
