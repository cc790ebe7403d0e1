import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../test/cpu-time.ts';
import { htmlToText } from './html-to-text.ts';
import { sanitizeHtml } from './sanitize-html.ts';

test('elements of posts are kept', () => {
  const html =
    '<p>a<br />b <del>c</del> <em lang="de">d</em></p><ol start="3" reversed=""><li value="2">x</li></ol><blockquote>q</blockquote><pre><code>k</code></pre><ruby>字<rp>(</rp><rt>じ</rt></ruby>';
  expect(sanitizeHtml(html)).toBe(html.replace('reversed=""', 'reversed'));
});

test('elements that run, load or frame are removed, with their content if it is not text', () => {
  expect(
    sanitizeHtml('<script>alert(1)</script><p onclick="x()" style="color:red">a<img src=x onerror=alert(1)></p>'),
  ).toBe('<p>a</p>');
  expect(
    sanitizeHtml('<iframe src="https://evil.test">x</iframe><style>p{}</style><svg><script>1</script></svg>b'),
  ).toBe('b');
  expect(sanitizeHtml('<div>kept</div><form><input value="1">text</form>')).toBe('kepttext');
  expect(sanitizeHtml('<xmp><p title="</xmp><img src=x onerror=alert(1)>"></p></xmp>')).not.toContain('<img');
});

const inline = fc.constantFrom(
  'x',
  '<br>',
  '<br/>',
  '<br />',
  '<em>x<br>y</em>',
  '<math><mi>x</mi></math>',
  '<img src="x">',
  '<hr>',
);
const content = fc.array(inline, { maxLength: 6 }).map((parts) => parts.join('a'));
const block = fc
  .tuple(fc.constantFrom('p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'blockquote', 'pre', 'li', 'section'), content)
  .map(([name, html]) => `<${name}>${html}</${name}>`);

test('line breaks are neither added nor lost, whatever blocks surround them', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(block, content), { maxLength: 6 }), (blocks) => {
      const html = blocks.join('\n');
      expect(sanitizeHtml(html).match(/<br \/>/g)?.length ?? 0).toBe(html.match(/<br/g)?.length ?? 0);
    }),
  );
  expect(sanitizeHtml('<h1>Title</h1><p>one<br>two<br/>three</p>')).toBe(
    '<p><strong>Title</strong></p><p>one<br />two<br />three</p>',
  );
});

test('links keep allowed schemes only and have rel=nofollow', () => {
  expect(sanitizeHtml('<a href="https://a.test/?x=1&amp;y" rel="me" target="x">a</a>')).toBe(
    '<a href="https://a.test/?x=1&amp;y" rel="nofollow noopener" target="_blank">a</a>',
  );
  expect(sanitizeHtml('<a href="https://a.test/tags/x" class="mention hashtag" rel="tag">#x</a>')).toBe(
    '<a href="https://a.test/tags/x" class="mention hashtag" rel="tag nofollow noopener" target="_blank">#x</a>',
  );
  expect(sanitizeHtml('<a href="gemini://a.test/">g</a>')).toContain('href="gemini://a.test/"');
  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//a.test',
    '/local',
    '#x',
    'java&#x09;script:alert(1)',
    '&#106;avascript:alert(1)',
    'blob:https://a.test/x',
    'https://',
  ]) {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe('<span>x</span>');
  }
});

test('classes are kept by name and prefix', () => {
  expect(sanitizeHtml('<span class="h-card evil mention u-url status__content invisible">x</span>')).toBe(
    '<span class="h-card mention u-url invisible">x</span>',
  );
  expect(sanitizeHtml('<p class="quote-inline modal" id="x" translate="yes">x</p>')).toBe(
    '<p class="quote-inline">x</p>',
  );
});

test('headings become bold paragraphs, and formulas their source', () => {
  expect(sanitizeHtml('<h1>Big &amp; bold</h1><p>a</p>')).toBe('<p><strong>Big &amp; bold</strong></p><p>a</p>');
  expect(
    sanitizeHtml(
      '<p>so <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2 &lt; y</annotation></semantics></math></p>',
    ),
  ).toBe('<p>so x^2 &lt; y</p>');
  expect(sanitizeHtml('<h2><script>alert(1)</script><img src=x onerror="alert(1)"></h2>')).toBe(
    '<p><strong></strong></p>',
  );
});

test('many or unclosed tags take bounded time and space', () => {
  expect(sanitizeHtml(`${'<b>'.repeat(3_000)}x`).match(/<b>/g)?.length).toBeLessThanOrEqual(24);
  for (const unit of [
    '<',
    '<a',
    '<a href="',
    '</p>',
    '<p>',
    '<math>',
    '<h1>',
    '<li>',
    '<b>',
    '<b></i>',
    '<!--',
    '&',
    '<svg>',
    'a<br>',
  ]) {
    const cpuMs = countCpuTime();
    const hostile = unit.repeat(1_000_000 / unit.length);
    const clean = sanitizeHtml(hostile);
    htmlToText(hostile);
    expect(cpuMs(), unit).toBeLessThan(3_000);
    expect(clean.startsWith(sanitizeHtml(clean)), unit).toBe(true);
  }
});

const fragments = fc.constantFrom(
  ...'<p>|</p>|<a href="https://a.test/|">|<a href="javascript:|<span class="h-card x">|</span>|<b>|</b>|<|<h1>|</h1>'.split(
    '|',
  ),
  ...'<math>|</math>|<annotation>|<script>|</script>|<!--|-->|&amp;|&|&#60;|"|>|<li>|<ul>|<svg>|<style>|<xmp>'.split(
    '|',
  ),
  ...'<textarea>|</textarea>|<plaintext>|<![CDATA[|]]>|onerror=|\u0000| '.split('|'),
  "'",
);

test('for any input the result is safe and unchanged by sanitizing again', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string())), (parts) => {
      const clean = sanitizeHtml(parts.join(''));
      for (const tag of clean.match(/<[^>]*>/g) ?? []) {
        expect(tag).toMatch(
          /^<\/?(?:p|br|span|a|del|s|pre|blockquote|code|b|strong|u|i|em|ul|ol|li|ruby|rt|rp)(?: (?:href|rel|class|translate|target|lang|start|reversed|value)(?:="[^"<>]*")?)*(?: \/)?>$/,
        );
        expect(tag).not.toMatch(/ href="(?!(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|xmpp|magnet|gemini):)/);
      }
      expect(sanitizeHtml(clean)).toBe(clean);
    }),
    { numRuns: 400 },
  );
});

test('HTML is converted to plain text', () => {
  expect(htmlToText('<p>a<br>b</p><p>c &amp; d</p><ul><li>e</li><li>f</li></ul>')).toBe('a\nb\n\nc & d\n\ne\nf');
  expect(htmlToText('<script>x</script>plain')).toBe('plain');
});
