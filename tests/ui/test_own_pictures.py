"""Own pictures on the Train page: from a dropped file to a run that waits."""

import threading

import pytest

from dasksvd.common import language
from dasksvd.datasets.example_sets import EXAMPLE_SETS
from dasksvd.datasets.parts import describe_own, training_sizes
from dasksvd.datasets.proposal import PROPOSED, proposed
from dasksvd.errors import Busy, DataError
from dasksvd.parameters import PRESETS
from tests.datasets.intake.made import encoded, folder_zip, idx_members, npz, zipped
from tests.datasets.own_sets import own_set
from tests.ui.harness import button, open_page
from tests.ui.test_language import english_in, open_in
from ui import uploads
from ui.panels import own_pictures


@pytest.fixture
def page(home):
    return opened(open_page("train"))


def opened(at):
    at.button(key="own_pictures").click().run()
    assert not at.exception, at.exception
    return at


def drop(at, *paths):
    (uploader,) = at.file_uploader
    uploader.set_value([(path.name, path.read_bytes(), "") for path in paths]).run()
    assert not at.exception, at.exception
    return at


def said(at):
    kinds = (at.markdown, at.caption, at.error, at.info, at.warning)
    return " ".join(element.value for kind in kinds for element in kind).replace("\\", "")


def keep(at, name):
    at.text_input(key="own_name").set_value(name)
    at.button(key="own_keep").click().run()
    assert not at.exception, at.exception
    return at


@pytest.fixture
def no_traces(tmp_path, monkeypatch):
    """Temporary files go here; nothing may be left of them."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


def test_from_a_zip_to_a_run_with_the_proposed_settings(home, page, tmp_path, no_traces):
    drop(page, folder_zip(tmp_path / "a.zip", 3, 30))
    assert "90 pictures in 3 classes" in said(page)
    assert "kind 0: 30 · kind 1: 30 · kind 2: 30" in said(page)
    keep(page, "pets")
    (kept,) = home.library.listing()
    assert (kept.name, kept.sizes) == ("pets", (30, 30, 30))
    assert page.selectbox(key="data").value == kept.key
    assert not page.file_uploader
    data = home.library.load(kept.key)
    suited = proposed(PRESETS["quick"], 256, training_sizes(data.train_labels))
    for name in PROPOSED:
        scale = 100 if name == "q" else 1
        control = next(one for one in page.number_input if one.key.startswith(f"quick_{name}_{kept.key[:8]}"))
        assert control.value == pytest.approx(scale * getattr(suited, name))
    page.button(key="run_button").click().run()
    (run,) = home
    assert run.description == describe_own(suited, data, kept.key)
    assert run.about.name == "Quick, pets"


def test_four_idx_files_bring_their_test_part(page, tmp_path, no_traces):
    data, test = own_set(3, 20), own_set(3, 5, seed=3)
    members = idx_members(data) | {name.replace("train", "t10k"): one for name, one in idx_members(test).items()}
    paths = [tmp_path / name for name in members]
    for path, content in zip(paths, members.values(), strict=True):
        path.write_bytes(content)
    drop(page, *reversed(paths))
    assert "60 pictures in 3 classes" in said(page)
    assert "And 15 of a test part" in said(page)


@pytest.mark.parametrize("count", [2, 5])
def test_loose_pictures_are_refused_with_what_to_do(page, tmp_path, no_traces, count):
    paths = [tmp_path / f"{number}.png" for number in range(count)]
    for path in paths:
        path.write_bytes(encoded(own_set(2, 1).train_images[0]))
    drop(page, *paths)
    (told,) = [error.value.replace("\\", "") for error in page.error]
    assert "pack loose pictures into a zip with one folder for each class" in told


def test_the_walk_is_opened_in_the_dialog(page):
    walk = own_pictures.WALK.read_text(encoding="utf-8")
    assert walk.strip() in [code.value for code in page.code]
    assert {button.key for button in page.get("download_button")} >= {"walk_ipynb", "walk_py"}


@pytest.mark.parametrize("kind", ["npz", "idx"])
def test_arrays_are_read_too(page, tmp_path, no_traces, kind):
    data = own_set(3, 20)
    if kind == "npz":
        drop(page, npz(tmp_path / "a.npz", data))
    else:
        paths = [tmp_path / name for name in idx_members(data)]
        for path, content in zip(paths, idx_members(data).values(), strict=True):
            path.write_bytes(content)
        drop(page, *reversed(paths))
    assert "60 pictures in 3 classes" in said(page)
    assert not page.button(key="own_keep").disabled


def test_one_class_is_refused_kindly(home, page, tmp_path):
    drop(page, folder_zip(tmp_path / "a.zip", 1, 30))
    (told,) = [error.value.replace("\\", "") for error in page.error]
    assert told.startswith("There is only one class, kind 0. The method looks for what tells classes apart")
    assert page.button(key="own_keep").disabled
    assert home.library.listing() == []


def test_what_is_broken_is_named_and_left_out(page, tmp_path, no_traces):
    drop(page, folder_zip(tmp_path / "a.zip", 2, 20, **{"kind 0/no.png": b"x"}))
    (told,) = [info.value.replace("\\", "") for info in page.info if "no.png" in info.value.replace("\\", "")]
    assert "1 file is no picture that can be read: kind 0/no.png" in told
    assert not page.button(key="own_keep").disabled


def test_what_nothing_can_be_said_of_is_an_error_without_its_name(page, tmp_path, no_traces):
    path = tmp_path / "**www.example.com**.zip"
    path.write_bytes(b"nothing")
    drop(page, path)
    (told,) = [error.value.replace("\\", "") for error in page.error]
    assert told.startswith("Your file is none of what can be read")


@pytest.mark.parametrize("name", ["__www.example.com__", "<b>bold</b>", "[a](b)", "$x$", ":red[x]"])
def test_names_of_strangers_are_never_markup(page, tmp_path, name):
    picture = encoded(own_set(2, 1).train_images[0])
    members = {f"{folder}/{n}.png": picture for folder in (name, "b") for n in range(5)}
    drop(page, zipped(tmp_path / "a.zip", members))
    shown = [element.value for kind in (page.markdown, page.caption, page.error) for element in kind]
    assert any("kind" in text or "bold" in text or "example" in text or "few" in text for text in shown)
    for sign in ("__", "www.", "<b>", "](", "$x$", "[x]"):
        assert not any(sign in text for text in shown), sign


def test_a_name_made_of_the_files_is_proposed_until_one_types_another(page, tmp_path):
    drop(page, folder_zip(tmp_path / "My <cats>_(1).zip", 2, 20))
    assert page.text_input(key="own_name").value == "My cats 1"
    drop(page, folder_zip(tmp_path / "dogs.zip", 3, 20))
    assert page.text_input(key="own_name").value == "dogs"
    page.text_input(key="own_name").set_value("mine").run()
    drop(page, folder_zip(tmp_path / "birds.zip", 4, 20))
    assert page.text_input(key="own_name").value == "mine"


@pytest.mark.parametrize(("file", "name"), [("pets.zip", "pets 2"), ("mnist.zip", ""), ("**.zip", ""), ("zip", "")])
def test_a_proposed_name_is_free(home, page, tmp_path, file, name):
    home.library.add(own_set(3, 12, 16), "Pets")
    drop(page, folder_zip(tmp_path / file, 2, 20))
    assert page.text_input(key="own_name").value == name


def test_many_classes_of_one_size_are_counted_once(page, tmp_path):
    drop(page, folder_zip(tmp_path / "a.zip", 12, 10))
    assert "120 pictures in 12 classes" in said(page)
    assert "10 of each: kind 0, kind 1, " in said(page)


def test_a_kept_set_can_be_renamed(home, page, tmp_path):
    keep(drop(page, folder_zip(tmp_path / "a.zip", 3, 30)), "pets")
    (kept,) = home.library.listing()
    field = f"own_new_name_{kept.key[:8]}"
    opened(page).text_input(key=field).set_value("mnist")
    page.button(key="own_rename_it").click().run()
    assert "means something else" in page.error[0].value
    page.text_input(key=field).set_value("my pets")
    page.button(key="own_rename_it").click().run()
    assert not page.exception
    assert [(one.key, one.name) for one in home.library.listing()] == [(kept.key, "my pets")]
    assert "my pets (own)" in page.selectbox(key="data").options


@pytest.mark.parametrize("name", ["", "<b>", "../x", "mnist"])
def test_a_name_that_cannot_be_is_refused_before_anything_is_read(home, page, tmp_path, monkeypatch, name):
    drop(page, folder_zip(tmp_path / "a.zip", 2, 20))
    monkeypatch.setattr(uploads, "take", None)
    keep(page, name)
    assert len(page.error) == 1
    assert home.library.listing() == []


def test_the_same_pictures_are_kept_once(home, tmp_path):
    for name in ("pets", "other"):
        keep(drop(opened(open_page("train")), folder_zip(tmp_path / "a.zip", 2, 20)), name)
    assert [kept.name for kept in home.library.listing()] == ["pets"]


def test_it_is_looked_at_again_only_if_the_wish_changes(page, tmp_path, monkeypatch):
    seen = []
    look = uploads.look
    monkeypatch.setattr(uploads, "look", lambda *paths, **wish: seen.append(wish["side"]) or look(*paths, **wish))
    drop(page, folder_zip(tmp_path / "a.zip", 2, 20))
    page.text_input(key="own_name").set_value("x").run()
    assert seen == [16]
    page.segmented_control(key="own_side").set_value(32).run()
    assert seen == [16, 32]


def test_a_kept_set_is_deleted_when_no_run_needs_it(home, page, tmp_path):
    keep(drop(page, folder_zip(tmp_path / "a.zip", 3, 30)), "pets")
    page.button(key="run_button").click().run()
    (run,) = home
    button(opened(page), "Delete it").click().run()
    assert "The data set pets is needed by 1 run" in said(page)
    assert len(home.library.listing()) == 1
    home.delete(run.id)
    button(page, "Delete it").click().run()
    assert home.library.listing() == []
    assert page.selectbox(key="data").value == "mnist"
    assert not page.exception


REFUSED_NAMES = {"": "El nombre de un", "<b>": "El nombre de un", "mnist": "ya significa", "taken": "Hay otro"}


@pytest.mark.parametrize("name", REFUSED_NAMES)
def test_the_dialog_in_spanish_says_nothing_in_english(home, tmp_path, name):
    """Also what is wrong with a name, what is kept, and why it cannot be deleted."""
    test = own_set(3, 4, 16, seed=3)
    path = npz(tmp_path / "a.npz", own_set(3, 12, 16), test_images=test.train_images, test_labels=test.train_labels)
    kept = home.library.add(own_set(2, 12, 16), "taken")
    home.create(describe_own(proposed(PRESETS["quick"], 256, [10, 10]), own_set(2, 12, 16), kept.key), "taken")
    with language.speaking("es"):  # the harness writes down what controls show
        at = drop(opened(open_in("es", "train")), path)
        keep(at, name)
        assert [REFUSED_NAMES[name] in error.value for error in at.error] == [True]
        assert english_in(at) == []
        at.button(key="own_delete_it").click().run()
        assert "1 ejecución" in said(at)
        assert english_in(at) == []


def test_closing_forgets_the_files(page, tmp_path):
    drop(page, folder_zip(tmp_path / "a.zip", 2, 20))
    assert own_pictures._FOUND in page.session_state
    keep(page, "pets")
    assert own_pictures._FOUND not in page.session_state
    assert opened(page).file_uploader[0].value in (None, [])


class TestPlaces:
    """A visitor must not hurt another."""

    def test_each_visitor_has_one_and_all_have_few(self):
        places = uploads.Places(2, 0)
        with places.hold("a", lambda: None), places.hold("b", lambda: None):
            for owner in ("a", "c"):
                with pytest.raises(Busy), places.hold(owner, lambda: None):
                    pass
        with places.hold("a", lambda: None), pytest.raises(Busy), places.hold("a", lambda: None):
            pass
        with places.hold("c", lambda: None):
            pass

    def test_who_waits_gets_the_place_that_becomes_free(self):
        places, waiting = uploads.Places(1), threading.Event()
        first = places.hold("a", lambda: None)
        first.__enter__()

        def wait():
            waiting.set()
            first.__exit__(None, None, None)

        with places.hold("b", wait):
            assert waiting.is_set()

    def test_a_place_is_given_back_whatever_happens(self):
        places = uploads.Places(1, 0)
        with pytest.raises(DataError), places.hold("a", lambda: None):
            raise DataError("broken")
        with places.hold("b", lambda: None):
            pass

    def test_who_finds_none_is_told_and_can_try_again(self, page, tmp_path, monkeypatch):
        monkeypatch.setattr(uploads, "places", lambda: uploads.Places(0, 0))
        drop(page, folder_zip(tmp_path / "a.zip", 2, 20))
        assert "Other files are being read" in page.warning[0].value
        monkeypatch.setattr(uploads, "places", lambda: uploads.Places(1))
        page.run()
        assert "40 pictures in 2 classes" in said(page)


@pytest.mark.parametrize("name", EXAMPLE_SETS)
def test_one_click_takes_an_example_and_chooses_it(home, page, name):
    page.button(key=f"example_{name.replace(' ', '_')}").click().run()
    assert not page.exception, page.exception
    (kept,) = home.library.listing()
    assert (kept.name, kept.sizes, kept.n_test) == (name, (150, 150), 120)
    assert page.selectbox(key="data").value == kept.key
    assert not page.file_uploader
    opened(page).button(key=f"example_{name.replace(' ', '_')}").click().run()
    assert [one.key for one in home.library.listing()] == [kept.key]


def test_a_test_part_is_told_before_anything_is_kept(page, tmp_path):
    test = own_set(3, 4, 16, seed=3)
    drop(
        page, npz(tmp_path / "a.npz", own_set(3, 12, 16), test_images=test.train_images, test_labels=test.train_labels)
    )
    assert "And 12 of a test part, which only the final score of a run uses" in said(page)
