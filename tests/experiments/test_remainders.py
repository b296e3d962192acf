"""What a fitted number follows from (`follows`): the arithmetic of machines' files, and what it comes to elsewhere."""

import pytest

from experiments.problems import Problem
from experiments.uncertainty.parameters import arithmetic_of
from experiments.uncertainty.remainders import Remainder
from tests.experiments.test_ranges import MACHINES

VALUES = {"a.whole": (1.5, "us"), "a.header": (16.0, "B"), "a.bus": (50.0, "MB/s"), "a.hop": (100.0, "ns")}
VALUES["a.line"] = (100.0, "Mbit/s")


def remainder(formula, unit="us"):
    return Remainder("a.left", unit, formula).value(VALUES)


def test_a_formula_takes_units_as_they_are():
    assert remainder("a.whole - a.header * a.bus - a.hop") == pytest.approx(1.5 - 16 / 50 - 0.1)
    assert remainder("0.5 us + 250 ns", "ns") == pytest.approx(750)
    assert remainder("200 B + a.header", "B") == pytest.approx(216)
    assert remainder("0.03 us/B - a.bus", "ns/B") == pytest.approx(10)
    assert remainder("1e3 ns - 2 ps/B * a.header", "us") == pytest.approx(1 - 32e-6)
    assert remainder("a.header * a.line") == pytest.approx(16 / 12.5)
    assert remainder("1 GB + 1 GiB", "GB") == pytest.approx(2.073741824)
    assert remainder("(1 us - a.hop / 2) / 3") == pytest.approx(0.95 / 3)


@pytest.mark.parametrize(
    "formula, complaint",
    [
        ("a.whole - a.other", "a.other: no such number"),
        ("a.whole -", "something is missing"),
        ("3 $", "not understood"),
    ],
)
def test_a_formula_that_means_nothing(formula, complaint):
    with pytest.raises(Problem, match=complaint):
        remainder(formula)


def test_every_formula_of_a_machine_comes_to_what_the_file_has():
    found = [(machine, arithmetic_of(machine)) for machine in MACHINES]
    assert sum(len(arithmetic.remainders) for _, arithmetic in found) > 10
    for machine, arithmetic in found:
        for one in arithmetic.remainders:
            value = arithmetic.values[one.key][0]
            assert one.value(arithmetic.values) == pytest.approx(value, rel=0.01), f"{machine}: {one.key}"


def test_what_follows_keeps_the_sum_and_takes_what_is_derived_of_it_along():
    arithmetic = arithmetic_of("ap3000")
    header = 64
    after = {key: value for key, (value, _) in arithmetic.after("ap3000.header_bytes", header).items()}
    send = 25 - header * 0.011
    assert after["ap3000.send_overhead"] == pytest.approx(send)
    assert after["pvm.psend_overhead"] == pytest.approx(send)
    assert "ap3000.receive_overhead" not in after  # what the sender takes and the header are one sum
    assert arithmetic.after("ap3000.receive_overhead", 22).keys() == {"ap3000.receive_overhead"}
