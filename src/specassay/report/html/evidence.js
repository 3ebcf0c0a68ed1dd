"use strict";
// One scenario's evidence: what was said, checked, sent and answered.

function scenarioView(state) {
  const scenario = BY_ID.get(state.id);
  const statement = scenario.statement;
  const shown = shownImplementations({ impl: state.of || state.impl });
  const number = shown.length === 1 ? shown[0] : telling(scenario, shown);
  const body = h("div", { class: "evidence" });
  const needs = [...(scenario.surfaces || []), ...(scenario.operations || [])];
  const place = `features/${scenario.file || statement.requirement.id + ".feature"}:${scenario.line}`;
  const view = h("article", { class: "reading scenario" },
    h("p", { class: "way" }, h("a", { href: address({ at: statement.id }) }, statement.requirement.specification, " › ", statement.requirement.title)),
    h("blockquote", null, h("p", { class: "sentence" }, sentence(statement.sentence)), h("small", null, statement.id)),
    h("h2", null, scenario.name),
    h("p", { class: "about-scenario" }, [scenario.kind, scenario.advice && "advice: decides nothing", place, needs.length && `needs ${needs.join(", ")}`].filter(Boolean).join(" · ")),
    h("nav", { class: "tabs", "aria-label": "Implementations" }, IMPLEMENTATIONS.map((one, at) =>
      h("a", { href: address({ id: scenario.id, of: one.name }), "aria-current": at === number ? "true" : undefined },
        marked(scenario.verdicts[at], [one.name, " ", VERDICTS[scenario.verdicts[at]]])))),
    body, neighbours(scenario, state));
  fillEvidence(body, scenario, number).catch((error) => {
    body.append(h("p", { class: "nothing" }, `The evidence cannot be unpacked in this browser (${error.message}); a current one can.`));
  });
  return view;
}

/** Choose whose evidence is shown first: of the first implementation that failed, or else of the first one. */
function telling(scenario, shown) {
  return shown.find((number) => "fi".includes(scenario.verdicts[number])) ?? shown[0];
}

async function fillEvidence(body, scenario, number) {
  const one = IMPLEMENTATIONS[number];
  const [text, story, traffic] = await Promise.all([
    evidence(DATA.evidence.text, scenario), evidence(DATA.evidence.story[number], scenario), evidence(DATA.evidence.traffic[number], scenario),
  ]);
  const reason = (story && story.reason) || (scenario.reasons && scenario.reasons[number]);
  const earlier = scenario.earlier && VERDICTS[scenario.earlier[number]];
  put(body, [
    reason && h("p", { class: "verdict-line" }, marked(scenario.verdicts[number], reason)),
    one.excused.has(scenario.id) && h("p", { class: "note" }, "This failure was expected."),
    scenario.earlier && scenario.earlier[number] !== "-" && h("p", { class: "note" }, `It was ${earlier} against an older text of the suite; that does not count. What follows is of that run.`),
    story === LEFT_OUT ? leftOut("steps and checks") : story && story.steps && stepsOf(story.steps),
    traffic === LEFT_OUT ? leftOut("messages and HTTP exchanges") : traffic && [messagesOf(traffic.messages), exchangesOf(traffic.exchanges)],
    story && story.log && section("The driver’s log", h("pre", null, story.log)),
    readingsOf(scenario),
    text && text !== LEFT_OUT && folded("As it is written", h("pre", null, text), !(story && story.steps)),
    section("Run it again", h("pre", { class: "command" }, rerun(one, scenario))),
  ]);
}

function leftOut(what) {
  return h("p", { class: "note" }, `The ${what} are left out to keep this page small; the JSON report of the run has them.`);
}

function section(title, ...children) {
  return h("section", null, h("h3", null, title), children);
}

function folded(title, child, open) {
  return h("details", { class: "folded", open }, h("summary", null, title), child);
}

function stepsOf(steps) {
  const words = { passed: "p", failed: "f", undecided: "i", skipped: "a" };
  let before = "";
  return section("Steps", h("ol", { class: "steps" }, steps.map((step) => {
    const keyword = step.keyword === before ? "And" : step.keyword;
    before = step.keyword;
    return h("li", { class: step.status },
      mark(words[step.status]),
      h("div", null, h("p", null, h("b", null, keyword), " ", step.text),
        step.reason && step.status !== "passed" && h("p", { class: "reason" }, step.reason),
        (step.checks || []).map(checkOf)));
  })));
}

function checkOf(check) {
  if (check.passed) return h("p", { class: "check" }, mark("p", true), h("span", null, check.claim, ": ", h("code", null, shortened(check.actual))));
  const [expected, actual] = apart(check.expected, check.actual);
  return h("div", { class: "check broken" }, h("p", null, mark("f"), check.claim),
    h("dl", null, h("dt", null, "expected"), h("dd", null, expected), h("dt", null, "actual"), h("dd", null, actual)));
}

function shortened(text) {
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

/** Set two texts side by side with the part in which they differ marked. */
function apart(expected, actual) {
  const least = Math.min(expected.length, actual.length);
  let start = 0;
  while (start < least && expected[start] === actual[start]) start += 1;
  let end = 0;
  while (end < least - start && expected.at(-1 - end) === actual.at(-1 - end)) end += 1;
  const whole = start + end < 3; // nothing in common worth showing
  return [expected, actual].map((text) =>
    h("pre", null, whole ? text : [text.slice(0, start), h("mark", null, text.slice(start, text.length - end)), text.slice(text.length - end)]));
}

function messagesOf(messages) {
  if (!messages || !messages.length) return null;
  return section("Driver messages", h("ol", { class: "traffic" }, messages.map((one) => {
    const to = one.sender === "harness";
    const said = one.message;
    const object = said !== null && typeof said === "object" && !Array.isArray(said);
    const what = !object ? "a line that is no message" : "method" in said ? String(said.method) : "error" in said ? "error" : "result";
    const id = object && "id" in said ? `#${said.id}` : "";
    const bad = !object || "error" in said;
    return h("li", { class: to ? "to" : "from" }, unfolding(one.at, to ? "to the driver" : "from the driver", to ? "→" : "←",
      [h("b", { class: bad ? "bad" : undefined }, shortened(what)), " ", h("small", null, id, " ", preview(said))], said));
  })));
}

/** Give the beginning of what a message carries. */
function preview(said) {
  const carried = said === null || typeof said !== "object" ? said : said.params ?? said.error ?? said.result ?? "";
  return (typeof carried === "string" ? carried : JSON.stringify(carried)).slice(0, 200);
}

function unfolding(at, spoken, arrow, title, content) {
  const details = h("details", null, h("summary", null,
    h("time", null, Number(at || 0).toFixed(3)), h("span", { class: "arrow", role: "img", "aria-label": spoken }, arrow), h("span", null, title)));
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  details.append(h("pre", null, text));
  return details;
}

function exchangesOf(exchanges) {
  if (!exchanges || !exchanges.length) return null;
  return section("HTTP", h("ol", { class: "traffic" }, exchanges.map((one) => {
    const end = one.fault || (one.status === undefined || one.status === null ? "no answer" : String(one.status));
    const details = h("details", null, h("summary", null,
      h("time", null, Number(one.at || 0).toFixed(3)), h("span", { class: "server" }, one.server),
      h("span", null, h("b", null, one.method), " ", shortened(one.target), " ", h("b", { class: one.fault ? "bad" : undefined }, end), one.note ? h("small", null, ` ${one.note}`) : null)));
    put(details, [
      h("h4", null, "Headers"), h("pre", null, one.headers.map(([name, value]) => `${name}: ${value}`).join("\n")),
      one.body && [h("h4", null, "Sent"), h("pre", null, pretty(one.body))],
      one.answer && [h("h4", null, "Answered"), h("pre", null, pretty(one.answer))],
    ]);
    return h("li", null, details);
  })));
}

/** Indent JSON; anything else stays as it is. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function readingsOf(scenario) {
  const ones = DATA.readings.filter((one) => (scenario.readings || []).includes(one.id));
  return ones.map((one) => section(`Reading ${one.id}, where the specification is open`, h("p", null, h("b", null, one.point)), h("p", null, one.reading)));
}

/** Link what comes before and after, among what the filters leave. */
function neighbours(scenario, state) {
  const all = found({ ...state, view: "specification" }).flatMap((one) => one.scenarios);
  const at = all.indexOf(scenario);
  const link = (one, relation, words) => one && h("a", { rel: relation, href: address({ id: one.id }) }, h("small", null, words), one.name);
  if (at < 0) return null;
  return h("nav", { class: "neighbours", "aria-label": "Other scenarios" }, link(all[at - 1], "prev", "Previous"), link(all[at + 1], "next", "Next"));
}
