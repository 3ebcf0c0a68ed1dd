"use strict";
// What an edit of a specification made stale, with what was lost on the way to the results.

const STATE_MARKS = { ok: "p", suspect: "i", orphaned: "f", missing: "n" };

function suspectsView(state) {
  const shown = shownImplementations(state).map((number) => IMPLEMENTATIONS[number].name);
  const totals = DATA.trace.implementations.filter((one) => shown.includes(one.name)).map((one) =>
    h("li", null, h("b", null, one.name), " ", one.levels.join("; "), h("br"), h("small", null, "not covered: ", one.gaps)));
  const parts = DATA.trace.specifications.filter((one) => !state.spec || one.id === state.spec).map((one) => driftOf(one, state));
  return h("div", { class: "reading" }, h("ul", { class: "totals" }, totals),
    DATA.trace.notes.map((note) => h("p", { class: "meaning" }, note)), parts);
}

function driftOf(specification, state) {
  const links = specification.links.filter((one) => !state.q || linkText(one).includes(state.q.toLowerCase()));
  return h("section", { class: "gap" },
    h("h2", null, specification.id),
    h("p", { class: "meaning" }, specification.states), h("p", { class: "meaning" }, "Scenarios: ", specification.scenarios),
    h("ul", { class: "plain" },
      specification.losses.map(([id, where]) => h("li", null, marked("f", "lost"), " ", id, h("p", { class: "inspection" }, where))),
      links.map(linkRow)));
}

function linkText(link) {
  link.text = link.text || [link.id, link.note, ...link.statements, ...link.difference.map(([, text]) => text)].join("\n").toLowerCase();
  return link.text;
}

function linkRow(link) {
  const statements = link.statements.map((id, number) =>
    [number ? ", " : "claimed by ", STATEMENTS.has(id) ? h("a", { href: address({ view: "specification", at: id }) }, id) : id]);
  return h("li", { class: "link" },
    marked(STATE_MARKS[link.state], link.state), " ", h("small", null, link.id, link.place ? ` · ${link.place}` : ""),
    link.note && h("p", { class: "inspection" }, link.note),
    h("p", { class: "difference" }, link.difference.map(([kind, text]) =>
      kind === "same" ? lines(text) : h(kind === "gone" ? "del" : "ins", null, lines(text)))),
    statements.length ? h("p", { class: "inspection" }, statements) : null);
}

/** Write a text of several lines. */
function lines(text) {
  return text.split("\n").map((line, number) => [number ? h("br") : null, line]);
}

/** Write the sentences of the specification behind a statement. */
function sourceList(statement) {
  if (!statement.sources) return null;
  return h("details", { class: "sources" }, h("summary", null, count(statement.sources.length, "sentence"), " of the specification"),
    h("ul", null, statement.sources.map(([state, place, text]) => h("li", null, marked(STATE_MARKS[state], state), " ", h("small", null, place), " ", text))));
}
