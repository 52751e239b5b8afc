// Puts what the visitor looks at into the address. Streamlit's own way makes a new entry of the
// history for every change, and two for every change of the page.
const BURST = 500;  // ms: changes that follow each other faster are one step for Back
const applied = (window.dasksvdAddress ??= { stamp: 0, page: null, path: "", pushed: -Infinity, pages: null });

export default function ({ data }) {
  shareTheme(data.pages);
  document.documentElement.lang = data.language;
  for (const detail of data.told ?? []) document.dispatchEvent(new CustomEvent("page-told", { detail }));
  if (data.stamp <= applied.stamp) return;  // another copy of this component knows something newer
  const samePage = data.page === applied.page;
  if (samePage && location.pathname !== applied.path) return;  // the last words of a page that was left
  Object.assign(applied, { stamp: data.stamp, page: data.page, path: location.pathname });
  // This script may be loaded after the visitor's first change: the page's beginning is a step, too.
  if (!samePage) put(data.entered, "replaceState");
  const now = performance.now();
  const inBurst = now - applied.pushed < BURST;
  const push = !data.mended && !inBurst;
  if (put(data.search, push ? "pushState" : "replaceState") && (push || inBurst)) applied.pushed = now;
}

// Whether the address had to be changed.
function put(search, how) {
  const wanted = [search, embedding()].filter(Boolean).join("&");
  if (wanted === location.search.slice(1)) return false;
  history[how](history.state ?? {}, "", location.pathname + (wanted ? `?${wanted}` : "") + location.hash);
  return true;
}

// Streamlit's own words in the address: whether the page stands inside another one.
function embedding() {
  const all = [...new URLSearchParams(location.search)];
  return new URLSearchParams(all.filter(([name]) => /^embed(_options)?$/i.test(name))).toString();
}

// Streamlit keeps the chosen theme for the path by which the visitor came; a link to another page would be in another one.
function shareTheme(pages) {
  if (applied.pages) return;
  applied.pages = pages;
  const came = new URL(performance.getEntriesByType("navigation")[0].name).pathname;
  const root = came.slice(0, came.lastIndexOf("/") + 1);
  addEventListener("pagehide", () => {
    for (const key of Object.keys(localStorage).filter((one) => one.startsWith(`stActiveTheme-${came}-v`)))
      for (const page of applied.pages) localStorage.setItem(key.replace(`-${came}-v`, `-${root}${page}-v`), localStorage.getItem(key));
  });
}
