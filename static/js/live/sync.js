// Carries taps to the server and those of others back. A tap leaves the queue only when the server has answered for it:
// taken in, taken in before, or held. No status of a request ever removes one.
import { ClockOffset } from "./offset.js";

const EVERY_MS = 2000;
const BEAT_MS = 30000;
const TIMEOUT_MS = 10000;
const MOST_OF_A_BATCH = 50;
const MOST_BYTES = 48000;
const DONE = new Set(["in", "again", "held"]);

export class Sync {
  constructor(store, device, address, onChange) {
    Object.assign(this, { store, device, address, onChange });
    this.clock = new ClockOffset();
    this.clock.samples = store.kept("clock") ?? [];
    this.isLeader = false;
    this.offlineSince = null;
    this.isRevoked = false;
    this.stage = "open";
    this.heldIds = new Set();
    this.lastBeat = 0;
    this.tried = new Promise((done) => { this.hasTried = done; });
    this.running = null;
    this.channel = new BroadcastChannel(`tierboard-live-${store.night}`);
    this.channel.onmessage = async ({ data }) => {
      if (data.clock !== undefined && !this.isLeader) this.clock.samples = data.clock;
      await this.onChange(data);
      if (this.isLeader && data.tapped) this.now();
    };
  }

  // One tab sends; the others wait until it is closed. Without locks every tab sends, which the server survives.
  start() {
    const lead = async () => {
      this.isLeader = true;
      this.loop();
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(`tierboard-live-${this.store.night}`, lead);
    else lead();
    for (const name of ["online", "pageshow"]) window.addEventListener(name, () => this.now());
    document.addEventListener("visibilitychange", () => this.now());
  }

  loop() {
    setInterval(() => { if (document.visibilityState === "visible") this.now(); }, EVERY_MS);
    this.now();
  }

  // Tell the tab that sends, which may be this one.
  async tapped() {
    this.channel.postMessage({ tapped: true });
    await this.now();
  }

  // Send and read once; a second call waits for the first and then runs again.
  async now() {
    if (!this.isLeader) return;
    if (this.running) {
      this.isWanted = true;
      await this.running;
      return;
    }
    this.running = this.exchange().catch(() => { this.offlineSince ??= Date.now(); });
    await this.running;
    this.running = null;
    if (this.isWanted) {
      this.isWanted = false;
      await this.now();
    }
  }

  async exchange() {
    let changed = {};
    try {
      const queue = await this.store.queue();
      const isBeatDue = Date.now() - this.lastBeat > BEAT_MS;
      changed = queue.length || isBeatDue ? await this.send(queue) : await this.poll();
      if (this.offlineSince) changed.isBack = true;
      this.offlineSince = null;
    } catch {
      this.offlineSince ??= Date.now();
      changed.isOffline = true;
    }
    this.channel.postMessage({ ...changed, clock: this.clock.samples });
    await this.onChange(changed);
    this.hasTried();
  }

  async head() {
    const log = await this.store.log();
    return log.reduce((head, { seq }) => Math.max(head, seq), 0);
  }

  async ask(path, options = {}) {
    const sent = Date.now();
    const answer = await fetch(path, {
      ...options,
      cache: "no-store",
      headers: { "X-Device-Key": this.device.key, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const server = Number(answer.headers.get("X-Now"));
    if (server) {
      this.clock.add(sent, Date.now(), server);
      this.store.keep("clock", this.clock.samples);
    }
    this.stage = answer.headers.get("X-Stage") ?? this.stage;
    if (answer.status === 410 || answer.status === 401) {
      this.isRevoked = true;
      return null;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.status === 204 ? null : answer.json();
  }

  async poll() {
    const told = await this.ask(`${this.address}?after=${await this.head()}`);
    if (!told) return {};
    await this.store.settle([], told.actions);
    return { came: told.actions };
  }

  async send(queue) {
    const head = await this.head();
    const actions = this.batch(queue);
    const unsent = queue.length - actions.length;
    const body = { sent_wall: Date.now(), seen: head, unsent: 0, unsent_kind: "", actions: actions.map((each) => this.sent(each)) };
    if (unsent) Object.assign(body, { unsent, unsent_kind: queue.at(-1).kind });
    const told = await this.ask(this.address, { method: "POST", body: JSON.stringify(body) });
    if (!told) return {};
    this.lastBeat = Date.now();
    const gap = told.replies.find(({ status }) => status === "gap");
    const done = told.replies.filter(({ status }) => DONE.has(status));
    for (const { id, status } of done) if (status === "held") this.heldIds.add(id);
    await this.store.settle(done.map(({ id }) => id), told.actions);
    if (gap && !done.length) await this.fill(gap);
    const came = told.actions.filter(({ device }) => device !== this.device.device);
    const isMore = (unsent && done.length) || told.actions.length === 500;
    if (isMore) this.isWanted = true;
    return { came, sent: done.length };
  }

  // The server waits for a number that this phone does not have any more.
  async fill(gap) {
    const from = Number(gap.why.match(/\d+$/)?.[0]);
    const queue = await this.store.queue();
    if (from && queue.length && queue[0].counter > from) await this.store.renumber(from);
    this.isWanted = true;
  }

  batch(queue) {
    const batch = [];
    let size = 0;
    for (const action of queue.slice(0, MOST_OF_A_BATCH)) {
      size += JSON.stringify(this.sent(action)).length * 2;
      if (batch.length && size > MOST_BYTES) break;
      batch.push(action);
    }
    return batch;
  }

  // A tap as it is sent; one from before the clocks were ever compared has the offset of now.
  sent({ id, counter, kind, body, tap_ms, offset_ms, seen }) {
    return { id, counter, kind, body, tap_ms, offset_ms: offset_ms ?? this.clock.ms, seen };
  }
}
