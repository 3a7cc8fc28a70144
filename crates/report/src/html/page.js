// Sorts tables by a click on a column's title; without it the tables are complete, in the order of the report.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const key = (row, at) => {
    const cell = row.cells[at];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  [...table.tHead.rows[0].cells].forEach((title, at) => {
    const button = document.createElement("button");
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      const down = title.getAttribute("aria-sort") !== "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      title.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
      body.append(...[...body.rows].sort((a, b) => order(key(a, at), key(b, at))));
    });
  });
}
