// One tab stop for many links: charts (svg.chart) and elements marked data-roving. Arrow keys move
// between their links. In a chart, left and right go through all points from left to right, and up
// and down through all from bottom to top; with data-roving="rows", along rows and columns.
"use strict";

const GROUPS = "svg.chart, [data-roving]";
const linksOf = (group) => [...group.querySelectorAll("a[href], a[*|href]")];

function settleStops() {
  for (const group of document.querySelectorAll(GROUPS)) {
    const links = linksOf(group);
    if (!links.length) continue;
    const marked = group.querySelector("a.looked, .looked a, a[aria-current]");
    const stop = links.find((one) => one === document.activeElement) || marked || links[0];
    for (const link of links) {
      const place = link === stop ? "0" : "-1";
      if (link.getAttribute("tabindex") !== place) link.setAttribute("tabindex", place);
    }
  }
}

function middleOf(link) {
  const box = link.getBoundingClientRect();
  return { link, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function findNext(group, from, key) {
  const [along, across] = key === "ArrowLeft" || key === "ArrowRight" ? ["x", "y"] : ["y", "x"];
  const forward = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const here = middleOf(from);
  const gap = (one) => forward * (one[along] - here[along]);
  let others = linksOf(group).filter((one) => one !== from).map(middleOf);
  if (group.dataset.roving === "rows") {
    others = others.filter((one) => gap(one) > 2);
    if (along === "x") others = others.filter((one) => Math.abs(one.y - here.y) < 2);
    others.sort((one, two) => gap(one) - gap(two));
    const nearest = others.filter((one) => gap(one) < gap(others[0]) + 2);
    return nearest.sort((one, two) => Math.abs(one[across] - here[across]) - Math.abs(two[across] - here[across]))[0];
  }
  const order = (one, two) => one[along] - two[along] || one[across] - two[across];
  const sorted = [here, ...others].sort(order);
  return sorted[sorted.indexOf(here) + forward];
}

document.addEventListener("keydown", (event) => {
  const link = event.target.closest("a");
  const group = link && link.closest(GROUPS);
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = linksOf(group);
  const ends = { Home: links[0], End: links[links.length - 1] };
  const isArrow = event.key.startsWith("Arrow");
  if (!isArrow && !(event.key in ends)) return;
  event.preventDefault();
  const next = isArrow ? (findNext(group, link, event.key) || {}).link : ends[event.key];
  if (!next) return;
  link.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});

new MutationObserver(settleStops).observe(document.body, { childList: true, subtree: true });
settleStops();
