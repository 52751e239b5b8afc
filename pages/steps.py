"""K-SVD and the pursuit taken apart: one button is one half-step."""

import streamlit as st

from ui import frame, links, sidebar
from ui.components import half_steps
from ui.panels import sample_choice

view = frame.begin(
    "Step by step",
    "**How K-SVD learns atoms**, one half-step at a time.",
    controls=(sidebar.LOOK,),
)
sample = sample_choice.show()


@st.fragment
def show() -> None:
    """The half-steps, and the address: a step is no reason to run the rest of the page."""
    step = half_steps.step_of(sample.film, sample.choice.name)
    half_steps.show(sample.film, sample.choice.name, sample.classes, view.colors, step)
    links.write("steps")


if sample:
    show()
frame.about(
    r"""
**K-SVD** looks for atoms $d_1 \dots d_M$ of length 1, the rows of $D$, on which all signals, the rows of $X$, have
short codes: it makes $\|X - AD\|^2$ small with at most $q$ numbers other than 0 in each row of $A$. Each iteration has
two halves, and each half is made of small steps.

**Code the signals**, each by itself, with orthogonal matching pursuit. *Look*: compare what is left over, $r$, with
every atom, and take the one with the largest $|\langle r, d_j\rangle|$. *Refit*: solve the small linear system
$G a = b$ for all atoms taken so far, with $G = \langle d_i, d_j\rangle$ and $b = \langle x, d_j\rangle$. Then $r$ is
orthogonal to all of them.

**Renew the atoms**, one after the other. *Users*: collect the signals whose codes have the atom, and what they miss
without it, $E$. *Renew*: replace the atom and its coefficients by a fit $E \approx g\,d^\top$ of rank one. Which atoms
a code uses stays as it is, so the error cannot rise. At the end of the iteration, atoms that hardly anyone uses or
that are twins of others are replaced by the signals that were coded worst.

With 200 signals and 16 atoms nothing needs to be replaced. Choose 60 signals, 32 atoms and q = 1 to see it happen.

DAS-KSVD runs K-SVD in this way in each of its iterations, with more signals and atoms. All numbers here come from the
code that learns the dictionaries of runs: after each iteration the atoms are the same to the last bit.
"""
)
