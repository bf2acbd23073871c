'use strict';
// A click on a heading sorts its table by that column, numbers as numbers; another one turns it round.
document.querySelectorAll('th').forEach(heading => heading.addEventListener('click', () => {
  const body = heading.closest('table').tBodies[0], column = heading.cellIndex;
  const key = row => row.cells[column].textContent, number = row => parseFloat(key(row));
  const up = heading.dataset.up = heading.dataset.up === '1' ? '' : '1';
  const order = (a, b) => isNaN(number(a)) || isNaN(number(b)) ? key(a).localeCompare(key(b)) : number(a) - number(b);
  [...body.rows].sort((a, b) => (up ? 1 : -1) * order(a, b)).forEach(row => body.append(row));
}));
