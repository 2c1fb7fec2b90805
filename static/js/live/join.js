// Swaps the secret of a link for a key of this phone. The secret is behind #, so that it is in no log; nothing happens
// until somebody presses the button, because programs open links too.
import { Store } from "./store.js";
import { h } from "./dom.js";

const form = document.getElementById("join");
const problem = document.getElementById("problem");
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

const deskOf = (night) => form.dataset.desk.replace("/0/", `/${night}/`);

const join = async (name, replaces = "") => {
  try {
    const told = await ask({ name, replaces });
    const store = await new Store(told.night).open();
    await store.keepDevice(told);
    location.assign(deskOf(told.night));
  } catch (error) {
    fail(error);
  }
};

const start = async () => {
  const told = await ask({});
  const store = await new Store(told.night).open();
  if (await store.isLetIn(`${deskOf(told.night)}log`)) {
    location.replace(deskOf(told.night));
    return;
  }
  document.getElementById("which").textContent = `${told.club}, ${told.title}`;
  const again = document.getElementById("again");
  again.hidden = !told.devices.length;
  document.getElementById("devices").append(...told.devices.map(({ device, name }) =>
    h("button", { type: "button", onclick: () => join(name, device) }, name)));
  form.hidden = false;
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  join(document.getElementById("name").value);
});
start().catch(fail);
