import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsv, parseCsv } from './index.ts';

test('values of any kind come back as they were written', () => {
  const value = fc.string({ maxLength: 40 }).map((text) => text.replace(/[\r\0\uFEFF]/gu, '').trim());
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 20 }), (pairs) => {
      const rows = pairs.map(([first, second]): [string, string] => [`x${first}`, second]);
      const text = formatCsv(['#domain', '#comment'], rows);
      expect(parseCsv(text, 100, 'domain').map(({ row }) => row)).toEqual(
        rows.map(([domain, comment]) => ({ domain, comment })),
      );
    }),
  );
});

test.each([
  ['#domain,#severity\na.test,suspend\n', [{ domain: 'a.test', severity: 'suspend' }]],
  ['\uFEFFdomain,severity\r\na.test,"silence"\r\n', [{ domain: 'a.test', severity: 'silence' }]],
  ['a.test\n\nb.test', [{ domain: 'a.test' }, { domain: 'b.test' }]],
  ['domain,severity\na.test\n', [{ domain: 'a.test' }]],
  ['', []],
])('%j is parsed', (text, rows) => {
  expect(parseCsv(text, 10, 'domain').map(({ row }) => row)).toEqual(rows);
});

test('a quote that is not closed is refused, and rows beyond the limit are not read', () => {
  expect(() => parseCsv('#domain\n"a.test', 10, 'domain')).toThrow();
  expect(parseCsv('a\nb\nc\nd\ne', 2, 'domain').length).toBeLessThanOrEqual(4);
});

test.each([
  ['#domain\na.test\n\nb.test\n', [2, 4]],
  ['a.test\r\nb.test\r\n', [1, 2]],
  ['domain,comment\na.test,"two\nlines"\nb.test,one\n', [3, 4]],
])('rows of %j have the number of their last line', (text, lines) => {
  expect(parseCsv(text, 10, 'domain').map(({ line }) => line)).toEqual(lines);
});
