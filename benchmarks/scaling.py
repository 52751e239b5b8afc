"""How the cost of the pursuit grows: linearly in the signals, as M·q² in atoms and sparsity."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from benchmarks.common import best_seconds, mnist_signals, threads
from dasksvd import encode

PICTURE = Path(__file__).parent / "scaling.svg"
SIGNALS = (1250, 2500, 5000, 10000, 20000)
#: (M, q): the sparsity at 256 atoms, then the atoms at q = 51.
SIZES = ((256, 13), (256, 26), (256, 51), (256, 102), (256, 153), (128, 51), (512, 51), (1024, 51))


def measure() -> dict:
    """Seconds for each number of signals and each size, on one thread, and the fitted exponents."""
    signals = mnist_signals(20000)
    rng = np.random.default_rng(0)
    atoms = signals[rng.permutation(20000)[:1024]] + 0.05 * rng.standard_normal((1024, 256)).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    with threads(1):
        by_signals = best_seconds({n: lambda n=n: encode(signals[:n], atoms[:256], 51) for n in SIGNALS}, 3)
        by_size = best_seconds(
            {size: lambda size=size: encode(signals[:2000], atoms[: size[0]], size[1]) for size in SIZES}, 3
        )
    result = {
        "signals": [[n, seconds] for n, seconds in by_signals.items()],
        "size": [[*size, seconds] for size, seconds in by_size.items()],
        "exponent_in_signals": _exponent(by_signals),
        "exponent_in_atoms": _exponent({M: seconds for (M, q), seconds in by_size.items() if q == 51}),
        # Below 51 non-zeros the correlations with all atoms, which are linear in M, still show.
        "exponent_in_q": _exponent({q: seconds for (M, q), seconds in by_size.items() if M == 256 and q >= 51}),
    }
    _draw(result)
    return result


def _exponent(seconds: dict[int, float]) -> float:
    """The power with which the seconds grow, by least squares on logarithms."""
    return float(np.polyfit(np.log(list(seconds)), np.log(list(seconds.values())), 1)[0])


def _draw(result: dict) -> None:
    """Both curves on logarithmic axes, each with a line of slope one through its last point."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    n, seconds = np.transpose(result["signals"])
    left.loglog(n, seconds, "o", color="#148c9d", label="measured")
    left.loglog(n, seconds[-1] * n / n[-1], color="#6e7c8c", label="linear")
    left.set(xlabel="signals (M = 256, q = 51)", ylabel="seconds, one thread", title="Linear in the signals")
    left.set_xticks(n, [f"{int(count):,}" for count in n])
    M, q, seconds = np.transpose(result["size"])
    work = M * q**2
    for chosen, style, label in (
        (M == 256, {"marker": "o", "color": "#148c9d"}, "q = 13 … 153, M = 256"),
        (M != 256, {"marker": "s", "color": "#d66824"}, "M = 128 … 1024, q = 51"),
    ):
        right.loglog(work[chosen], seconds[chosen], linestyle="none", label=label, **style)
    order = np.argsort(work)
    right.loglog(work[order], seconds[order][-1] * work[order] / work.max(), color="#6e7c8c", label="linear")
    right.set(xlabel="M · q²  (2,000 signals)", title="Linear in M · q²")
    for axes in (left, right):
        axes.legend()
        axes.tick_params(axis="x", which="minor", labelbottom=False)
    figure.savefig(PICTURE, metadata={"Date": None})
