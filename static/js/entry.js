// Completion for the finishing order: names that fit what is being typed, offered below the box and below the field for one
// name. Everything works without this file; it only saves typing.
"use strict";

(() => {
  const box = document.getElementById("id_order");
  const offer = document.getElementById("offer");
  const data = document.getElementById("known-names");
  if (!box || !offer || !data) return;
  const names = JSON.parse(data.textContent);
  const fold = (text) => text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
  const known = new Set(names.map(fold));
  // Places before a name and marks after it (reading/finishing_order/marks.py).
  const CIRCLED = /^\s*[①-⑳㉑-㉟㊱-㊿]/;
  const PLACE = /^(?:\(\d{1,4}\)|第? ?\d{1,4} ?位[.:]?|\d{1,4}(?:st|nd|rd|th)[.:]? |\d{1,4}[.)]) ?/;
  const MARKS = /(?: (?:[x×]\d+|#\d+|ko ?\d+|cost ?[\d.]+|(?:score|balance) [-+−]?[\d.]+|in ?\d+:\d+|chop|チョップ)| ?@ ?\d+:\d+| ?\((?:new|新規)\))+$/;
  const MOST = 6;
  let chosen = 0; // -1: none, so that Tab moves to the next field

  // The name under the cursor: the part of the line after the last "=".
  const current = () => {
    const end = box.selectionStart;
    const start = Math.max(box.value.lastIndexOf("\n", end - 1), box.value.lastIndexOf("=", end - 1)) + 1;
    return { start, end, text: box.value.slice(start, end) };
  };

  // The folded name in a part of a line; a known name may begin like a place ("3rd Ada").
  const bare = (part) => {
    const name = fold(part.replace(CIRCLED, "")).replace(MARKS, "");
    return known.has(name) ? name : name.replace(PLACE, "");
  };

  // Names that begin with the typed text come first; a complete known name offers no others.
  const fitting = (typed) => (known.has(fold(typed)) ? [] : free(typed));
  const free = (typed) => {
    const start = fold(typed);
    if (!start) return [];
    const taken = new Set(box.value.split(/[\n=]/).map(bare));
    const left = names.filter((name) => !taken.has(fold(name)));
    const starts = left.filter((name) => fold(name).startsWith(start));
    const inside = left.filter((name) => !fold(name).startsWith(start) && fold(name).includes(start));
    return [...starts, ...inside].slice(0, MOST);
  };

  const take = (name) => {
    const { start, end, text } = current();
    const pad = text.match(/^\s*/)[0];
    box.setRangeText(pad + name, start, end, "end");
    offer.replaceChildren();
    box.focus();
    box.dispatchEvent(new Event("input", { bubbles: true }));
    offer.replaceChildren();
  };

  const draw = () => {
    const typed = current().text;
    const fits = fitting(typed);
    chosen = fits.length && fold(fits[0]).startsWith(fold(typed)) ? 0 : -1;
    offer.replaceChildren(
      ...fits.map((name, i) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        button.textContent = name;
        button.setAttribute("aria-selected", String(i === chosen));
        button.addEventListener("click", () => take(name));
        item.append(button);
        return item;
      }),
    );
  };

  const buttons = () => [...offer.querySelectorAll("button")];
  const choose = (step) => {
    const all = buttons();
    chosen = chosen < 0 ? (step > 0 ? 0 : all.length - 1) : (chosen + step + all.length) % all.length;
    all.forEach((button, i) => button.setAttribute("aria-selected", String(i === chosen)));
  };

  offer.addEventListener("mousedown", (event) => event.preventDefault()); // the cursor stays in the box
  box.addEventListener("blur", () => offer.replaceChildren());
  box.addEventListener("input", draw);
  box.addEventListener("keydown", (event) => {
    const all = buttons();
    if (!all.length) return;
    if (event.key === "Tab" && !event.shiftKey && chosen >= 0) {
      event.preventDefault();
      take(all[chosen].textContent);
    } else if (event.key === "Escape") {
      offer.replaceChildren();
    } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    }
  });

  // The field for one name: each name that fits is a button that adds it, and Enter presses the first.
  const form = box.form;
  const drawFound = (find) => {
    const typed = find.value.trim();
    const fits = typed.length < 2 ? [] : free(typed);
    document.getElementById("found").replaceChildren(
      ...fits.map((name, i) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        Object.assign(button, { type: "submit", name: "add", value: name, textContent: name });
        button.setAttribute("aria-pressed", String(i === 0 && fold(name).startsWith(fold(typed))));
        item.append(button);
        return item;
      }),
    );
  };
  const isFind = (event) => event.target.id === "find";
  form?.addEventListener("input", (event) => isFind(event) && drawFound(event.target));
  form?.addEventListener("keydown", (event) => {
    if (!isFind(event) || event.key !== "Enter" || event.isComposing || !event.target.value.trim()) return;
    event.preventDefault();
    const first = document.querySelector('#found [aria-pressed="true"]');
    const add = first ?? Object.assign(document.createElement("button"), { type: "submit", name: "add" });
    if (!first) {
      add.value = event.target.value;
      add.hidden = true;
      document.getElementById("found").append(add);
    }
    form.requestSubmit(add);
  });
})();
