// The night as this phone knows it: what the log says, and what was tapped here and has not gone out yet.
import { nightOf, projectRaw } from "./project.js";

// Date taps that have not gone out by the rule of the server (live/engine/order.py), as well as this phone can.
const dated = (log, queue, device) => {
  const now = Date.now();
  const own = log.filter((action) => action.device === device).map(({ at_ms }) => at_ms);
  let previous = Math.max(-1, ...own);
  return queue.map((action) => {
    const offset = action.offset_ms ?? 0;
    const seen = log.filter(({ seq }) => seq <= action.seen).map(({ at_ms }) => at_ms);
    const at_ms = Math.max(Math.min(action.tap_ms + offset, now + offset), 1 + Math.max(previous, ...seen));
    previous = at_ms;
    return { ...action, device, at_ms, waits: true };
  });
};

export class Model {
  constructor(log, queue, device) {
    this.device = device;
    const known = new Set(log.map(({ id }) => id));
    const waiting = dated(log, queue.filter(({ id }) => !known.has(id)), device);
    this.raws = [...log, ...waiting];
    this.byId = new Map(this.raws.map((raw) => [raw.id, raw]));
    const { night, log: sorted, undone, standing } = nightOf(this.raws);
    Object.assign(this, { night, undone, standing });
    this.actions = sorted.actions;
    this.places = this.placesOf(night);
  }

  // The place of each entry that is out, and of the last one left.
  placesOf(night) {
    const places = new Map();
    let ahead = night.stillIn().length;
    if (ahead === 1 && night.exits.length) places.set(night.stillIn()[0].id, 1);
    for (const { entries } of [...night.exits].reverse()) {
      for (const id of entries) places.set(id, 1 + ahead);
      ahead += entries.length;
    }
    return places;
  }

  get setup() {
    return this.night.setup;
  }

  get nEntries() {
    return this.night.entries.size;
  }

  get stillIn() {
    return this.night.stillIn();
  }

  // Those who are out and did not come back, the last one out first.
  get gone() {
    const last = new Set(this.night.latest.values());
    const exits = [...this.night.exits].reverse();
    return exits.flatMap((exit) => exit.entries.filter((id) => last.has(id)).map((id) => ({ entry: this.night.find(id), exit })));
  }

  get owing() {
    return [...this.night.entries.values()].filter(({ cost, paid }) => cost > paid);
  }

  get questions() {
    return this.night.questions.filter(({ settled }) => settled === null);
  }

  entry(id) {
    return this.night.find(id);
  }

  nameOf(id) {
    return this.entry(id)?.name ?? "–";
  }

  // The action that put an entry out, and was not undone.
  exitAction(entry) {
    const exit = this.night.exitOf(entry);
    return exit ? this.byId.get(exit.action) : null;
  }

  // The newest tap that can be undone, of this phone if it may not undo those of others.
  last(isMine) {
    const undoable = this.actions.filter(({ id, kind }) => !["void", "setup", "seed", "draw", "envelope", "ask_in", "ask_out", "seen_move"].includes(kind) && !this.undone.has(id));
    const mine = isMine ? undoable.filter(({ device }) => device === this.device) : undoable;
    return mine.at(-1) ?? null;
  }

  // What would be different if an action were undone: who would have another place, or be in.
  changesWithout(id) {
    const at_ms = 1 + Math.max(0, ...this.raws.map((raw) => raw.at_ms));
    const void_ = { id: "undo", device: "~", counter: 1, kind: "void", body: { target: id, on: true }, at_ms };
    const before = projectRaw(this.raws).places;
    const after = projectRaw([...this.raws, void_]).places;
    const names = Object.keys(before).filter((name) => after[name] !== before[name]);
    return names.map((name) => ({ name, place: after[name] ?? null }));
  }
}
