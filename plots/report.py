"""DIR/report.html: every experiment's figure, with bands where a study was made, beside what its claims come to. A page
by itself: pictures are in it."""

import base64
from collections.abc import Iterable
from html import escape
from pathlib import Path

from experiments.load import LoadedExperiment
from experiments.score import Score, results_path
from experiments.uncertainty.kept import study_folder

STYLE = """body { font: 15px/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
img { max-width: 100%; } table { border-collapse: collapse; font-size: 13px; }
td, th { text-align: left; vertical-align: top; padding: 2px 8px; border-bottom: 1px solid #ccc; }
.fails { background: #fdd; } pre { white-space: pre-wrap; font: inherit; color: #444; }"""
COLUMNS = ("claim", "kind", "published", "simulated", "of draws", "holds", "")


def report_html(experiments: Iterable[LoadedExperiment], scores: list[Score], out: Path) -> bytes:
    """Of what lies in the folder of results."""
    by_experiment: dict[str, list[Score]] = {}
    for score in scores:
        by_experiment.setdefault(score.experiment, []).append(score)
    parts = [_section(one, by_experiment.get(one.data.name, []), out) for one in experiments]
    body = "\n".join(part for part in parts if part)
    head = f'<meta charset="utf-8"><title>hindcast: results</title><style>{STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n<h1>Results</h1>\n{body}\n</body></html>\n".encode()


def _section(experiment: LoadedExperiment, scores: list[Score], out: Path) -> str:
    figure = _figure(experiment, out)
    if not figure and all(score.holds is None for score in scores):
        return ""
    name = escape(experiment.data.name)
    title = f'<h2 id="{name}">{escape(experiment.data.title)} <small>({name})</small></h2>'
    return "\n".join(part for part in (title, figure, _table(scores)) if part)


def _figure(experiment: LoadedExperiment, out: Path) -> str:
    """The study's if there is one, which has the same lines; else how to make one."""
    plain = results_path(out, experiment.results_name).with_suffix(".png")
    banded = study_folder(out, experiment.results_name) / f"{experiment.data.name}.png"
    shown = banded if banded.exists() else plain
    if not shown.exists():
        return ""
    picture = base64.b64encode(shown.read_bytes()).decode()
    text = shown.with_name(f"{shown.stem}.caption.txt")
    parts = [f'<img alt="{escape(experiment.data.title)}" src="data:image/png;base64,{picture}">']
    if text.exists():
        parts.append(f"<pre>{escape(text.read_text())}</pre>")
    if shown == plain and not experiment.is_comparison and len(experiment.data.machine.names) == 1:
        command = f"hindcast uncertainty {experiment.data.machine.names[0]} {experiment.data.name}"
        parts.append(f"<p>How sure its lines are: <code>{escape(command)}</code>, and then this page anew.</p>")
    return "\n".join(parts)


def _table(scores: list[Score]) -> str:
    if not scores:
        return ""
    head = "".join(f"<th>{column}</th>" for column in COLUMNS)
    return f"<table><tr>{head}</tr>\n" + "\n".join(map(_row, scores)) + "</table>"


def _row(score: Score) -> str:
    holds = {True: "yes", False: "no", None: "not run"}[score.holds]
    share = "" if score.share is None else f"{score.share:.0%}"
    values = (score.id, score.kind, _value(score, score.published), _value(score, score.simulated), share, holds)
    cells = "".join(f"<td>{escape(value)}</td>" for value in (*values, score.note))
    return f'<tr class="fails">{cells}</tr>' if score.holds is False else f"<tr>{cells}</tr>"


def _value(score: Score, value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.5g} {score.unit}".rstrip()
