// Turns the numbers of a form into sliders that show their value. A number that its slider could not show stays typed.
"use strict";

for (const field of document.querySelectorAll(".slide input[type=number]")) {
  const typed = field.value;
  field.type = "range";
  if (field.getAttribute("aria-invalid") || field.value === "" || Number(field.value) !== Number(typed)) {
    field.type = "number";
    field.value = typed;
    continue;
  }
  const slide = field.closest(".slide");
  const [output, ends] = [slide.querySelector("output"), slide.querySelector(".ends")];
  const written = (value) => value.replace("-", "−");
  const show = () => (output.value = written(field.value));
  for (const end of ends.children) end.textContent = written(end.textContent);
  output.hidden = ends.hidden = false;
  field.addEventListener("input", show);
  show();
}
