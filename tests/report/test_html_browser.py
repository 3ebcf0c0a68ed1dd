"""The HTML report in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import pytest

from specassay.report import console, html
from specassay.report import json as json_report
from specassay.report.scenario import rerun
from specassay.results.drivers import EMBEDDED
from specassay.results.model import Results, Verdict
from specassay.visible import visible
from tests.report import big, hostile
from tests.report.browser import COMMAND, Page, browser
from tests.results import made

pytestmark = pytest.mark.skipif(COMMAND is None, reason="Chromium is not installed: no `chromium` on the PATH")

VIEWS = ("specification", "matrix", "gaps", "differences", "about")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Give a page of a browser that the tests of this module share."""
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Iterator[Any]:
    """Give a function that opens results in the page; afterwards nothing may have been asked for or objected to."""
    page.requests.clear()
    page.complaints.clear()

    def call(results: Results, fragment: str = "") -> Page:
        file = tmp_path / "report.html"
        file.write_text(html.render(results), "utf-8")
        page.open(file, fragment)
        return page

    yield call
    assert {url.partition("#")[0] for url in page.requests} <= {(tmp_path / "report.html").as_uri(), "about:blank"}
    assert page.complaints == []


def _two(**but: Verdict) -> Results:
    """Make results of two implementations: the reference passes everything, the other one differs as told."""
    return made.results(made.record(made.all_passed(**but)), made.record(made.all_passed(), driver=EMBEDDED))


def test_a_hostile_file_runs_nothing_and_shows_everything(opened: Any) -> None:
    results = hostile.results()
    page = opened(results)
    shown = ""
    ids = [scenario.id for scenario in results.suite.scenarios()]
    addresses = [f"#view={view}" for view in VIEWS] + [f"#id={_quoted(id_)}" for id_ in ids]
    for address in addresses:
        shown += page.go(address)
        page.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        shown += page.run("new Promise((done) => setTimeout(() => done(document.body.innerText)))")
        assert page.run("window.hacked") is None
        assert (
            page.run("document.querySelectorAll('main :is(img, script, iframe, object, embed, style, link)').length")
            == 0
        )
        assert page.run("document.querySelectorAll('[src], main [href]:not([href^=\"#\"])').length") == 0
    failed = next(one for one in results.implementations[0].scenarios if one.verdict is Verdict.FAILED)
    step = failed.steps[0]
    outside = [
        results.implementations[0].conclusion,
        results.suite.requirements[0].title,
        next(results.suite.statements()).sentence,
        next(results.suite.scenarios()).title,
        results.suite.readings[0].reading,
        step.text,
        step.checks[0].claim,
        failed.reason or "",
        failed.exchanges[0].target,
        failed.exchanges[0].note or "",
        results.implementations[0].diagnostics[0],
        results.implementations[0].broken or "",
    ]
    for text in outside:
        assert visible(text) in shown, text
    for text in (step.checks[0].actual, failed.exchanges[0].answer or "", failed.log.rpartition("\n")[2]):
        assert visible(text) in shown, text
    assert not set("\u202e\x1b\x00") & set(shown)


def test_the_numbers_are_those_of_the_console_and_of_the_json_report(opened: Any) -> None:
    results = _two(opens=Verdict.FAILED, locks=Verdict.INCONCLUSIVE, squeak=Verdict.FAILED)
    page = opened(results)
    printed = click.unstyle(console.render(results))
    text = page.go("#view=specification&impl=mine")
    written = json.loads(json_report.render(results))
    for told in written["implementations"]:
        assert told["conclusion"] in printed
        assert told["conclusion"] in text
    totals = re.findall(r"^\d+ scenarios, .*$", printed, re.MULTILINE)
    assert len(totals) == 2
    assert all(line in text for line in totals)
    counts = re.findall(r"\d+ of \d+ MUST statements? passed.*", printed.partition("=== reference")[0])
    assert len(counts) == len(results.suite.requirements)
    assert all(line.strip() in text for line in counts)
    (record,) = (one for one in written["implementations"] if one["name"] == "mine")
    levels = {s["id"]: s["level"] for r in written["suite"]["requirements"] for s in r["statements"]}
    musts = [id_ for id_, level in levels.items() if level == "must"]
    passed = [id_ for id_ in musts if record["verdicts"].get(id_) == "passed"]
    assert f"{len(passed)} of {len(musts)} MUST" in page.go("#view=matrix")


def test_every_statement_stands_in_its_order_with_its_verdicts(opened: Any) -> None:
    results = _two(locks=Verdict.FAILED)
    page = opened(results)
    rows = page.run(
        "[...document.querySelectorAll('.statement')].map((one) => [one.dataset.at,"
        " one.querySelector('.sentence').textContent, one.querySelector('.margin').innerText])"
    )
    statements = list(results.suite.statements())
    assert [row[:2] for row in rows] == [[one.id, one.sentence] for one in statements]
    by_id = {row[0]: row[2].split("\n") for row in rows}
    assert by_id["shell/door.1"] == ["passed mine, reference"]
    assert by_id["shell/door.2"] == ["failed mine", "passed reference"]
    assert by_id["shell/door.4"] == ["by inspection mine, reference"]


def test_a_scenario_shows_its_evidence_and_how_to_run_it_again(opened: Any) -> None:
    evil = hostile.results()
    calm = made.played(made.FOR_BOB, Verdict.FAILED).model_copy(
        update={"messages": evil.implementations[0].scenarios[1].messages, "exchanges": (made.exchange(),)}
    )
    record = made.record({**made.all_passed(), made.FOR_BOB: calm})
    results = made.results(record)
    text = opened(results).go(f"#id={_quoted(made.FOR_BOB)}")
    assert rerun(results, record, made.FOR_BOB) in text
    for words in ("the door is open", '"open"', '"shut"', "POST /v1/chat/completions", "It opens for a visitor [bob]"):
        assert words in text
    assert "Reading 2, where the specification is open" in text


def test_the_address_holds_the_view_and_the_filters(opened: Any) -> None:
    results = _two(locks=Verdict.FAILED, opens=Verdict.FAILED)
    address = "#view=specification&verdict=failed&spec=shell&impl=mine&q=lock"
    page = opened(results, address)
    found = page.run("[...document.querySelectorAll('.statement')].map((one) => one.dataset.at)")
    assert found == ["shell/door.2"]
    said = page.run("document.getElementById('shown').textContent")
    assert said.startswith("1 of 8 statements, 1 of 9 scenarios")
    assert page.run("[...document.querySelectorAll('#filters [name]')].map((one) => one.value)") == [
        *("lock", "shell", "", "failed", "mine"),
    ]
    page.run(
        "(() => { const one = document.querySelector('[name=kind]'); one.value = 'robustness';"
        "one.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )
    after = "new Promise((done) => { const look = () => asked().kind ? done(asked()) : setTimeout(look, 5); look(); })"
    state = page.run(after)
    assert [state[name] for name in ("view", "spec", "verdict", "impl", "q", "kind")] == [
        *("specification", "shell", "failed", "mine", "lock", "robustness"),
    ]
    assert "Nothing fits these filters" in page.run("document.body.innerText")


def test_choosing_whose_evidence_is_shown_filters_nothing(opened: Any) -> None:
    page = opened(_two(locks=Verdict.FAILED))
    assert '"shut"' in page.go(f"#verdict=failed&id={_quoted(made.LOCKS)}")
    page.run("document.querySelectorAll('.tabs a')[1].click()")
    assert '"shut"' not in page.go(f"#{page.run('location.hash.slice(1)')}")
    state = page.run("asked()")
    assert (state["of"], state["impl"], state["verdict"]) == ("reference", "", "failed")


def test_differences_are_told_from_the_reference(opened: Any) -> None:
    page = opened(_two(locks=Verdict.FAILED, holds=Verdict.INCONCLUSIVE))
    text = page.go("#view=differences")
    assert "mine beside reference" in text
    assert "2 of 8 statements differ" in text
    assert "The door MUST lock" in text
    assert "The lock MUST hold" in text
    assert "The door MUST open" not in text


def test_gaps_are_named_with_their_denominator(opened: Any) -> None:
    page = opened(made.results(made.record(made.all_passed(holds=Verdict.INCONCLUSIVE))))
    text = page.go("#view=gaps")
    assert "Inconclusive 1 of 7 statements" in text
    assert "By inspection 1 of 7 statements" in text
    assert "Nobody sees the wood from outside." in text
    assert "No scenario" not in text


def test_every_verdict_has_a_mark_of_its_own_and_a_word(opened: Any) -> None:
    page = opened(
        _two(opens=Verdict.FAILED, locks=Verdict.INCONCLUSIVE, holds=Verdict.NOT_RUN, other=Verdict.INAPPLICABLE)
    )
    found = page.run(
        "[...document.querySelectorAll('.statement .margin .marked')].map((one) =>"
        " [one.querySelector('span').firstChild.textContent, one.querySelector('use').getAttribute('href')])"
    )
    shapes = dict(found)
    assert len(shapes) == len(set(shapes.values())) == 6


def test_the_keyboard_is_enough(opened: Any) -> None:
    page = opened(_two())

    def press(key: str) -> None:
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    press("2")
    assert page.run("location.hash") == "#view=matrix"
    press("/")
    assert page.run("document.activeElement.name") == "q"
    press("Escape")
    assert page.run("document.activeElement.name") is None
    page.go(f"#id={_quoted(made.OPENS)}")
    press("n")
    assert page.run("asked().id") == made.FOR_ANN
    press("Escape")
    assert page.run("asked().at") == "shell/door.1"
    unreachable = page.run(
        "[...document.querySelectorAll('a, summary, input, select')].filter((one) => one.tabIndex < 0).length"
    )
    assert unreachable == 0


def test_a_phone_needs_no_sideways_scrolling(opened: Any) -> None:
    page = opened(_two(locks=Verdict.FAILED))
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True)
    try:
        for address in (*(f"#view={view}" for view in VIEWS), f"#id={_quoted(made.LOCKS)}"):
            page.go(address)
            assert page.run("document.documentElement.scrollWidth") <= 360, address
    finally:
        page.call("Emulation.clearDeviceMetricsOverride")


def test_light_and_dark_can_both_be_read(opened: Any) -> None:
    page = opened(_two(opens=Verdict.FAILED, locks=Verdict.INCONCLUSIVE, holds=Verdict.NOT_RUN))
    for scheme in ("light", "dark"):
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert page.run(_FAINTEST) >= 4.5, scheme
    page.call("Emulation.setEmulatedMedia", features=[])


_FAINTEST = """
(() => {
  const luminance = (colour) => colour.match(/\\d+(\\.\\d+)?/g).slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  return Math.min(...[...document.querySelectorAll("body *")].filter((one) => one.childNodes.length && one.innerText)
    .map((one) => luminance(getComputedStyle(one).color))
    .map((ink) => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)));
})()
"""


def test_print_shows_the_text_without_the_controls(opened: Any) -> None:
    page = opened(_two(locks=Verdict.FAILED))
    page.call("Emulation.setEmulatedMedia", media="print")
    text = page.run("document.body.innerText")
    page.call("Emulation.setEmulatedMedia", media="")
    assert "The door MUST lock" in text
    assert "every verdict" not in text
    assert len(page.call("Page.printToPDF")["data"]) > 10_000


def test_ten_thousand_scenarios_open_and_filter_within_a_second(page: Page, tmp_path: Path) -> None:
    results = big.results(10_000)
    written = html.render(results)
    assert len(written.encode()) < 5_000_000
    file = tmp_path / "report.html"
    file.write_text(written, "utf-8")
    assert min(_opening(page, file) for _ in range(3)) < 1000
    for address in ("#verdict=failed", "#q=twice+context", "#spec=spec-3", "#view=matrix"):
        assert min(page.run(_FILTERING % json.dumps(address)) for _ in range(3)) < 1000, address
    page.go("#view=specification")
    shown = page.run(
        "new Promise((done) => { const look = () => unfinished.rest.length ? setTimeout(look, 20)"
        " : done(document.querySelectorAll('.statement').length); look(); })"
    )
    assert shown == sum(1 for _ in results.suite.statements())


def _opening(page: Page, file: Path) -> float:
    page.open(file)
    taken: float = page.run("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    return taken


_FILTERING = """
new Promise((done) => {
  const begun = performance.now();
  history.replaceState(null, "", %s);
  show();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
})
"""


def _quoted(id_: str) -> str:
    return quote(id_, safe="")
