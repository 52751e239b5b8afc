"""What the command line offers."""

import io
import re
import sys

import pytest

from dasksvd.__main__ import main
from dasksvd.commands import build_parser
from dasksvd.datasets import DATASETS
from dasksvd.encoders import ENCODERS
from dasksvd.networks import NETWORKS
from dasksvd.rankings import RANKINGS
from dasksvd.search.networks import search_networks

#: Of the design; people and scripts outside the project rely on them.
COMMANDS = {
    *(
        "train",
        "resume",
        "evaluate",
        "classify",
        "measures",
        "study",
        "report",
        "verify",
        "grid",
        "sweep",
        "search",
        "runs",
        "data",
        "export",
        "import",
        "dashboard",
    )
}


def help_of(capsys, *command):
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_there_and_explains_itself(capsys):
    offered = re.findall(r"^    (\w+)\s", help_of(capsys), re.MULTILINE)
    assert (set(offered), len(offered)) == (COMMANDS, len(COMMANDS))
    for command in offered:
        assert f"python -m dasksvd {command}" in help_of(capsys, command)


@pytest.mark.parametrize(
    ("command", "option", "registry"),
    [
        (["train", "--out", "x"], "data", DATASETS),
        (["train", "--out", "x"], "ranking", RANKINGS),
        (["evaluate", "x"], "classifier", NETWORKS),
        (["evaluate", "x"], "encoder", ENCODERS),
        (["grid", "x"], "classifier", NETWORKS),
        (["grid", "x"], "encoder", ENCODERS),
        (["grid", "x"], "ranking", RANKINGS),
        (["sweep", "x", "--vary", "t=1"], "classifier", NETWORKS),
        (["sweep", "x", "--vary", "t=1"], "encoder", ENCODERS),
        (["sweep", "x", "--vary", "t=1"], "ranking", RANKINGS),
    ],
)
def test_a_new_entry_of_a_registry_can_be_chosen_at_once(command, option, registry, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    listed = search_networks() if option == "classifier" and command[0] != "evaluate" else registry
    assert all(f"{entry.name}: {entry.title}" in help_of(capsys, command[0]) for entry in listed.entries())
    registry.register("toy", title="A toy, 100 %")(object)
    try:
        assert vars(build_parser().parse_args([*command, f"--{option}", "toy"]))[option] == "toy"
        assert "toy: A toy, 100 %" in help_of(capsys, command[0])
    finally:
        registry.unregister("toy")


@pytest.mark.parametrize(("option", "registry"), [("data", DATASETS), ("ranking", RANKINGS)])
def test_an_unknown_name_gets_the_known_ones(option, registry, tmp_path, capsys):
    assert main(["train", f"--{option}", "absent", "--out", str(tmp_path / "run")]) == 2
    known = ", ".join(registry)
    assert capsys.readouterr().err == f"dasksvd: error: unknown {registry.kind} 'absent'; known are {known}\n"


def test_a_terminal_without_greek_letters_gets_the_help_too(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    terminal.flush()
    assert b"--tau1 TAU1" in terminal.buffer.getvalue()
    assert b"?1, memory" in terminal.buffer.getvalue()
