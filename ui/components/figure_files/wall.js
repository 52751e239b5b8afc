// A wall of small pictures: hover or arrow keys tell about one, a click or Enter picks it. For a finger small pictures are
// enlarged: a tap shows those around it to tap again, a slide or a long press a loupe that picks when it is released.
const walls = new WeakMap();
const ZOOM = 6;  // pixels of a saved picture for each of the wall's
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SMALL = 28;  // pixels: what is narrower is enlarged for fingers
const AROUND = { rows: 3, columns: 5 };  // enlarged pictures
const LARGE = { loupe: 46, strip: 64 };  // their width in pixels, for the strip at most
const SLIP = 8;  // pixels that a finger may move during a tap
const LONG = 350;  // milliseconds of a long press
const AWAY = 40;  // pixels: who lets go farther from the wall picks nothing

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
    this.loupe = new Loupe(this);
    this.stage.addEventListener("pointermove", (event) => this.loupe.touched || this.point(this.under(event)));
    this.stage.addEventListener("pointerleave", () => this.point(null));
    this.stage.addEventListener("blur", () => this.point(null));
    this.stage.addEventListener("click", (event) => this.choose(this.under(event)));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.find(".save").addEventListener("click", () => this.save());
    this.find(".full").addEventListener("click", () => this.toggleFullscreen());
    new ResizeObserver(() => this.thinOut()).observe(this.stage);
  }

  show(data) {
    // Most reruns of a page bring most of its figures unchanged.
    const content = JSON.stringify(data);
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    this.width = data.n_columns * (data.side + 1) - 1;
    this.height = data.n_rows * (data.side + 1) - 1;
    this.find(".wall").setAttribute("aria-label", data.alt);
    this.find(".title").textContent = data.title;
    const body = this.find(".body");
    body.style.setProperty("--width", `${Math.round(data.cell * data.n_columns)}px`);
    body.style.setProperty("--around", `${data.around}px`);
    body.style.setProperty("--columns", data.n_columns);
    body.classList.toggle("fitted", data.around > 0);
    body.style.setProperty("--shape", this.width / this.height);
    this.stage.style.aspectRatio = `${this.width} / ${this.height}`;
    this.find("img").src = data.picture;
    body.classList.toggle("noted", data.notes.length > 0);
    // Colours are marks beside the names: as text many of them could hardly be read.
    for (const [place, names] of [[".rows", data.rows], [".columns", data.columns], [".notes", data.notes]])
      this.fill(place, names, ([name, color], line) => {
        line.textContent = name;
        line.style.setProperty("--color", color);
        line.classList.toggle("coloured", color !== "");
      });
    this.find(".x-title").textContent = data.x_title;
    this.drawMarks();
    this.makePickable();
    this.raiseColumn();
    this.thinOut();
    this.point(this.at);
  }

  raiseColumn() {
    const [box, column] = [this.find(".column"), this.data.column];
    box.hidden = column === null;
    if (column === null) return;
    this.place(box, 0, column);
    box.style.height = `calc(100% + 2 * min(3px, ${100 / this.height}%))`;
    this.find(".columns").children[column]?.classList.add("strong");
  }

  // Where not every column has room for its name, only some have one, that of the picked picture among them
  thinOut() {
    const names = [...this.find(".columns").children];
    names.forEach((name) => name.classList.remove("left-out"));
    const named = names.flatMap((name, place) => (name.textContent ? [place] : []));
    const widest = Math.max(0, ...names.map((name) => name.scrollWidth));
    const step = Math.ceil((widest - 1) * names.length / this.stage.clientWidth);
    if (named.length < 2 || !(step > named[1] - named[0])) return;
    const kept = this.data.picked?.[1] ?? named[0];
    named.filter((place) => (place - kept) % step).forEach((place) => names[place].classList.add("left-out"));
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
    this.stage.setAttribute("aria-label", say("Pictures: arrow keys go from one to the next, Enter picks one"));
  }

  // Put an element around a picture, the gaps included; where pictures of few pixels have wide gaps, not beyond 3 pixels
  place(element, row, column) {
    const pitch = this.data.side + 1;
    const [wide, high] = [this.width, this.height].map((all) => `min(3px, ${100 / all}%)`);
    Object.assign(element.style, {
      left: `calc(${100 * column * pitch / this.width}% - ${wide})`,
      top: `calc(${100 * row * pitch / this.height}% - ${high})`,
      width: `calc(${100 * this.data.side / this.width}% + 2 * ${wide})`,
      height: `calc(${100 * this.data.side / this.height}% + 2 * ${high})`,
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

  // Draw a picture onto a canvas
  paint(pen, [row, column], x, y, size) {
    const { side } = this.data;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.find("img"), column * (side + 1), row * (side + 1), side, side, x, y, size, size);
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
    this.content = "";  // the page may have another one picked
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

// What a finger does on a wall of small pictures
class Loupe {
  constructor(wall) {
    this.wall = wall;
    this.touched = null;  // where and when a finger came down
    this.open = false;
    const { stage } = wall;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.touched && this.move(event));
    stage.addEventListener("pointerup", (event) => this.touched && this.up(event));
    stage.addEventListener("pointercancel", () => this.end());  // the page is scrolled
    // Once the loupe is open, the page stays where it is; what was a touch is no click as well.
    stage.addEventListener("touchmove", (event) => this.open && event.cancelable && event.preventDefault(), { passive: false });
    stage.addEventListener("touchend", (event) => this.isNeeded() && event.cancelable && event.preventDefault(), { passive: false });
    stage.addEventListener("contextmenu", (event) => this.touched && event.preventDefault());
  }

  isNeeded() {
    const { data, stage } = this.wall;
    return data.hover !== null && stage.clientWidth / data.n_columns < SMALL;
  }

  down(event) {
    if (event.pointerType !== "touch" || !event.isPrimary || !this.isNeeded()) return;
    this.touched = { x: event.clientX, y: event.clientY };
    this.timer = setTimeout(() => this.show(event), LONG);
  }

  move(event) {
    const [across, down] = [Math.abs(event.clientX - this.touched.x), Math.abs(event.clientY - this.touched.y)];
    if (this.open || (across > SLIP && across > down)) this.show(event);
    else if (down > SLIP) this.end();  // the page is going to be scrolled
  }

  up(event) {
    const wasOpen = this.open;
    this.end();
    const box = this.wall.stage.getBoundingClientRect();
    const away = Math.max(box.left - event.clientX, event.clientX - box.right, box.top - event.clientY, event.clientY - box.bottom);
    if (!wasOpen) this.offer(this.wall.under(event));
    else if (away < AWAY) this.wall.choose(this.wall.under(event));
    this.wall.point(null);
  }

  end() {
    clearTimeout(this.timer);
    this.touched = null;
    if (this.open) this.wall.find(".loupe").hidePopover();
    this.open = false;
  }

  // The first row and column of the pictures around one, and how many there are of each
  around([row, column]) {
    const { n_rows, n_columns } = this.wall.data;
    const cut = (at, count, all) => [Math.max(0, Math.min(at - (count >> 1), all - count)), Math.min(count, all)];
    return [cut(row, AROUND.rows, n_rows), cut(column, AROUND.columns, n_columns)];
  }

  // The loupe above the finger
  show(event) {
    clearTimeout(this.timer);  // a slide is no long press: that would show the place where the finger came down again
    const { wall } = this;
    const at = wall.under(event);
    const [[top, n_rows], [left, n_columns]] = this.around(at);
    const [box, pitch] = [wall.find(".loupe"), LARGE.loupe + 2];
    const pen = sheet(box.querySelector("canvas"), n_columns * pitch, n_rows * pitch);
    for (let row = 0; row < n_rows; row++)
      for (let column = 0; column < n_columns; column++)
        wall.paint(pen, [top + row, left + column], column * pitch + 1, row * pitch + 1, LARGE.loupe);
    pen.lineWidth = 3;
    pen.strokeStyle = getComputedStyle(box).color;
    pen.strokeRect((at[1] - left) * pitch + 1.5, (at[0] - top) * pitch + 1.5, pitch - 3, pitch - 3);
    box.querySelector("span").textContent = wall.textAt(at);
    this.open = true;
    if (!box.matches(":popover-open")) box.showPopover();
    const above = event.clientY - box.offsetHeight - 28;
    put(box, event.clientX - box.offsetWidth / 2, above > 0 ? above : event.clientY + 40);
  }

  // The pictures around a tap, large enough for the next one
  offer(at) {
    const { wall } = this;
    const [[top, n_rows], [left, n_columns]] = this.around(at);
    const box = wall.find(".strip");
    const size = Math.min(LARGE.strip, Math.floor((innerWidth - 20) / n_columns) - 14);
    const buttons = Array.from({ length: n_rows * n_columns }, (_, number) => {
      const place = [top + Math.floor(number / n_columns), left + (number % n_columns)];
      const button = document.createElement("button");
      const text = wall.textAt(place);
      Object.assign(button, { type: "button", disabled: !text, ariaLabel: text, ariaCurrent: String(`${place}` === `${at}`) });
      button.append(document.createElement("canvas"));
      wall.paint(sheet(button.firstChild, size, size), place, 0, 0, size);
      button.addEventListener("click", () => { box.hidePopover(); wall.choose(place); wall.point(null); });
      return button;
    });
    box.lastElementChild.style.gridTemplateColumns = `repeat(${n_columns}, max-content)`;
    box.lastElementChild.replaceChildren(...buttons);
    if (!box.matches(":popover-open")) box.showPopover();
    const wide = wall.stage.getBoundingClientRect();
    put(box, (wide.left + wide.right - box.offsetWidth) / 2, wide.bottom + 6);
  }
}

// Make a canvas of a size in pixels of the page
function sheet(canvas, width, height) {
  const sharp = window.devicePixelRatio || 1;
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  [canvas.width, canvas.height] = [Math.round(width * sharp), Math.round(height * sharp)];
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  return pen;
}

// Put a box into the window, as near to a place as it fits
function put(box, left, top) {
  const inside = (value, room) => Math.max(4, Math.min(value, room - 4));
  box.style.left = `${inside(left, innerWidth - box.offsetWidth)}px`;
  box.style.top = `${inside(top, innerHeight - box.offsetHeight)}px`;
}
