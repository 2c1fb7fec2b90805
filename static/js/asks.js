// Collects the answers to the questions of an upload, so that all of them take one page load: a tap chooses, the last
// one sends. Without this script each tap sends its answer.
const asks = document.querySelector("#asks[data-collect]");

function choose(button) {
  const question = button.closest("li");
  const wasChosen = button.getAttribute("aria-pressed") === "true";
  question.querySelector("input[name=answer]")?.remove();
  for (const other of question.querySelectorAll(".choices button")) {
    other.setAttribute("aria-pressed", String(other === button && !wasChosen));
  }
  if (!wasChosen) {
    const answer = document.createElement("input");
    Object.assign(answer, { type: "hidden", name: "answer", value: button.value });
    question.append(answer);
  }
}

asks?.addEventListener("click", (event) => {
  const button = event.target.closest(".choices button");
  if (!button) {
    return;
  }
  event.preventDefault();
  choose(button);
  const open = [...asks.querySelectorAll("li:has(.choices)")];
  const chosen = open.filter((question) => question.querySelector("[aria-pressed=true]"));
  const send = asks.querySelector(".send");
  send.hidden = !chosen.length;
  if (chosen.length === open.length) {
    send.querySelector("button").click();
  }
});
