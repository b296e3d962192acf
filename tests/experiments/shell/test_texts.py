"""Names and titles that a user gives are shown as they are written."""

from rich.table import Table

from experiments.model_tables import _in_latex
from experiments.tables import print_whole


def test_brackets_in_a_name_are_no_style(capsys):
    table = Table("curve")
    table.add_row("[red]MPI[/b] :smile:")
    print_whole(table)
    assert "[red]MPI[/b] :smile:" in capsys.readouterr().out


def test_a_name_is_no_latex():
    assert _in_latex("50 % & x_1 #2 $ {~^\\}") == (
        r"50 \% \& x\_1 \#2 \$ \{\textasciitilde{}\textasciicircum{}\textbackslash{}\}"
    )
