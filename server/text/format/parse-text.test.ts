import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../../test/cpu-time.ts';
import { countCharacters } from '../count-characters.ts';
import { parseText } from './parse-text.ts';

const found = (text: string): string[] =>
  parseText(text).flatMap((piece) => (piece.type === 'text' ? [] : [`${piece.type}:${piece.raw}`]));

test('links need a scheme and end before punctuation', () => {
  expect(found('see https://example.com/a(b)c. (http://a.b/x), example.com')).toEqual([
    'url:https://example.com/a(b)c',
    'url:http://a.b/x',
  ]);
  expect(found('HTTPS://Example.com/ä?q=ö#ü https://münchen.de http://localhost:3000/@a')).toEqual([
    'url:HTTPS://Example.com/ä?q=ö#ü',
    'url:https://münchen.de',
    'url:http://localhost:3000/@a',
  ]);
  expect(found('これhttps://example.com/日本語 xhttps://example.com')).toEqual(['url:https://example.com/日本語']);
  expect(found('ftp://example.com javascript:alert(1) https:// https://user:pass@example.com')).toEqual([]);
});

test.each([
  ['https://foo_bar.example.org/x', 'https://foo_bar.example.org/x'],
  ['see https://_dmarc.example.org.', 'https://_dmarc.example.org'],
  ['(https://a_b_c.d-e_f.example.org:8080/_x_)', 'https://a_b_c.d-e_f.example.org:8080/_x_'],
  [
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=x.',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=x',
  ],
  ['(MAGNET:?xt=urn:btih:abc), next', 'MAGNET:?xt=urn:btih:abc'],
  ['xmpp:room@chat.example.org?join', 'xmpp:room@chat.example.org?join'],
  ['at xmpp:a.b@chat.example.org/desk, or', 'xmpp:a.b@chat.example.org/desk'],
  ['gemini://example.org/x', 'gemini://example.org/x'],
  ['Gemini://example.org.', 'Gemini://example.org'],
  ['gopher://example.org/1/x', 'gopher://example.org/1/x'],
  [
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a',
  ],
])('%j has a link', (text, link) => {
  expect(found(text)).toEqual([`url:${link}`]);
});

test.each([
  '_https://example.org_',
  'https://us_er.x:pw@example.org',
  'https://us_er@example.org',
  'xmagnet:?xt=a',
  'magnet:',
  'xmpp:room',
  'xmpp:@example.org',
  'mailto:a@example.org',
  'javascript://example.org/%0a',
  'data:text/html,x',
])('%j has no link', (text) => {
  expect(found(text).filter((piece) => piece.startsWith('url:'))).toEqual([]);
});

test('mentions and hashtags within a link are ignored', () => {
  expect(found('https://example.com/@alice/1#frag https://example.com/tags/#x')).toEqual([
    'url:https://example.com/@alice/1#frag',
    'url:https://example.com/tags/#x',
  ]);
});

test('mentions have an optional domain and are not part of a word', () => {
  expect(parseText('hi @Alice, @bob@Example.COM!')).toEqual([
    { type: 'text', raw: 'hi ' },
    { type: 'mention', raw: '@Alice', username: 'Alice', domain: null },
    { type: 'text', raw: ', ' },
    { type: 'mention', raw: '@bob@Example.COM', username: 'bob', domain: 'example.com' },
    { type: 'text', raw: '!' },
  ]);
  expect(found('@a.b@c.d. @a_1 (@b) 「@c」 @d@münchen.de @e@localhost:3001: @f@c.d:80')).toEqual([
    'mention:@a.b@c.d',
    'mention:@a_1',
    'mention:@b',
    'mention:@c',
    'mention:@d@münchen.de',
    'mention:@e@localhost:3001',
    'mention:@f@c.d',
  ]);
  expect(found('me@example.com x@y /@z @@q @ @a@b@c é@x')).toEqual([]);
});

test('hashtags consist of letters, marks, numbers and inner dots of all scripts', () => {
  expect(found('#a #Ünïcode #日本語 ＃全角 #a_b #col·lecció #ダンス・ダンス #1a #२०२४a #हिन्दी #می‌خواهم')).toHaveLength(
    11,
  );
  expect(found('#foo. (#bar) #baz-qux #end·')).toEqual([
    'hashtag:#foo',
    'hashtag:#bar',
    'hashtag:#baz',
    'hashtag:#end',
  ]);
  expect(found('#1 #2026 a#b &#39; /#x # #· ##')).toEqual([]);
});

test('the pieces of any text join to the text again', () => {
  const fragments = fc.constantFrom(
    '@',
    '#',
    'https://',
    'a.b',
    'user',
    '@x@y.z',
    '/',
    '·',
    '日本',
    ' ',
    '\n',
    '(',
    '&',
    '😀',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string({ unit: 'binary' }))), (parts) => {
      const text = parts.join('');
      expect(
        parseText(text)
          .map(({ raw }) => raw)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('hostile text of 100 KB is parsed in bounded time', () => {
  const units = [
    '@',
    '#',
    '@a',
    '@a@',
    '@a@b.',
    '#a',
    '#·',
    '#a·',
    'https://',
    'https://a.b/(',
    'https://a',
    '[(',
    'a.',
    '@a.-',
    '\u0301',
    '#1',
    '_a.',
    'https://a_b.c ',
    'xmpp:a',
    'magnet:?xt',
  ];
  for (const unit of units) {
    for (const head of ['', '@a', '#a', 'https://a.b/']) {
      const cpuMs = countCpuTime();
      parseText(head + unit.repeat(100_000 / unit.length));
      expect(cpuMs(), `${head}${unit}`).toBeLessThan(1_500);
    }
  }
});

test('a link counts 23 characters, a remote mention its local part, a grapheme one', () => {
  expect(countCharacters('hello')).toBe(5);
  expect(countCharacters('👩‍👩‍👧‍👦é\u0301')).toBe(2);
  expect(countCharacters(`https://example.com/${'a'.repeat(200)}`)).toBe(23);
  expect(countCharacters('x http://a.b y')).toBe(27);
  expect(countCharacters('example.com')).toBe(11);
  expect(countCharacters('@alice@example.com hi')).toBe(9);
  expect(countCharacters('@alice hi')).toBe(9);
});
