// Atoms that speak for an answer and against it, as bars with the atoms' pictures.
const votes = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  let shown = votes.get(parentElement);
  if (!shown) votes.set(parentElement, (shown = new Votes(parentElement)));
  shown.open = (atom) => component.setStateValue("opened", [atom, Date.now()]);
  shown.show(data);
}

class Votes {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
  }

  show(data) {
    this.data = data;
    this.table = numbers(data.palette, Uint8Array);
    this.find(".votes").setAttribute("aria-label", data.alt);
    const most = Math.max(1e-9, ...data.sides.flatMap((side) => side.parts.map(Math.abs)));
    [".for", ".against"].forEach((name, place) => this.showSide(this.find(name), data.sides[place], most));
  }

  showSide(place, side, most) {
    place.querySelector("h3").textContent = side.title;
    const levels = numbers(side.pictures);
    const size = levels.length / Math.max(1, side.parts.length);
    const rows = side.parts.map((part, at) => this.row(side, at, levels.subarray(at * size, (at + 1) * size), part, most));
    place.querySelector(".rows").replaceChildren(...(rows.length ? rows : [make("div", "none", say("No atom does."))]));
  }

  row(side, at, levels, part, most) {
    const row = make(this.data.opens ? "button" : "div", "row");
    const step = side.places[at] ? say(", step {at}", { at: side.places[at] }) : "";
    const name = `${this.data.labels[side.classes[at]]}${step}`;
    if (this.data.opens) {
      row.type = "button";
      row.title = say("Open this atom on the Atoms page");
      row.setAttribute("aria-label", say("Atom of {name}: part {part}. Open it on the Atoms page", { name, part: signed(part) }));
      row.addEventListener("click", () => this.open(side.atoms[at]));
    }
    const canvas = make("canvas");
    canvas.setAttribute("aria-hidden", "true");
    paintLevels(canvas, levels, this.table);
    const label = make("span", "name", name);
    label.style.setProperty("--color", this.data.colors[side.classes[at]]);
    const track = make("div", "track");
    track.append(make("i"));
    track.firstChild.style.width = `${(100 * Math.abs(part)) / most}%`;
    row.append(canvas, label, track, make("span", "value", signed(part)));
    const item = make("div");
    item.setAttribute("role", "listitem");
    item.append(row);
    return item;
  }
}
