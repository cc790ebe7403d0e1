import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateHtml } from './truncate-html.ts';
import { formatText } from './format/format-text.ts';
import { sanitizeHtml } from './sanitize-html.ts';
import { truncateText, maxHtmlBytes, limitHtml } from './text-limits.ts';

test('HTML is truncated between characters, and open elements are closed', () => {
  expect(truncateHtml('<p>short</p>', 12)).toBe('<p>short</p>');
  expect(truncateHtml('<p>some <b>bold</b> words</p>', 24)).toBe('<p>some <b>bo…</b></p>');
  expect(truncateHtml('<p>🐦🐦🐦🐦🐦</p>', 20)).toBe('<p>🐦🐦…</p>');
  expect(truncateHtml('<p>a &amp; b &amp; c</p>', 20)).toBe('<p>a &amp; b …</p>');
  expect(truncateHtml('a<br />b<br />c<br />d', 16)).toBe('a<br />b…');
  expect(truncateHtml('<a href="https://a.test/">link</a>', 20)).toBe('…');
});

const unit = fc.constantFrom(
  ...'<p>|</p>|<b>|</b>|<a href="https://a.test/?b=1&amp;c=>">|</a>|<br>|<ul><li>|</li></ul>|<span class="h-card">'.split(
    '|',
  ),
  '\u0301',
  '👨‍👩‍👧',
  'क्षि',
  '&amp;',
  '&',
  '<',
  '>',
  '"',
  ' ',
  '\ud800',
  '\u0000',
  'word',
  '<h1>',
  '<script>',
);
const hostile = fc
  .array(fc.tuple(unit, fc.integer({ min: 1, max: 200 })), { maxLength: 30 })
  .map((parts) => parts.map(([text, count]) => text.repeat(count)).join(''));

test('for any input, safe HTML fits its bytes, and stays well-formed and safe', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 3, max: 4_000 }), (html, maxBytes) => {
      const clean = sanitizeHtml(html, maxBytes);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(maxBytes);
      expect(clean.isWellFormed()).toBe(true);
      expect(sanitizeHtml(clean, maxBytes)).toBe(clean);
      const text = formatText(html, { mentions: new Map(), hashtagUrl: (name) => `https://a.test/tags/${name}` });
      const cut = truncateHtml(text, maxBytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
      expect(cut.match(/<[a-z]+/g)?.filter((tag) => tag !== '<br').length).toBe(cut.match(/<\//g)?.length);
    }),
    { numRuns: 300 },
  );
});

test('a megabyte of anything is truncated to 64 KB', () => {
  for (const text of ['\u0301', 'a', '👨‍👩‍👧', '<p>x</p>', '&amp;', '<b>a</b> ', '<a href="https://a.test/">a</a>']) {
    const clean = sanitizeHtml(text.repeat(1_000_000 / Buffer.byteLength(text)));
    expect(Buffer.byteLength(clean), text).toBeLessThanOrEqual(maxHtmlBytes);
    expect(sanitizeHtml(clean), text).toBe(clean);
  }
});

test('remote text is truncated to code points', () => {
  expect(truncateText('🐦🐦🐦', 2)).toBe('🐦🐦');
  expect(truncateText('ab', 2)).toBe('ab');
  expect(truncateText('a\ud83d', 2)).toBe('a\ufffd');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat({ max: 30 }), (text, limit) => {
      const cut = truncateText(text, limit);
      expect([...cut].length).toBeLessThanOrEqual(limit);
      expect(text.toWellFormed().startsWith(cut)).toBe(true);
    }),
  );
});

test('no grapheme has more than 32 marks, of any kind and in any encoding', () => {
  const shown = '\u0301'.repeat(32);
  expect(sanitizeHtml(`<p>a${'\u0301'.repeat(1_000)}b</p>`)).toBe(`<p>a${shown}b</p>`);
  expect(sanitizeHtml(`a${'&#769;'.repeat(1_000)}`)).toBe(`a${shown}`);
  expect(truncateText(`a${'\u0301'.repeat(1_000)}b`, 50)).toBe(`a${shown}b`);
  for (const marks of ['\u0e31', '🏽', '\u0301\u200d', '\ufe0f\u00ad']) {
    expect([...limitHtml(`<p>a${marks.repeat(1_000)}</p>`)].length, marks).toBe(7 + 1 + 32);
  }
  for (const text of [
    '👨‍👩‍👧‍👦'.repeat(100),
    'ที่นี่'.repeat(100),
    'क्षि'.repeat(100),
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ]) {
    expect(truncateText(text, 10_000)).toBe(text);
  }
});
