// Swaps the secret of a link for a key of this phone. The secret is behind #, so that it is in no log; nothing happens
// until somebody presses the button, because programs open links too.
import { h } from "./dom.js";
import { keepOwn, ownDevice } from "./feed.js";
import { isLetIn, Store } from "./store.js";

const form = document.getElementById("join");
const problem = document.getElementById("problem");
const name = document.getElementById("name");
const secret = location.hash.slice(1);

const ask = async (body) => {
  const answer = await fetch(form.dataset.join, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ secret, ...body }),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.why);
  return told;
};

const fail = (error) => {
  problem.textContent = error.message;
  problem.hidden = false;
};

// The page of a role: a desk records; a player follows; a screen shows.
const pageOf = ({ role, night }) => {
  const page = { player: "follow", screen: "screen", spectator: "follow" }[role] ?? "desk";
  return form.dataset[page].replace("/0/", `/${night}/`);
};

const isDesk = ({ role }) => role === "helper" || role === "organizer";

const join = async (named, replaces = "") => {
  try {
    const told = await ask({ name: named, replaces });
    if (isDesk(told)) await (await new Store(told.night).open()).keepDevice(told);
    else keepOwn(told);
    location.assign(pageOf(told));
  } catch (error) {
    fail(error);
  }
};

// A phone that is in already goes on.
const isIn = async (told) => {
  if (!isDesk(told)) {
    const own = ownDevice(told.night);
    return own?.role === told.role && isLetIn(form.dataset.face.replace("/0/", `/${told.night}/`), own.key);
  }
  const store = await new Store(told.night).open();
  return store.isLetIn(`${pageOf(told)}log`);
};

const start = async () => {
  const told = await ask({});
  if (await isIn(told)) {
    location.replace(pageOf(told));
    return;
  }
  document.getElementById("which").textContent = `${told.club}, ${told.title}`;
  for (const each of document.querySelectorAll("[data-for]")) each.hidden = !each.dataset.for.split(" ").includes(told.role);
  const again = document.getElementById("again");
  again.hidden = !told.devices.length;
  document.getElementById("devices").append(...told.devices.map((each) =>
    h("button", { type: "button", onclick: () => join(each.name, each.device) }, each.name)));
  if (told.role !== "helper") { // only helpers' phones are told apart by a name
    document.getElementById("named").hidden = true;
    name.value = told.player || document.getElementById(`name-of-${told.role}`)?.textContent || told.role;
  }
  form.hidden = false;
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  join(name.value);
});
start().catch(fail);
