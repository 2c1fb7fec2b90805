// Tells when a minute is left of a level, and when it has ended: once each, and not for what was jumped over.
const MINUTE = 60000;
const STEP_MS = 3000; // a change by more is a jump, a stop or a phone that slept

export class Alarm {
  constructor({ minute, end }) {
    Object.assign(this, { minute, end, before: null });
  }

  see({ isStarted, now, isLast }) {
    const { before } = this;
    this.before = isStarted && now.is_running && now.left_ms !== null ? now : null;
    if (!this.before || !before) return;
    const passed = now.ran_ms - before.ran_ms;
    if (passed < 0 || passed > STEP_MS) return;
    if (now.level === before.level + 1 && before.left_ms <= passed) this.end();
    else if (before.left_ms > MINUTE && now.left_ms <= MINUTE && !isLast) this.minute();
  }
}
