// A click on the head of a column sorts its table, and again the other way round.
for (const head of document.querySelectorAll("th")) {
  head.addEventListener("click", () => {
    const column = head.cellIndex, body = head.closest("table").tBodies[0];
    const down = head.getAttribute("aria-sort") !== "descending";
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[column].dataset.by ?? row.cells[column].textContent;
    const order = (a, b) => (isNaN(a) || isNaN(b) ? String(a).localeCompare(b) : a - b);
    const rows = [...body.rows].sort((a, b) => order(key(a), key(b)));
    body.append(...(down ? rows.reverse() : rows));
  });
}
