// Small pictures: signed values as base64 bytes of -127 … 127, in the colours of the atoms.
const numbers = (text, Kind = Int8Array) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Kind(bytes.buffer);
};

// Levels -127 … 127 into a small canvas; `table` has four bytes for each level from -128 on.
function paintLevels(canvas, levels, table) {
  const side = Math.round(Math.sqrt(levels.length));
  if (canvas.width !== side) canvas.width = canvas.height = side;
  const picture = new ImageData(side, side);
  levels.forEach((level, index) => {
    const at = 4 * (Math.max(-127, Math.min(127, Math.round(level))) + 128);
    picture.data.set(table.subarray(at, at + 4), 4 * index);
  });
  canvas.getContext("2d").putImageData(picture, 0, 0);
}

const signed = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
};

// A number as an index: 12 is ₁₂
const low = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
