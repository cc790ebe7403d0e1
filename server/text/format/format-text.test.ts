import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatText, type MentionLink } from './format-text.ts';
import { htmlToText } from '../html-to-text.ts';
import { sanitizeHtml } from '../sanitize-html.ts';

const mentions = new Map<string, MentionLink>([
  ['alice', { url: 'https://here.test/@alice', username: 'alice', acct: 'alice' }],
  ['bob@there.test', { url: 'https://there.test/@bob', username: 'bob', acct: 'bob@there.test' }],
  ['alice@there.test', { url: 'https://there.test/@alice', username: 'alice', acct: 'alice@there.test' }],
]);
const hashtagUrl = (name: string): string => `https://here.test/tags/${encodeURIComponent(name)}`;
const format = (text: string): string => formatText(text, { mentions, hashtagUrl });

test('paragraphs and line breaks are rendered', () => {
  expect(format('one\ntwo\r\n\r\n\r\nthree ')).toBe('<p>one<br />two</p><p>three</p>');
  expect(format(' \n ')).toBe('');
  expect(format(`<b> & "it's"`)).toBe('<p>&lt;b&gt; &amp; &quot;it&#39;s&quot;</p>');
});

test('links hide their scheme and everything after 30 characters', () => {
  expect(format('https://www.example.com/')).toBe(
    '<p><a href="https://www.example.com/" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">https://www.</span><span class="">example.com/</span><span class="invisible"></span></a></p>',
  );
  expect(format('https://example.com/0123456789012345678901234567890?a=1&b=2')).toBe(
    '<p><a href="https://example.com/0123456789012345678901234567890?a=1&amp;b=2" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">https://</span><span class="ellipsis">example.com/012345678901234567</span><span class="invisible">8901234567890?a=1&amp;b=2</span></a></p>',
  );
});

test('mentions and hashtags have the markup that apps expect', () => {
  expect(format('@Alice @bob@there.test @nobody')).toBe(
    '<p><span class="h-card" translate="no"><a href="https://here.test/@alice" class="u-url mention">@<span>alice</span></a></span> ' +
      '<span class="h-card" translate="no"><a href="https://there.test/@bob" class="u-url mention">@<span>bob</span></a></span> @nobody</p>',
  );
  expect(format('#Föö')).toBe(
    '<p><a href="https://here.test/tags/f%C3%B6%C3%B6" class="mention hashtag" rel="tag">#<span>Föö</span></a></p>',
  );
});

test('two accounts with the same username are shown with their domains', () => {
  const html = format('@alice and @alice@there.test');
  expect(html).toContain('@<span>alice</span>');
  expect(html).toContain('@<span>alice@there.test</span>');
});

test('a profile field is one line, and its links can have rel=me', () => {
  expect(formatText('a\nhttps://a.b', { mentions, hashtagUrl, singleLine: true, relMe: true })).toBe(
    'a <a href="https://a.b" target="_blank" rel="me nofollow noopener" translate="no"><span class="invisible">https://</span><span class="">a.b</span><span class="invisible"></span></a>',
  );
});

const markup = fc.constantFrom(
  '<script>',
  '<',
  '>',
  '"',
  "'",
  '&',
  '&lt;',
  '@alice',
  '#<x',
  'https://a.b/"onclick="',
  "https://a.b/'",
  '\n\n',
  '\u0000',
  'javascript:',
  '#tag',
);

test('text never becomes markup', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(markup, fc.string())), (parts) => {
      const html = format(parts.join(''));
      const tags = html.match(/<[^>]*>/g) ?? [];
      for (const tag of tags) {
        expect(tag).toMatch(
          /^<(?:\/?p|br \/|\/a|\/span|span|span class="(?:invisible|ellipsis|)?"|span class="h-card" translate="no"|a href="https?:\/\/[^"<>]*" (?:target="_blank" rel="nofollow noopener" translate="no"|class="u-url mention"|class="mention hashtag" rel="tag"))>$/i,
        );
      }
      expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>"']/);
    }),
  );
});

test('formatted text can be converted back to the text', () => {
  expect(htmlToText(format('one\ntwo\n\nthree <b> & https://example.com/0123456789012345678901234567890 #x'))).toBe(
    'one\ntwo\n\nthree <b> & https://example.com/0123456789012345678901234567890 #x',
  );
});

test('our markup passes the sanitizer with its classes', () => {
  const html = format('@alice #x https://example.com/0123456789012345678901234567890');
  const clean = sanitizeHtml(html);
  for (const attribute of [
    'class="h-card"',
    'class="u-url mention"',
    'class="mention hashtag"',
    'class="invisible"',
    'class="ellipsis"',
  ]) {
    expect(clean).toContain(attribute);
  }
  expect(sanitizeHtml(clean)).toBe(clean);
});
