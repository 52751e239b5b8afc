"""What each dictionary is, for pictures: a name that fits beside a dot, and one sentence."""

from typing import NamedTuple

from reproduce.report import ENCODER_NAMES, NAMES


class Words(NamedTuple):
    """A short name, one of :data:`FAMILIES`, and what it stands for."""

    short: str
    family: str
    sentence: str


#: What dictionaries have in common, from the paper's method to none.
REFERENCE, SELECTION = "what all are compared with", "DAS-KSVD, other atoms chosen"
NOISE, LEARNED, SIMPLE = "DAS-KSVD, other noise or memory", "K-SVD and its kin", "no sparse learning"
FAMILIES = (REFERENCE, SELECTION, NOISE, LEARNED, SIMPLE)
DESCRIPTIONS = {
    "das-ksvd": Words(
        "DAS-KSVD", REFERENCE, "The paper's method: in each of 20 iterations the best atom of every class by m_re."
    ),
    "ksvd": Words("K-SVD", LEARNED, "K-SVD on all clean training signals, without classes and without selection."),
    "ksvd, mixed noise": Words(
        "K-SVD, mixed noise", LEARNED, "K-SVD on signals with the same mixture of noise as in DAS-KSVD's iterations."
    ),
    "ksvd, noise": Words("K-SVD, noise", LEARNED, "K-SVD on noisy signals; the level was chosen on validation images."),
    "lc-ksvd2": Words("LC-KSVD2", LEARNED, "K-SVD that also learns labels, with a weight of 1 for them."),
    "lc-ksvd2, tuned": Words(
        "LC-KSVD2, tuned", LEARNED, "K-SVD that also learns labels; their weight was chosen on validation images."
    ),
    "lc-ksvd2, noise": Words(
        "LC-KSVD2, noise", LEARNED, "LC-KSVD2 on noisy signals; weight and level were chosen on validation images."
    ),
    "activation only": Words(
        "activation only", SELECTION, "DAS-KSVD whose atoms are ranked by how often they are used (α = 1)."
    ),
    "magnitude only": Words(
        "magnitude only", SELECTION, "DAS-KSVD whose atoms are ranked by their mean coefficients (β = 1)."
    ),
    "code's sign": Words("code's sign", SELECTION, "DAS-KSVD with the sign of m_re that the authors' code has."),
    "mdcs": Words("MDCS", SELECTION, "DAS-KSVD whose atoms are ranked by the two-class measure MDCS."),
    "random own atom": Words(
        "random own atom", SELECTION, "DAS-KSVD that takes a random atom of the right class, not the best."
    ),
    "worst own atom": Words(
        "worst own atom", SELECTION, "DAS-KSVD that takes the worst atom of the right class, not the best."
    ),
    "any atoms": Words(
        "any atoms", SELECTION, "DAS-KSVD that takes ten random atoms in each iteration, whoever uses them."
    ),
    "one auxiliary dictionary": Words(
        "one auxiliary", SELECTION, "200 random atoms of one of the dictionaries that DAS-KSVD selects from."
    ),
    "no noise": Words("no noise", NOISE, "DAS-KSVD without noise (τ2 = 0)."),
    "constant noise": Words("constant noise", NOISE, "DAS-KSVD with the same noise in every iteration."),
    "no memory": Words("no memory", NOISE, "DAS-KSVD that forgets which signals it has drawn (τ1 = 1)."),
    "variance noise": Words("variance noise", NOISE, "DAS-KSVD with noise in proportion to a signal's variance."),
    "das-ksvd, tuned": Words("DAS-KSVD, tuned", NOISE, "DAS-KSVD; its noise τ2 was chosen on validation images."),
    "mod": Words("MOD", LEARNED, "The method of optimal directions on clean signals: all atoms are updated at once."),
    "k-means": Words("K-means", SIMPLE, "The centres of 200 clusters of the training signals."),
    "random images": Words("random images", SIMPLE, "20 random training images of each class: nothing is learned."),
    "gaussian": Words("Gaussian", SIMPLE, "200 random directions: nothing is learned and no image is seen."),
    "das-ksvd, fine-tuned": Words(
        "DAS fine-tuned", LEARNED, "DAS-KSVD's atoms, moved so that a small network reads their codes better."
    ),
    "random images, fine-tuned": Words(
        "images fine-tuned", LEARNED, "Random training images, moved in the same way: what the start is worth."
    ),
    "gaussian, fine-tuned": Words(
        "Gaussian fine-tuned", LEARNED, "Random directions, moved in the same way: what the start is worth."
    ),
    "raw-16": Words("raw pixels", REFERENCE, "No dictionary: the network sees the 256 pixels, whose coherence is 0."),
}


def is_raw(method: str) -> bool:
    """Whether a method is raw pixels, which have no dictionary and no encoder."""
    return method.startswith("raw")


def short(method: str) -> str:
    """The name beside a dot."""
    return DESCRIPTIONS[method].short if method in DESCRIPTIONS else NAMES.get(method, method)


def family(method: str) -> str:
    """What it has in common with others."""
    return DESCRIPTIONS[method].family if method in DESCRIPTIONS else SIMPLE


def sentence(method: str) -> str:
    """What it is; empty if nobody has said."""
    return DESCRIPTIONS[method].sentence if method in DESCRIPTIONS else ""


def reader(method: str, encoder: str) -> str:
    """A dictionary with its encoder, or raw pixels."""
    return short(method) if is_raw(method) else f"{short(method)} · {ENCODER_NAMES[encoder]}"
