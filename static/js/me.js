// Marks the rows of the reader and of followed players. Pages are kept for all readers, so this happens in the browser.
"use strict";

(async () => {
  const { address, account } = document.currentScript.dataset;
  if (!account && !/(^|; )(__Secure-)?(me|followed)=/.test(document.cookie)) return;
  const shown = new URLSearchParams(location.search);
  const asked = new URLSearchParams({ by: shown.get("by") || "", page: shown.get("page") || "1" });
  const answer = await fetch(`${address}&${asked}`);
  if (!answer.ok) return;
  const reader = await answer.json();
  const followed = new Set(reader.followed);
  // Names lead to a player's page, or to what a table explains of the player: both end in the player's id.
  const club = reader.players.replace(/players\/$/, "");

  const tag = (link) => {
    const words = document.createElement("span");
    words.className = "you";
    words.textContent = reader.you;
    link.append(words);
  };

  for (const link of document.querySelectorAll("main tbody th[scope=row] a")) {
    const found = /\/players\/(\d+)\/$/.exec(link.pathname);
    if (!found || !link.pathname.startsWith(club)) continue;
    const id = parseInt(found[1], 10);
    const row = link.closest("tr");
    if (id === reader.me && !row.classList.contains("own")) {
      row.classList.add("own");
      tag(link);
    } else if (followed.has(id)) {
      row.classList.add("followed");
    }
  }

  for (const line of document.querySelectorAll(`.race [data-player="${Number(reader.me)}"]`)) {
    line.classList.add("own");
    line.parentNode.append(line);
  }

  for (const id of followed) {
    for (const line of document.querySelectorAll(`.race [data-player="${Number(id)}"]`)) line.classList.add("followed");
  }

  const mine = document.querySelector(".mine");
  if (mine && reader.name) mine.textContent = reader.name;
  const table = document.querySelector("main table.lead-t");
  const line = document.querySelector("#my-row");
  if (!table || !line || !reader.row || table.querySelector("tr.own")) return;
  line.href = reader.row.address;
  line.textContent = reader.row.text;
  // The short tables of other pages have other columns.
  const isWhole = table.classList.contains("five");
  if (isWhole && reader.row.far && !shown.has("sort") && !shown.get("q") && !shown.has("at")) {
    table.tBodies[0].insertAdjacentHTML("beforeend", reader.row.far);
    tag(table.querySelector("tr.far th a"));
  }
})();
