// A wall of small pictures: hover or arrow keys tell about one, a click or Enter picks it.
const walls = new WeakMap();
const ZOOM = 6;  // pixels of a saved picture for each of the wall's
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function (component) {
  const { parentElement, data } = component;
  let wall = walls.get(parentElement);
  if (!wall) walls.set(parentElement, (wall = new Wall(parentElement)));
  // With the time, because the same picture may be picked again after Back has chosen another.
  wall.pick = (place) => component.setStateValue("picked", [...place, Date.now()]);
  wall.show(data);
}

class Wall {
  constructor(root) {
    this.find = (name) => root.querySelector(name);
    this.stage = this.find(".stage");
    this.at = null;  // the picture that the pointer or the arrow keys are on
    this.stage.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.stage.addEventListener("pointerleave", () => this.point(null));
    this.stage.addEventListener("blur", () => this.point(null));
    this.stage.addEventListener("click", (event) => this.choose(this.under(event)));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.find(".save").addEventListener("click", () => this.save());
    this.find(".full").addEventListener("click", () => this.toggleFullscreen());
  }

  show(data) {
    this.data = data;
    this.width = data.n_columns * (data.side + 1) - 1;
    this.height = data.n_rows * (data.side + 1) - 1;
    this.find(".wall").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    const body = this.find(".body");
    body.style.setProperty("--width", `${Math.round(data.cell * data.n_columns)}px`);
    body.style.setProperty("--shape", this.width / this.height);
    this.stage.style.aspectRatio = `${this.width} / ${this.height}`;
    this.find("img").src = data.picture;
    // Colours are marks beside the names: as text many of them could hardly be read.
    for (const [place, names] of [[".rows", data.rows], [".columns", data.columns]])
      this.fill(place, names, ([name, color], line) => {
        line.textContent = name;
        line.style.setProperty("--color", color);
        line.classList.toggle("coloured", color !== "");
      });
    this.find(".x-title").textContent = data.x_title;
    this.drawMarks();
    this.makePickable();
    this.point(this.at);
  }

  fill(name, values, write) {
    this.find(name).replaceChildren(...values.map((value) => {
      const line = document.createElement("span");
      write(value, line);
      return line;
    }));
  }

  drawMarks() {
    this.find(".marks").replaceChildren(...this.data.marks.map((mark) => {
      const box = document.createElement("div");
      this.place(box, mark.row, mark.column);
      box.style.setProperty("--color", mark.color);
      box.classList.toggle("plain", !mark.framed);
      if (mark.label) {
        const label = document.createElement("b");
        label.textContent = mark.label;
        box.append(label);
      }
      return box;
    }));
  }

  makePickable() {
    const pickable = this.data.hover !== null;
    this.stage.classList.toggle("pickable", pickable);
    const picked = this.find(".picked");
    picked.hidden = !this.data.picked;
    if (this.data.picked) this.place(picked, ...this.data.picked);
    if (!pickable) return;
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "group");
    this.stage.setAttribute("aria-label", "Pictures: arrow keys go from one to the next, Enter picks one");
  }

  // Put an element around a picture, the gaps included
  place(element, row, column) {
    const pitch = this.data.side + 1;
    Object.assign(element.style, {
      left: `${100 * (column * pitch - 1) / this.width}%`,
      top: `${100 * (row * pitch - 1) / this.height}%`,
      width: `${100 * (pitch + 1) / this.width}%`,
      height: `${100 * (pitch + 1) / this.height}%`,
    });
  }

  under(event) {
    const box = this.stage.getBoundingClientRect();
    const part = (value, count) => Math.min(count - 1, Math.max(0, Math.floor(value * count)));
    return [
      part((event.clientY - box.top) / box.height, this.data.n_rows),
      part((event.clientX - box.left) / box.width, this.data.n_columns),
    ];
  }

  textAt(place) {
    return (place && this.data.hover?.[place[0]]?.[place[1]]) || "";
  }

  point(place) {
    const text = this.textAt(place);
    this.at = text ? place : null;
    const [cursor, tip] = [this.find(".cursor"), this.find(".tip")];
    cursor.hidden = tip.hidden = !text;
    if (!text) return;
    this.place(cursor, ...place);
    if (tip.textContent !== text) tip.textContent = text;
    const [row, column] = place;
    const right = column >= this.data.n_columns / 2;
    tip.style.left = right ? "auto" : `${100 * (column + 1) / this.data.n_columns}%`;
    tip.style.right = right ? `${100 * (1 - column / this.data.n_columns)}%` : "auto";
    tip.style.top = `${100 * row / this.data.n_rows}%`;
  }

  choose(place) {
    if (!this.textAt(place)) return;
    this.point(place);
    const picked = this.find(".picked");
    picked.hidden = false;
    this.place(picked, ...place);
    this.pick(place);
  }

  key(event) {
    if (this.data.hover === null) return;
    const step = STEPS[event.key];
    if (step) {
      const [row, column] = this.at ?? this.data.picked ?? [0, -step[1]];
      const inside = (value, count) => Math.min(count - 1, Math.max(0, value));
      const next = [inside(row + step[0], this.data.n_rows), inside(column + step[1], this.data.n_columns)];
      if (this.textAt(next)) this.point(next);
    } else if ((event.key === "Enter" || event.key === " ") && this.at) this.choose(this.at);
    else return;
    event.preventDefault();
  }

  save() {
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [ZOOM * this.width, ZOOM * this.height];
    const pen = sheet.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = getComputedStyle(this.stage).getPropertyValue("--st-background-color") || "white";
    pen.fillRect(0, 0, sheet.width, sheet.height);
    pen.drawImage(this.find("img"), 0, 0, sheet.width, sheet.height);
    pen.lineWidth = ZOOM;
    const pitch = this.data.side + 1;
    for (const mark of this.data.marks.filter((one) => one.framed)) {
      pen.strokeStyle = mark.color;
      pen.strokeRect(ZOOM * (mark.column * pitch - 0.5), ZOOM * (mark.row * pitch - 0.5), ZOOM * pitch, ZOOM * pitch);
    }
    sheet.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${this.data.name}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  toggleFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.find(".wall").requestFullscreen();
  }
}
