"use strict";
// The matrix, the gaps, the differences, and what is known of the run.

function statementLink(statement) {
  return h("a", { class: "sentence", href: address({ view: "specification", at: statement.id }) }, sentence(statement.sentence));
}

function matrixView(state) {
  const shown = shownImplementations(state);
  const groups = grouped(found(state));
  const body = h("div", { class: "matrix", "data-columns": String(Math.min(shown.length, 6)) }, levelTable(shown));
  body.append(h("div", { class: "columns", "aria-hidden": "true" },
    h("span", null, "Statement"), shown.map((number) => h("span", null, IMPLEMENTATIONS[number].name))));
  inPieces(groups, AT_ONCE, ([requirement, ones]) => body.append(matrixTable(requirement, ones, shown)));
  if (!groups.length) body.append(nothing());
  return body;
}

/** The totals: how many statements of each level every implementation passes. */
function levelTable(shown) {
  return h("ul", { class: "totals" }, shown.map((number) => {
    const one = IMPLEMENTATIONS[number];
    return h("li", null, h("b", null, one.name), " passed ", one.levels.join(", ") || "nothing: there are no statements");
  }));
}

function matrixTable(requirement, ones, shown) {
  const head = h("tr", null, h("th", { scope: "col" }, "Statement"), shown.map((number) => h("th", { scope: "col" }, IMPLEMENTATIONS[number].name)));
  const top = h("tr", { class: "requirement" },
    h("th", { scope: "row" }, h("a", { href: address({ view: "specification", at: requirement.id }) }, requirement.title), " ", h("small", null, requirement.specification)),
    shown.map((number) => h("td", { title: requirement.counts[number] }, marked(requirement.words[number], requirement.words[number]))));
  const rows = ones.map(({ statement }) =>
    h("tr", { class: statement.level },
      h("th", { scope: "row" }, statementLink(statement)),
      shown.map((number) => h("td", null, marked(statement.verdicts[number], VERDICTS[statement.verdicts[number]])))));
  return h("table", { class: "requirement" }, h("caption", { class: "unseen" }, requirement.title),
    h("colgroup", null, h("col"), shown.map(() => h("col"))), h("thead", { class: "unseen" }, head), h("tbody", null, top, rows));
}

function gapsView(state) {
  const shown = shownImplementations(state).map((number) => IMPLEMENTATIONS[number].name);
  const fitting = new Set(found(state).map((one) => one.statement.id));
  const sections = DATA.gaps.kinds.map((kind) => {
    const ones = kind.statements.filter(([id, ...names]) => fitting.has(id) && (!names.length || names.some((name) => shown.includes(name))));
    if (!ones.length) return null;
    const left = ones.length < kind.statements.length ? `, ${ones.length} shown` : "";
    return h("section", { class: "gap" },
      h("h2", null, kind.name[0].toUpperCase() + kind.name.slice(1), " ", h("small", null, `${kind.statements.length} of ${count(DATA.gaps.of, "statement")}${left}`)),
      h("p", { class: "meaning" }, kind.meaning),
      h("ul", { class: "plain" }, ones.map(([id, ...names]) => gapRow(STATEMENTS.get(id), names.filter((name) => shown.includes(name))))));
  });
  const open = sections.filter(Boolean);
  if (!open.length) {
    return DATA.gaps.kinds.length ? nothing() : h("p", { class: "nothing" }, `No gap: every one of ${count(DATA.gaps.of, "statement")} has a scenario that ran and made checks, wherever it applies.`);
  }
  return h("div", { class: "reading" }, open);
}

function gapRow(statement, names) {
  const reasons = new Set(names.flatMap((name) => {
    const number = IMPLEMENTATIONS.findIndex((one) => one.name === name);
    return statement.scenarios.filter((one) => "in".includes(one.verdicts[number])).map((one) => (one.reasons || {})[number]);
  }).filter(Boolean));
  return h("li", null, statementLink(statement),
    h("small", null, statement.id, names.length && IMPLEMENTATIONS.length > 1 ? ` · ${names.join(", ")}` : ""),
    statement.byInspection && h("p", { class: "inspection" }, statement.byInspection),
    [...reasons].slice(0, 3).map((reason) => h("p", { class: "inspection" }, reason)));
}

function differencesView(state) {
  const shown = shownImplementations(state).filter((number) => number !== BASE);
  const results = found({ ...state, verdict: "", impl: "" });
  const letter = Object.keys(VERDICTS).find((one) => VERDICTS[one] === state.verdict);
  const everywhere = results.filter(({ statement }) => [...statement.verdicts].every((one) => one === "f"));
  const parts = shown.map((number) => differencesOf(number, results, letter));
  const all = everywhere.length && !state.impl && (!letter || letter === "f")
    ? h("section", { class: "gap" }, h("h2", null, "Failed by every implementation ", h("small", null, `${everywhere.length} of ${count(results.length, "statement")}`)),
        h("p", { class: "meaning" }, "Look at the scenario first: a test that nobody passes may be wrong itself."),
        h("ul", { class: "plain" }, everywhere.map(({ statement }) => h("li", null, statementLink(statement), h("small", null, statement.id)))))
    : null;
  const base = state.impl === IMPLEMENTATIONS[BASE].name ? h("p", { class: "nothing" }, `The others are compared with ${state.impl}; choose another one, or all.`) : null;
  return h("div", { class: "reading" }, base, parts, all);
}

function differencesOf(number, results, letter) {
  const name = IMPLEMENTATIONS[number].name;
  const base = IMPLEMENTATIONS[BASE].name;
  const differing = results.filter(({ statement, scenarios }) =>
    (!letter || statement.verdicts[number] === letter || statement.verdicts[BASE] === letter) &&
    (statement.verdicts[number] !== statement.verdicts[BASE] || scenarios.some((one) => one.verdicts[number] !== one.verdicts[BASE])));
  const pairs = new Map();
  for (const { statement } of differing) {
    const pair = statement.verdicts[BASE] + statement.verdicts[number];
    pairs.set(pair, [...(pairs.get(pair) || []), statement]);
  }
  const order = [...pairs].sort(([a], [b]) => "fina-p".indexOf(a[1]) - "fina-p".indexOf(b[1]));
  return h("section", { class: "gap" },
    h("h2", null, `${name} beside ${base} `, h("small", null, `${differing.length} of ${count(results.length, "statement")} differ`)),
    differing.length ? null : h("p", { class: "meaning" }, "The same verdict everywhere."),
    order.map(([[was, is], statements]) =>
      h("details", { class: "pair", open: is !== "a" },
        h("summary", null, marked(was, `${base} ${VERDICTS[was]}`), h("span", { class: "arrow" }, "→"), marked(is, `${name} ${VERDICTS[is]}`),
          h("small", null, count(statements.length, "statement"), was === is ? ", in some of their scenarios" : "")),
        h("ul", { class: "plain" }, statements.map((statement) => differenceRow(statement, number))))));
}

function differenceRow(statement, number) {
  const ones = statement.scenarios.filter((one) => one.verdicts[number] !== one.verdicts[BASE]);
  const telling = ones.filter((one) => one.verdicts[number] !== "a" && one.verdicts[BASE] !== "a");
  return h("li", null, statementLink(statement), h("small", null, statement.id),
    telling.length ? h("ul", { class: "scenarios" }, telling.map((one) => scenarioRow(one, [BASE, number]))) : null);
}

function aboutView() {
  return h("div", { class: "reading about" },
    IMPLEMENTATIONS.map(aboutImplementation), aboutRun(), aboutEvidence(), aboutReadings(), aboutKeys());
}

function aboutImplementation(one) {
  const said = one.declared;
  const conventions = said && Object.entries(said.conventions).map(([key, value]) => `${key}: ${value}`).join(", ");
  return h("section", null, h("h2", null, one.name),
    terms([
      ["Statements", one.levels.length ? `${one.levels.join(", ")} passed` : ""],
      ["Driver", one.command], ["Declares", said && `${[said.name, said.version].filter(Boolean).join(" ")}, ${said.language}`],
      ["Surfaces", said && (said.surfaces.join(", ") || "none")], ["Optional operations", said && said.operations.join(", ")],
      ["Conventions", conventions], ["Isolation", said && said.isolation], ["Not started", one.failure], ["Broke off", one.broken],
      ["Required, not declared", one.missing.join(", ")],
      ["Suite", one.suite && `another version, ${one.suite.slice(0, 12)}: verdicts against an older text are shown and do not count`],
    ]),
    one.expectations.length ? [h("h3", null, "Expected failures"), h("ul", { class: "plain" }, one.expectations.map((known) =>
      h("li", null, h("b", null, known.outcome), " ", known.id, h("p", { class: "inspection" }, known.reason, known.detail ? ` (${known.detail})` : "")))) ] : null,
    one.diagnostics.length ? [h("h3", null, "Notes on the driver"), h("ul", { class: "plain" }, one.diagnostics.map((text) => h("li", null, h("code", null, text))))] : null);
}

function aboutRun() {
  const { settings } = DATA;
  return h("section", null, h("h2", null, "The run"), terms([
    ["Started", DATA.started], ["Took", `${DATA.seconds} s`], ["Interrupted", DATA.interrupted && "yes: what was not reached is not-run"],
    ["Scenarios", `${settings.selected} of ${settings.total} selected`], ["Order", settings.shuffled ? `shuffled with seed ${settings.seed}` : "as written"],
    ["Isolation", settings.isolated && "a process for each scenario"], ["Advice", settings.strict ? "counts (--strict)" : "decides nothing"],
    ["Suite", DATA.digest], ["Fixtures", DATA.fixtures], ["Written by", `specassay ${DATA.specassay}`],
  ]));
}

/** Say what of the evidence the page does not hold. */
function aboutEvidence() {
  const { left, longest } = DATA.evidence;
  const lines = [
    left.traffic && `the messages and HTTP exchanges of ${count(left.traffic, "scenario")} that passed or did not run`,
    left.story && `the steps and checks of ${count(left.story, "scenario")} that passed or did not run`,
    left.open && `a part of the evidence of what failed or was inconclusive, ${count(left.open, "time")}`,
    left.text && `the wording of ${count(left.text, "scenario")}`,
  ].filter(Boolean);
  return h("section", null, h("h2", null, "The evidence in this page"),
    h("p", null, lines.length ? `To stay small, this page leaves out ${lines.join("; ")}. ` : "This page holds the evidence of every scenario. ",
      `A single text is cut at ${longest.toLocaleString("en")} characters. The JSON report of the run holds what was recorded in full.`));
}

function aboutReadings() {
  if (!DATA.readings.length) return null;
  return h("section", null, h("h2", null, "How open points are read"),
    h("ol", { class: "readings" }, DATA.readings.map((one) => h("li", { value: one.id }, h("b", null, one.point), h("p", null, one.reading)))));
}

function aboutKeys() {
  return h("section", null, h("h2", null, "Keys"), terms([
    ["/", "search"], [`1 – ${VIEWS.length}`, "the views"], ["n, p", "the next and the previous scenario, of those that the filters leave"], ["Escape", "back from a scenario; out of the search"],
  ]));
}

function terms(pairs) {
  return h("dl", null, pairs.filter(([, value]) => value).map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}
