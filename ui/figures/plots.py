"""Light charts of a few hundred marks: values per class, sparse codes, two measures of every atom.

A page shows them with a component that changes in place; a plotly chart is built anew for every
change, which takes longer than everything else between a click and its answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dasksvd.common.language import say
from dasksvd.figures import class_color
from ui.texts import signed


@dataclass(frozen=True)
class Spot:
    """A bar, a stem, a dot or a point of a line.

    Attributes
    ----------
    at, value : float
        Its place along and up.
    color : str
    hover : str
        What is told about it.
    label : str
        A short text at its end.
    weight : {"pale", "plain", "strong"}
    group : str
        The line that it belongs to, or the glyph that stands for a dot's class.
    cut : bool
        Whether its value was cut to 0: it stands in the band below the axis.
    """

    at: float
    value: float
    color: str
    hover: str
    label: str = ""
    weight: str = "plain"
    group: str = ""
    cut: bool = False


@dataclass(frozen=True)
class Plot:
    """A chart of spots.

    Attributes
    ----------
    kind : {"bars", "stems", "dots", "line", "lines"}
        A line goes through all spots; of lines there is one for each name of the legend, through the spots of that
        group, drawn strong, plain or (dashed) pale as its first spot.
    title, x_title, y_title : str
    spots : list of Spot
    ticks : list of (place, text)
        Of the horizontal axis; empty for numbers.
    span : (float, float)
        Ends of the horizontal axis.
    top : float
        The vertical axis goes at least this far.
    height : int
        Pixels, with the title.
    legend : list of (name, color)
    glyphs : list of str
        One for each entry of the legend, whose spots it shows alone when it is pressed; empty if it cannot be.
    band : str
        What is said in the band below the axis, where the cut spots stand side by side; empty if there is none.
    log : bool
        Whether the vertical axis is logarithmic.
    around : int
        Pixels of the window's height that other things need: a higher window gives the rest to the plot; 0 for none.
    """

    kind: str
    title: str
    x_title: str
    y_title: str
    spots: list[Spot]
    ticks: list[tuple[float, str]]
    span: tuple[float, float]
    top: float = 0.0
    height: int = 300
    legend: list[tuple[str, str]] = field(default_factory=list)
    glyphs: list[str] = field(default_factory=list)
    band: str = ""
    log: bool = False
    around: int = 0


def class_bars(
    values: np.ndarray,
    classes: Sequence[str],
    top: int,
    second: int,
    title: str,
    y_title: str,
    height: int = 300,
    around: int = 0,
) -> Plot:
    """One value per class, ℓ⁺ and ℓ* marked.

    Parameters
    ----------
    values : ndarray of shape (n_classes,)
    top, second : int
        The classes ℓ⁺ and ℓ*.
    """
    marks = {top: "ℓ⁺", second: "ℓ*"}
    bars = [
        Spot(
            c,
            float(value),
            class_color(c),
            say("class {classe}: {value:.3f}", classe=classes[c], value=value),
            marks.get(c, ""),
            "plain" if c in marks else "pale",
        )
        for c, value in enumerate(values)
    ]
    return Plot("bars", title, say("class ℓ"), y_title, bars, *_by_class(classes), height=height, around=around)


def share_bars(
    shares: np.ndarray,
    classes: Sequence[str],
    title: str,
    y_title: str,
    *,
    numbers: Sequence[int] | None = None,
    top: float = 20,
    height: int = 300,
) -> Plot:
    """One share per class in %, the largest one strong.

    Parameters
    ----------
    shares : ndarray of shape (n_classes,), 0 … 1
    numbers : sequence of int, optional
        The classes' numbers, which give their colours; 0, 1, … by default.
    top : float
        The vertical axis goes at least to this percentage.
    """
    strong = int(np.argmax(shares)) if np.any(shares > 0) else -1
    bars = [
        Spot(
            c,
            100 * float(share),
            class_color(c if numbers is None else int(numbers[c])),
            say("class {classe}: {share:.1f} %", classe=classes[c], share=100 * share),
            f"{100 * share:.0f}",
            "plain" if c == strong else "pale",
        )
        for c, share in enumerate(shares)
    ]
    return Plot("bars", title, "class", y_title, bars, *_by_class(classes), top=top, height=height)


def code_stems(code: np.ndarray, atom_classes: np.ndarray, classes: Sequence[str], title: str) -> Plot:
    """A sparse code as stems over the atoms, ordered and coloured by class.

    Parameters
    ----------
    code : ndarray of shape (n_atoms,)
    atom_classes : ndarray of shape (n_atoms,), int
        Class number of each atom.
    classes : sequence of str
    """
    order = np.argsort(atom_classes, kind="stable")
    place = np.empty(len(code), np.int64)
    place[order] = np.arange(len(code))
    stems = [
        Spot(
            int(place[atom]),
            float(code[atom]),
            class_color(int(atom_classes[atom])),
            say(
                "atom {atom} of class {classe}: {code}",
                atom=atom,
                classe=classes[atom_classes[atom]],
                code=signed(code[atom]),
            ),
        )
        for atom in np.flatnonzero(code)
    ]
    ticks = [
        (float(np.mean(place[atom_classes == c])), str(label))
        for c, label in enumerate(classes)
        if np.any(atom_classes == c)
    ]
    return Plot("stems", title, say("atoms, by class"), say("coefficient a"), stems, ticks, (-1.0, float(len(code))))


def measure_dots(
    x: np.ndarray,
    y: np.ndarray,
    top: np.ndarray,
    selected: Sequence[int],
    classes: Sequence[str],
    titles: tuple[str, str],
    *,
    title: str = "",
    cut: np.ndarray | None = None,
    band: str = "",
    height: int = 460,
    around: int = 0,
) -> Plot:
    """Two measures of every atom as glyphs of their classes, the selected atoms strong; spot i is atom i.

    Parameters
    ----------
    x, y : ndarray of shape (n_atoms,)
    top : ndarray of shape (n_atoms,), int
        Class ℓ⁺ of each atom.
    selected : sequence of int
        The selected atom of each class.
    titles : tuple of str
        Of the two axes.
    cut : ndarray of shape (n_atoms,), bool, optional
        Atoms whose y was cut to 0.
    band : str
        What is said of them.
    """
    chosen, glyphs = set(map(int, selected)), class_glyphs(classes)
    cut = np.zeros(len(x), bool) if cut is None else cut
    told, below = say("atom {atom} of class {name}: {x:.3f} across, {y:.3f} up"), say(", cut to 0")
    dots = [
        Spot(
            float(x[atom]),
            float(y[atom]),
            class_color(int(top[atom])),
            told.format(atom=atom, name=classes[top[atom]], x=x[atom], y=y[atom]) + below * bool(cut[atom]),
            weight="strong" if atom in chosen else "plain",
            group=glyphs[top[atom]],
            cut=bool(cut[atom]),
        )
        for atom in range(len(x))
    ]
    end = max(1.05 * float(np.max(x, initial=0)), 0.1)
    legend = [(str(label), class_color(c)) for c, label in enumerate(classes)]
    return Plot(
        "dots",
        title,
        *titles,
        dots,
        [],
        (-0.03 * end, end),
        height=height,
        legend=legend,
        glyphs=glyphs,
        band=band if cut.any() else "",
        around=around,
    )


def class_glyphs(classes: Sequence[str]) -> list[str]:
    """A short sign for each class: its name, or its number where names are long.

    Examples
    --------
    >>> class_glyphs(["0", "1"]), class_glyphs(["coat", "bag"])
    (['0', '1'], ['0', '1'])
    """
    names = [str(name) for name in classes]
    return names if all(len(name) <= 2 for name in names) else [str(c) for c in range(len(names))]


def _by_class(classes: Sequence[str]) -> tuple[list[tuple[float, str]], tuple[float, float]]:
    """Ticks and span of an axis with one place per class."""
    return [(float(c), str(label)) for c, label in enumerate(classes)], (-0.6, len(classes) - 0.4)
