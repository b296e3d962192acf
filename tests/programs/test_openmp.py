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
@pytest.mark.parametrize(
    "program",
    [
        "openmp_tasks.c",
        "openmp_own_tasks.c",
        "openmp_doacross.c",
        "openmp_loops.c",
        "openmp_nested.c",
        "openmp_settings.c",
        "openmp_levels.f90",
        "openmp_whole_numbers.f90",
    ],
)
def test_openmp_does_as_its_standard_says(run_openmp, program, machine):
    for launcher in [(), ("--lockstep",)]:
        given = {"OMP_MAX_TASK_PRIORITY": "2"}
        done = run_openmp(program, 2, machine=machine, launcher=launcher, env=given)
        assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 2, "")


@pytest.mark.parametrize(("wanted", "may"), [("true", 1), ("false", 0)])
def test_openmp_cancels_where_it_may(run_openmp, wanted, may):
    done = run_openmp("openmp_cancel.c", 2, env={"OMP_CANCELLATION": wanted})
    assert (done.returncode, done.stdout, done.stderr) == (0, f"right {may}\n" * 2, "")


def test_cancelled_tasks_need_no_event(run_openmp):
    given = {"OMP_MAX_TASK_PRIORITY": "2", "OMP_CANCELLATION": "true"}
    done = run_openmp("openmp_own_tasks.c", env=given)
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n", "")


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
    source.write_text("void GOMP_offload_register_ver(void);\nint main(void) {\n  GOMP_offload_register_ver();\n}\n")
    done = run_command([build / "bin" / "hindcast-mpicc", "-fopenmp", source, "-o", tmp_path / "where"])
    assert done.returncode != 0
    assert "undefined reference to `GOMP_offload_register_ver'" in done.stderr


AFFINITY = r"""
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[80], wanted[80], few[6] = "xxxxx";
  omp_display_affinity("");
  omp_set_affinity_format("%{thread_num} of %N, %.4L|%0.4n|%4n|%{nesting_level}|%a|%%|%?");
  const size_t length = omp_get_affinity_format(few, sizeof few);
  printf("%zu %s\n", length, few);
#pragma omp parallel num_threads(3)
#pragma omp critical
  if (omp_get_thread_num() == 2) {
    const size_t needed = omp_capture_affinity(text, sizeof text, NULL);
    printf("%s %d\n", text, needed == strlen(text));
    snprintf(wanted, sizeof wanted, "%d", (int)getpid());
    omp_capture_affinity(text, sizeof text, "%P");
    printf("%d ", strcmp(text, wanted));
    snprintf(wanted, sizeof wanted, "%d", (int)gettid());
    omp_capture_affinity(text, sizeof text, "%i");
    printf("%d ", strcmp(text, wanted));
    gethostname(wanted, sizeof wanted);
    omp_capture_affinity(text, sizeof text, "%H");
    printf("%d\n", strcmp(text, wanted));
  }
}
"""


def test_threads_tell_of_themselves_in_a_format_of_the_programs(run_program, tmp_path):
    source = tmp_path / "affinity.c"
    source.write_text(AFFINITY)
    given = {"OMP_AFFINITY_FORMAT": "%A by default"}
    done = run_program(source, 1, machine="earth-simulator", flags=[*FLAGS, "-D_GNU_SOURCE"], env=given)
    said = "61 %{thr\n2 of 3,    1|0002|2   |1|0|%|undefined 1\n0 0 0\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "0-7 by default\n")


AFFINITY_IN_FORTRAN = """
program affinity
  use omp_lib
  character(12) :: text
  call omp_set_affinity_format('%n of %N  ')
  print '(i0)', omp_get_affinity_format(text)
  print '(3a)', '[', text, ']'
  print '(i0)', omp_capture_affinity(text, '')
  print '(3a)', '[', text, ']'
  call omp_display_affinity('level %L')
end program
"""


def test_threads_tell_of_themselves_in_fortran(run_program, tmp_path):
    source = tmp_path / "affinity.f90"
    source.write_text(AFFINITY_IN_FORTRAN)
    done = run_program(source, 1, flags=FLAGS, fortran=True)
    assert (done.returncode, done.stdout) == (0, "8\n[%n of %N    ]\n6\n[0 of 1      ]\n")
    assert done.stderr == "level 0\n"


def test_what_the_environment_has_set_is_shown(run_program, tmp_path):
    source = tmp_path / "settings.c"
    source.write_text("#include <omp.h>\nint main(void) {\n  omp_display_env(0);\n}\n")
    given = {"OMP_NUM_THREADS": "3,2", "OMP_SCHEDULE": "guided,4", "OMP_CANCELLATION": "true"}
    done = run_program(source, 1, flags=FLAGS, env=given)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert (lines[1], lines[-1]) == ("OPENMP DISPLAY ENVIRONMENT BEGIN", "OPENMP DISPLAY ENVIRONMENT END")
    for line in [
        "  _OPENMP = '201511'",
        "  OMP_NUM_THREADS = '3,2'",
        "  OMP_SCHEDULE = 'GUIDED,4'",
        "  OMP_CANCELLATION = 'TRUE'",
        "  OMP_DYNAMIC = 'FALSE'",
    ]:
        assert line in lines


RECTANGLES = r"""
#include <limits.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
  int from[2][3][4], to[4][2][2] = {{{0}}};
  for (int i = 0; i < 24; ++i) (&from[0][0][0])[i] = i;
  const size_t count[] = {2, 2, 1}, to_offset[] = {1, 0, 1}, from_offset[] = {0, 1, 2};
  const size_t to_extent[] = {4, 2, 2}, from_extent[] = {2, 3, 4};
  const int host = omp_get_initial_device();
  int result = omp_target_memcpy_rect(to, from, sizeof(int), 3, count, to_offset, from_offset, to_extent, from_extent,
                                      host, host);
  printf("%d:", result);
  for (int i = 0; i < 16; ++i) printf(" %d", (&to[0][0][0])[i]);
  result = omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host);
  printf("\n%d\n", result == INT_MAX);
}
"""


def test_a_part_of_an_array_is_copied_into_another(run_program, tmp_path):
    source = tmp_path / "rectangles.c"
    source.write_text(RECTANGLES)
    done = run_program(source, 1, flags=FLAGS)
    copied = "0: 0 0 0 0 0 6 0 10 0 18 0 22 0 0 0 0\n1\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, copied, "")
