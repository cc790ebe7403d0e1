import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../../test/cpu-time.ts';
import { formatMarkdown, parseMarkdownText } from './format-markdown.ts';
import { sanitizeHtml } from '../sanitize-html.ts';

const account = (username: string) => ({ url: `https://a.test/@${username}`, username, acct: username });
const options = {
  mentions: new Map(['alice', '_foo_'].map((name) => [name, account(name)])),
  hashtagUrl: (name: string) => `https://a.test/tags/${encodeURIComponent(name)}`,
};
const format = (text: string): string => formatMarkdown(text, options);
const found = (text: string): string[] =>
  parseMarkdownText(text)
    .filter(({ type }) => type !== 'text')
    .map(({ raw }) => raw);

test('Markdown is rendered with the elements that posts may contain', () => {
  expect(format('# Big *news*\n\nfirst\nsecond  \nthird')).toBe(
    '<p><strong>Big <em>news</em></strong></p><p>first<br />second<br />third</p>',
  );
  expect(format('**b** _i_ ~~gone~~ `x < y`')).toBe(
    '<p><strong>b</strong> <em>i</em> <del>gone</del> <code>x &lt; y</code></p>',
  );
  expect(format('- a\n- b\n  - c\n\n3. x\n4. y')).toBe(
    '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol start="3"><li>x</li><li>y</li></ol>',
  );
  expect(format('> quoted\n> more\n\n---\n\n```js\nlet a;\n\n  b();\n```')).toBe(
    '<blockquote><p>quoted<br />more</p></blockquote><p>---</p><pre><code>let a;\n\n  b();</code></pre>',
  );
});

test('links keep their text, images their description', () => {
  const link = (href: string, linkText: string) =>
    `<a href="${href}" rel="nofollow noopener" target="_blank">${linkText}</a>`;
  expect(format('[see *this*](https://b.test/x "title")')).toBe(
    `<p>${link('https://b.test/x', 'see <em>this</em>')}</p>`,
  );
  expect(format('![a bird](https://b.test/bird.png)')).toBe(`<p>${link('https://b.test/bird.png', 'a bird')}</p>`);
  expect(format('[![a bird](https://b.test/bird.png)](https://c.test)')).toBe(
    `<p>${link('https://c.test', 'a bird')}</p>`,
  );
  for (const text of ['<https://b.test/x>', '![](https://b.test/x)', 'https://b.test/x']) {
    expect(format(text)).toContain('<span class="invisible">https://</span><span>b.test/x</span>');
  }
});

test('HTML is shown as text, and links have safe protocols only', () => {
  expect(format('<script>alert(1)</script> <b>x</b>')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt;x&lt;/b&gt;</p>',
  );
  for (const href of [
    'javascript:alert(1)',
    'data:text/html,x',
    '/settings',
    'java&#115;cript:alert(1)',
    'file:///x',
  ]) {
    expect(format(`[x](${href})`), href).not.toContain('<a');
  }
});

test('mentions, hashtags and links are found as in plain text', () => {
  const text = '**@alice** *#tag* __@alice__ _#b_c_ https://b.test/_x_/y* ~~https://c.test~~ @bob@d.test, #x';
  expect(found(text)).toEqual([
    '@alice',
    '#tag',
    '@alice',
    '#b_c',
    'https://b.test/_x_/y',
    'https://c.test',
    '@bob@d.test',
    '#x',
  ]);
  expect(format('@_foo_')).toContain('<a href="https://a.test/@_foo_" class="u-url mention"');
  expect(format('#_x_ :_y_:')).toBe(
    '<p><a href="https://a.test/tags/_x_" class="mention hashtag" rel="tag nofollow noopener" target="_blank">#<span>_x_</span></a> :_y_:</p>',
  );
});

test('mentions, hashtags and links are not found in code, link texts and after a backslash', () => {
  for (const text of ['`@alice #x https://b.test`', '```\n@alice #x\n```', '\\@alice', '\\#x', '&#64;alice']) {
    expect(found(text), text).toEqual([]);
    expect(format(text), text).not.toContain('<a');
  }
  expect(found('[@alice #x https://b.test](https://c.test)')).toEqual([]);
  expect(format('[@alice](https://c.test)')).toBe(
    '<p><a href="https://c.test" rel="nofollow noopener" target="_blank">@alice</a></p>',
  );
});

test('Markdown that would render nothing is shown as plain text', () => {
  expect(format('#')).toBe('<p>#</p>');
  expect(format('[a]: /b')).toBe('<p>[a]: /b</p>');
  expect(format('')).toBe('');
});

const fragment = fc.constantFrom(
  ...'* ** _ __ ~~ ` ``` > # - 1. [ ]( ] ![ ) \\ < > | --- === @alice #tag https://b.test/ javascript: & &lt; &#60;'.split(
    ' ',
  ),
  '\n',
  '\n\n',
  '    ',
  '\t',
  ' ',
  '"',
  "'",
  ':x_y:',
  '<a href="',
  '<script>',
  '</p>',
  '@b@c.test',
  '\u0000',
);
const markdown = fc.array(fc.oneof(fragment, fc.string()), { maxLength: 60 }).map((parts) => parts.join(''));

test('for any input the result is safe, balanced and unchanged by sanitizing', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const html = format(text);
      const open: string[] = [];
      for (const [tag, end = '', name = ''] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
        expect(tag).toMatch(
          /^<\/?(?:p|br|span|a|del|pre|blockquote|code|strong|em|ul|ol|li)(?: (?:href|rel|class|translate|target|start)="[^"<>]*")*(?: \/)?>$/,
        );
        expect(tag).not.toMatch(/ href="(?!(?:https?|gemini|xmpp|magnet):)/i);
        if (end !== '') expect(open.pop()).toBe(name);
        else if (name !== 'br') open.push(name);
      }
      expect(open).toEqual([]);
      expect(html.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
      expect(sanitizeHtml(html)).toBe(html);
    }),
    { numRuns: 600 },
  );
});

test('time grows linearly with the length, for any input', () => {
  const units = [
    ...'* ** *a _a_ [ [a]( ![ > - ` ~~a < <a@ & \\ a**b # :a: @a #a https://a.test/ [a](<b [a](b" > - '.split(' '),
    '- a\n',
    '[a]: b\n',
    '\n>',
    '```\n',
    'a** ',
    'a **a ',
    'a\n-\n',
    '[a](b) ',
    '\t',
    '1. a\n',
  ];
  for (const unit of units.filter((text) => text !== '')) {
    const cpuMs = countCpuTime();
    format(unit.repeat(60_000 / unit.length));
    expect(cpuMs(), unit).toBeLessThan(3_000);
  }
  const ticks = Array.from({ length: 300 }, (_, length) => 'a'.padStart(length, '`')).join('');
  const cpuMs = countCpuTime();
  format(ticks);
  format(`${'['.repeat(20_000)}a${'](b)'.repeat(20_000)}`);
  expect(cpuMs()).toBeLessThan(3_000);
});
