"""./hindcast test: which tests it chooses, and what it says if there are none."""

import os
import subprocess

import pytest

SOURCES = {
    "tests/engine/clock.cpp": "TEST(Clock, Ticks) {}\nTEST(Clock,\n     GoesOn) {}\n// EXPECT_TEST(not one, of them)\n",
    "tests/engine/heap.cpp": "TEST_P(Heap, Sorts) {}\n",
    "tests/engine/parts.cpp": "int part();\n",
    "tests/core/groups.cpp": "TEST_F(Groups, Compare) {}\n",
    "tests/core/test_groups.py": "",
    "tests/mpi/point_to_point/bursts.c": "",
    "tests/mpi/test_programs.py": "",
    "tests/support/ranks.cpp": "",
    "mpi_impl/libraries/cellos/tests/cells.cpp": "TEST(Cell, Ticks) {}\n",
    "mpi_impl/libraries/cellos/tests/test_cells.py": "",
    "mpi_impl/libraries/cellos/tests/programs/cells.c": "",
    "mpi_impl/libraries/plain/tests/programs.cpp": "INSTANTIATE_TEST_SUITE_P(\n    Devices, Programs, Values(1));\n",
}
CASES = ["engine.Clock.Ticks", "engine.Clock.GoesOn", "engine.All/Heap.Sorts/1", "core.Groups.Compare"]
CASES += ["cellos.Cell.Ticks", "engine.Clock.TicksTwice", "plain.Devices/Programs.Agree/put"]
CTEST = f"""
if [ "${{@: -1}}" = -N ]; then
  number=1
  for name in {" ".join(CASES)}; do echo "  Test #$((number++)): $name"; done
else
  echo "ctest $*"
  exit STATUS
fi
"""


@pytest.fixture
def choose(elsewhere, write_stub, tmp_path):
    """choose("tests/engine"): what ./hindcast test does in a project that is built. `cases` are the C++ cases that
    ctest runs, and `pytest` is what it hands to pytest."""
    project = tmp_path / "project"
    for name, text in SOURCES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    for stamp in ("build/release/.built_all", ".venv/.made"):
        (project / stamp).parent.mkdir(parents=True)
        (project / stamp).touch()

    def start(*arguments, pytest_status=0, ctest_status=0, cwd=project):
        write_stub(project / ".venv/bin/python", f'echo "python $*"; exit {pytest_status}')
        done = elsewhere("test", *arguments, cwd=cwd, ctest=CTEST.replace("STATUS", str(ctest_status)))
        done.cases, done.pytest = None, None
        for line in done.stdout.splitlines():
            tool, *words = line.split()
            if tool == "ctest":
                chosen = (
                    words[words.index("-I") + 1].split(",") if "-I" in words else [0, 0, 0, *range(1, len(CASES) + 1)]
                )
                done.cases = [CASES[int(number) - 1] for number in chosen[3:]]
            elif tool == "python":
                assert words[:2] == ["-m", "pytest"]
                done.pytest = words[2:]
        return done

    return start


ENGINE = ["engine.Clock.Ticks", "engine.Clock.GoesOn", "engine.All/Heap.Sorts/1", "engine.Clock.TicksTwice"]


@pytest.mark.parametrize(
    "paths, cases, pytest_paths",
    [
        (["tests/engine"], ENGINE, None),
        (["tests/engine/"], ENGINE, None),
        (["tests/engine/clock.cpp"], ["engine.Clock.Ticks", "engine.Clock.GoesOn"], None),
        (["tests/engine/heap.cpp"], ["engine.All/Heap.Sorts/1"], None),
        (["tests/core"], ["core.Groups.Compare"], ["tests/core"]),
        (["tests/core/groups.cpp"], ["core.Groups.Compare"], None),
        (["tests/core/test_groups.py"], None, ["tests/core/test_groups.py"]),
        (["tests/core/test_groups.py::test_union"], None, ["tests/core/test_groups.py::test_union"]),
        (["tests/mpi"], None, ["tests/mpi"]),
        (["mpi_impl/libraries/cellos"], ["cellos.Cell.Ticks"], ["mpi_impl/libraries/cellos"]),
        (["mpi_impl/libraries/cellos/tests"], ["cellos.Cell.Ticks"], ["mpi_impl/libraries/cellos/tests"]),
        (["mpi_impl/libraries/cellos/tests/cells.cpp"], ["cellos.Cell.Ticks"], None),
        (["mpi_impl/libraries/plain/tests"], [CASES[6]], None),
        (["mpi_impl/libraries/plain/tests/programs.cpp"], [CASES[6]], None),
        (["tests/engine/heap.cpp", "tests/mpi", "tests/core/groups.cpp"], [CASES[2], CASES[3]], ["tests/mpi"]),
        (["tests"], [*CASES[:4], CASES[5]], ["tests"]),
    ],
)
def test_paths_choose_tests(paths, cases, pytest_paths, choose):
    done = choose(*paths)
    assert done.returncode == 0, done.stderr
    assert done.cases == cases
    assert (done.pytest and [word for word in done.pytest if word.startswith(("tests", "mpi_impl"))]) == pytest_paths


def test_a_path_may_be_seen_from_another_folder(choose, tmp_path):
    inside = tmp_path / "project" / "tests" / "engine"
    assert choose("clock.cpp", cwd=inside).cases == ["engine.Clock.Ticks", "engine.Clock.GoesOn"]
    assert choose("tests/engine/clock.cpp", cwd=inside).cases == ["engine.Clock.Ticks", "engine.Clock.GoesOn"]
    assert choose("clock.cpp", "../..", cwd=inside).pytest[-1] == "-q"
    assert choose(inside / "clock.cpp", cwd=tmp_path).cases == ["engine.Clock.Ticks", "engine.Clock.GoesOn"]


def test_a_word_filters_both_sorts_of_tests(choose):
    assert choose("tests/engine", "-k", "goes").cases == ["engine.Clock.GoesOn"]
    assert choose("-k", "Ticks", "tests/engine/clock.cpp").cases == ["engine.Clock.Ticks"]
    both = choose("tests/core", "-k", "compare")
    assert both.cases == ["core.Groups.Compare"]
    assert " ".join(both.pytest).endswith("-k compare tests/core")
    everywhere = choose("-k", "cell")
    assert everywhere.cases == ["cellos.Cell.Ticks"]
    assert everywhere.pytest[-2:] == ["-k", "cell"]


def test_a_word_may_choose_tests_of_one_sort_only(choose):
    only_cpp = choose("tests/core", "-k", "compare", pytest_status=5)  # which says that there are none
    assert only_cpp.returncode == 0
    only_pytest = choose("tests/core", "-k", "union")
    assert only_pytest.returncode == 0
    assert only_pytest.cases is None


def test_an_expression_chooses_among_pytest_alone(choose):
    both = choose("tests/core", "-k", "union or compare")
    assert both.returncode == 0
    assert both.cases is None
    assert "'union or compare' is an expression of pytest's: C++ tests, which are chosen by one word" in both.stderr
    only_cpp = choose("tests/engine", "-k", "ticks or sorts")
    assert only_cpp.returncode == 1
    assert "C++ tests are chosen by one word, and 'ticks or sorts' has several" in only_cpp.stderr


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["tests/engine", "-k", "xyzzy"], "no test of tests/engine has 'xyzzy' in its name"),
        (["tests/core", "-k", "xyzzy"], "no test of tests/core has 'xyzzy' in its name"),
        (["tests/core", "tests/mpi", "-k", "xyzzy"], "no test of tests/core tests/mpi has 'xyzzy' in its name"),
        (["-k", "xyzzy"], "no test has 'xyzzy' in its name"),
        (["tests/core/test_groups.py"], "no test of tests/core/test_groups.py was chosen (tests marked long"),
    ],
)
def test_a_choice_of_no_tests_is_an_error(arguments, said, choose):
    done = choose(*arguments, pytest_status=5)
    assert done.returncode == 1
    assert said in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["tests/nowhere"], "no such file or folder: tests/nowhere"),
        (["tests/nowhere.py::test_it"], "no such file or folder: tests/nowhere.py::test_it"),
        (["/"], "/ lies outside of "),
        (["tests/support"], "no tests in tests/support: it has neither .cpp files with TEST(...) nor test_*.py"),
        (["tests/support/ranks.cpp"], "no tests in tests/support/ranks.cpp: it has no TEST(...)"),
        (
            ["tests/mpi/point_to_point/bursts.c"],
            "The tests of that name: ./hindcast test tests/mpi -k bursts",
        ),
        (
            ["mpi_impl/libraries/cellos/tests/programs/cells.c"],
            "The tests of that name: ./hindcast test mpi_impl/libraries/cellos/tests -k cells",
        ),
        (["hindcast"], "hindcast is no test: tests are folders, .cpp files and test_*.py files"),
        (["tests/engine", "-k"], "-k needs a value"),
        (["tests/engine", "--everything"], "unknown option --everything"),
        (["--all", "tests/engine"], "--all runs everything, so it takes no PATH"),
    ],
)
def test_what_is_no_choice_of_tests_is_refused(arguments, said, choose):
    done = choose(*arguments)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_sources_that_no_executable_has_are_told(choose, tmp_path):
    new = tmp_path / "project" / "tests" / "new"
    new.mkdir()
    (new / "idea.cpp").write_text("TEST(Idea, Works) {}\n")
    stamp = tmp_path / "project" / "build" / "release" / ".built_all"
    os.utime(stamp, ns=(0, new.stat().st_mtime_ns + 3_600_000_000_000))
    done = choose("tests/new")
    assert done.returncode == 1
    assert "ctest knows no test of tests/new" in done.stderr


def test_options_of_pytest_are_handed_on(choose):
    assert choose("tests/mpi", "-m", "long").pytest[:4] == ["-n", str(len(os.sched_getaffinity(0))), "-m", "long"]
    assert choose("tests/mpi", "-n", "1", "-x").pytest[:3] == ["-n", "1", "-x"]
    assert choose("tests/mpi", "-s").pytest[:3] == ["-n", "0", "-s"]
    assert "-q" in choose("tests/mpi").pytest
    assert "-q" not in choose("tests/mpi", "-v").pytest
    assert "--stop-on-failure" in choose("tests/engine", "-x").stdout


def test_a_test_that_fails_is_told_by_the_status(choose):
    assert choose("tests/engine", ctest_status=8).returncode == 8
    assert choose("tests/mpi", pytest_status=1).returncode == 1
    both = choose("tests/core", ctest_status=8)
    assert both.returncode == 8
    assert both.pytest is not None
    assert choose("tests/core", "-x", ctest_status=8).pytest is None


def test_all_tests_are_run_as_before_without_a_choice(choose):
    done = choose()
    assert done.returncode == 0
    assert done.cases == CASES
    assert "-I" not in done.stdout
    assert "python -m pytest -q -n" in done.stdout


def test_it_runs_the_tests_of_a_file(root, build):
    if build != root / "build" / "release" or not (build / ".built_all").exists():
        pytest.skip("the script builds and tests the release build, and this is another")

    def start(*arguments):
        command = [root / "hindcast", "test", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)

    done = start("tests/engine/units.cpp")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "engine.Time." in done.stdout
    assert "Thread" not in done.stdout
    done = start("tests/engine", "-k", "xyzzy")
    assert done.returncode == 1
    assert "no test of tests/engine has 'xyzzy' in its name" in done.stderr
