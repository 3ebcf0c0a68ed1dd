"use strict";
// Reads the data of the page into objects that the views use.

const DATA = JSON.parse(document.getElementById("data").textContent);
const IMPLEMENTATIONS = DATA.implementations;
const STATEMENTS = new Map();
const SCENARIOS = [];
const BY_ID = new Map();

for (const requirement of DATA.requirements) {
  for (const statement of requirement.statements) {
    statement.requirement = requirement;
    STATEMENTS.set(statement.id, statement);
    for (const scenario of statement.scenarios) {
      scenario.id = scenario.id.startsWith("/") ? statement.id + scenario.id : scenario.id;
      scenario.statement = statement;
      scenario.number = SCENARIOS.length;
      scenario.name = scenario.title + (scenario.case === undefined ? "" : ` [${scenario.case}]`);
      SCENARIOS.push(scenario);
      BY_ID.set(scenario.id, scenario);
    }
  }
}
IMPLEMENTATIONS.forEach((one) => (one.excused = new Set(one.excused)));
/** The implementation that others are compared with. */
const BASE = Math.max(0, IMPLEMENTATIONS.findIndex((one) => one.name === "reference"));

/** Give the text in which a search looks, made once. */
function haystack(thing) {
  if (thing.haystack === undefined) {
    const statement = thing.statement || thing;
    const own = thing.statement ? [thing.id, thing.name, ...Object.values(thing.reasons || {})] : [];
    const above = [statement.id, statement.sentence, statement.byInspection, statement.requirement.title];
    thing.haystack = [...own, ...above].join("\n").toLowerCase();
  }
  return thing.haystack;
}

/** Give the command that runs a scenario again with an implementation. */
function rerun(implementation, scenario) {
  const plain = /^[\w@%+=:,./-]+$/.test(scenario.id);
  const id = plain ? scenario.id : "'" + scenario.id.replaceAll("'", "'\"'\"'") + "'";
  const [before, after] = implementation.rerun;
  return before + id + after;
}

// An entry's place in its chunk is the count of those before it.
const PLACES = new Map();
(function place() {
  const counts = new Map();
  const { text, story, traffic } = DATA.evidence;
  for (const numbers of [text, ...story, ...traffic]) {
    PLACES.set(numbers, numbers.map((chunk) => {
      const before = counts.get(chunk) || 0;
      counts.set(chunk, before + 1);
      return before;
    }));
  }
})();
const LEFT_OUT = Symbol("left out to keep the page small");
const unpacked = new Map();

/** Unpack one entry: of `text`, or of one implementation's `story` or `traffic`; undefined where there is nothing. */
async function evidence(numbers, scenario) {
  const chunk = numbers[scenario.number];
  if (chunk === -1) return undefined;
  if (chunk === -2) return LEFT_OUT;
  if (!unpacked.has(chunk)) {
    const bytes = Uint8Array.from(atob(DATA.evidence.chunks[chunk]), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    unpacked.set(chunk, new Response(stream).text().then(JSON.parse));
  }
  return (await unpacked.get(chunk))[PLACES.get(numbers)[scenario.number]];
}
