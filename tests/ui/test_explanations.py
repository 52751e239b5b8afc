"""What the explanations of a drawing are made of: the steps of the pursuit, and the votes of the atoms."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import base64
import math

import numpy as np
import pytest

import dasksvd
from dasksvd.digit import from_strokes
from dasksvd.digit.reader import load_model
from dasksvd.encoders import ENCODERS
from tests.runs.forging import SOFT, with_reader
from tests.ui.harness import address, home, shown_by  # noqa: F401
from tests.ui.test_links import visit
from ui.components import canvas, pursuit
from ui.panels.explanations import LINKS

NUMBER, Q = 5, 12


def levels(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def draw(at):
    at.session_state["canvas"] = {"drawing": {"id": 1, "strokes": canvas.examples()[NUMBER], "brush": 20}}
    at.run()
    assert not at.exception, at.exception
    return at


@pytest.fixture
def read():
    model = dasksvd.load_default_model().trained_for(Q).restricted(Q, 20)
    return model, model.explain(from_strokes(canvas.examples()[NUMBER], canvas.SIZE))


@pytest.fixture
def steps(home):
    return draw(visit("draw", explain_view="steps", reader_q_100=str(Q)))


def test_the_steps_that_are_sent_are_those_of_the_pursuit(steps, read):
    model, explained = read
    sent, trace = shown_by(steps, "pursuit"), model.trace(explained)
    atoms = np.array(sent["atoms"])
    np.testing.assert_array_equal(atoms[sent["taken"]], explained.atoms)
    np.testing.assert_array_equal(atoms[sent["candidates"]].reshape(Q, 5), trace.candidates(5))
    similar = np.take_along_axis(trace.correlations, trace.candidates(5), axis=1)
    np.testing.assert_allclose(np.reshape(sent["similar"], (Q, 5)), similar, atol=1e-4)
    np.testing.assert_allclose(sent["residuals"], explained.residuals, atol=1e-4)
    rows = levels(sent["coefficients"], "<i2") / 1000
    np.testing.assert_allclose(rows, trace.coefficients[np.tril_indices(Q)], atol=6e-4)
    np.testing.assert_allclose(rows[-Q:], explained.coefficients, atol=2e-3)
    assert sent["classes"] == model.atom_classes[atoms].tolist()


def test_the_browser_can_rebuild_the_digit_from_what_is_sent(steps, read):
    """As its script does: coefficient times level times peak, summed."""
    _, explained = read
    sent = shown_by(steps, "pursuit")
    atoms = levels(sent["pictures"], np.int8).reshape(-1, 256) / 127 * np.array(sent["peaks"])[:, None]
    built = levels(sent["coefficients"], "<i2")[-Q:] / 1000 @ atoms[sent["taken"]]
    np.testing.assert_allclose(built, explained.steps[-1], atol=0.02)
    np.testing.assert_allclose(levels(sent["signal"], np.uint8) / 255, explained.signal, atol=0.005)


def test_a_step_goes_into_the_link_and_comes_back_from_it(steps):
    assert shown_by(steps, "pursuit")["step"] == 8
    steps.session_state["pursuit"] = {"picked": [3, 1]}
    steps.run()
    assert (shown_by(steps, "pursuit")["step"], address(steps)[f"step_{Q}"]) == (3, "3")
    steps.run()
    assert address(steps)[f"step_{Q}"] == "3"
    other = visit("draw", **address(steps))
    assert shown_by(other, "pursuit")["step"] == 3


@pytest.mark.parametrize(
    "picked", [[0, 1], [Q + 1, 1], [-1, 1], [True, 1], [math.nan, 1], [2.5, 1], "ab", {}, [[1], 2]]
)
def test_a_forged_step_is_none(steps, picked):
    steps.session_state["pursuit"] = {"picked": picked}
    steps.run()
    assert not steps.exception
    assert shown_by(steps, "pursuit")["step"] == 8


def test_a_hundred_steps_of_the_shipped_reader_are_a_message_of_a_hundred_kilobytes(home):
    at = draw(visit("draw", explain_view="steps", reader_q_100="100"))
    sent = next(each.proto.json for each in at.get("bidi_component") if each.proto.component_name == "pursuit")
    assert len(sent) < 110_000
    assert len(shown_by(at, "pursuit")["taken"]) == 100


def test_coefficients_beyond_what_is_sent_stay_at_its_end():
    sent = levels(pursuit._triangle(np.array([[100.0, 0], [-100, 1.2345]])), "<i2")
    assert sent.tolist() == [32767, -32767, 1234]


def test_votes_are_the_parts_of_the_lead_strongest_first(home, read):
    at = draw(visit("draw", reader_q_100=str(Q)))
    model, explained = read
    rival, winner = np.argsort(explained.probabilities)[-2:]
    parts, _ = model.lead_parts(explained, winner, rival)
    speaks_for, against = shown_by(at, "atom_votes")["sides"]
    strongest = np.sort(parts)[::-1]
    np.testing.assert_allclose(speaks_for["parts"], strongest[strongest > 0][:7], atol=1e-3)
    np.testing.assert_allclose(against["parts"], strongest[::-1][strongest[::-1] < 0][:7], atol=1e-3)
    for side in (speaks_for, against):
        places = np.array(side["places"]) - 1
        taken = places >= 0
        np.testing.assert_array_equal(explained.atoms[places[taken]], np.array(side["atoms"])[taken])
        assert not np.isin(np.array(side["atoms"])[~taken], explained.atoms).any()
        np.testing.assert_allclose(parts[side["atoms"]], side["parts"], atol=1e-3)
        used = np.where(explained.code == 0, explained.beside, explained.code)
        atoms = model.atoms[side["atoms"]] * np.sign(used[side["atoms"]])[:, None]
        shown = levels(side["pictures"], np.int8).reshape(atoms.shape)
        np.testing.assert_allclose(shown / 127, atoms / np.abs(atoms).max(axis=1, keepdims=True), atol=0.005)


class TestAReaderWithAnEncoderOfItsOwn:
    @pytest.fixture
    def reader(self, home):
        run = with_reader(home, **SOFT)
        return run.id, load_model(run.folder / "classifier.npz")

    @pytest.mark.parametrize("view", LINKS.values())
    def test_every_view_says_what_the_network_reads(self, home, reader, view):
        told = [line.value for line in draw(visit("draw", reader=reader[0], explain_view=view)).caption]
        (sentence,) = [line for line in told if "The network of this reader reads" in line]
        assert f"“{ENCODERS['soft'].title}”, λ = 0.3" in sentence
        assert not [line for line in told if "step in which OMP" in line or "code that the network reads" in line]

    def test_other_readers_need_no_such_sentence(self, home):
        assert not [line.value for line in draw(visit("draw")).caption if "network of this reader" in line.value]

    def test_votes_are_those_of_the_codes_that_it_reads(self, home, reader):
        at = draw(visit("draw", reader=reader[0]))
        model = reader[1]
        explained = model.explain(from_strokes(canvas.examples()[NUMBER], canvas.SIZE))
        rival, winner = np.argsort(explained.probabilities)[-2:]
        parts, _ = model.lead_parts(explained, winner, rival)
        for side in shown_by(at, "atom_votes")["sides"]:
            np.testing.assert_allclose(side["parts"], parts[side["atoms"]], atol=1e-3)
            assert set(side["places"]) <= {0}
            signs = np.sign(explained.code[side["atoms"]])
            shown = levels(side["pictures"], np.int8).reshape(len(signs), -1)
            assert np.all(np.sign((shown * model.atoms[side["atoms"]]).sum(axis=1)) == signs)


@pytest.mark.parametrize(("view", "key"), [("votes", "votes"), ("steps", "pursuit")])
def test_an_atom_clicked_in_an_explanation_opens(home, view, key):
    at = draw(visit("draw", explain_view=view))
    at.session_state[key] = {"opened": [27, 1]}
    at.run()
    assert not at.exception
    assert address(at)["atom"] == "7.3"
