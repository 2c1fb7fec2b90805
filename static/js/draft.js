// Keeps a draft of the event form in this browser for a day, in case the session or the connection ends.
// Publishing sets a cookie with the form's token, and the draft of that form is not restored.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  const note = document.getElementById("draft");
  if (!form || !note) return;
  const DAY = 86_400_000;
  const PREFIX = "evening:";
  const address = new URL(form.action); // with the game that its query names
  const key = `${PREFIX}${form.dataset.person}:${address.pathname}${address.search}`;

  // A browser may refuse storage or have none left.
  const attempt = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null;
    }
  };
  const currentFields = (pressed) => {
    const data = new FormData(form);
    if (pressed?.name === "answer") data.append("answer", pressed.value);
    const fields = Object.fromEntries(data);
    delete fields.csrfmiddlewaretoken;
    if (data.has("answer")) fields.answer = data.getAll("answer"); // a field for each question
    return fields;
  };
  const fill = ({ answer = [], ...fields }) => {
    answers(answer);
    for (const field of form.elements)
      if (field.type === "checkbox") field.checked = field.name in fields;
      else if (field.name in fields && field.tagName !== "BUTTON") field.value = fields[field.name];
    (form.elements.order ?? form).dispatchEvent(new Event("input", { bubbles: true }));
  };
  // They stand where the site writes them again, so that taking one back takes it away.
  const answers = (values) => {
    for (const field of [...form.elements]) if (field.matches("input[name=answer]")) field.remove();
    const place = document.getElementById("reading") ?? form;
    for (const value of values) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "answer", value });
      field.setAttribute("form", form.id);
      place.prepend(field);
    }
  };
  const drop = () => attempt((store) => store.removeItem(key));
  const differs = (one, other) =>
    Object.keys(one).some((name) => !["version", "form_token"].includes(name) && `${one[name]}` !== `${other[name]}`);

  const opened = currentFields();
  const keep = ({ submitter } = {}) => {
    const fields = currentFields(submitter);
    if (!form.hasAttribute("data-typed") && !differs(fields, opened)) return drop();
    return attempt((store) => store.setItem(key, JSON.stringify({ at: Date.now(), fields })));
  };
  // Also removes old drafts of other users and other events.
  const sweep = () =>
    attempt((store) => {
      for (const name of Object.keys(store).filter((entry) => entry.startsWith(PREFIX)))
        if (!(JSON.parse(store.getItem(name)).at > Date.now() - DAY)) store.removeItem(name);
    });
  const restore = () => {
    const fields = attempt((store) => JSON.parse(store.getItem(key)))?.fields;
    if (!fields || !differs(opened, fields)) return;
    const published = document.cookie.split("; ").map((each) => each.replace(/^__Secure-/, ""));
    if (published.includes(`published=${fields.form_token}`)) return drop();
    if (fields.shape !== opened.shape || fields.seats !== opened.seats) return ask(fields);
    fill(fields);
    note.hidden = false;
  };
  // A sheet of another shape has fields that this page lacks: the site makes the page of what was typed.
  const ask = (fields) => {
    for (const [name, value] of Object.entries(fields)) {
      if (form.elements[name]) continue;
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    fill(fields);
    form.elements.preview[0].click();
  };

  sweep();
  // After htmx has attached its listeners, so that the site reads the restored text.
  document.addEventListener("DOMContentLoaded", form.hasAttribute("data-typed") ? keep : restore);
  form.addEventListener("input", keep);
  form.addEventListener("submit", keep);
  note.querySelector("button").addEventListener("click", () => {
    fill(opened);
    note.hidden = true;
    (form.elements.order ?? form.querySelector("input:not([type=hidden])")).focus();
  });
})();
