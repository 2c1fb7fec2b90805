// Has the site read what was typed before the scripts were loaded; shows a note while it does not answer, tries again, and
// offers "Publish". It is loaded after draft.js, since a restored draft comes before what the browser holds.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  const note = document.getElementById("unread");
  if (!form || !note) return;
  const RETRY_AFTER = 10_000;
  let waiting;

  const box = form.elements.order;
  const retry = () => htmx.trigger(box, "again");
  const fail = () => {
    note.hidden = false;
    form.elements.save.hidden = false; // the site reads the order once more before it saves
    clearTimeout(waiting);
    waiting = setTimeout(retry, RETRY_AFTER);
  };

  document.addEventListener("DOMContentLoaded", () => {
    if (box.value === box.defaultValue) return;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    retry(); // htmx compares with the text that was there when it started, and would see no change
  });
  // After the session has ended, the response is the log-in page instead of the reading.
  form.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.isError || detail.serverResponse.includes('id="reading"')) return;
    detail.shouldSwap = false;
    detail.isError = true;
  });
  // A button that is replaced while it is held down is not pressed. This happens to whoever types the name of the event and
  // presses "Publish" at once: leaving the field has the site read it.
  form.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!form.querySelector("#closing button:active")) return;
    detail.shouldSwap = false;
    let isSent = false;
    form.addEventListener("submit", () => (isSent = true), { once: true });
    addEventListener("pointerup", () => setTimeout(() => isSent || retry()), { once: true });
  });
  form.addEventListener("htmx:afterSwap", () => {
    clearTimeout(waiting);
    note.hidden = true;
  });
  for (const event of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) form.addEventListener(event, fail);
  window.addEventListener("online", () => note.hidden || retry());
  note.querySelector("button").addEventListener("click", retry);
})();
