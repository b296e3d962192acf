"""The benchmarks: unmodified MPI programs under hindcast and under SMPI, in turn, and a bare program as the limit.

Messages per second have the start-up taken off: each program runs with few and with many iterations, and the difference
counts. Times are this machine's; simulated times play no part here.
"""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from collective_rates import collectives
from contest import (
    BARE,
    CASES,
    CONTESTANTS,
    HANDOVERS,
    HINDCAST,
    MACHINE_CASES,
    MACHINES,
    ON_MACHINE,
    PUTS,
    PUTS_MACHINE,
    ROOT,
    SMPI,
    SMPI_ASYNC,
    WINDOW_CASES,
    Bench,
)
from rates import best_smpi, iterations_for, median, not_measured, progress, rates_in_turn, rates_of, shown, verdict
from rich.console import Console
from rich.table import Table

MEMORY_TARGET_KB = 40
MEMORY_LIMIT = f"at most {MEMORY_TARGET_KB} KB a rank"
SCALING_TARGET = 3
STARTUP_TARGET = 1.5
PARTS = ["messages", "collectives", "machines", "puts", "threads", "memory", "startup"]

PLACEMENT = (
    "Rank r runs on node r of a torus in hindcast and in SMPI alike: hindcast places ranks by slot, a rank a node;\n"
    "smpirun is given the nodes 0, 1, 2, ... by a hostfile, and the torus as `hindcast platform ideal --xml` writes it."
)
SMPI_NOTE = (
    "SMPI 3.32 with very many messages under way at once: its clock goes on, but ever more slowly, as it solves anew\n"
    "how they share links. An all-to-all posted at once takes it 1 s on 64 ranks, 13 s on 128; 256: not in 250 s."
)


def message_rates(bench, options, console, report):
    table = Table(title="Messages per second, start-up taken off (median ± half the range)", title_justify="left")
    for column in (
        "",
        "hindcast",
        "SMPI",
        "SMPI, async-small-thresh",
        "bare (limit)",
        "of limit",
        "target",
        "",
        "x SMPI",
        "target",
        "",
    ):
        table.add_column(column, justify="left" if column == "" else "right")
    for case in [*CASES, *WINDOW_CASES]:
        if options.only and not any(word in case.name for word in options.only):
            continue
        contestants = [name for name in options.contestants if name != BARE or case.bare_mode]
        found = rates_of(bench, case, contestants, options)
        ours, limit = median(found.get(HINDCAST)), median(found.get(BARE))
        theirs, is_bound = best_smpi(found)
        ratio = ours / theirs if ours and theirs else None
        word, met = verdict(ratio, case.target)
        share = ours / limit if ours and limit else None
        share_word, share_met = verdict(share, case.share_of_limit)
        table.add_row(
            case.name,
            *(shown(found.get(name, [])) for name in CONTESTANTS),
            f"{share:.0%}" if share else "",
            f"{case.share_of_limit:.0%}" if case.share_of_limit else "",
            share_word,
            f"{'more than ' if is_bound else ''}{ratio:.1f}" if ratio else "",
            f"{case.target:g}" if case.target else "",
            word,
        )
        row = {"case": case.name, "ratio": ratio, "is_more": is_bound, "target": case.target, "met": met}
        row |= {"of_limit": share, "of_limit_target": case.share_of_limit, "of_limit_met": share_met}
        report["messages"].append({**row, "per_second": found})
    progress("")
    console.print(table)
    failures = (rates for row in report["messages"] for rates in row["per_second"].values())
    if any(isinstance(rates, str) for rates in failures):
        console.print(SMPI_NOTE)


def scaling(bench, options, console, report):
    """What a message of the 8-byte halo costs at 1,024 ranks, in what it costs at 64."""
    cases = [next(case for case in CASES if case.name == f"halo 8 B, {ranks} ranks") for ranks in (64, 1024)]
    if options.only and not all(any(word in case.name for word in options.only) for case in cases):
        return
    iterations = [iterations_for(bench, HINDCAST, case, options.seconds)[0] for case in cases]
    found = rates_in_turn(bench, HINDCAST, cases, iterations, options)
    few, many = (median(rates) for rates in found.values())
    if not few or not many:
        return console.print(f"The 8 B halo at 64 and 1,024 ranks: not compared ({not_measured(found)})")
    word, met = verdict(few / many, SCALING_TARGET, at_least=False)
    console.print(
        f"A message of the 8 B halo costs {1e9 / many:.0f} ns at 1,024 ranks and {1e9 / few:.0f} ns at 64, measured in "
        f"turn: {few / many:.2f} times (at most {SCALING_TARGET}: {word})"
    )
    report["scaling"] = {"per_second": found, "times": few / many, "target": SCALING_TARGET, "met": met}


def machines(bench, options, console, report):
    """The same programs on machines that were built."""
    table = Table(title="Messages per second on machines that were built", title_justify="left")
    for column in ("", "machine", "hindcast", "of ideal's", "target", ""):
        table.add_column(column, justify="left" if column in ("", "machine") else "right")
    for case in (case for case in CASES if case.name in MACHINE_CASES):
        if options.only and not any(word in case.name for word in options.only):
            continue
        found = rates_of(bench, case, [HINDCAST, *(ON_MACHINE + machine.name for machine in MACHINES)], options)
        ideal = median(found[HINDCAST])
        table.add_row(case.name, "ideal", shown(found[HINDCAST]), "", "", "")
        for machine in MACHINES:
            rate, target = median(found[ON_MACHINE + machine.name]), machine.shares.get(case.name)
            share = rate / ideal if rate and ideal else None
            word, met = verdict(share, target)
            told = (f"{share:.2f}" if share else "", f"{target:.2f}" if target else "", word)
            table.add_row("", machine.name, shown(found[ON_MACHINE + machine.name]), *told)
            row = {"case": case.name, "machine": machine.name, "share": share, "target": target, "met": met}
            report["machines"].append({**row, "per_second": found})
    progress("")
    console.print(table)


def puts(bench, options, console, report):
    """Puts that are waited for, beside messages between two ranks of the ideal machine."""
    messages_case = next(case for case in CASES if case.name == "ping-pong 8 B")
    on_machine = ON_MACHINE + PUTS_MACHINE
    messages = rates_of(bench, messages_case, [HINDCAST], options)[HINDCAST]
    found = rates_of(bench, PUTS, [on_machine], options)[on_machine]
    progress("")
    ratio = median(found) / median(messages) if median(found) and median(messages) else None
    word, met = verdict(ratio, PUTS.target)
    shown_ratio = f"{ratio:.2f} times, at least {PUTS.target}: {word}" if ratio else ""
    console.print(
        f"{PUTS.name} on {PUTS_MACHINE}: {shown(found)} a second; messages: {shown(messages)} ({shown_ratio})"
    )
    report["puts"] = {"per_second": {PUTS.name: found, messages_case.name: messages}, "met": met}


def threads(bench, options, console, report):
    """A mutex that two threads of a rank hand to and fro."""
    found = rates_of(bench, HANDOVERS, [HINDCAST], options)[HINDCAST]
    progress("")
    word, met = verdict(median(found), HANDOVERS.target)
    console.print(f"{HANDOVERS.name}: {shown(found)} a second (at least {HANDOVERS.target:.0f}: {word})")
    report["threads"] = {"per_second": {HANDOVERS.name: found}, "met": met}


def memory(bench, options, console, report):
    """Resident memory of the halo at 1,024 ranks less that at 64, divided by 960, less the program's own arrays."""
    table = Table(title="Memory per rank, KB: the halo's at 1,024 ranks less that at 64", title_justify="left")
    for column in ("", "hindcast", "SMPI", "SMPI, async-small-thresh", "x SMPI", "to keep to", ""):
        table.add_column(column, justify="left" if column == "" else "right")
    for size in (8, 4096):
        small, large = (next(c for c in CASES if c.name == f"halo {size} B, {ranks} ranks") for ranks in (64, 1024))
        arrays_kb = 8 * size / 1000
        found = {}
        for contestant in (c for c in options.contestants if c != BARE):
            values = []
            for turn in range(options.repeat):
                progress(f"memory, {size} B: {contestant}: {turn + 1} of {options.repeat}")
                iterations = 5 if contestant == HINDCAST else 1  # SMPI takes seconds for one
                outcomes = [bench.run_case(contestant, case, iterations) for case in (small, large)]
                if failure := outcomes[0].failure or outcomes[1].failure:
                    values = failure
                    break
                kilobytes = (outcomes[1].kilobytes - outcomes[0].kilobytes) * 1.024
                values.append(kilobytes / (large.ranks - small.ranks) - arrays_kb)
            found[contestant] = values
        ours, theirs = median(found.get(HINDCAST)), [median(found.get(name)) for name in (SMPI, SMPI_ASYNC)]
        least = min((value for value in theirs if value), default=None)
        word, met = verdict(ours, MEMORY_TARGET_KB, at_least=False)
        cells = [f"{median(v):.1f}" if median(v) else shown(v) for v in (found.get(n, []) for n in CONTESTANTS[:3])]
        ratio = ours / least if ours and least else None
        table.add_row(f"halo {size} B", *cells, f"{ratio:.2f}" if ratio else "", MEMORY_LIMIT, word)
        report["memory_kb"].append(
            {"case": f"halo {size} B", "per_rank": found, "target": MEMORY_TARGET_KB, "met": met}
        )
    progress("")
    console.print(table)


def startup(bench, options, console, report):
    table = Table(title="Start-up and end, milliseconds", title_justify="left")
    for column in ("", "hindcast", "SMPI", "two SimGrid actors", "x SMPI", "target", "", "x actors", "target", ""):
        table.add_column(column, justify="left" if column == "" else "right")
    for ranks, turns in ((2, max(20, 4 * options.repeat)), (1024, options.repeat)):
        commands = {HINDCAST: bench.command(HINDCAST, "startup", ranks, [])}
        if SMPI in options.contestants:
            commands[SMPI] = bench.command(SMPI, "startup", ranks, [])
        if ranks == 2:
            commands[BARE] = [bench.build / "bench" / "two_actors"]
        found = {name: [] for name in commands}
        for turn in range(turns):
            for name, command in commands.items():
                progress(f"start-up, {ranks} ranks: {name}: {turn + 1} of {turns}")
                outcome = bench.measure(command)
                if outcome.failure:
                    found[name] = outcome.failure
                elif not isinstance(found[name], str):
                    found[name].append(outcome.seconds * 1000)
        ours, theirs, actors = (median(found.get(name)) for name in (HINDCAST, SMPI, BARE))
        to_smpi = ours / theirs if ours and theirs else None
        to_actors = ours / actors if ours and actors else None
        (word, met), (word2, met2) = verdict(to_smpi, 1, False), verdict(to_actors, STARTUP_TARGET, False)
        cells = [
            f"{median(v):.1f}" if median(v) else shown(v) for v in (found.get(n, []) for n in (HINDCAST, SMPI, BARE))
        ]
        table.add_row(
            f"{ranks} ranks", *cells,
            f"{to_smpi:.2f}" if to_smpi else "", "1", word,
            f"{to_actors:.2f}" if to_actors else "", f"{STARTUP_TARGET}" if ranks == 2 else "", word2,
        )  # fmt: skip
        report["startup_ms"].append(
            {"ranks": ranks, "milliseconds": found, "no_slower_than_smpi": met, "near_two_actors": met2}
        )
    progress("")
    console.print(table)


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="short runs, two of each: for a rough look")
    rows = f"rows with this in their name, or {', '.join(PARTS)} (may be given again)"
    parser.add_argument("--only", action="append", metavar="NAME", default=[], help=rows)
    parser.add_argument("--repeat", type=int, metavar="N", help="measurements of each (5)")
    parser.add_argument("--no-smpi", action="store_true", help="hindcast and the bare program only")
    options = parser.parse_args(arguments)
    options.seconds, options.limit_s = (0.3, 40) if options.quick else (1.0, 60)
    options.repeat = options.repeat or (2 if options.quick else 5)
    options.parts = [part for part in PARTS if part in options.only]
    options.only = [word for word in options.only if word not in options.parts]
    if options.only and not {"messages", "collectives"} & set(options.parts):
        options.parts.append("messages")
    options.parts = options.parts or PARTS
    options.contestants = [c for c in CONTESTANTS if not (options.no_smpi and c in (SMPI, SMPI_ASYNC))]
    return options


def main():
    options = options_from(sys.argv[1:])
    if not shutil.which("smpirun") and not options.no_smpi:
        sys.exit("bench: no smpirun on the PATH (Debian: libsimgrid-dev); --no-smpi measures without it")
    build = Path(os.environ.get("HINDCAST_BUILD") or ROOT / "build" / "release").resolve()
    folder = build / "bench" / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bench = Bench(build, folder, options.limit_s)
    bench.build_beside()
    bench.compile()

    console = Console(width=None if sys.stdout.isatty() else 190)
    console.print(PLACEMENT)
    report = {"repeat": options.repeat, "seconds": options.seconds}
    report |= {"messages": [], "collectives": [], "machines": [], "memory_kb": [], "startup_ms": []}
    if "messages" in options.parts:
        message_rates(bench, options, console, report)
        scaling(bench, options, console, report)
    if "collectives" in options.parts:
        collectives(bench, options, console, report)
    if "machines" in options.parts:
        machines(bench, options, console, report)
    if "puts" in options.parts:
        puts(bench, options, console, report)
    if "threads" in options.parts:
        threads(bench, options, console, report)
    if "memory" in options.parts:
        memory(bench, options, console, report)
    if "startup" in options.parts:
        startup(bench, options, console, report)
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    (out / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    console.print("All measurements: out/bench.json")


if __name__ == "__main__":
    main()
