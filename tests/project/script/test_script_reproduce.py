"""./hindcast reproduce: what it runs, and what it says meanwhile."""

import re

import pytest


@pytest.fixture
def reproduce(elsewhere, write_stub, tmp_path):
    """reproduce("--bench"): ./hindcast reproduce in a project that is built, whose programs only say how they are
    called. `steps` are the lines that announce a step."""
    project = tmp_path / "project"
    for stamp in ("build/release/.built", "build/release/.built_all", ".venv/.made"):
        (project / stamp).parent.mkdir(parents=True, exist_ok=True)
        (project / stamp).touch()

    def start(*arguments, launcher="exit 0"):
        write_stub(project / ".venv/bin/python", 'echo "python $*"')
        write_stub(project / "build/release/bin/hindcast", f'echo "hindcast $*"; {launcher}')
        done = elsewhere("reproduce", *arguments)
        done.steps = [line for line in done.stderr.splitlines() if line.startswith("hindcast: step")]
        return done

    return start


def test_reproduce_is_for_figures(reproduce, tmp_path):
    project = tmp_path / "project"
    done = reproduce()
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        f"python {project}/examples/run.py",
        f"hindcast experiment run collectives ap1000-strategies models --out {project}/out --times",
        f"hindcast score --run --require {project}/experiments/required.txt --out {project}/out --times",
    ]
    assert "bench" not in done.stdout + done.stderr
    assert f"results and figures are in {project}/out" in done.stderr


def test_reproduce_measures_the_speed_when_asked(reproduce, tmp_path):
    done = reproduce("--bench")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"python {tmp_path}/project/bench/run.py"
    assert [step.split(":")[1] for step in done.steps] == [f" step {number} of 4" for number in (1, 2, 3, 4)]
    assert "--quick" not in done.stdout


def test_reproduce_says_what_it_does_and_how_long_that_takes(reproduce):
    first = reproduce().steps
    assert len(first) == 3
    for number, step in enumerate(first, start=1):
        assert re.fullmatch(rf"hindcast: step {number} of 3: \w.*; about \d+ (s|min) on two cores", step)
    again = reproduce().steps
    for step in again:
        assert re.fullmatch(r"hindcast: step . of 3: \w.*; about \d s, as the last time here", step)


def test_a_step_that_fails_ends_reproduce_and_leaves_no_time(reproduce):
    done = reproduce(launcher="exit 3")
    assert done.returncode == 3
    assert len(done.steps) == 2
    assert "results and figures" not in done.stderr
    examples, comparisons = reproduce().steps[:2]
    assert "as the last time here" in examples
    assert "on two cores" in comparisons


def test_reproduce_refuses_what_it_does_not_know(reproduce):
    done = reproduce("--quick")
    assert done.returncode == 1
    assert "unknown option --quick: ./hindcast reproduce [--bench]" in done.stderr
    assert done.stdout == ""
