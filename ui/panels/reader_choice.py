"""Which reader reads a drawing, with how many atoms: the controls beside the answer."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.digit.atom_reader import AtomReader
from dasksvd.digit.reader import DigitModel
from dasksvd.digit.step_networks import nearest
from ui import frame, links, readers, texts
from ui.controls import run_names

KEY = "reader"
#: Why the reader that a link names is not there.
WHY = "reader_why"
INSTEAD = phrase("The shipped reader is used instead.")


@dataclass(frozen=True)
class Choice:
    """A reader as it is used.

    Attributes
    ----------
    reader : Reader
    model : AtomReader
        With the chosen length of codes and number of atoms.
    per_class : int
        Atoms of each class that may be used.
    network : int
        Non-zeros of the codes that the network was trained on.
    """

    reader: readers.Reader
    model: AtomReader
    per_class: int
    network: int

    @property
    def opens_atoms(self) -> bool:
        """Whether the place of each atom in its run is known."""
        return readers.knows_places(self.reader)

    def open_atom(self, atom: int | None) -> None:
        """Go to an atom that was clicked, if it is known where it belongs."""
        if atom is not None and atom < len(self.model.atoms) and self.opens_atoms:
            frame.go("atoms", readers.link_to(self.reader, atom))


def looked_at(offered: Mapping[str, readers.Reader]) -> readers.Reader:
    """The reader that :func:`choose` will offer, as far as that is known before the page has a head."""
    said = links.text(KEY)
    return _sound(offered, said if said in offered else readers.SHIPPED)


def _sound(offered: Mapping[str, readers.Reader], name: str) -> readers.Reader:
    """A reader, or the shipped one if its file is damaged."""
    return offered[readers.SHIPPED if readers.is_damaged(offered[name].path) else name]


def choose(offered: Mapping[str, readers.Reader], run_id: str) -> Choice:
    """Draw the controls; ``run_id`` is the run that old links mean by their own reader."""
    nonzeros, atoms, reading = (st.container() for _ in range(3))
    with reading:
        reader = _pick_reader(offered, run_id)
    whole = readers.load(reader.path)
    with atoms:
        per_class = _pick_atoms(readers.atoms_per_class(whole))
    with nonzeros:
        q = _pick_q(whole.longest, whole.n_nonzero)
        network = whole if _keeps_network(whole) else whole.trained_for(q)
        model = network.restricted(q, per_class)
        share = texts.percent(model.n_nonzero / len(model.atoms), 1)
        told = say(
            "q = **{q}** of {count} fine-tuned atoms, {share}"
            if reader.fine_tuned
            else "q = **{q}** of {count} atoms, {share}",
            q=model.n_nonzero,
            count=len(model.atoms),
            share=share,
        )
        st.caption(f"{told}{_network_words(network)}")
    return Choice(reader, model, per_class, network.n_nonzero)


def _keeps_network(whole: AtomReader) -> bool:
    """Whether the network stays while q moves; a question only where there are several networks."""
    if not isinstance(whole, DigitModel) or not whole.networks:
        return True
    return links.draw(
        st.toggle,
        say("Keep the network"),
        key="reader_keeps",
        kind=links.SWITCH,
        default=False,
        help=say(
            "Off: q swaps in the network that was trained with codes about as long, on the same atoms, so that a "
            "mistake is the code's. On: the network trained with q = {q} reads codes of any length.",
            q=whole.n_nonzero,
        ),
    )


def _network_words(network: AtomReader) -> str:
    """Which network reads, and how well it does at its own q."""
    if not isinstance(network, DigitModel) or not network.networks:
        return ""
    used = nearest(network.networks, network.n_nonzero)
    return say(
        ". Network for q = {q}: {accuracy} of held-out images",
        q=used.n_nonzero,
        accuracy=texts.percent(used.accuracy, 1),
    )


def _pick_reader(offered: Mapping[str, readers.Reader], run_id: str) -> readers.Reader:
    _mend_link(offered, run_id)
    chosen = run_names.pick(
        say("Reader"),
        {name: reader.name for name, reader in offered.items()},
        key=KEY,
        linked=True,
        help=say(
            "What reads the drawing: a dictionary of atoms and a network. Every finished run with a network ReLU, "
            "Adam is here too. One that has not learned from MNIST reads pictures like its own."
        ),
    )
    if st.session_state.get(WHY):
        if chosen == readers.SHIPPED:
            st.warning(f"{st.session_state[WHY]} {say(INSTEAD)}")
        else:  # the visitor has chosen since
            del st.session_state[WHY]
    if readers.is_damaged(offered[chosen].path):
        st.error(
            say(
                "This reader's file is damaged. {instead} `python -m dasksvd evaluate RUN` renews it.",
                instead=say(INSTEAD),
            )
        )
    return _sound(offered, chosen)


def _mend_link(offered: Mapping[str, readers.Reader], run_id: str) -> None:
    """Make sense of a link to a reader that is not offered."""
    if not (links.is_new(KEY) or links.is_due(KEY)):
        return
    said = links.look_up(KEY, links.WORD, readers.SHIPPED)
    if f"{said}.npz" == readers.OWN_FILE:  # an old link, which named the run beside it
        said = run_id
    known = said in offered or said in {reader.name.split(" · ")[0] for reader in offered.values()}
    st.session_state[WHY] = "" if known else readers.why_none(said) or say(run_names.GONE)
    links.put(KEY, said if known else readers.SHIPPED)


def _pick_q(most: int, usual: int) -> int:
    if most == 1:
        return 1
    return links.draw(
        st.slider,
        say("q · non-zeros of the code"),
        1,
        most,
        key=f"reader_q_{most}",
        kind=links.WHOLE,
        default=usual,
        check=range(1, most + 1).__contains__,
        help=say(r"$\|a\|_0 \le q$: OMP stops after this many atoms. Try 2."),
    )


def _pick_atoms(most: int) -> int:
    if most == 1:
        return 1
    return links.draw(
        st.slider,
        say("Atoms per class"),
        1,
        most,
        key=f"reader_atoms_{most}",
        kind=links.WHOLE,
        default=most,
        check=range(1, most + 1).__contains__,
        help=say("Only the first atoms of each class may be used; the network stays as trained."),
    )
