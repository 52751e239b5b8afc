"""DAS-KSVD a second time: slow, in float64, straight from the paper.  The loop's oracle.

It shares the settings' values and the random numbers with the loop, and no code.  An iteration
uses its numbers in this order, which is a contract, because a run must go on as it began:

1. for each class in turn, ``choice`` of t of its signals, without replacement, by their odds;
2. ``standard_normal`` of float32 for every value of the sample, in the clean iteration 0 too;
3. ``permutation`` of the sample's signals that are not zero; the first M are K-SVD's first atoms.

A restart goes on with the numbers that follow.  Where a decision between floats is close, float32
may decide otherwise than float64.  So every decision's margin is kept: a comparison means
something only where the smallest is well above float32's rounding.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Watch:
    """How close the decisions between floats were, and what occurred."""

    margins: list[float] = field(default_factory=lambda: [np.inf])
    little_used: int = 0
    alike: int = 0

    def decide(self, margin: float) -> None:
        """Keep how far a decision was from the other outcome, relative to what was compared."""
        self.margins.append(float(margin))

    @property
    def smallest(self) -> float:
        """The closest of all decisions."""
        return min(self.margins)


@dataclass
class SlowRecord:
    """What an iteration must leave; arrays as in the loop's record."""

    atoms: np.ndarray
    drawn: np.ndarray
    odds: np.ndarray
    errors: list[float]
    restarts: int
    p: np.ndarray
    q: np.ndarray
    r: np.ndarray
    top: np.ndarray
    second: np.ndarray
    af: np.ndarray
    cm_lead: np.ndarray
    re_lead: np.ndarray
    chosen: list[int]
    scores: list[float]


def follow(signals, labels, settings, watch):
    """All iterations' records."""
    odds = np.full(len(signals), 1 / len(signals))
    records = []
    for l in range(settings.I):
        if settings.streams == 1:
            rng = np.random.default_rng([settings.seed, l])
        else:
            rng = np.random.default_rng(np.random.SeedSequence(settings.seed).spawn(l + 1)[l])
        record = iterate(np.asarray(signals, float), labels, settings, l, odds, rng, watch)
        records.append(record)
        odds = record.odds
    return records


def iterate(signals, labels, settings, l, odds, rng, watch):
    """One iteration, drawn again until every class uses some atom strictly most."""
    n_classes = labels.max() + 1
    n_atoms = round(settings.r_f * signals.shape[1])
    count = settings.q if isinstance(settings.q, int) else max(1, int(settings.q * n_atoms))
    tries = []
    while not tries or not every_class_leads(tries[-1]):
        assert len(tries) <= 10, "no restart helped"
        drawn = draw(odds, labels, n_classes, settings.t, rng)
        sample = degrade(signals[drawn], l, settings, rng)
        atoms, errors = ksvd(sample, n_atoms, count, settings.ksvd_iter, settings.exact, rng, watch)
        codes = np.array([omp(signal, atoms, count, watch) for signal in sample])
        p, q, r = tables(sample, atoms, codes, labels[drawn], n_classes)
        tries.append(p)
    rows = [measures(p[:, j], q[:, j], r[:, j], settings.re_sign) for j in range(n_atoms)]
    top, second, af, cm_lead, re_lead = map(np.array, zip(*rows, strict=True))
    after = odds.copy()
    after[drawn] *= settings.tau1
    if after.sum() > 0:
        after /= after.sum()
    sign = {"combined": 1, "worst": -1}[settings.ranking]
    chosen, scores = select(top, af, cm_lead, re_lead, settings.alpha, settings.beta, n_classes, watch, sign)
    restarts = len(tries) - 1
    return SlowRecord(
        atoms, drawn, after, errors, restarts, p, q, r, top, second, af, cm_lead, re_lead, chosen, scores
    )  # fmt: skip


def every_class_leads(p):
    """Whether each class uses some atom strictly more often than every other class (D9, D16)."""
    leaders = [int(column.argmax()) for column in p.T if sorted(column)[-1] > sorted(column)[-2]]
    return set(leaders) == set(range(len(p)))


def draw(odds, labels, n_classes, t, rng):
    """Step 1, class by class, without replacement (D2)."""
    parts = []
    for c in range(n_classes):
        members = np.array([i for i in range(len(labels)) if labels[i] == c])
        parts.append(rng.choice(members, size=t, replace=False, p=odds[members] / odds[members].sum()))
    return np.concatenate(parts)


def degrade(sample, l, settings, rng):
    """Step 2: noise of size l·τ2·σ_i, with σ_i the signal's deviation or variance (D3)."""
    numbers = rng.standard_normal(sample.shape, dtype=np.float32).astype(float)
    noisy = sample.copy()
    for i, signal in enumerate(sample):
        variance = np.mean((signal - signal.mean()) ** 2)
        noisy[i] += l * settings.tau2 * {"std": np.sqrt(variance), "variance": variance}[settings.noise] * numbers[i]
    return noisy


def omp(signal, atoms, count, watch):
    """Step 4: the atom that fits the remainder best, then least squares on all chosen, again and again."""
    chosen, remainder, code = [], signal, np.zeros(len(atoms))
    first = np.abs(atoms @ signal).max()
    for _ in range(count if first > 0 else 0):
        fits = np.abs(atoms @ remainder)
        fits[chosen] = 0
        best, next_best = np.sort(fits)[[-1, -2]]
        if best <= 1e-6 * first:  # explained
            break
        watch.decide((best - next_best) / first)
        chosen.append(int(fits.argmax()))
        values = np.linalg.lstsq(atoms[chosen].T, signal, rcond=None)[0]
        remainder = signal - values @ atoms[chosen]
    if chosen:
        code[chosen] = values
    return code


def ksvd(sample, n_atoms, count, n_iter, exact, rng, watch):
    """Step 3: atoms of unit length, and the root mean square error after each sweep."""
    visible = [i for i, signal in enumerate(sample) if np.any(signal != 0)]
    start = rng.permutation(visible)[:n_atoms]
    assert len(start) == n_atoms, "the oracle starts from signals only"
    atoms = np.array([sample[i] / np.linalg.norm(sample[i]) for i in start])
    errors = []
    for _ in range(n_iter):
        codes = np.array([omp(signal, atoms, count, watch) for signal in sample])
        for j in range(n_atoms):
            users = np.flatnonzero(codes[:, j] != 0)
            if users.size:
                atoms[j], codes[users, j] = updated(sample[users], atoms, codes[users], j, exact, watch)
        rests = sample - codes @ atoms
        errors.append(np.sqrt(np.mean(rests**2)))
        replace_bad(atoms, sample, codes, (rests**2).sum(axis=1), watch)
    return atoms, errors


def updated(mine, atoms, codes, j, exact, watch):
    """Atom j for its users: a power step (D4), or the first singular vector; then their coefficients."""
    others = np.delete(np.arange(len(atoms)), j)
    without = mine - codes[:, others] @ atoms[others]
    if exact:
        _, values, rows = np.linalg.svd(without, full_matrices=False)
        if len(values) > 1:
            watch.decide((values[0] - values[1]) / values[0])
        atom = rows[0] * np.sign(rows[0] @ atoms[j])
    else:
        atom = codes[:, j] @ without
        atom = atom / np.linalg.norm(atom)
    return atom, without @ atom


def replace_bad(atoms, sample, codes, energies, watch):
    """D4: an atom with fewer than 4 users or like an earlier one becomes the worst-coded signal that is unlike all."""
    bad = []
    for j in range(len(atoms)):
        likeness = max((abs(atoms[j] @ atoms[i]) for i in range(j)), default=0.0)
        watch.decide(abs(likeness - 0.99))
        little_used, alike = np.count_nonzero(codes[:, j]) < 4, likeness > 0.99
        watch.little_used += little_used
        watch.alike += alike
        if little_used or alike:
            bad.append(j)
    kept = [atoms[j] for j in range(len(atoms)) if j not in bad]
    energies_in_order = np.sort(energies)[::-1]
    if bad:
        watch.decide(np.min(-np.diff(energies_in_order[: 3 * len(bad) + 2])) / energies_in_order[0])
    fresh = []
    for i in np.argsort(-energies):
        if len(fresh) == len(bad):
            break
        signal = sample[i] / np.linalg.norm(sample[i])
        likeness = max((abs(signal @ atom) for atom in kept + fresh), default=0.0)
        watch.decide(abs(likeness - 0.99))
        if likeness <= 0.99:
            fresh.append(signal)
    for j, signal in zip(bad, fresh, strict=False):
        atoms[j] = signal


def tables(sample, atoms, codes, labels, n_classes):
    """p, q and r, the last by really taking the atom out (D8: squared)."""
    shape = n_classes, len(atoms)
    p, q, r = np.empty(shape), np.empty(shape), np.empty(shape)
    for c in range(n_classes):
        X, A = sample[labels == c], codes[labels == c]
        for j in range(len(atoms)):
            p[c, j] = sum(A[:, j] != 0) / len(A)
            q[c, j] = sum(abs(A[:, j])) / len(A)
            kept = A.copy()
            kept[:, j] = 0
            r[c, j] = np.sum((X - kept @ atoms) ** 2) / len(A)
    return p, q, r


def measures(p, q, r, re_sign):
    """ℓ⁺, ℓ* and the three leads of one atom; D5: a tie goes to the smallest class, an unused atom has 0."""
    order = sorted(range(len(p)), key=lambda c: (-p[c], c))
    top, second = order[0], order[1]
    if p[top] == 0:
        return top, second, 0.0, 0.0, 0.0
    more, less = (top, second) if re_sign == "paper" else (second, top)  # D7
    return top, second, (p[top] - p[second]) / p[top], (q[top] - q[second]) / q[top], (r[more] - r[less]) / r[more]


def select(top, af, cm_lead, re_lead, alpha, beta, n_classes, watch, sign):
    """Step 6: each class's own atom with the largest m, or the least negative one (D6, D16); -1: the smallest."""
    chosen, scores = [], []
    for c in range(n_classes):
        ranked = []
        for j in range(len(top)):
            if top[j] == c and af[j] > 0:
                rest = 1 - alpha - beta
                m = alpha * af[j] + beta * max(cm_lead[j], 0) + rest * max(re_lead[j], 0)
                score = m if m > 0 else alpha * af[j] + beta * cm_lead[j] + rest * re_lead[j]
                ranked.append((sign * score, -j))
        ranked.sort()
        if len(ranked) > 1:
            watch.decide(ranked[-1][0] - ranked[-2][0])
        chosen.append(-ranked[-1][1])
        scores.append(ranked[-1][0])
    return chosen, scores
