"""The paper's tables beside ours, and what the classifiers get wrong."""

import streamlit as st

from ui import sidebar
from ui.panels import mistakes, paper_tables, results, verdict

view = sidebar.begin(
    "Does the paper hold?",
    "**Its tables beside ours: one scorer for all methods, the test set used once, at the end.** What does not hold is "
    "stated as plainly as what does.",
)
verdict.show()
in_tables, in_mistakes, in_significance, in_ablation = results.tabs("Tables", "Mistakes", "Significance", "Ablation")
with in_tables:
    paper_tables.show_sizes()
    paper_tables.show_methods()
with in_mistakes:
    mistakes.show(view)
with in_significance:
    paper_tables.show_significance()
with in_ablation:
    paper_tables.show_ablation()
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
A **round** draws 4,000 training and 1,000 validation images of each digit, learns the dictionary on the training part,
codes all images by orthogonal matching pursuit with at most $q\,n$ non-zeros on $n$ atoms, trains a network
MLP-$n$-$h$-10 on the training codes with early stopping on the validation part (SCG for at most 1,000 epochs, Adam for
60), and reads the 10,000 test images once:
$$\mathrm{Acc} = \frac{\text{test images read right}}{10{,}000}.$$
Split, sampling, K-SVD and network all get the round's number as their seed. **SCG, MSE** is the paper's network
(saturating linear units, scaled conjugate gradients); **ReLU, Adam** is today's network of the same size, by
scikit-learn. The tables show the mean ± standard deviation and the best of the rounds.
"""
    )
