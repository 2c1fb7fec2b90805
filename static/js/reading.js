// Shows a note while the site does not answer with the reading, tries again, and keeps "Publish" enabled.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  const note = document.getElementById("unread");
  if (!form || !note) return;
  const RETRY_AFTER = 10_000;
  let waiting;

  const retry = () => htmx.trigger("#id_order", "again");
  const fail = () => {
    note.hidden = false;
    form.elements.save.disabled = false; // the site reads the order once more before it saves
    clearTimeout(waiting);
    waiting = setTimeout(retry, RETRY_AFTER);
  };

  // After the session has ended, the response is the log-in page instead of the reading.
  form.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.isError || detail.serverResponse.includes('id="reading"')) return;
    detail.shouldSwap = false;
    detail.isError = true;
  });
  form.addEventListener("htmx:afterSwap", () => {
    clearTimeout(waiting);
    note.hidden = true;
  });
  for (const event of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) form.addEventListener(event, fail);
  window.addEventListener("online", () => note.hidden || retry());
  note.querySelector("button").addEventListener("click", retry);
})();
