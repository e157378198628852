// The settings of Levels: while a slider moves, answers come within a short time; once it rests, or
// another field changes, the page is asked for again without that limit.
"use strict";

let resting = null;
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (!form || form.id !== "settings") return;
  clearTimeout(resting);
  resting = setTimeout(() => {
    const query = new URLSearchParams(new FormData(form));
    query.delete("moving");
    look(`${form.getAttribute("action")}?${query}`, form.dataset.target);
  }, 150);
});
document.addEventListener("input", () => clearTimeout(resting));
