// The reading beside the finishing order: says when the site did not answer, asks again, and never locks "Publish".
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  const note = document.getElementById("unread");
  if (!form || !note) return;
  const AGAIN = 10_000;
  let waiting;

  const ask = () => htmx.trigger("#id_order", "again");
  const fail = () => {
    note.hidden = false;
    form.elements.save.disabled = false; // the site reads the order once more before it saves
    clearTimeout(waiting);
    waiting = setTimeout(ask, AGAIN);
  };

  // Whoever is no longer logged in is sent the log-in page instead of a reading.
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
  window.addEventListener("online", () => note.hidden || ask());
  note.querySelector("button").addEventListener("click", ask);
})();
