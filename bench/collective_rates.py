"""The collectives' part of the benchmarks: the same operation by the same algorithm under hindcast and under SMPI.

To reach: so many times SMPI, or a share of what the bare program does in the same run, whichever is less.
"""

from contest import BARE, COLLECTIVE_CASES, HINDCAST, SMPI
from rates import iterations_for, median, not_measured, progress, rates_in_turn, rates_of, shown, verdict
from rich.table import Table

LIMIT_SHARE = 0.6
MEMORY_GIB = 4
MANY_TO_FEW = 0.5
ALLTOALLS = 10


def collectives(bench, options, console, report):
    table = Table(title="Messages per second in collectives, start-up taken off", title_justify="left")
    for column in ("", "algorithm", "hindcast", "SMPI", "bare (limit)", "x SMPI", "of limit", "to reach", ""):
        table.add_column(column, justify="left" if column in ("", "algorithm") else "right")
    notes = []
    for case in COLLECTIVE_CASES:
        if options.only and not any(word in case.name for word in options.only):
            continue
        contestants = [HINDCAST, BARE]
        if SMPI in options.contestants and not case.smpi_exceeds_s:
            contestants.append(SMPI)
        found = rates_of(bench, case, contestants, options)
        ours, theirs, limit = (median(found.get(name)) for name in (HINDCAST, SMPI, BARE))
        if case.smpi_exceeds_s:
            theirs = case.messages / case.smpi_exceeds_s
            least_s = f"more than {case.smpi_exceeds_s:g} s for one"
            notes.append(f"{case.name}: SMPI takes {least_s}, so it does less than {theirs:,.0f} a second.")
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
    alltoall_of_many(bench, options, console, report)


def alltoall_of_many(bench, options, console, report):
    """Ten all-to-alls on 1,024 ranks: their memory, and what a message costs there in what it costs on 64."""
    few, many = (next(c for c in COLLECTIVE_CASES if c.name == f"alltoall 1 KiB, {n} ranks") for n in (64, 1024))
    if options.only and not all(any(word in case.name for word in options.only) for case in (few, many)):
        return
    iterations = [iterations_for(bench, HINDCAST, few, options.seconds)[0], ALLTOALLS]
    found = rates_in_turn(bench, HINDCAST, [few, many], iterations, options)
    of_few, of_many = median(found[few.name]), median(found[many.name])
    if not of_few or not of_many:
        return console.print(f"{ALLTOALLS} all-to-alls on 1,024 ranks: not compared ({not_measured(found)})")
    gigabytes = bench.run_case(HINDCAST, many, ALLTOALLS).kilobytes / 2**20
    share = of_many / of_few
    (fits, _), (is_quick, _) = verdict(gigabytes, MEMORY_GIB, at_least=False), verdict(share, MANY_TO_FEW)
    console.print(
        f"{ALLTOALLS} all-to-alls of 1 KiB on 1,024 ranks: {gigabytes:.1f} GiB, of which the program's own 2 (at most "
        f"{MEMORY_GIB}: {fits}); {of_many:,.0f} messages per second, {share:.2f} of the {of_few:,.0f} of 64 ranks in "
        f"turn with them (at least {MANY_TO_FEW}: {is_quick})"
    )
    report["alltoall_of_many"] = {"gibibytes": gigabytes, "per_second": found, "of_few": share}
