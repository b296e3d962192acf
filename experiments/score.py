"""Holds results to the claims: what the paper says, what the simulation gave, and whether that is near enough."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.machines import fitted_parameters
from experiments.measures import NoValue, Shape, apart, left_of
from experiments.plan import COMMAND, origin
from experiments.results import Results, read_results
from experiments.schema import Check, Claim
from experiments.uncertainty.kept import read_shares
from experiments.units import factor


@dataclass(frozen=True)
class Score:
    """A line of the scoreboard. What has not been run has neither `simulated` nor `holds`."""

    id: str
    experiment: str
    kind: str
    published: float | str
    simulated: float | str | None
    unit: str
    error: float | None
    tolerance: float | None
    holds: bool | None
    note: str
    share: float | None = None  # of the draws of the machine's uncertain parameters, those in which it holds
    share_within: tuple[float, float] | None = None  # what so few draws leave open of that, with 95 % confidence
    margin: float | None = None  # how far from failing, as a share of what is allowed; below 0 it fails
    checks: tuple[bool, ...] = ()  # the verdict of each of its checks, all of which have to hold

    def of_draws(self) -> str:
        if self.share is None or self.share_within is None:
            return ""
        low, high = self.share_within
        return f"{self.share:.0%} ({100 * low:.0f} to {100 * high:.0f})"


@dataclass(frozen=True)
class Verdict:
    simulated: float | str | None
    error: float | None
    holds: bool
    note: str = ""
    base_value: float | None = None  # in the first unit of its quantity
    margin: float | None = None


def results_path(out: Path, experiment: str, changes: Changes | None = None) -> Path:
    return out / experiment / f"{experiment}{changes.file_suffix() if changes else ''}.csv"


def score_experiment(experiment: LoadedExperiment, results: Results | None, note: str = "") -> list[Score]:
    """All claims of an experiment file; `note` is put to each."""
    scores, values = [], {}
    for claim in experiment.data.claim:
        score, value = _score(claim, experiment.data.name, results, values, note)
        scores.append(score)
        if value is not None:
            values[claim.id] = value
    return scores


def score_kept_results(experiment: LoadedExperiment, out: Path) -> list[Score]:
    """By what lies in the folder of results; runs nothing."""
    path = results_path(out, experiment.results_name)
    if not experiment.data.claim or not path.exists():  # without claims it may be a comparison, with results of its own
        return score_experiment(experiment, None)
    results = read_results(path, experiment.data.sizes.name)
    shares = read_shares(out, experiment.results_name, experiment.data.name)
    scores = score_experiment(experiment, results, _staleness(experiment, results))
    kept = {claim: {"share": share, "share_within": within} for claim, (share, within) in shares.items()}
    return [replace(score, **kept.get(score.id, {})) for score in scores]


def _staleness(experiment: LoadedExperiment, results: Results) -> str:
    """Whether the results were made with another machine file, experiment file or program than there are now."""
    changed = [new for new in origin(experiment, Changes()) if new not in results.head and not new.startswith(COMMAND)]
    parts = sorted({line.split()[0] for line in changed})
    return f"from before a change of {', '.join(parts)}: run it again" if parts else ""


def _score(claim: Claim, experiment: str, results: Results | None, values: dict, note: str):
    notes = [text for text in (_bound_in_words(claim), note) if text]
    fixed = {"id": claim.id, "experiment": experiment, "kind": claim.kind, "unit": claim.unit}
    fixed |= {"published": claim.published, "tolerance": _tolerance(claim)}
    if results is None:
        return Score(**fixed, simulated=None, error=None, holds=None, note="; ".join(["not run yet", *notes])), None
    verdict = judge(claim, results, values)
    others = [(also, judge(also, results, values)) for also in claim.also]
    notes = ([verdict.note] if verdict.note else []) + [_in_words(also, other) for also, other in others] + notes
    checks = (verdict.holds, *(other.holds for _, other in others))
    margins = [one.margin for one in (verdict, *(other for _, other in others))]
    score = Score(
        **fixed,
        simulated=verdict.simulated,
        error=verdict.error,
        holds=all(checks),
        note="; ".join(notes),
        margin=None if None in margins else min(margins),
        checks=checks,
    )
    return score, verdict.base_value


def judge(check: Check, results: Results, values: dict[str, float]) -> Verdict:
    try:
        found = check.measure.take(results, values, check.tolerance or 0.0)
    except NoValue as reason:
        return Verdict(None, None, False, str(reason))
    if isinstance(found, Shape):
        return Verdict(found.seen, None, found.holds, margin=_rounded(found.margin))
    gives = check.measure.gives
    simulated = found / factor(gives, check.unit) if gives != "number" else found
    error = (simulated - check.published) / check.published if check.published else None
    near, margin = is_near(check, simulated), _rounded(margin_of(check, simulated))
    return Verdict(_rounded(simulated), _rounded(error), near, base_value=found, margin=margin)


def is_near(check: Check, simulated: float) -> bool:
    """Whether a number is as near to the published one as its claim asks."""
    if check.exact:
        return simulated == check.published
    if check.between is not None:
        return check.between[0] < simulated < check.between[1]
    if check.factor is not None:
        return check.published / check.factor <= simulated <= check.published * check.factor
    return abs(simulated - check.published) <= check.tolerance * abs(check.published)


def margin_of(check: Check, simulated: float) -> float | None:
    """How far from failing: 1 where it is as published, 0 where it just holds. What is not above 0 where a factor is
    allowed has none."""
    off = abs(simulated - check.published)
    if check.exact or check.tolerance == 0:
        return 1.0 if off == 0 else -off / abs(check.published or 1)
    if check.between is not None:
        return margin_in_range(check.between, check.published, simulated)
    if check.factor is not None:
        if simulated <= 0:
            return None
        return 1 - abs(math.log(simulated / check.published)) / math.log(check.factor)
    return left_of(check.tolerance * abs(check.published), off)


def margin_in_range(between: Sequence[float], published: float, simulated: float) -> float:
    """1 where it is as published, if that lies in the range. If it is an end ("at least three times"): by which share
    what was simulated would have to change to be there."""
    low, high = between
    from_low = apart(simulated, low) if published <= low else (simulated - low) / (published - low)
    from_high = apart(high, simulated) if published >= high else (high - simulated) / (high - published)
    return min(1.0, from_low, from_high)


def closest(scores: list[Score], count: int) -> list[Score]:
    """Those that hold, but are nearest to failing."""
    held = [score for score in scores if score.holds and score.margin is not None]
    return sorted(held, key=lambda score: score.margin)[:count]


def missing(scores: list[Score], required: list[str]) -> list[str]:
    """Of claims that must hold, those that do not: each with why."""
    by_id = {score.id: score for score in scores}
    found = []
    for claim in required:
        if claim not in by_id:
            found.append(f"{claim}: there is no such claim")
        elif by_id[claim].holds is None:
            found.append(f"{claim}: not run yet")
        elif not by_id[claim].holds:
            found.append(f"{claim}: does not hold: {by_id[claim].simulated} {by_id[claim].unit}".rstrip())
    return found


def _tolerance(check: Check) -> float | None:
    """As a relative one, the wider way; the note says how else it is meant."""
    if check.exact:
        return 0.0
    if check.factor is not None:
        return _rounded(check.factor - 1)
    if check.between is not None:
        return _rounded(max(abs(bound / check.published - 1) for bound in check.between))
    return check.tolerance


def _bound_in_words(check: Check) -> str:
    if check.factor is not None:
        return f"within a factor of {check.factor:g}"
    if check.between is not None:
        return f"above {check.between[0]:g} and below {check.between[1]:g}"
    return "exact" if check.exact else ""


def _in_words(also: Check, verdict: Verdict) -> str:
    word = also.measure.in_words() if verdict.holds else f"fails: {also.measure.in_words()}"
    if isinstance(verdict.simulated, str) or verdict.simulated is None:
        return f"{word}{verdict.simulated or verdict.note}"
    return f"{word}{verdict.simulated:g} {also.unit} against {also.published:g}".replace("  ", " ")


def _rounded(value: float | None) -> float | None:
    """To what is worth saying, so that the last bits of a sum do not show."""
    return None if value is None else float(f"{value:.6g}")


def scoreboard_json(scores: list[Score]) -> bytes:
    return (json.dumps({"claims": [asdict(score) for score in scores]}, indent=1, ensure_ascii=False) + "\n").encode()


@dataclass(frozen=True)
class MachineCount:
    """How much of a machine was fitted, and to how much else it then agrees."""

    machine: str
    fitted: int
    claims: Counter  # by kind; "predicts_holds" and its kin are those of them that hold, "predicts_open" those not run


COUNTED = {  # by the name of the column
    "calibrate": "calibrates",
    "calibrate_and_hold": "calibrates_holds",
    "predicted": "predicts",
    "predicted_and_hold": "predicts_holds",
    "inputs": "input",
    "held_out": "held-out",
    "held_out_and_hold": "held-out_holds",
}


def counts_csv(counts: list[MachineCount]) -> bytes:
    lines = [",".join(["machine", "fitted_parameters", *COUNTED])]
    for count in counts:
        kinds = [str(count.claims[kind]) for kind in COUNTED.values()]
        lines.append(",".join([count.machine, str(count.fitted), *kinds]))
    return ("\n".join(lines) + "\n").encode()


def count_by_machine(scores: list[Score], machine_of: dict[str, str]) -> list[MachineCount]:
    counts: dict[str, Counter] = {}
    for score in scores:
        counter = counts.setdefault(machine_of[score.experiment], Counter())
        counter[score.kind] += 1
        counter[f"{score.kind}_holds"] += score.holds is True
        counter[f"{score.kind}_open"] += score.holds is None
    return [MachineCount(name, fitted_parameters(name), counter) for name, counter in sorted(counts.items())]
