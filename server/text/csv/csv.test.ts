import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv, parseCsv } from './index.ts';

test('values of any kind come back as they were written', async () => {
  const formulas = fc.constantFrom('', '=', '+', '-', '@', "'", "'=", "''");
  const value = fc
    .tuple(formulas, fc.string({ maxLength: 40 }))
    .map((parts) => parts.join(''))
    .map((text) => text.replace(/[\r\0\uFEFF]/gu, '').trim());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 20 }), async (pairs) => {
      const rows = pairs.map(([first, second]): [string, string] => [first === '' ? 'x' : first, second]);
      const text = formatCsv(['#domain', '#comment'], rows);
      expect((await parseCsv(text, 100, 'domain')).map(({ row }) => row)).toEqual(
        rows.map(([domain, comment]) => ({ domain, comment })),
      );
    }),
  );
});

test.each([
  '=1+2',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '-',
  '=HYPERLINK("https://a.test")',
  "'=1",
  "''=1",
  "' @a",
  "'\t=1",
])('a spreadsheet does not run the value %j, which comes back as it was', async (value) => {
  const text = formatCsv(['domain', 'comment'], [['a.test', value]]);
  const [, cell = ''] = /^a\.test,"?([^]*?)"?\n$/.exec(text.slice('domain,comment\n'.length)) ?? [];
  expect(cell).toMatch(/^'/);
  expect((await parseCsv(text, 1, 'domain')).map(({ row }) => row['comment'])).toEqual([value]);
});

test.each(["it's fine", "'quoted'", '1-2', 'a=b', 'alice@a.test', "rock 'n' roll", "'"])(
  'the value %j is exported as it is',
  (value) => {
    expect(formatCsv(['comment'], [[value]], { header: false })).toBe(`${value}\n`);
  },
);

test.each([
  ['#domain,#severity\na.test,suspend\n', [{ domain: 'a.test', severity: 'suspend' }]],
  ['\uFEFFdomain,severity\r\na.test,"silence"\r\n', [{ domain: 'a.test', severity: 'silence' }]],
  ['a.test\n\nb.test', [{ domain: 'a.test' }, { domain: 'b.test' }]],
  ['domain,severity\na.test\n', [{ domain: 'a.test' }]],
  ['', []],
])('%j is parsed', async (text, rows) => {
  expect((await parseCsv(text, 10, 'domain')).map(({ row }) => row)).toEqual(rows);
});

test('a quote that is not closed is refused, and rows beyond the limit are not read', async () => {
  await expect(parseCsv('#domain\n"a.test', 10, 'domain')).rejects.toThrow();
  expect((await parseCsv('a\nb\nc\nd\ne', 2, 'domain')).length).toBeLessThanOrEqual(4);
});

test.each([
  ['#domain\na.test\n\nb.test\n', [2, 4]],
  ['a.test\r\nb.test\r\n', [1, 2]],
  ['domain,comment\na.test,"two\nlines"\nb.test,one\n', [3, 4]],
])('rows of %j have the number of their last line', async (text, lines) => {
  expect((await parseCsv(text, 10, 'domain')).map(({ line }) => line)).toEqual(lines);
});

test('characters and values that span two parts of a long file are complete', async () => {
  const values = Array.from({ length: 4_000 }, (_, number) => `å😀 ${number}, ${'x'.repeat(number % 40)}.`);
  const text = `domain\n${values.map((value) => `"${value}"`).join('\n')}`;
  expect((await parseCsv(text, 5_000, 'domain')).map(({ row }) => row['domain'])).toEqual(values);
});

test('other work gets turns while a long file is parsed', async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await parseCsv('a.test,some text\n'.repeat(20_000), 20_000, 'domain');
  clearImmediate(next);
  expect(turns).toBeGreaterThan(5);
});
