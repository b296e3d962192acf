"""Sweeps some of whose runs failed, were ended or are another job's: what is kept, and what is run again."""

import contextlib
import os
import shutil
import signal
import subprocess
import time

import pytest

from tests.experiments.sweeping.there import (
    LATENCY,
    SILENT,
    SMALL,
    WORDS,
    head_and_table,
    kept_runs,
    started,
)
from tests.experiments.test_runs import heed_interrupts


def test_a_failed_run_is_told_and_tried_again(sweep, in_folder, program, tmp_path):
    (tmp_path / "fails").touch()
    done = in_folder("sweep", *WORDS)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[2:] == [
        "3 runs: 0 kept from before, 1 failed",
        "failed with status 7: machine = ideal, ranks = 2, word = f: no luck",
    ]
    folder = tmp_path / "out" / "sweep" / "there"
    row = "machine,ranks,word,status,said\nideal,2,quick,0,\nideal,2,f,7,no luck\nideal,2,e,0,\n"
    assert head_and_table(folder / "runs.csv")[1] == row
    rows = "machine,ranks,word,bytes,time_us\nideal,2,quick,8,4.560003\nideal,2,e,8,4.560003\n"
    assert head_and_table(folder / "table.csv")[1] == rows
    assert [kept["said"].splitlines()[:2] for kept in kept_runs(folder).values() if kept["status"]] == [
        ["no luck", "and more of it"]
    ]
    (tmp_path / "fails").unlink()
    assert sweep(*WORDS)[-1] == "3 runs: 2 kept from before, 0 failed"
    assert started(tmp_path) == 4


def test_of_many_failures_ten_are_told(in_folder, program, tmp_path):
    (tmp_path / "fails").touch()
    sizes = ",".join(map(str, range(12)))
    done = in_folder("sweep", "-n", "2", "--with", f"bytes={sizes}", "./there", "{bytes}", "f")
    _, no_table, _, *told, last = done.stdout.splitlines()
    assert done.returncode == 1
    assert no_table.startswith("no out/sweep/there/table.csv: all runs failed; ")
    begin = "failed with status 7: machine = ideal, ranks = 2, bytes = "
    assert told == [f"{begin}{size}: no luck" for size in range(10)]
    assert last == "and 2 more"


def test_a_limit_of_simulated_time_makes_another_run_and_one_of_this_computers_does_not(
    sweep, in_folder, program, tmp_path
):
    words = ("-n", "2", "./there", "8")
    sweep(*words)
    done = in_folder("sweep", "--max-time", "1ns", *words)
    assert done.returncode == 1
    assert done.stdout.splitlines()[2] == "1 run: 0 kept from before, 1 failed"
    assert sweep("--max-time", "1s", *words)[-1] == "1 run: 0 kept from before, 0 failed"
    assert sweep("--max-time", "1s", "--max-host-time", "20s", *words)[-1] == "1 run: 1 kept from before, 0 failed"
    assert sweep(*words)[-1] == "1 run: 1 kept from before, 0 failed"


def test_a_run_that_does_not_end_is_ended_by_a_limit_and_the_others_are_kept(sweep, in_folder, program, tmp_path):
    (tmp_path / "endless").touch()
    done = in_folder("sweep", "--max-host-time", "1s", *WORDS)
    assert done.returncode == 1
    *_, sum_, failure = done.stdout.splitlines()
    assert sum_ == "3 runs: 0 kept from before, 1 failed"
    assert failure.startswith("failed with status 1: machine = ideal, ranks = 2, word = e: ")
    assert "(--max-host-time)" in failure
    (tmp_path / "endless").unlink()
    assert sweep(*WORDS)[-1] == "3 runs: 2 kept from before, 0 failed"


def test_of_a_run_that_a_limit_ends_its_end_is_told_and_no_warning_before(in_folder, tmp_path, compile_program):
    looks = "int found = 0; while (!found) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);"
    shutil.copy(compile_program(SILENT.replace("MPI_Finalize", f"{looks} MPI_Finalize")), tmp_path / "looks")
    done = in_folder("sweep", "-n", "2", "--max-time", "200ms", "./looks")
    reason = "the time limit of 200 ms is reached with 2 of 2 ranks still running"
    assert done.stdout.splitlines()[-1] == f"failed with status 1: machine = ideal, ranks = 2: {reason}"
    _, runs = head_and_table(tmp_path / "out" / "sweep" / "looks" / "runs.csv")
    assert runs == f"machine,ranks,status,said\nideal,2,1,hindcast: {reason}\n"
    (kept,) = kept_runs(tmp_path / "out" / "sweep" / "looks").values()
    assert kept["said"].startswith("hindcast: warning: ")


@pytest.mark.parametrize(
    ("is_for_all", "sent", "status"),
    [(True, signal.SIGINT, 130), (False, signal.SIGTERM, 143), (True, signal.SIGTERM, 143)],
)
def test_an_interrupted_sweep_goes_on_where_it_was(sweep, build, program, tmp_path, is_for_all, sent, status):
    """A terminal interrupts all processes of a command; batch systems terminate all, or the first alone."""
    (tmp_path / "endless").touch()
    (tmp_path / "temporary").mkdir()
    command = [build / "bin" / "hindcast", "sweep", *WORDS]
    options = {"cwd": tmp_path, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    options["env"] = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    runs = tmp_path / "out" / "sweep" / "there" / "runs"
    with subprocess.Popen(command, preexec_fn=heed_interrupts, **options) as process:
        try:
            while not ((tmp_path / "going").exists() and len(list(runs.glob("[!.]*.json"))) == 2):
                assert process.poll() is None
                time.sleep(0.01)
            (os.killpg if is_for_all else os.kill)(process.pid, sent)
            assert process.wait(timeout=20) == status
            refuse_left_processes(process.pid)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert process.stderr.read() == (
            "hindcast: interrupted: 2 of 3 runs are kept in out/sweep/there/runs; the same command again does the "
            "others\n"
        )
    assert not list((tmp_path / "temporary").iterdir())
    assert not list(runs.parent.glob("*.csv"))
    (tmp_path / "endless").unlink()
    assert sweep(*WORDS)[-1] == "3 runs: 2 kept from before, 0 failed"


def refuse_left_processes(group):
    """Those that are killed may take a moment to be gone."""
    end_s = time.monotonic() + 10
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < end_s:
            os.killpg(group, 0)
            time.sleep(0.01)
        raise AssertionError("a process is left")


def test_parts_are_collected_by_the_command_without_part(sweep, build, program, tmp_path):
    command = [build / "bin" / "hindcast", "sweep"]
    jobs = [[*command, "--part", part, *SMALL] for part in ("1/3", "2/3")]
    parts = [subprocess.Popen(job, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for job in jobs]
    said = [part.communicate(timeout=60)[0].splitlines() for part in parts]
    assert said[0] == [
        "out/sweep/there/runs",
        "part 1 of 3, and no tables: the same command without --part writes them when all parts are done",
        "3 runs: 0 kept from before, 0 failed",
    ]
    assert said[1][-1] == "3 runs: 0 kept from before, 0 failed"
    folder = tmp_path / "out" / "sweep" / "there"
    combinations = [kept["combination"] for kept in kept_runs(folder).values()]
    chosen = [(one["ranks"], one[LATENCY], one["bytes"]) for one in combinations]
    every = [(ranks, wait, size) for ranks in "24" for wait in ("1 us", "3 us") for size in ("8", "4000")]
    assert sorted(chosen) == sorted(every[0::3] + every[1::3])
    assert [file.name for file in folder.iterdir()] == ["runs"]
    assert sweep("--part", "3/3", *SMALL)[-1] == "2 runs: 0 kept from before, 0 failed"
    assert sweep(*SMALL)[-1] == "8 runs: 8 kept from before, 0 failed"
    assert started(tmp_path) == 8
    assert len((folder / "table.csv").read_text().splitlines()) == 4 + 1 + 8
    assert sweep("--part", "9/9", *SMALL)[-1] == "0 runs: 0 kept from before, 0 failed"
