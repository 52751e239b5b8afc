"""Which of the paper's claims hold, the numbers behind it, and what the classifiers get wrong."""

from ui import frame
from ui.panels import (
    differences,
    mistakes,
    network_sizes,
    paper_tables,
    parameter_curves,
    results,
    robustness,
    take_home,
    verdict,
    what_works,
)

view = frame.begin(
    "Does the paper hold?",
    "**Its claims, tested** with its own kind of network (SCG) and a modern one (ReLU).",
    controls=(),
)
verdict.show()
results.show_open_tab(
    {
        "Tables": results.Tab(paper_tables.show),
        "Significance": results.Tab(differences.show),
        "What makes it work?": results.Tab(what_works.show, what_works.keep, "ablation"),
        "Robustness": results.Tab(robustness.show, robustness.keep),
        "Curves": results.Tab(parameter_curves.show, parameter_curves.keep),
        "Networks": results.Tab(network_sizes.show, network_sizes.keep),
        "Mistakes": results.Tab(lambda: mistakes.show(view), mistakes.keep),
    }
)
take_home.code(take_home.of_claims)
frame.about(
    r"""
**How a claim is judged.** Each claim is a difference that must be positive, such as DAS-KSVD minus K-SVD, and it is
measured at several places, such as five widths of the network. Each place is a test. Of twenty tests without any true
difference about one has a 95 % interval that leaves out 0, so Holm's correction is used: the smallest p-value of $m$
tests must be below $0.05/m$, the next one below $0.05/(m-1)$, and so on, up to the first that is not. A difference is
*clear* if it passes among all places of its network. *Holds*: clearly positive at every place. *Partly*: at some
places. *Fails*: nowhere, and clearly negative somewhere. *Not shown*: nothing is clear, so the rounds cannot tell.
*Depends*: the two networks, or two groups of runs, give different answers. In the tabs *Significance* and
*What makes it work?* the correction is over all lines of the figure.

**A round** draws 4,000 training and 1,000 validation images of each digit, learns the dictionary on the training part,
codes all images by orthogonal matching pursuit with at most $q\,n$ non-zeros on $n$ atoms, trains a network
MLP-$n$-$h$-10 on the training codes with early stopping on the validation part (SCG for at most 1,000 epochs, Adam for
60), and reads the 10,000 test images once:
$$\mathrm{Acc} = \frac{\text{test images read right}}{10{,}000}.$$
Split, sampling, K-SVD and network all get the round's number as their seed. **SCG, MSE** is the paper's network
(saturating linear units, scaled conjugate gradients); **ReLU, Adam** is today's network of the same size, trained like
scikit-learn's. Differences are taken round by round, with Student's 95 % interval; against the paper's own means, of
which only mean and standard deviation are known, it is Welch's.
"""
)
