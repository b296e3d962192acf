"""hindcast sweep: every combination of values run once, kept, and put into tables."""

import contextlib
import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from tests.experiments.test_runs import heed_interrupts

# PROGRAM BYTES [WORD]: rank 0 sends to rank 1, which answers. Each run leaves a letter in the file "started". With the
# words of the files that are there a run fails, or does not end.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[1]);
  const char* word = argc > 2 ? argv[2] : "none";
  if (rank == 0) fputs("x", fopen("started", "a"));
  fflush(NULL);
  if (rank == 0 && access("fails", F_OK) == 0 && word[0] == 'f') {
    fprintf(stderr, "no luck\nand more of it\n");
    exit(7);
  }
  while (access("endless", F_OK) == 0 && word[0] == 'e') fclose(fopen("going", "w"));
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(data, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("bytes,ranks,time_us\n%d,%d,%.6f\n", bytes, ranks, (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""
SILENT = "#include <mpi.h>\nint main(int n, char** words) { MPI_Init(&n, &words); MPI_Finalize(); return 0; }\n"


@pytest.fixture
def program(tmp_path, compile_program):
    """An executable, ./there, in the folder of the test."""
    shutil.copy(compile_program(PROGRAM), tmp_path / "there")
    return tmp_path / "there"


@pytest.fixture
def sweep(in_folder):
    """sweep("-n", 2, "./there", 8): to the end of a sweep that has to go well."""

    def start(*words):
        done = in_folder("sweep", *map(str, words))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return start


def head_and_table(path):
    lines = path.read_text().splitlines(keepends=True)
    return [line[2:-1] for line in lines if line.startswith("# ")], "".join(
        line for line in lines if not line.startswith("#")
    )


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def started(folder):
    """How many runs there were so far."""
    return len((folder / "started").read_text()) if (folder / "started").exists() else 0


LATENCY = "network.hop_latency"
SMALL = ("-n", "2,4", "--set", f"{LATENCY}=1 us,3 us", "--with", "bytes=8,4000", "--", "./there", "{bytes}")


def test_every_combination_is_a_row(sweep, program, tmp_path, root):
    folder = tmp_path / "out" / "sweep" / "there"
    assert sweep(*SMALL) == [
        "out/sweep/there/runs.csv",
        "out/sweep/there/table.csv",
        "8 runs: 0 kept from before, 0 failed",
    ]
    head, runs = head_and_table(folder / "runs.csv")
    assert head[0].startswith("hindcast ")
    assert head[1:] == [
        f"machine ideal, SHA-256 {sha256(root / 'platforms' / 'ideal.toml')}",
        f"program there, SHA-256 {sha256(program)}",
        "command: hindcast sweep -m ideal -n 2,4 --set 'network.hop_latency=1 us,3 us' --with bytes=8,4000 -- ./there "
        "'{bytes}'",
    ]
    assert runs == (
        "machine,ranks,network.hop_latency,bytes,status,said\n"
        "ideal,2,1 us,8,0,\nideal,2,1 us,4000,0,\nideal,2,3 us,8,0,\nideal,2,3 us,4000,0,\n"
        "ideal,4,1 us,8,0,\nideal,4,1 us,4000,0,\nideal,4,3 us,8,0,\nideal,4,3 us,4000,0,\n"
    )
    head_of_table, table = head_and_table(folder / "table.csv")
    assert head_of_table == head
    assert table == (
        "machine,ranks,network.hop_latency,bytes,time_us\n"
        "ideal,2,1 us,8,6.360003\nideal,2,1 us,4000,29.646669\n"
        "ideal,2,3 us,8,10.360003\nideal,2,3 us,4000,33.646669\n"
        "ideal,4,1 us,8,6.420003\nideal,4,1 us,4000,29.646669\n"
        "ideal,4,3 us,8,10.420003\nideal,4,3 us,4000,33.646669\n"
    )
    assert started(tmp_path) == 8


def test_the_options_order_is_the_runs_order(sweep, program, tmp_path):
    words = ("--with", "bytes=8,0", "-n", "4,2", "--map", "block", "--map", "reverse", "-m", "t3d,ideal")
    sweep(*words, "./there", "{bytes}")
    _, table = head_and_table(tmp_path / "out" / "sweep" / "there" / "runs.csv")
    rows = [tuple(row.values())[:4] for row in csv.DictReader(table.splitlines())]
    assert table.startswith("bytes,ranks,map,machine,status,said\n")
    assert rows == [
        (size, ranks, where, machine)
        for size in ("8", "0")
        for ranks in ("4", "2")
        for where in ("block", "reverse")
        for machine in ("t3d", "ideal")
    ]


def test_a_list_of_nodes_is_one_map(sweep, program, tmp_path):
    sweep("-n", "2", "--map", "0,1", "--map", "0,3", "./there", "8")
    head, table = head_and_table(tmp_path / "out" / "sweep" / "there" / "table.csv")
    assert table == 'machine,ranks,map,bytes,time_us\nideal,2,"0,1",8,4.560003\nideal,2,"0,3",8,4.760003\n'
    assert head[-1] == "command: hindcast sweep -m ideal -n 2 --map 0,1 --map 0,3 -- ./there 8"


def test_the_same_sweep_gives_the_same_bytes(sweep, program, tmp_path):
    sweep("--out", "first", *SMALL)
    sweep("--out", "second", *SMALL)
    files = {file.relative_to(tmp_path / "first"): file for file in (tmp_path / "first").rglob("*") if file.is_file()}
    assert len(files) == 2 + 8
    for name, file in files.items():
        assert file.read_bytes() == (tmp_path / "second" / name).read_bytes(), name


def kept_runs(folder):
    return {file: json.loads(file.read_text()) for file in (folder / "runs").glob("*.json")}


def test_a_run_is_kept_with_the_command_that_makes_it_again(sweep, program, tmp_path):
    sweep("-n", "2", "--set", f"{LATENCY}=1 us", "--with", "word=a b", "--", "./there", "8", "{word}")
    (kept,) = kept_runs(tmp_path / "out" / "sweep" / "there").values()
    assert kept["combination"] == {"machine": "ideal", "ranks": "2", LATENCY: "1 us", "word": "a b"}
    assert (kept["status"], kept["said"]) == (0, "")
    again = subprocess.run(["sh", "-c", kept["command"]], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert again.stdout == kept["printed"]


def test_what_is_kept_is_not_run_again(sweep, program, tmp_path):
    sweep(*SMALL)
    folder = tmp_path / "out" / "sweep" / "there"
    file, kept = next(iter(kept_runs(folder).items()))
    file.write_text(json.dumps({**kept, "printed": "bytes,ranks,time_us\n8,2,12345\n"}))
    assert sweep(*SMALL)[-1] == "8 runs: 8 kept from before, 0 failed"
    assert started(tmp_path) == 8
    assert ",12345\n" in (folder / "table.csv").read_text()
    more = [word.replace("2,4", "2,3,4") for word in SMALL]
    assert sweep(*more)[-1] == "12 runs: 8 kept from before, 0 failed"
    assert started(tmp_path) == 12
    for not_ours in ("{", json.dumps({**kept, "printed": 5}), json.dumps({**kept, "status": "0"})):
        file.write_text(not_ours)
        assert sweep(*SMALL)[-1] == "8 runs: 7 kept from before, 0 failed"


def test_other_programs_and_machine_files_are_run_anew(sweep, program, tmp_path, root, compile_program):
    machine = tmp_path / "mine.toml"
    machine.write_text((root / "platforms" / "ideal.toml").read_text())
    words = ("-m", "./mine.toml", "-n", "2", "./there", "8")
    assert sweep(*words)[-1] == "1 run: 0 kept from before, 0 failed"
    machine.write_text(machine.read_text() + "# changed\n")
    assert sweep(*words)[-1] == "1 run: 0 kept from before, 0 failed"
    shutil.copy(compile_program(PROGRAM + "int changed;\n"), program)
    assert sweep(*words)[-1] == "1 run: 0 kept from before, 0 failed"
    assert sweep(*words)[-1] == "1 run: 1 kept from before, 0 failed"


def test_a_map_is_what_its_file_says(sweep, program, tmp_path):
    (tmp_path / "nodes").write_text("0\n1\n")
    words = ("-n", "2", "--map", "nodes", "./there", "8")
    assert sweep(*words)[-1] == "1 run: 0 kept from before, 0 failed"
    (tmp_path / "nodes").write_text("0\n3\n")
    assert sweep(*words)[-1] == "1 run: 0 kept from before, 0 failed"
    assert head_and_table(tmp_path / "out" / "sweep" / "there" / "table.csv")[1].endswith("\nideal,2,8,4.760003\n")
    every = ",".join(map(str, range(300)))
    assert sweep("-n", "300", "--map", every, "./there", "8")[-1] == "1 run: 0 kept from before, 0 failed"


def test_a_run_whose_program_has_changed_since_is_not_kept(build, program, tmp_path):
    (tmp_path / "endless").touch()
    command = [build / "bin" / "hindcast", "sweep", "-n", "2", "./there", "8", "e"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "going").exists():
            assert process.poll() is None
            time.sleep(0.01)
        program.unlink()
        (tmp_path / "endless").unlink()
        assert process.wait(timeout=20) == 1
        line = process.stderr.read()
    assert line.startswith("hindcast: the program, a file of a machine or a map, or the simulator has changed since ")
    assert line.count("\n") == 1
    assert not list((tmp_path / "out").rglob("*.json"))


WORDS = ("-n", "2", "--with", "word=quick,f,e", "--", "./there", "8", "{word}")


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


def test_a_source_file_is_compiled_first(sweep, tmp_path, build):
    source = tmp_path / "there.c"
    source.write_text(PROGRAM)
    words = ("-n", "2", "--with", "bytes=8,16", "there.c", "{bytes}")
    compiling, *runs = sweep("--dry-run", *words)
    assert compiling == f"{build}/bin/hindcast cc -O2 -o there there.c"
    assert runs == [f"{build}/bin/hindcast run -m ideal -n 2 -- ./there {size}" for size in (8, 16)]
    assert [file.name for file in tmp_path.iterdir()] == ["there.c"]
    assert sweep(*words)[-1] == "2 runs: 0 kept from before, 0 failed"
    folder = tmp_path / "out" / "sweep" / "there"
    head, table = head_and_table(folder / "table.csv")
    assert f"program there.c, SHA-256 {sha256(source)}" in head
    assert table == "machine,ranks,bytes,time_us\nideal,2,8,4.560003\nideal,2,16,4.606669\n"
    commands = sorted(kept["command"] for kept in kept_runs(folder).values())
    assert commands == sorted(f"{compiling} && {run}" for run in runs)
    assert sweep(*words)[-1] == "2 runs: 2 kept from before, 0 failed"


def test_a_dry_run_says_the_commands_alone(sweep, program, tmp_path, build):
    varied = ("-m", "ideal,earth-simulator", "-n", "2", "--map", "block", "--with", "bytes=8")
    words = (*varied, "./there", "{bytes}", "-n")
    assert sweep("--dry-run", *words) == [
        f"{build}/bin/hindcast run -m {machine} -n 2 --map block -- ./there 8 -n"
        for machine in ("ideal", "earth-simulator")
    ]
    (line,) = sweep("--dry-run", "--part", "2/2", *words)
    assert "-m earth-simulator " in line
    assert [file.name for file in tmp_path.iterdir()] == ["there"]


def test_braces_are_filled_with_what_the_run_is(sweep, program):
    arguments = ("{ranks}{machine}", "{literal}", "{1}")
    (line,) = sweep("--dry-run", "-m", "t3d", "-n", "2", "--with", "literal={ranks}", "--", "./there", *arguments)
    assert line.endswith(" run -m t3d -n 2 -- ./there 2t3d '{ranks}' '{1}'")


def test_without_a_number_of_ranks_there_is_one_and_it_is_told(in_folder, tmp_path, compile_program):
    shutil.copy(compile_program(SILENT), tmp_path / "silent")
    done = in_folder("sweep", "./silent", env={"HINDCAST_MACHINE": "t3d"})
    assert done.returncode == 0
    assert done.stderr == "hindcast: one rank of ./silent runs: -n RANKS before it says how many\n"
    assert done.stdout.splitlines() == [
        "out/sweep/silent/runs.csv",
        "no out/sweep/silent/table.csv: the runs print no table as CSV, a line of names and rows of values, of which "
        "it would be made; each run's output is in out/sweep/silent/runs/ID.json",
        "1 run: 0 kept from before, 0 failed",
    ]
    head, table = head_and_table(tmp_path / "out" / "sweep" / "silent" / "runs.csv")
    assert table == "machine,ranks,status,said\nt3d,1,0,\n"
    assert head[-1] == "command: hindcast sweep -m t3d -n 1 -- ./silent"


def test_a_table_of_other_runs_does_not_stay(sweep, program, tmp_path, compile_program):
    sweep("-n", "2", "--out", "here", "./there", "8")
    shutil.copy(compile_program(SILENT), tmp_path / "silent")
    sweep("-n", "2", "--out", "here", "./silent")
    assert sorted(file.name for file in (tmp_path / "here").iterdir()) == ["runs", "runs.csv"]


def test_a_column_that_says_otherwise_than_the_key_is_called_otherwise(sweep, program, tmp_path):
    sweep("-n", "2", "--with", "bytes=8,08", "./there", "{bytes}")
    _, table = head_and_table(tmp_path / "out" / "sweep" / "there" / "table.csv")
    assert table == "machine,ranks,bytes,printed_bytes,time_us\nideal,2,8,8,4.560003\nideal,2,08,8,4.560003\n"


def test_executables_whose_names_differ_behind_a_dot_have_folders_of_their_own(sweep, program, tmp_path):
    shutil.copy(program, tmp_path / "p.v1")
    shutil.copy(program, tmp_path / "p.v2")
    assert sweep("-n", "2", "./p.v1", "8")[0] == "out/sweep/p.v1/runs.csv"
    assert sweep("-n", "2", "./p.v2", "8")[0] == "out/sweep/p.v2/runs.csv"


def test_a_table_with_two_columns_of_one_name_is_not_written(sweep, program, tmp_path):
    given = ("--with", "printed_bytes=1,2", "--with", "bytes=8,08")
    _, no_table, _ = sweep("-n", "2", *given, "./there", "{bytes}", "{printed_bytes}")
    assert no_table.startswith("no out/sweep/there/table.csv: two of its columns would be called printed_bytes; ")
    assert not (tmp_path / "out" / "sweep" / "there" / "table.csv").exists()
