"""The benchmarks: that SMPI is given the same work as hindcast, and that they say where they are."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WHERE = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int rank, length;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  printf("%d %s\\n", rank, name);
  MPI_Finalize();
  return 0;
}
"""
RANKS = 24  # so many that the alphabet has another order


@pytest.fixture(scope="module")
def bench_module(root):
    """bench_module("contest"): a module of bench/."""

    def load(name):
        spec = importlib.util.spec_from_file_location(name, root / "bench" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # as bench's modules import each other by these names
        spec.loader.exec_module(module)
        return module

    yield load
    for name in ("contest", "rates"):
        sys.modules.pop(name, None)


def test_smpirun_is_told_the_node_of_each_rank(bench_module, tmp_path):
    contest = bench_module("contest")
    bench = contest.Bench(tmp_path / "build", tmp_path, 10)
    (tmp_path / f"ideal-{RANKS}.xml").touch()
    command = [str(word) for word in bench.command(contest.SMPI, "halo", RANKS, ["1", "8"])]
    hosts = command[command.index("-hostfile") + 1]
    assert Path(hosts).read_text().split() == [f"ideal-{node}" for node in range(RANKS)]
    assert command[command.index("-np") + 1] == str(RANKS)


@pytest.mark.parametrize("contestant", ["hindcast", "SMPI"])
def test_rank_r_runs_on_node_r(contestant, bench_module, build, tmp_path):
    if contestant == "SMPI" and not shutil.which("smpirun"):
        pytest.skip("no smpirun")
    bench = bench_module("contest").Bench(build, tmp_path, 10)
    source = tmp_path / "where.c"
    source.write_text(WHERE)
    compilers = {"hindcast": build / "bin" / "hindcast-mpicc", "SMPI": "smpicc"}
    subprocess.run([compilers[contestant], "-o", tmp_path / f"where.{contestant.lower()}", source], check=True)
    command = [str(word) for word in bench.command(contestant, "where", RANKS, [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    places = dict(line.split() for line in done.stdout.splitlines())
    assert places == {str(rank): f"ideal-{rank}" for rank in range(RANKS)}


def test_what_is_held_against_hindcast_is_built_when_it_is_measured(bench_module, build, tmp_path):
    bench_module("contest").Bench(build, tmp_path, 10).build_beside()
    for program, arguments in (("bare", ["halo", "4", "10", "8"]), ("two_actors", [])):
        done = subprocess.run([build / "bench" / program, *arguments], capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


def test_a_collective_has_the_same_algorithm_in_both(bench_module, tmp_path):
    contest = bench_module("contest")
    bench = contest.Bench(tmp_path, tmp_path, 10)
    case = next(case for case in contest.COLLECTIVE_CASES if case.name == "alltoall 1 KiB, 64 ranks")
    (tmp_path / "ideal-64.xml").touch()
    of_hindcast = bench.command(contest.HINDCAST, case.program, 64, [], case)
    assert of_hindcast[of_hindcast.index("--coll") + 1] == "alltoall=pairwise"
    assert "--cfg=smpi/alltoall:pair" in bench.command(contest.SMPI, case.program, 64, [], case)


def test_in_a_pipe_progress_is_a_line_a_minute_at_most(bench_module, capsys, monkeypatch):
    bench_module("contest")
    rates = bench_module("rates")
    now_s = rates.started_s
    monkeypatch.setattr(rates.time, "monotonic", lambda: now_s)
    for _ in range(40):
        now_s += 5
        rates.progress("halo: SMPI: 1 of 5")
    said = capsys.readouterr().err.splitlines()
    assert said == [f"bench: halo: SMPI: 1 of 5, after {minutes} min" for minutes in (1, 2, 3)]


def test_a_contestant_stopped_in_its_first_iteration_has_a_rate_that_it_does_not_reach(bench_module):
    contest, rates = bench_module("contest"), bench_module("rates")

    class Slow:
        def run_case(self, contestant, case, iterations):
            if contestant == contest.SMPI_ASYNC:
                return contest.Outcome(0.1, 0.1, 1, "exit status 1: no message")
            if iterations == 0:
                return contest.Outcome(1.0, 0.5, 1, None)
            return contest.Outcome(61.0, 60.5, 1, "not finished in 60 s", was_stopped=True)

    case = contest.WINDOW_CASES[3]
    found = {name: rates.iterations_for(Slow(), name, case, 1.0)[1] for name in (contest.SMPI, contest.SMPI_ASYNC)}
    assert found[contest.SMPI] == "not finished in 60 s"
    assert rates.best_smpi(found) == (case.messages / 60, True)
    assert rates.best_smpi({**found, contest.SMPI_ASYNC: [30.0]}) == (30.0, False)
    assert rates.best_smpi({contest.SMPI_ASYNC: found[contest.SMPI_ASYNC]}) == (None, False)
