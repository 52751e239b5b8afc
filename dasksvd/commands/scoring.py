"""``evaluate`` scores a run; ``classify`` reads one picture."""

import argparse
import sys
from pathlib import Path

import numpy as np

from dasksvd.commands.options import RUN_HELP, Commands, add_encoder, add_entry, own_run
from dasksvd.digit import from_image
from dasksvd.digit.reader import load_default_model
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import TUNED, usual_encoder
from dasksvd.errors import StoreError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.runs.evaluation import evaluate_run


def add(commands: Commands) -> None:
    """Add both commands."""
    evaluate = commands.add_parser(
        "evaluate",
        help="train a classifier on a finished run's codes and score it",
        description="Train a classifier on a finished run's codes and score it.",
    )
    evaluate.add_argument("run", metavar="RUN", help=RUN_HELP)
    add_entry(evaluate, "--classifier", NETWORKS, default="modern")
    add_encoder(evaluate, None, f"{DEFAULT_ENCODER}, or {TUNED} if the run's atoms are fine-tuned")
    evaluate.add_argument("--hidden", type=int, default=0, help="hidden units; 0 (default): as many as atoms")
    evaluate.set_defaults(command=run_evaluate)
    classify = commands.add_parser(
        "classify",
        help="read a digit from a picture",
        description="Read the one digit in a picture, light on dark or dark on light.",
    )
    classify.add_argument("image", type=Path, metavar="IMAGE", help="a picture file of one digit")
    classify.set_defaults(command=run_classify)


def run_evaluate(options: argparse.Namespace) -> int:
    """Score a finished run and print its accuracy."""
    run = own_run(options.run)
    settings, finished = run.description.settings, run.n_finished()
    encoder = options.encoder or usual_encoder(settings.fine_tune)
    plan = Plan(options.classifier, options.hidden, encoder, options.level)
    if finished < settings.I:
        raise StoreError(f"{run.id} has {finished} of {settings.I} iterations; `resume` it first")
    if run.missing:
        raise StoreError(f"the atoms of {run.id} are not fine-tuned yet; `resume` it first")
    metrics = evaluate_run(run, plan, _show_epoch)
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    print(
        f"{100 * metrics.accuracy:.1f} % of {metrics.n_scored} {metrics.part} are read right by "
        f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(run.description.classes)} ({metrics.classifier}, "
        f"{metrics.epochs} epochs, {metrics.seconds:.0f} s)"
    )
    at = f", level {metrics.level:g}" if metrics.level else ""
    atoms = " on fine-tuned atoms" if settings.fine_tune else ""
    print(f"codes: {metrics.encoder}{at}{atoms}, {100 * metrics.nonzeros:.1f} % non-zeros")
    for level, nonzeros, accuracy in metrics.tried:
        print(f"  level {level:g}: {100 * nonzeros:.1f} % non-zeros, {100 * accuracy:.1f} % read right")
    return 0


def _show_epoch(epoch: int, loss: float, validation: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Kepoch {epoch}: loss {loss:.4f}")
        sys.stderr.flush()


def run_classify(options: argparse.Namespace) -> int:
    """Print the digit, or ``?`` where there is none; then why, and the three likeliest with their probabilities."""
    explanation = load_default_model().explain(from_image(options.image.read_bytes()))
    best = np.argsort(-explanation.probabilities)[:3]
    print("?" if explanation.doubt else best[0])
    if explanation.doubt:
        print(f"{explanation.doubt.sentence} The likeliest would be:", file=sys.stderr)
    print(", ".join(f"{digit}: {100 * explanation.probabilities[digit]:.1f} %" for digit in best), file=sys.stderr)
    return 0
