"""Standard output that cannot be written: one line says so, and what goes to files is there."""

import subprocess
from pathlib import Path

import pytest

FULL = "hindcast: standard output cannot be written: No space left on device\n"


@pytest.fixture
def printed_to(build, tmp_path):
    """printed_to("/dev/full", "experiment", "list"): a command whose standard output is that file."""

    def start(file, *words):
        command = [build / "bin" / "hindcast", *words]
        with Path(file).open("w") as output:
            return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)

    return start


@pytest.mark.parametrize("words", [["experiment", "list"], ["experiment", "run", "--help"], ["score"]])
def test_a_full_disk_is_told_in_one_line(printed_to, words):
    done = printed_to("/dev/full", *words)
    assert (done.returncode, done.stderr) == (1, FULL)


def test_results_are_written_though_nothing_can_be_printed(small, printed_to):
    done = printed_to("/dev/full", "experiment", "run", "small.toml", "small.toml", "--set", "ranks=2")
    assert (done.returncode, done.stderr) == (1, FULL)
    assert (small.folder / "out" / "small" / "small.ranks=2.csv").exists()


def test_who_reads_the_first_line_alone_hears_no_complaint(build, tmp_path):
    command = f"'{build / 'bin' / 'hindcast'}' experiment list | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.startswith("NAME")
    assert done.stderr == ""


def test_a_command_without_standard_output_does_its_work(small, build):
    command = f"'{build / 'bin' / 'hindcast'}' experiment run small.toml >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=small.folder, check=False)
    assert "Traceback" not in done.stderr
    assert (small.folder / "out" / "small" / "small.csv").exists()
