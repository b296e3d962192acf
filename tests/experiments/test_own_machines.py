"""An experiment's file may name the file of a machine: its path is from where the experiment's file lies."""

import csv
import json

import pytest

from tests.experiments.uncertain import write_machine


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


@pytest.fixture
def own(small, root):
    """The small experiment in a folder of its own, on a machine whose file lies beside it."""
    folder = small.folder / "of mine"
    folder.mkdir()
    small.change('"ideal"', '"mine.toml"')
    for file in (small.path, small.program, write_machine(small.folder, root)):
        file.rename(folder / file.name)
    small.path, small.program = folder / small.path.name, folder / small.program.name
    return small


def test_its_claims_are_scored_from_any_folder(own, in_folder, hindcast):
    done = in_folder("experiment", "run", "of mine/small.toml")
    assert done.returncode == 0, done.stderr
    text = (own.folder / "out" / "small" / "small.csv").read_text()
    assert "\n# machine mine, SHA-256 " in text
    done = hindcast("score", "small.toml", "--out", "../out", cwd=own.path.parent)
    assert done.returncode == 0, done.stderr
    scores = json.loads((own.folder / "out" / "scoreboard.json").read_text())["claims"]
    assert [(one["holds"], one["note"]) for one in scores if one["experiment"] == "small"] == [(True, "")]
    (own.path.parent / "mine.toml").write_text((own.path.parent / "mine.toml").read_text() + "\n# more\n")
    assert hindcast("score", "small.toml", "--out", "../out", cwd=own.path.parent).returncode == 0
    scores = json.loads((own.folder / "out" / "scoreboard.json").read_text())["claims"]
    assert [one["note"] for one in scores if one["experiment"] == "small"] == [
        "from before a change of machine: run it again"
    ]


def test_it_may_be_one_of_several(own, in_folder):
    own.path.write_text(own.path.read_text().partition("[[claim]]")[0])
    own.change('name = "mine.toml"', 'name = ["ideal", "./mine.toml"]')
    done = in_folder("experiment", "run", "of mine/small.toml")
    assert done.returncode == 0, done.stderr
    rows = rows_of(own.folder / "out" / "small" / "small.csv")
    assert list(dict.fromkeys(row["machine"] for row in rows)) == ["ideal", "./mine.toml"]


def test_it_may_have_a_comma_in_its_name(own, in_folder):
    (own.folder / "mine,old.toml").write_text((own.path.parent / "mine.toml").read_text())
    own.path.write_text(own.path.read_text().partition("[[claim]]")[0])
    done = in_folder("experiment", "run", "of mine/small.toml", "--set", "machine=ideal,mine,old.toml")
    assert done.returncode == 0, done.stderr
    (results,) = (own.folder / "out" / "small").glob("*.csv")
    assert list(dict.fromkeys(row["machine"] for row in rows_of(results))) == ["ideal", "mine,old.toml"]


def test_a_study_of_it_gives_the_figure_its_bands(own, in_folder):
    words = ("experiment", "run", "of mine/small.toml", "--bands")
    done = in_folder(*words)
    assert done.stderr == (
        "hindcast: --bands: of mine/small.toml has none in out: "
        "first run hindcast uncertainty 'of mine/mine.toml' 'of mine/small.toml'\n"
    )
    study = in_folder("uncertainty", "./of mine/mine.toml", "of mine/small.toml", "--samples", "8", timeout=120)
    assert study.returncode == 0, study.stderr
    done = in_folder(*words)
    assert done.returncode == 0, done.stderr
