"""The measures for shapes and numbers of collectives' figures, on made-up results by rank."""

import polars as pl
import pytest

from experiments.measures import NoValue
from experiments.results import Results
from experiments.schema import Check


def made_up(curves):
    """Results with these curves: {name: {size: [value of rank 0, of rank 1, ...]}}."""
    rows = [
        {"curve": name, "n": size, "rank": rank, "time_us": float(value)}
        for name, points in curves.items()
        for size, values in points.items()
        for rank, value in enumerate(values)
    ]
    return Results(pl.DataFrame(rows), "n")


def take(measure, results, tolerance=0.0):
    check = Check.model_validate({"published": "so", "measure": measure, "tolerance": tolerance})
    return check.measure.take(results, {}, tolerance)


def holds(measure, results, tolerance=0.0):
    found = take(measure, results, tolerance)
    assert found.margin >= 0 if found.holds else found.margin <= 0
    return found.holds


@pytest.mark.parametrize(
    "measure, points, tolerance, margin",
    [
        ({"how": "flat", "curves": ["a"]}, {1: [10], 2: [11]}, 0.4, 0.75),  # a tenth, of four
        ({"how": "flat", "curves": ["a"]}, {1: [10], 2: [16]}, 0.4, -0.5),
        ({"how": "drops", "curve": "a", "at": [1, 2]}, {1: [10], 2: [2]}, 0.4, 0.5),
        ({"how": "doubles", "curve": "a"}, {1: [10], 2: [21]}, 0.1, 0.5),
        ({"how": "together", "curves": ["a"]}, {1: [10, 9]}, 0.4, 0.75),
        ({"how": "grows", "curves": ["a"]}, {1: [10], 2: [40], 3: [50]}, 0.0, 0.2),  # the least step, from 40 to 50
        ({"how": "grows", "curves": ["a"]}, {1: [10], 2: [8]}, 0.0, -0.2),
        ({"how": "falls", "curves": ["a"]}, {1: [10], 2: [6]}, 0.1, 0.4),  # no step rises: it falls in all by so much
        ({"how": "least", "curve": "a", "rank": 0}, {1: [3, 4], 2: [1, 4]}, 0.0, 0.25),
        ({"how": "rises", "curve": "a", "after": [2]}, {1: [0], 2: [1], 3: [11], 4: [12]}, 0.5, 0.85),  # 1.5 of 10
    ],
)
def test_a_shape_says_how_far_it_is_from_failing(measure, points, tolerance, margin):
    assert take(measure, made_up({"a": points}), tolerance).margin == pytest.approx(margin)


def test_how_far_two_curves_are_from_failing():
    results = made_up({"a": {1: [8], 2: [6]}, "b": {1: [4], 2: [12]}})
    assert take({"how": "cross", "curves": ["a", "b"]}, results).margin == 0.5  # at either end by half
    assert take({"how": "widest-at", "curves": ["a", "b"], "at": 1}, results).margin == 1  # at 2 it is below
    assert take({"how": "no-gain", "curves": ["a", "b"]}, results, 0.4).margin == pytest.approx(-0.25)  # a half of 0.4


def test_a_difference_is_of_the_largest_values_at_one_size():
    results = made_up({"a": {5: [1, 9], 6: [2, 3]}, "b": {5: [4, 2], 6: [1, 1]}})
    assert take({"how": "difference", "curves": ["a", "b"], "at": 5}, results) == 5
    with pytest.raises(NoValue, match="curve 'a' was not measured at 7"):
        take({"how": "difference", "curves": ["a", "b"], "at": 7}, results)


def test_growth_is_from_the_first_size_to_the_second():
    results = made_up({"a": {1: [8], 2: [2]}})
    assert take({"how": "growth", "curve": "a", "at": [1, 2]}, results) == 0.25
    assert take({"how": "growth", "curve": "a", "at": [2, 1]}, results) == 4


def test_a_multiple_is_of_two_curves_at_one_size():
    results = made_up({"a": {1: [2], 2: [9, 12]}, "b": {1: [4], 2: [3]}})
    assert take({"how": "multiple", "curves": ["a", "b"], "at": 2}, results) == 4
    assert take({"how": "multiple", "curves": ["b", "a"], "at": 1}, results) == 2


def test_slopes_may_begin_at_a_size():
    results = made_up({"a": {0: [50], 1: [2], 2: [4], 3: [6]}, "b": {0: [9], 1: [1], 2: [2], 3: [3]}})
    assert take({"how": "slopes", "curves": ["a", "b"], "from": 1}, results) == pytest.approx(2)
    with pytest.raises(NoValue, match="does not rise"):
        take({"how": "slopes", "curves": ["a", "b"]}, results)


def test_the_least_of_all_is_that_of_any_rank_at_any_size():
    results = made_up({"a": {1: [1, 1], 2: [1, 0]}, "b": {1: [3]}})
    assert take({"how": "least-of-all", "curves": ["a", "b"]}, results) == 0
    assert take({"how": "least-of-all", "curves": ["b"]}, results) == 3


def test_further_below_compares_shares_on_both_sides_of_a_size():
    results = made_up({"new": {1: [1], 2: [2], 3: [6], 4: [7]}, "old": {1: [10], 2: [10], 3: [12], 4: [14]}})
    further_below = {"how": "further-below", "curves": ["new", "old"]}
    assert holds(further_below | {"until": 2}, results)
    assert not holds({"how": "further-below", "curves": ["old", "new"], "until": 2}, results)
    assert holds(further_below | {"until": 3}, results)  # as far below at 3 as at 4
    assert not holds(further_below | {"until": 3}, made_up({"new": {3: [6], 4: [6]}, "old": {3: [12], 4: [14]}}))
    with pytest.raises(NoValue, match="no sizes on both sides of 4"):
        take(further_below | {"until": 4}, results)


def test_widens_wants_more_from_each_size_to_the_next():
    results = made_up({"old": {2: [5], 4: [9], 8: [10]}, "new": {2: [1], 4: [2], 8: [3.5]}})
    assert holds({"how": "widens", "curves": ["old", "new"], "at": [2, 4]}, results)
    assert not holds({"how": "widens", "curves": ["old", "new"], "at": [2, 4, 8]}, results)
    assert holds({"how": "widens", "curves": ["old", "new"], "at": [2, 4, 8]}, results, 0.1)


def test_correlation_over_sizes_and_over_their_logarithms():
    logarithmic = made_up({"a": {2**k: [10 + k] for k in range(8)} | {1000: [0]}})
    over_log = {"how": "correlation", "curve": "a", "x": "log", "below": 200}
    assert take(over_log, logarithmic) == pytest.approx(1)
    assert take(over_log | {"x": "linear"}, logarithmic) < 0.75
    assert take({"how": "correlation", "curve": "a", "x": "log"}, logarithmic) < 0.5  # the drop counts


def test_flat_may_begin_at_a_size():
    results = made_up({"a": {2: [20], 16: [10], 32: [11]}})
    assert not holds({"how": "flat", "curves": ["a"]}, results, 0.15)
    assert holds({"how": "flat", "curves": ["a"], "from": 16}, results, 0.15)


def test_falls_allows_no_rise_beyond_the_tolerance():
    results = made_up({"down": {1: [9], 2: [5], 3: [5.2]}, "up": {1: [5], 2: [4], 3: [6]}, "level": {1: [5], 2: [5]}})
    assert holds({"how": "falls", "curves": ["down"]}, results, 0.05)
    assert not holds({"how": "falls", "curves": ["down"]}, results, 0.03)
    assert not holds({"how": "falls", "curves": ["up"]}, results, 0.6)
    assert not holds({"how": "falls", "curves": ["level"]}, results, 0.6)


def test_bends_are_where_the_slope_changes_most():
    bent = {n: [n + 2 * max(0, n - 30) - max(0, n - 60)] for n in range(0, 101, 10)}
    results = made_up({"a": bent})
    assert holds({"how": "bends", "curve": "a", "at": [30, 60]}, results, 0.1)
    assert holds({"how": "bends", "curve": "a", "at": [40, 60]}, results, 0.1)  # to one size
    assert not holds({"how": "bends", "curve": "a", "at": [50, 60]}, results, 0.1)
    assert not holds({"how": "bends", "curve": "a", "at": [30]}, results, 0.1)  # 60 is one too


def test_drops_is_a_share_of_the_size_before():
    results = made_up({"a": {127: [10, 8], 128: [3, 2]}})
    assert holds({"how": "drops", "curve": "a", "at": [127, 128]}, results, 0.3)
    assert not holds({"how": "drops", "curve": "a", "at": [127, 128]}, results, 0.29)


def test_together_looks_at_all_ranks_but_one():
    results = made_up({"a": {4: [1, 100, 98], 8: [2, 50, 50]}})
    assert not holds({"how": "together", "curves": ["a"]}, results, 0.05)
    assert holds({"how": "together", "curves": ["a"], "without": 0}, results, 0.03)
    assert not holds({"how": "together", "curves": ["a"], "without": 0}, results, 0.01)


def test_least_is_one_rank_everywhere():
    results = made_up({"a": {4: [1, 3, 2], 8: [5, 6, 7]}, "b": {4: [1, 3, 2], 8: [5, 4, 7]}})
    assert holds({"how": "least", "curve": "a", "rank": 0}, results)
    assert take({"how": "least", "curve": "b", "rank": 0}, results).seen == "not everywhere: rank 1 at 8"


def test_one_apart_is_seen_in_the_mean():
    results = made_up({"a": {3: [1, 10, 10], 5: [2, 10, 10, 10, 10]}, "b": {3: [1, 5, 10]}})
    assert holds({"how": "one-apart", "curve": "a"}, results, 0.001)
    assert not holds({"how": "one-apart", "curve": "b"}, results, 0.1)


def test_doubles_from_a_size_on():
    results = made_up({"a": {1: [7], 2: [8], 4: [16], 8: [33], 12: [1]}})
    assert holds({"how": "doubles", "curve": "a", "from": 2.0}, results, 0.05)
    assert not holds({"how": "doubles", "curve": "a"}, results, 0.05)
    with pytest.raises(NoValue, match="no size of curve 'a' and its double"):
        take({"how": "doubles", "curve": "a", "from": 5.0}, results)


def test_rises_stand_out_from_all_others():
    stairs = {size: [100 * sum(size > step for step in (4, 13)) + size] for size in range(2, 20)}
    results = made_up({"a": stairs | {30: [900]}})
    assert holds({"how": "rises", "curve": "a", "after": [4, 13], "below": 25}, results, 0.5)
    assert not holds({"how": "rises", "curve": "a", "after": [4, 12], "below": 25}, results, 0.5)
    assert not holds({"how": "rises", "curve": "a", "after": [4], "below": 25}, results, 0.5)  # 13 rises as much
    assert not holds({"how": "rises", "curve": "a", "after": [4, 13]}, results, 0.5)  # 900 rises more


def test_a_multiple_of_the_least_is_of_the_value_at_a_size():
    results = made_up({"a": {1: [8, 2], 2: [4, 0], 3: [6, 6]}})
    assert take({"how": "multiple-of-least", "curve": "a", "at": 3}, results) == 1.5
    assert take({"how": "multiple-of-least", "curve": "a", "at": 1, "over": "mean"}, results) == 2.5


def test_a_curve_overtakes_where_it_is_above_the_other_for_the_last_time():
    first = {1: [9], 2: [5], 3: [7], 4: [7]}
    measure = {"how": "overtakes", "curves": ["a", "b"]}
    assert take(measure, made_up({"a": first, "b": {1: [8], 2: [5], 3: [6], 4: [7]}})) == 4
    assert take(measure, made_up({"a": first, "b": {1: [8], 2: [5], 3: [8], 4: [8]}})) == 2
    with pytest.raises(NoValue, match="'a' is never above 'b'"):
        take(measure, made_up({"a": first, "b": first}))
    with pytest.raises(NoValue, match="'a' is always above 'b' in the end"):
        take(measure, made_up({"a": first, "b": {1: [9], 2: [9], 3: [9], 4: [6]}}))
    with pytest.raises(NoValue, match="different sizes"):
        take(measure, made_up({"a": first, "b": {1: [9]}}))


def test_a_curve_reaches_a_share_of_its_largest_value_between_two_sizes():
    results = made_up({"a": {1: [6], 2: [2], 4: [6], 8: [10]}, "b": {1: [6], 2: [10], 3: [4]}})
    assert take({"how": "reaches", "curve": "a", "share": 0.5}, results) == 3.5
    with pytest.raises(NoValue, match="'a' is always at that share"):
        take({"how": "reaches", "curve": "a", "share": 0.1}, results)
    with pytest.raises(NoValue, match="'b' is not in the end at that share"):
        take({"how": "reaches", "curve": "b", "share": 0.5}, results)


def test_pieces_are_straight_between_their_ends():
    results = made_up({"a": {0: [1], 1: [2], 2: [3], 3: [6], 4: [9], 5: [12], 6: [12]}})
    measure = {"how": "pieces", "curve": "a", "at": [2, 5]}
    assert holds(measure, results)
    assert not holds(measure | {"at": [2]}, results, 0.05)
    assert not holds(measure | {"at": [3, 5]}, results, 0.05)


def test_slopes_are_those_of_the_fitted_lines():
    results = made_up({"a": {0: [1], 1: [4], 2: [7]}, "b": {5: [2], 7: [5]}, "c": {1: [2], 2: [2]}})
    assert take({"how": "slopes", "curves": ["a", "b"]}, results) == pytest.approx(2)
    with pytest.raises(NoValue, match="curve 'c' does not rise"):
        take({"how": "slopes", "curves": ["a", "c"]}, results)
