// Before every component's own script. Texts in the visitor's language: the English ones are the keys, as in Python.
let said = {};
const heard = new WeakMap();

function say(text, values = {}) {
  return (said[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// What the component's HTML says, remembered when it is new: the script writes into it later.
function staticTexts(root) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.data.trim().replace(/\s+/g, " ");
    if (text) found.push([text, (words) => { node.data = words; }]);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of root.querySelectorAll(`[${name}]`))
      found.push([element.getAttribute(name), (words) => element.setAttribute(name, words)]);
  return found;
}

function hear(root, data) {
  said = data?.said ?? {};
  const known = heard.get(root) ?? { texts: staticTexts(root), language: "{}" };
  heard.set(root, known);
  const language = JSON.stringify(said);
  if (language === known.language) return;
  known.language = language;
  for (const [text, write] of known.texts) write(say(text));
}

export default (component) => {
  hear(component.parentElement, component.data);
  return shown(component);
};

