// The desk of a night on one device.
import { Model } from "./actions.js";
import { button, h, redraw } from "./dom.js";
import { newId } from "./ids.js";
import { bare, search } from "./search.js";
import { Store } from "./store.js";
import { Sync } from "./sync.js";
import * as views from "./views.js";
import { amountOf, listed, place, say, timeOf, together } from "./words.js";

const root = document.getElementById("desk");
const at = (id) => document.getElementById(id);
const FOLDS_AFTER_MS = 20000;
const FRESH_MS = 8000;
const FIRST_WAIT_MS = 3000;
const ROSTER_MS = 60000;
const MOST_WING = 14;

class Desk {
  constructor(store, device) {
    Object.assign(this, { store, device, roster: [], several: null, opened: "", showsAll: false, call: null });
    this.isOrganizer = device.role === "organizer";
    this.title = device.title ?? "";
    this.fresh = new Map();
    this.changedPlaces = [];
    this.confirming = null;
    this.said = "";
    this.called = store.kept("called") ?? {};
    this.sync = new Sync(store, device, root.dataset.log, (told) => this.changed(told));
    this.room = this.more = null;
  }

  async start() {
    await this.store.protect();
    await this.store.forgetOld();
    await this.read();
    const roster = this.loadRoster();
    this.listen();
    this.draw();
    this.sync.start();
    await this.openRoom();
    // What others have recorded is there before the first tap, if the network answers soon.
    await Promise.race([Promise.all([this.sync.tried, roster]), new Promise((done) => { setTimeout(done, FIRST_WAIT_MS); })]);
    root.dataset.ready = "1";
  }

  async read() {
    const queue = await this.store.queue();
    this.queue = queue;
    this.model = new Model(await this.store.log(), queue, this.device.device);
  }

  // Who comes to another night of the same evening is at hand here a minute later.
  followOther(isShared) {
    if (!isShared || this.follows) return;
    this.follows = setInterval(() => { if (document.visibilityState === "visible") this.loadRoster(); }, ROSTER_MS);
  }

  async loadRoster() {
    try {
      const answer = await fetch(root.dataset.roster, { headers: { "X-Device-Key": this.device.key }, cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      this.roster = told.players;
      this.title = told.title;
      this.followOther(told.is_shared);
      at("club-name").textContent = told.club;
      this.store.keep("roster", told);
    } catch {
      const told = this.store.kept("roster");
      this.roster = told?.players ?? [];
      this.title = told?.title ?? this.title;
      if (told) at("club-name").textContent = told.club;
    }
    this.draw();
  }

  listen() {
    window.addEventListener("hashchange", () => { this.several = null; at("sheet").open = false; this.draw(); });
    at("search").addEventListener("input", () => this.drawFound());
    at("hand-bar").addEventListener("submit", (event) => {
      event.preventDefault();
      at("found").querySelector("button")?.click();
    });
    document.addEventListener("keydown", (event) => this.more?.pressed(this, event));
    setInterval(() => this.draw(), 5000);
  }

  // Clock and seats come once the desk is shown; without them it records all the same.
  async openRoom() {
    try {
      const [{ Room }, { keepAwake }, more] = await Promise.all([import("./room.js"), import("./awake.js"), import("./more.js")]);
      this.more = more;
      this.room = new Room(this, root.dataset.room);
      keepAwake();
    } catch {
      window.addEventListener("online", () => this.openRoom(), { once: true }); // nothing of it is kept yet
      return;
    }
    this.draw();
    this.tick();
  }

  // The clock moves by itself; nothing else is drawn anew for it.
  tick() {
    setTimeout(() => { this.drawClock(); this.tick(); }, Math.min(this.room.nextTick, 1000));
  }

  drawClock() {
    if (!this.room) return;
    this.room.listen();
    redraw(at("strip"), this.room.strip());
    if (location.hash === "#clock") redraw(at("view"), this.room.clock());
    redraw(at("wing-clock"), this.room.clock());
  }

  // ---- what is recorded ----

  // Keep a tap durably, show it, then send it.
  async record(kind, body, id = newId()) {
    const seen = await this.sync.head();
    const action = { id, kind, body, tap_ms: Date.now(), offset_ms: this.sync.clock.ms, seen };
    try {
      await this.store.add(action);
    } catch (error) {
      this.notKept = true;
      this.draw();
      throw error;
    }
    this.notKept = false;
    await this.read();
    this.draw();
    this.sync.tapped();
    return id;
  }

  async enter(person) {
    const { cost, stack } = this.model.setup;
    const body = { name: person.name };
    if (person.id) body.player = person.id;
    if (person.ask) body.ask = person.ask;
    const own = this.model.setup.own_stacks?.find(([name]) => bare(name) === bare(person.name));
    if (own ?? stack) body.stack = own?.[1] ?? stack;
    if (cost) Object.assign(body, { cost, paid: cost });
    const last = this.entryOf(person);
    if (last) body.number = last.number + 1;
    const id = await this.record("enter", body);
    this.clearSearch();
    const words = last ? say("called again", { name: person.name }) : say("called in", { name: person.name });
    const unpaid = cost ? [button(say("Not paid yet"), () => this.unpay(this.model.entry(id)), { about: person.name })] : [];
    this.tell(words, cost ? say("paid amount", { amount: amountOf(cost, this.model.setup) }) : "", id, unpaid);
  }

  reenter(entry) {
    return this.enter({ name: entry.name, id: entry.player, others: [] });
  }

  async out(entry) {
    const id = await this.record("out", { groups: [[entry.id]] });
    this.clearSearch();
    this.sayOut(id);
  }

  async outSeveral() {
    const groups = this.several;
    this.several = null;
    const id = await this.record("out", { groups });
    this.sayOut(id);
  }

  // Call the places of a hand, as they are known here, and remember what was called.
  sayOut(id) {
    const { model } = this;
    const calls = model.byId.get(id).body.groups.map((group) => {
      const key = group.length > 1 ? "called out tie" : "called out";
      return say(key, { place: place(model.places.get(model.entry(group[0])?.id) ?? 0), name: together(group.map((each) => model.nameOf(each))) });
    });
    for (const each of model.byId.get(id).body.groups.flat()) {
      const entry = model.entry(each);
      if (entry && model.places.has(entry.id)) this.remember(entry, model.places.get(entry.id));
    }
    const about = this.sync.offlineSince ? say("guess") : timeOf(model.byId.get(id).at_ms);
    this.tell(calls.reverse().join(". "), about, id, this.whom(id));
  }

  remember(entry, placed) {
    this.called[entry.id] = placed;
    this.store.keep("called", this.called);
  }

  // Who put them out: one tap, at once or later.
  whom(id) {
    const { model } = this;
    const group = model.byId.get(id).body.groups.at(-1);
    const target = model.entry(group[0]);
    if (!target || !model.night.exitOf(target)) return [];
    const isSaid = model.standing.some(({ kind, body }) => kind === "by" && body.target === target.id);
    const before = model.gone.find(({ exit }) => exit !== model.night.exitOf(target));
    const choose = (name, by) => button(name, () => this.by(id, group, by), { key: `by ${by}`, "aria-pressed": String(isSaid && target.by === by) });
    const tie = before && group.length === 1 && this.isOrganizer
      ? [button(say("Tie with", { place: place(model.places.get(before.entry.id)) }), () => this.tie(id, [before.entry.id, target.id]), { key: "tie" })] : [];
    return [h("span", {}, say("By")), ...model.stillIn.map((entry) => choose(entry.name, entry.id)), choose(say("Nobody saw"), null), ...tie];
  }

  async by(id, group, by) {
    for (const target of group) await this.record("by", by ? { target, by } : { target });
    this.call = { ...this.call, more: () => this.whom(id) };
    this.draw();
  }

  async tie(id, targets) {
    const tied = await this.record("tie", { targets });
    const names = together(targets.map((each) => this.model.nameOf(each)));
    this.tell(say("called out tie", { place: place(this.model.places.get(targets[0])), name: names }), "", tied, []);
  }

  buy(entry, kind) {
    const { [kind]: cost, addon_chips: more } = this.model.setup;
    const chips = kind === "addon" && more ? { chips: more } : {};
    this.opened = "";
    return this.record("buy", { entry: entry.id, kind, count: 1, cost, paid: cost, ...chips }).then((id) =>
      this.tell(`${entry.name}: ${say(kind === "rebuy" ? "Rebuy" : "Add-on")}`, say("paid amount", { amount: amountOf(cost, this.model.setup) }), id, []));
  }

  async pay(entry) {
    const paid = entry.cost - entry.paid;
    const id = await this.record("pay", { entry: entry.id, paid });
    this.tell(say("log pay", { name: entry.name, amount: amountOf(paid, this.model.setup) }), "", id, []);
  }

  async unpay(entry) {
    const id = await this.record("pay", { entry: entry.id, paid: -entry.paid });
    this.tell(`${entry.name}: ${say("owes amount", { amount: amountOf(entry.cost, this.model.setup) })}`, "", id, []);
  }

  // Ask later who put somebody out.
  askBy(exit) {
    const names = together(exit.entries.map((id) => this.model.nameOf(id)));
    this.tell(say("called out", { place: place(this.model.places.get(exit.entries[0])), name: names }), timeOf(exit.at_ms), exit.action, this.whom(exit.action));
  }

  async note(text) {
    const id = await this.record("note", { text: text.slice(0, 500) });
    this.clearSearch();
    this.tell(say("log note", { text }), "", id, []);
  }

  begin() {
    return this.record("clock", { op: "start" });
  }

  stopOrGoOn() {
    if (!this.isOrganizer) return null;
    const { clock } = this.model.night;
    return clock ? this.room?.touch(clock.is_running ? "pause" : "resume") : this.begin();
  }

  settle(question, choice) {
    return this.record("settle", { question, choice });
  }

  // ---- undo by name ----

  mayUndo(id) {
    const action = this.model.byId.get(id);
    return Boolean(action) && (this.isOrganizer || action.device === this.device.device);
  }

  undoLast() {
    const last = this.model.last(!this.isOrganizer);
    return last ? this.undo(last.id) : null;
  }

  // Undo at once what was last; of something older, say first what hangs on it.
  undo(id) {
    const own = new Set((this.model.byId.get(id)?.body.groups ?? []).flat().map((each) => this.model.nameOf(each)));
    const changes = this.model.changesWithout(id).filter(({ name }) => !own.has(name) && name !== this.model.entry(id)?.name);
    const isLast = this.model.last(false)?.id === id;
    if (isLast || !changes.length) return this.undoNow(id);
    const words = listed(changes.slice(0, 3).map(({ name, place: placed }) =>
      (placed ? say("would be", { name, place: place(placed) }) : say("would be in", { name }))));
    const done = (act) => () => { this.confirming = null; return act ? act() : this.draw(); };
    this.confirming = views.ask(say("depends", { what: views.wordsOf(this, this.model.byId.get(id)), changes: words }), "", [
      button(say("undo it"), done(() => this.undoNow(id)), { key: "confirm" }), button(say("Leave it"), done(null), { key: "leave" }),
    ]);
    this.draw();
    at("asks").querySelector("button")?.focus();
    return null;
  }

  async undoNow(id) {
    const what = views.wordsOf(this, this.model.byId.get(id));
    await this.record("void", { target: id, on: true });
    for (const by of this.hunts(id)) await this.record("void", { target: by, on: true });
    this.tell(say("called undone", { what }), "", null, [button(say("Redo"), () => this.redo(id), { about: what })]);
  }

  // Who put those out whom an undone exit had out: it says nothing about a later one.
  hunts(id) {
    const out = new Set((this.model.byId.get(id)?.body.groups ?? []).flat());
    return this.model.standing.filter((each) => each.kind === "by" && out.has(each.body.target) && this.mayUndo(each.id)).map((each) => each.id);
  }

  async redo(id) {
    await this.record("void", { target: id, on: false });
    this.tell(say("called redone", { what: views.wordsOf(this, this.model.byId.get(id)) }), "", id, []);
  }

  // ---- what is shown ----

  // Say it large, so that it can be read aloud; twenty seconds later it folds.
  tell(text, about, undo, more) {
    this.call = { text, about, undo, more: typeof more === "function" ? more : () => more, since: Date.now() };
    this.draw();
    setTimeout(() => this.draw(), FOLDS_AFTER_MS + 100);
  }

  expected() {
    const present = new Set([...this.model.night.entries.values()].map(({ player, key }) => player ?? key));
    return this.roster.filter(({ id, name }) => !present.has(id) && !present.has(bare(name)));
  }

  entryOf({ id, name }) {
    const own = [...this.model.night.entries.values()].filter((entry) =>
      (id && entry.player === id) || (!entry.player && bare(entry.name) === bare(name)) || (!id && bare(entry.name) === bare(name)));
    return own.at(-1) ?? null;
  }

  typed() {
    return at("search").value.trim().replace(/\s+/g, " ");
  }

  // Several names with commas between: a list that was written before.
  typedNames() {
    return this.typed().split(/[,;、，]/).map((name) => name.trim()).filter(Boolean);
  }

  // Check in a list of names, each as the player of that name if there is one; who is in already stays so.
  async enterAll(names) {
    const known = new Map(this.roster.flatMap((person) => [person.name, ...person.others].map((name) => [bare(name), person])));
    for (const name of names) {
      const person = known.get(bare(name)) ?? { name, id: null, others: [] };
      const entry = this.entryOf(person);
      if (!entry || this.model.night.exitOf(entry)) await this.enter(person);
    }
  }

  // Search in the list of players and among those who came without being in it, or before it was loaded.
  found() {
    const names = new Set(this.roster.map(({ name }) => bare(name)));
    const others = [...this.model.night.entries.values()].filter(({ name }) => !names.has(bare(name)))
      .map(({ name, player }) => ({ id: player, name, others: [], last: "" }));
    const once = [...new Map(others.map((person) => [bare(person.name), person])).values()];
    return search([...this.roster, ...once], this.typed());
  }

  clearSearch() {
    at("search").value = "";
    this.drawFound();
  }

  startSeveral(on = true) {
    this.several = on ? [] : null;
    this.draw();
  }

  open(id) {
    this.opened = this.opened === id ? "" : id;
    this.draw();
  }

  showAll() {
    this.showsAll = true;
    this.draw();
  }

  dismiss(id) {
    this.changedPlaces = this.changedPlaces.filter((each) => each.id !== id);
    this.draw();
  }

  deviceName({ device, by }) {
    if (device === this.device.device) return this.device.name;
    return by ?? this.model.raws.find((raw) => raw.device === device && raw.by)?.by ?? "";
  }

  from(id) {
    const action = this.model.byId.get(id);
    return action && action.device !== this.device.device ? say("from", { device: this.deviceName(action) }) : "";
  }

  undoneBy(id) {
    const voids = this.model.actions.filter(({ kind, body }) => kind === "void" && body.target === id);
    return voids.length ? this.deviceName(voids.at(-1)) : "";
  }

  isFresh(id) {
    return (this.fresh.get(id) ?? 0) > Date.now() - FRESH_MS;
  }

  // Something has come or gone: read it, and say what it changed here.
  async changed({ came = [], sent = 0, isBack = false } = {}) {
    await this.read();
    const others = came.filter(({ device }) => device !== this.device.device);
    for (const { id } of others) this.fresh.set(id, Date.now());
    if (sent || others.length) this.compareCalled();
    this.sayDrawn([...others]);
    if (this.room?.isSeated || this.model.night.levels.length || this.model.setup.bounty) this.room?.look(await this.sync.head());
    if (isBack) {
      const names = [...new Set(others.map((each) => each.by))];
      this.said = [say("all out"), names.length ? say("came", { n: others.length, device: listed(names) }) : ""].join(" ").trim();
      setTimeout(() => { this.said = ""; this.draw(); }, FOLDS_AFTER_MS);
    }
    this.draw();
  }

  // A seat was drawn for whom this phone has just checked in: call it.
  sayDrawn(came) {
    const { call } = this;
    const entry = call?.undo ? this.model.entry(call.undo) : null;
    if (!entry?.seat || !came.some(({ kind, body }) => kind === "draw" && body.seats[0][0] === entry.id)) return;
    this.call = { ...call, text: say("called seat", { name: entry.name, table: entry.seat[0], seat: entry.seat[1] }) };
  }

  // Places that were called here and are others now that the taps of all phones are known.
  compareCalled() {
    for (const [id, before] of Object.entries(this.called)) {
      const now = this.model.places.get(id);
      if (now === undefined || now === before) continue;
      const isOwn = this.model.raws.some(({ kind, body, device }) =>
        device === this.device.device && kind === "out" && body.groups.flat().includes(id));
      this.called[id] = now;
      if (isOwn) this.changedPlaces = [...this.changedPlaces.filter((each) => each.id !== id), { id, name: this.model.nameOf(id), before, now }];
    }
    this.store.keep("called", this.called);
  }

  draw() {
    const view = ["in", "desk", "log", "clock", "seats"].includes(location.hash.slice(1)) ? location.hash.slice(1) : this.firstView();
    for (const link of document.querySelectorAll("#segs a, #sheet nav a")) {
      const isHere = link.getAttribute("href") === `#${view}`;
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const link of document.querySelectorAll("[data-organizer-only]")) link.hidden = !this.isOrganizer;
    this.drawClock();
    redraw(at("wires"), this.wires());
    redraw(at("asks"), views.asks(this));
    redraw(at("view"), { in: views.checkIn, desk: views.desk, log: views.log, clock: () => this.room?.clock() ?? [], seats: () => this.room?.seats() ?? [] }[view](this));
    redraw(at("wing-log"), h("h2", {}, document.querySelector("#segs a[href='#log']").textContent), views.log(this, MOST_WING));
    redraw(at("wing-seats"), this.room?.isSeated ? this.room.seats() : []);
    redraw(at("wing-out"), this.more?.wing(this) ?? []);
    this.drawFound();
    this.drawCall();
  }

  firstView() {
    return this.model.night.exits.length ? "desk" : "in";
  }

  drawFound() {
    redraw(at("found"), views.found(this));
  }

  drawCall() {
    const { call } = this;
    const winner = this.model.setup.format !== "cash" && this.model.stillIn.length === 1 && this.model.night.exits.length ? this.model.stillIn[0] : null;
    if (!call) {
      at("aloud").hidden = at("whom").hidden = true;
      return;
    }
    const isFolded = Date.now() - call.since > FOLDS_AFTER_MS;
    at("aloud").hidden = false;
    at("aloud").classList.toggle("small-call", isFolded);
    const over = winner ? say("over", { name: winner.name }) : "";
    const isUndoable = call.undo && this.mayUndo(call.undo) && !this.model.undone.has(call.undo);
    redraw(at("aloud"), h("p", { role: "status" }, h("b", {}, call.text), ` ${over || call.about}`),
      isUndoable ? button(say("Undo"), () => this.undo(call.undo), { about: call.text, key: "undo call" }) : null);
    const more = isFolded ? [] : call.more();
    at("whom").hidden = !more.length;
    redraw(at("whom"), more);
  }

  // A line about the connection appears only when something waits, came late or is wrong.
  wires() {
    const { sync, queue } = this;
    const n = queue.length;
    const waiting = n ? say(n === 1 ? "waiting one" : "waiting", { n }) : "";
    const copy = n ? button(say("Copy as text"), () => this.more?.copy(this), { class: "act" }) : null;
    const line = (kind, bold, text, ...more) => h("div", { class: `wire ${kind}` }, h("p", {}, bold ? h("b", {}, bold) : null, ` ${text}`), ...more);
    const lines = [];
    const back = this.room?.setBack();
    if (back) lines.push(back);
    if (sync.isRevoked) lines.push(line("bad", "", say("revoked"), n ? copy : null));
    if (this.notKept) lines.push(line("bad", "", say("not kept")));
    if (!this.store.isKept) lines.push(line("bad", "", say("private")));
    if (sync.stage === "published") lines.push(line("off", "", say("published")));
    const held = sync.heldIds.size;
    if (held) lines.push(line("off", "", say(held === 1 ? "held one" : "held", { n: held })));
    if (!sync.isLeader && this.startedAt) lines.push(line("", "", say("second tab")));
    if (sync.offlineSince && !sync.isRevoked) lines.push(line("off", say("offline", { time: timeOf(sync.offlineSince) }), waiting, copy));
    else if (this.said) lines.push(line("ok", "", this.said));
    if (n && sync.offlineSince) lines.push(h("ul", { class: "waits" }, this.model.raws.filter(({ waits }) => waits).map((raw) =>
      h("li", {}, h("time", {}, timeOf(raw.at_ms)), h("span", {}, views.wordsOf(this, raw)), h("span")))));
    return lines;
  }
}

const withoutKey = () => {
  redraw(root, h("div", {}, h("p", { class: "note" }, say("no key")),
    h("p", {}, h("a", { class: "btn", href: root.dataset.organizer }, say("organizer sign in")))));
};

const start = async () => {
  const store = await new Store(Number(root.dataset.night)).open();
  const device = await store.device();
  if (!device) {
    withoutKey();
    return;
  }
  const desk = new Desk(store, device);
  await desk.start();
  setTimeout(() => { desk.startedAt = Date.now(); desk.draw(); }, 1000);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(root.dataset.worker, { scope: location.pathname }).catch(() => {});
};

start();
