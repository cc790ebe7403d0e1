import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../test/cpu-time.ts';
import { decodePage } from './decode-page.ts';
import { parseJsonLd } from './parse-json-ld.ts';
import { parseMarkup } from './parse-markup.ts';
import { parseOembed } from './parse-oembed.ts';

const fragment = fc.oneof(
  fc.constantFrom(
    ...'<html lang="de">|<head>|</head>|<body>|<title>|</title>|<meta property="og:title" content="x">|<meta name=a|<script type="application/ld+json">|</script>|<!--|-->|<link rel="alternate" type="application/json+oembed" href="/o">|<svg>|<div>|<|>|"|&amp;|&#0;|\0'.split(
      '|',
    ),
  ),
  fc.string({ unit: 'binary' }),
);

test('every page is parsed into texts', () => {
  fc.assert(
    fc.property(fc.array(fragment), fc.string(), (fragments, contentType) => {
      const markup = parseMarkup(decodePage(Buffer.from(fragments.join('')), contentType));
      expect(typeof markup.title).toBe('string');
      for (const [name, value] of markup.meta) expect(name !== '' && value.trim() !== '').toBe(true);
    }),
  );
});

test('JSON in a page or from a provider is parsed into texts or rejected', () => {
  const keys = '@type @graph author publisher name url headline datePublished inLanguage type version html'.split(' ');
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('Article', 'NewsArticle', 'video', '1.0', null, 0, true, ''),
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom(...keys), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(value, (json) => {
      const text = JSON.stringify(json);
      for (const parsed of [parseJsonLd([text]), parseOembed(text)]) {
        for (const [name, item] of Object.entries(parsed ?? {})) {
          if (!['isArticle', 'width', 'height'].includes(name)) expect(typeof item, name).toBe('string');
        }
      }
    }),
  );
});

test('the first value of each property counts, and only within a limited part of the head', () => {
  const late = `${'<p>x</p>'.repeat(40_000)}<meta name="late" content="x">`;
  const markup = parseMarkup(
    `<html lang=en><title>One &amp; all</title><svg><title>Two</title></svg><META Property="OG:Title og:x" content="A"><meta name="og:title" content="B"><body><meta name="early" content="x">${late}`,
  );
  expect(markup).toMatchObject({ title: 'One & all', language: 'en' });
  expect(Object.fromEntries(markup.meta)).toEqual({ 'og:title': 'A', 'og:x': 'A', early: 'x' });
});

test.for([
  ['tags that never end', '<div>'.repeat(2_000_000)],
  ['links in links', '<a href=x>'.repeat(200_000)],
  ['unclosed tags', '<meta '.repeat(300_000)],
  ['attributes', `<meta ${'a=b '.repeat(400_000)}>`],
  ['comments', '<!--'.repeat(400_000)],
  ['titles', '<title>'.repeat(200_000)],
  ['entities', `<title>${'&amp'.repeat(300_000)}`],
  ['paragraphs that are closed only', '</p>'.repeat(300_000)],
])('parsing a page of %s takes at most a second of CPU time', ([, page]) => {
  const cpuMs = countCpuTime();
  parseMarkup(page ?? '');
  expect(cpuMs()).toBeLessThan(1_500);
});
