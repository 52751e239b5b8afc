"""What makes a dictionary work: every one a dot, how much its atoms resemble each other against what is read right."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dasksvd.common.language import phrase, say
from reproduce import descriptions, pictures
from reproduce.pictures import DAS, Dictionary
from reproduce.report import ENCODER_NAMES
from ui import figures, frame, links, stored
from ui.components import series
from ui.figures.series import COLORS, INK
from ui.panels import ablation, chooser_race, results, studies

KEY = "what_works"
#: Studies of the same dictionaries by the pictures that they are learned on.
PICTURES = {"ablation": phrase("Digits"), "fashion": phrase("Clothes")}


def show() -> None:
    """The picture with the numbers of one dot, a small ablation to watch, then the measured one's forest plot."""
    with st.container(horizontal=True, key="what_works_choices"):
        study = _pick_pictures(st) if _is_measured("fashion") else "ablation"
        encoder = _pick_encoder(st)
    found = stored.computed(study, pictures.dictionaries, encoder, study)
    drawn = [one for one in found if one.mean_coherence is not None]
    if all(one.is_raw for one in drawn):
        what = say("The coherence of these dictionaries") if found else say("This picture")
        studies.say_missing(study, say("{what} is not measured yet", what=what))
    else:
        _show_picture(_by_family(drawn), encoder, study)
    chooser_race.show()
    ablation.show(study)


def keep() -> None:
    """Keep what is chosen in links."""
    _pick_pictures(None)
    _pick_encoder(None)


def _is_measured(study: str) -> bool:
    """Whether there are dictionaries enough for a picture."""
    return pictures.coherence_relation(stored.computed(study, pictures.dictionaries, "omp", study)) is not None


def _pick_pictures(place: Any) -> str:
    return links.choose(
        place and place.segmented_control,
        say("Learned on"),
        PICTURES,
        key="learned_on",
        required=True,
        help=say("The same methods and settings on MNIST or on Fashion-MNIST. What is tuned was tuned on digits."),
    )


def _pick_encoder(place: Any) -> str:
    return links.choose(
        place and place.segmented_control,
        say("Codes by"),
        ENCODER_NAMES,
        key="codes_by",
        required=True,
        help=say(
            "How a signal becomes a code: the paper's pursuit, the q·n largest correlations with atoms, or all "
            "correlations above a threshold that was chosen on validation images."
        ),
    )


def _by_family(found: Sequence[Dictionary]) -> dict[str, list[Dictionary]]:
    families = {
        name: [one for one in found if descriptions.family(one.method) == name] for name in descriptions.FAMILIES
    }
    return {name: members for name, members in families.items() if members}


def _show_picture(families: dict[str, list[Dictionary]], encoder: str, study: str) -> None:
    found = [one for members in families.values() for one in members]
    st.markdown(
        f"**{pictures.coherence_words(pictures.coherence_relation(found))}** {pictures.against_das_words(found)}"
    )
    names = [one.key for one in found]
    chart, details = frame.beside(2.7, 1, key="what_works_beside")
    default = DAS if DAS in names else names[0]
    picked = series.picked_in(KEY, names, "dictionary", default) or default
    series.show(_chart(families, encoder, study), _alt(found), KEY, place=chart, picked=names.index(picked))
    with details:
        _show_details(found[names.index(picked)])
    st.caption(
        say(
            "Each dot is a dictionary of 200 atoms, read by the same network (ReLU, 200 hidden units); the line "
            "through it is Student's 95 % interval of the mean over rounds. Dashed: DAS-KSVD and raw pixels. The mean "
            r"coherence is $\frac1n\sum_i \max_{j\ne i} |\langle d_i, d_j\rangle|$; pixels are orthogonal, so theirs "
            "is 0."
        )
    )
    results.origin([_numbers(one) for one in found], KEY, stored.command(study))


def _chart(families: dict[str, list[Dictionary]], encoder: str, study: str) -> figures.Chart:
    colors = dict(zip(descriptions.FAMILIES, (INK, *COLORS), strict=False))
    marks = {name: (3, 0, 1, 2, 0)[number] for number, name in enumerate(descriptions.FAMILIES)}
    levels = [100 * one.accuracy.value for one in families.get(descriptions.REFERENCE, [])]
    return figures.dot_chart(
        [
            figures.Series(say(name), colors[name], tuple(map(_point, members)), marks[name], strong=number == 0)
            for number, (name, members) in enumerate(families.items())
        ],
        say(
            "{pictures}: coherence of the atoms against test accuracy, codes by {encoder}",
            pictures=say(PICTURES[study]),
            encoder=say(ENCODER_NAMES[encoder]),
        ),
        (say("mean coherence of the atoms"), say("test accuracy, %")),
        levels,
    )


def _point(one: Dictionary) -> figures.Point:
    assert one.mean_coherence is not None
    hover = say(
        "{one}\n{accuracy}\nmean coherence {mean_coherence:.3f}",
        one=_name(one),
        accuracy=studies.percent(one.accuracy),
        mean_coherence=one.mean_coherence,
    )
    if one.difference is not None:
        hover += say("\nminus DAS-KSVD {text}", text=one.difference.text)
    strong = descriptions.family(one.method) == descriptions.REFERENCE
    return studies.point(one.mean_coherence, one.accuracy, hover, label=_name(one), strong=strong)


def _name(one: Dictionary) -> str:
    name = say(descriptions.short(one.method))
    return say("{name}, {hidden} hidden", name=name, hidden=one.hidden) if one.is_raw else name


def _alt(found: Sequence[Dictionary]) -> str:
    told = "; ".join(f"{_name(one)} {one.mean_coherence:.2f}, {one.accuracy.text} %" for one in found)
    return say("Mean coherence and test accuracy of every dictionary: {told}.", told=told)


def _show_details(one: Dictionary) -> None:
    with st.container(key="dictionary_details", border=True):
        st.markdown(f"**{_name(one)}**  \n{say(descriptions.sentence(one.method))}")
        st.markdown("\n\n".join(f":small[{name}]  \n**{value}**" for name, value in _facts(one).items()))


def _facts(one: Dictionary) -> dict[str, str]:
    """The numbers of a dot; what is not known is left out."""
    facts = {say("test accuracy, {rounds}", rounds=studies.rounds(len(one.accuracy.rounds))): f"{one.accuracy.text} %"}
    if one.difference is not None:
        facts[say("minus DAS-KSVD: {verdict}", verdict=say(one.difference.verdict))] = say(
            "{text} points", text=one.difference.text
        )
    if one.mean_coherence is not None:
        facts[say("mean coherence")] = f"{one.mean_coherence:.3f}"
    if one.coherence is not None:
        facts[say("largest coherence")] = f"{one.coherence:.3f}"
    if one.nonzeros is not None:
        facts[say("non-zeros of a code")] = f"{100 * one.nonzeros:.1f} %"
    if one.psnr is not None:
        facts[say("PSNR of what is rebuilt")] = f"{one.psnr:.1f} dB"
    return facts | {say("weights of the network"): f"{one.weights:,}"}


def _numbers(one: Dictionary) -> dict:
    """A dictionary for the file."""
    gap = one.difference
    return {
        "dictionary": one.key,
        "test accuracy, mean": 100 * one.accuracy.value,
        "half width of the 95 % interval": None if one.accuracy.half is None else 100 * one.accuracy.half,
        "rounds": len(one.accuracy.rounds),
        "minus DAS-KSVD": None if gap is None else 100 * gap.mean,
        "its half width": None if gap is None or gap.half_width is None else 100 * gap.half_width,
        "mean coherence": one.mean_coherence,
        "largest coherence": one.coherence,
        "share of non-zeros": one.nonzeros,
        "PSNR, dB": one.psnr,
        "weights": one.weights,
    }
