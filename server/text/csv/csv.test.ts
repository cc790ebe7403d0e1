import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv, NotCsvError, parseCsv } from './index.ts';

const parse = (text: string, maxRows = 100) => parseCsv(text, { maxRows, key: 'domain' });

test('values of any kind come back as they were written', async () => {
  const formulas = fc.constantFrom('', '=', '+', '-', '@', "'", "'=", "''");
  const value = fc
    .tuple(formulas, fc.string({ maxLength: 40 }))
    .map((parts) => parts.join(''))
    .map((text) => text.replace(/[\r\v\f\u0085\u2028\u2029\0\uFEFF]/gu, '').trim());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 20 }), async (pairs) => {
      const rows = pairs.map(([first, second]): [string, string] => [first === '' ? 'x' : first, second]);
      const text = formatCsv(['#domain', '#comment'], rows);
      expect((await parse(text, 100)).map(({ row }) => row)).toEqual(
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
  expect((await parse(text, 1)).map(({ row }) => row['comment'])).toEqual([value.replace('\r', '\n')]);
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
  expect((await parse(text, 10)).map(({ row }) => row)).toEqual(rows);
});

test('a quote that is not closed is refused, and rows beyond the limit are not read', async () => {
  await expect(parse('#domain\n"a.test', 10)).rejects.toThrow();
  expect((await parse('a\nb\nc\nd\ne', 2)).length).toBeLessThanOrEqual(4);
});

test.each([
  ['#domain\na.test\n\nb.test\n', [2, 4]],
  ['a.test\r\nb.test\r\n', [1, 2]],
  ['domain,comment\na.test,"two\nlines"\nb.test,one\n', [3, 4]],
])('rows of %j have the number of their last line', async (text, lines) => {
  expect((await parse(text, 10)).map(({ line }) => line)).toEqual(lines);
});

const lineEnds = ['\n', '\r', '\r\n', '\n\n', '\r\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

test('no line is lost, whatever ends the lines of a file', async () => {
  const ends = fc.array(fc.constantFrom(...lineEnds), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(ends, fc.boolean(), fc.boolean(), async (each, hasHeader, isQuoted) => {
      const domains = each.map((_, number) => `${number}.test`);
      const values = [...(hasHeader ? ['#domain'] : []), ...domains];
      const text = values
        .map((value, at) => `${isQuoted ? `"${value}"` : value}${at < each.length ? each[at] : ''}`)
        .join('');
      expect((await parse(text)).map(({ row }) => row['domain'])).toEqual(domains);
    }),
  );
});

test.each([
  ['a.test\r\nb.test\rc.test\nd.test', [1, 2, 3, 4]],
  ['a.test,"one\r\ntwo\rthree"\rb.test', [3, 4]],
])('lines of %j are counted', async (text, lines) => {
  expect((await parse(`#domain,#comment\r\n${text}`)).map(({ line }) => line - 1)).toEqual(lines);
});

test('a header counts for the lines that follow it, so that files can be joined', async () => {
  const text =
    '\uFEFF#domain,#severity\r\na.test,suspend\r\n\uFEFFdomain,reject_media,severity\nb.test,true,silence\n\uFEFFdomain\rc.test';
  expect((await parse(text)).map(({ row }) => row)).toEqual([
    { domain: 'a.test', severity: 'suspend' },
    { domain: 'b.test', reject_media: 'true', severity: 'silence' },
    { domain: 'c.test' },
  ]);
  expect(await parse(`domain\n${'domain\na.test\n'.repeat(5)}`, 3)).toHaveLength(4);
});

test('a first line with # that names other columns is a row, so that it is reported', async () => {
  expect((await parse('# Blocks of a.test\nb.test')).map(({ row }) => row['domain'])).toEqual([
    '# Blocks of a.test',
    'b.test',
  ]);
});

test.each([
  ['domain\na.test\n"b.test\nc.test', 3],
  ['domain,comment\na.test,x\nb.test,"not closed\nc.test,x\nd.test,"closed"\ne.test', 3],
  [`domain\na.test\n${'x'.repeat(40_000)}\n`, 3],
])('%# is refused, and the error names the line', async (text, line) => {
  const error = await parse(text).catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(NotCsvError);
  expect(error).toMatchObject({ line });
});

test('characters and values that span two parts of a long file are complete', async () => {
  const values = Array.from({ length: 4_000 }, (_, number) => `å😀 ${number}, ${'x'.repeat(number % 40)}.`);
  const text = `domain\n${values.map((value) => `"${value}"`).join('\n')}`;
  expect((await parse(text, 5_000)).map(({ row }) => row['domain'])).toEqual(values);
});

test('other work gets turns while a long file is parsed', async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await parse('a.test,some text\n'.repeat(20_000), 20_000);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(5);
});
