// Reads the face of a night for a screen or a player's phone, and keeps the last one for when there is no network.
import { newId } from "./ids.js";
import { ClockOffset } from "./offset.js";

const TIMEOUT_MS = 10000;
const JUMP_MS = 1000;
const NAME = "tierboard-live-face";

const kept = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
};

const keep = (name, value) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A private window: it lasts as long as the page.
  }
};

// What a screen or a player's phone is to a night: its key, and what it has not sent yet.
export const ownDevice = (night) => kept(`${NAME}-${night}`);
export const keepOwn = (device) => keep(`${NAME}-${device.night}`, { queue: [], counter: 0, ...device });

export class Feed {
  constructor(night, { face, log, every }, onChange) {
    Object.assign(this, { night, address: face, log, onChange });
    this.device = ownDevice(night);
    this.clock = new ClockOffset();
    this.told = kept(`${NAME}-${night}-told`);
    this.offlineSince = null;
    this.isOver = false;
    this.running = null;
    const due = () => { if (document.visibilityState === "visible") this.now(); };
    setInterval(due, every);
    for (const name of ["online", "pageshow"]) window.addEventListener(name, due);
    document.addEventListener("visibilitychange", due);
  }

  // The server's time. A clock that was changed, or a phone that slept, is compared again at once.
  get ms() {
    const wall = Date.now();
    const drift = wall - performance.now();
    if (this.drift !== undefined && Math.abs(drift - this.drift) > JUMP_MS) this.now();
    this.drift = drift;
    return wall + (this.clock.ms ?? 0);
  }

  async ask(path, options = {}) {
    const sent = Date.now();
    const answer = await fetch(path, {
      ...options, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { "X-Device-Key": this.device.key, "Content-Type": "application/json" },
    });
    const server = Number(answer.headers.get("X-Now"));
    if (server) this.clock.add(sent, Date.now(), server);
    if (answer.status === 410 || answer.status === 401) this.isOver = true;
    else if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }

  // Send what was tapped, then read; one after the other.
  now() {
    this.running = (this.running ?? Promise.resolve()).then(() => this.exchange());
    return this.running;
  }

  async exchange() {
    try {
      await this.send().catch(() => {}); // what was not taken in waits; it holds up no reading
      const answer = await this.ask(`${this.address}?after=${encodeURIComponent(this.told?.token ?? "")}`);
      if (answer.status === 200) {
        this.told = await answer.json();
        keep(`${NAME}-${this.night}-told`, this.told);
      }
      this.offlineSince = null;
    } catch {
      this.offlineSince ??= Date.now();
    }
    this.onChange();
  }

  // What is kept of this phone, which another tab may have changed.
  own() {
    this.device = ownDevice(this.night) ?? this.device;
    return this.device;
  }

  // A tap is kept before it is shown, and leaves only when the server has answered for it.
  record(kind, body) {
    const device = this.own();
    device.counter += 1;
    const action = { id: newId(), counter: device.counter, kind, body, tap_ms: Date.now(), offset_ms: this.clock.ms };
    device.queue.push(action);
    keepOwn(device);
    this.onChange();
    return this.now();
  }

  async send() {
    if (!this.own().queue.length) return;
    const { device } = this;
    const actions = device.queue.slice(0, 20).map((each) => ({ ...each, offset_ms: each.offset_ms ?? this.clock.ms, seen: 0 }));
    const answer = await this.ask(this.log, { method: "POST", body: JSON.stringify({ sent_wall: Date.now(), seen: 0, actions }) });
    if (!answer.ok) return;
    const { replies } = await answer.json();
    const done = new Set(replies.filter(({ status }) => ["in", "again", "held"].includes(status)).map(({ id }) => id));
    const rest = this.own();
    rest.queue = rest.queue.filter(({ id }) => !done.has(id));
    const from = Number(replies.find(({ status }) => status === "gap")?.why.match(/\d+$/)?.[0]);
    if (from) { // the server waits for a number that this phone does not have any more
      rest.queue.forEach((each, i) => { each.counter = from + i; });
      rest.counter = from + rest.queue.length - 1;
    }
    keepOwn(rest);
  }
}
