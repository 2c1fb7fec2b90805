// The face of a clock: what a big screen shows at each stage of a night, and a pocket beside it.
import { h } from "./dom.js";
import { blindsOf, counted, rough, short, shown } from "./times.js";
import { amountOf, listed, place, pointsOf, say, timeOf } from "./words.js";

const SET_BACK_FOR_MS = 120000;
const MOVE_FOR_MS = 60000;
const SITS_MOST = 10;
const MOVES_MOST = 3;
const LONG_NAME = 14;
const LONG_TIME = 6;
const UPS_MOST = 8;

const number = (n) => new Intl.NumberFormat(document.documentElement.lang || "en").format(n);

// How many places win something: prizes where they are shown, else points.
const paidOf = ({ money, points }) => money?.by_place.length || points.at(-1)?.[1] || 0;

// Whether the next one out is the last to win nothing.
const isBubble = (face, seen) =>
  paidOf(face) > 0 && face.out.length > 0 && face.left.length === paidOf(face) + 1 && !(face.closing_level && !seen.isClosed);

// Which stage a night is at: before, running, break, bubble, final, two, over.
export const stageOf = (face, seen) => {
  const { left, out } = face;
  if (face.result || (!face.is_cash && left.length === 1 && out.length)) return "over";
  if (!seen.isStarted) return "before";
  if (seen.isBreak) return "break";
  if (face.is_cash) return "running";
  if (left.length === 2 && out.length) return "two";
  const tables = new Set(left.map(({ seat }) => seat?.[0]));
  const isOneTable = tables.size === 1 && !tables.has(undefined);
  return isOneTable && out.length && left.length <= (face.final_size ?? 0) ? "final" : isBubble(face, seen) ? "bubble" : "running";
};

const fact = (label, value, small) =>
  h("div", {}, h("dt", {}, label), h("dd", {}, value, small ? h("small", {}, ` ${small}`) : null));

const average = (face, seen) => {
  if (!face.chips || !face.left.length) return null;
  const chips = Math.round(face.chips / face.left.length);
  const bb = seen.level?.bb ?? seen.next?.bb;
  const blinds = bb ? chips / bb : 0;
  return fact(say("the average"), number(chips), bb ? say("bb", { n: blinds < 10 ? blinds.toFixed(1) : Math.round(blinds) }) : "");
};

const tablesOf = (face) => new Set(face.left.map(({ seat }) => seat?.[0]).filter(Boolean)).size;

const endsWords = ({ ends }) => {
  if (!ends) return null;
  const interval = ends.from_ms ? `${timeOf(ends.from_ms)}–${timeOf(ends.to_ms)}` : "";
  return fact(say("the likely finish"), timeOf(ends.about_ms), interval);
};

const registration = (face, seen) => {
  if (!face.closing_level) return null;
  if (seen.isClosed) return fact(say("the registration"), say("the closed"));
  return seen.closesIn === null || seen.closesIn === undefined ? null : fact(say("closes in"), counted(seen.closesIn));
};

const factsOf = (face, seen, stage, now) => {
  const left = fact(say("Left"), String(face.left.length), say("of", { n: face.n_entries }));
  if (stage === "before") {
    return [fact(say("In"), String(face.left.length), face.expected ? say("of expected", { n: face.expected }) : ""),
      tablesOf(face) ? fact(say("the tables"), String(tablesOf(face)), face.table_size ? say("of", { n: face.table_size }) : "") : null,
      endsWords(face)];
  }
  if (stage === "two" && face.left.some(({ chips }) => chips)) {
    return [left, average(face, seen), ...face.left.map(({ name, chips }) => fact(name, chips ? number(chips) : "–"))];
  }
  const breakAt = stage === "break" ? fact(say("the break ends"), timeOf(now + seen.now.left_ms))
    : seen.breakIn === null || seen.breakIn === undefined ? null : fact(say("the break in"), rough(seen.breakIn), timeOf(now + seen.breakIn));
  const many = tablesOf(face) > 2 ? fact(say("the tables"), String(tablesOf(face)), face.table_size ? say("of", { n: face.table_size }) : "") : null;
  const facts = [left, average(face, seen), many ?? registration(face, seen), breakAt];
  return facts.filter(Boolean).length < 4 ? [...facts, endsWords(face)] : facts;
};

const sitting = (face) => {
  const seated = face.left.filter(({ seat }) => seat).sort((a, b) => a.seat[1] - b.seat[1]);
  return h("ol", { class: "who-sits" }, h("li", {}, h("span", { class: "h" }, say("the final table"))),
    seated.map(({ seat, name, chips }) => h("li", {}, h("span", { class: "st" }, String(seat[1])), h("b", {}, chips ? `${name}, ${short(chips)}` : name))));
};

// What is shown beside the clock for a while: a stop that came late, moves, no connection.
const tells = (face, seen, stage, now, offlineSince) => {
  const lines = [];
  if (offlineSince) lines.push([say("offline", { time: timeOf(offlineSince) }), say("screen offline")]);
  const { set_back: back } = face;
  if (back && now - back.came_ms < SET_BACK_FOR_MS) {
    lines.push([say("set back", { time: counted(back.ms) }), say("set back late", { time: timeOf(back.at_ms) })]);
  }
  if (isBubble(face, seen)) lines.push(["", say("the bubble", { n: paidOf(face) })]);
  if (stage === "before" && face.seed.sha256) lines.push(["", say("draw sha", { sha: face.seed.sha256.slice(0, 16) })]);
  const moved = face.left.filter(({ moved: at, has_seen: hasSeen }) => at && !hasSeen && now - at < MOVE_FOR_MS);
  if (moved.length > MOVES_MOST) lines.push(["", say("many move", { n: moved.length })]);
  else if (moved.length) {
    lines.push(["", listed(moved.map(({ name, seat }) => say("moves to", { name, table: seat[0], seat: seat[1] })))]);
  }
  return lines.map(([bold, text]) => h("p", { class: "tell" }, bold ? h("b", {}, `${bold} `) : null, text));
};

const colourUp = (level) => (level?.gone?.length ? h("p", { class: "tell" }, h("b", {}, `${say("Colour up")} `), say("chips go", { chips: listed(level.gone.map(number)) })) : null);

const headline = (seen, stage, now, face) => {
  if (stage === "before") return [say("the cards in the air in"), face.starts_ms - now > 0 ? counted(face.starts_ms - now) : timeOf(face.starts_ms)];
  const { left_ms: left, is_running: isRunning, at_ms } = seen.now;
  const level = seen.isBreak ? say("the break") : say("the level", { n: seen.number });
  const name = seen.level === null ? say("the running") : level;
  const time = left === null ? counted(seen.now.ran_ms) : counted(left);
  return [isRunning ? name : `${name}. ${say("Stopped at", { time: timeOf(face.clock.at_ms ?? at_ms) })}`, time];
};

const nextWords = (seen, stage, face) => {
  if (stage === "before") return face.stack ? say("stack and level", { stack: number(face.stack), minutes: Math.round((face.levels[0]?.ms ?? 0) / 60000) }) : "";
  if (seen.isLast) return say("Last level");
  if (!seen.next) return "";
  const ante = seen.next.ante ? `, ${say("ante", { n: short(seen.next.ante) })}` : "";
  const words = seen.isBreak ? say("after the break", { n: seen.number + 1 }) : say("the next");
  return [`${words} `, h("b", {}, blindsOf(seen.next)), ante];
};

// A prize among many: the pool before it says the currency, and whole amounts need no decimals.
const prizeWords = (amount, { decimals }) => {
  const unit = 10 ** decimals;
  return amount % unit ? amountOf(amount, { decimals }) : number(amount / unit);
};

// What is known of who wins what: a deal says it by name, else the places do.
const prizesOf = ({ by_place: byPlace, shares = [], ...money }) => (shares.length
  ? shares.map(({ name, amount }) => h("li", {}, h("small", {}, `${name} `), h("b", {}, prizeWords(amount, money))))
  : byPlace.map((amount, i) => h("li", {}, h("small", {}, `${place(i + 1)} `), h("b", {}, prizeWords(amount, money)))));

const pointsRow = (face) => {
  const { money } = face;
  const range = (first, last) => (first === last ? place(first) : `${place(first)}–${place(last)}`);
  const points = face.points.map(([first, last, value]) => h("li", {}, h("small", {}, `${range(first, last)} `), h("b", {}, value)));
  if (!money) return points.length ? h("ol", { class: "by-place" }, h("li", { class: "k" }, say("points label")), points) : h("span", {});
  return h("ol", { class: "by-place" }, h("li", { class: "k" }, `${say("the prizes")} ${amountOf(money.pool, money)}`), prizesOf(money));
};

const lastOut = (face) => {
  const [last] = face.out;
  if (!last) return null;
  return h("p", { class: "lo" }, h("b", {}, `${place(last.place)}, ${last.name}`),
    h("span", {}, `${last.by ? `${say("by", { name: last.by })}, ` : ""}${timeOf(last.at_ms)}`));
};

const scan = (code) => (code ? h("div", { class: "scan" }, h("span", { class: "code" }, code.cloneNode(true)),
  h("p", {}, h("b", {}, say("the on your phone")), say("on your phone why"))) : null);

const winnerOf = (face) => face.result?.rows.find((row) => row.place === 1)?.name ?? face.left[0]?.name ?? "";

const badge = (name) => h("span", { class: `badge ${name[0].toLowerCase()}` }, h("span", {}, name));

// The order of badges, the best first; only rises are shown.
const RANKS = ["S", "A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
const rises = (face) => (face.result?.rows ?? []).filter(({ badge: now, before }) =>
  now && before && RANKS.indexOf(now) < RANKS.indexOf(before)).slice(0, UPS_MOST);

const over = (face) => {
  const rows = face.result ? face.result.rows.slice(0, 3)
    : [{ place: 1, name: winnerOf(face), entry: face.left[0]?.id }, ...face.out.slice(0, 2).map((row) => ({ ...row, entry: row.id }))];
  const name = winnerOf(face);
  const expected = (at) => face.points.find(([first, last]) => first <= at && at <= last)?.[2] ?? "";
  const earned = (row) => (face.result ? row.points : expected(row.place));
  const share = (row) => face.money?.shares?.find(({ entry }) => entry === row.entry)?.amount ?? face.money?.by_place[row.place - 1];
  const prizeOf = (row) => {
    const amount = face.result ? row.prize : share(row);
    return amount && face.money ? amountOf(amount, face.money) : "";
  };
  const ups = rises(face);
  return [
    h("div", { class: "won" }, h("h1", { class: name.length > LONG_NAME ? "long" : null }, say("the wins", { name })),
      h("ol", { class: "pod" }, rows.map((row) => h("li", {}, h("span", { class: "n" }, String(row.place)), h("b", {}, row.name),
        h("span", { class: "n" }, earned(row) ? pointsOf(earned(row)) : ""), h("span", { class: "n" }, prizeOf(row)))))),
    ups.length ? h("section", { class: "ups" }, h("h2", {}, say("the new badges")), h("ul", {}, ups.map((row) =>
      h("li", {}, h("b", {}, row.name), badge(row.before), h("span", { "aria-hidden": "true" }, "→"), badge(row.badge)))))
      : h("p", { class: "ups" }, face.result && !face.result.is_rated ? say("Rates are being computed") : ""),
  ];
};

// The whole face, made anew; `code` is a picture of the code for players' phones.
export const drawFace = (face, now, { code = null, offlineSince = null } = {}) => {
  const seen = shown(face, now);
  const stage = stageOf(face, seen);
  const [label, time] = stage === "over" ? ["", ""] : headline(seen, stage, now, face);
  const isStopped = seen.isStarted && !seen.now.is_running && stage !== "over";
  const level = seen.isBreak ? seen.next : seen.level;
  const blinds = level?.bb ? blindsOf(level) : "";
  const full = seen.level?.ms;
  const middle = stage === "over" ? over(face) : [
    h("div", { class: "now" }, h("p", { class: "lv" }, label),
      h("p", { class: time.length > LONG_TIME ? "left-t long" : "left-t" }, time),
      seen.isStarted && full ? h("progress", { value: String(full - (seen.now.left_ms ?? 0)), max: String(full) }, time) : null,
      blinds ? h("p", { class: blinds.length > 13 ? "bl long" : "bl" }, blinds) : null,
      level?.ante && !seen.isBreak ? h("p", { class: "nx" }, say("ante", { n: short(level.ante) })) : null,
      h("p", { class: "nx" }, nextWords(seen, stage, face)),
      seen.isBreak ? colourUp(seen.level) : null, tells(face, seen, stage, now, offlineSince)),
    stage === "final" && face.left.length <= SITS_MOST ? sitting(face) : h("dl", { class: "facts" }, factsOf(face, seen, stage, now).filter(Boolean)),
  ];
  const isQuiet = ["before", "break", "over"].includes(stage);
  return h("div", { class: isStopped ? "face stopped" : "face", "data-stage": stage },
    h("div", { class: "top" }, h("p", { class: "cl" }, face.club), h("p", { class: "evn" }, face.title), h("p", { class: "hm" }, timeOf(now))),
    h("div", { class: "mid" }, middle),
    h("div", { class: "end" }, pointsRow(face), isQuiet ? scan(code) : lastOut(face) ?? scan(code)));
};
