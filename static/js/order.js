// The tools of the entry form work in place: a button in the reading is sent without leaving the page, and the text and its
// reading come back. Rows of the order move by their handles. Without this file every button submits the form.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  if (!form || !window.htmx) return;
  const box = form.elements.order;
  const source = box.closest(".builder"); // not the form, from which htmx would take the address of the button
  const inPlace = "#reading button[type=submit]:not([data-leaves]), #closing [data-in-place]";
  let last = Promise.resolve(); // tools pressed quickly are sent one after the other, each with the text of the one before
  form.classList.add("live");

  const address = () => form.getAttribute("action") || location.pathname + location.search;
  // The changed row is the one whose tools are open.
  const focusTool = (tool) => tool && form.querySelector(`.order li:has([open]) [data-tool="${tool}"]`)?.focus();

  // What is pressed is sent as one more field of the form. As htmx's own `values` it would replace all fields of its name,
  // so that a second answer took the first one's place.
  const withFields = async (values, request) => {
    const fields = Object.entries(values).map(([name, value]) => {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      return form.appendChild(field);
    });
    try {
      await request();
    } finally {
      fields.forEach((field) => field.remove());
    }
  };
  // What was pressed stays where it is in the window, though rows above it come and go.
  const send = (values, { section, tool } = {}) => {
    // A tool changes the text: what is typed until its answer comes would be overwritten. Reading again changes nothing.
    box.readOnly = Object.keys(values).length > 0;
    htmx.trigger(box, "htmx:abort");
    const top = () => document.getElementById(section)?.getBoundingClientRect().top;
    const request = async () => {
      const before = top();
      if ("add" in values) form.elements.find.value = "";
      await withFields(values, () => htmx.ajax("POST", address(), { source, target: "#reading", swap: "outerHTML" }));
      if (section) scrollBy({ top: top() - before, behavior: "instant" });
      focusTool(tool);
    };
    last = last.then(request).catch(() => {}).finally(() => (box.readOnly = false)); // reading.js tells of a failure
    return last;
  };
  const press = (button) =>
    send({ [button.name]: button.value }, {
      section: button.closest("section[id]")?.id,
      tool: button.dataset.tool,
    });

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button?.matches(inPlace)) return;
    event.preventDefault();
    press(button);
  });
  // Choices and times of the reading, and the day and times of the event, are read when they change.
  form.addEventListener("change", ({ target }) => {
    if (!target.matches("#reading :is(input, select), .terms :is(input, select)") || target.id === "find") return;
    const together = target.closest("[data-together]")?.querySelector("button[type=submit]");
    if (together) press(together);
    else send({});
  });
  form.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt === box && box.readOnly) event.preventDefault(); // the answer to the tool brings this reading
  });
  form.addEventListener("htmx:afterSwap", () => {
    const now = document.getElementById("order-now");
    if (!now) return;
    box.value = now.value;
    form.dispatchEvent(new Event("input")); // so that the draft is kept
  });

  // A line with a question may hold several tied names.
  const rows = () => [...form.querySelectorAll(".order > li[data-n]")];
  const placeOf = (row) =>
    rows().slice(0, rows().indexOf(row)).reduce((n, above) => n + Number(above.dataset.n), 1);
  const move = (row, action) =>
    send({ edit: `${row.dataset.ref}:${action}` }, { section: "order", tool: "handle" });
  form.addEventListener("keydown", (event) => {
    const action = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    const handle = event.target.closest(".handle");
    if (!action || !handle) return;
    event.preventDefault();
    move(handle.closest("li"), action);
  });

  // A dragged row goes along with the pointer among the others; it is saved where it is let go.
  form.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || event.button) return;
    event.preventDefault();
    const row = handle.closest("li");
    const from = placeOf(row);
    row.classList.add("gap");
    const follow = ({ clientY }) => {
      const above = rows().filter((other) => other !== row && middle(other) < clientY);
      const next = above.length ? above.at(-1).nextElementSibling : row.parentElement.firstElementChild;
      if (next !== row) row.parentElement.insertBefore(row, next);
    };
    const stop = () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
      row.classList.remove("gap");
      if (placeOf(row) === from) handle.focus();
      else move(row, `to:${placeOf(row)}`);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
  });
  const middle = (row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2;
  };
})();
