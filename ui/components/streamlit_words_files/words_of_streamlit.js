// Streamlit has no catalogue of its own: what it writes is found by its English text and replaced.
const ATTRIBUTES = ["aria-label", "title", "placeholder"];
let written = [];  // what was replaced: { node, name, from, to }
let table = null, watcher = null;

export default function ({ data }) {
  end();
  table = data;
  watcher = new MutationObserver((changes) => changes.forEach(follow));
  translate(document.body);
  watcher.observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES,
  });
  return end;
}

// Back to English, where nobody has written anything else since
function end() {
  watcher?.disconnect();
  watcher = null;
  for (const { node, name, from, to } of written) if (read(node, name) === to) write(node, name, from);
  written = [];
}

function follow(change) {
  if (change.type === "childList") change.addedNodes.forEach(translate);
  else if (change.type === "characterData") translateText(change.target);
  else replace(change.target, change.attributeName);
}

function translate(node) {
  if (node.nodeType === Node.TEXT_NODE) return translateText(node);
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) translateText(walker.currentNode);
  for (const name of ATTRIBUTES) {
    if (node.hasAttribute(name)) replace(node, name);
    for (const one of node.querySelectorAll(`[${name}]`)) replace(one, name);
  }
}

// Only where Streamlit writes: elsewhere the same word may be a visitor's own
function translateText(node) {
  if (node.parentElement?.closest(table.places)) replace(node, "");
}

function replace(node, name) {
  const from = read(node, name), to = inOurWords(from);
  if (to === from) return;
  write(node, name, to);
  written = written.filter((one) => one.node.isConnected);
  written.push({ node, name, from, to });
}

function inOurWords(text) {
  const found = table.words[text.trim()];
  if (found !== undefined) return text.replace(text.trim(), () => found);
  for (const [before, after, newBefore, newAfter] of table.around)
    if (text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length)
      return newBefore + text.slice(before.length, text.length - after.length) + newAfter;
  return text;
}

function read(node, name) {
  return (name ? node.getAttribute(name) : node.data) ?? "";
}

function write(node, name, text) {
  if (name) node.setAttribute(name, text);
  else node.data = text;
}
