// Clock and seats of a night on the desk: what the clock shows, its knobs, who sits where, and what is proposed.
import { Alarm } from "./alarm.js";
import { LEVEL_ENDS, MINUTE_LEFT, Sound } from "./awake.js";
import { button, h } from "./dom.js";
import { newId } from "./ids.js";
import { blindsOf, counted, nextTick, shown } from "./times.js";
import { amountOf, listed, place, say, timeOf } from "./words.js";

const MINUTE = 60000;
const ASK_AGAIN_MS = 60000;
const LATE_MS = 10000;
const SAID_FOR_MS = 120000;

export class Room {
  constructor(desk, address) {
    Object.assign(this, { desk, address, told: null, head: -1, askedAt: 0, refused: "", dismissed: "", moving: null });
    this.sound = new Sound();
    this.alarm = new Alarm({ minute: () => this.sound.play(MINUTE_LEFT), end: () => this.sound.play(LEVEL_ENDS) });
  }

  get now() {
    return Date.now() + (this.desk.sync.clock.ms ?? 0);
  }

  get seen() {
    const { night } = this.desk.model;
    return shown({ clock: night.clock, levels: night.levels, closing_level: night.setup.closing_level }, this.now);
  }

  // Ms until what the clock shows changes.
  get nextTick() {
    const { seen } = this;
    return seen.isStarted && seen.now.is_running ? nextTick(seen.now.left_ms) : 5000;
  }

  ask(options = {}) {
    return fetch(this.address, {
      ...options, cache: "no-store", headers: { "X-Device-Key": this.desk.device.key, "Content-Type": "application/json" },
    });
  }

  // Ask what is proposed, after news, and now and then for the end.
  async look(head) {
    if (!this.desk.isOrganizer || (head === this.head && Date.now() - this.askedAt < ASK_AGAIN_MS)) return;
    Object.assign(this, { head, askedAt: Date.now() });
    try {
      const answer = await this.ask();
      this.told = answer.ok ? await answer.json() : null;
    } catch {
      this.told = null; // without a network nothing is proposed
    }
    this.desk.draw();
  }

  // What was won by putting somebody out, in words; empty where there are no bounties.
  wonBy(entry) {
    const hunt = (this.told?.hunts ?? []).find(([, hunted]) => hunted === entry);
    return hunt ? say("bounty", { amount: amountOf(hunt[2], this.desk.model.setup) }) : "";
  }

  // ---- the clock ----

  // Sound at one minute and at the level's end, where somebody has allowed it.
  listen() {
    this.alarm.see(this.seen);
  }

  async toggleSound() {
    await (this.sound.isOn ? this.sound.off() : this.sound.allow());
    this.desk.drawClock();
  }

  touch(op, more = {}) {
    return this.desk.record("clock", { op, ...more });
  }

  jump(step) {
    const { levels } = this.desk.model.night;
    const level = Math.min(Math.max(0, (this.seen.now?.level ?? 0) + step), levels.length - 1);
    return this.touch("jump", { level, left_ms: levels[level].ms });
  }

  strip() {
    const { desk, seen } = this;
    const { model } = desk;
    const left = h("span", { class: "n" }, h("b", {}, say("left", { n: model.stillIn.length })), h("small", {}, say("of entries", { n: model.nEntries })));
    if (!seen.isStarted) {
      return [h("span", { class: "t" }, timeOf(this.now)), h("span", {}, h("b", {}, desk.title),
        desk.isOrganizer ? button(say("Start"), () => desk.begin(), { class: "act" }) : h("small", {}, say("not begun"))), left];
    }
    const { level, next, isBreak, now } = seen;
    const bold = isBreak ? say("the break") : level?.bb ? blindsOf(level) : desk.title;
    const small = level === null ? say("since", { time: timeOf(model.night.started_at_ms ?? this.now) })
      : [`${say("the level", { n: seen.number })}.`, next ? `${say("the next")} ${blindsOf(next)}` : seen.isLast ? say("Last level") : ""].join(" ");
    const time = now.left_ms === null ? counted(now.ran_ms) : counted(now.left_ms);
    return [h("a", { class: "t", href: "#clock" }, time),
      h("span", {}, h("b", {}, now.is_running ? bold : `${bold}, ${say("the stopped")}`), h("small", {}, small)), left];
  }

  // A stop that came late has set the clock back: say so for a while.
  setBack() {
    const { model } = this.desk;
    const last = model.standing.filter(({ kind }) => kind === "clock").at(-1);
    if (last?.body.op !== "pause" || !last.received_ms || model.night.clock?.at_ms !== last.at_ms) return null;
    const late = last.received_ms - last.at_ms;
    if (late < LATE_MS || this.now - last.received_ms > SAID_FOR_MS) return null;
    return h("div", { class: "wire off" }, h("p", {}, h("b", {}, say("set back", { time: counted(late) })),
      ` ${say("set back why", { time: timeOf(last.at_ms), device: this.desk.deviceName(last) })}`));
  }

  clock() {
    const { desk, seen } = this;
    const { levels } = desk.model.night;
    const isRunning = seen.isStarted && seen.now.is_running;
    const time = !seen.isStarted ? timeOf(this.now) : counted(seen.now.left_ms ?? seen.now.ran_ms);
    const full = seen.level?.ms;
    const knobs = desk.isOrganizer ? [
      h("div", { class: "knobs" },
        !seen.isStarted ? button(say("Start"), () => desk.begin(), { class: "main" })
          : isRunning ? button(say("the stop"), () => this.touch("pause"), { class: "main" }) : button(say("the go on"), () => this.touch("resume"), { class: "main" }),
        seen.isStarted && levels.length ? button(say("level back"), () => this.jump(-1)) : null,
        seen.isStarted && levels.length ? button(say("level on"), () => this.jump(1)) : null,
        seen.isStarted && levels.length ? button(say("minute more"), () => this.touch("add", { left_ms: MINUTE })) : null,
        seen.isStarted && levels.length ? button(say("minute less"), () => this.touch("add", { left_ms: -MINUTE })) : null)] : [];
    return [h("section", { class: "dial" }, h("h2", {}, !seen.isStarted || !seen.level ? say("the clock") : seen.isBreak ? say("the break") : say("the level", { n: seen.number })),
      h("p", { class: "t" }, time),
      seen.isStarted && full ? h("progress", { class: "run", value: String(full - (seen.now.left_ms ?? 0)), max: String(full) }, time) : null,
      seen.level?.bb ? h("p", { class: "bl" }, blindsOf(seen.level)) : null,
      h("p", { class: "small quiet" }, seen.next ? `${say("the next")} ${blindsOf(seen.next)}` : levels.length ? "" : say("no levels")),
      this.ending(), this.prizes(), knobs,
      levels.length ? button(say("sound here"), () => this.toggleSound(), { class: "act", "aria-pressed": String(this.sound.isOn) }) : null)];
  }

  ending() {
    const ending = this.told?.ending;
    if (!ending) return null;
    const at = (ms) => timeOf(ending.now + ms);
    return h("p", { class: "small" }, ending.from_ms === null ? say("ends about", { about: at(ending.about_ms) })
      : say("the ends", { from: at(ending.from_ms), to: at(ending.to_ms) }));
  }

  // What is played for, also where only organizers see the money of the club.
  prizes() {
    const { prizes } = this.told ?? {};
    if (!prizes) return null;
    const { setup } = this.desk.model;
    const byPlace = prizes.by_place.map((amount, i) => `${place(i + 1)} ${amountOf(amount, setup)}`);
    return h("p", { class: "small" }, `${say("the prizes")} ${amountOf(prizes.pool, setup)}: ${listed(byPlace)}`);
  }

  // ---- seats ----

  get isSeated() {
    return this.desk.model.setup.seating === "drawn" || this.desk.model.stillIn.some(({ seat }) => seat);
  }

  tables() {
    const tables = new Map();
    for (const entry of this.desk.model.stillIn.filter(({ seat }) => seat)) {
      const [table, seat] = entry.seat;
      tables.set(table, (tables.get(table) ?? new Map()).set(seat, entry));
    }
    return [...tables].sort(([a], [b]) => a - b);
  }

  seats() {
    const { desk } = this;
    const size = this.told?.size ?? desk.model.setup.table_size ?? 9;
    const tables = this.tables();
    if (!tables.length) return [h("p", { class: "empty" }, say("nobody seated")), this.proof()];
    return [this.proposal(), this.moving ? h("p", { class: "note" }, say("choose a seat", { name: desk.model.nameOf(this.moving) }),
      " ", button(say("Cancel"), () => { this.moving = null; desk.draw(); })) : null,
    h("div", { class: "tbls" }, tables.map(([table, seats]) => this.table(table, seats, size))), this.proof()];
  }

  table(table, seats, size) {
    const numbers = Array.from({ length: Math.max(size, ...seats.keys()) }, (_, i) => i + 1);
    return h("section", { class: "tbl" }, h("h2", {}, say("the table", { n: table }), h("small", {}, String(seats.size))),
      h("ol", { class: "chairs" }, numbers.map((seat) => this.chair(table, seat, seats.get(seat)))));
  }

  chair(table, seat, entry) {
    const { desk, moving } = this;
    const number = h("span", { class: "st" }, String(seat));
    if (!entry) {
      return h("li", { class: "free" }, number, h("span", {}, say("free seat")),
        moving ? button(say("move here"), () => this.moveTo(table, seat), { about: `${table}.${seat}` }) : h("span"));
    }
    return h("li", { class: moving === entry.id ? "own" : null }, number,
      h("span", {}, h("b", {}, entry.name), entry.has_seen ? null : h("span", { class: "meta" }, say("has not read"))),
      desk.isOrganizer && !moving ? button(say("Move"), () => { this.moving = entry.id; desk.draw(); }, { about: entry.name, class: "act" }) : h("span"));
  }

  async moveTo(table, seat) {
    const { moving, desk } = this;
    this.moving = null;
    const id = await desk.record("move", { moves: [[moving, table, seat]] });
    desk.tell(say("called seat", { name: desk.model.nameOf(moving), table, seat }), "", id, []);
  }

  // What is proposed waits for a tap; it is withdrawn when somebody goes out.
  proposal() {
    const { told, desk } = this;
    const proposal = told?.proposal;
    if (!proposal || proposal.id === this.dismissed || desk.sync.offlineSince) return this.refused ? h("p", { class: "note", role: "status" }, this.refused) : null;
    const names = listed(proposal.movers.map((id) => desk.model.nameOf(id)));
    const seats = listed(proposal.moves.map(([id, table, seat]) => say("called seat", { name: desk.model.nameOf(id), table, seat })));
    const n = proposal.movers.length;
    const text = proposal.kind === "final" ? say("propose final", { n })
      : proposal.kind === "break" ? say("propose break", { table: proposal.table, names }) : seats;
    const key = proposal.kind === "balance" && proposal.asks.length ? "propose balance drawn" : `propose ${proposal.kind} why`;
    return h("ul", { class: "asks" }, h("li", {}, h("p", {}, h("b", {}, text), h("span", { class: "why-ask" }, ` ${say(key, { table: proposal.table })}`)),
      h("div", { class: "choices" },
        button(say(proposal.kind === "final" ? "Draw them" : "Do it"), () => this.follow(proposal), { key: "follow" }),
        button(say("the not now"), () => { this.dismissed = proposal.id; desk.draw(); }, { key: "not now" })),
      proposal.kind === "balance" ? proposal.asks.map((table) => this.askBigBlind(table)) : null));
  }

  // Who is big blind is asked once, when a move is proposed.
  askBigBlind(table) {
    const seats = this.tables().find(([each]) => each === table)?.[1] ?? new Map();
    return h("div", {}, h("p", { class: "small" }, say("who is big blind", { table })), h("div", { class: "tapped" },
      [...seats].sort(([a], [b]) => a - b).map(([, entry]) => button(entry.name, () => this.desk.record("button", { table, entry: entry.id }), { key: `bb ${entry.id}` }))));
  }

  async follow(proposal) {
    this.refused = "";
    const id = newId();
    try {
      const answer = await this.ask({ method: "POST", body: JSON.stringify({ id, proposal: proposal.id }) });
      if (!answer.ok) this.refused = (await answer.json()).why;
    } catch {
      this.refused = say("offline", { time: timeOf(Date.now()) });
    }
    this.head = -1;
    await this.desk.sync.now();
    if (!this.refused) this.desk.tell(say("moved", { names: listed(proposal.movers.map((each) => this.desk.model.nameOf(each))) }), "", id, []);
  }

  proof() {
    const { seed } = this.desk.model.night;
    if (!seed.sha256) return null;
    return h("section", { class: "rulehead proof" }, h("h2", {}, say("how drawn")),
      h("p", { class: "small" }, say("fingerprint", { sha: "" }), h("code", {}, seed.sha256)),
      this.desk.sync.stage === "published" ? h("p", { class: "small" }, h("a", { href: "draw.json" }, say("draw file")), ` ${say("draw check")}`)
        : h("p", { class: "small quiet" }, say("draw hidden")));
  }
}
