// Removes drafts from this browser when somebody signs out, so that nothing typed stays on a shared computer.
"use strict";

{
  const { address } = document.currentScript.dataset;
  document.addEventListener("submit", ({ target }) => {
    if (new URL(target.action).pathname !== address) return;
    try {
      for (const name of Object.keys(localStorage)) if (name.startsWith("evening:")) localStorage.removeItem(name);
    } catch {
      // A browser without storage has no drafts.
    }
  });
}
