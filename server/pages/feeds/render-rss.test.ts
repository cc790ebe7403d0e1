import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { renderRss, type RssFeed, type RssItem, type RssMedia } from './render-rss.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  trimValues: false,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => ['item', 'category', 'media:content'].includes(name),
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // Lone surrogates, control characters and non-characters.
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '&amp;',
    '&#0;',
    '&#xffff;',
    '<?xml?>',
    '"\'><x y="',
    '\u0000\u0008',
  ),
);

const media: fc.Arbitrary<RssMedia> = fc.record({
  url: hostile,
  contentType: hostile,
  size: fc.option(fc.nat(), { nil: undefined }),
  medium: fc.constantFrom('image', 'video', 'audio', 'document'),
  isSensitive: fc.boolean(),
  description: hostile,
  thumbnail: fc.option(hostile, { nil: undefined }),
});

const item: fc.Arbitrary<RssItem> = fc.record({
  link: hostile,
  publishedAt: fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
  description: hostile,
  categories: fc.array(hostile, { maxLength: 3 }),
  media: fc.array(media, { maxLength: 3 }),
});

const feed: fc.Arbitrary<RssFeed> = fc.record({
  title: hostile,
  description: hostile,
  link: hostile,
  self: hostile,
  image: fc.option(hostile, { nil: undefined }),
  items: fc.array(item, { maxLength: 3 }),
});

const isCharacter = (code: number): boolean =>
  [9, 10, 13].includes(code) ||
  (code >= 0x20 && code <= 0xd7_ff) ||
  (code >= 0xe0_00 && code <= 0xff_fd) ||
  (code >= 0x1_00_00 && code <= 0x10_ff_ff);

/** What an XML parser returns of a text. */
const xmlText = (text: string): string =>
  [...text]
    .filter((character) => isCharacter(character.codePointAt(0) ?? 0))
    .join('')
    .replace(/\r\n?/g, '\n');

test('a feed with hostile texts is well-formed XML, from which a parser returns the texts', () => {
  fc.assert(
    fc.property(feed, (given) => {
      const text = renderRss(given);
      expect([...text].every((character) => isCharacter(character.codePointAt(0) ?? 0))).toBe(true);
      expect(XMLValidator.validate(text)).toBe(true);
      const { channel } = parser.parse(text).rss;
      const items = (channel.item ?? []) as Record<string, unknown>[];
      expect(items).toHaveLength(given.items.length);
      for (const [index, { description, categories, media: files }] of given.items.entries()) {
        const shown = items[index] ?? {};
        expect(shown['description']).toBe(xmlText(description));
        expect(shown['category'] ?? []).toHaveLength(categories.length);
        expect(shown['media:content'] ?? []).toHaveLength(files.length);
      }
    }),
    { numRuns: 300 },
  );
});
