// Private and released rows beside each other scroll together, and the row under the pointer is
// marked on both sides. Scroll events do not bubble, so they are captured at the document.
"use strict";

document.addEventListener("scroll", ({ target }) => {
  if (!target.classList || !target.classList.contains("side")) return;
  for (const other of document.querySelectorAll(".side")) {
    if (other === target) continue;
    const most = other.scrollWidth - other.clientWidth;
    const share = target.scrollLeft / Math.max(target.scrollWidth - target.clientWidth, 1);
    if (Math.abs(other.scrollTop - target.scrollTop) > 1) other.scrollTop = target.scrollTop;
    if (Math.abs(other.scrollLeft - share * most) > 1) other.scrollLeft = share * most;
  }
}, true);

document.addEventListener("pointerover", ({ target }) => {
  const row = target.closest(".side tbody tr");
  for (const one of document.querySelectorAll(".side tr.at")) one.classList.remove("at");
  if (!row) return;
  for (const side of document.querySelectorAll(".side tbody")) {
    side.rows[row.sectionRowIndex].classList.add("at");
  }
});
