"""Formulas of p, and their fits: coefficients that are known, with and without noise, and what cannot be fitted."""

import numpy as np
import pytest

from experiments.fits.expressions import parse
from experiments.fits.forms import fit_form, form_of
from experiments.fits.problems import NoFit
from experiments.fits.students_t import probability_within, quantile


@pytest.mark.parametrize(
    ("text", "at_8"),
    [
        ("p", 8),
        ("p - 1", 7),
        ("2(p-1)", 14),
        ("p (p - 1)", 56),
        ("log2 p", 3),
        ("p log2 p", 24),
        ("ceil(log2(p - 1))", 3),
        ("floor sqrt p", 2),
        ("p^2/2 + 1", 33),
        ("2^log2 p", 8),
        ("-p + 10", 2),
        ("1.5e1 - p - 2", 5),
        ("24 / p / 3", 1),
    ],
)
def test_a_formula_is_read_as_it_is_written(text, at_8):
    assert parse(text).at(8) == pytest.approx(at_8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a log3 p", "'a log3 p': not understood from 'log3 p' on; a formula has p, numbers"),
        ("a (p - 2", "'a (p - 2': a bracket is not closed"),
        ("a p)", "'a p)': not understood from ')' on"),
        ("a +", "'a +': something is missing at its end"),
        ("a * / p", "'a * / p': something is missing before '/'"),
        ("", "'': something is missing at its end"),
        ("22 p", "'22 p' has no coefficient: a letter other than p, such as 'a log2 p'"),
        ("a^2 p", "'a^2 p' is not linear in a"),
        ("a b p", "'a b p' is not linear in a, b"),
        ("p^a", "'p^a' is not linear in a"),
    ],
)  # fmt: skip
def test_a_formula_that_cannot_be_fitted_is_refused_in_one_line(text, said):
    with pytest.raises(NoFit) as problem:
        form_of(text)
    assert str(problem.value).startswith(said)
    assert "\n" not in str(problem.value)


def test_a_formula_without_a_value_says_where():
    with pytest.raises(NoFit, match=r"'1/\(p - 4\)' has no value for p = 4"):
        parse("1/(p - 4)").at([2, 4, 8])


@pytest.mark.parametrize(
    ("text", "coefficients"),
    [
        ("a log2 p", (69,)),
        ("a p", (22,)),
        ("a + b (p - 2)", (46, 25)),
        ("a log2 p + b", (90, -15)),
        ("a + b p + c log2 p", (1, 2, 3)),
        ("46 + a (p - 2)", (25,)),
    ],
)
def test_known_coefficients_come_out(text, coefficients):
    form, ranks = form_of(text), np.arange(2, 13)
    fitted = fit_form(form, ranks, form.at(ranks, coefficients), "it")
    assert list(fitted.coefficients.values()) == pytest.approx(coefficients)
    assert fitted.squares.half_widths == pytest.approx(np.zeros(len(coefficients)), abs=1e-9)
    assert fitted.squares.worst < 1e-12


def test_least_squares_are_those_by_hand():
    """y = a p through 1, 2, 4 at p = 1, 2, 3: a = (1 + 4 + 12) / 14, and the variance is (21 - 17^2 / 14) / 2."""
    fitted = fit_form(form_of("a p"), [1, 2, 3], [1, 2, 4], "it")
    assert fitted.coefficient("a") == pytest.approx(17 / 14)
    assert fitted.squares.residuals == pytest.approx([-3 / 14, -6 / 14, 5 / 14])
    assert fitted.squares.relative == pytest.approx([-3 / 14, -3 / 14, 5 / 56])
    assert fitted.squares.half_widths[0] == pytest.approx(4.30265 * ((21 - 17**2 / 14) / 2 / 14) ** 0.5, rel=1e-5)


def test_relative_errors_weigh_small_values_as_large_ones():
    """1 and 300 at p = 1 and 100: least relative errors are those of a with (1 - a)^2 + (1 - a/3)^2 least."""
    fitted = fit_form(form_of("a p"), [1, 100], [1, 300], "it", "relative")
    assert fitted.coefficient("a") == pytest.approx(1.2)
    assert fit_form(form_of("a p"), [1, 100], [1, 300], "it").coefficient("a") == pytest.approx(3, rel=1e-3)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of 400 samples with noise, 95 % but for chance: four standard deviations of the number of hits are 4.4 %."""
    random, form, ranks = np.random.default_rng(1), form_of("a + b (p - 2)"), np.arange(2, 13)
    truth, hits = np.array([46.0, 25.0]), np.zeros(2)
    for _ in range(400):
        squares = fit_form(form, ranks, form.at(ranks, truth) + random.normal(0, 3, len(ranks)), "it").squares
        hits += abs(squares.coefficients - truth) <= squares.half_widths
    assert ((hits > 0.95 * 400 - 18) & (hits < 400)).all()


@pytest.mark.parametrize(
    ("text", "ranks", "values", "errors", "said"),
    [
        ("a p + b", [2], [1.0], "absolute", "it as a p + b: 2 coefficients need as many points, and there is 1"),
        ("a p", [], [], "absolute", "it as a p: 1 coefficient needs as many points, and there are none"),
        ("a p + b", [4, 4], [1.0, 2.0], "absolute", "it as a p + b: these points cannot tell its terms apart"),
        ("a p + b p", [2, 4, 8], [1.0, 2.0, 3.0], "absolute", "these points cannot tell its terms apart"),
        ("a log2 p", [1], [1.0], "absolute", "it as a log2 p: a term is 0 at every point"),
        ("a p", [2, 4], [1.0, -2.0], "relative", "it as a p: relative errors need values above 0, not -2"),
        ("a/(p - 4)", [2, 4], [1.0, 2.0], "absolute", "has no value for p = 4"),
    ],
)
def test_points_that_fix_nothing_are_refused(text, ranks, values, errors, said):
    with pytest.raises(NoFit) as problem:
        fit_form(form_of(text), ranks, values, "it", errors)
    assert said in str(problem.value)


def test_as_many_points_as_coefficients_say_nothing_of_confidence():
    fitted = fit_form(form_of("a p"), [2], [44.0], "it")
    assert fitted.coefficient("a") == pytest.approx(22)
    assert fitted.squares.half_widths is None


def test_a_fit_is_written_with_numbers():
    for text, values, written in (
        ("a log2 p + b", (90.0, -15.0), "90 log2 p - 15"),
        ("46+a(p-2)", (24.9987,), "46+25(p-2)"),
        ("a p", (0.0110234,), "0.01102 p"),
    ):
        form = form_of(text)
        assert form.written(values) == written


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.7062), (2, 4.30265), (3, 3.18245), (10, 2.22814), (30, 2.04227)])
def test_students_quantiles_are_those_of_the_tables(freedom, t):
    assert quantile(0.95, freedom) == pytest.approx(t, rel=1e-5)
    assert probability_within(t, freedom) == pytest.approx(0.95, abs=1e-6)
