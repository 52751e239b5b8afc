// What tests ask about the look of a page. Shadow roots are looked into, opacity and layers of colour are counted.
window.look = (() => {
  const parent = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const ancestors = (element) => { const all = []; for (let one = element; one; one = parent(one)) all.push(one); return all; };

  function channels(color) {
    const sheet = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    sheet.canvas.width = sheet.canvas.height = 1;
    sheet.fillStyle = color;
    sheet.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = sheet.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }
  const known = new Map();
  const rgba = (color) => { if (!known.has(color)) known.set(color, channels(color)); return known.get(color); };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => a * part + (1 - a) * below[i]);

  function luminance(color) {
    const [r, g, b] = color.map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  // The colour behind an element: of the square it stands on in a chart, else of the layers of the page
  function behind(element) {
    const group = element instanceof SVGElement ? element.closest("g") : null;
    const square = group?.querySelector(":scope > rect[fill^='#']");
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    let scrolls = false;  // what is scrolled out of sight still stands on its scroller
    const layers = ancestors(element).filter((one) => {  // a slider's value stands beside its thumb, not on it
      const area = one.getBoundingClientRect();
      scrolls ||= /auto|scroll/.test(getComputedStyle(one).overflowY);
      return scrolls || (area.left <= x && x <= area.right && area.top <= y && y <= area.bottom);
    }).map((one) => rgba(getComputedStyle(one).backgroundColor));
    const page = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    return square ? over(rgba(square.getAttribute("fill")), page) : page;
  }

  function* texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.shadowRoot) yield* texts(node.shadowRoot);
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) yield node;
    }
  }

  // What cannot be used may be pale, and its label with it.
  const isIdle = (one) => one.matches(IDLE) || (one.matches("label") && one.parentElement.querySelector(":disabled"));
  const IDLE = ":disabled, [aria-disabled=true], [data-disabled=true], .hoverlayer, style, script, noscript, annotation";

  function faint() {
    const found = [];
    for (const node of texts(document.body)) {
      const element = node.parentElement;
      if (!element || !element.checkVisibility() || ancestors(element).some(isIdle)) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width < 2 || box.height < 2 || style.visibility === "hidden") continue;
      const isDrawn = element instanceof SVGElement;
      const color = [...rgba(isDrawn ? style.fill : style.color)];
      if (isDrawn) color[3] *= Number(style.fillOpacity);
      for (const one of ancestors(element)) color[3] *= Number(getComputedStyle(one).opacity);
      if (color[3] < 0.05) continue;  // buttons that come with the pointer
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) || element.dataset.testid === "stIconMaterial" ? 3 : 4.5;
      const below = behind(element);
      const ratio = contrast(over(color, below), below);
      if (ratio < needed) found.push(`${ratio.toFixed(2)} : 1 "${node.data.trim().slice(0, 40)}" in ${element.tagName}.${element.getAttribute("class")}`);
    }
    return [...new Set(found)];
  }

  const headings = () => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .filter((one) => one.checkVisibility()).map((one) => [Number(one.tagName[1]), one.textContent]);

  // The element with the focus, and how well its ring is seen; 0 without a ring
  function focus() {
    let element = document.activeElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    // A slider's own input is invisible: its thumb has the ring, and the page around it.
    const slider = element.matches("[type=range]") ? element.closest("[data-testid=stSlider]") : null;
    const ringed = slider ? element.closest("[data-focus-visible]") : element;
    const style = ringed && getComputedStyle(ringed);
    const name = `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`.slice(0, 60);
    const seen = ringed && ancestors(ringed).every((one) => Number(getComputedStyle(one).opacity) > 0.5);
    if (!seen || style.outlineStyle !== "solid" || parseFloat(style.outlineWidth) < 2) return [name, 0];
    const below = behind(slider ?? parent(ringed) ?? ringed);
    return [name, contrast(over(rgba(style.outlineColor), below), below)];
  }

  // Texts of an element that can be seen, each with its box; of a formula only what is drawn
  function* seen(root) {
    for (const node of texts(root)) {
      const element = node.parentElement;
      if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".katex-mathml, style, script, [role=status], .tip, .tools, [data-testid=stTooltipContent]")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width > 1 && box.height > 1) yield { node, element, box };
    }
  }

  // Pixels on the screen: a chart may be drawn in units of its own
  function fontSize(element) {
    const matrix = element instanceof SVGElement ? element.getScreenCTM?.() : null;
    return parseFloat(getComputedStyle(element).fontSize) * (matrix ? Math.hypot(matrix.b, matrix.a) : 1);
  }

  const small = (root, least) => [...seen(root)]
    .filter(({ element }) => !element.closest(".katex") && fontSize(element) < least - 0.01)
    .map(({ node, element }) => `${fontSize(element).toFixed(1)} px: "${node.data.trim().slice(0, 40)}"`);

  // Pairs of texts that run into each other by more than a pixel or two of their empty edges
  function overlaps(root, slack = 2) {
    const all = [...seen(root)].filter(({ element }) => !element.closest(".katex"));
    const found = [];
    all.forEach((one, place) => all.slice(place + 1).forEach((other) => {
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > slack && high > slack + 0.2 * Math.min(one.box.height, other.box.height))
        found.push(`"${one.node.data.trim().slice(0, 30)}" and "${other.node.data.trim().slice(0, 30)}"`);
    }));
    return found;
  }

  // Texts that leave the window to a side, or the box of an ancestor that hides what leaves it
  const cut = (root) => [...seen(root)].filter(({ element, box }) => {
    if (box.left < -1 || box.right > innerWidth + 1) return true;
    return ancestors(element).some((one) => {
      const style = getComputedStyle(one);
      if (!/hidden|clip/.test(style.overflowX) || style.display === "inline") return false;
      const area = one.getBoundingClientRect();
      return area.width > 1 && (box.left < area.left - 1.5 || box.right > area.right + 1.5);
    });
  }).map(({ node }) => `"${node.data.trim().slice(0, 40)}"`);

  return { faint, headings, focus, small, overlaps, cut };
})();
