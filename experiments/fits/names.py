"""What models and their metrics are called, for files that name them."""

from typing import Literal

Errors = Literal["absolute", "relative"]  # whose squares are least

Metric = Literal[
    "specific performance",
    "bandwidth",
    "aggregated specific performance",
    "aggregated bandwidth",
    "half-peak length",
    "r_cc",
]

# By metric: a quantity of units.py.
GIVES: dict[Metric, str] = {
    "specific performance": "bandwidth",
    "bandwidth": "bandwidth",
    "aggregated specific performance": "bandwidth",
    "aggregated bandwidth": "bandwidth",
    "half-peak length": "size",
    "r_cc": "number",
}
