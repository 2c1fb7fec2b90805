// Times and blinds as a clock writes them, and when it changes next.
import { clockAt, isPast, numberOf } from "./clock.js";
import { say } from "./words.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SHORT_FROM = 10000;

// 9:48, or 1:05:00 from an hour on; a clock shows the second that has begun.
export const counted = (ms) => {
  const seconds = Math.ceil(ms / SECOND);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

// From 10,000 the clock writes 15K.
export const short = (n) => {
  const language = document.documentElement.lang || "en";
  return n >= SHORT_FROM && n % 100 === 0 ? `${n / 1000}K` : new Intl.NumberFormat(language).format(n);
};

export const blindsOf = (level) => `${short(level.sb ?? 0)} / ${short(level.bb ?? 0)}`;

// How long until a level begins, breaks counted; null if it is not ahead.
export const until = (levels, now, index) => {
  if (index <= now.level || now.left_ms === null) return null;
  return levels.slice(now.level + 1, index).reduce((sum, { ms }) => sum + ms, now.left_ms);
};

// What the clock shows at a moment.
export const shown = ({ clock, levels, closing_level: closing = 0 }, nowMs) => {
  if (!clock) return { isStarted: false, level: levels[0] ?? null };
  const now = clockAt(levels, clock, nowMs);
  const level = levels[now.level] ?? null;
  const next = levels.slice(now.level + 1).find((each) => !each.is_break) ?? null;
  const blinds = [...levels.keys()].filter((i) => !levels[i].is_break);
  const end = closing > 0 && closing <= blinds.length ? blinds[closing - 1] + 1 : null;
  const breakAt = levels.findIndex((each, i) => i > now.level && each.is_break);
  return {
    isStarted: true, now, level, next, number: numberOf(levels, now.level), isBreak: Boolean(level?.is_break),
    isLast: level !== null && !next && !level.is_break,
    isClosed: Boolean(closing) && isPast(levels, now, closing),
    closesIn: end === null ? null : end >= levels.length ? null : until(levels, now, end),
    breakIn: breakAt < 0 ? null : until(levels, now, breakAt),
  };
};

// Ms until what the clock shows changes.
export const nextTick = (left) => (left === null ? SECOND : ((left - 1 + SECOND) % SECOND) + 1);

// 1 h 25, 57 min.
export const rough = (ms) => {
  const minutes = Math.ceil(ms / MINUTE);
  return minutes >= 60 ? say("the hours", { h: Math.floor(minutes / 60), m: String(minutes % 60).padStart(2, "0") }) : say("minutes", { m: minutes });
};
