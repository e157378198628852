// Partial updates: a form marked data-partial is sent in the background, and every element marked
// data-live is replaced by the one of the same id in the answer; if the form names one element
// (data-target), only that one. Forms and links that only look at something (method get) change the
// address, too. Without this script, the same forms and links load whole pages.
"use strict";

const headers = { "X-Partial": "1" }; // refusals come without a status that browsers log as an error
const content = () => document.getElementById("content");

function keepPlace(replace) {
  const focused = document.activeElement && document.activeElement.id;
  const open = [...document.querySelectorAll("details[id]")].map((one) => [one.id, one.open]);
  const [x, y] = [window.scrollX, window.scrollY];
  replace();
  for (const [id, isOpen] of open) {
    const one = document.getElementById(id);
    if (one) one.open = isOpen;
  }
  const again = focused && document.getElementById(focused);
  if (again) again.focus({ preventScroll: true });
  window.scrollTo(x, y);
}

function isTyped(field) {
  if (field.options) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
}

function listTyped() {
  const fields = content().querySelectorAll("input[id]:not([type=file]), textarea[id], select[id]");
  return [...fields].filter(isTyped);
}

function keepTyped(replace) {
  const typed = listTyped().map(({ id, value, checked }) => [id, { value, checked }]);
  replace();
  for (const [id, kept] of typed) Object.assign(document.getElementById(id) || {}, kept);
}

function show(html, target) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = [...page.querySelectorAll(target || "[data-live]")];
  if (!fresh.length) {
    content().textContent = page.body.textContent;
    return;
  }
  const wasPublished = document.getElementById("published");
  keepPlace(() => {
    for (const one of fresh) {
      const old = document.getElementById(one.id);
      if (old && old.outerHTML !== one.outerHTML) old.replaceWith(document.importNode(one, true));
    }
  });
  prepare();
  showLatest();
  const refusal = document.getElementById("refusal"); // only the answer to a form has one
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  const published = document.getElementById("published");
  if (published && !wasPublished) published.scrollIntoView(); // its button is far from it
}

function showLatest() {
  const line = document.querySelector("#specification .latest");
  if (line) line.parentElement.scrollTop = line.offsetTop - line.parentElement.offsetTop - 80;
}

function complain() {
  const note = document.createElement("div");
  note.className = "alert bad";
  note.setAttribute("role", "alert");
  note.textContent = "The studio does not answer. It may have been ended; start it again. Your specification is kept.";
  const old = content().querySelector(".alert.gone");
  if (!old) content().prepend(note);
  note.classList.add("gone");
}

let sending = "";
async function send(form, submitter) {
  const action = (submitter && submitter.getAttribute("formaction")) || form.getAttribute("action");
  const body = new FormData(form, submitter);
  const sent = JSON.stringify([action, ...body]);
  if (sent === sending) return; // Enter both changes a field and sends its form
  sending = sent;
  content().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(action, { method: "POST", body, headers });
    if (answer.redirected) history.replaceState(null, "", answer.url);
    show(await answer.text());
  } catch {
    complain();
  }
  sending = "";
  content().removeAttribute("aria-busy");
  compare();
}

async function refresh(target) {
  const answer = await fetch(location.pathname + location.search, { headers });
  const html = await answer.text();
  keepTyped(() => show(html, target));
}

let looking = "";
async function look(address, target) {
  looking = address;
  try {
    const answer = await fetch(address, { headers });
    const html = await answer.text();
    if (looking !== address) return; // a later look has overtaken this one
    history[target ? "replaceState" : "pushState"](null, "", address);
    show(html, target && `#${target}`);
  } catch {
    complain();
  }
}

function lookBy(form) {
  const query = new URLSearchParams(new FormData(form));
  look(`${form.getAttribute("action")}?${query}`, form.dataset.target);
}

// What the studio tells of changes (server-sent events), and which parts of a result are shown.
let told = null;
let parts = null;
let comparing = false;
async function compare() {
  if (comparing || sending || !told) return;
  comparing = true;
  let seen = null;
  try {
    while (seen !== told) {
      seen = told; // another one may come meanwhile
      const { mark, work } = content().dataset;
      const isOther = seen.mark !== mark && !listTyped().length; // a form that is being filled in
      if (isOther || seen.work !== work) await refresh(); // shows an older state, and is refused
      else if (parts !== null && seen.parts !== parts) await refresh("[data-growing]");
      parts = seen.parts;
    }
  } catch {
    complain();
  }
  comparing = false;
}

function tell(now) {
  told = now;
  const [step, share] = ["step", "share"].map((id) => document.getElementById(id));
  if (step && step.textContent !== now.step) step.textContent = now.step;
  if (share) {
    share.hidden = now.share === null;
    if (!share.hidden) share.value = now.share;
  }
  compare();
}

let stream = null;
function listen() {
  if (document.hidden || stream) return;
  stream = new EventSource("/events");
  stream.addEventListener("message", (event) => tell(JSON.parse(event.data)));
  stream.addEventListener("error", complain);
  stream.addEventListener("open", () => content().querySelectorAll(".alert.gone").forEach((one) => one.remove()));
}

function hush() {
  if (stream) stream.close();
  stream = null;
}

setInterval(() => {
  const seconds = document.getElementById("seconds");
  if (seconds) seconds.textContent = Number(seconds.textContent) + 1;
}, 1000);

function keepDrawer() {
  const drawer = document.getElementById("drawer");
  if (sessionStorage.drawer === "open") drawer.open = true;
  document.addEventListener("toggle", (event) => {
    if (event.target.id === "drawer") sessionStorage.drawer = event.target.open ? "open" : "closed";
  }, true);
}

function prepare() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
}

document.addEventListener("submit", (event) => {
  if (!event.target.hasAttribute("data-partial")) return;
  event.preventDefault();
  if (event.target.method === "get") lookBy(event.target);
  else send(event.target, event.submitter);
});

let sliding = null;
document.addEventListener("input", (event) => {
  if (event.target.type !== "range") return;
  const shown = document.querySelector(`output[for="${event.target.id}"]`);
  if (shown) shown.value = event.target.value;
  clearTimeout(sliding);
  if (event.target.form.method === "get") sliding = setTimeout(lookBy, 60, event.target.form);
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form && form.hasAttribute("data-auto")) form.requestSubmit();
});

document.addEventListener("click", async (event) => {
  for (const one of document.querySelectorAll("details.what[open], details.up[open]")) {
    if (!one.contains(event.target)) one.open = false;
  }
  const link = event.target.closest("a[data-partial], svg.chart a");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const address = link.getAttribute("href") || link.getAttribute("xlink:href");
    look(new URL(address, location.href).href, null);
  }
  const copied = event.target.dataset && event.target.dataset.copy;
  if (copied) {
    await navigator.clipboard.writeText(document.getElementById(copied).textContent);
    event.target.textContent = "Copied";
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const one of document.querySelectorAll("details.what[open], details.up[open]")) one.open = false;
  }
  if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    const save = document.getElementById("save");
    if (!save.disabled) save.click();
  }
});

// A file that is dropped anywhere on a page with an upload is uploaded.
const findDrop = () => document.querySelector("form[data-drop] input[type=file]");
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const field = findDrop();
    if (!field || !event.dataTransfer || ![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("dropping", name === "dragover");
    if (name !== "drop" || !event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
  });
}

document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
window.addEventListener("pagehide", hush);
window.addEventListener("pageshow", listen);

window.addEventListener("popstate", () => refresh().catch(complain));

document.documentElement.classList.add("scripted");
keepDrawer();
prepare();
showLatest();
listen();
