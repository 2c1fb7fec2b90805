// What is typed about an evening is kept in this browser for a day, in case the session or the connection ends.
// The answer to a saved form leaves a cookie with the form's token: that draft never comes back.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  const note = document.getElementById("draft");
  if (!form || !note) return;
  const DAY = 86_400_000;
  const PREFIX = "evening:";
  const key = `${PREFIX}${form.dataset.person}:${new URL(form.action).pathname}`;

  // A browser may refuse to keep anything, or be full.
  const attempt = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null;
    }
  };
  const shown = () => {
    const fields = Object.fromEntries(new FormData(form));
    delete fields.csrfmiddlewaretoken;
    return fields;
  };
  const fill = (fields) => {
    for (const field of form.elements) if (field.name in fields) field.value = fields[field.name];
    form.elements.order.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const drop = () => attempt((store) => store.removeItem(key));
  const differs = (one, other) =>
    Object.keys(one).some((name) => !["version", "form_token"].includes(name) && one[name] !== other[name]);

  const opened = shown();
  const keep = () => {
    const fields = shown();
    if (!form.hasAttribute("data-typed") && !differs(fields, opened)) return drop();
    return attempt((store) => store.setItem(key, JSON.stringify({ at: Date.now(), fields })));
  };
  // Also those of other people and other evenings: nothing stays longer than a day.
  const sweep = () =>
    attempt((store) => {
      for (const name of Object.keys(store).filter((it) => it.startsWith(PREFIX)))
        if (!(JSON.parse(store.getItem(name)).at > Date.now() - DAY)) store.removeItem(name);
    });
  const restore = () => {
    const fields = attempt((store) => JSON.parse(store.getItem(key)))?.fields;
    if (!fields || !differs(opened, fields)) return;
    if (document.cookie.split("; ").includes(`published=${fields.form_token}`)) return drop();
    fill(fields);
    note.hidden = false;
  };

  sweep();
  // Once htmx listens too, so that what is back is read.
  document.addEventListener("DOMContentLoaded", form.hasAttribute("data-typed") ? keep : restore);
  form.addEventListener("input", keep);
  form.addEventListener("submit", keep);
  note.querySelector("button").addEventListener("click", () => {
    fill(opened);
    note.hidden = true;
    form.elements.order.focus();
  });
})();
