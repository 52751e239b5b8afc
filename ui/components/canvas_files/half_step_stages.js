// What each kind of half-step shows: pictures, formula with its numbers, and a bar for every atom.
const NEXT = {
  look: ({ s }) => (s ? "look again" : "look"),
  fit: () => "take and refit",
  coded: () => "add up",
  users: ({ j }) => `users of atom ${j + 1}`,
  renew: ({ j }) => `renew atom ${j + 1}`,
  check: () => "check the atoms",
};

const DRAWN = { start: drawStart, look: drawLook, fit: drawFit, coded: drawCoded, users: drawUsers, renew: drawRenew, check: drawCheck };

const nameOf = (show, signal) => show.data.classes[show.data.labels[signal]];
const size = (values) => Math.max(1e-9, ...values.map(Math.abs));
const share = (show, error) => `${((100 * error) / Math.max(show.data.energy, 1e-12)).toFixed(2)} %`;

function drawStart(show) {
  const n = show.data.labels.length;
  return {
    title: `The sample: ${n} signals. Its first ones:`,
    pictures: Array.from({ length: Math.min(18, n) }, (_, signal) => show.picture(show.signals.at(signal), nameOf(show, signal), "small")),
    formula: [
      `Find ${show.count} atoms on which every signal has a short code: x ≈ a₁d₁ + a₂d₂ + …`,
      `K-SVD starts from ${show.count} random signals, each divided by its length, so that ‖d‖ = 1.`,
      "Then it repeats two halves: code all signals on the atoms, and renew one atom after the other.",
    ],
    legend: "The atoms to start from.",
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
    show.picture(x, `signal x, class ${nameOf(show, show.step.signal)}`, "large", peak),
    show.picture(sum, count ? `built from ${count} atom${count > 1 ? "s" : ""}` : "built: nothing yet", "large", peak),
    show.picture(left, "left over: r = x − built", "large", peak),
    parts(show, count),
  ];
}

// The atoms taken so far with their coefficients, and those before the last refit
function parts(show, count) {
  const row = make("div", "parts");
  if (!count) return row;
  const [atoms, coefficients] = show.codeNow(count);
  const before = show.step.kind === "fit" && count > 1 ? show.codeNow(count - 1)[1] : coefficients;
  row.append(make("span", "", "built ="), ...atoms.map((atom, place) => {
    const was = show.step.kind === "fit" && place === count - 1 ? "new: " : show.step.kind === "fit" ? `${signed(before[place])} → ` : "";
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
    title: `Code signal ${signal + 1}: which atom is most like what is left over?`,
    pictures: built(show, s),
    formula: [
      s ? `Before atom ${s + 1}, r is what the first ${s} leave${s > 1 ? "" : "s"}.` : "Nothing is taken yet, so r = x.",
      `The largest is ${first}: atom ${tiles.chosen + 1} is taken.`,
      second ? `Next would have been ${second}.` : "",
      s ? "Atoms taken before have ⟨r, d⟩ = 0: r is orthogonal to them." : "",
    ].filter(Boolean),
    legend: "Under each atom: ⟨r, d⟩, how much it has in common with what is left over. The bar is its size.",
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
    matrix(atoms.map((i) => atoms.map((j) => show.codes.gram[i * show.count + j])), "G: the inner products of the atoms"),
    make("span", "", "· a ="), matrix(atoms.map((j) => [first[j]]), "b: the inner products of the signal with the atoms"),
    make("span", "", "⇒ a ="), matrix(Array.from(coefficients, (value) => [value]), "a: the coefficients"),
  );
  const [start, before, after] = [0, s, s + 1].map((at) => show.codes.lengths[length + at]);
  return {
    title: `Code signal ${signal + 1}: fit ${s ? `all ${s + 1} coefficients` : "its coefficient"} again`,
    pictures: built(show, s + 1),
    formula: [
      `Smallest ‖x − ${atoms.map((j, place) => `a${low(place + 1)}d${low(j + 1)}`).join(" − ")}‖: solve G a = b, with G = ⟨dᵢ, dⱼ⟩ and b = ⟨x, dⱼ⟩.`,
      system,
      `‖r‖ falls from ${before.toFixed(3)} to ${after.toFixed(3)}: ${((100 * after) / Math.max(start, 1e-9)).toFixed(1)} % of ‖x‖ are left.`,
    ],
    legend: "Framed: the atom taken now. Dashed: atoms taken before. The numbers are those of the look.",
    ...tiles,
  };
}

function drawCoded(show) {
  const { uses, error } = show.data.coded;
  const n = show.data.labels.length;
  return {
    title: `All ${n} signals have a code. The first ones, rebuilt:`,
    pictures: rebuilt(show),
    formula: [
      `‖X − AD‖² = ${error.toFixed(2)}: ${share(show, error)} of ‖X‖² are left over.`,
      `The codes now keep their atoms. K-SVD renews one atom after the other, and with it the coefficients of the signals that use it.`,
    ],
    legend: "Under each atom: how many signals use it.",
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
  if (show.step.kind === "users") row("x", update.shown.map((signal) => canvas(show.signals.at(signal), undefined, `signal ${signal + 1}`)));
  row("E", missing.map((values) => canvas(values, peak, "what it misses without the atom")));
  for (const [name, cell] of rows) row(name, missing.map((values, place) => cell(values, place, (shown) => canvas(shown, peak, name))));
  return table;
}

function updated(show) {
  const { j } = show.step;
  return { legend: "Under each atom: how many signals use it. Framed: the one that is renewed.", bars: show.data.coded.uses, chosen: j };
}

function drawUsers(show) {
  const { j } = show.step;
  const update = show.data.updates[j];
  const n = show.data.labels.length;
  return {
    title: `Renew atom ${j + 1}: who uses it?`,
    pictures: [
      show.picture(show.atomNow(j), `atom d${low(j + 1)} so far`, "large"),
      users(show, j, ["g", (_, place) => make("span", "", signed(update.before[place]))]),
    ],
    formula: update.n
      ? [
        `${update.n} of ${n} signals use it; those with the largest coefficients g are shown.`,
        `E = what its users miss without it: x minus all their other atoms. How well one picture times one number for each user, g dᵀ, can fit E, is what the atom can do.`,
        `Error of all signals before: ${update.errors[0].toFixed(3)}.`,
      ]
      : ["No signal uses it, so there is nothing to fit and it stays as it is.", "The check at the end of the iteration replaces it."],
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
    ? `${d} ← the first right singular vector of E; σ₁ = ${update.length.toFixed(3)}.`
    : `${d} ← Eᵀg / ‖Eᵀg‖ = Eᵀg / ${update.length.toFixed(3)}: its users' E, weighted by g, added up.`;
  return {
    title: `Renew atom ${j + 1}: the best picture for its users`,
    pictures: [
      swap(show, [[show.start.at(j), `atom d${low(j + 1)} before`], [now, "after"]], "upright"),
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
        "Then each user's coefficient: g = E d.",
        `Error of all signals: ${was.toFixed(3)} → ${is.toFixed(3)} (${signed(is - was, 3)}). It cannot rise.`,
      ]
      : ["No signal uses it: it stays as it is until the check.", `Error of all signals: ${is.toFixed(3)}, as before.`],
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
  const why = (j) => (uses[j] < least ? `only ${uses[j]} signal${uses[j] === 1 ? " uses" : "s use"} it` : `|cosine| ${coherence[j].toFixed(3)} with an earlier atom`);
  return {
    title: replaced.length ? `${replaced.length} atom${replaced.length > 1 ? "s are" : " is"} replaced by badly coded signals` : "Nothing to replace",
    pictures: replaced.length
      ? replaced.slice(0, 6).map((j, place) => swap(show, [[show.renewed[j], `atom ${j + 1}: ${why(j)}`], [show.fresh.at(place), `signal ${by[place] + 1}, ‖d‖ = 1`]]))
      : Array.from({ length: Math.min(18, show.count) }, (_, j) => show.picture(show.renewed[j], `atom ${j + 1}`, "small")),
    formula: [
      `An atom is replaced if fewer than ${least} signals use it, or if its |cosine| with an earlier atom is above ${most}.`,
      `Fewest users: ${rare}. Largest |cosine|: ${twin.toFixed(3)}.${replaced.length ? " The new ones are the signals that were coded worst." : " So all atoms stay."}`,
      `End of iteration ${show.data.iteration}: root mean square error per pixel ${error.toFixed(4)}.`,
    ],
    legend: "Under each atom: how many signals used it. Framed in red: replaced.",
    bars: uses,
    replaced,
  };
}
