// Puts what the visitor looks at into the address. Streamlit's own way makes a new entry of the
// history for every change, and two for every change of the page.
const BURST = 500;  // ms: changes that follow each other faster are one step for Back
const applied = (window.dasksvdAddress ??= { stamp: 0, path: location.pathname, pushed: -Infinity });

export default function ({ data }) {
  if (data.stamp <= applied.stamp) return;  // another copy of this component knows something newer
  const now = performance.now();
  const samePage = location.pathname === applied.path;
  const inBurst = now - applied.pushed < BURST;
  applied.stamp = data.stamp;
  applied.path = location.pathname;
  const wanted = [data.search, embedding()].filter(Boolean).join("&");
  if (wanted === location.search.slice(1)) return;
  const address = location.pathname + (wanted ? `?${wanted}` : "") + location.hash;
  const push = samePage && !data.mended && !inBurst;
  history[push ? "pushState" : "replaceState"](history.state ?? {}, "", address);
  if (push || inBurst) applied.pushed = now;
}

// Streamlit's own words in the address: whether the page stands inside another one.
function embedding() {
  const all = [...new URLSearchParams(location.search)];
  return new URLSearchParams(all.filter(([name]) => /^embed(_options)?$/i.test(name))).toString();
}
