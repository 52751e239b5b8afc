"""Which of the paper's claims hold, the numbers behind it, and what the classifiers get wrong."""

from dasksvd.common.language import phrase, say
from ui import frame, texts
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
    say("Does the paper hold?"),
    say("**Its claims, tested** with its own kind of network (SCG) and a modern one (ReLU)."),
    controls=(),
)
results.show_open_tab(
    verdict.show,
    {
        phrase("Tables"): results.Tab(paper_tables.show),
        phrase("Significance"): results.Tab(differences.show),
        phrase("What makes it work?"): results.Tab(what_works.show, what_works.keep, "ablation"),
        phrase("Robustness"): results.Tab(robustness.show, robustness.keep),
        phrase("Curves"): results.Tab(parameter_curves.show, parameter_curves.keep),
        phrase("Networks"): results.Tab(network_sizes.show, network_sizes.keep),
        phrase("Mistakes"): results.Tab(lambda: mistakes.show(view), mistakes.keep),
    },
)
take_home.code(take_home.of_claims)
frame.about(texts.whole("accuracy"))
