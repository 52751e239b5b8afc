"""The dashboard's front page: real digits, and the atoms a finished run chose for them."""

import numpy as np
import streamlit as st
from PIL import Image

from dasksvd import figures, load_mnist, reduce_images
from dasksvd.reference import load_reference
from dasksvd.settings import PAPER, check_weights

DIGITS = [str(digit) for digit in range(10)]


@st.cache_resource
def reference_run():
    """The shipped trajectory, read once per server."""
    return load_reference()


@st.cache_resource
def example_digits():
    """The first twenty training digits of each class; (10, 20, 256)."""
    data = load_mnist()
    chosen = np.stack([np.flatnonzero(data.train_labels == digit)[:20] for digit in range(10)])
    return reduce_images(data.train_images[chosen.ravel()]).reshape(10, 20, 256)


@st.cache_resource
def icon():
    """The favicon: the first selected atom of a zero, enlarged."""
    atom = reference_run().reselect(0, 0, 1).atoms[0].reshape(16, 16)
    grey = np.uint8(255 * (atom - atom.min()) / np.ptp(atom))
    return Image.fromarray(grey).resize((64, 64), Image.Resampling.NEAREST)


st.set_page_config("DAS-KSVD", page_icon=icon(), layout="wide")
st.title("Atoms that tell digits apart")
st.markdown(
    "DAS-KSVD learns a dictionary again and again on noisier and noisier samples of MNIST, and each time keeps, "
    "for every digit, **the one atom that belongs to it most clearly**. Here are these atoms and the digits it saw."
)

with st.sidebar:
    st.header("Choose again")
    st.caption("Sampling and learning do not depend on α and β: moving them only ranks the same atoms anew.")
    alpha = st.slider(
        "α — activation frequency",
        0.0,
        1.0,
        PAPER.alpha,
        0.01,
        help="Weight of $m_{af} = (p^+ - p^*)/p^+$: how much more often the digit uses the atom than its rival.",
    )
    beta = st.slider(
        "β — coefficient magnitude",
        0.0,
        1.0,
        PAPER.beta,
        0.01,
        help="Weight of $m_{cm} = (q^+ - q^*)/q^+$: how much larger its mean coefficient $|a|$ is.",
    )
    I = st.slider("I — atoms per digit", 1, PAPER.I, PAPER.I, help="One atom per digit and iteration.")
    try:
        check_weights(alpha, beta)
    except ValueError as error:
        st.warning(f"The three weights add up to 1, so {error}. Shown is β = {1 - alpha:.2f}.")
        beta = 1 - alpha
    st.markdown("An atom's measure, from which the largest wins:")
    st.latex(
        rf"""\begin{{aligned}} m &= \alpha\, m_{{af}} + \beta\, m_{{cm}} \\
        &\quad + (1-\alpha-\beta)\, m_{{re}} \\
        &= {alpha:.2f}\, m_{{af}} + {beta:.2f}\, m_{{cm}} \\
        &\quad + {max(0, 1 - alpha - beta):.2f}\, m_{{re}} \end{{aligned}}"""
    )

run = reference_run()
selection = run.reselect(alpha, beta, I)
paper_choice = run.reselect(PAPER.alpha, PAPER.beta, I)
changed = int(np.sum(selection.index != paper_choice.index))

st.plotly_chart(
    figures.mosaic(
        selection.atoms.reshape(I, 10, -1).transpose(1, 0, 2),
        DIGITS,
        f"The {I * 10} selected atoms, by digit",
        "iteration (the sample's noise grows to the right)",
    ),
    alt=f"Mosaic of {I * 10} selected atoms: one row per digit 0 to 9, one column per iteration 1 to {I}.",
    key="dictionary",
)
left, middle, right = st.columns(3)
left.metric("Atoms selected", f"{I * 10}", help="I atoms for each of the ten digits.")
middle.metric("Other atoms than at α = β = 0", f"{changed}", help="The paper's best weights are α = β = 0.")
right.metric("Atoms to choose from", f"{I * run.records[0].atoms.shape[0]:,}", help="256 atoms in each iteration.")

st.plotly_chart(
    figures.mosaic(example_digits(), DIGITS, "Digits it learned from, by class", "example", signed=False),
    alt="Mosaic of 200 handwritten digits from MNIST: one row per digit 0 to 9, twenty examples each.",
    key="digits",
)

with st.expander("What am I looking at?"):
    st.markdown(
        r"""
An **atom** is a small picture of length one; a digit is written as a sum of a few atoms, its *sparse code*.
Orange is negative, blue-green positive, the background zero.

In each of the $I$ iterations, K-SVD learns 256 atoms from 500 digits per class. For atom $j$ and digit $\ell$,
$p_\ell$ is the share of that digit's images whose code uses the atom; $\ell^+$ and $\ell^*$ are the digits with the
largest and second largest $p_\ell$. An atom for which $p_{\ell^+}$ is far above $p_{\ell^*}$ tells $\ell^+$ from the
rest. The same is done for the mean coefficient $q_\ell$ and for the error $r_\ell$ when the atom is taken out, and
the three are weighed by $\alpha$, $\beta$ and $1-\alpha-\beta$.
"""
    )
    settings = run.settings
    st.caption(
        f"This run: q = {settings.q:g}, t = {settings.t}, τ1 = {settings.tau1:g}, τ2 = {settings.tau2:g}, "
        f"I = {settings.I}, {settings.ksvd_iter} K-SVD iterations, seed {settings.seed}; made by "
        "`python -m reproduce reference`."
    )
