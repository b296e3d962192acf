"""Units of published and simulated values. A column of results ends in its unit: time_us."""

# By quantity; the first unit of each is the one that values are computed in.
UNITS = {
    "time": {"us": 1.0, "ps": 1e-6, "ns": 1e-3, "ms": 1e3, "s": 1e6},
    "bandwidth": {"MB/s": 1.0, "B/s": 1e-6, "kB/s": 1e-3, "KB/s": 1e-3, "GB/s": 1e3}
    | {"KiB/s": 1.024e-3, "MiB/s": 1.048576, "GiB/s": 1073.741824}
    | {"kbit/s": 1.25e-4, "Mbit/s": 0.125, "Gbit/s": 125.0},
    "size": {"B": 1.0, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9}
    | {"KiB": 1024.0, "MiB": 1048576.0, "GiB": 1073741824.0},
    "time per byte": {"us/B": 1.0, "ns/B": 1e-3, "ps/B": 1e-6},
    "number": {"": 1.0},
}

_OF_COLUMNS = {"ps": "time", "ns": "time", "us": "time", "ms": "time", "s": "time"}


def factor(quantity: str, unit: str) -> float:
    """How many of the quantity's first unit one of this unit is."""
    return UNITS[quantity][unit]


def quantity_of_unit(unit: str) -> str | None:
    return next((quantity for quantity, units in UNITS.items() if unit in units), None)


def column_quantity(column: str) -> str:
    """What a column of results holds: "time_us" a time, "wrong_bytes" a number."""
    return _OF_COLUMNS.get(column.rpartition("_")[2], "number")


def column_factor(column: str) -> float:
    quantity = column_quantity(column)
    return 1.0 if quantity == "number" else factor(quantity, column.rpartition("_")[2])
