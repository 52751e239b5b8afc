"""Links: what they carry, what comes of broken ones, and of forged messages."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from dasksvd.digit import from_strokes
from dasksvd.digit.reader import load_default_model
from tests.ui.harness import APP, PAGES, address, home, metrics, open_page, own_run, shown_by, texts  # noqa: F401
from ui import links
from ui.components import ink
from ui.components.canvas import SIZE, examples

FAR = "1" + "0" * 5000


def visit(page="overview", **said):
    """Come by a link."""
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in said.items():
        at.query_params[name] = value
    at.run()
    at.switch_page(f"pages/{page}.py").run()
    return at


def id_of(at, key):
    """What Streamlit calls a control."""
    return at.session_state._state._state._key_id_mapper.get_id_from_key(key)


def send(at, key, event="", **value):
    """Let the browser send a value for a control, or for an event of a component, whatever it is."""
    widget = id_of(at, key)
    sent = WidgetState(id=_make_trigger_id(widget, event) if event else widget)
    (kind, content), *_ = value.items()
    if kind.endswith("array_value"):
        getattr(sent, kind).data.extend(content)
    else:
        setattr(sent, kind, content)
    states = at._tree.get_widget_states()
    others = [other for other in states.widgets if other.id != sent.id]
    del states.widgets[:]
    states.widgets.extend([*others, sent])
    return at._run(states)


def test_defaults_do_not_stand_in_the_address(home):
    for page in PAGES:
        assert address(open_page(page)) == {}


#: A page, what its link says, and what then is to be seen.
LINKS = [
    ("atoms", {"atom": "3.7", "iteration": "4"}, lambda at: "iteration 7: chosen for class 3" in at.header[0].value),
    ("measures", {"measured": "2", "spot": "17", "x": "cm"}, lambda at: "Atom 17: class" in at.header[0].value),
    ("accuracy", {"tab": "mistakes", "size": "5"}, lambda at: metrics(at)["Network"] == "MLP-50-50-10"),
    ("accuracy", {"tab": "ablation", "size": "5", "classifier": "scg"}, lambda at: not at.metric),
    ("train", {"preset": "paper", "paper_tau2": "0.2"}, lambda at: at.slider(key="paper_tau2").value == 0.2),
    ("train", {"quick_q": "101"}, lambda at: at.button(key="run_button").disabled),
    (
        "grid_search",
        {"coarse_step": "8", "fine_step": "200", "network": "scg", "seeds": "2", "sizes": "3~7", "zoomed": "3"},
        lambda at: at.multiselect(key="sizes").value == [3, 7] and at.selectbox(key="zoomed").value == 3,
    ),
    (
        "grid_search",
        {"encoder": "soft", "level": "0.35"},
        lambda at: at.number_input(key="level").value == 0.35 and not at.number_input(key="level").disabled,
    ),
    (
        "train",
        {"quick_encoder": "soft", "quick_level": "0.2"},
        lambda at: at.number_input(key="quick_level").value == 0.2,
    ),
    (
        "grid_search",
        {"search_over": "others", "sweep_x": "t", "values_t_x": "60~90", "sweep_y": "I", "own_scale": "0"},
        lambda at: at.multiselect(key="values_t_x").value == ["60", "90"],
    ),
    ("draw", {"explain_view": "steps", "step_40": "12"}, lambda at: shown_by(at, "pursuit")["step"] == 12),
    ("draw", {"reader": "reference_reader_10"}, lambda at: at.slider(key="reader_q_20").max == 20),
    ("overview", {"alpha": "0.3", "beta": "0.25", "I": "7", "look": "grey", "method_step": "2"}, lambda at: True),
    ("lessons", {"handout": "weights"}, lambda at: "Which weights?" in at.header[0].value),
    ("measures", {"hide": "run~/train", "fix": "alpha", "present": "1"}, lambda at: at.slider(key="alpha").disabled),
    ("measures", {"ranking": "mdcs"}, lambda at: at.slider(key="alpha").disabled),
    (
        "grid_search",
        {"ranking": "worst", "search_ranking": "mdcs"},
        lambda at: "every point selects the same atoms" in at.info[0].value,
    ),
]


@pytest.mark.parametrize(("page", "said", "shown"), LINKS)
def test_a_link_is_shown_and_said_again(home, page, said, shown):
    at = visit(page, **said)
    assert not at.exception
    assert shown(at)
    assert address(at) == {name: text for name, text in said.items() if name != "own_scale"}


def test_what_was_set_is_still_there_after_other_pages(home):
    at = visit("measures", measured="3", alpha="0.5")
    at.selectbox(key="y").set_value("cm").run()
    at.switch_page("pages/atoms.py").run()
    assert address(at) == {"alpha": "0.5"}
    at.switch_page("pages/measures.py").run()
    assert address(at) == {"alpha": "0.5", "measured": "3", "y": "cm"}
    assert at.slider(key="measured").value == 3


def test_a_run_is_named_by_its_id_and_found_by_an_old_label(home):
    run = own_run(home, "a name")
    for text in (run.id, "a name"):
        at = visit(run=text)
        assert (at.selectbox(key="run").value, address(at)) == (run.id, {"run": run.id})
    home.rename(run.id, "another name")
    assert visit(run=run.id).selectbox(key="run").value == run.id
    own_run(home, "another name", seed=4)
    assert visit(run="another name").selectbox(key="run").value == "reference"


BROKEN = ["", "nan", "-1", "1e999", FAR[:500], FAR]
NAMES = {
    "overview": ("run", "ranking", "alpha", "beta", "I", "look", "method_step", "lesson", "hide", "fix", "present"),
    "lessons": ("handout",),
    "train": ("preset", "quick_q", "quick_t", "quick_tau1", "quick_noise", "quick_seed", "quick_level", "data"),
    "atoms": ("atom", "iteration"),
    "measures": ("measured", "x", "y", "spot", "code_0", "exchanged"),
    "grid_search": (
        "search_over",
        "coarse_step",
        "network",
        "seeds",
        "sizes",
        "zoomed",
        "own_scale",
        "map_size",
        "search",
        "search_ranking",
        "encoder",
        "level",
    ),
    "accuracy": ("tab", "classifier", "size"),
    "draw": ("explain_view", "reader", "ink"),
    "steps": ("sample_of", "sample_seed", "sample_size", "sample_atoms", "sample_q", "sample_exact", "step"),
}


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("page", NAMES)
def test_a_broken_link_opens_its_page(home, page, text):
    at = visit(page, **dict.fromkeys((*NAMES["overview"], *NAMES[page]), text))
    assert not at.exception
    assert at.title


def test_a_broken_sweep_opens_its_page(home):
    for name in ("sweep_x", "sweep_y", "values_q_x", "sweep_seeds"):
        for text in BROKEN:
            at = visit("grid_search", search_over="others", **{name: text})
            assert not at.exception


#: Each is of another type than the control's, or says what the control cannot say.
FORGED = [
    {"int_value": 99},
    {"double_value": 1e300},
    {"string_value": "zzz"},
    {"bool_value": True},
    {"json_value": "{"},
    {"int_array_value": [99, -5]},
    {"int_array_value": []},
    {"double_array_value": [math.nan]},
    {"string_array_value": ["zzz"] * 50},
]
CONTROLS = {
    "overview": ("run", "ranking", "alpha", "I", "look"),
    "train": ("preset", "quick_q", "quick_tau1", "data", "name"),
    "atoms": ("iteration", "film_play", "structured", "auxiliary", "life"),
    "measures": ("x", "scatter", "weight_triangle"),
    "grid_search": (
        "search_over",
        "coarse_step",
        "seeds",
        "sizes",
        "own_scale",
        "map_size",
        "known_search",
        "triangle",
        "mini_5",
        "search_ranking",
    ),
    "accuracy": ("tab", "classifier", "size"),
    "draw": ("explain_view", "reader", "canvas", "way", "votes"),
    "lessons": ("start_sum", "handout_sum", "lesson_memory"),
    "steps": ("sample_of", "sample_seed", "sample_size", "sample_exact", "half_steps"),
}


@pytest.mark.parametrize(("page", "key"), [(page, key) for page, keys in CONTROLS.items() for key in keys])
def test_a_forged_message_does_not_end_in_the_error_page(home, page, key):
    at = open_page(page)
    for forged in FORGED:
        send(at, key, **forged)
        assert not at.exception, (forged, at.exception[0].message)
        assert at.title


@pytest.mark.parametrize(("page", "key"), [("atoms", "structured"), ("atoms", "auxiliary"), ("measures", "scatter")])
def test_a_forged_pick_shows_some_atom(home, page, key):
    at = open_page(page)
    for picked in ([math.inf, 1], True, [FAR, 1], [True], {}, "ab", [[1], [2]], -1, 1e300, [3.7, 2]):
        send(at, key, json_value=json.dumps({"picked": picked}))
        assert not at.exception, picked
        assert re.match(r"Atom \d+", at.header[0].value)


def test_every_control_of_the_address_is_drawn_in_one_way():
    root = Path(links.__file__).parent.parent
    found = [
        path.name
        for folder in ("ui", "pages")
        for path in (root / folder).rglob("*.py")
        if 'bind="query-params"' in path.read_text(encoding="utf-8")
    ]
    assert found == []


@given(st.floats(-1e9, 1e9))
def test_a_number_comes_back_from_the_address_as_it_was(value):
    assert links.number(links.short(value)) == value


def test_a_drawing_in_a_link_is_read_as_the_drawing_is():
    model = load_default_model()
    for digit, strokes in enumerate(examples()):
        text = ink.pack(strokes)
        assert len(text) < 500
        packed = model.predict_proba(from_strokes(ink.unpack(text), SIZE)[None])[0]
        assert int(packed.argmax()) == digit
        np.testing.assert_allclose(packed, model.predict_proba(from_strokes(strokes, SIZE)[None])[0], atol=0.1)


points = st.lists(st.tuples(st.floats(-50, 330), st.floats(-50, 330)), min_size=1, max_size=300)


@given(st.lists(points, max_size=12))
def test_every_drawing_fits_into_a_link_and_comes_back(strokes):
    text = ink.pack(strokes)
    assert len(text) <= ink.MAX_LETTERS
    assert re.fullmatch(r"[\w-]*", text)
    found = ink.unpack(text) if strokes else []
    assert len(found) == len(strokes)
    for before, after in zip(strokes, found, strict=True):
        np.testing.assert_allclose([after[0], after[-1]], [before[0], before[-1]], atol=0.5)


@given(st.text(max_size=60) | st.text("AEIOUaeiou_-0", max_size=1600))
def test_what_is_no_drawing_is_refused_and_what_is_one_is_small(text):
    try:
        strokes = ink.unpack(text)
    except ValueError:
        return
    assert sum(map(len, strokes)) <= ink.MAX_POINTS
    assert np.abs([x for stroke in strokes for point in stroke for x in point] or [0]).max() <= ink.REACH


def test_a_link_brings_a_drawing(home):
    said = ink.pack(examples()[4])
    at = visit("draw", ink=said)
    assert "Why 4?" in [line.value for line in at.header]
    assert address(at) == {"ink": said}
