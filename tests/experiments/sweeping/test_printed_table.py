"""Which of the texts that a program prints are tables."""

import pytest

from experiments.sweeping.printed_table import PrintedTable, table_in


@pytest.mark.parametrize(
    ("printed", "table"),
    [
        ("a,b\n1,2\n", PrintedTable(("a", "b"), (("1", "2"),))),
        ("1,x\na,b\n\na,b\ny, 2\n", PrintedTable(("a", "b"), (("1", "x"), ("y", "2")))),
        ("time_us\n1e3\n", PrintedTable(("time_us",), (("1e3",),))),
        ("a,b\n", PrintedTable(("a", "b"), ())),
        ('a,b\r\n1,"x\ny"\r\n', PrintedTable(("a", "b"), (("1", "x\ny"),))),
        ("", None),
        ("1,2\n", None),
        ("a,b\n1,2,3\n", None),
        ("a,b\n1\n", None),
        ("a,a\n1,2\n", None),
        ("a,b\nc,d\n1,2\n", None),
        ("the sum is 3\n", None),
        ("a,b\n1,2\nall is well\n", None),
        ("a,b\n1,nan\n", PrintedTable(("a", "b"), (("1", "nan"),))),
    ],
)
def test_what_is_a_table(printed, table):
    assert table_in(printed) == table
