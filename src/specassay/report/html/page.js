"use strict";
// Shows the view that the address asks for, and keeps the address up with the filters.

const SHOW = {
  specification: specificationView, matrix: matrixView, gaps: gapsView, suspects: suspectsView, differences: differencesView,
  about: aboutView, scenario: scenarioView,
};
const part = (id) => document.getElementById(id);
const place = { view: "", top: 0 };

function masthead() {
  const names = DATA.specifications;
  const between = (number) => (number === 0 ? "" : number === names.length - 1 ? " and " : ", ");
  const title = names.length ? names.map((one, number) => [between(number), h("span", null, one)]) : "No specification";
  const date = new Date(DATA.started);
  const outcome = (one) => (one.exit === 0 ? "p" : one.exit === 1 ? "f" : "i");
  put(part("masthead"), [
    h("p", { class: "kicker" }, h("span", null, "specassay"), " conformance report",
      h("time", { datetime: DATA.started }, date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }), " UTC"),
      h("span", { title: DATA.digest }, "suite ", DATA.digest.slice(0, 12))),
    h("h1", null, title),
    h("ul", { class: "outcomes" }, IMPLEMENTATIONS.map((one) =>
      h("li", null, mark(outcome(one), true), h("div", null,
        h("p", { class: "conclusion" }, one.conclusion),
        h("p", { class: "totals" }, one.failure ? one.failure : one.totals),
        one.suite && h("p", { class: "totals" }, `Run with another version of the suite, ${one.suite.slice(0, 12)}.`))))),
  ]);
}

function controls() {
  const choice = (name, label, values, every) =>
    h("label", null, h("span", null, label), h("select", { name }, h("option", { value: "" }, every), values.map((one) => h("option", { value: one }, one))));
  put(part("filters"), [
    h("label", { class: "search" }, h("span", null, "Search"), h("input", { type: "search", name: "q", placeholder: "a word, an id, a reason", spellcheck: "false" })),
    choice("spec", "Specification", DATA.specifications, "every one"),
    choice("kind", "Kind", KINDS, "every kind"),
    choice("verdict", "Verdict", Object.values(VERDICTS), "every verdict"),
    IMPLEMENTATIONS.length > 1 && choice("impl", "Implementation", IMPLEMENTATIONS.map((one) => one.name), "every one"),
    h("a", { class: "clear", href: "#" }, "Clear"),
  ]);
  let typed;
  part("filters").addEventListener("submit", (event) => event.preventDefault());
  part("filters").addEventListener("input", (event) => {
    clearTimeout(typed);
    typed = setTimeout(applyFilters, event.target.name === "q" ? 120 : 0);
  });
}

function applyFilters() {
  const form = part("filters").elements;
  const state = asked();
  const chosen = Object.fromEntries(FILTERS.filter((name) => form[name]).map((name) => [name, form[name].value]));
  history.replaceState(null, "", address({ ...chosen, view: state.view === "scenario" ? "specification" : state.view }));
  show();
}

function show() {
  const state = asked();
  const main = part("main");
  endPieces(false);
  if (place.view && place.view !== "scenario" && state.view === "scenario") place.top = scrollY;
  main.replaceChildren(SHOW[state.view](state));
  main.className = state.view;
  put(clear(part("views")), VIEWS.map(([name, title]) =>
    h("a", { href: address({ view: name }), "aria-current": state.view === name || (state.view === "scenario" && name === "specification") ? "page" : undefined }, title, badge(name))));
  reflect(state);
  const goal = state.at && main.querySelector(`[data-at="${CSS.escape(state.at)}"]`);
  main.querySelectorAll(".target").forEach((one) => one.classList.remove("target"));
  if (goal) {
    goal.classList.add("target");
    goal.scrollIntoView({ block: "start" });
  } else if (state.view === "scenario") main.scrollIntoView({ block: "start" });
  else if (place.view === "scenario") scrollTo(0, place.top);
  place.view = state.view;
}

function clear(element) {
  element.replaceChildren();
  return element;
}

function badge(name) {
  const gaps = DATA.gaps.kinds.reduce((sum, kind) => sum + kind.statements.length, 0);
  const open = { gaps, suspects: DATA.trace ? DATA.trace.open : 0 }[name];
  return open ? h("small", null, String(open)) : null;
}

/** Let the controls and the line under them say what is asked for. */
function reflect(state) {
  const form = part("filters").elements;
  for (const name of FILTERS) {
    if (form[name] && form[name].value !== state[name] && document.activeElement !== form[name]) form[name].value = state[name];
  }
  part("filters").querySelector(".clear").hidden = !filtered(state);
  part("filters").querySelector(".clear").href = address({ ...unfiltered(), view: state.view });
  part("filters").hidden = state.view === "about";
  part("shown").hidden = ["about", "scenario"].includes(state.view);
  if (part("shown").hidden) return;
  const results = found(state);
  const scenarios = results.reduce((sum, one) => sum + one.scenarios.length, 0);
  const those = filtered(state) ? ` (${spokenFilters(state)})` : "";
  part("shown").textContent = visible(filtered(state)
    ? `${results.length} of ${count(STATEMENTS.size, "statement")}, ${scenarios} of ${count(SCENARIOS.length, "scenario")}${those}`
    : `${count(STATEMENTS.size, "statement")}, ${count(SCENARIOS.length, "scenario")}`);
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  const search = part("filters").elements.q;
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (asked().view === "scenario") location.hash = address({ at: BY_ID.get(asked().id).statement.id });
  } else if (typing) return;
  else if (event.key === "/") {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key >= "1" && event.key <= String(VIEWS.length)) location.hash = address({ view: VIEWS[event.key - 1][0] });
  else if (event.key === "n" || event.key === "p") {
    const link = part("main").querySelector(`a[rel=${event.key === "n" ? "next" : "prev"}]`);
    if (link) location.hash = link.hash;
  }
}

/** Open what is folded for print, and fold it again afterwards. */
function printing() {
  let opened = [];
  addEventListener("beforeprint", () => {
    endPieces(true);
    opened = [...part("main").querySelectorAll(".evidence details:not([open])")];
    opened.forEach((one) => (one.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));
}

masthead();
controls();
put(part("foot"), ["specassay ", DATA.specassay, " · press / to search, 1 to ", String(VIEWS.length), " for the views · ", h("a", { href: address({ view: "about" }) }, "what this page holds")]);
addEventListener("hashchange", show);
addEventListener("keydown", keys);
printing();
show();
