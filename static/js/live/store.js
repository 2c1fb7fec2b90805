// What a device keeps of a night: its key, the log it has seen, and the taps that have not gone out. A tap is written
// with strict durability before it is shown; what is unsent is kept in localStorage too, because some browsers lose a
// database in the background.
import { openDB } from "../../vendor/idb/idb-8.0.3.js";

const NAME = "tierboard-live";
const TABLES = ["nights", "log", "queue"];
const KEPT_FOR_MS = 7 * 86400000;
const STRICT = { durability: "strict" };

const open = () =>
  openDB(NAME, 1, {
    upgrade(db) {
      db.createObjectStore("nights", { keyPath: "night" });
      db.createObjectStore("log", { keyPath: ["night", "seq"] });
      db.createObjectStore("queue", { keyPath: ["night", "counter"] });
    },
  });

// A stand-in where nothing can be kept: the same calls on memory.
class Memory {
  constructor() {
    this.night = undefined;
    this.log = [];
    this.queue = [];
  }
}

// Tell whether a key still lets its phone in; without a network it may.
export const isLetIn = async (address, key) => {
  try {
    const answer = await fetch(`${address}?after=999999999`, { headers: { "X-Device-Key": key }, cache: "no-store" });
    return ![401, 410].includes(answer.status);
  } catch {
    return true;
  }
};

export class Store {
  constructor(night) {
    this.night = night;
    this.isKept = true;
    this.copy = `${NAME}-${night}`;
  }

  // Open the database; without one, go on in memory and say so.
  async open() {
    try {
      this.db = await open();
    } catch {
      this.db = null;
      this.isKept = false;
      this.memory = new Memory();
      this.memory.night = this.copied()?.device;
      this.memory.queue = this.copied()?.queue ?? [];
    }
    return this;
  }

  // Forget nights of a week ago, unless something of them has not gone out.
  async forgetOld() {
    if (!this.db) return;
    await this.with(async (db) => {
      const tx = db.transaction(TABLES, "readwrite");
      for (const { night, now } of await tx.objectStore("nights").getAll()) {
        const range = IDBKeyRange.bound([night, 0], [night, Infinity]);
        const isDue = night !== this.night && now < Date.now() - KEPT_FOR_MS;
        if (!isDue || (await tx.objectStore("queue").count(range))) continue;
        await tx.objectStore("log").delete(range);
        await tx.objectStore("nights").delete(night);
        for (const name of ["", "-clock", "-called", "-roster"]) localStorage.removeItem(`${NAME}-${night}${name}`);
      }
      await tx.done;
    });
  }

  // Run something on the database, and once more with a new connection if this one is lost.
  async with(act) {
    try {
      return await act(this.db);
    } catch (error) {
      if (["QuotaExceededError", "ConstraintError"].includes(error?.name)) throw error;
      this.db = await open();
      return act(this.db);
    }
  }

  copied() {
    try {
      return JSON.parse(localStorage.getItem(this.copy));
    } catch {
      return null;
    }
  }

  writeCopy(device, queue) {
    try {
      localStorage.setItem(this.copy, JSON.stringify({ device, queue }));
      return true;
    } catch {
      return false;
    }
  }

  // Small things that may be lost: the difference of clocks, places that were called, the list of players.
  kept(name) {
    try {
      return JSON.parse(localStorage.getItem(`${this.copy}-${name}`));
    } catch {
      return null;
    }
  }

  keep(name, value) {
    try {
      localStorage.setItem(`${this.copy}-${name}`, JSON.stringify(value));
    } catch {
      // A private window or full storage: the page says so.
    }
  }

  // Read the device of this night; null on a phone that has none.
  async device() {
    if (!this.db) return this.memory.night ?? null;
    const found = await this.with((db) => db.get("nights", this.night));
    if (found) return found;
    const copied = this.copied();
    if (!copied?.device) return null;
    await this.restore(copied);
    return copied.device;
  }

  // Put back what the copy knows after a database was lost.
  async restore({ device, queue }) {
    await this.with(async (db) => {
      const tx = db.transaction(TABLES, "readwrite", STRICT);
      await tx.objectStore("nights").put(device);
      for (const action of queue ?? []) await tx.objectStore("queue").put(action);
      await tx.done;
    });
  }

  async isLetIn(address) {
    const device = await this.device();
    return Boolean(device) && isLetIn(address, device.key);
  }

  async keepDevice(device) {
    const told = { ...device, night: this.night, counter: 0 };
    if (this.db) await this.with((db) => db.put("nights", told));
    else this.memory.night = told;
    // What an earlier device of this browser had not sent goes out in the name of this one.
    await this.renumber(1);
    return told;
  }

  async queue() {
    if (!this.db) return [...this.memory.queue];
    const range = IDBKeyRange.bound([this.night, 0], [this.night, Infinity]);
    return this.with((db) => db.getAll("queue", range));
  }

  async log() {
    if (!this.db) return [...this.memory.log];
    const range = IDBKeyRange.bound([this.night, 0], [this.night, Infinity]);
    return this.with((db) => db.getAll("log", range));
  }

  // Number a tap and keep it. It is durable when this returns.
  async add(action) {
    let added = null;
    if (!this.db) {
      const device = this.memory.night;
      device.counter += 1;
      added = { ...action, night: this.night, counter: device.counter };
      this.memory.queue.push(added);
    } else {
      await this.with(async (db) => {
        const tx = db.transaction(["nights", "queue"], "readwrite", STRICT);
        const device = await tx.objectStore("nights").get(this.night);
        device.counter += 1;
        added = { ...action, night: this.night, counter: device.counter };
        await tx.objectStore("nights").put(device);
        await tx.objectStore("queue").put(added);
        await tx.done;
      });
    }
    await this.copyUnsent();
    return added;
  }

  async copyUnsent() {
    this.writeCopy(await this.device(), await this.queue());
  }

  // Take out of the queue what has arrived, and keep what others have recorded.
  async settle(ids, actions) {
    const done = new Set(ids);
    if (!this.db) {
      this.memory.queue = this.memory.queue.filter(({ id }) => !done.has(id));
      const known = new Set(this.memory.log.map(({ seq }) => seq));
      this.memory.log.push(...actions.filter(({ seq }) => !known.has(seq)));
    } else {
      const queue = await this.queue();
      await this.with(async (db) => {
        const tx = db.transaction(TABLES, "readwrite", STRICT);
        for (const { id, counter } of queue) if (done.has(id)) await tx.objectStore("queue").delete([this.night, counter]);
        for (const action of actions) await tx.objectStore("log").put({ ...action, night: this.night });
        await tx.done;
      });
    }
    await this.copyUnsent();
  }

  // Number the queue from here on: taps with the numbers before were lost with a database, and will not come.
  async renumber(from) {
    const numbered = (queue) => queue.map((action, i) => ({ ...action, counter: from + i }));
    if (!this.db) {
      this.memory.queue = numbered(this.memory.queue);
      this.memory.night.counter = from + this.memory.queue.length - 1;
    } else {
      await this.with(async (db) => {
        const tx = db.transaction(["nights", "queue"], "readwrite", STRICT);
        const range = IDBKeyRange.bound([this.night, 0], [this.night, Infinity]);
        const queue = await tx.objectStore("queue").getAll(range);
        await tx.objectStore("queue").delete(range);
        for (const action of numbered(queue)) await tx.objectStore("queue").put(action);
        const device = await tx.objectStore("nights").get(this.night);
        await tx.objectStore("nights").put({ ...device, counter: from + queue.length - 1 });
        await tx.done;
      });
    }
    await this.copyUnsent();
  }

  // Ask the browser to keep it, and find out whether it is a private window with hardly any room.
  async protect() {
    try {
      if (!(await navigator.storage.persisted())) await navigator.storage.persist();
    } catch {
      // An old browser: it keeps what it keeps.
    }
  }
}
