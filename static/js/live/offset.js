// The difference between this clock and the server's, from the poll with the shortest round trip of the last ones.
const N_SAMPLES = 8;
const JUMP_MS = 1000;

export class ClockOffset {
  samples = [];

  add(sent, returned, server) {
    const sample = { offset: server - (sent + returned) / 2, error: (returned - sent) / 2 };
    const { best } = this;
    if (best && Math.abs(sample.offset - best.offset) > best.error + sample.error + JUMP_MS) this.samples = [];
    this.samples = [...this.samples, sample].slice(-N_SAMPLES);
  }

  get best() {
    return this.samples.reduce((best, each) => (!best || each.error < best.error ? each : best), null);
  }

  get ms() {
    return this.best ? Math.round(this.best.offset) : null;
  }
}
