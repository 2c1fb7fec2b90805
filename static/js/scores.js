// Places, balances and slips of a table while it is typed: the rules of scores, in whole points (a thousandth of
// what balances are shown in). tests/browser/test_nights.py compares the two on the same cases.
"use strict";

const scores = (() => {
  const STICK = 1_000;
  const HUNDRED = 100;
  const SLIPS = ["unit", "missing", "sign", "swap", "digit"];

  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  const thousandths = (text) => Math.round(Number(text) * 1_000);

  // Stored rules, whose decimals are texts, in points.
  const rulesOf = (stored) => ({
    ...stored,
    uma: stored.uma.map(thousandths),
    floating: stored.floating.map((row) => row.map(thousandths)),
    chip: thousandths(stored.chip_value),
    houseTable: thousandths(stored.house_per_table),
    housePlayer: thousandths(stored.house_per_player),
    oka: stored.n_players * (stored.back - stored.start),
    total: stored.n_players * stored.start,
  });

  // Numbers as they are shown.
  const grouped = (value) => String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, ",");
  const points = (value) => (value < 0 ? "−" : "") + grouped(value);
  // Half to even, as Python rounds: 0.25 is 0.2.
  const tenths = (value) => {
    const whole = Math.floor(Math.abs(value) / 100);
    const rest = Math.abs(value) % 100;
    return whole + (rest > 50 || (rest === 50 && whole % 2) ? 1 : 0);
  };
  const thousands = (value) => {
    const n = tenths(value);
    const text = `${grouped(Math.floor(n / 10))}.${n % 10}`;
    return n === 0 ? text : (value < 0 ? "−" : "+") + text;
  };

  // The rules in one line, as entry/night_sheets/texts.py writes it.
  const termsOf = (rules, words) => {
    const figure = (value) => String(value / 1_000).replace("-", "−");
    const values = { start: points(rules.start), back: points(rules.back), uma: rules.uma.map(figure).join(" / ") };
    const oka = rules.oka ? ` · ${words.oka} ${figure(rules.oka)}` : "";
    return words.terms.replace(/\{(\w+)\}/g, (_, name) => values[name]) + oka;
  };

  // A typed number in points; null if it is none.
  const parse = (typed, unit) => {
    let text = typed.normalize("NFKC").replace(/\s/g, "").replace(/[−▲△]/g, "-");
    text = /^[+-]?\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text.replaceAll(",", ".");
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null;
    if (unit === "balance") return /\.\d{4,}$/.test(text) ? null : thousandths(text) || 0;
    const number = Number(text);
    return Number.isInteger(number) ? number * (unit === "hundreds" ? HUNDRED : 1) || 0 : null;
  };

  // What equal names share, as league.models.player.name_key: width, case and blanks make no difference.
  const nameKey = (name) =>
    name
      .normalize("NFKC")
      .replace(/[^ı]/gu, (letter) => letter.toLowerCase().toUpperCase().toLowerCase())
      .trim()
      .split(/\s+/)
      .join(" ");

  // What is wrong with a table whose scores are all typed: the code of its message with its values; null if nothing is
  // found. The site checks more.
  const flawOf = (rules, seats) => {
    const nameless = seats.findIndex((seat) => seat.name === "");
    if (nameless >= 0) return { code: "no_name", seat: nameless + 1, at: nameless };
    if (!seats.some((seat) => seat.hasChips)) return null;
    if (!rules.chip) return { code: "chips_not_used" };
    const without = seats.findIndex((seat) => !seat.hasChips);
    if (without >= 0) return { code: "no_chips", name: seats[without].name, at: without };
    const got = total(seats.map((seat) => seat.chips));
    return got ? { code: "chips_not_zero", got: String(got).replace("-", "−") } : null;
  };

  const placesOf = (values, byWind) =>
    values.map(
      (value, i) =>
        1 + values.filter((other, j) => other > value || (byWind && other === value && j < i)).length,
    );

  // Divides exactly if points allow it, else in hundreds or in points; the earlier seats get what cannot be divided.
  const shares = (sum, n) => {
    if (sum % n === 0) return Array(n).fill(sum / n);
    const unit = sum % HUNDRED === 0 ? HUNDRED : 1;
    const units = sum / unit;
    const least = Math.floor(units / n);
    const rest = units - least * n;
    return Array.from({ length: n }, (_, i) => (least + (i < rest ? 1 : 0)) * unit);
  };

  const bonusesOf = (rules, values, sticksLeft) => {
    const above = values.filter((value) => value > rules.back).length;
    const uma = rules.floating.length ? rules.floating[Math.min(above, rules.n_players - 1)] : rules.uma;
    const sticks = rules.sticks === "first" ? STICK * sticksLeft : 0;
    return uma.map((value, i) => (i ? value : value + rules.oka + sticks - rules.houseTable));
  };

  const bonusOf = (bonuses, places, seat) => {
    const tied = places.flatMap((place, i) => (place === places[seat] ? [i] : []));
    const first = places[seat] - 1;
    return shares(total(bonuses.slice(first, first + tied.length)), tied.length)[tied.indexOf(seat)];
  };

  // Seats have `value` in points, `chips` and `penalty` in points. Returns place and balance in points of each.
  const settle = (rules, seats, { sticksLeft = 0, isBalance = false } = {}) => {
    const values = seats.map((seat) => seat.value);
    const places = placesOf(values, !isBalance && rules.ties === "wind");
    if (isBalance) return places.map((place, i) => ({ place, balance: values[i] }));
    const bonuses = bonusesOf(rules, values, sticksLeft);
    return seats.map((seat, i) => ({
      place: places[i],
      balance:
        seat.value -
        rules.back +
        bonusOf(bonuses, places, i) +
        seat.chips * rules.chip -
        seat.penalty -
        rules.housePlayer,
    }));
  };

  // What the typed numbers add up to.
  const rightSum = (rules, seats, { sticksLeft = 0, isBalance = false } = {}) => {
    if (!isBalance) return rules.total - STICK * sticksLeft;
    const stay = rules.sticks === "stay" ? STICK * sticksLeft : 0;
    const house = rules.houseTable + seats.length * rules.housePlayer;
    return -house - total(seats.map((seat) => seat.penalty)) - stay || 0;
  };

  const slipOf = (seat, value, difference) => {
    const right = value + difference;
    if (right === -value) return { kind: "sign", seat, right };
    if (right < 0 !== value < 0) return null;
    let [typed, meant] = [String(Math.abs(value)), String(Math.abs(right))];
    const isSameLength = typed.length === meant.length;
    const width = Math.max(typed.length, meant.length);
    [typed, meant] = [typed.padStart(width, "0"), meant.padStart(width, "0")];
    const wrong = [...typed].flatMap((digit, i) => (digit === meant[i] ? [] : [i]));
    if (wrong.length === 1 && isSameLength) return { kind: "digit", seat, right };
    const [a, b] = wrong;
    const isSwap = wrong.length === 2 && b === a + 1 && typed[a] === meant[b] && typed[b] === meant[a];
    return isSwap ? { kind: "swap", seat, right } : null;
  };

  // Single slips that explain a wrong sum, the likeliest first; `values` in whole units as typed, null where none is.
  const slips = (values, right) => {
    const known = values.filter((value) => value !== null);
    const sum = total(known);
    if (known.length < values.length - 1) return [];
    if (known.length < values.length) return [{ kind: "missing", seat: values.indexOf(null), right: right - sum }];
    if (sum === right) return [];
    if (sum && right && (sum === right * HUNDRED || sum * HUNDRED === right))
      return [{ kind: "unit", seat: null, right }];
    const far = (slip) => Math.abs(slip.right - values[slip.seat]);
    return values
      .map((value, seat) => slipOf(seat, value, right - sum))
      .filter(Boolean)
      .sort((a, b) => SLIPS.indexOf(a.kind) - SLIPS.indexOf(b.kind) || far(a) - far(b) || a.seat - b.seat);
  };

  return { flawOf, grouped, nameKey, parse, points, rightSum, rulesOf, settle, slips, termsOf, thousands, total };
})();
