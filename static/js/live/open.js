// Makes this browser a desk of the night, once, and opens it: a key that is kept already opens it at once.
import { Store } from "./store.js";

const form = document.getElementById("open");
const problem = document.getElementById("problem");
const again = document.getElementById("again");

const open = async () => {
  problem.hidden = again.hidden = true;
  try {
    const store = await new Store(Number(form.dataset.night)).open();
    if (!(await store.isLetIn(`${form.dataset.desk}log`))) {
      const answer = await fetch(location.pathname, { method: "POST", body: new FormData(form) });
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.why);
      await store.keepDevice(told);
    }
    location.replace(form.dataset.desk);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = again.hidden = false;
  }
};

again.addEventListener("click", open);
open();
