"""Random programs whose messages take several methods at once, with many more seeds than a usual test has."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

SEEDS, PART = 10_000, 500
CASES = [
    f"{progress}_{sharing}" for progress in ("hardware", "interrupt", "polling") for sharing in ("in_turn", "fair")
]
TEST = "SeveralMethods/RandomPrograms.SeeTheSameAheadOfTheClockAndInLockstep"


def run_seeds(executable, case, first, last):
    """What the test says if it fails."""
    environment = os.environ | {"HINDCAST_TEST_SEEDS": f"{first}-{last}"}
    command = [executable, f"--gtest_filter={TEST}/{case}"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert "Running 1 test from 1 test suite" in done.stdout
    return "" if done.returncode == 0 else done.stdout[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_ten_thousand_seeds(case, build):
    executable = build / "tests" / "test_plain"
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        told = list(
            threads.map(lambda first: run_seeds(executable, case, first, first + PART - 1), range(1, SEEDS + 1, PART))
        )
    assert not any(told), next(filter(None, told))


@pytest.mark.parametrize("seed", [1757, 3436])
@pytest.mark.parametrize("case", CASES)
def test_programs_that_once_never_ended(case, seed, build):
    """What asks whether a message can be cancelled came before that message's turn."""
    assert not run_seeds(build / "tests" / "test_plain", case, seed, seed)
