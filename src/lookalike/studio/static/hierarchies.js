// Hierarchies by hand: the preview follows what is typed; bounds are dragged on the histogram, and
// values between the groups of a tree. Number fields, boxes and buttons do the same by keyboard.
"use strict";

let previewing = null;
function previewSoon(form, wait) {
  clearTimeout(previewing);
  previewing = setTimeout(() => {
    const query = new URLSearchParams(new FormData(form));
    look(`${form.getAttribute("action")}?${query}`, "live");
  }, wait);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-preview]");
  if (form && event.target.type !== "checkbox") previewSoon(form, 250);
});
for (const kind of ["change", "submit"]) {
  document.addEventListener(kind, () => clearTimeout(previewing), true);
}

let bound = null; // the bound that is dragged
function beginBound(handle) {
  const figure = handle.closest("figure");
  const { first, span, places } = figure.dataset;
  const marked = `[data-bound="${handle.dataset.bound}"]`;
  bound = {
    name: handle.dataset.bound,
    field: figure.querySelector(`input[name="move-${handle.dataset.bound}"]`),
    line: figure.querySelector(`line${marked}`),
    box: handle.ownerSVGElement.getBoundingClientRect(),
    first: Number(first),
    span: Number(span),
    places: Number(places),
  };
  bound.line.classList.add("moved");
}

function moveBound(x) {
  const { box, first, span, places, field, line, name } = bound;
  const share = (x - box.left) / box.width;
  const steps = Math.min(span - 1, Math.max(1, Math.round(share * span)));
  const text = ((first + steps) / 10 ** places).toFixed(places);
  if (text === field.value) return;
  field.value = text;
  for (const end of ["x1", "x2"]) line.setAttribute(end, (1000 * steps) / span);
  document.getElementById("dragged").value = `${name} → ${text}`;
  previewSoon(field.form, 80);
}

let carried = null; // the values and groups that are dragged
function beginCarrying(event) {
  const grip = event.target.closest(".tree-form .leaf, .tree .branch > details > summary");
  if (!grip || event.target.closest("input")) return;
  const item = grip.closest("li") || grip;
  const box = item.querySelector("input[type=checkbox]");
  carried = { item, box, form: grip.closest("form"), x: event.clientX, y: event.clientY, over: null, moved: false };
}

function carry(event) {
  if (!carried.moved && Math.hypot(event.clientX - carried.x, event.clientY - carried.y) < 6) return;
  carried.moved = true;
  carried.form.classList.add("dragging");
  carried.item.classList.add("carried");
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const over = under && under.closest(".tree .branch");
  if (carried.over) carried.over.classList.remove("over");
  carried.over = over && !carried.item.contains(over) ? over : null;
  if (carried.over) carried.over.classList.add("over");
}

function drop(isKept) {
  const { item, box, form, over, moved } = carried;
  carried = null;
  form.classList.remove("dragging");
  item.classList.remove("carried");
  if (over) over.classList.remove("over");
  if (!moved) return;
  const still = (event) => event.preventDefault(); // where it is dropped, nothing is clicked
  document.addEventListener("click", still, true);
  setTimeout(() => {
    document.removeEventListener("click", still, true);
    if (!isKept || !over) return;
    box.checked = true;
    document.getElementById("parent").value = over.querySelector("input").value;
    form.requestSubmit(document.getElementById("move"));
  });
}

document.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  if (event.target.matches("#histogram .handle")) {
    event.preventDefault();
    beginBound(event.target);
  } else if (event.pointerType !== "touch") beginCarrying(event);
});
document.addEventListener("pointermove", (event) => {
  if (bound) moveBound(event.clientX);
  else if (carried) carry(event);
});
document.addEventListener("pointerup", () => {
  if (bound) {
    const { form } = bound.field;
    bound = null;
    form.requestSubmit();
  } else if (carried) drop(true);
});
document.addEventListener("pointercancel", () => {
  bound = null;
  if (carried) drop(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && carried) drop(false);
});
