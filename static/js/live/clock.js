// The clock of a night, the twin of live/engine/clock.py: level and time left from the log and the time.
export const LONGEST_MS = 24 * 3600000; // of a level

const bounded = (left) => Math.min(Math.max(0, left), LONGEST_MS);
const before = (levels, at_ms) => ({ is_running: false, level: 0, left_ms: levels.length ? levels[0].ms : null, ran_ms: 0, at_ms });

// Let a clock run on to a moment. The last level goes on without end.
export const clockAt = (levels, clock, now) => {
  const passed = clock.is_running ? Math.max(0, now - clock.at_ms) : 0;
  let { level, left_ms: left } = clock;
  if (left !== null) {
    left -= passed;
    while (left <= 0 && level + 1 < levels.length) {
      level += 1;
      left += levels[level].ms;
    }
    left = Math.max(0, left);
  }
  return { is_running: clock.is_running, level, left_ms: left, ran_ms: clock.ran_ms + passed, at_ms: Math.max(now, clock.at_ms) };
};

// Apply a start, pause, resume, jump or addition; null is a clock that was not started yet.
export const touched = (levels, clock, { op, level: wanted, left_ms: given }, at_ms) => {
  const now = { ...clockAt(levels, clock ?? before(levels, at_ms), at_ms), at_ms };
  if (op === "jump") {
    const level = Math.min(wanted || 0, Math.max(0, levels.length - 1));
    const left = !levels.length ? null : (given ?? null) === null ? levels[level].ms : bounded(given);
    return { ...now, level, left_ms: left };
  }
  if (op === "add") return { ...now, left_ms: now.left_ms === null ? null : bounded(now.left_ms + (given || 0)) };
  return { ...now, is_running: op === "start" || op === "resume" };
};

// Change the levels under a clock: the level goes on, with as much time gone of it as before.
export const relevelled = (old, levels, clock, at_ms) => {
  const now = { ...clockAt(old, clock, at_ms), at_ms };
  if (!levels.length) return { ...now, level: 0, left_ms: null };
  const level = Math.min(now.level, levels.length - 1);
  if (now.left_ms === null || level !== now.level) return { ...now, level, left_ms: levels[level].ms };
  return { ...now, left_ms: bounded(now.left_ms + levels[level].ms - old[level].ms) };
};

// The number of a level as people count; a break has that of the level before it.
export const numberOf = (levels, level) => levels.slice(0, level + 1).filter((each) => !each.is_break).length;

export const isPast = (levels, clock, number) => {
  const blinds = [...levels.keys()].filter((i) => !levels[i].is_break);
  return number > 0 && number <= blinds.length && clock.level > blinds[number - 1];
};
