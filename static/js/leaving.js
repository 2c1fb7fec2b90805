// Lets a reader leave a page that is about to reload itself: the reload would take the click on a link back.
"use strict";

(() => {
  const DOWNLOADED_AFTER = 10_000; // a link may lead to a file, and the page stays
  let isLeaving = false;
  addEventListener("beforeunload", () => {
    isLeaving = true;
    setTimeout(() => (isLeaving = false), DOWNLOADED_AFTER);
  });
  addEventListener("pageshow", () => (isLeaving = false)); // the reader has come back
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (isLeaving) event.preventDefault();
  });
})();
