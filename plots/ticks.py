"""The numbers at the ticks of logarithmic axes."""

from collections.abc import Callable

from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

TICKS_MAX = 8
FEW_DECADES = 10**1.7  # so many powers of ten are too few


def set_powers_of_two(axis: Axis, written: Callable[[float], str]) -> None:
    """At the ticks, of which there are as many as their texts have room for."""
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log", base=2)
    axis.set_major_locator(LogLocator(2, numticks=TICKS_MAX))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: written(value)))


def write_out_few_decades(axis: Axis) -> None:
    """As 2, 5, 10: powers of ten alone would be too few, and numbers written as products of them lie on each other."""
    low, high = axis.get_view_interval()
    if high < FEW_DECADES * low:
        axis.set_major_locator(LogLocator(10, (1, 2, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        axis.set_minor_formatter(NullFormatter())
