// What each kind of half-step shows: pictures, formula with its numbers, and a bar for every atom.
const NEXT = {
  look: ({ s }) => (s ? say("look again") : say("look")),
  fit: () => say("take and refit"),
  coded: () => say("add up"),
  users: ({ j }) => say("users of atom {j}", { j: j + 1 }),
  renew: ({ j }) => say("renew atom {j}", { j: j + 1 }),
  check: () => say("check the atoms"),
};

const DRAWN = { start: drawStart, look: drawLook, fit: drawFit, coded: drawCoded, users: drawUsers, renew: drawRenew, check: drawCheck };

const nameOf = (show, signal) => show.data.classes[show.data.labels[signal]];
const size = (values) => Math.max(1e-9, ...values.map(Math.abs));
const share = (show, error) => `${((100 * error) / Math.max(show.data.energy, 1e-12)).toFixed(2)} %`;

function drawStart(show) {
  const n = show.data.labels.length;
  return {
    title: say("The sample: {n} signals. Its first ones:", { n }),
    pictures: Array.from({ length: Math.min(18, n) }, (_, signal) => show.picture(show.signals.at(signal), nameOf(show, signal), "small")),
    formula: [
      say("Find {count} atoms on which every signal has a short code: x ≈ a₁d₁ + a₂d₂ + …", { count: show.count }),
      say("K-SVD starts from {count} random signals, each divided by its length, so that ‖d‖ = 1.", { count: show.count }),
      say("Then it repeats two halves: code all signals on the atoms, and renew one atom after the other."),
    ],
    legend: say("The atoms to start from."),
    bars: Array(show.count).fill(null),
  };
}

// The signal, what its first `count` atoms build, and what they leave
function built(show, count) {
  const x = show.signals.at(show.step.signal);
  const sum = new Float32Array(x.length);
  if (count) {
    const [atoms, coefficients] = show.codeNow(count);
    atoms.forEach((atom, place) => show.start.at(atom).forEach((value, at) => (sum[at] += coefficients[place] * value)));
  }
  const left = x.map((value, at) => value - sum[at]);
  const peak = Math.max(size(x), size(sum));
  return [
    show.picture(x, say("signal x, class {name}", { name: nameOf(show, show.step.signal) }), "large", peak),
    show.picture(sum, count ? (count > 1 ? say("built from {count} atoms", { count }) : say("built from 1 atom")) : say("built: nothing yet"), "large", peak),
    show.picture(left, say("left over: r = x − built"), "large", peak),
    parts(show, count),
  ];
}

// The atoms taken so far with their coefficients, and those before the last refit
function parts(show, count) {
  const row = make("div", "parts");
  if (!count) return row;
  const [atoms, coefficients] = show.codeNow(count);
  const before = show.step.kind === "fit" && count > 1 ? show.codeNow(count - 1)[1] : coefficients;
  row.append(make("span", "", say("built =")), ...atoms.map((atom, place) => {
    const was = show.step.kind === "fit" && place === count - 1 ? say("new: ") : show.step.kind === "fit" ? `${signed(before[place])} → ` : "";
    return show.picture(show.start.at(atom), `${was}${signed(coefficients[place])} · d${low(atom + 1)}`, "part");
  }));
  return row;
}

const correlations = (show) => {
  const { atom, s } = show.step;
  return show.codes.correlations.subarray((atom + s) * show.count, (atom + s + 1) * show.count);
};

function lookedAt(show) {
  const { atom, s } = show.step;
  const found = correlations(show);
  return { bars: Array.from(found), digits: 2, chosen: show.codes.taken[atom + s], taken: show.codes.taken.slice(atom, atom + s), found };
}

function drawLook(show) {
  const { signal, s } = show.step;
  const { found, ...tiles } = lookedAt(show);
  const order = [...found.keys()].sort((one, other) => Math.abs(found[other]) - Math.abs(found[one]));
  const [first, second] = order.map((j) => `|⟨r, d${low(j + 1)}⟩| = ${Math.abs(found[j]).toFixed(3)}`);
  return {
    title: say("Code signal {signal}: which atom is most like what is left over?", { signal: signal + 1 }),
    pictures: built(show, s),
    formula: [
      s ? (s > 1
        ? say("Before atom {next}, r is what the first {count} leave.", { next: s + 1, count: s })
        : say("Before atom 2, r is what the first 1 leaves.")) : say("Nothing is taken yet, so r = x."),
      say("The largest is {first}: atom {chosen} is taken.", { first, chosen: tiles.chosen + 1 }),
      second ? say("Next would have been {second}.", { second }) : "",
      s ? say("Atoms taken before have ⟨r, d⟩ = 0: r is orthogonal to them.") : "",
    ].filter(Boolean),
    legend: say("Under each atom: ⟨r, d⟩, how much it has in common with what is left over. The bar is its size."),
    ...tiles,
  };
}

function matrix(rows, name) {
  const table = make("table");
  table.setAttribute("aria-label", name);
  for (const row of rows) {
    const line = make("tr");
    line.append(...row.map((value) => make("td", "", signed(value, 2).replace("+", ""))));
    table.append(line);
  }
  return table;
}

function drawFit(show) {
  const { signal, s, length } = show.step;
  const { found, ...tiles } = lookedAt(show);
  const [atoms, coefficients] = show.codeNow(s + 1);
  const { atom } = show.step;
  const first = show.codes.correlations.subarray(atom * show.count, (atom + 1) * show.count);  // r = x: ⟨x, d⟩
  const system = make("div", "system");
  system.append(
    matrix(atoms.map((i) => atoms.map((j) => show.codes.gram[i * show.count + j])), say("G: the inner products of the atoms")),
    make("span", "", "· a ="), matrix(atoms.map((j) => [first[j]]), say("b: the inner products of the signal with the atoms")),
    make("span", "", "⇒ a ="), matrix(Array.from(coefficients, (value) => [value]), say("a: the coefficients")),
  );
  const [start, before, after] = [0, s, s + 1].map((at) => show.codes.lengths[length + at]);
  return {
    title: s
      ? say("Code signal {signal}: fit all {count} coefficients again", { signal: signal + 1, count: s + 1 })
      : say("Code signal {signal}: fit its coefficient again", { signal: signal + 1 }),
    pictures: built(show, s + 1),
    formula: [
      say("Smallest ‖x − {sum}‖: solve G a = b, with G = ⟨dᵢ, dⱼ⟩ and b = ⟨x, dⱼ⟩.", { sum: atoms.map((j, place) => `a${low(place + 1)}d${low(j + 1)}`).join(" − ") }),
      system,
      say("‖r‖ falls from {before} to {after}: {share} % of ‖x‖ are left.", { before: before.toFixed(3), after: after.toFixed(3), share: ((100 * after) / Math.max(start, 1e-9)).toFixed(1) }),
    ],
    legend: say("Framed: the atom taken now. Dashed: atoms taken before. The numbers are those of the look."),
    ...tiles,
  };
}

function drawCoded(show) {
  const { uses, error } = show.data.coded;
  const n = show.data.labels.length;
  return {
    title: say("All {n} signals have a code. The first ones, rebuilt:", { n }),
    pictures: rebuilt(show),
    formula: [
      say("‖X − AD‖² = {error}: {left} of ‖X‖² are left over.", { error: error.toFixed(2), left: share(show, error) }),
      say("The codes now keep their atoms. K-SVD renews one atom after the other, and with it the coefficients of the signals that use it."),
    ],
    legend: say("Under each atom: how many signals use it."),
    bars: uses,
  };
}

function rebuilt(show) {
  const found = [];
  let [atom, triangle] = [0, 0];
  show.codes.counts.slice(0, 18).forEach((count, signal) => {
    const sum = new Float32Array(show.signals.size);
    const last = triangle + (count * (count - 1)) / 2;
    for (let place = 0; place < count; place++) {
      show.start.at(show.codes.taken[atom + place]).forEach((value, at) => (sum[at] += show.codes.coefficients[last + place] * value));
    }
    found.push(show.picture(sum, nameOf(show, signal), "small", size(show.signals.at(signal))));
    atom += count;
    triangle += (count * (count + 1)) / 2;
  });
  return found;
}

// Users of an atom in columns: the signal, what it misses without the atom, and more rows
function users(show, j, ...rows) {
  const update = show.data.updates[j];
  const missing = update.shown.map((_, place) => show.without[j].at(place));
  const peak = Math.max(1e-9, ...missing.map(size));
  const table = make("div", "users");
  table.style.gridTemplateColumns = `3.1rem repeat(${Math.max(1, missing.length)}, minmax(0, 4.1rem))`;
  const row = (name, cells) => table.append(make("span", "name", name), ...cells);
  const canvas = (values, top, label) => {
    const one = make("canvas");
    one.setAttribute("role", "img");
    one.setAttribute("aria-label", label);
    show.paint(one, values, top);
    return one;
  };
  if (show.step.kind === "users") row("x", update.shown.map((signal) => canvas(show.signals.at(signal), undefined, say("signal {signal}", { signal: signal + 1 }))));
  row("E", missing.map((values) => canvas(values, peak, say("what it misses without the atom"))));
  for (const [name, cell] of rows) row(name, missing.map((values, place) => cell(values, place, (shown) => canvas(shown, peak, name))));
  return table;
}

function updated(show) {
  const { j } = show.step;
  return { legend: say("Under each atom: how many signals use it. Framed: the one that is renewed."), bars: show.data.coded.uses, chosen: j };
}

function drawUsers(show) {
  const { j } = show.step;
  const update = show.data.updates[j];
  const n = show.data.labels.length;
  return {
    title: say("Renew atom {j}: who uses it?", { j: j + 1 }),
    pictures: [
      show.picture(show.atomNow(j), say("atom d{j} so far", { j: low(j + 1) }), "large"),
      users(show, j, ["g", (_, place) => make("span", "", signed(update.before[place]))]),
    ],
    formula: update.n
      ? [
        say("{users} of {n} signals use it; those with the largest coefficients g are shown.", { users: update.n, n }),
        say("E = what its users miss without it: x minus all their other atoms. How well one picture times one number for each user, g dᵀ, can fit E, is what the atom can do."),
        say("Error of all signals before: {errors}.", { errors: update.errors[0].toFixed(3) }),
      ]
      : [say("No signal uses it, so there is nothing to fit and it stays as it is."), say("The check at the end of the iteration replaces it.")],
    ...updated(show),
  };
}

function drawRenew(show) {
  const { j } = show.step;
  const update = show.data.updates[j];
  const now = show.renewed[j];
  const fit = (place) => now.map((value) => update.after[place] * value);
  const [was, is] = update.errors;
  const d = `d${low(j + 1)}`;
  const direction = show.data.exact
    ? say("{d} ← the first right singular vector of E; σ₁ = {length}.", { d, length: update.length.toFixed(3) })
    : say("{d} ← Eᵀg / ‖Eᵀg‖ = Eᵀg / {length}: its users' E, weighted by g, added up.", { d, length: update.length.toFixed(3) });
  return {
    title: say("Renew atom {j}: the best picture for its users", { j: j + 1 }),
    pictures: [
      swap(show, [[show.start.at(j), say("atom d{j} before", { j: low(j + 1) })], [now, say("after")]], "upright"),
      users(
        show, j,
        ["g", (_, place) => make("span", "", `${signed(update.before[place])} → ${signed(update.after[place])}`)],
        ["g·d", (_, place, canvas) => canvas(fit(place))],
        ["E − g·d", (values, place, canvas) => {
          const fitted = fit(place);
          return canvas(values.map((value, at) => value - fitted[at]));
        }],
      ),
    ],
    formula: update.n
      ? [
        direction,
        say("Then each user's coefficient: g = E d."),
        say("Error of all signals: {was} → {is} ({change}). It cannot rise.", { was: was.toFixed(3), is: is.toFixed(3), change: signed(is - was, 3) }),
      ]
      : [say("No signal uses it: it stays as it is until the check."), say("Error of all signals: {is}, as before.", { is: is.toFixed(3) })],
    ...updated(show),
  };
}

function swap(show, pairs, className = "") {
  const row = make("div", `swap ${className}`);
  pairs.forEach(([values, caption], at) => {
    if (at) row.append(make("span", "", className ? "↓" : "→"));
    row.append(show.picture(values, caption, ""));
  });
  return row;
}

function drawCheck(show) {
  const { uses, coherence, least, most, replaced, by, error } = show.data.check;
  const rare = Math.min(...uses);
  const twin = Math.max(...coherence);
  const few = (j) => (uses[j] === 1 ? say("only 1 signal uses it") : say("only {count} signals use it", { count: uses[j] }));
  const like = (j) => say("|cosine| {cosine} with an earlier atom", { cosine: coherence[j].toFixed(3) });
  const why = (j) => (uses[j] < least ? few(j) : like(j));
  return {
    title: replaced.length > 1
      ? say("{count} atoms are replaced by badly coded signals", { count: replaced.length })
      : replaced.length ? say("1 atom is replaced by badly coded signals") : say("Nothing to replace"),
    pictures: replaced.length
      ? replaced.slice(0, 6).map((j, place) => swap(show, [[show.renewed[j], say("atom {j}: {why}", { j: j + 1, why: why(j) })], [show.fresh.at(place), say("signal {place}, ‖d‖ = 1", { place: by[place] + 1 })]]))
      : Array.from({ length: Math.min(18, show.count) }, (_, j) => show.picture(show.renewed[j], `atom ${j + 1}`, "small")),
    formula: [
      say("An atom is replaced if fewer than {least} signals use it, or if its |cosine| with an earlier atom is above {most}.", { least, most }),
      replaced.length
        ? say("Fewest users: {rare}. Largest |cosine|: {twin}. The new ones are the signals that were coded worst.", { rare, twin: twin.toFixed(3) })
        : say("Fewest users: {rare}. Largest |cosine|: {twin}. So all atoms stay.", { rare, twin: twin.toFixed(3) }),
      say("End of iteration {iteration}: root mean square error per pixel {error}.", { iteration: show.data.iteration, error: error.toFixed(4) }),
    ],
    legend: say("Under each atom: how many signals used it. Framed in red: replaced."),
    bars: uses,
    replaced,
  };
}
