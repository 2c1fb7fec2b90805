// The words of the page, from the server in the language of the reader.
const WORDS = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const language = document.documentElement.lang || "en";
const ordinals = new Intl.PluralRules(language, { type: "ordinal" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hour12: false });
const exact = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

export const say = (key, values = {}) =>
  (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
export const place = (n) => say(`place ${ordinals.select(n)}` in WORDS ? `place ${ordinals.select(n)}` : "place other", { n });
export const pointsOf = (n) => say(n === "1" ? "the point" : "the points", { n });
export const listed = (names) => names.join(say("list"));
export const together = (names) =>
  names.length > 1 ? `${listed(names.slice(0, -1))}${say("and")}${names.at(-1)}` : (names[0] ?? "");
export const timeOf = (ms) => clock.format(new Date(ms));
export const exactTimeOf = (ms) => exact.format(new Date(ms));
export const dayOf = (iso) => new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" }).format(new Date(iso));

// An amount in the smallest unit of money, as the club writes it.
export const amountOf = (n, setup) => {
  const decimals = Number.isInteger(setup?.decimals) ? Math.min(Math.max(setup.decimals, 0), 3) : 0;
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const currency = typeof setup?.currency === "string" ? setup.currency : "";
  return `${number.format(n / 10 ** decimals)}${currency ? ` ${currency}` : ""}`;
};
