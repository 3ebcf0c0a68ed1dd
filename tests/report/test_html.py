"""The HTML report, as a file."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from specassay.report import html
from specassay.report.html.evidence import LONGEST
from specassay.results.model import Results, Verdict
from tests.report import big, hostile
from tests.results import made


class _Elements(HTMLParser):
    """Collects the elements of a page, and what its scripts and styles hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("script", "style") and data.strip():
            self.raw.append((self.elements[-1][0], data))


def _data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def _chunks(data: dict[str, Any]) -> list[Any]:
    return [json.loads(gzip.decompress(base64.b64decode(one))) for one in data["evidence"]["chunks"]]


@pytest.fixture(scope="module")
def hostile_page() -> str:
    """Render hostile results."""
    return html.render(hostile.results())


def test_a_page_has_no_element_but_those_of_its_template(hostile_page: str) -> None:
    calm = html.render(made.results(made.record(made.all_passed())))
    assert [tag for tag, _ in _Elements(hostile_page).elements] == [tag for tag, _ in _Elements(calm).elements]


def test_a_page_refers_to_nothing_outside_itself(hostile_page: str) -> None:
    for tag, attributes in _Elements(hostile_page).elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    style = html._file("page.css")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_these_scripts_and_this_style_and_nothing_else(hostile_page: str) -> None:
    page = _Elements(hostile_page)
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.keys() == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    allowed = set(f"{rules['script-src']} {rules['style-src']}".split())
    held = {text for tag, text in page.raw if not text.startswith('{"')}
    assert allowed == {f"'sha256-{base64.b64encode(hashlib.sha256(t.encode()).digest()).decode()}'" for t in held}


def test_the_data_holds_every_text_and_no_sign_of_html(hostile_page: str) -> None:
    block = hostile_page.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(block)
    assert _data(hostile_page)["requirements"][0]["title"] == "Door" + hostile.ATTACK


def test_the_evidence_of_what_failed_is_whole() -> None:
    results = hostile.results()
    chunks = json.dumps(_chunks(_data(html.render(results))))
    failed = next(one for one in results.implementations[0].scenarios if one.verdict is Verdict.FAILED)
    for text in (failed.steps[0].text, failed.steps[0].checks[0].actual, failed.exchanges[0].body, failed.log):
        assert json.dumps(text)[1:-1] in chunks
    assert json.dumps(failed.messages[1].message) in chunks


def test_a_huge_text_is_cut_and_says_how_long_it_was() -> None:
    page = html.render(hostile.huge())
    assert len(page) < 400_000
    texts = json.dumps(_chunks(_data(page)), ensure_ascii=False)
    assert "x" * LONGEST + "… (1000000 characters)" in texts
    assert "x" * (LONGEST + 1) not in texts


def test_a_page_keeps_its_budget_and_says_what_it_leaves_out() -> None:
    results = big.results(300)
    whole, small = html.render(results), html.render(results, budget=260_000)
    assert _data(whole)["evidence"]["left"] == {"text": 0, "open": 0, "story": 0, "traffic": 0}
    assert len(small.encode()) <= 260_000 < len(whole.encode())
    data = _data(small)
    left = data["evidence"]["left"]
    assert left["open"] == 0
    assert left["traffic"] == data["evidence"]["traffic"][0].count(-2) > 0
    failed = [n for n, one in enumerate(results.implementations[0].scenarios) if one.verdict is Verdict.FAILED]
    assert failed
    assert all(data["evidence"][name][0][number] >= 0 for name in ("story", "traffic") for number in failed)


def test_a_page_is_the_same_for_the_same_results() -> None:
    results = made.results(made.record(made.all_passed()))
    assert html.render(results) == html.render(Results.model_validate_json(results.model_dump_json(by_alias=True)))
