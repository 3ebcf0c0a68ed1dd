"""The trace in the HTML report, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from specassay import catalogue
from specassay.report import html
from specassay.results.merge import Part
from specassay.trace import source
from specassay.trace.chain import Material, Text, build
from specassay.trace.evidence import suite_in
from specassay.trace.lock import load
from tests.report.browser import COMMAND, Page, browser
from tests.results import made
from tests.trace.toy import Project, shell_alone

pytestmark = pytest.mark.skipif(COMMAND is None, reason="Chromium is not installed: no `chromium` on the PATH")

HOSTILE = "The lock MUST hold. <img src=x onerror=alert(1)></script> It MUST \u202egnirts."


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Open the trace of a small project whose specification was edited."""
    project = Project(tmp_path_factory.mktemp("project"))
    project.edit("The door MUST lock.", "The door SHOULD lock by itself.")
    project.edit("The lock MUST hold.", HOSTILE)
    features = catalogue.load(project.features)
    lock = load("shell", project.features)
    assert lock is not None
    trace, results = build(
        Material(
            catalogue=features,
            suite=suite_in(project.features, features),
            locks={"shell": lock},
            texts={"shell": Text("spec.md", source.load(project.spec))},
            parts=[Part("all.json", shell_alone(made.results(made.record(made.all_passed()))))],
        )
    )
    file = project.root / "trace.html"
    file.write_text(html.render(results, trace=trace), "utf-8")
    with browser(tmp_path_factory.mktemp("profile")) as found:
        found.open(Path(file))
        yield found
        assert {url.partition("#")[0] for url in found.requests} <= {file.as_uri(), "about:blank"}
        assert found.complaints == []


def test_the_suspects_have_a_view_with_the_word_diff(page: Page) -> None:
    text = page.go("#view=suspects")
    assert "mine 3 of 5 MUST covered, 3 of 5 passed" in text
    assert "MUST became SHOULD" in text
    assert page.run("[...document.querySelectorAll('.difference del')].map((one) => one.textContent)")[0] == "MUST"
    assert page.run("[...document.querySelectorAll('.difference ins')].map((one) => one.textContent)")[0] == "SHOULD"


def test_a_suspect_leads_to_its_statement_where_the_sentence_is_shown(page: Page) -> None:
    page.go("#view=suspects")
    link = page.run("[...document.querySelectorAll('li.link a')].map((one) => one.hash)")[0]
    page.go(link)
    shown = page.run(
        "(() => { const one = document.querySelector('.target .sources'); one.open = true; return one.innerText; })()"
    )
    assert "suspect" in shown
    assert "The door MUST lock." in shown


def test_a_specification_runs_nothing_and_shows_everything(page: Page) -> None:
    text = page.go("#view=suspects&q=onerror")
    assert "<img src=x onerror=alert(1)></script> It MUST \\u202egnirts." in text
    assert page.run("document.querySelectorAll('#main img, #main script').length") == 0


def test_a_phone_needs_no_sideways_scrolling(page: Page) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
    page.go("#view=suspects")
    assert page.run("document.documentElement.scrollWidth") <= 360
    page.call("Emulation.clearDeviceMetricsOverride")
