// Make elements and redraw a part of the page; the focus stays where it was.
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

export const hidden = (text) => h("span", { class: "vh" }, text);

// A button whose name says whom it is about to those who cannot see its row.
export const button = (label, onclick, { about = "", key = "", ...more } = {}) =>
  h("button", { type: "button", onclick, "data-key": key || `${label} ${about}`, ...more },
    label, about ? hidden(` ${about}`) : null);

// What is under a finger is not drawn anew before the tap has counted: a button that is replaced in between gets none.
// What is being typed into is not either, and what was typed stays.
let pressed = null;
document.addEventListener("pointerdown", ({ target }) => { pressed = target; }, true);
document.addEventListener("click", () => { pressed = null; }, true);
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(() => { pressed = null; }), true);

export const redraw = (element, ...children) => {
  const isTyped = document.activeElement?.matches("input[data-key]") && element.contains(document.activeElement);
  if ((pressed && element.contains(pressed)) || isTyped) return;
  const typed = [...element.querySelectorAll("input[data-key]")].filter(({ value, defaultValue }) => value !== defaultValue).map(({ dataset, value }) => [dataset.key, value]);
  const key = document.activeElement?.dataset?.key;
  const hadFocus = key && element.contains(document.activeElement);
  element.replaceChildren(...children.flat().filter(Boolean));
  for (const input of typed.length ? element.querySelectorAll("input[data-key]") : []) {
    input.value = new Map(typed).get(input.dataset.key) ?? input.value;
  }
  if (!hadFocus) return;
  const found = [...element.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  (found ?? element.querySelector("button") ?? element).focus({ preventScroll: true });
};
