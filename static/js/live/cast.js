// A screen without a keyboard: shows a code until an organizer has typed it, then becomes a screen of the night.
import { keepOwn } from "./feed.js";
import { say } from "./words.js";

const root = document.getElementById("cast");
const code = document.getElementById("code");
const EVERY_MS = 3000;

const ask = async (body) => {
  const answer = await fetch(root.dataset.cast, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.why);
  return told;
};

const wait = async (token) => {
  try {
    const told = await ask({ token });
    if (told.key) {
      keepOwn(told);
      if (told.beside) keepOwn(told.beside);
      const beside = told.beside ? `?beside=${told.beside.night}` : "";
      location.replace(`${root.dataset.screen.replace("/0/", `/${told.night}/`)}${beside}`);
      return;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) { // no network is waited for; a code that is over is said
      code.textContent = "";
      document.getElementById("why").textContent = error.message;
      return;
    }
  }
  setTimeout(() => wait(token), EVERY_MS);
};

ask({}).then(({ code: shown, token }) => {
  code.textContent = `${shown.slice(0, 3)} ${shown.slice(3)}`;
  wait(token);
}).catch((error) => { document.getElementById("why").textContent = error.message || say("screen waits"); });
