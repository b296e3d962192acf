"""DIR/report.html: every experiment's figure, with bands where a study was made, beside what its claims come to. A page
by itself: pictures are in it."""

import base64
import shlex
from collections.abc import Iterable
from html import escape
from pathlib import Path

from experiments.load import LoadedExperiment
from experiments.score import Score, closest, results_path
from experiments.uncertainty.kept import study_folder

# Figures are drawn on white, so they keep it where the page is dark.
STYLE = """:root { color-scheme: light dark; --line: #ccc; --quiet: #555; --fails: #fdd; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --quiet: #aaa; --fails: #5a2020; } }
body { font: 15px/1.45 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
h2 { margin-top: 2.5em; overflow-wrap: anywhere; } small { font-weight: normal; color: var(--quiet); }
img { max-width: min(100%, 46em); box-sizing: border-box; background: #fff; padding: 4px; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
td, th { text-align: left; vertical-align: top; padding: 3px 8px; border-bottom: 1px solid var(--line); }
td:first-child { white-space: nowrap; } td.states, td.note { min-width: 12em; }
.fails { background: var(--fails); } pre { white-space: pre-wrap; font: inherit; color: var(--quiet); }
nav ul { columns: 20em; padding-left: 1.2em; } code { overflow-wrap: anywhere; }"""
CLOSEST = 10
ALWAYS = ("claim", "states", "kind", "published", "simulated")


def report_html(experiments: Iterable[LoadedExperiment], scores: list[Score], out: Path) -> bytes:
    """Of what lies in the folder of results."""
    by_experiment: dict[str, list[Score]] = {}
    for score in scores:
        by_experiment.setdefault(score.experiment, []).append(score)
    sections = [(one, _section(one, by_experiment.get(one.data.name, []), out)) for one in experiments]
    shown = [one for one, section in sections if section]
    body = [_summary(scores), _contents(shown, by_experiment), *(section for _, section in sections if section)]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>hindcast: results</title><style>{STYLE}</style>"
    )
    page = "\n".join(["<h1>Results</h1>", *filter(None, body)])
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{page}\n</body></html>\n'.encode()


def _summary(scores: list[Score]) -> str:
    """How many claims hold, which do not, and which are nearest to that."""
    run = [score for score in scores if score.holds is not None]
    if not run:
        return ""
    held = [score for score in run if score.holds]
    parts = [f"<p>Of {len(scores)} claims {len(run)} were looked at: {len(held)} {_verb(len(held), 'hold')}.</p>"]
    if len(held) < len(run):
        parts.append(f"<p>Those that do not: {', '.join(_link(score) for score in run if not score.holds)}.</p>")
    if nearest := closest(scores, CLOSEST):
        told = ", ".join(f"{_link(score)} ({score.margin:.0%})" for score in nearest)
        parts.append(f"<p>Nearest to failing, with what is left of what is allowed: {told}.</p>")
    return "\n".join(parts)


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _link(score: Score) -> str:
    return f'<a href="#{escape(score.id)}">{escape(score.id)}</a>'


def _contents(shown: list[LoadedExperiment], by_experiment: dict[str, list[Score]]) -> str:
    items = []
    for one in shown:
        failing = sum(score.holds is False for score in by_experiment.get(one.data.name, []))
        fails = f" <small>({failing} {_verb(failing, 'fail')})</small>" if failing else ""
        items.append(f'<li><a href="#{escape(one.data.name)}">{escape(one.data.title)}</a>{fails}</li>')
    return "\n".join(["<nav><ul>", *items, "</ul></nav>"]) if items else ""


def _section(experiment: LoadedExperiment, scores: list[Score], out: Path) -> str:
    figure = _figure(experiment, out)
    if not figure and all(score.holds is None for score in scores):
        return ""
    name = escape(experiment.data.name)
    title = f'<h2 id="{name}">{escape(experiment.data.title)} <small>({name})</small></h2>'
    states = {claim.id: claim.states for claim in experiment.data.claim}
    return "\n".join(part for part in (title, figure, _table(scores, states)) if part)


def _figure(experiment: LoadedExperiment, out: Path) -> str:
    """The study's if there is one, which has the same lines; else how to make one."""
    plain = results_path(out, experiment.results_name).with_suffix(".png")
    banded = study_folder(out, experiment.results_name) / f"{experiment.data.name}.png"
    shown = banded if banded.exists() else plain
    if not shown.exists():
        return ""
    picture = base64.b64encode(shown.read_bytes()).decode()
    text = shown.with_name(f"{shown.stem}.caption.txt")
    parts = [f'<img alt="Figure: {escape(_described(experiment))}" src="data:image/png;base64,{picture}">']
    if text.exists():
        parts.append(f"<pre>{escape(text.read_text())}</pre>")
    if shown == plain and not experiment.is_comparison and len(experiment.data.machine.names) == 1:
        command = shlex.join(["hindcast", "uncertainty", experiment.data.machine.first, experiment.given])
        parts.append(f"<p>How sure its lines are: <code>{escape(command)}</code>, and then this page anew.</p>")
    return "\n".join(parts)


def _described(experiment: LoadedExperiment) -> str:
    """For who does not see it: what is drawn over what, and which lines there are. The caption says more."""
    figure = None if experiment.is_comparison else experiment.data.figure
    if figure is None:
        return experiment.data.title
    axes = "; ".join(f"{panel.y.label} over {figure.x.label}" for panel in figure.panel)
    every = [curve.name for curve in experiment.data.curve]
    drawn = {name for panel in figure.panel for name in panel.curves or panel.difference or every}
    lines = ", ".join(name for name in every if name in drawn)
    return f"{experiment.data.title}. {axes}. Curves: {lines}" if axes else experiment.data.title


def _table(scores: list[Score], states: dict[str, str]) -> str:
    """Columns of which nothing is known are left out."""
    if not scores:
        return ""
    has_shares = any(score.share is not None for score in scores)
    columns = (*ALWAYS, *(["of draws"] if has_shares else []), "holds", "left", "")
    head = "".join(f"<th>{column}</th>" for column in columns)
    rows = "\n".join(_row(score, states.get(score.id, ""), has_shares) for score in scores)
    return f'<div class="table"><table><tr>{head}</tr>\n{rows}</table></div>'


def _row(score: Score, states: str, has_shares: bool) -> str:
    holds = {True: "yes", False: "no", None: "not run"}[score.holds]
    margin = "" if score.margin is None else f"{score.margin:.0%}"
    values = [score.kind, _value(score, score.published), _value(score, score.simulated)]
    values += [*([score.of_draws()] if has_shares else []), holds, margin]
    cells = [f"<td>{escape(score.id)}</td>", f'<td class="states">{escape(states)}</td>']
    cells += [f"<td>{escape(value)}</td>" for value in values]
    cells.append(f'<td class="note">{escape(score.note)}</td>')
    fails = ' class="fails"' if score.holds is False else ""
    return f'<tr id="{escape(score.id)}"{fails}>{"".join(cells)}</tr>'


def _value(score: Score, value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.5g} {score.unit}".rstrip()
