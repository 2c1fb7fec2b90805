// Keys of the practice table: each presses the button that names it.
"use strict";

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=radio]), select, textarea, button, a, summary");
  if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = [...document.querySelectorAll("button[data-key]")].find((one) => one.dataset.key === event.key.toLowerCase());
  if (!button) return;
  event.preventDefault();
  button.click();
});
