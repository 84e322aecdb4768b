// SPDX-License-Identifier: MIT
// check_page.cjs RECORD.json PAGE.html NODE_MODULES [SHOTS]: the page in headless Chromium. Every
// number in the DOM is the record's, every row of the record is there, nothing is fetched, nothing
// complains, and nothing is wider than a phone. SHOTS: a folder that screenshots go to.
const fs = require('fs');
const path = require('path');
const assert = require('assert');
const [, , recordPath, pagePath, modules, shots] = process.argv;
const { chromium } = require(path.resolve(modules, 'playwright-core'));
const rows = JSON.parse(fs.readFileSync(recordPath)).rows;

// What a chart or a cell says, with the place that it says it of.
function collect() {
  const number = (e) => Number(e.dataset.value);
  const width = (bar, cls) => {
    const rect = bar.querySelector('.' + cls);
    return rect ? parseFloat(rect.getAttribute('width')) : 0;
  };
  const charts = [...document.querySelectorAll('svg')].map((svg) => ({
    role: svg.getAttribute('role'),
    names: (svg.getAttribute('aria-labelledby') || '').split(' ').map(
      (id) => (document.getElementById(id) || {}).textContent),
    hasTable: !!svg.parentElement.querySelector('table'),
    section: svg.closest('section').id,
    height: svg.getBoundingClientRect().height,
    bars: [...svg.querySelectorAll('.bar')].map((bar) => ({
      row: Number(bar.dataset.row), field: bar.dataset.field, value: number(bar),
      rival: bar.dataset.rival === undefined ? null : Number(bar.dataset.rival),
      width: width(bar, 'length'), inner: width(bar, 'inner'),
      texts: [...bar.querySelectorAll('text')].map((t) => t.getBoundingClientRect()).map(
        (b) => [b.left, b.right, b.top]),
      text: bar.textContent,
    })),
  }));
  const cells = [...document.querySelectorAll('td[data-field]')].map((td) => ({
    row: Number(td.parentElement.dataset.row), field: td.dataset.field, value: number(td),
    text: td.textContent,
  }));
  return {
    charts, cells,
    sections: [...document.querySelectorAll('section')].map((s) => s.id),
    missing: [...document.querySelectorAll('section .none')].map((e) => e.parentElement.id),
    verdict: document.querySelectorAll('#verdict li').length,
    commands: document.querySelectorAll('.again code').length,
    scripts: document.querySelectorAll('script, iframe, object, embed, img').length,
    names: [...document.querySelectorAll('.card > h3')].map((e) => e.textContent),
  };
}

const near = (a, b) => Math.abs(a - b) <= 1e-8 * Math.max(Math.abs(a), Math.abs(b));

function checkBars(found) {
  const shownOnly = ['protobuf-c++', 'rapidjson', 'simdjson', 'naive'];
  for (const chart of found.charts) {
    assert.strictEqual(chart.role, 'img');
    assert.ok(chart.names.length === 2 && chart.names.every((n) => n), 'a chart has no name');
    assert.ok(chart.hasTable, `no table beside ${chart.names[0]}`);
    assert.ok(chart.height > 20 && chart.bars.length > 0, `nothing in ${chart.names[0]}`);
    for (const bar of chart.bars) {
      const row = rows[bar.row];
      if (bar.field === 'ratio') {
        const best = Math.min(...rows.filter((r) => r.suite === 'codec' &&
          r.payload === row.payload && !r.contender.startsWith('cwire') &&
          !shownOnly.includes(r.contender) && (r.op === row.op ||
            (row.op.startsWith('decode') && r.op.startsWith('decode')))).map((r) => r.ns_median));
        assert.strictEqual(rows[bar.rival].ns_median, best, 'not the fastest rival');
        assert.ok(near(bar.value, best / row.ns_median), `${bar.value} is not the ratio`);
      } else {
        assert.ok(near(bar.value, row[bar.field]), `${bar.field}: ${bar.value}`);
      }
      const one = chart.bars[0];
      assert.ok(Math.abs(bar.width / one.width - bar.value / one.value) < 0.01 * bar.value /
        one.value + 0.01, `a bar of ${chart.names[0]} is ${bar.width} % long`);
      if (bar.inner > 0) {
        const part = row.table === 'open' ? row.p50_us / row.p99_us : row.codec_percent / 100;
        assert.ok(Math.abs(bar.inner / bar.width - part) < 0.01);
      }
      const [[, labelEnd], [valueBegin]] = bar.texts;
      assert.ok(labelEnd <= valueBegin, `label and value meet: ${bar.text}`);
    }
  }
}

// Each row of the record that a section shows stands in a table with its own numbers.
function checkCells(found) {
  const seen = new Map();
  for (const cell of found.cells) {
    assert.ok(near(cell.value, rows[cell.row][cell.field]),
      `row ${cell.row}, ${cell.field}: ${cell.value}`);
    assert.ok(/\d/.test(cell.text));
    seen.set(cell.row, (seen.get(cell.row) || 0) + 1);
  }
  rows.forEach((row, i) => {
    if (row.table !== 'environment') {
      assert.ok(seen.get(i) >= (row.suite === 'size' ? 1 : 4), `row ${i} is not in a table`);
    }
  });
}

function checkSections(found) {
  const has = (suite) => rows.some((r) => r.suite === suite);
  const shown = { sizes: has('size'), codec: has('codec'), transports: has('http') };
  assert.deepStrictEqual(found.sections, ['verdict', ...Object.keys(shown)]);
  assert.deepStrictEqual(found.missing, Object.keys(shown).filter((s) => !shown[s]));
  for (const [section, there] of Object.entries(shown)) {
    assert.strictEqual(found.charts.some((c) => c.section === section), there, section);
  }
  assert.ok(found.verdict > 0 && found.commands > 0);
  // Every kind of http row has a chart of its own.
  const kinds = new Set(rows.filter((r) => r.table && r.table !== 'environment').map(
    (r) => `${r.table} ${r.payload || ''}`));
  assert.strictEqual(found.charts.filter((c) => c.section === 'transports').length, kinds.size);
  assert.strictEqual(found.scripts, 0);
  const payloads = new Set(rows.filter((r) => r.payload).map((r) => r.payload));
  for (const payload of payloads) {
    assert.ok(found.names.includes(payload), `${payload} has no card of its name`);
  }
}

async function look(browser, width, scheme) {
  const context = await browser.newContext({
    viewport: { width, height: 900 }, colorScheme: scheme, deviceScaleFactor: 1 });
  const page = await context.newPage();
  const said = [], fetched = [];
  page.on('console', (m) => said.push(m.text()));
  page.on('pageerror', (e) => said.push(String(e)));
  page.on('request', (r) => fetched.push(r.url()));
  const url = 'file://' + path.resolve(pagePath);
  await page.goto(url);
  if (shots) {
    await page.screenshot({ path: `${shots}/${width}-${scheme}.png`, fullPage: true });
  }
  const found = await page.evaluate(collect);
  checkBars(found);
  checkCells(found);
  checkSections(found);
  for (const open of [false, true]) {
    await page.evaluate((o) => document.querySelectorAll('details').forEach((d) => {
      d.open = o;
    }), open);
    const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth,
      document.documentElement.clientWidth]);
    assert.ok(scroll <= client, `${scroll} px wide at ${width} px`);
  }
  // The keyboard reaches and opens a table.
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => {
    d.open = false;
  }));
  await page.focus('summary');
  await page.keyboard.press('Enter');
  assert.ok(await page.evaluate(() => document.querySelector('details').open));
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.deepStrictEqual(said, []);
  assert.deepStrictEqual(fetched.filter((u) => u !== url && !u.startsWith('data:')), []);
  await context.close();
  console.log(`ok: ${width} px, ${scheme}: ${found.charts.length} charts, ` +
    `${found.cells.length} cells`);
  return ground;
}

(async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const grounds = [];
    for (const scheme of ['light', 'dark']) {
      for (const width of [1280, 360]) {
        grounds.push(await look(browser, width, scheme));
      }
    }
    assert.notStrictEqual(grounds[0], grounds[2], 'dark is as light');
  } finally {
    await browser.close();
  }
})().catch((e) => {
  console.error(e.stack);
  process.exit(1);
});
