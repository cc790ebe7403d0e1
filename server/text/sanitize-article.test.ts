import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../test/cpu-time.ts';
import { sanitizeArticle } from './sanitize-article.ts';

const page = 'https://blog.test/post/';
const clean = (html: string): string => sanitizeArticle(html, page).html;
/** The prefix of the ids of this page. */
const prefix = /id="(article-[0-9a-f]{12}-)x"/.exec(clean('<p id="x">a</p>'))?.[1] ?? '';

test('blocks of blogs are kept', () => {
  for (const html of [
    '<h2>a</h2><h3>b</h3><h6>c</h6><hr />',
    '<table><caption>c</caption><thead><tr><th colspan="2" scope="col">h</th></tr></thead><tbody><tr><td rowspan="3">d</td></tr></tbody></table>',
    '<figure><blockquote><p>q</p></blockquote><figcaption><cite>c</cite></figcaption></figure>',
    '<dl><dt>t</dt><dd>d</dd></dl><p><mark>m</mark><sub>1</sub><sup>2</sup><kbd>k</kbd></p>',
    '<section><ol start="2"><li value="3">l</li></ol></section><div>d</div>',
  ])
    expect(clean(html)).toBe(html);
  expect(clean('<h1>Title</h1><p style="color:red" class="wp-block">a</p>')).toBe('<h2>Title</h2><p>a</p>');
  expect(clean('<p><math><annotation>x^2</annotation></math></p>')).toBe('<p>x^2</p>');
  expect(clean('<table><tr><td colspan="9999" rowspan="-1" onclick="x()">d</td></tr></table>')).toBe(
    '<table><tr><td>d</td></tr></table>',
  );
});

test('links within the article lead to its ids, which are those of no other article', () => {
  expect(clean('<a href="#fn1">1</a><li id="fn1">n</li>')).toBe(
    `<a href="#${prefix}fn1">1</a><li id="${prefix}fn1">n</li>`,
  );
  expect(clean(`<a href="${page}#%66n1">1</a><a name="fn1">n</a>`)).toBe(
    `<a href="#${prefix}fn1">1</a><span id="${prefix}fn1">n</span>`,
  );
  expect(clean('<a href="#gone">1</a>')).toContain(`href="${page}#gone"`);
  expect(clean('<p id="a b&quot;><script>">x</p>')).toBe(`<p id="${prefix}a-b-script-">x</p>`);
  expect(clean('<p id="">x</p><p id="%E0%A4%A">y</p>')).toBe(`<p>x</p><p id="${prefix}-E0-A4-A">y</p>`);
  expect(sanitizeArticle('<p id="x">a</p>', 'https://blog.test/other').html).not.toContain(prefix);
});

test('images, frames and files become links, relative ones to their page', () => {
  const { html, images } = sanitizeArticle(
    '<p><a href="big.jpg"><img src="a.jpg" alt="A &quot;cat&quot;" srcset="b.jpg 2x"></a><a href="/x">y<img src="a.jpg">z</a></p>' +
      '<iframe src="https://video.test/embed/1"></iframe><img src="javascript:alert(1)"><img src="data:image/png;base64,x">' +
      '<img class="emoji" alt="😀" src="https://s.test/1.svg"><img src="https://count.test/" width="1" height="1">',
    page,
  );
  const link = (href: string, text: string, photo = false) =>
    `<a href="${href}"${photo ? ' class="u-photo"' : ''} rel="nofollow noopener" target="_blank">${text}</a>`;
  const image = `${page}a.jpg`;
  expect(html).toBe(
    `<p>${link(image, 'A "cat"', true)}${link('https://blog.test/x', 'y')}${link(image, 'a.jpg', true)}z</p>` +
      `${link('https://video.test/embed/1', '1')}😀`,
  );
  expect(images).toEqual([{ url: image, description: 'A "cat"' }]);
  expect(sanitizeArticle('<img src="/1.png">'.repeat(100), page).images).toHaveLength(1);
  const many = Array.from({ length: 100 }, (_, index) => `<img src="/${index}.png">`).join('');
  expect(sanitizeArticle(many, page).images).toHaveLength(16);
});

test('links keep allowed schemes only', () => {
  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'java&#x09;script:alert(1)',
    'blob:https://a.test/x',
    'https://',
    '',
  ])
    expect(clean(`<a href="${href}">x</a>`), href).not.toMatch(/href="(?!https:\/\/blog\.test\/)/);
  expect(clean('<a href="//other.test/x">x</a>')).toContain('href="https://other.test/x"');
});

const fragments = fc.constantFrom(
  ...'<p>|</p>|<a href="https://a.test/|">|<a href="javascript:|<a href="#x">|</a>|<img src="|<img src=x alt=|<h1>|</h1>'.split(
    '|',
  ),
  ...'<table>|<tr>|<td colspan=2>|</td>|</table>|<figure>|<figcaption>|<hr>|<section id="x">|<iframe src="|<div id=|<li id=a>'.split(
    '|',
  ),
  ...'<math>|</math>|<script>|</script>|<!--|-->|&amp;|&|&#60;|"|>|<|<svg>|<style>|<xmp>|<textarea>|</textarea>|<template>'.split(
    '|',
  ),
  ...'<plaintext>|<![CDATA[|]]>|onerror=|\u0000| |<form>|<input name=|<base href=|<meta http-equiv=|<object data='.split(
    '|',
  ),
  "'",
);

test('links within a sanitized article stay links within it', () => {
  const html = clean('<a href="#x">down</a><section id="x"></section>');
  expect(html).toMatch(/^<a href="#article-/);
  expect(clean(html)).toBe(html);
});

test('a link within an article to an element that is removed leads to the page', () => {
  for (const element of ['<svg id="x"></svg>', '<form id="x">a</form>', '<iframe id="x"></iframe>'])
    expect(clean(`<a href="#x">down</a>${element}`), element).toContain(`href="${page}#x"`);
});

test('for any input the result is safe, balanced and bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string())), (parts) => {
      const html = clean(parts.join(''));
      const open: string[] = [];
      for (const tag of html.match(/<[^>]*>/g) ?? []) {
        const match =
          /^<(\/?)(p|br|hr|span|a|del|s|pre|blockquote|code|b|strong|u|i|em|ul|ol|li|ruby|rt|rp|h[2-6]|div|section|figure|figcaption|table|caption|thead|tbody|tfoot|tr|th|td|dl|dt|dd|sup|sub|small|mark|ins|kbd|cite|q)((?: (?:href|rel|class|translate|target|lang|start|reversed|value|id|colspan|rowspan|scope)(?:="[^"<>]*")?)*)(?: \/)?>$/.exec(
            tag,
          );
        expect(match, tag).not.toBeNull();
        const [, slash, name = '', attributes = ''] = match ?? [];
        expect(attributes).not.toMatch(
          / href="(?!(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|xmpp|magnet|gemini):|#article-)/,
        );
        expect(attributes).not.toMatch(/ id="(?!article-[0-9a-f]{12}-[\w-]+")/);
        if (name === 'br' || name === 'hr') continue;
        if (slash === '/') expect(open.pop()).toBe(name);
        else open.push(name);
      }
      expect(open).toEqual([]);
      expect(clean(html)).toBe(html);
    }),
    { numRuns: 400 },
  );
});

test('many or unclosed tags take bounded time and space', () => {
  for (const unit of ['<img src=x>', '<a href=#x>', '<table><tr><td>', '<p id=x>', '<section>', '<hr>', '</a>']) {
    const cpuMs = countCpuTime();
    const html = clean(unit.repeat(1_000_000 / unit.length));
    expect(cpuMs(), unit).toBeLessThan(3_000);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(65_536);
  }
});
