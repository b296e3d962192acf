"""The collectives' part of the benchmarks: the same operation by the same algorithm under hindcast and under SMPI.

To reach: so many times SMPI, or a share of what the bare program does in the same run, whichever is less.
"""

from contest import BARE, COLLECTIVE_CASES, HINDCAST, SMPI
from rates import median, progress, rates_of, shown, verdict
from rich.table import Table

LIMIT_SHARE = 0.6


def collectives(bench, options, console, report):
    table = Table(title="Messages per second in collectives, start-up taken off", title_justify="left")
    for column in ("", "algorithm", "hindcast", "SMPI", "bare (limit)", "x SMPI", "of limit", "to reach", ""):
        table.add_column(column, justify="left" if column in ("", "algorithm") else "right")
    notes = []
    for case in COLLECTIVE_CASES:
        if options.only and not any(word in case.name for word in options.only):
            continue
        contestants = [HINDCAST, BARE]
        if case.not_for_smpi:
            notes.append(f"{case.name}: SMPI takes {case.not_for_smpi}.")
        elif SMPI in options.contestants:
            contestants.append(SMPI)
        found = rates_of(bench, case, contestants, options)
        ours, theirs, limit = (median(found.get(name)) for name in (HINDCAST, SMPI, BARE))
        targets = {f"{case.target:g} x SMPI": case.target * theirs if theirs else None}
        targets[f"{LIMIT_SHARE:g} of limit"] = LIMIT_SHARE * limit if limit else None
        targets = {name: rate for name, rate in targets.items() if rate}
        least = min(targets, key=targets.get, default=None)
        word, met = verdict(ours, targets.get(least))
        table.add_row(
            case.name,
            case.algorithm.partition("=")[2],
            *(shown(found.get(name, [])) for name in (HINDCAST, SMPI, BARE)),
            f"{ours / theirs:.1f}" if ours and theirs else "",
            f"{ours / limit:.0%}" if ours and limit else "",
            f"{targets[least]:,.0f}: {least}" if least else "",
            word,
        )
        report["collectives"].append(
            {"case": case.name, "algorithm": case.algorithm, "per_second": found, "to_reach": targets, "met": met}
        )
    progress("")
    console.print(table)
    for note in notes:
        console.print(note)
