"use strict";
// What is asked for: the view and the filters. They live in the address, so that a link says all of it.

const VIEWS = [
  ["specification", "Specification"], ["matrix", "Matrix"], ["gaps", "Gaps"], ["suspects", "Suspects"],
  ["differences", "Differences"], ["about", "About this run"],
].filter(([name]) => (name !== "differences" || IMPLEMENTATIONS.length > 1) && (name !== "suspects" || DATA.trace));
const FILTERS = ["q", "spec", "kind", "verdict", "impl"];
const KINDS = ["transcribed", "derived", "robustness"];

let read = { hash: null, state: null };

/** Read the address; what it does not know is left out. */
function asked() {
  if (read.hash !== location.hash) read = { hash: location.hash, state: readAddress() };
  return read.state;
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const known = (name, values) => (values.includes(given.get(name)) ? given.get(name) : "");
  return {
    view: given.get("id") && BY_ID.has(given.get("id")) ? "scenario" : known("view", VIEWS.map(([name]) => name)) || "specification",
    id: given.get("id") || "",
    of: known("of", IMPLEMENTATIONS.map((one) => one.name)),
    at: given.get("at") || "",
    q: given.get("q") || "",
    spec: known("spec", DATA.specifications),
    kind: known("kind", KINDS),
    verdict: known("verdict", Object.values(VERDICTS)),
    impl: known("impl", IMPLEMENTATIONS.map((one) => one.name)),
  };
}

/** Write an address; `changes` are laid over what is asked for now. */
function address(changes) {
  const wanted = { ...asked(), id: "", of: "", at: "", ...changes };
  if (wanted.view === "scenario") wanted.view = "";
  const words = Object.entries(wanted).filter(([, value]) => value);
  return "#" + new URLSearchParams(words).toString();
}

/** Give the numbers of the implementations that are shown. */
function shownImplementations(state) {
  const all = IMPLEMENTATIONS.map((_, number) => number);
  return state.impl ? all.filter((number) => IMPLEMENTATIONS[number].name === state.impl) : all;
}

/** Find what the filters leave: the statements, in order, each with those of its scenarios that fit. */
function found(state) {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const letter = Object.keys(VERDICTS).find((one) => VERDICTS[one] === state.verdict);
  const shown = shownImplementations(state);
  const fits = (thing) =>
    words.every((word) => haystack(thing).includes(word)) &&
    (!letter || shown.some((number) => thing.verdicts[number] === letter));
  const result = [];
  for (const statement of STATEMENTS.values()) {
    if (state.spec && statement.requirement.specification !== state.spec) continue;
    const scenarios = statement.scenarios.filter((one) => (!state.kind || one.kind === state.kind) && fits(one));
    if (scenarios.length || (!state.kind && fits(statement))) result.push({ statement, scenarios });
  }
  return result;
}

/** Say whether anything but the view is asked for. */
function filtered(state) {
  return FILTERS.some((name) => state[name]);
}

/** Write the filters as words, for the line above the report and for print. */
function spokenFilters(state) {
  const parts = [];
  if (state.spec) parts.push(`of ${state.spec}`);
  if (state.kind) parts.push(`with a ${state.kind} scenario`);
  if (state.verdict) parts.push(state.verdict);
  if (state.impl) parts.push(`for ${state.impl}`);
  if (state.q) parts.push(`matching “${state.q}”`);
  return parts.join(", ");
}
