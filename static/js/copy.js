// Buttons that copy a text or print the page. They are hidden until this script runs, since they need it.
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  const text = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener("click", async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      if (!document.execCommand("copy")) return; // without https there is only the old way
    }
    document.getElementById("copied").textContent = button.dataset.done;
  });
}
for (const button of document.querySelectorAll("[data-prints]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
