"""What is shown of a study on the terminal."""

from rich.box import SIMPLE_HEAD
from rich.table import Table

from experiments.tables import console
from experiments.uncertainty.shares import ClaimShare
from experiments.uncertainty.study import Study, mean_of

EFFECTS_SHOWN = 3
TELLING = 0.5  # a total effect that is less sure than that says nothing


def print_study(found: Study) -> None:
    title = f"{found.experiment.data.name}: {found.draws} independent draws of {len(found.parameters)} parameters"
    if found.shares:
        console().print(_claims(title, found))
    elif found.bands:
        console().print(_lines(title, found))
    if found.unnoticed:
        print("Nothing changes at either end of " + ", ".join(parameter.key for parameter in found.unnoticed) + ".")
    if found.failures:
        print(f"{len(found.failures)} of {len(found.design.draws)} draws failed and count for nothing, such as this:")
        print(found.failures[0])


def _claims(title: str, found: Study) -> Table:
    table = _table(title, "claim", "kind", "published", "holds in", "of draws, with 95 %", "simulated, 5 to 95 %")
    for one in found.shares:
        published = "" if isinstance(one.published, str) else f"{one.published:g} {one.unit}".rstrip()
        within = f"{one.share_low:.0%} to {one.share_high:.0%}"
        behind = _behind(found, one.claim)
        table.add_row(one.claim, one.kind, published, f"{one.share:.0%}", within, _spread(one), behind)
    return table


def _lines(title: str, found: Study) -> Table:
    """Where the lines of a figure lie whose experiment claims nothing."""
    x = found.experiment.data.figure.x
    table = _table(title, "line", f"{x.label}{f' ({x.unit})' if x.unit else ''}", "half of the draws", "5 to 95 %")
    for (panel, line), band in found.bands.items():
        behind = _behind(found, mean_of(line)) if panel == 0 else ""
        rows = zip(band.x, band.low, band.middle, band.high, *band.errors, strict=True)
        for at, low, middle, high, low_error, _, high_error in rows:
            spread = f"{low:.4g}±{low_error:.3g} to {high:.4g}±{high_error:.3g}"
            table.add_row(line, f"{at:g}", f"{middle:.4g}", spread, behind)
            line = behind = ""
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=True)
    table.add_column("behind it")
    return table


def _spread(one: ClaimShare) -> str:
    if one.quantiles is None or one.errors is None:
        return ""
    low, high = (f"{one.quantiles[end]:.4g}±{one.errors[end]:.3g}" for end in (0, -1))
    return f"{low} to {high} {one.unit}".rstrip()


def _behind(found: Study, result: str) -> str:
    effects = sorted((one for one in found.effects if one.result == result), key=lambda one: -one.total)
    told = [one for one in effects if one.error < TELLING and one.total > one.error]
    if effects and not told:
        return "too few draws to tell"
    return ", ".join(f"{one.parameter} {one.total:.2f}±{one.error:.2f}" for one in told[:EFFECTS_SHOWN])
