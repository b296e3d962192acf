"""The collectives' part of the benchmarks: the same operation by the same algorithm under hindcast and under SMPI.

To reach: so many times SMPI, or a share of what the bare program does in the same run, whichever is less.
"""

from contest import BARE, COLLECTIVE_CASES, HINDCAST, SMPI
from rates import median, progress, rates_of, shown, verdict
from rich.table import Table

LIMIT_SHARE = 0.6
MEMORY_GIB = 4
MANY_TO_FEW = 0.5


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
    """All-to-alls on 1,024 ranks: their memory, and what a message costs there in what it costs on 64."""
    case = next(c for c in COLLECTIVE_CASES if c.name == "alltoall 1 KiB, 1024 ranks")
    rates = {row["case"]: median(row["per_second"].get(HINDCAST)) for row in report["collectives"]}
    many, few = rates.get(case.name), rates.get("alltoall 1 KiB, 64 ranks")
    if not many or not few:
        return
    count = 1 if options.quick else 10
    gigabytes = bench.run_case(HINDCAST, case, count).kilobytes / 2**20
    (fits, _), (is_quick, _) = verdict(gigabytes, MEMORY_GIB, at_least=False), verdict(many / few, MANY_TO_FEW)
    console.print(
        f"{count} all-to-all of 1 KiB on 1,024 ranks: {gigabytes:.1f} GiB, of which the program's own 2 (at most "
        f"{MEMORY_GIB}: {fits}); {many / few:.2f} of the messages per second of 64 ranks (at least {MANY_TO_FEW}: "
        f"{is_quick})"
    )
    report["alltoall_of_many"] = {"gibibytes": gigabytes, "of_few": many / few}
