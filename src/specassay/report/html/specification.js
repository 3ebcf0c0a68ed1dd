"use strict";
// The specification's text, with the verdicts in its margin.

const OPENED = 200; // scenarios that a filter may leave for all of them to be shown at once

const AT_ONCE = 60; // requirements that are laid out before the page shows; the others follow while it can be read

function specificationView(state) {
  const shown = shownImplementations(state);
  const results = found(state);
  const scenarios = results.reduce((sum, one) => sum + one.scenarios.length, 0);
  const open = (state.q || state.kind || state.verdict) && scenarios <= OPENED;
  const body = h("div", { class: "text" });
  const groups = grouped(results);
  const goal = groups.findIndex(([requirement]) => state.at && (state.at === requirement.id || requirement.statements.some((one) => one.id === state.at)));
  let specification;
  inPieces(groups, Math.max(AT_ONCE, goal + 5), ([requirement, ones]) => {
    if (requirement.specification !== specification) {
      specification = requirement.specification;
      body.append(specificationHeading(specification, shown));
    }
    body.append(h("section", { class: "requirement" }, requirementHeading(requirement, shown), ones.map((one) => statementRow(one, shown, open))));
  });
  if (!results.length) body.append(nothing());
  return h("div", { class: "with-contents" }, contents(groups, shown), body);
}

/** Gather what was found by requirement: a list of [requirement, what was found of it]. */
function grouped(results) {
  const groups = new Map();
  for (const one of results) {
    const owner = one.statement.requirement;
    if (!groups.has(owner)) groups.set(owner, []);
    groups.get(owner).push(one);
  }
  return [...groups];
}

let unfinished = { timer: 0, rest: [], work: () => {} };

/** Do something with each of many things: with the first ones now, with the others piece by piece; a new view ends it. */
function inPieces(things, first, work) {
  things.slice(0, first).forEach(work);
  unfinished = { timer: 0, rest: things.slice(first), work };
  const next = () => {
    unfinished.rest.splice(0, AT_ONCE / 3).forEach(work);
    if (unfinished.rest.length) unfinished.timer = setTimeout(next);
  };
  if (unfinished.rest.length) unfinished.timer = setTimeout(next);
}

/** Leave what is still to be laid out, or do it all at once. */
function endPieces(all) {
  clearTimeout(unfinished.timer);
  if (all) unfinished.rest.forEach(unfinished.work);
  unfinished.rest = [];
}

function nothing() {
  return h("p", { class: "nothing" }, "Nothing fits these filters. ", h("a", { href: address(unfiltered()) }, "Show everything"));
}

function unfiltered() {
  return Object.fromEntries(FILTERS.map((name) => [name, ""]));
}

function contents(groups, shown) {
  const list = h("ul");
  let specification;
  for (const [requirement] of groups) {
    if (requirement.specification !== specification) {
      specification = requirement.specification;
      list.append(h("li", { class: "specification" }, specification));
    }
    list.append(
      h("li", null,
        h("a", { href: address({ view: "specification", at: requirement.id }) },
          shown.map((number) => mark(requirement.words[number])), h("span", null, requirement.title)))
    );
  }
  return h("nav", { class: "contents", "aria-label": "Requirements" }, list);
}

/** Gather the implementations of which the same is said: a list of [what is said, their numbers]. */
function alike(shown, said) {
  const groups = new Map();
  for (const number of shown) {
    const words = said(number);
    groups.set(words, [...(groups.get(words) || []), number]);
  }
  return [...groups];
}

function namesOf(numbers) {
  return IMPLEMENTATIONS.length > 1 ? numbers.map((number) => IMPLEMENTATIONS[number].name).join(", ") : "";
}

/** Write verdicts into the margin, a line for each one, with the names of those that have it. */
function margin(shown, letterOf) {
  const lines = alike(shown, letterOf).map(([letter, numbers]) =>
    h("li", null, marked(letter, [VERDICTS[letter], h("span", { class: "names" }, " ", namesOf(numbers))])));
  return h("ul", { class: "margin" }, lines);
}

function specificationHeading(specification, shown) {
  return h("div", { class: "specification-heading row", "data-at": specification },
    h("h2", null, specification), margin(shown, (number) => IMPLEMENTATIONS[number].verdicts[specification]));
}

function requirementHeading(requirement, shown) {
  const said = (number) => {
    const absent = requirement.absent[number];
    return requirement.counts[number] + (absent.length ? ` (${absent.join(", ")} not declared)` : "");
  };
  const lines = alike(shown, said).map(([words, numbers]) => {
    const names = namesOf(numbers);
    return h("li", null, marked(requirement.words[numbers[0]], `${names}${names && ": "}${words}`));
  });
  return h("header", { "data-at": requirement.id },
    h("h3", null, h("a", { class: "anchor", href: address({ view: "specification", at: requirement.id }) }, requirement.title)),
    h("ul", { class: "counts" }, lines));
}

function statementRow({ statement, scenarios }, shown, open) {
  const number = statement.id.startsWith(statement.requirement.id + ".") ? statement.id.slice(statement.requirement.id.length + 1) : "";
  const level = { should: "SHOULD", may: "MAY", advice: "advice" }[statement.level];
  const restated = (statement.restates || []).map((id) =>
    h("li", null, "restates ", STATEMENTS.has(id) ? h("a", { href: address({ view: "specification", at: id }) }, id) : id));
  return h("article", { class: "row statement " + statement.level, "data-at": statement.id },
    h("a", { class: "number", href: address({ view: "specification", at: statement.id }), title: statement.id,
             "aria-label": `Statement ${statement.id}` }, number || "·"),
    h("div", { class: "words" },
      h("p", { class: "sentence" }, sentence(statement.sentence)),
      level || restated.length ? h("ul", { class: "notes" }, level && h("li", { class: "level" }, level), restated) : null,
      statement.byInspection && h("p", { class: "inspection" }, h("i", null, "By inspection. "), statement.byInspection),
      sourceList(statement)),
    margin(shown, (one) => statement.verdicts[one]),
    scenarioList(statement, scenarios, shown, open));
}

function scenarioList(statement, scenarios, shown, open) {
  if (!scenarios.length) return null;
  const all = statement.scenarios.length;
  const said = scenarios.length === all ? count(all, "scenario") : `${scenarios.length} of ${count(all, "scenario")}`;
  const details = h("details", null, h("summary", null, said, tallyOf(scenarios, shown)));
  const fill = () => {
    if (details.children.length > 1) return;
    details.append(h("ul", { class: "scenarios" }, scenarios.map((one) => scenarioRow(one, shown))));
  };
  details.addEventListener("toggle", fill);
  if (open) {
    fill();
    details.open = true;
  }
  return details;
}

/** Say beside a closed list what in it did not pass. */
function tallyOf(scenarios, shown) {
  const letters = scenarios.flatMap((one) => shown.map((number) => one.verdicts[number]));
  return ["f", "i"].filter((letter) => letters.includes(letter)).map((letter) =>
    marked(letter, `${letters.filter((one) => one === letter).length} ${VERDICTS[letter]}`));
}

function scenarioRow(scenario, shown) {
  const reasons = shown.filter((number) => scenario.reasons && scenario.reasons[number] && scenario.verdicts[number] !== "a");
  const notes = [scenario.kind, scenario.advice && scenario.kind !== "robustness" && "advice", scenario.unselected && "not selected"].filter(Boolean);
  return h("li", { "data-at": scenario.id },
    h("span", { class: "marks" }, shown.map((number) => mark(scenario.verdicts[number]))),
    h("span", null,
      h("a", { href: address({ id: scenario.id }) }, scenario.name), " ", h("small", null, notes.join(" · ")),
      reasons.map((number) => h("span", { class: "reason" }, shown.length > 1 && `${IMPLEMENTATIONS[number].name}: `, scenario.reasons[number]))));
}
