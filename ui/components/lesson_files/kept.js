// The steps that are done, in the browser's own storage: "sum.1 sum.2 …". In another site's frame there may be none.
const STORE = "dasksvdLessons";

function kept() {
  try {
    return localStorage.getItem(STORE) ?? "";
  } catch {
    return "";
  }
}

// Keep more steps; all that are kept then.
function keep(steps) {
  const before = kept();
  const all = [...new Set(`${before} ${steps}`.split(/\s+/).filter(Boolean))].join(" ");
  try {
    if (all !== before) localStorage.setItem(STORE, all);
  } catch {
    // Then this visit knows it, and no other one.
  }
  return all;
}
