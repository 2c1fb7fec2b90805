// The three pages of the desk: check in, desk, log. Each is drawn anew from what the phone knows.
import { button, h } from "./dom.js";
import { bare } from "./search.js";
import { amountOf, dayOf, exactTimeOf, listed, place, say, timeOf } from "./words.js";

const MOST_EXPECTED = 24;
const MOST_IN = 3;
const LATE_MS = 60000;

const row = (mark, name, meta, act, classes = "") =>
  h("li", { class: classes || null }, h("span", { class: "st" }, mark),
    h("span", {}, h("strong", {}, name), meta ? h("span", { class: "meta" }, meta) : null), act ?? h("span"));

const heading = (text, note) => h("div", { class: "roll-h" }, h("h2", {}, text), note ? h("span", {}, note) : null);
const meta = (...parts) => parts.filter(Boolean).join(", ");

const paidWords = (app, { cost, paid }) => {
  if (!cost) return "";
  return paid >= cost ? say("paid amount", { amount: amountOf(paid, app.model.setup) })
    : say("owes amount", { amount: amountOf(cost - paid, app.model.setup) });
};

const seatWords = (app, { id, seat }) => {
  if (seat) return say("the seat", { table: seat[0], seat: seat[1] });
  return app.room?.isSeated && !app.model.night.exitByEntry.has(id) ? say("no seat yet") : "";
};

// Players' phones that ask to be checked in: one tap, as the member of that name or as a guest.
const askingIn = (app) => {
  const asking = [...app.model.night.asks.values()].filter(({ id, entry }) =>
    entry === null && app.model.questions.some(({ kind, actions }) => kind === "wants_in" && actions[0] === id));
  if (!asking.length) return [];
  const row_ = ({ id, name }) => {
    const known = app.roster.find((person) => [person.name, ...person.others].some((each) => bare(each) === bare(name)));
    const member = known ? button(say("In"), () => app.enter({ ...known, ask: id }), { about: known.name, key: `ask ${id}` }) : null;
    const guest = button(known ? say("Guest", { name }) : say("In"), () => app.enter({ name, id: null, others: [], ask: id }), { about: name, key: `guest ${id}` });
    return row("", name, known && bare(known.name) !== bare(name) ? known.name : "", h("span", { class: "two-acts" }, guest, member));
  };
  return [heading(say("asks in"), ""), h("ul", { class: "roll" }, asking.map(row_))];
};

// Check in: who is in, newest first and those who owe; then who is expected.
export const checkIn = (app) => {
  const { model } = app;
  const came = [...model.night.entries.values()].reverse();
  const owing = new Set(model.owing.map(({ id }) => id));
  const shown = app.showsAll ? came : came.filter(({ id }, i) => i < MOST_IN || owing.has(id));
  const rows = shown.map((entry) => {
    const n = came.length - came.indexOf(entry);
    const words = meta(timeOf(entry.at_ms), seatWords(app, entry), entry.number > 1 && say("second entry", { n: entry.number }), paidWords(app, entry));
    const isWaiting = owing.has(entry.id);
    const act = isWaiting ? button(say("Paid"), () => app.pay(entry), { about: entry.name })
      : app.mayUndo(entry.id) ? button(say("Undo"), () => app.undo(entry.id), { about: entry.name }) : null;
    return row(String(n), entry.name, words, act, isWaiting ? "wait" : "");
  });
  const expected = app.expected();
  return [
    ...askingIn(app),
    came.length ? heading(say("In heading"), say("in", { n: model.stillIn.length })) : h("p", { class: "empty" }, say("nobody")),
    h("ul", { class: "roll" }, rows),
    came.length > shown.length
      ? h("p", { class: "all" }, button(say("All players", { n: came.length }), () => app.showAll(), { class: "act" })) : null,
    expected.length ? heading(say("Expected"), priceWords(app)) : null,
    h("ul", { class: "tapped" }, expected.slice(0, MOST_EXPECTED).map((person) =>
      h("li", {}, h("button", { type: "button", "data-key": `in ${person.id}`, onclick: () => app.enter(person) },
        `${person.name} `, h("small", {}, lately(person)))))),
  ];
};

const priceWords = (app) => (app.model.setup.cost ? say("paid amount", { amount: amountOf(app.model.setup.cost, app.model.setup) }) : "");
const lately = ({ answer, last }) => (answer === "yes" ? say("the says yes") : last ? dayOf(last) : say("new"));

// Desk: who is in, with Out at the thumb; who is out, with the way back.
export const desk = (app) => {
  const { model } = app;
  const { stillIn } = model;
  if (app.several) return app.more.several(app);
  const isCash = model.setup.format === "cash";
  const names = [...stillIn].sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang));
  return [
    stillIn.length ? heading(say("In heading"), say("of entries", { n: model.nEntries })) : h("p", { class: "empty" }, say("nobody")),
    h("ul", { class: "roll" }, names.map((entry) => inRow(app, entry))),
    stillIn.length > 2 && app.more && !isCash ? h("p", { class: "all" }, button(say("Several"), () => app.startSeveral(), { class: "act" })) : null,
    model.gone.length ? heading(say("Out heading"), "") : null,
    h("ul", { class: "roll" }, model.gone.map((each) => goneRow(app, each))),
  ];
};

const inRow = (app, entry) => {
  const isOpen = app.opened === entry.id;
  const isLast = app.model.stillIn.length === 1;
  const isCash = app.model.setup.format === "cash";
  const act = h("span", { class: "two-acts" },
    button(say(isOpen ? "Less" : "More"), () => app.open(entry.id), { about: entry.name, key: `more ${entry.id}`, "aria-expanded": String(isOpen) }),
    isCash ? (isOpen ? null : button(say("Cash out"), () => app.open(entry.id), { about: entry.name }))
      : isLast ? null : button(say("Out"), () => app.out(entry), { about: entry.name, key: `out ${entry.id}` }));
  const words = meta(seatWords(app, entry), entry.number > 1 && say("second entry", { n: entry.number }), entry.cost > entry.paid && paidWords(app, entry));
  const item = row("", entry.name, words, act, isOpen ? "chosen" : "");
  if (!isOpen) return item;
  item.append(h("div", { class: "tapped in-row" }, app.more?.acts(app, entry)));
  return item;
};

export const goneRow = (app, { entry, exit }) => {
  const hasCashed = entry.cashed !== null;
  const words = meta(hasCashed && app.more?.balanceOf(app, entry), timeOf(exit.at_ms), entry.by && say("by", { name: app.model.nameOf(entry.by) }), app.room?.wonBy(entry.id), app.from(exit.action));
  const acts = h("span", { class: "two-acts" },
    button(say("Re-entry"), () => app.reenter(entry), { about: entry.name }),
    app.mayUndo(exit.action) ? button(say("Bring back"), () => app.undo(exit.action), { about: entry.name }) : null);
  const isFresh = app.isFresh(exit.action);
  const ask = entry.by || hasCashed ? null : button(say("By whom"), () => app.askBy(exit), { about: entry.name, class: "act" });
  return row(hasCashed ? "" : place(app.model.places.get(entry.id)), entry.name, [words, " ", ask].filter(Boolean), acts, isFresh ? "gone fresh" : "gone");
};

// What an action says, in words.
export const wordsOf = (app, { kind, body }) => {
  const { model } = app;
  const name = (id) => model.nameOf(id);
  const names = (ids) => listed(ids.map(name));
  const make = {
    setup: () => say("log setup"),
    clock: () => say({ start: "log start", pause: "log pause", resume: "log resume" }[body.op] ?? "log clock"),
    levels: () => say("log levels"),
    seed: () => `${say("log seed")}: ${body.sha256.slice(0, 16)}`,
    draw: () => say("log draw", { names: names(body.seats.map(([id]) => id)) }),
    move: () => say("log move", { names: names(body.moves.map(([id]) => id)) }),
    button: () => say("log button", { table: body.table, name: body.entry ? name(body.entry) : "–" }),
    ask_in: () => say("log ask_in", { name: body.name }),
    ask_out: () => say("log ask_out", { name: name(body.entry) }),
    seen_move: () => say("log seen_move", { name: name(body.entry) }),
    enter: () => say("log enter", { name: body.name }),
    out: () => say("log out", { names: names(body.groups.flat()) }),
    by: () => say("log by", { name: name(body.target), by: body.by ? name(body.by) : say("Nobody saw") }),
    buy: () => say("log buy", { name: name(body.entry), what: say(body.kind === "rebuy" ? "Rebuy" : "Add-on") }),
    cash_out: () => say("log cash_out", { name: name(body.entry), amount: amountOf(body.amount, model.setup) }),
    envelope: () => say("log envelope", { name: name(body.entry), amount: amountOf(body.amount, model.setup) }),
    bonus: () => say("log bonus", { name: name(body.entry), n: body.points, reason: body.reason ?? "" }),
    stacks: () => say("log stacks", { names: names(Object.keys(body.stacks)) }),
    pay: () => say("log pay", { name: name(body.entry), amount: amountOf(body.paid, model.setup) }),
    tie: () => say("log tie", { names: names(body.targets) }),
    chop: () => say("log chop"),
    note: () => say("log note", { text: body.text }),
    settle: () => say("log settle"),
    admit: () => (body.kind ? `${say("log admit")}: ${wordsOf(app, { kind: body.kind, body: body.body ?? {} })}` : say("log admit")),
    order: () => say("log order", { what: model.byId.has(body.target) ? wordsOf(app, model.byId.get(body.target)) : "–" }),
  };
  try {
    return (make[kind] ?? (() => say("log other", { kind })))();
  } catch {
    return say("log other", { kind }); // a body of another form than this version knows
  }
};

// Log: everything that was recorded, the newest first, by the time it happened.
export const log = (app, most = Infinity) => {
  const { model } = app;
  const shown = model.actions.filter(({ kind }) => kind !== "void").reverse().slice(0, most);
  if (!shown.length) return [h("p", { class: "empty" }, say("empty log"))];
  return [h("ol", { class: "acts" }, shown.map((action) => logRow(app, action)))];
};

const logRow = (app, action) => {
  const { model } = app;
  const isUndone = model.undone.has(action.id);
  const isBig = ["out", "enter", "tie", "chop"].includes(action.kind);
  const words = meta(
    app.deviceName(action),
    action.waits && say("waits"),
    action.received_ms - action.at_ms > LATE_MS && say("late", { time: timeOf(action.received_ms) }),
    action.is_unsure && say("unsure"),
    isUndone && say("undone by", { device: app.undoneBy(action.id) }),
  );
  const acts = h("span", { class: "two-acts" });
  if (action.kind === "out" && !isUndone && app.isOrganizer) {
    acts.append(button("↑", () => app.more?.move(app, action.id, 1), { about: say("Later"), key: `later ${action.id}` }),
      button("↓", () => app.more?.move(app, action.id, -1), { about: say("Earlier"), key: `earlier ${action.id}` }));
  }
  if (app.mayUndo(action.id) && action.kind !== "setup") {
    acts.append(button(say(isUndone ? "Redo" : "Undo"), () => (isUndone ? app.redo(action.id) : app.undo(action.id)),
      { about: wordsOf(app, action), key: `void ${action.id}` }));
  }
  const classes = [isUndone && "void", action.is_unsure && "unsure", isBig && "big", action.waits && "waits-here"].filter(Boolean);
  return h("li", { class: classes.join(" ") || null }, h("time", {}, exactTimeOf(action.at_ms)),
    h("span", {}, h("p", {}, wordsOf(app, action)), h("span", { class: "meta" }, words)), acts);
};

// Questions of the log, for whoever runs the night.
export const asks = (app) => {
  const confirming = app.confirming ? [app.confirming] : [];
  const changed = app.changedPlaces.map(({ id, name, before, now }) =>
    ask(say("another place", { name, place: place(now), before: place(before) }), "",
      [button(say("Right"), () => app.dismiss(id), { about: name })]));
  const questions = app.isOrganizer ? app.model.questions.map((each) => question(app, each)) : [];
  return [...confirming, ...changed, ...questions];
};

export const ask = (text, why, choices) =>
  h("li", {}, h("p", {}, h("b", {}, text), why ? h("span", { class: "why-ask" }, ` ${why}`) : null),
    h("div", { class: "choices" }, choices));

const question = (app, { id, kind, actions, entries, choices }) => {
  const named = (kind === "by" ? entries.slice(0, 1) : entries).map((each) => (app.model.entry(each) ? app.model.nameOf(each) : each));
  const key = kind === "by" ? "by question" : kind;
  const label = (choice) => {
    const source = app.model.byId.get(actions[choice === "first" ? 0 : 1]);
    if (["yes", "set_back"].includes(choice)) return say(choice);
    if (choice === "ignore") return say(["wants_in", "says_out", "after_closing", "late_clock"].includes(kind) ? "Leave it" : "ignore");
    if (!source) return say("ignore");
    return `${timeOf(source.at_ms)}, ${app.deviceName(source)}`;
  };
  return ask(say(key, { names: listed([...new Set(named)]) }), "",
    choices.map((choice) => button(label(choice), () => app.settle(id, choice), { key: `${id} ${choice}` })));
};

// What was found for a typed name; a new name comes last, as a guest.
export const found = (app) => {
  const several = app.typedNames();
  if (several.length > 1) {
    const act = button(say("In"), () => app.enterAll(several), { about: listed(several), key: "in all" });
    return [h("ul", { class: "found" }, h("li", {}, h("span", {}, h("strong", {}, say("in", { n: several.length })), h("span", { class: "meta" }, listed(several))), act))];
  }
  const rows = app.found().map(({ person, other, isNear }) => {
    const entry = app.entryOf(person);
    const words = meta(other && say("is called", { name: other }), isNear && say("near"),
      person.last && say("played", { day: dayOf(person.last) }));
    const state = entry && app.model.night.exitOf(entry);
    const act = !entry ? button(say("In"), () => app.enter(person), { about: person.name })
      : state ? button(say("Re-entry"), () => app.reenter(entry), { about: person.name })
        : button(say("Out"), () => app.out(entry), { about: person.name });
    return h("li", {}, h("span", {}, h("strong", {}, person.name), h("span", { class: "meta" }, meta(entry && !state && say("is in"), words))), act);
  });
  const name = app.typed();
  const isKnown = app.found().some(({ rank }) => rank === 0);
  if (name && !isKnown) {
    rows.push(h("li", {}, h("span", {}, h("strong", {}, say("Guest", { name })), h("span", { class: "meta" }, say("guest hint"))),
      button(say("In"), () => app.enter({ name, id: null, others: [] }), { about: name })));
  }
  if (name) {
    rows.push(h("li", {}, h("span", {}, h("span", { class: "meta" }, say("log note", { text: name }))),
      button(say("Note"), () => app.note(name), { about: name })));
  }
  return rows.length ? [h("ul", { class: "found" }, rows)] : [];
};
