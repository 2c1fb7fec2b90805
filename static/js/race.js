// Lets readers pick lines of the points race: a tap or a click on a line or its name marks it, another one lets it go.
"use strict";

for (const chart of document.querySelectorAll(".race")) {
  for (const line of chart.querySelectorAll("g .line")) {
    const reach = line.cloneNode();
    reach.setAttribute("class", "reach");
    line.before(reach);
  }
  chart.addEventListener("click", (event) => {
    const picked = event.target.closest("[data-player]");
    if (!picked) return;
    for (const same of document.querySelectorAll(`.race [data-player="${Number(picked.dataset.player)}"]`)) {
      if (same.classList.toggle("chosen")) same.parentNode.append(same);
    }
  });
}
