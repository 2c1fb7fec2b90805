// The projection of a night's log, the twin of live/engine: the same state from the same actions, in any order.
// tests/browser/test_live_twin.py compares both on random logs. No part of it may use what the Python one has not.
import { clockAt, isPast, LONGEST_MS, relevelled, touched } from "./clock.js";

const SEEN_BY_TWO = 120000;
const MOST_ENTRIES_OF_A_HAND = 100;
const MOST_LETTERS = 500;
const MOST_BYTES = 4096;
const MOST_LEVELS = 100;
const MOST_SEATS = 20; // of a table
const MOST_TABLES = 999;
const LATEST_MS = 253402300799999; // the end of the year 9999

// Texts are ordered by code points, as in Python.
const compare = (one, other) => {
  if (typeof one === "number") return one - other;
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i].codePointAt(0) - b[i].codePointAt(0);
  }
  return a.length - b.length;
};

const compareAll = (ones, others) => {
  for (let i = 0; i < ones.length; i++) {
    const found = compare(ones[i], others[i]);
    if (found) return found;
  }
  return 0;
};

export const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const pairs = Object.keys(value).sort(compare).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${pairs.join(",")}}`;
  }
  return JSON.stringify(value);
};

const contentOf = (action) =>
  canonical([action.id, action.device, action.counter, action.kind, action.body]);

// Reading: the form of each kind.
const isText = (value) => typeof value === "string" && value.length > 0 && Array.from(value).length <= MOST_LETTERS;
const isWhole = (value) => Number.isSafeInteger(value);
const isCount = (value) => isWhole(value) && value >= 0;
const isMoment = (value) => isCount(value) && value <= LATEST_MS;
const isLongText = (value) => typeof value === "string" && value.length > 0 && Array.from(value).length <= MOST_BYTES;
const isFlag = (value) => typeof value === "boolean";
const isList = (value) => Array.isArray(value);
const isObject = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);
const isListOfIds = (value) =>
  isList(value) && value.length > 0 && value.length <= MOST_ENTRIES_OF_A_HAND && value.every(isText);
const isGroups = (value) =>
  isList(value) && value.length <= MOST_ENTRIES_OF_A_HAND && value.every(isListOfIds) &&
  value.reduce((sum, group) => sum + group.length, 0) <= MOST_ENTRIES_OF_A_HAND;
const isHand = (value) => isGroups(value) && value.length > 0;
const isSums = (value) =>
  isObject(value) && Object.keys(value).length <= MOST_ENTRIES_OF_A_HAND &&
  Object.entries(value).every(([key, amount]) => isText(key) && isCount(amount));
const isPlace = (value) =>
  isList(value) && value.length === 2 && value.every(isCount) &&
  value[0] > 0 && value[0] <= MOST_TABLES && value[1] > 0 && value[1] <= MOST_SEATS;
const isSeat = (value) => isList(value) && value.length === 3 && isText(value[0]) && isPlace(value.slice(1));
const isSeats = (value) =>
  isList(value) && value.length > 0 && value.length <= MOST_ENTRIES_OF_A_HAND && value.every(isSeat);
const isNone = (value) => (value ?? null) === null;
const listOf = (check, most) => (value) => isList(value) && value.length <= most && value.every(check);
const isDraw = (value) =>
  isList(value) && value.length === 3 && isCount(value[0]) && listOf(isPlace, MOST_BYTES)(value[1]) && isPlace(value[2]);
const isLevel = (value) =>
  isObject(value) && isCount(value.ms) && value.ms > 0 && value.ms <= LONGEST_MS &&
  ["sb", "bb", "ante"].every((name) => isNone(value[name]) || isCount(value[name])) &&
  (isNone(value.is_break) || isFlag(value.is_break)) &&
  (isNone(value.gone) || listOf(isCount, MOST_LEVELS)(value.gone));
const isSize = (value) => isCount(value) && value >= 2 && value <= MOST_SEATS;
const isBounty = (value) =>
  isObject(value) && ["fixed", "progressive", "mystery", "leader"].includes(value.kind) && isCount(value.amount) &&
  (isNone(value.envelopes) || listOf(isCount, MOST_ENTRIES_OF_A_HAND)(value.envelopes)) &&
  (isNone(value.on) || listOf(isText, MOST_ENTRIES_OF_A_HAND)(value.on));
const oneOf = (...names) => (value) => names.includes(value);

const isStack = (value) => isList(value) && value.length === 2 && isText(value[0]) && isCount(value[1]);

const KINDS = {
  setup: [{}, {
    format: oneOf("tournament", "cash"), stack: isCount, closing_level: isCount, cost: isCount, fee: isCount, rebuy: isCount, addon: isCount, addon_chips: isCount, guarantee: isCount,
    payouts: listOf(isCount, MOST_ENTRIES_OF_A_HAND), expected: isCount, seating: oneOf("drawn", "free"), table_size: isSize,
    final_size: isSize, own_stacks: listOf(isStack, MOST_ENTRIES_OF_A_HAND), fixed: listOf(isSeat, MOST_ENTRIES_OF_A_HAND), bounty: isBounty, self_in: isFlag, self_out: isFlag,
  }],
  seed: [{ sha256: isText }, {}],
  levels: [{ levels: listOf(isLevel, MOST_LEVELS) }, { first: isCount }],
  enter: [
    { name: isText },
    { player: isCount, number: isCount, stack: isCount, cost: isCount, paid: isCount, ask: isText },
  ],
  ask_in: [{ name: isText }, { player: isCount }],
  ask_out: [{ entry: isText }, {}],
  buy: [
    { entry: isText, kind: oneOf("rebuy", "addon") },
    { count: isCount, chips: isCount, cost: isCount, paid: isCount },
  ],
  pay: [{ entry: isText, paid: isWhole }, {}],
  cash_out: [{ entry: isText, amount: isCount }, {}],
  out: [{ groups: isHand }, {}],
  by: [{ target: isText }, { by: isText }],
  tie: [{ targets: isListOfIds }, {}],
  chop: [
    { method: oneOf("even", "chips", "icm") },
    { groups: isGroups, stacks: isSums, money: isSums, kept: isCount, agreed: isList },
  ],
  clock: [{ op: oneOf("start", "pause", "resume", "jump", "add") }, { level: isCount, left_ms: isWhole }],
  draw: [{ seats: isSeats }, { i: isCount, free: listOf(isPlace, MOST_BYTES) }],
  envelope: [{ entry: isText, amount: isCount }, { i: isCount, of: listOf(isCount, MOST_ENTRIES_OF_A_HAND + 1) }],
  move: [{ moves: isSeats }, { why: isText, draws: listOf(isDraw, MOST_ENTRIES_OF_A_HAND) }],
  button: [{ table: isCount }, { entry: isText }],
  seen_move: [{ entry: isText }, {}],
  round: [{ n: isCount }, {}],
  score: [{ round: isCount, table: isCount }, {}],
  stacks: [{ stacks: isSums }, { table: isCount }],
  bonus: [{ entry: isText, points: isWhole }, { reason: isText }],
  void: [{ target: isText, on: isFlag }, {}],
  order: [{ target: isText }, { before: isText }],
  settle: [{ question: isLongText, choice: isText }, {}],
  admit: [{ action: isText }, { kind: isText, body: isObject, at_ms: isMoment, device: isText }],
  stage: [{ to: isText }, {}],
  note: [{ text: isText }, {}],
};

const wrong = (raw) => {
  if (!isObject(raw)) return "not an object";
  for (const name of ["id", "device", "kind"]) if (!isText(raw[name])) return `${name} must be a text`;
  for (const [name, least] of [["counter", 1], ["at_ms", 0]]) {
    if (!isMoment(raw[name]) || raw[name] < least) return `${name} must be a whole number from ${least}`;
  }
  const { kind } = raw;
  const body = raw.body === undefined ? {} : raw.body;
  if (!Object.hasOwn(KINDS, kind)) return `unknown kind ${kind}`;
  if (!isObject(body)) return "body must be an object";
  if (new TextEncoder().encode(canonical(body)).length > MOST_BYTES) return `body is longer than ${MOST_BYTES} bytes`;
  const [needed, possible] = KINDS[kind];
  for (const [name, check] of Object.entries(needed)) {
    if (!check(body[name])) return `body.${name} of ${kind} is missing or wrong`;
  }
  for (const [name, check] of Object.entries(possible)) {
    if (!isNone(body[name]) && !check(body[name])) return `body.${name} of ${kind} is wrong`;
  }
  if (!isNone(raw.received_ms) && !isMoment(raw.received_ms)) return "received_ms must be a whole number from 0";
  return "";
};

const FINAL = ["void", "envelope"]; // kinds of actions that are never undone
const OF_THE_SITE = ["seed", "draw", "envelope"]; // nobody else can choose them

// The log: sorted, each id once, without what is undone, with edits of the order.
const undoneBy = (actions) => {
  const kinds = new Map(actions.map(({ id, kind }) => [id, kind]));
  const last = new Map();
  for (const { kind, body } of actions) {
    if (kind === "void" && !FINAL.includes(kinds.get(body.target))) last.set(body.target, body.on);
  }
  return new Set([...last].filter(([, isUndone]) => isUndone).map(([target]) => target));
};

const sorted = (actions) => {
  const key = (action) => [action.at_ms, action.device, action.counter, action.id, contentOf(action)];
  const keyed = actions.map((action) => [key(action), action]).sort((a, b) => compareAll(a[0], b[0]));
  return keyed.map(([, action]) => action);
};

// When an action became known.
const cameMs = ({ at_ms, received_ms }) => received_ms ?? at_ms;
const isOfTheClock = ({ kind }) => kind === "clock" || kind === "levels";

// Touches of the clock that came when a later one was known already; a jump says itself where it leads.
const lateTouches = (actions) => {
  const late = new Set();
  let known = Infinity;
  for (const action of actions.filter(isOfTheClock).reverse()) {
    if (known < cameMs(action) && action.body.op !== "jump") late.add(action.id);
    known = Math.min(known, cameMs(action));
  }
  return late;
};

// What an admit carries; with a known id it gets one of its own.
const carriedBy = (admit, known) => {
  const { action, kind, body, at_ms, device } = admit.body;
  return {
    id: known.has(action) ? `${admit.id}~` : action,
    device: device || admit.device,
    counter: admit.counter,
    kind,
    body: body ?? {},
    at_ms: at_ms ?? admit.at_ms,
    received_ms: cameMs(admit),
  };
};

const logOf = (actions) => {
  const log = { actions: [], held: [] };
  const contents = new Map();
  const numbers = new Set();
  const held = new Map();
  const hold = (id, why) => held.set(canonical([id, why]), { id, why });
  const ordered = sorted(actions);
  const undone = undoneBy(ordered);
  const known = new Set(ordered.map(({ id }) => id));
  const admits = ordered.filter(({ id, kind }) => kind === "admit" && !undone.has(id));
  const carried = [];
  const said = new Set(ordered.map(({ id, kind, body }) => canonical([id, kind, body])));
  const isThere = ({ action, kind, body }) => said.has(canonical([action, kind, body ?? {}]));
  for (const admit of admits.filter(({ body }) => (body.kind ?? null) !== null && !isThere(body))) {
    if (OF_THE_SITE.includes(admit.body.kind)) {
      hold(admit.body.action, "for the site alone");
      continue;
    }
    const action = carriedBy(admit, known);
    const why = wrong(action);
    if (why) hold(action.id, why);
    else carried.push(action);
  }
  const admitted = new Set([...admits.map(({ body }) => body.action), ...carried.map(({ id }) => id)]);
  for (const action of sorted([...ordered, ...carried])) {
    const content = contentOf(action);
    const number = canonical([action.device, action.counter]);
    if (contents.has(action.id)) {
      if (contents.get(action.id) !== content) hold(action.id, "other content under a known id");
    } else if (!admitted.has(action.id) && numbers.has(number)) {
      hold(action.id, "a number of its device that is taken");
    } else {
      if (!admitted.has(action.id)) numbers.add(number);
      contents.set(action.id, content);
      log.actions.push(action);
    }
  }
  log.held = [...held.values()];
  return log;
};

const edited = (actions) => {
  let result = actions;
  for (const { id: own, body } of actions.filter(({ kind }) => kind === "order")) {
    const before = body.before ?? null;
    const moved = result.find(({ id }) => id === body.target);
    if (!moved || isOfTheClock(moved) || body.target === before) continue;
    const others = result.filter(({ id }) => id !== body.target);
    const at = others.findIndex(({ id }) => id === (before || own));
    if (at >= 0) result = [...others.slice(0, at), moved, ...others.slice(at)];
  }
  return result;
};

// The state, and what each kind does to it.
export const personKey = (name) =>
  name.normalize("NFKC").toLowerCase().split(" ").filter(Boolean).join(" ");

class Night {
  constructor(choices, late) {
    this.choices = choices;
    this.late = late;
    this.entries = new Map();
    this.aliases = new Map();
    this.latest = new Map();
    this.numbered = new Map();
    this.exits = [];
    this.exitByEntry = new Map();
    this.reported = new Map();
    this.questions = [];
    this.deal = this.clock = this.stage = this.started_at_ms = null;
    this.setup = {};
    this.levels = [];
    this.asks = new Map();
    this.saysOut = new Map();
    this.seed = {};
    this.bigBlinds = {};
    this.stacks = {};
    this.bonuses = [];
    this.envelopes = {};
    this.moves = new Map();
  }

  find(id) {
    return this.entries.get(this.aliases.get(id) ?? id);
  }

  exitOf(entry) {
    return this.exitByEntry.get(entry.id);
  }

  stillIn() {
    return [...this.entries.values()].filter(({ id }) => !this.exitByEntry.has(id));
  }

  ask(kind, actions, entries, choices = ["ignore"]) {
    const id = [kind, ...actions, ...entries].join(":");
    const chosen = this.choices.get(id);
    const settled = choices.includes(chosen) ? chosen : null;
    this.questions.push({ id, kind, actions, entries, choices, settled });
    return settled;
  }

  enter(action) {
    const { body } = action;
    const key = personKey(body.name);
    const last = this.entries.get(this.latest.get(key));
    const next = last ? last.number + (this.exitOf(last) ? 1 : 0) : 1;
    const number = body.number || next;
    const numbered = canonical([key, number]);
    const same = this.entries.get(this.numbered.get(numbered));
    const player = body.player ?? null;
    if (same) {
      this.aliases.set(action.id, same.id);
      same.paid = Math.max(same.paid, body.paid || 0);
      if (same.player !== null && player !== null && same.player !== player) {
        this.ask("same_name", [same.id, action.id], [same.id]);
      }
      same.player ??= player;
      return;
    }
    this.numbered.set(numbered, action.id);
    this.entries.set(action.id, {
      id: action.id, name: last ? last.name : body.name, key, number, player, at_ms: action.at_ms,
      stack: body.stack ?? null, cost: body.cost || 0, paid: body.paid || 0, n_rebuys: 0, n_addons: 0, n_stacks: 0, more_chips: 0, cashed: null, by: null, byDevice: "",
      seat: null, moved: null, has_seen: true,
    });
    const asked = this.asks.get(body.ask);
    if (asked) asked.entry = action.id;
    if (this.isClosed(action.at_ms)) this.ask("after_closing", [action.id], [action.id]);
    if (last && !this.exitOf(last)) this.ask("in_twice", [last.id, action.id], [last.id, action.id]);
    if (!last || number > last.number) this.latest.set(key, action.id);
  }

  out(action) {
    for (const group of action.body.groups) {
      const [fresh, again] = this.sortedOut(action, group);
      for (const entry of again) {
        if (this.isAgain(action, entry) && !fresh.includes(entry)) fresh.push(entry);
      }
      if (again.length && fresh.length && again.length + fresh.length === new Set(group).size && group.length > 1) {
        this.ask("tied", [action.id], [...again, ...fresh].map(({ id }) => id));
      }
      const own = this.reported.get(action.device) ?? new Set();
      for (const entry of [...again, ...fresh]) own.add(entry.id);
      this.reported.set(action.device, own);
      this.leave(action, fresh, false);
    }
  }

  sortedOut(action, group) {
    const [fresh, again] = [new Set(), new Set()];
    for (const id of new Set(group)) {
      const entry = this.find(id);
      if (!entry) this.ask("unknown", [action.id], [id]);
      else (this.exitOf(entry) ? again : fresh).add(entry);
    }
    return [[...fresh], [...again]];
  }

  isAgain(action, entry) {
    const first = this.exitOf(entry);
    if (!first) return false;
    const isNear = action.at_ms - first.at_ms <= SEEN_BY_TWO;
    if (isNear && (first.devices.includes(action.device) || this.agrees(first, action.device))) {
      if (!first.devices.includes(action.device)) first.devices.push(action.device);
      return false;
    }
    const kind = isNear ? "order" : "twice";
    if (this.ask(kind, [first.action, action.id], [entry.id], ["first", "second"]) !== "second") return false;
    first.entries = first.entries.filter((id) => id !== entry.id);
    this.exitByEntry.delete(entry.id);
    this.exits = this.exits.filter(({ entries }) => entries.length);
    return true;
  }

  agrees(first, device) {
    const own = new Set([...(this.reported.get(device) ?? [])].map((id) => this.exitByEntry.get(id)));
    return !this.exits.slice(this.exits.indexOf(first) + 1).some((each) => own.has(each));
  }

  leave(action, entries, mayBeLast) {
    if (!entries.length) return;
    const nIn = this.entries.size - this.exitByEntry.size;
    if (nIn <= entries.length && !mayBeLast && entries.length < 2) {
      this.ask("last_one", [action.id], [entries[0].id]);
      return;
    }
    const left = {
      entries: entries.map(({ id }) => id), at_ms: action.at_ms, action: action.id, devices: [action.device],
    };
    this.exits.push(left);
    for (const entry of entries) {
      this.exitByEntry.set(entry.id, left);
      entry.seat = entry.moved = null;
      entry.has_seen = true;
    }
  }

  cashOut(action) {
    const entry = this.find(action.body.entry);
    if (!entry) {
      this.ask("unknown", [action.id], [action.body.entry]);
      return;
    }
    if (!this.isCash) {
      this.ask("no_cash", [action.id], [entry.id]);
      return;
    }
    entry.cashed = action.body.amount;
    if (!this.exitOf(entry)) this.leave(action, [entry], true);
  }

  openEnvelope({ body }) {
    const entry = this.find(body.entry);
    if (entry) this.envelopes[entry.id] ??= body.amount;
  }

  by(action) {
    const target = this.find(action.body.target);
    const hunterId = action.body.by;
    const hunter = hunterId ? this.find(hunterId) : null;
    if (!target || (hunterId && !hunter)) {
      this.ask("unknown", [action.id], [target ? hunterId : action.body.target]);
      return;
    }
    const hunted = hunter && hunter !== target ? hunter.id : null;
    if (target.by && hunted && target.by !== hunted && target.byDevice !== action.device) {
      this.ask("by", [action.id], [target.id, target.by, hunted]);
    }
    target.by = hunted;
    target.byDevice = action.device;
  }

  tie(action) {
    const found = [...new Set(action.body.targets)].map((id) => this.find(id));
    const own = new Set(found.filter((entry) => entry && this.exitOf(entry)).map((entry) => this.exitOf(entry)));
    const places = [...this.exits.keys()].filter((i) => own.has(this.exits[i]));
    const areAllOut = found.every((entry) => entry && this.exitOf(entry));
    if (!areAllOut || !places.length || places.at(-1) - places[0] >= places.length) {
      this.ask("not_together", [action.id], action.body.targets);
      return;
    }
    const [first, ...others] = places.map((i) => this.exits[i]);
    for (const other of others) {
      first.entries.push(...other.entries);
      for (const device of other.devices) if (!first.devices.includes(device)) first.devices.push(device);
      for (const id of other.entries) this.exitByEntry.set(id, first);
    }
    this.exits = this.exits.filter((each) => each === first || !own.has(each));
  }

  chop(action) {
    const { body } = action;
    this.deal = { action: action.id };
    for (const name of ["method", "stacks", "money", "kept", "agreed"]) this.deal[name] = body[name] ?? null;
    for (const group of body.groups ?? []) this.leave(action, this.sortedOut(action, group)[0], true);
  }

  buy(action) {
    const entry = this.find(action.body.entry);
    if (!entry) {
      this.ask("unknown", [action.id], [action.body.entry]);
      return;
    }
    entry.cost += action.body.cost || 0;
    entry.paid += action.body.paid || 0;
    const n = action.body.count || 1;
    if (action.kind === "buy" && action.body.kind === "rebuy") entry.n_rebuys += n;
    if (action.kind === "buy" && action.body.kind === "addon") entry.n_addons += n;
    if (action.kind === "buy" && action.body.chips) entry.more_chips += n * action.body.chips;
    else if (action.kind === "buy") entry.n_stacks += n;
  }

  // A start that comes late changes nothing: it runs already; a pause may have to be asked about.
  touchClock(action) {
    const { op } = action.body;
    const isLate = this.late.has(action.id);
    if (op === "start" || op === "resume") this.started_at_ms ??= action.at_ms;
    if (isLate && (op === "start" || op === "resume")) return;
    if ((isLate || (op === "pause" && this.isLevelsAgo(action))) && !this.isWanted(action)) return;
    this.clock = touched(this.levels, this.clock, action.body, action.at_ms);
  }

  isWanted(action) {
    return this.ask("late_clock", [action.id], [], ["set_back", "ignore"]) === "set_back";
  }

  isLevelsAgo(action) {
    if (!this.clock?.is_running) return false;
    const { level } = clockAt(this.levels, this.clock, action.at_ms);
    const length = level < this.levels.length ? this.levels[level].ms : LONGEST_MS;
    return cameMs(action) - action.at_ms > length;
  }

  setLevels(action) {
    if (this.late.has(action.id) && !this.isWanted(action)) return;
    const levels = [...this.levels.slice(0, action.body.first || 0), ...action.body.levels].slice(0, MOST_LEVELS);
    if (this.clock) this.clock = relevelled(this.levels, levels, this.clock, action.at_ms);
    this.levels = levels;
  }

  isClosed(at_ms) {
    return Boolean(this.clock) && isPast(this.levels, clockAt(this.levels, this.clock, at_ms), this.setup.closing_level || 0);
  }

  // Drawn seats; what was undone meanwhile, and a seat that is taken, is left out.
  draw(action) {
    for (const [id, table, seat] of action.body.seats) {
      const entry = this.find(id);
      if (!entry || this.exitOf(entry) || entry.seat !== null) continue;
      for (const other of this.stillIn()) { // brought back after the seat had been drawn for another one
        if (other.seat && canonical(other.seat) === canonical([table, seat])) {
          other.seat = other.moved = null;
          other.has_seen = false;
        }
      }
      entry.seat = [table, seat];
    }
  }

  move(action) {
    const rows = action.body.moves;
    const found = rows.map(([id, table, seat]) => [this.find(id), [table, seat]]);
    const moved = new Set(found.map(([entry]) => entry).filter(Boolean));
    const taken = this.stillIn().filter((entry) => entry.seat && !moved.has(entry)).map(({ seat }) => canonical(seat));
    const seats = found.map(([, seat]) => canonical(seat));
    const ids = rows.map(([id]) => id);
    if (found.some(([entry]) => !entry || this.exitOf(entry)) || moved.size < found.length) {
      this.ask("unknown", [action.id], ids);
      return;
    }
    if (new Set([...taken, ...seats]).size < taken.length + seats.length) {
      this.ask("seat_taken", [action.id], ids);
      return;
    }
    const isSame = (entry, seat) => canonical(entry.seat) === canonical(seat);
    for (const [entry, seat] of found) {
      const before = this.moves.get(entry.moved);
      if (!before || isSame(entry, seat) || before.device === action.device) continue;
      const isNear = action.at_ms - before.at_ms <= SEEN_BY_TWO;
      if (isNear && this.ask("moved_twice", [before.id, action.id], [entry.id], ["first", "second"]) !== "second") return;
    }
    this.moves.set(action.id, action);
    for (const [entry, seat] of found) {
      entry.has_seen = entry.has_seen && isSame(entry, seat);
      entry.seat = seat;
      entry.moved = action.id;
    }
  }

  button({ body, at_ms }) {
    delete this.bigBlinds[body.table];
    if (body.entry) this.bigBlinds[body.table] = [body.entry, at_ms];
  }

  seenMove({ body }) {
    const entry = this.find(body.entry);
    if (entry) entry.has_seen = true;
  }

  countStacks(action) {
    for (const id of Object.keys(action.body.stacks).sort(compare)) {
      const chips = action.body.stacks[id];
      const entry = this.find(id);
      if (entry) this.stacks[entry.id] = chips;
      else this.ask("unknown", [action.id], [id]);
    }
  }

  bonus(action) {
    const entry = this.find(action.body.entry);
    const { points, reason } = action.body;
    if (entry) this.bonuses.push({ entry: entry.id, points, reason: reason || "" });
    else this.ask("unknown", [action.id], [action.body.entry]);
  }

  askIn({ id, device, body }) {
    this.asks.set(id, { id, name: body.name, device, player: body.player ?? null, entry: null });
  }

  askOut({ id, body }) {
    const entry = this.find(body.entry);
    if (entry && !this.exitOf(entry)) this.saysOut.set(entry.id, id);
  }

  // Those who asked to be checked in or to be out, and have not been.
  askAtTheEnd() {
    for (const asked of this.asks.values()) {
      if (asked.entry !== null) continue;
      const own = this.entries.get(this.latest.get(personKey(asked.name)));
      if (!own || this.exitOf(own)) this.ask("wants_in", [asked.id], [asked.name]);
      else if (this.ask("is_it_you", [asked.id], [own.id], ["yes", "ignore"]) === "yes") asked.entry = own.id;
    }
    for (const [entry, action] of this.saysOut) {
      if (!this.exitByEntry.has(entry)) this.ask("says_out", [action], [entry]);
    }
  }

  places() {
    const stillIn = new Set(this.stillIn().map(({ key }) => key));
    const gone = new Map();
    this.exits.forEach((each, i) => each.entries.forEach((id) => gone.set(this.entries.get(id).key, i)));
    for (const key of stillIn) gone.delete(key);
    const name = (key) => this.entries.get(this.latest.get(key)).name;
    const byExit = new Map();
    for (const i of gone.values()) byExit.set(i, (byExit.get(i) ?? 0) + 1);
    const placeOf = new Map();
    let ahead = stillIn.size;
    for (const i of [...byExit.keys()].sort((a, b) => b - a)) {
      placeOf.set(i, 1 + ahead);
      ahead += byExit.get(i);
    }
    const places = Object.fromEntries([...gone].map(([key, i]) => [name(key), placeOf.get(i)]));
    if (stillIn.size === 1 && gone.size) places[name([...stillIn][0])] = 1;
    return places;
  }
}

const APPLIES = {
  enter: (night, action) => night.enter(action),
  ask_in: (night, action) => night.askIn(action),
  buy: (night, action) => night.buy(action),
  pay: (night, action) => night.buy(action),
  out: (night, action) => night.out(action),
  cash_out: (night, action) => night.cashOut(action),
  by: (night, action) => night.by(action),
  tie: (night, action) => night.tie(action),
  chop: (night, action) => night.chop(action),
  clock: (night, action) => night.touchClock(action),
  ask_out: (night, action) => night.askOut(action),
  draw: (night, action) => night.draw(action),
  move: (night, action) => night.move(action),
  button: (night, action) => night.button(action),
  seen_move: (night, action) => night.seenMove(action),
  stacks: (night, action) => night.countStacks(action),
  bonus: (night, action) => night.bonus(action),
  envelope: (night, action) => night.openEnvelope(action),
  seed: (night, { body }) => { night.seed = { sha256: body.sha256 }; },
  setup: (night, { body }) => { night.setup = body; },
  levels: (night, action) => night.setLevels(action),
  stage: (night, { body }) => { night.stage = body.to; },
};

const fold = (actions) => {
  const settled = actions.filter(({ kind }) => kind === "settle").map(({ body }) => [body.question, body.choice]);
  const night = new Night(new Map(settled), lateTouches(actions));
  night.isCash = actions.findLast(({ kind }) => kind === "setup")?.body.format === "cash";
  for (const action of actions) APPLIES[action.kind]?.(night, action);
  for (const entry of night.stillIn()) entry.by = null; // brought back: nobody has put it out
  night.askAtTheEnd();
  return night;
};

// The actions that stand: not undone, and not about who put somebody out by an exit that is undone.
const standingOf = (actions, undone) => {
  const stands = new Map();
  return actions.filter(({ id, kind, body }) => {
    if (kind === "out") for (const entry of body.groups.flat()) stands.set(entry, (stands.get(entry) ?? false) || !undone.has(id));
    return !undone.has(id) && !(kind === "by" && !(stands.get(body.target) ?? true));
  });
};

// A night with its log, from raw actions in any order.
export const nightOf = (raws) => {
  const actions = [];
  const malformed = [];
  for (const raw of raws) {
    const why = wrong(raw);
    if (!why) actions.push({ ...raw, body: raw.body ?? {} });
    else malformed.push({ id: isObject(raw) && typeof raw.id === "string" ? raw.id : "", why });
  }
  const log = logOf(actions);
  const undone = undoneBy(log.actions);
  const standing = edited(standingOf(log.actions, undone));
  return { night: fold(standing), log, undone, standing, malformed };
};

// The state of a night as plain data, from raw actions in any order.
export const projectRaw = (raws) => {
  const { night, log, malformed } = nightOf(raws);
  const stillIn = night.stillIn();
  const held = [...log.held, ...malformed].sort((a, b) => compareAll([a.id, a.why], [b.id, b.why]));
  return {
    places: night.places(),
    in: [...new Set(stillIn.map(({ name }) => name))],
    seats: Object.fromEntries(stillIn.filter(({ seat }) => seat).map(({ name, seat }) => [name, seat])),
    clock: night.clock,
    started_at_ms: night.started_at_ms,
    stage: night.stage,
    setup: night.setup,
    levels: night.levels,
    deal: night.deal,
    seed: night.seed,
    big_blinds: night.bigBlinds,
    stacks: night.stacks,
    envelopes: night.envelopes,
    bonuses: night.bonuses,
    asks: [...night.asks.values()].map(({ id, name, entry }) => ({ id, name, entry })),
    entries: [...night.entries.values()].map(
      ({ id, name, number, player, at_ms, stack, cost, paid, n_rebuys, n_addons, n_stacks, more_chips, cashed, by, has_seen }) =>
        ({ id, name, number, player, at_ms, stack, cost, paid, n_rebuys, n_addons, n_stacks, more_chips, cashed, by, has_seen }),
    ),
    exits: night.exits.map(({ entries, at_ms, devices }) => ({ entries, at_ms, devices: [...devices].sort(compare) })),
    questions: night.questions
      .filter(({ settled }) => settled === null)
      .map(({ id, kind, actions: of, entries, choices }) => ({ id, kind, actions: of, entries, choices })),
    held,
  };
};
