"""Who still reads changed images: a line for each reader, and its difference to raw pixels at each size."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import phrase, say
from reproduce import descriptions, lines
from reproduce.lines import Reader
from reproduce.report import ENCODER_NAMES
from ui import figures, links, stored
from ui.components import series
from ui.figures.series import COLORS, INK
from ui.panels import results, studies

STUDY = "robustness"
#: What the sizes of a change are.
SIZES = {
    "noise": phrase("standard deviation of the noise; pixels are 0 … 1"),
    "missing pixels": phrase("share of the pixels that are set to 0"),
    "occlusion": phrase("side of a black square, of 16 pixels"),
    "shift": phrase("pixels of 28 by which the image is moved"),
    "rotation": phrase("degrees by which the image is turned"),
}
#: How the lines of an encoder are broken, and the shape of their points.
DASHES = {"omp": ("", 0), "threshold": ("7 4", 1), "soft": ("2 4", 2)}


def show() -> None:
    """One kind of change: the lines, what they say, and the table."""
    kinds = stored.computed(STUDY, lines.kinds)
    if not kinds:
        keep()
        studies.say_missing(STUDY)
        return
    kind = _pick_kind(st, kinds)
    found = stored.computed(STUDY, lines.readers, kind)
    names = [one.key for one in found]
    alone = series.alone_in(STUDY, names, "reader")
    chosen = None if alone is None else names.index(alone)
    st.markdown(_words(found, chosen))
    series.show(_chart(found, kind), _alt(found, kind), STUDY, alone=chosen, pickable=False)
    st.caption(
        say(
            "All were trained on clean images only, with 200 hidden units; bands are Student's 95 % intervals over "
            "{value}. A click on a line, or on its name, shows it alone.",
            value=studies.fewest([one for reader in found for one in reader.accuracies.values()]),
        )
    )
    _show_table(found if chosen is None else [found[chosen]])
    results.origin([line for one in found for line in _numbers(one, kind)], STUDY, stored.command(STUDY))


def keep() -> None:
    """Keep the chosen kind in links."""
    _pick_kind(None, list(SIZES))


def _pick_kind(place: Any, kinds: Sequence[str]) -> str:
    names = {kind: kind.capitalize() for kind in kinds}
    return links.choose(
        place and place.segmented_control, say("What is done to the test images"), names, key="change", required=True
    )


def _words(found: Sequence[Reader], chosen: int | None) -> str:
    """What the lines say of the paper's method, or of the one that stands alone."""
    if chosen is not None:
        return lines.reader_words(found[chosen])
    return " ".join(lines.reader_words(one) for one in found if (one.method, one.encoder) == ("das-ksvd", "omp"))


def _chart(found: Sequence[Reader], kind: str) -> figures.Chart:
    methods = list(dict.fromkeys(one.method for one in found if not descriptions.is_raw(one.method)))
    colors = {method: COLORS[number % len(COLORS)] for number, method in enumerate(methods)}
    sizes = sorted({size for one in found for size in one.accuracies})
    return figures.line_chart(
        [_line(one, colors.get(one.method, INK)) for one in found],
        say("Test accuracy on changed images: {kind}", kind=kind),
        (say(SIZES.get(kind, "size")), say("test accuracy, %")),
        ticks=[(size, f"{size:g}") for size in sizes],
        height=380,
    )


def _line(one: Reader, color: str) -> figures.Series:
    raw = descriptions.is_raw(one.method)
    dash, mark = ("", 3) if raw else DASHES[one.encoder]
    return figures.Series(one.name, color, tuple(_points(one)), mark, dash, raw)


def _points(one: Reader) -> list[figures.Point]:
    made = []
    for size, mean in one.accuracies.items():
        gap = one.to_pixels.get(size)
        more = say("\nminus raw pixels {text}", text=gap.text) if gap else ""
        hover = say(
            "{name}\nsize {size:g}: {mean}{more}", name=one.name, size=size, mean=studies.percent(mean), more=more
        )
        made.append(studies.point(size, mean, hover))
    return made


def _alt(found: Sequence[Reader], kind: str) -> str:
    told = "; ".join(
        f"{one.name} " + ", ".join(f"{100 * mean.value:.1f}" for mean in one.accuracies.values()) for one in found
    )
    return say(
        "Test accuracy in % against the size of the change ({kind}), from none to the largest: {told}.",
        kind=kind,
        told=told,
    )


def _show_table(found: Sequence[Reader]) -> None:
    sizes = sorted({size for one in found for size in one.to_pixels})
    rows = [
        {phrase("reader minus raw pixels"): one.name}
        | {f"{size:g}" if size else phrase("unchanged"): studies.cell(one.to_pixels.get(size)) for size in sizes}
        for one in found
        if one.to_pixels
    ]
    if rows:
        results.table(rows, STUDY)
        st.caption(
            say("Points of 100, paired over the rounds, with Student's 95 % interval; bold where it leaves out 0.")
        )


def _numbers(one: Reader, kind: str) -> list[dict]:
    """A reader for the file, a line for each size."""
    return [
        {
            "change": kind,
            "size": size,
            "method": one.method,
            "encoder": "" if descriptions.is_raw(one.method) else ENCODER_NAMES[one.encoder],
            "test accuracy, mean": 100 * mean.value,
            "half width of the 95 % interval": None if mean.half is None else 100 * mean.half,
            "rounds": len(mean.rounds),
            "minus raw pixels": 100 * one.to_pixels[size].mean if size in one.to_pixels else None,
        }
        for size, mean in one.accuracies.items()
    ]
