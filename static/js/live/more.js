// What a desk does less often than in and out: several in one hand, purchases, chips, bonus points, leaving a cash table.
import { button, h } from "./dom.js";
import { wordsOf } from "./views.js";
import { amountOf, place, pointsOf, say, timeOf } from "./words.js";

const MOST_REASON = 120;

const row = (mark, name, act, classes = null) =>
  h("li", { class: classes }, h("span", { class: "ord" }, mark), h("span", {}, h("strong", {}, name)), act);

// Several in one hand: numbers in the order of the taps, and ties.
export const several = (app) => {
  const chosen = app.several;
  const numberOf = new Map(chosen.flatMap((group, i) => group.map((id) => [id, i + 1])));
  const names = app.model.stillIn.toSorted((a, b) => a.name.localeCompare(b.name, document.documentElement.lang));
  const rows = names.map((entry) => {
    const n = numberOf.get(entry.id);
    if (!n) return row("", entry.name, button(say("Out"), () => choose(app, entry.id), { about: entry.name, key: `choose ${entry.id}` }));
    const group = chosen[n - 1];
    const isFirstOfAll = n === 1 && group[0] === entry.id;
    const isTied = group.length > 1 && group[0] !== entry.id;
    return row(String(n), entry.name, h("span", { class: "two-acts" },
      isFirstOfAll ? null : button(say(isTied ? "No tie" : "Tie"), () => tieChosen(app, entry.id), { about: entry.name }),
      button(say("Leave out"), () => choose(app, entry.id), { about: entry.name, key: `choose ${entry.id}` })), "chosen");
  });
  return [
    h("p", { class: "small quiet" }, say("Several help")),
    h("ul", { class: "roll" }, rows),
    h("div", { class: "choices" },
      numberOf.size ? button(say("Put out", { n: numberOf.size }), () => app.outSeveral(), { class: "main btn" }) : null,
      button(say("Cancel"), () => app.startSeveral(false))),
  ];
};

const choose = (app, id) => {
  const has = app.several.some((group) => group.includes(id));
  app.several = has ? app.several.map((group) => group.filter((each) => each !== id)).filter((group) => group.length)
    : [...app.several, [id]];
  app.draw();
};

const tieChosen = (app, id) => {
  const i = app.several.findIndex((group) => group.includes(id));
  const others = app.several[i].filter((each) => each !== id);
  if (others.length) app.several.splice(i, 1, others, [id]);
  else app.several.splice(i - 1, 2, [...app.several[i - 1], id]);
  app.draw();
};

// One line of a row that is opened: what is typed, and the button that records it.
const line = (entry, kind, { label, name = entry.name, numeric = true, value = "", second = null }, record) => {
  const input = (key, words, more) => h("label", {}, h("span", { class: "small" }, words), h("input", { "data-key": `${kind} ${key} ${entry.id}`, autocomplete: "off", ...more }));
  const first = input("one", label, numeric ? { inputmode: "decimal", size: "7", value, maxlength: "12" } : {});
  const other = second ? input("two", second, { maxlength: String(MOST_REASON), size: "12" }) : null;
  const submit = (event) => {
    event.preventDefault();
    const [one, two] = [first, other].map((each) => each?.querySelector("input").value.trim() ?? "");
    document.activeElement?.blur();
    record(one, two);
  };
  return h("form", { class: "typed", onsubmit: submit }, first, other, h("button", { "aria-label": `${say(kind)} ${name}` }, say(kind)));
};

// A number as people type it, in whole units of what is counted; null if it is none.
const typedNumber = (text, decimals = 0) => {
  const plain = text.normalize("NFKC").replace("−", "-").replace(/(?<=\d)[ ,'’](?=\d{3}(\D|$))/g, "").replace(",", ".");
  const scaled = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) * 10 ** decimals : NaN;
  const whole = Math.round(scaled);
  return Number.isSafeInteger(whole) && Math.abs(whole - scaled) < 1e-6 ? whole : null;
};

const notUnderstood = (app, text) => app.tell(say("not a number", { text }), "", null, []);

const cashOut = (app, entry) => async (text) => {
  const { setup } = app.model;
  const amount = typedNumber(text, setup.decimals ?? 0);
  if (amount === null || amount < 0) { notUnderstood(app, text); return; }
  const id = await app.record("cash_out", { entry: entry.id, amount });
  app.opened = "";
  app.tell(`${entry.name}: ${amountOf(amount, setup)}`, say("balance", { amount: signed(amount - entry.cost, setup) }), id, []);
};

const signed = (amount, setup) => `${amount > 0 ? "+" : amount < 0 ? "−" : ""}${amountOf(Math.abs(amount), setup)}`;

// What somebody leaves a cash table with, beside what was put in.
export const balanceOf = (app, { cashed, cost }) => signed(cashed - cost, app.model.setup);

const giveBonus = (app, entry) => async (text, reason) => {
  const points = typedNumber(text);
  if (!points) { notUnderstood(app, text); return; }
  const id = await app.record("bonus", reason ? { entry: entry.id, points, reason } : { entry: entry.id, points });
  app.opened = "";
  app.tell(`${entry.name}: ${pointsOf(String(points))}`, reason, id, []);
};

const countChips = (app, entry) => async (text) => {
  const chips = typedNumber(text);
  if (chips === null || chips < 0) { notUnderstood(app, text); return; }
  const id = await app.record("stacks", { stacks: { [entry.id]: chips } });
  app.tell(`${entry.name}: ${say("in chips", { n: chips })}`, "", id, []);
};

// What can be done about somebody who is in, beside Out.
export const acts = (app, entry) => {
  const { setup, night } = app.model;
  const isCash = setup.format === "cash";
  const buys = [["rebuy", "Rebuy"], ["addon", "Add-on"]].filter(([kind]) => setup[kind]).map(([kind, word]) =>
    button(`${say(word)} ${amountOf(setup[kind], setup)}`, () => app.buy(entry, kind), { about: entry.name }));
  const chips = night.stacks[entry.id];
  return [
    isCash ? line(entry, "Cash out", { label: say("leaves with") }, cashOut(app, entry)) : null,
    ...buys,
    entry.cost > entry.paid ? button(say("Paid"), () => app.pay(entry), { about: entry.name }) : null,
    entry.paid && entry.cost ? button(say("Not paid yet"), () => app.unpay(entry), { about: entry.name }) : null,
    app.mayUndo(entry.id) ? button(say("Wrong person"), () => app.undo(entry.id), { about: entry.name }) : null,
    app.isOrganizer && !isCash ? line(entry, "Count", { label: say("chips counted"), value: chips === undefined ? "" : String(chips) }, countChips(app, entry)) : null,
    app.isOrganizer && !isCash ? line(entry, "Bonus", { label: say("bonus points"), second: say("what for") }, giveBonus(app, entry)) : null,
  ];
};

// Beside the desk on a laptop: who owes, and who is out.
export const wing = ({ model }) => [
  model.owing.length ? h("section", {}, h("h2", {}, say("Owes")), h("ul", { class: "list" }, model.owing.map((entry) =>
    h("li", {}, entry.name, h("span", { class: "v" }, amountOf(entry.cost - entry.paid, model.setup)))))) : null,
  model.gone.length ? h("section", {}, h("h2", {}, say("Out heading")), h("ol", { class: "list" }, model.gone.map(({ entry, exit }) =>
    h("li", {}, `${place(model.places.get(entry.id))} ${entry.name}`, h("span", { class: "v" }, timeOf(exit.at_ms)))))) : null,
];

// Move a fact before or after its neighbour in time.
export const move = (app, id, step) => {
  const facts = app.model.standing.filter(({ kind }) => kind === "out");
  const i = facts.findIndex((each) => each.id === id);
  const next = step > 0 ? facts[i + 2] : facts[i - 1];
  if (i < 0 || (step < 0 && !next) || (step > 0 && i === facts.length - 1)) return null;
  return app.record("order", next ? { target: id, before: next.id } : { target: id });
};

// The taps that wait, as text that the page of waiting taps reads back in.
export const copy = async (app) => {
  const lines = app.model.raws.filter(({ waits }) => waits).map((raw) => {
    const { id, counter, kind, body, tap_ms, offset_ms, seen } = raw;
    return `${timeOf(raw.at_ms)} ${wordsOf(app, raw)}  ${JSON.stringify({ id, counter, kind, body, tap_ms, offset_ms, seen, device: app.device.device })}`;
  });
  const text = [say("text heading", { device: app.device.name }), ...lines].join("\n");
  await navigator.clipboard.writeText(text);
  app.said = say("Copied");
  app.draw();
};

// The keyboard of a laptop does everything.
export const pressed = (app, event) => {
  const search = document.getElementById("search");
  const isTyping = event.target.closest?.("input, textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { app.clearSearch(); search.blur(); return; }
  if (isTyping || (event.key === " " && event.target.closest?.("button, a, summary"))) return;
  const goTo = (view) => () => { location.hash = view; };
  const act = { o: goTo("desk"), i: goTo("in"), c: goTo("clock"), " ": () => app.stopOrGoOn(), u: () => app.undoLast(), "/": () => search.focus() }[event.key.toLowerCase()];
  if (act) { event.preventDefault(); act(); }
  else if (/^\p{L}$/u.test(event.key)) search.focus();
};
