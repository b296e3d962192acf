"""What the variables of the environment tell OpenMP, and what becomes of those that make no sense."""

import pytest

FLAGS = ["-g", "-fopenmp", "-Wall", "-Wextra", "-Werror"]

SETTINGS = r"""
#include <omp.h>
#include <stdio.h>

int main(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("schedule %x,%d\n", (unsigned)kind, chunk);
  printf("threads %d limit %d\n", omp_get_max_threads(), omp_get_thread_limit());
  printf("levels %d dynamic %d cancelled %d\n", omp_get_max_active_levels(), omp_get_dynamic(), omp_get_cancellation());
  printf("device %d priority %d\n", omp_get_default_device(), omp_get_max_task_priority());
  printf("allocator %lu\n", (unsigned long)omp_get_default_allocator());
}
"""


@pytest.fixture
def run_source(run_program, tmp_path):
    def run_it(text, n=1, **options):
        source = tmp_path / "program.c"
        source.write_text(text)
        return run_program(source, n, flags=FLAGS, **options)

    return run_it


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"OMP_SCHEDULE": " STATIC , 4 "}, "schedule 80000001,4"),
        ({"OMP_SCHEDULE": "nonmonotonic:static"}, "schedule 1,0"),
        ({"OMP_SCHEDULE": "Monotonic:Guided,3"}, "schedule 80000003,3"),
        ({"OMP_SCHEDULE": "auto"}, "schedule 4,0"),
        ({"OMP_NUM_THREADS": " 3 , 2 "}, "threads 3 limit 2147483647"),
        ({"OMP_THREAD_LIMIT": "7", "OMP_NUM_THREADS": "2"}, "threads 2 limit 7"),
        ({"OMP_MAX_ACTIVE_LEVELS": "0"}, "levels 0 dynamic 0 cancelled 0"),
        ({"OMP_MAX_ACTIVE_LEVELS": "999"}, "levels 255 dynamic 0 cancelled 0"),
        ({"OMP_DYNAMIC": " True ", "OMP_CANCELLATION": "TRUE"}, "levels 1 dynamic 1 cancelled 1"),
        ({"OMP_DEFAULT_DEVICE": "2", "OMP_MAX_TASK_PRIORITY": "5"}, "device 2 priority 5"),
        ({"OMP_ALLOCATOR": "omp_high_bw_mem_alloc"}, "allocator 4"),
        ({"OMP_STACKSIZE": "16 M", "OMP_WAIT_POLICY": "PASSIVE"}, "device 0 priority 0"),
    ],
)
def test_the_environment_is_read_as_the_standard_has_it(run_source, given, said):
    done = run_source(SETTINGS, env=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "value", "holds"),
    [
        ("OMP_SCHEDULE", "sometimes,3", "schedule 2,1"),
        ("OMP_SCHEDULE", "dynamic,x", "schedule 2,1"),
        ("OMP_NUM_THREADS", "3,0", "threads 1 limit 2147483647"),
        ("OMP_NUM_THREADS", "many", "threads 1 limit 2147483647"),
        ("OMP_THREAD_LIMIT", "0", "threads 1 limit 2147483647"),
        ("OMP_DYNAMIC", "yes", "levels 1 dynamic 0 cancelled 0"),
        ("OMP_ALLOCATOR", "4", "allocator 1"),
        ("OMP_STACKSIZE", "3X", "device 0 priority 0"),
    ],
)
def test_what_makes_no_sense_is_told_of_once(run_source, name, value, holds):
    done = run_source(SETTINGS, 2, env={name: value})
    assert done.returncode == 0
    assert done.stdout.splitlines().count(holds) == 2
    assert f"{name}={value} is nothing that OpenMP knows, and changes nothing" in done.stderr
    assert done.stderr.count(name) == 1


def test_a_limit_of_threads_is_that_of_all_regions_within_each_other(run_source):
    text = (
        "#include <omp.h>\n"
        "#include <stdio.h>\n"
        "#include <unistd.h>\n"
        "int main(void) {\n"
        "  int busy = 0, most = 0;\n"
        "#pragma omp parallel num_threads(3)\n"
        "  {\n"
        "#pragma omp barrier\n"
        "#pragma omp parallel num_threads(3)\n"
        "#pragma omp critical(count)\n"
        "    if (++busy > most) most = busy;\n"
        "  }\n"
        '  printf("%d\\n", most);\n'
        "}\n"
    )
    done = run_source(text, env={"OMP_THREAD_LIMIT": "4", "OMP_MAX_ACTIVE_LEVELS": "2"})
    assert (done.returncode, done.stderr) == (0, "")
    assert 3 <= int(done.stdout) <= 4


def test_threads_have_the_stack_that_is_asked_for(run_source):
    text = (
        "#include <string.h>\n"
        "static void use(volatile char *memory) { memset((char *)memory, 1, 40000000); }\n"
        "int main(void) {\n"
        "#pragma omp parallel num_threads(2)\n"
        "#pragma omp masked filter(1)\n"
        "  {\n"
        "    volatile char memory[40000000];\n"
        "    use(memory);\n"
        "  }\n"
        "}\n"
    )
    done = run_source(text, env={"OMP_STACKSIZE": "50M"})
    assert (done.returncode, done.stderr) == (0, "")


def test_affinity_is_shown_where_it_is_new(run_source):
    text = (
        "int main(void) {\n"
        "  int regions = 0;\n"
        "  for (int threads = 2; threads < 4; ++threads)\n"
        "    for (int i = 0; i < 2; ++i)\n"
        "#pragma omp parallel num_threads(threads)\n"
        "#pragma omp atomic\n"
        "      ++regions;\n"
        "  return regions != 10;\n"
        "}\n"
    )
    given = {"OMP_DISPLAY_AFFINITY": "TRUE", "OMP_AFFINITY_FORMAT": "thread %n at level %L"}
    done = run_source(text, env=given)
    assert (done.returncode, done.stdout) == (0, "")
    assert sorted(done.stderr.splitlines()) == [f"thread {i} at level 1" for i in range(3)]


@pytest.mark.parametrize(("clause", "ends"), [("", True), ("if(0)", False), ("device(0)", False)])
def test_a_device_that_must_be_there_is_missed(run_source, clause, ends):
    text = f"int main(void) {{\n#pragma omp target {clause}\n  ;\n}}\n"
    done = run_source(text, env={"OMP_TARGET_OFFLOAD": "mandatory"})
    assert (done.returncode != 0) == ends
    assert ("asks for a device of OpenMP's, and there is none" in done.stderr) == ends


def test_settings_are_shown_at_the_first_call(run_source):
    done = run_source("#include <omp.h>\nint main(void) {\n  omp_get_level();\n}\n", env={"OMP_DISPLAY_ENV": "VERBOSE"})
    lines = done.stderr.splitlines()
    assert (lines[1], lines[-1]) == ("OPENMP DISPLAY ENVIRONMENT BEGIN", "OPENMP DISPLAY ENVIRONMENT END")
    for name in ["OMP_DISPLAY_AFFINITY", "OMP_ALLOCATOR", "OMP_TARGET_OFFLOAD", "OMP_STACKSIZE"]:
        assert any(line.startswith(f"  {name} = ") for line in lines)
