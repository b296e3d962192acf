"""The script that compares the results of two runs of ./hindcast reproduce."""

import json
import shutil
import sys

import pytest

CLAIM = {"id": "a1", "experiment": "fig1", "published": 86.0, "simulated": 86.11, "holds": True, "note": "exact"}
TABLE = "# hindcast 0.1.0\n# machine ideal 1234abcd\ncurve,bytes,time_us\nMPI,8,12.500000\nMPI,16,12.750000\n"


@pytest.fixture
def results(tmp_path):
    """Two folders with the same results."""
    before, after = tmp_path / "before", tmp_path / "after"
    (before / "fig1").mkdir(parents=True)
    (before / "fig1" / "fig1.csv").write_text(TABLE)
    (before / "counts.csv").write_text("machine,inputs\nideal,3\n")
    (before / "scoreboard.json").write_text(json.dumps({"claims": [CLAIM]}))
    (before / "bench.json").write_text('{"seconds": 1}')
    shutil.copytree(before, after)
    return before, after


@pytest.fixture
def compare(root, results, run_command):
    return lambda: run_command([sys.executable, root / "bench" / "same_results.py", *results])


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_the_same_results_are_the_same(compare):
    done = compare()
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr == "no difference in 3 files\n"


def test_origin_and_wall_time_do_not_count(compare, results):
    change(results[1] / "fig1" / "fig1.csv", "# hindcast 0.1.0\n# machine ideal 1234abcd", "# hindcast 0.2.0")
    change(results[1] / "scoreboard.json", '"exact"', '"from before a change of machine: run it again; exact"')
    change(results[1] / "bench.json", "1", "2")
    assert compare().returncode == 0


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("fig1/fig1.csv", "12.75", "12.76", "row 2 (MPI): time_us: 12.750000 is now 12.760000"),
        ("fig1/fig1.csv", "12.750000", "12.75", "row 2 (MPI): time_us: 12.750000 is now 12.75"),
        ("fig1/fig1.csv", "MPI,16,12.750000\n", "", "row 2: only before: MPI,16,12.750000"),
        ("fig1/fig1.csv", "MPI,8", "MPI,8,9\nMPI,8", "row 1 (MPI): time_us: 12.500000 is now 9"),
        ("fig1/fig1.csv", "bytes", "size", "columns: curve,bytes,time_us is now curve,size,time_us"),
        ("counts.csv", "ideal,3", "ideal,4", "row 1 (ideal): inputs: 3 is now 4"),
        ("scoreboard.json", "86.11", "86.110", "claim a1 of fig1: simulated: 86.11 is now 86.110"),
        ("scoreboard.json", "true", "false", "claim a1 of fig1: holds: true is now false"),
        ("scoreboard.json", '"a1"', '"b1"', "claim a1 of fig1: only before"),
    ],
)
def test_each_difference_is_told(file, old, new, said, compare, results):
    change(results[1] / file, old, new)
    done = compare()
    assert done.returncode == 1
    assert f"{file}: {said}" in done.stdout.splitlines()


def test_a_file_that_is_missing_is_told(compare, results):
    before, after = results
    (after / "fig1" / "fig1.csv").unlink()
    (before / "scoreboard.json").unlink()
    done = compare()
    assert done.returncode == 1
    assert done.stdout.splitlines() == [f"fig1/fig1.csv: not in {after}", f"scoreboard.json: not in {before}"]


def test_a_folder_without_results_is_refused(compare, results):
    shutil.rmtree(results[1])
    assert "no such folder" in compare().stderr
    results[1].mkdir()
    done = compare()
    assert done.returncode == 2
    assert "no results in there" in done.stderr
