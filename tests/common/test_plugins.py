"""The modules that the environment names are imported, once, and no others."""

import sys

import pytest

from dasksvd.__main__ import main
from dasksvd.common import parallel
from dasksvd.common.plugins import PLUGINS, load_plugins, plugin_names
from dasksvd.errors import ParameterError


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that Python finds and forgets again."""
    names = []

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        names.append(name)

    monkeypatch.syspath_prepend(tmp_path)
    yield write
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("text", "names"), [("", []), (" , ", []), ("one", ["one"]), ("one, two.three,", ["one", "two.three"])]
)
def test_names_are_separated_by_commas(text, names, monkeypatch):
    monkeypatch.setenv(PLUGINS, text)
    assert plugin_names() == names


def test_nothing_is_named_by_default(monkeypatch):
    monkeypatch.delenv(PLUGINS, raising=False)
    assert plugin_names() == []


def test_modules_are_imported_once_and_in_order(module, monkeypatch):
    module("plugin_one", "order = []")
    module("plugin_two", "import plugin_one\nplugin_one.order.append('two')")
    monkeypatch.setenv(PLUGINS, "plugin_one,plugin_two")
    load_plugins()
    load_plugins()
    assert sys.modules["plugin_one"].order == ["two"]


@pytest.mark.parametrize("text", [None, "1 / 0", "no python"])
def test_a_module_that_cannot_be_imported_is_named(text, module, monkeypatch, capsys):
    if text is not None:
        module("plugin_bad", text)
    monkeypatch.setenv(PLUGINS, "plugin_bad")
    with pytest.raises(ParameterError, match=r"cannot import plugin_bad, which DASKSVD_PLUGINS names: .*PYTHONPATH"):
        load_plugins()
    assert main(["runs"]) == 2
    assert capsys.readouterr().err.startswith("dasksvd: error: cannot import plugin_bad")


def is_loaded(name):
    return name in sys.modules


def test_a_task_takes_the_names_along_to_where_it_is_computed(module, monkeypatch):
    """A worker of a cluster has an environment of its own."""
    module("plugin_far", "")
    monkeypatch.setenv(PLUGINS, "plugin_far")
    call = parallel._Call(is_loaded, ("plugin_far",))
    monkeypatch.delenv(PLUGINS)
    assert not is_loaded("plugin_far")
    assert call()
