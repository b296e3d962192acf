"""Messages per second of the contestants, start-up taken off, and how they are shown.

Seconds are those of the processor, so that what others do on this computer plays little part.
"""

import statistics
import sys
import time

from contest import SMPI, SMPI_ASYNC

IN_A_PIPE_EVERY_S = 60
started_s = last_line_s = time.monotonic()


def progress(text):
    """On a terminal, one line that says what is being measured; in a pipe, a line of its own, at most one a minute."""
    global last_line_s
    now_s = time.monotonic()
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text and now_s - last_line_s >= IN_A_PIPE_EVERY_S:
        last_line_s = now_s
        print(f"bench: {text}, after {(now_s - started_s) / 60:.0f} min", file=sys.stderr, flush=True)


class Unfinished(str):
    """Why a contestant has no rate: it was stopped before it had ended one iteration. So its rate is less than that."""

    less_than: float


def failure_of(case, start, outcome, iterations):
    if iterations > 1 or start.failure or not outcome.was_stopped:
        return outcome.failure
    unfinished = Unfinished(outcome.failure)
    unfinished.less_than = case.messages / (outcome.cpu_seconds - start.cpu_seconds)
    return unfinished


# A contestant that takes so long for a single iteration is measured once.
LONG_S = 4


def iterations_for(bench, contestant, case, enough_s):
    """How many iterations take long enough to be measured; or why the case cannot be run at all. And the rate, if these
    took so long that once is enough.
    """
    iterations = 1
    start = bench.run_case(contestant, case, 0)
    enough_s = max(enough_s, 2 * start.cpu_seconds)  # or the start-up's own variation would show
    while True:
        outcome = bench.run_case(contestant, case, iterations)
        if outcome.failure:
            return 0, failure_of(case, start, outcome, iterations), None
        spent = outcome.cpu_seconds - start.cpu_seconds
        if iterations == 1 and spent >= LONG_S:
            return 1, None, case.messages / spent
        if spent >= enough_s / 2:
            return max(1, round(iterations * enough_s / spent)), None, None
        iterations *= 10 if spent < enough_s / 20 else 3


def rates_of(bench, case, contestants, options):
    """Messages per second of each contestant, measured in turn: {contestant: [rate, ...] or the reason why not}."""
    counts, found = {}, {}
    for contestant in contestants:
        progress(f"{case.name}: {contestant}: how many iterations")
        counts[contestant], failure, rate = iterations_for(bench, contestant, case, options.seconds)
        found[contestant] = failure or ([rate] if rate else [])
    to_repeat = [contestant for contestant in contestants if found[contestant] == []]
    for turn in range(options.repeat):
        for contestant in to_repeat:
            if isinstance(found[contestant], str):
                continue
            progress(f"{case.name}: {contestant}: {turn + 1} of {options.repeat}")
            rate = rate_once(bench, contestant, case, counts[contestant])
            found[contestant] = rate if isinstance(rate, str) else [*found[contestant], rate]
    return found


def rate_once(bench, contestant, case, iterations):
    """From so many iterations and a tenth of them; or why it cannot be said."""
    if iterations == 0:
        return "it failed, or took too long, when it was tried"
    few = iterations // 10
    outcomes = [bench.run_case(contestant, case, count) for count in (few, iterations)]
    seconds = outcomes[1].cpu_seconds - outcomes[0].cpu_seconds
    if failure := outcomes[0].failure or outcomes[1].failure:
        return failure
    return (iterations - few) * case.messages / seconds if seconds > 0 else "too quick to be measured"


# What a comparison of two cases takes at least: one may fall in a noisy minute.
TURNS_MIN = 3


def rates_in_turn(bench, contestant, cases, iterations, options):
    """Messages per second of several cases, by name, or why not. They are to be compared, so they take turns as
    contestants do."""
    found = {case.name: [] for case in cases}
    for turn in range(max(TURNS_MIN, options.repeat)):
        for case, count in zip(cases, iterations, strict=True):
            if isinstance(found[case.name], str):
                continue
            progress(f"{case.name}: {turn + 1}, in turn with what it is compared with")
            rate = rate_once(bench, contestant, case, count)
            found[case.name] = rate if isinstance(rate, str) else [*found[case.name], rate]
    progress("")
    return found


def not_measured(found):
    return "; ".join(f"{name}: {reason}" for name, reason in found.items() if isinstance(reason, str))


def median(values):
    return statistics.median(values) if values and not isinstance(values, str) else None


def shown(values):
    """A median, and how far the measurements lie apart in all, as a share of it."""
    if isinstance(values, str):
        return f"[red]{values}[/red]"
    middle = median(values)
    if middle is None:
        return ""
    return f"{middle:,.0f} [dim]±{(max(values) - min(values)) / 2 / middle:.0%}[/dim]"


def verdict(value, target, at_least=True):
    if target is None or value is None:
        return "", None
    met = value >= target if at_least else value <= target
    return ("[green]met[/green]" if met else "[red]not met[/red]"), met


def best_smpi(found):
    """SMPI's rate, or one that it does not reach; and which of these it is."""
    rates = [(None, False)]
    for values in (found.get(name) for name in (SMPI, SMPI_ASYNC)):
        if isinstance(values, Unfinished):
            rates.append((values.less_than, True))
        elif rate := median(values):
            rates.append((rate, False))
    return max(rates, key=lambda rate: rate[0] or 0)
