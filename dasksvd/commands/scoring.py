"""``evaluate`` scores a run; ``classify`` reads one picture."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from dasksvd.commands.options import RUN_HELP, Commands, add_encoder, add_entry, own_run
from dasksvd.digit import from_image, from_strokes
from dasksvd.digit.reader import load_model
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import TUNED, usual_encoder
from dasksvd.errors import DigitError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.reports.readers import DEFAULT as DEFAULT_READER
from dasksvd.reports.readers import reader_file
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
        description="Read the one digit in a picture, light on dark or dark on light, or in a drawing.",
    )
    classify.add_argument(
        "image",
        type=Path,
        metavar="IMAGE",
        help="a picture file of one digit, or a .json file of a drawing: its `size` and its `strokes`",
    )
    classify.add_argument(
        "--reader",
        default=DEFAULT_READER,
        metavar="NAME",
        help=f"what reads it: {DEFAULT_READER} (default), reference-5 … reference-20, or a run's id or folder",
    )
    classify.add_argument("--q", type=int, help="non-zeros of a code (default: those of the reader)")
    classify.add_argument("--atoms", type=int, help="atoms of each class that may be used (default: all)")
    classify.add_argument(
        "--keep-network", action="store_true", help="codes of any length go to the reader's usual network"
    )
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
    reader = load_model(reader_file(options.reader))
    if options.q is not None or options.atoms is not None:
        if not options.keep_network:
            reader = reader.trained_for(options.q or reader.n_nonzero)
        reader = reader.restricted(options.q or reader.n_nonzero, options.atoms or len(reader.atoms))
    content = options.image.read_bytes()
    explanation = reader.explain(_drawn(content) if options.image.suffix == ".json" else from_image(content))
    best = np.argsort(-explanation.probabilities)[:3]
    print("?" if explanation.doubt else best[0])
    if explanation.doubt:
        print(f"{explanation.doubt.sentence} The likeliest would be:", file=sys.stderr)
    print(", ".join(f"{digit}: {100 * explanation.probabilities[digit]:.1f} %" for digit in best), file=sys.stderr)
    return 0


def _drawn(content: bytes) -> np.ndarray:
    """The image of a drawing in a JSON file."""
    try:
        values = json.loads(content)
        return from_strokes(values["strokes"], values["size"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DigitError(f"this file holds no drawing with `size` and `strokes` ({error})") from error
