// What all figures that are drawn as SVG share.
function shape(kind, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function label(x, y, text, attributes) {
  const element = shape("text", { x, y, ...attributes });
  element.textContent = text;
  return element;
}

// Round numbers from low to high, about as many as wanted
function niceTicks(low, high, wanted) {
  const rough = (high - low) / Math.max(2, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

// A drawing as a file, in ink that can be read on white; ``more`` stands before everything else in it
function download(svg, name, ...more) {
  const copy = svg.cloneNode(true);
  copy.style.color = "#222";
  copy.prepend(...more);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  link.download = `${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

