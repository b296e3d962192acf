"""The page of all figures and claims: what is told of each claim, and that it can be read anywhere."""

import re
from html.parser import HTMLParser

import pytest

from experiments.load import load, names
from experiments.score import Score
from plots.report import report_html

VOID = {"meta", "img"}


class Page(HTMLParser):
    """Which elements there are; whether all are closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def page(tmp_path):
    """page(**others): of the experiment of one claim that fails and one that just holds."""
    experiment = load(names()["ap1000-fig03"])
    picture = tmp_path / "ap1000-fig03" / "ap1000-fig03.png"
    picture.parent.mkdir()
    picture.write_bytes(b"a picture")
    picture.with_suffix(".caption.txt").write_text("n < 10,000 & more")

    def page_of(**others):
        def score(claim, holds, margin):
            values = (2.79, 2.8106, "MB/s", 0.007, 0.05, holds, "for <all>")
            return Score(claim, "ap1000-fig03", "calibrates", *values, margin=margin, **others)

        scores = [score("AP1000-05", True, 0.125), score("AP1000-08", False, -0.5)]
        return report_html([experiment], scores, tmp_path).decode()

    return page_of


def test_it_is_whole_and_fits_a_small_screen(page):
    found = Page(page())
    assert found.open == []
    assert ("html", {"lang": "en"}) in found.elements
    assert any(tag == "meta" and "width=device-width" in attrs.get("content", "") for tag, attrs in found.elements)
    assert ("div", {"class": "table"}) in found.elements  # it scrolls by itself, and not the page
    assert "n < 10,000 & more" in found.text and "for <all>" in found.text


def test_each_claim_says_what_it_states_and_how_far_it_is_from_failing(page):
    found = page()
    assert "transfer rate of MPI, from the slope" in found
    assert re.search(r'<tr id="AP1000-05">.*<td>2.79 MB/s</td><td>2.8106 MB/s</td><td>yes</td><td>12%</td>', found)
    assert re.search(r'<tr id="AP1000-08" class="fails">.*<td>no</td><td>-50%</td>', found)


def test_it_begins_with_what_fails_and_what_nearly_does(page):
    found = page()
    assert "Of 2 claims 2 were looked at: 1 holds." in Page(found).text
    assert 'Those that do not: <a href="#AP1000-08">AP1000-08</a>.' in found
    assert 'what is left of what is allowed: <a href="#AP1000-05">AP1000-05</a> (12%).' in found
    targets = {attrs["id"] for _, attrs in Page(found).elements if "id" in attrs}
    assert {attrs["href"][1:] for tag, attrs in Page(found).elements if tag == "a"} <= targets


def test_a_picture_says_what_is_drawn_to_who_does_not_see_it(page):
    (alt,) = [attrs["alt"] for tag, attrs in Page(page()).elements if tag == "img"]
    assert "Time of a round trip over Doubles sent" in alt
    assert "CellOS" in alt and "MPI" in alt


def test_shares_of_draws_have_a_column_if_there_are_any(page):
    assert "of draws" not in page()
    found = page(share=0.75, share_within=(0.6, 0.85))
    assert "<th>of draws</th>" in found and "<td>75% (60 to 85)</td>" in found
