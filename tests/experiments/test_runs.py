"""Experiments run: their results, several values of a parameter, and runs that fail."""

import contextlib
import csv
import hashlib
import json
import os
import signal
import subprocess
import time

import pytest


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def head_of(path):
    return [line[2:] for line in path.read_text().splitlines() if line.startswith("# ")]


def run_small(in_folder, *words):
    done = in_folder("experiment", "run", "small.toml", *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done


def test_results_are_a_tidy_table_with_its_origin(small, in_folder, root):
    run_small(in_folder)
    path = small.folder / "out" / "small" / "small.csv"
    rows = rows_of(path)
    assert [(row["curve"], int(row["bytes"])) for row in rows] == [
        (curve, size) for curve in ("MPI", "slow MPI") for size in (0, 1000, 2000, 3000, 4000)
    ]
    slow, quick = (next(float(row["time_us"]) for row in rows if row["curve"] == name) for name in ("slow MPI", "MPI"))
    assert slow - quick == pytest.approx(16)  # two sends of 9 us and not 1

    def sha256(file):
        return hashlib.sha256(file.read_bytes()).hexdigest()

    head = head_of(path)
    assert f"machine ideal, SHA-256 {sha256(root / 'platforms' / 'ideal.toml')}" in head
    assert f"program there.c, SHA-256 {sha256(small.program)}" in head
    assert "changed parameters: none" in head
    assert "command: hindcast experiment run small.toml" in head
    assert str(small.folder) not in path.read_text()


def test_results_and_figures_are_the_same_bytes_each_time(small, in_folder):
    run_small(in_folder, "--out", "first")
    run_small(in_folder, "--out", "second")
    for suffix in (".csv", ".svg", ".pdf", ".png", ".caption.txt"):
        first, second = (small.folder / out / "small" / f"small{suffix}" for out in ("first", "second"))
        assert first.stat().st_size > 100
        assert first.read_bytes() == second.read_bytes(), suffix


def test_several_values_become_several_curves(small, in_folder):
    done = run_small(in_folder, "--set", "processor.receive_overhead=1us,3us", "--set", "network.hop_latency=200ns")
    folder = small.folder / "out" / "small"
    path = folder / "small.network.hop_latency=200ns.processor.receive_overhead=1us,3us.csv"
    times = {
        (row["processor.receive_overhead"], row["curve"]): float(row["time_us"])
        for row in rows_of(path)
        if row["bytes"] == "0"
    }
    assert set(times) == {(value, curve) for value in ("1us", "3us") for curve in ("MPI", "slow MPI")}
    assert times["3us", "MPI"] - times["1us", "MPI"] == pytest.approx(4)
    assert "processor.receive_overhead = 3us" in done.stdout
    assert not (folder / "small.csv").exists()  # results of the experiment as it is are not touched


def test_the_machine_is_a_key_too(small, in_folder, root):
    text = (root / "platforms" / "ideal.toml").read_text()
    slow = text.replace("send_overhead = { value = 1,", "send_overhead = { value = 5,").replace('"ideal"', '"slower"')
    (small.folder / "slower.toml").write_text(slow)
    run_small(in_folder, "--set", "machine=ideal,./slower.toml")
    (path,) = (small.folder / "out" / "small").glob("*.csv")
    times = {
        row["machine"]: float(row["time_us"]) for row in rows_of(path) if (row["curve"], row["bytes"]) == ("MPI", "0")
    }
    assert times["./slower.toml"] - times["ideal"] == pytest.approx(8)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            ["compute=counted"],
            "--set compute=counted: what computation takes is as the programs declare it (hindcast.h)",
        ),
        (["network.hop_latency=1ns,1ns"], "values have to be there, and differ"),
        (["network.hop_latncy=1ns"], "did you mean 'network.hop_latency'?"),
        (["network.hop_latency=1MB"], "network.hop_latency"),
        (["machine=idela"], "idela"),
        (["ranks=none"], "--set ranks=none: has to be a whole number from 1 on"),
    ],
)
def test_a_wrong_change_is_refused_before_anything_runs(small, in_folder, settings, said):
    done = in_folder("experiment", "run", "small.toml", *(word for text in settings for word in ("--set", text)))
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (small.folder / "out").exists()


def test_a_dry_run_says_what_would_be_run_for_a_shell_to_run(small, in_folder, build):
    done = run_small(in_folder, "-n")
    commands = done.stdout.splitlines()
    assert len(commands) == 11
    assert commands[0] == f"{build}/bin/hindcast cc -O2 -o there there.c"
    assert commands[-1].endswith("run -m ideal -n 2 --set 'processor.send_overhead=9 us' -- ./there 4000")
    assert not (small.folder / "out").exists()
    pasted = "\n".join(["set -e", commands[0], commands[-1]])
    shell = subprocess.run(["sh", "-c", pasted], capture_output=True, text=True, cwd=small.folder, check=False)
    assert (shell.returncode, shell.stderr) == (0, "")
    assert shell.stdout.startswith("bytes,rank,time_us\n4000,0,")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["map=foo"], "small: --map foo: not a placement"),
        (["map=0,1,2"], "small: --map 0,1,2: 3 nodes for 2 ranks"),
        (["machine=ap1000", "map=block,block:2"], "small: --map: ranks 0 and 1 are both on node 0, but a cell"),
        (["machine=ap1000", "ranks=4096"], "small: 4096 ranks, but the machine has at most 1024 nodes"),
        (["machine=ideal,ap1000", "ranks=1025"], "small: 1025 ranks, but the machine has at most 1024 nodes"),
        (["network.dimensions=2x2", "ranks=5"], "small: 5 ranks, but the machine has at most 4 nodes"),
        (["machine=t3e-900", "mpi.queue=hardware", "mpi.medium=Tn"], "mpi.medium=Tn: Tn puts data into slots"),
        (["machine=t3d", "mpi.library=new"], "'new' is not one of old"),
        (["collectives.bcast=binomal"], "collectives.bcast=binomal"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_dry_run_refuses_what_no_run_would_begin_with(small, in_folder, settings, said):
    done = in_folder("experiment", "run", "small.toml", "-n", *(word for text in settings for word in ("--set", text)))
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_programs_of_one_name_are_compiled_apart_in_a_dry_run(small, in_folder):
    (small.folder / "other").mkdir()
    (small.folder / "other" / "there.c").write_text(small.program.read_text())
    small.change('name = "slow MPI"\nprogram = "there.c"', 'name = "slow MPI"\nprogram = "other/there.c"')
    first, second, *runs = run_small(in_folder, "-n").stdout.splitlines()
    assert first.endswith(" -o there there.c")
    assert second.endswith(" -o there-2 other/there.c")
    assert sum(" -- ./there-2 " in run for run in runs) == 5


FORTRAN = """
module sizes
  integer :: bytes
end module
program measure
  use mpi
  use sizes
  character(len=20) :: word
  integer :: rank, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_command_argument(1, word)
  read (word, *) bytes
  if (rank == 0) write (*, '(a,/,i0,a)') 'bytes,rank,time_us', bytes, ',0,1.5'
  call MPI_Finalize(error)
end program
"""


def test_a_program_may_be_in_fortran(small, in_folder):
    without_claim(small)
    (small.folder / "there.f90").write_text(FORTRAN)
    small.change('program = "there.c"', 'program = "there.f90"')
    run_small(in_folder)
    assert not list(small.folder.glob("*.mod"))
    rows = rows_of(small.folder / "out" / "small" / "small.csv")
    assert [row["time_us"] for row in rows if row["curve"] == "MPI"] == ["1.5"] * 5


def test_a_failing_run_is_named_with_what_it_said_and_leaves_nothing(small, in_folder):
    small.program.write_text(
        small.program.read_text().replace(
            "const double start", 'if (bytes == 3000) { fprintf(stderr, "no luck\\n"); exit(7); }\n  const double start'
        )
    )
    done = in_folder("experiment", "run", "small.toml")
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: small: curve 'MPI', bytes = 3000: failed with status 7: ")
    assert done.stderr.count("\n") == 1
    assert not (small.folder / "out").exists()


def test_a_program_that_does_not_compile_is_named_with_its_error(small, in_folder):
    small.program.write_text("int main(void) { return nothing; }\n")
    done = in_folder("experiment", "run", "small.toml")
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: there.c does not compile: ")
    assert "error:" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_program_that_prints_no_such_table_is_named(small, in_folder):
    small.program.write_text(small.program.read_text().replace("bytes,rank,time_us", "size,rank,time_us"))
    done = in_folder("experiment", "run", "small.toml")
    assert done.stderr == "hindcast: there.c: its table has no column 'bytes', but size, rank, time_us\n"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("rank,time_us", "rank,other_us", "no program prints a column 'time_us', which a panel or a claim is of"),
        ("%d,0,%.6f", "%d,0,soon%.6f", "a program's column 'time_us' holds 'soon"),
        ("%d,0,%.6f", "%d,0,%.6f,9", "there.c printed no table: a row has more values than there are names"),
        ("bytes,rank,", "bytes,curve,", "there.c: its column 'curve' is one that the results have besides"),
    ],
)
def test_a_table_that_cannot_be_drawn_is_told_in_one_line(small, in_folder, old, new, said):
    small.program.write_text(small.program.read_text().replace(old, new))
    done = in_folder("experiment", "run", "small.toml")
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: {said}")
    assert done.stderr.count("\n") == 1


def test_a_changed_number_of_the_machine_file_moves_the_result(small, in_folder, root):
    """What one sees who changes a number in the file and runs again; and until then the old results are called old."""
    machine = small.folder / "mine.toml"
    text = (root / "platforms" / "ideal.toml").read_text().replace('"ideal"', '"mine"')
    machine.write_text(text)
    small.change('"ideal"', '"mine"')
    here = {"env": {"HINDCAST_PLATFORMS": str(small.folder)}}
    assert in_folder("experiment", "run", "small.toml", **here).returncode == 0
    path = small.folder / "out" / "small" / "small.csv"
    before = rows_of(path)

    machine.write_text(text.replace("receive_overhead = { value = 1,", "receive_overhead = { value = 4,"))
    assert in_folder("score", "small.toml", **here).returncode == 0
    scores = json.loads((small.folder / "out" / "scoreboard.json").read_text())["claims"]
    assert [score["note"] for score in scores if score["experiment"] == "small"] == [
        "from before a change of machine: run it again"
    ]
    assert in_folder("experiment", "run", "small.toml", **here).returncode == 0
    for new, old in zip(rows_of(path), before, strict=True):
        assert float(new["time_us"]) - float(old["time_us"]) == pytest.approx(6)


def heed_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # pytest's workers ignore them, and so would what they start


def test_an_interrupt_ends_it_at_once_and_leaves_nothing(small, build):
    endless = """fopen("going", "w");
  for (volatile int i = 0; bytes >= 0; ++i) {}
  if (rank == 0) printf"""
    small.program.write_text(small.program.read_text().replace("if (rank == 0) printf", endless))
    command = [build / "bin" / "hindcast", "experiment", "run", "small.toml"]
    options = {"cwd": small.folder, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, preexec_fn=heed_interrupts, **options) as started:
        try:
            while not (small.folder / "going").exists():
                assert started.poll() is None
                time.sleep(0.01)
            os.killpg(started.pid, signal.SIGINT)
            assert started.wait(timeout=20) == 130
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
        assert started.stderr.read() == ""
    assert not (small.folder / "out").exists()


def without_claim(small):
    small.path.write_text(small.path.read_text().partition("[[claim]]")[0])


def test_a_file_may_name_several_machines(small, in_folder):
    without_claim(small)
    small.change('name = "ideal"', 'name = ["ideal", "t3e-900"]')
    small.change('[[curve]]\nname = "slow MPI"\nprogram = "there.c"\nset = ["processor.send_overhead=9 us"]\n', "")
    run_small(in_folder)
    path = small.folder / "out" / "small" / "small.csv"
    rows = rows_of(path)
    assert [row["machine"] for row in rows] == ["ideal"] * 5 + ["t3e-900"] * 5
    assert {line.split(",")[0] for line in head_of(path) if line.startswith("machine ")} == {
        "machine ideal",
        "machine t3e-900",
    }
    assert "t3e-900" in path.with_suffix(".svg").read_text()
    run_small(in_folder, "--set", "machine=ideal")
    assert "machine" not in rows_of(path.with_name("small.machine=ideal.csv"))[0]


def test_several_keys_may_have_several_values(small, in_folder):
    without_claim(small)
    changes = ["processor.send_overhead=1,2", "network.hop_latency=1 us,3 us"]
    run_small(in_folder, *(word for change in changes for word in ("--set", change)))
    (path,) = (small.folder / "out" / "small").glob("*.csv")
    rows = [row for row in rows_of(path) if row["curve"] == "MPI" and row["bytes"] == "0"]
    found = {(row["processor.send_overhead"], row["network.hop_latency"]): float(row["time_us"]) for row in rows}
    assert list(found) == [("1", "1 us"), ("1", "3 us"), ("2", "1 us"), ("2", "3 us")]
    assert found["2", "1 us"] - found["1", "1 us"] == pytest.approx(2)  # two sends
    assert found["1", "3 us"] - found["1", "1 us"] == pytest.approx(4)  # a hop each way


def test_results_say_the_command_that_was_given(small, in_folder):
    run_small(in_folder, "--set", "network.hop_latency=1 us")
    (path,) = (small.folder / "out" / "small").glob("*.csv")
    assert "command: hindcast experiment run small.toml --set 'network.hop_latency=1 us'" in head_of(path)


def test_the_line_of_names_may_come_after_a_row(small, in_folder):
    small.program.write_text(
        small.program.read_text().replace(
            'if (rank == 0) printf("bytes,rank,time_us\\n%d,0,%.6f\\n", bytes, (MPI_Wtime() - start) * 1e6);',
            'if (rank == 1) printf("%d,1,%.6f\\n", bytes, (MPI_Wtime() - start) * 1e6);\n'
            "  MPI_Barrier(MPI_COMM_WORLD);\n"
            '  if (rank == 0) printf("bytes,rank,time_us\\n%d,0,%.6f\\n", bytes, 5.0);',
        )
    )
    without_claim(small)
    run_small(in_folder)
    rows = rows_of(small.folder / "out" / "small" / "small.csv")
    assert [row["rank"] for row in rows] == ["1", "0"] * 10


def test_results_are_kept_apart_from_those_of_the_projects_experiment_of_that_name(small, in_folder):
    small.change('name = "small"', 'name = "ap1000-fig03"')
    run_small(in_folder)
    assert (small.folder / "out" / "ap1000-fig03.own" / "ap1000-fig03.own.csv").exists()
    assert not (small.folder / "out" / "ap1000-fig03").exists()


def test_what_cannot_be_written_is_named_as_the_user_knows_it(small, in_folder):
    (small.folder / "out" / "small" / "small.csv").mkdir(parents=True)
    done = in_folder("experiment", "run", "small.toml")
    said = "hindcast: out/small/small.csv: cannot be written: Is a directory\n"
    assert (done.returncode, done.stderr) == (1, said)
    done = in_folder("experiment", "run", "small.toml", "--out", "small.toml")
    said = "hindcast: small.toml/small: cannot be written: Not a directory\n"
    assert (done.returncode, done.stderr) == (1, said)
