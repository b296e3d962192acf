"""Tables of fitted models: as text, as CSV with every coefficient and line, and as LaTeX."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from experiments.fits.collective import Lines
from experiments.fits.names import GIVES, Metric
from experiments.modelled import Modelled, ModelSet
from experiments.units import factor

UNITS = {"t_s": "us", "t_b": "us/B", "t_c": "us/B"}
METRICS: tuple[tuple[Metric, str], ...] = (
    ("aggregated specific performance", "KiB/s"),
    ("aggregated bandwidth", "MiB/s"),
    ("half-peak length", "B"),
)
PEAKS: dict[Metric, str] = {
    "aggregated specific performance": "peak ag. pi_s (KB/s)",
    "aggregated bandwidth": "peak ag. Bw (MB/s)",
    "half-peak length": "least n1/2 (B)",
}
OF_MESSAGES = {  # of one number of processors there are no peaks
    "t_s(p) (us)": "t_s (us)",
    "t_b(p) (us/B)": "t_b (us/B)",
    "peak ag. pi_s (KB/s)": "pi_s (KB/s)",
    "peak ag. Bw (MB/s)": "Bw (MB/s)",
    "least n1/2 (B)": "n1/2 (B)",
}
DOWN_TO = 3  # operations; of more than that each has a line of its own, of fewer a column
COEFFICIENTS = ("operation", "part", "form", "coefficient", "value", "low", "high", "unit")
LINES = ("operation", "ranks", "part", "value", "low", "high", "fitted", "unit", "lengths", "worst_relative_error")


def rows(models: ModelSet) -> list[list[str]]:
    """A line for each operation, or a column if they are few, with formulas as a paper has them; the first line and
    column say what stands there."""
    of_messages = all(len(one.ranks) == 1 for one in models.modelled)
    is_as_in_papers = len(models.modelled) <= DOWN_TO
    has_arithmetic = any(one.model.computing for one in models.modelled)
    table = [_entries(one, has_arithmetic, is_as_in_papers and not of_messages) for one in models.modelled]
    names = list(table[0]) if table else ["operation"]
    head = [OF_MESSAGES.get(name, name) if of_messages else name for name in names]
    lines = [head, *(list(entries.values()) for entries in table)]
    return [list(line) for line in zip(*lines, strict=True)] if is_as_in_papers else lines


def _entries(one: Modelled, has_arithmetic: bool, has_formulas: bool) -> dict[str, str]:
    """What a table says of an operation, by what stands at the table's edge."""
    written = {part: fitted.written() for part, fitted in _parts(one).items()}
    entries = {"operation": one.name, "t_s(p) (us)": written["t_s"], "t_b(p) (us/B)": written["t_b"]}
    if has_arithmetic:
        entries["t_c(p) (us/B)"] = written.get("t_c", "")
    entries["worst error"] = f"{one.worst():.1%}"
    formulas = _formulas(one, written) if has_formulas else {}
    for metric, unit in METRICS:
        entries |= formulas.get(metric, {})
        found = one.metrics.extreme(metric, one.ranks)
        entries[PEAKS[metric]] = f"{found.value / factor(GIVES[metric], unit):.5g}{_where(found.ranks, one)}"
    if has_arithmetic:
        entries["r_cc"] = _r_cc(one)
    return entries


def _formulas(one: Modelled, written: dict[str, str]) -> dict[Metric, dict[str, str]]:
    """As functions of p: k1 and k2 make KB/s and MB/s of bytes a us."""
    t_s, t_b, carries = f"({written['t_s']})", f"({written['t_b']})", one.carries.text
    times = "" if carries == "1" else f" ({carries})"
    return {
        "aggregated specific performance": {"pi_s(p) (KB/s)": f"k1/{t_s}", "ag. pi_s(p) (KB/s)": f"k1{times}/{t_s}"},
        "aggregated bandwidth": {"Bw(p) (MB/s)": f"k2/{t_b}", "ag. Bw(p) (MB/s)": f"k2{times}/{t_b}"},
        "half-peak length": {"n1/2(p) (B)": _constant_length(one) or f"{t_s}/{t_b}"},
    }


def _constant_length(one: Modelled) -> str:
    """Where start-up and cost of a byte are in one proportion for all numbers of processors."""
    t_s, t_b = one.model.start_up, one.model.per_byte
    if t_s.form.text != t_b.form.text or len(t_s.coefficients) != 1:
        return ""
    (start_up,), (per_byte,) = t_s.coefficients.values(), t_b.coefficients.values()
    return f"{start_up / per_byte:.5g}"


def _where(ranks: int, one: Modelled) -> str:
    return f" (p = {ranks})" if len(one.ranks) > 1 else ""


def _r_cc(one: Modelled) -> str:
    """At the fewest and the most processors, if arithmetic takes time at all."""
    if one.model.computing is None:
        return ""
    ends = sorted({one.ranks[0], one.ranks[-1]})
    if (one.model.computing.at(ends) <= 0).any():
        return "-"
    return " to ".join(f"{value:.3g}" for value in one.metrics.values("r_cc", ends))


def _parts(one: Modelled) -> dict:
    parts = {"t_s": one.model.start_up, "t_b": one.model.per_byte, "t_c": one.model.computing}
    return {part: fitted for part, fitted in parts.items() if fitted is not None}


def latex(every: list[ModelSet], title: str) -> str:
    """A tabular for each set, to be put into a paper with booktabs."""
    return "\n".join(_tabular(models, title) for models in every)


def _tabular(models: ModelSet, title: str) -> str:
    head, *body = [[_in_latex(cell) for cell in line] for line in rows(models)]
    return "\n".join(
        [
            f"% {title}: {Path(models.machine).stem}{''.join(f', {value}' for value in models.values)}",
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\toprule",
            " & ".join(head) + r" \\",
            r"\midrule",
            *(" & ".join(line) + r" \\" for line in body),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


_WORDS = {
    "t_s(p) (us)": r"$t_s(p)$ ($\mu$s)",
    "t_b(p) (us/B)": r"$t_b(p)$ ($\mu$s/B)",
    "t_c(p) (us/B)": r"$t_c(p)$ ($\mu$s/B)",
    "peak ag. pi_s (KB/s)": r"$\pi_s^{pag}$ (KB/s)",
    "peak ag. Bw (MB/s)": r"$Bw_{as}^{pag}$ (MB/s)",
    "least n1/2 (B)": r"$n_{1/2}^{mag}$ (B)",
    "r_cc": r"$r_{cc}(p)$",
    "pi_s(p) (KB/s)": r"$\pi_s(p)$ (KB/s)",
    "ag. pi_s(p) (KB/s)": r"$\pi_s^{ag}(p)$ (KB/s)",
    "Bw(p) (MB/s)": r"$Bw_{as}(p)$ (MB/s)",
    "ag. Bw(p) (MB/s)": r"$Bw_{as}^{ag}(p)$ (MB/s)",
    "n1/2(p) (B)": r"$n_{1/2}(p)$ (B)",
    "t_s (us)": r"$t_s$ ($\mu$s)",
    "t_b (us/B)": r"$t_b$ ($\mu$s/B)",
    "pi_s (KB/s)": r"$\pi_s$ (KB/s)",
    "Bw (MB/s)": r"$Bw_{as}$ (MB/s)",
    "n1/2 (B)": r"$n_{1/2}$ (B)",
}


def _in_latex(cell: str) -> str:
    if cell in _WORDS:
        return _WORDS[cell]
    if found := re.fullmatch(r"(.+) \(p = (\d+)\)", cell):
        return f"{_in_latex(found[1])} ($p = {found[2]}$)"
    if re.fullmatch(r"(?:log2|ceil|floor|sqrt|k1|k2|[-+*/^().\dep ])+", cell) and re.search(r"\d", cell):
        return f"${_formula(cell)}$"
    return cell.translate(_ESCAPED)


_ESCAPED = str.maketrans(
    {letter: rf"\{letter}" for letter in "_%$&#{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
)


def _formula(text: str) -> str:
    text = re.sub(r"(\d)e([-+]?)0*(\d+)", r"\1 \\cdot 10^{\2\3}", text).replace("^{+", "^{")
    text = text.replace("k1", "k_1").replace("k2", "k_2")
    return text.replace("log2", r"\log_2").replace("sqrt", r"\sqrt").replace(" * ", r" \cdot ")


def coefficients_csv(every: list[ModelSet], keys: Iterable[str], head: Iterable[str]) -> bytes:
    """Every coefficient with its interval of 95 %, and every metric."""
    return _csv((*keys, *COEFFICIENTS), head, ((*models.values, *row) for models in every for row in _numbers(models)))


def _numbers(models: ModelSet) -> Iterator[tuple]:
    for one in models.modelled:
        for part, fitted in _parts(one).items():
            widths = _widths(fitted.squares.half_widths, len(fitted.coefficients))
            for (letter, value), width in zip(fitted.coefficients.items(), widths, strict=True):
                shown = _interval(value, width)
                yield (one.name, part, fitted.form.text, letter, *shown, UNITS[part])
        for metric, unit in METRICS:
            found = one.metrics.extreme(metric, one.ranks)
            value = f"{found.value / factor(GIVES[metric], unit):.6g}"
            yield (one.name, metric, f"at p = {found.ranks}", "", value, "", "", unit)


def lines_csv(every: list[ModelSet], keys: Iterable[str], head: Iterable[str]) -> bytes:
    """The line of each number of processors, beside what the forms say there."""
    return _csv((*keys, *LINES), head, ((*models.values, *row) for models in every for row in _lines(models)))


def _lines(models: ModelSet) -> Iterator[tuple]:
    for one in models.modelled:
        for index, (p, line) in enumerate(one.every.with_all.items()):
            for part, value, width in _values_at(one.every, index):
                fitted = f"{float(_parts(one)[part].at([p])[0]):.6g}"
                shown = _interval(value, width)
                worst = f"{line.squares.worst:.4g}"
                yield (one.name, p, part, *shown, fitted, UNITS[part], len(line.lengths), worst)


def _values_at(lines: Lines, index: int) -> Iterator[tuple[str, float, float]]:
    """What was found for one number of processors, with half the width of its interval: of a difference unknown."""
    whole = list(lines.with_all.values())[index]
    carried = list((lines.without or lines.with_all).values())[index]
    yield "t_s", whole.model.start_up, _widths(whole.squares.half_widths, 2)[0]
    yield "t_b", carried.model.per_byte, _widths(carried.squares.half_widths, 2)[1]
    if lines.without is not None:
        yield "t_c", float(lines.computing()[index]), float("nan")


def _widths(half_widths: np.ndarray | None, count: int) -> list[float]:
    return [float("nan")] * count if half_widths is None else [float(width) for width in half_widths]


def _interval(value: float, width: float) -> tuple[str, str, str]:
    if np.isnan(width):
        return f"{value:.6g}", "", ""
    return f"{value:.6g}", f"{value - width:.6g}", f"{value + width:.6g}"


def _csv(names: tuple[str, ...], head: Iterable[str], lines: Iterable[tuple]) -> bytes:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in head)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(names)
    table.writerows(lines)
    return text.getvalue().encode()
