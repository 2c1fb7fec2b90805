// Find people by what is typed: members by a part of their names, and those whose names are nearly the same.
const MOST_FOUND = 6;
const LEAST_LETTERS = 4;

export const bare = (name) =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).filter(Boolean).join(" ");

// One letter changed, added, left out, or two neighbours swapped.
export const isOneApart = (one, other) => {
  const [a, b] = [Array.from(one), Array.from(other)];
  if (Math.max(a.length, b.length) < LEAST_LETTERS || Math.abs(a.length - b.length) > 1 || one === other) return false;
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  const rest = (letters, from) => letters.slice(from).join("");
  if (a.length > b.length) return rest(a, i + 1) === rest(b, i);
  if (a.length < b.length) return rest(a, i) === rest(b, i + 1);
  if (rest(a, i + 1) === rest(b, i + 1)) return true;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && rest(a, i + 2) === rest(b, i + 2);
};

// Rank: the whole name, its beginning, the beginning of a word, another name, nearly the same.
const rankOf = (person, typed) => {
  const name = bare(person.name);
  if (name === typed) return { rank: 0 };
  if (name.startsWith(typed)) return { rank: 1 };
  if (name.split(" ").some((word) => word.startsWith(typed))) return { rank: 2 };
  const other = person.others.find((each) => bare(each).startsWith(typed));
  if (other) return { rank: 3, other };
  if (isOneApart(name, typed) || person.others.some((each) => isOneApart(bare(each), typed))) return { rank: 4, isNear: true };
  return name.includes(typed) && typed.length > 1 ? { rank: 5 } : null;
};

export const search = (people, text) => {
  const typed = bare(text);
  if (!typed) return [];
  const found = people.map((person, i) => ({ person, i, ...rankOf(person, typed) })).filter(({ rank }) => rank !== undefined);
  return found.sort((a, b) => a.rank - b.rank || a.i - b.i).slice(0, MOST_FOUND);
};
