"""OpenMP programs: they run on a runtime of our own with libgomp's interface (threads/openmp*)."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "threads"
FLAGS = ["-g", "-fopenmp", "-Wall", "-Wextra", "-Werror"]


@pytest.fixture
def run_openmp(run_program):
    def run_it(name, n=1, **options):
        return run_program(SOURCES / name, n, flags=FLAGS, fortran=name.endswith(".f90"), **options)

    return run_it


@pytest.mark.parametrize(
    ("machine", "said"), [("ideal", "right after 400 us on 1\n"), ("cluster", "right after 100 us on 4\n")]
)
def test_openmp_runs_on_simulated_threads(run_openmp, machine, said):
    for launcher in [(), ("--lockstep",)]:
        done = run_openmp("openmp.c", machine=machine, launcher=launcher)
        assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


@pytest.mark.parametrize("machine", ["ideal", "cluster", "ap1000"])
@pytest.mark.parametrize("program", ["openmp_tasks.c", "openmp_doacross.c", "openmp_nested.c", "openmp_levels.f90"])
def test_openmp_does_as_its_standard_says(run_openmp, program, machine):
    for launcher in [(), ("--lockstep",)]:
        done = run_openmp(program, 2, machine=machine, launcher=launcher)
        assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 2, "")


@pytest.mark.parametrize(("wanted", "may"), [("true", 1), ("false", 0)])
def test_openmp_cancels_where_it_may(run_openmp, wanted, may):
    done = run_openmp("openmp_cancel.c", 2, env={"OMP_CANCELLATION": wanted})
    assert (done.returncode, done.stdout, done.stderr) == (0, f"right {may}\n" * 2, "")


def test_the_environment_says_how_many_threads_each_level_has(run_program, tmp_path):
    source = tmp_path / "levels.c"
    source.write_text(
        "#include <omp.h>\n"
        "#include <stdio.h>\n"
        "int main(void) {\n"
        "  int sizes[2] = {0}, members = 0;\n"
        "#pragma omp parallel\n"
        "#pragma omp parallel\n"
        "#pragma omp critical\n"
        "  { sizes[0] = omp_get_team_size(1); sizes[1] = omp_get_team_size(2); ++members; }\n"
        '  printf("%d of %d and %d, limit %d\\n", members, sizes[0], sizes[1], omp_get_thread_limit());\n'
        "}\n"
    )
    for environment, said in [
        ({"OMP_NUM_THREADS": "3,2"}, "6 of 3 and 2, limit 100\n"),
        ({"OMP_NUM_THREADS": "3"}, "3 of 3 and 1, limit 100\n"),
        ({"OMP_NUM_THREADS": "3", "OMP_MAX_ACTIVE_LEVELS": "2"}, "9 of 3 and 3, limit 100\n"),
        ({"OMP_NUM_THREADS": "3,2", "OMP_MAX_ACTIVE_LEVELS": "1"}, "3 of 3 and 1, limit 100\n"),
    ]:
        done = run_program(source, 1, flags=FLAGS, env={**environment, "OMP_THREAD_LIMIT": "100"})
        assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


def test_a_task_that_reduces_what_nobody_around_it_reduces(run_program, tmp_path):
    source = tmp_path / "alone.c"
    source.write_text(
        "static long sum;\n"
        "static void add(void) {\n"
        "#pragma omp task in_reduction(+ : sum)\n"
        "  sum += 1;\n"
        "}\n"
        "int main(void) {\n"
        "#pragma omp parallel num_threads(2)\n"
        "  add();\n"
        "}\n"
    )
    done = run_program(source, 1, flags=FLAGS)
    assert done.returncode != 0
    assert "which no taskgroup or region around it reduces" in done.stderr


def test_what_is_missing_of_openmp_is_named(build, run_command, tmp_path):
    source = tmp_path / "where.c"
    source.write_text('#include <omp.h>\nint main(void) {\n  omp_display_affinity("%n");\n}\n')
    done = run_command([build / "bin" / "hindcast-mpicc", "-fopenmp", source, "-o", tmp_path / "where"])
    assert done.returncode != 0
    assert "undefined reference to `omp_display_affinity'" in done.stderr
