"""The atoms that a method should have, written out from the method's own functions."""

from dataclasses import replace

import numpy as np

from dasksvd import KSVD, LCKSVD2, QUICK
from dasksvd.baselines.mod import mod_update
from dasksvd.method.ksvd import learn

NUMBER, SIZE = 3, 3
SMALL = replace(QUICK, t=40, I=SIZE, r_f=0.25, ksvd_iter=3, q=0.15, tau1=0.4, tau2=0.3)
#: Ablations that learn with other settings.
CHANGED = {
    "das-ksvd": {},
    "no noise": {"tau2": 0.0},
    "no memory": {"tau1": 1.0},
    "variance noise": {"noise": "variance"},
    "code's sign": {"re_sign": "code"},
    "das-ksvd, tuned": {"tau2": 0.05},
}
#: Ablations that choose with other weights.
WEIGHTED = {"activation only": (1.0, 0.0), "magnitude only": (0.0, 1.0)}


def best_owned(record, value):
    """For each class the atom with the largest value among those it uses strictly most often; (10,)."""
    ordered = np.sort(record.tables.p, axis=0)
    strictly = ordered[-1] > ordered[-2]
    owner = record.tables.p.argmax(axis=0)
    return [max(np.flatnonzero(strictly & (owner == digit)), key=lambda j: value[j]) for digit in range(10)]


def chosen(records, value):
    """The structured dictionary that ranks by a value of each record's atoms."""
    return np.concatenate([record.atoms[best_owned(record, value(record))] for record in records])


def m(record, alpha, beta):
    """m, and where all three measures are cut at 0 the lead that was cut (D16)."""
    weights, measures = (alpha, beta, 1 - alpha - beta), record.measures
    cut = sum(weight * lead for weight, lead in zip(weights, (measures.af, measures.cm, measures.re), strict=True))
    leads = (measures.af, measures.cm_lead, measures.re_lead)
    return np.where(cut > 0, cut, sum(weight * lead for weight, lead in zip(weights, leads, strict=True)))


def p_lead(record):
    ordered = np.sort(record.tables.p, axis=0)
    return ordered[-1] - ordered[-2]


#: Noise of the signals that a method learns from, in standard deviations of each signal.
LEVELS = {
    "ksvd": lambda: 0.0,
    "lc-ksvd2": lambda: 0.0,
    "lc-ksvd2, tuned": lambda: 0.0,
    "ksvd, noise": lambda: 0.5,
    "lc-ksvd2, noise": lambda: 1.0,
    "ksvd, mixed noise": lambda: 0.3 * np.random.default_rng([NUMBER, 2**29]).integers(SIZE, size=40000)[:, None],
}
#: What a label weighs in LC-KSVD2, against a signal.
WEIGHTS = {"lc-ksvd2": 1.0, "lc-ksvd2, tuned": 0.01, "lc-ksvd2, noise": 0.03}


def noisy(signals, level):
    drawn = np.random.default_rng([NUMBER, 2**31]).standard_normal(signals.shape, dtype=np.float32)
    return (signals + level * signals.std(axis=1, keepdims=True) * drawn).astype(np.float32)


def expected_atoms(method, records, signals, labels):
    """The atoms of methods that follow from the data and the seed alone."""
    n_atoms = 10 * SIZE
    if method in CHANGED:
        return chosen(records(**CHANGED[method]), lambda record: m(record, 0, 0))
    if method in WEIGHTED:
        return chosen(records(), lambda record: m(record, *WEIGHTED[method]))
    if method == "mdcs":
        return chosen(records(), p_lead)
    if method == "worst own atom":
        return chosen(records(), lambda record: -m(record, 0, 0))
    if method.startswith(("ksvd", "lc-ksvd2")):
        signals = noisy(signals, LEVELS[method]())
    options = {"n_atoms": n_atoms, "q": 0.15, "ksvd_iter": 3, "random_state": NUMBER}
    if method.startswith("ksvd"):
        return KSVD(**options).fit(signals).components_
    if method in WEIGHTS:
        weight = {"consistency": 0.8 * WEIGHTS[method] / SIZE, "classification": 0.2 * WEIGHTS[method]}
        return LCKSVD2(**options, **weight).fit(signals, labels).components_
    if method == "mod":
        rng = np.random.default_rng([NUMBER, 2**31])
        return learn(signals, n_atoms, 4, 3, rng, update=mod_update).atoms
    raise AssertionError(f"no expectation for {method}")
