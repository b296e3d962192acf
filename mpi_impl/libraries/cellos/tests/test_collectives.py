"""Every algorithm of the registry on the AP1000, on up to as many cells as the ANU had: its answers are right."""

import pytest

from tests.collectives.programs import FLAGS, WORDS, choices, program_of

CHOICES = [case for case in choices() + choices(of_the_machine=True) if case[1].count("=") == 1 or "radix=3" in case[1]]
IDS = [choice for _, choice, _ in CHOICES]
MANY = [1, 2, 3, 5, 8, 14, 31, 32, 64, 100, 127, 128]


def is_right_on(cells, operation, choice, needs, run_program):
    words = [operation, *WORDS[needs], "world"]
    launcher = ["--coll", choice]
    done = run_program(program_of(operation), cells, *words, machine="ap1000", launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize(("operation", "choice", "needs"), CHOICES, ids=IDS)
def test_algorithm_is_right_on_some_cells(operation, choice, needs, run_program):
    cells = 16 if needs in ("a power of two of ranks", "an even number of ranks") else 14
    is_right_on(cells, operation, choice, needs, run_program)


@pytest.mark.long
@pytest.mark.parametrize("cells", MANY)
@pytest.mark.parametrize(("operation", "choice", "needs"), CHOICES, ids=IDS)
def test_algorithm_is_right_on_up_to_128_cells(operation, choice, needs, cells, run_program):
    is_right_on(cells, operation, choice, needs, run_program)
