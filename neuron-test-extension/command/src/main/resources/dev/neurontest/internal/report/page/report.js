
'use strict';
// The table of tests is complete as it is: this sorts and filters it, and keeps few of its rows in the page, so that it stays quick.
(() => {
  const table = document.getElementById('tests');
  if (!table) {
    return;
  }
  const FIRST = 50;
  const PIECE = 500;
  const NAME = 1;
  const OUTCOMES = ['failed', 'lost', 'undecided', 'aborted', 'skipped', 'passed'];
  const text = document.getElementById('text');
  const core = document.getElementById('core');
  const count = document.getElementById('count');
  const more = document.getElementById('more');
  const boxes = Array.from(document.querySelectorAll('input[name=outcome]'));
  const headings = Array.from(table.tHead.rows[0].cells);
  const classes = Array.from(table.tBodies, (body, order) => ({
    heading: body.rows[0], order, name: body.rows[0].cells[0].firstChild.textContent, rows: Array.from(body.rows).slice(1),
  }));
  const tests = classes.flatMap(each => each.rows.map(row => ({ row, ofClass: each }))).map((test, order) => ({
    ...test, order, outcome: test.row.className, cores: test.row.dataset.cores.split(' '), text: test.row.textContent.toLowerCase(),
  }));
  let matching = tests;
  let shown = 0;
  let body = null;
  let sorted = { column: -1, ascending: true };

  const collator = new Intl.Collator('en', { numeric: true });
  const keys = [
    test => OUTCOMES.indexOf(test.outcome),
    test => test.row.cells[1].firstChild.textContent,
    test => test.row.cells[2].textContent,
    test => Number(test.row.cells[3].dataset.n),
    test => Number(test.row.cells[4].dataset.n),
    test => test.row.cells[5].firstChild.dateTime,
  ];

  function number(count) {
    return count < 10000 ? String(count) : count.toLocaleString('en');
  }

  // Classes are headings as long as their tests are in a row: at first, and in the order of names.
  function isByClass() {
    return sorted.column < 0 || sorted.column === NAME;
  }

  function show(end) {
    const bodies = document.createDocumentFragment();
    for (; shown < Math.min(end, matching.length); shown++) {
      const test = matching[shown];
      if (shown === 0 || isByClass() && test.ofClass !== matching[shown - 1].ofClass) {
        body = document.createElement('tbody');
        body.append(...isByClass() ? [test.ofClass.heading] : []);
        bodies.append(body);
      }
      body.append(test.row);
    }
    table.append(bodies);
    more.hidden = shown === matching.length;
    more.textContent = 'Show ' + Math.min(PIECE, matching.length - shown) + ' more of ' + number(matching.length - shown);
  }

  function update() {
    const words = text.value.toLowerCase().split(/\s+/).filter(word => word);
    const outcomes = boxes.filter(box => box.checked).map(box => box.value);
    const cores = core.value ? core.value.split(' ') : [];
    matching = tests.filter(test =>
      (!outcomes.length || outcomes.includes(test.outcome)) &&
      (!cores.length || cores.some(each => test.cores.includes(each))) &&
      words.every(word => test.text.includes(word)));
    Array.from(table.tBodies).forEach(each => each.remove());
    shown = 0;
    show(FIRST);
    count.textContent = (matching.length === tests.length ? '' : number(matching.length) + ' of ')
      + number(tests.length) + (table.dataset.of ? ' listed' : '') + (tests.length === 1 ? ' test' : ' tests');
  }

  function sort(column) {
    sorted = { column, ascending: sorted.column === column ? !sorted.ascending : true };
    const values = new Map(tests.map(test => [test, keys[column](test)]));
    const way = sorted.ascending ? 1 : -1;
    tests.sort((a, b) => {
      const left = values.get(a);
      const right = values.get(b);
      const order = typeof left === 'number' ? left - right : collator.compare(left, right);
      const ofClass = column === NAME
        ? collator.compare(a.ofClass.name, b.ofClass.name) || a.ofClass.order - b.ofClass.order : 0;
      return way * ofClass || way * order || a.order - b.order;
    });
    headings.forEach((heading, index) => index === column
      ? heading.setAttribute('aria-sort', sorted.ascending ? 'ascending' : 'descending')
      : heading.removeAttribute('aria-sort'));
    update();
  }

  headings.forEach((heading, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = heading.textContent;
    button.addEventListener('click', () => sort(column));
    heading.replaceChildren(button);
  });
  document.getElementById('filters').hidden = false;
  document.getElementById('filters').addEventListener('submit', event => event.preventDefault());
  text.addEventListener('input', update);
  core.addEventListener('change', update);
  boxes.forEach(box => box.addEventListener('change', update));
  document.querySelectorAll('a[data-core]').forEach(link => link.addEventListener('click', () => {
    core.value = link.dataset.core;
    update();
  }));
  more.addEventListener('click', () => show(shown + PIECE));
  window.addEventListener('beforeprint', () => show(matching.length));
  window.addEventListener('pageshow', update);
  update();
})();
