// The slider of a raise beside its number, and keys for the buttons of a card table.
"use strict";

(() => {
  const number = document.getElementById("to");
  const slider = document.getElementById("slide");
  if (number && slider) {
    slider.hidden = false;
    slider.addEventListener("input", () => (number.value = slider.value));
    number.addEventListener("input", () => (slider.value = number.value));
  }
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input:not([type=range]), select, button, a, summary");
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping) return;
    const button = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
})();
