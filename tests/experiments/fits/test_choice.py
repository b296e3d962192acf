"""Which form is chosen where the file names none: the simple one that foretells what is left out."""

import numpy as np
import pytest

from experiments.fits.choice import best_form
from experiments.fits.forms import form_of
from experiments.fits.problems import NoFit

RANKS = np.array([2, 3, 4, 6, 8, 12, 16, 24, 32])


@pytest.mark.parametrize(
    ("text", "coefficients"),
    [
        ("a", (5,)),
        ("a log2 p", (69,)),
        ("a p", (22,)),
        ("a (p - 1)", (3,)),
        ("a + b log2 p", (50, 9)),
        ("a + b (p - 2)", (46, 25)),
        ("a p + b log2 p", (2, 30)),
    ],
)
@pytest.mark.parametrize("noise", [0, 0.005])
def test_the_form_that_points_lie_on_is_chosen(text, coefficients, noise):
    values = form_of(text).at(RANKS, coefficients) * (1 + noise * np.random.default_rng(3).normal(size=len(RANKS)))
    found = best_form(RANKS, values, "it", "relative")
    assert found.form.text == text
    assert list(found.coefficients.values()) == pytest.approx(coefficients, rel=noise * 10 + 1e-9)


def test_steps_of_a_tree_are_logarithms():
    assert best_form(RANKS, 69 * np.ceil(np.log2(RANKS)), "it").form.text == "a log2 p"


def test_another_coefficient_is_not_taken_for_nothing():
    """A constant that is hardly there: 0.1 of 69 log2 p."""
    assert best_form(RANKS, 0.05 + 69 * np.log2(RANKS), "it", "relative").form.text == "a log2 p"


def test_costs_are_not_taken_off_each_other():
    """7 p - 4 log2 p grows as a p + b log2 p does, but nothing takes less for more processors."""
    assert best_form(RANKS, 7 * RANKS - 4 * np.log2(RANKS), "it", "relative").form.text == "a + b (p - 2)"


def test_one_number_of_processors_makes_a_constant():
    found = best_form([2], [44.0], "it")
    assert (found.form.text, found.coefficient("a")) == ("a", 44)


def test_values_below_0_have_a_form_too():
    assert best_form(RANKS, 2.0 - np.log2(RANKS), "it").form.text == "a + b log2 p"
    assert best_form(RANKS, 0.0 * RANKS, "it").form.text == "a"


def test_no_points_have_no_form():
    with pytest.raises(NoFit, match="it as a: 1 coefficient needs as many points, and there are none"):
        best_form([], [], "it")
