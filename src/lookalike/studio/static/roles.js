// The table of Roles: keys 1 to 5 give the focused row its role, or all selected rows; arrow keys
// move between the boxes, which are one tab stop; what is typed to find columns shows them at once.
"use strict";

const boxes = () => [...document.querySelectorAll(".pick input")];
let lastRow = 0;

function settleBoxes() {
  const all = boxes();
  const current = all[Math.min(lastRow, all.length - 1)];
  for (const box of all) box.tabIndex = box === current ? 0 : -1;
  document.getElementById("pick-all").hidden = false;
}

function giveRole(row, key) {
  const place = Number(key) - 1;
  if (row.querySelector(".pick input").checked) {
    document.getElementById("several-role").selectedIndex = place;
    document.getElementById("several").requestSubmit();
    return;
  }
  const select = row.querySelector("select");
  const role = document.getElementById("several-role").options[place].value;
  if (select.value === role) return;
  select.value = role;
  select.form.requestSubmit();
}

document.addEventListener("keydown", (event) => {
  const row = event.target.closest(".roles tbody tr");
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-5]$/.test(event.key)) {
    event.preventDefault();
    giveRole(row, event.key);
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const all = boxes();
  const next = step && all[all.indexOf(event.target) + step];
  if (!all.includes(event.target) || !next) return;
  event.preventDefault();
  next.focus();
});

document.addEventListener("focusin", (event) => {
  const row = event.target.closest(".roles tbody tr");
  if (!row) return;
  lastRow = boxes().indexOf(row.querySelector(".pick input"));
  settleBoxes();
});

document.addEventListener("change", (event) => {
  if (event.target.id !== "pick-all") return;
  for (const box of boxes()) box.checked = event.target.checked;
});

let finding = null;
document.addEventListener("input", (event) => {
  if (event.target.id !== "find-column") return;
  clearTimeout(finding);
  finding = setTimeout(() => event.target.form.requestSubmit(), 150);
});

// a row that left the list, because it has another role now, leaves the focus to the next one
new MutationObserver(() => {
  if (!boxes().length) return;
  settleBoxes();
  if (document.activeElement === document.body && lastRow) boxes()[Math.min(lastRow, boxes().length - 1)].focus();
}).observe(document.getElementById("content").parentElement, { childList: true, subtree: true });
settleBoxes();
