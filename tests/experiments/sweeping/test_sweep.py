"""hindcast sweep: every combination of values run once, kept, and put into tables."""

import csv
import json
import shutil
import subprocess
import time

from tests.experiments.sweeping.there import LATENCY, PROGRAM, SILENT, SMALL, head_and_table, kept_runs, sha256, started


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
    assert line.startswith(
        "hindcast: the program, a file of a machine, a map or computation, or the simulator has changed since "
    )
    assert line.count("\n") == 1
    assert not list((tmp_path / "out").rglob("*.json"))


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
