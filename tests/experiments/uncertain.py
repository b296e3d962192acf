"""A machine of one's own with an assumed and a fitted number, for the small experiment."""

import re


def write_machine(folder, root):
    """`ideal`, but for two numbers that could be otherwise."""
    text = (root / "platforms" / "ideal.toml").read_text()
    text = re.sub(
        r"^send_overhead = .*$",
        'send_overhead = { value = 1, unit = "us", kind = "assumed", range = [1, 3], source = "nobody says" }',
        text, count=1, flags=re.M,
    )  # fmt: skip
    text = re.sub(
        r"^copy_bandwidth = .*$",
        'copy_bandwidth = { value = 400, unit = "MB/s", kind = "fitted", fits = "SMALL-01", source = "by its rate" }',
        text, count=1, flags=re.M,
    )  # fmt: skip
    text = re.sub(r'^name = "ideal"$', 'name = "mine"', text, count=1, flags=re.M)
    path = folder / "mine.toml"
    path.write_text(text)
    return path
