// Marks the rows of the reader and of followed players. Pages are kept for all readers, so this happens in the browser.
"use strict";

(async () => {
  const { address, account } = document.currentScript.dataset;
  if (!account && !/(^|; )(me|followed)=/.test(document.cookie)) return;
  const by = new URLSearchParams(location.search).get("by") || "";
  const answer = await fetch(`${address}&by=${encodeURIComponent(by)}`);
  if (!answer.ok) return;
  const reader = await answer.json();
  const followed = new Set(reader.followed);
  // Names lead to a player's page, or to what a table explains of the player: both end in the player's id.
  const club = reader.players.replace(/players\/$/, "");

  for (const link of document.querySelectorAll("main tbody th[scope=row] a")) {
    const found = /\/players\/(\d+)\/$/.exec(link.pathname);
    if (!found || !link.pathname.startsWith(club)) continue;
    const id = parseInt(found[1], 10);
    const row = link.closest("tr");
    if (id === reader.me && !row.classList.contains("own")) {
      row.classList.add("own");
      const tag = document.createElement("span");
      tag.className = "you";
      tag.textContent = reader.you;
      link.after(tag);
    } else if (followed.has(id)) {
      row.classList.add("followed");
    }
  }

  for (const line of document.querySelectorAll(`.race [data-player="${Number(reader.me)}"]`)) {
    line.classList.add("own");
    line.parentNode.append(line);
  }

  const mine = document.querySelector(".nav .mine");
  if (mine && reader.name) mine.textContent = reader.name;
  const table = document.querySelector("table.lead-t");
  if (table && reader.row && !table.querySelector("tr.own")) {
    const line = document.querySelector("#my-row");
    line.href = reader.row.address;
    line.textContent = reader.row.text;
  }
})();
