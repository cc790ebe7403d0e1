// Under another name, because the formatter takes templates named `html` for HTML: its `link` elements have no content.
import { html as xml, type Html as Xml } from '../../platform/http/html.ts';
import { version } from '../../platform/version.ts';

/** An RSS 2.0 feed. Texts are plain; they are escaped when it is rendered. */
export interface RssFeed {
  readonly title: string;
  readonly description: string;
  /** URL of the page that shows the same posts. */
  readonly link: string;
  /** URL of the feed. */
  readonly self: string;
  /** URL of a square image. */
  readonly image: string | undefined;
  /** Newest first. */
  readonly items: readonly RssItem[];
}

export interface RssItem {
  readonly link: string;
  readonly publishedAt: Date;
  /** Safe HTML. */
  readonly description: string;
  readonly categories: readonly string[];
  readonly media: readonly RssMedia[];
}

/** A file of an item (Media RSS). */
export interface RssMedia {
  readonly url: string;
  readonly contentType: string;
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
  readonly medium: 'image' | 'video' | 'audio' | 'document';
  readonly isSensitive: boolean;
  readonly description: string;
  /** URL of a preview image. */
  readonly thumbnail: string | undefined;
}

/** Everything that is not a character of XML 1.0. */
const illegalCharacters = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Renders an RSS 2.0 document with the elements of Media RSS and Webfeeds that Mastodon uses. */
export function renderRss({ title, description, link, self, image, items }: RssFeed): string {
  const [newest] = items;
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xmlns:webfeeds="http://webfeeds.org/rss/1.0">
<channel>
<title>${title}</title>
<description>${description}</description>
<link>${link}</link>
<atom:link rel="self" type="application/rss+xml" href="${self}"/>
<generator>Fieldfare v${version}</generator>
${newest !== undefined && xml`<lastBuildDate>${newest.publishedAt.toUTCString()}</lastBuildDate>\n`}${image !== undefined && renderImage({ title, link, image })}${items.map(renderItem)}</channel>
</rss>
`;
  return document.text.replace(illegalCharacters, '');
}

const renderImage = ({ title, link, image }: { title: string; link: string; image: string }): Xml =>
  xml`<image><url>${image}</url><title>${title}</title><link>${link}</link></image>
<webfeeds:icon>${image}</webfeeds:icon>
`;

function renderItem({ link, publishedAt, description, categories, media }: RssItem): Xml {
  const [first] = media;
  return xml`<item>
<guid isPermaLink="true">${link}</guid>
<link>${link}</link>
<pubDate>${publishedAt.toUTCString()}</pubDate>
<description>${description}</description>
${first !== undefined && renderEnclosure(first)}${media.map(renderMedia)}${categories.map((category) => xml`<category>${category}</category>\n`)}</item>
`;
}

/** RSS allows one enclosure per item. Its length is 0 if it is unknown. */
const renderEnclosure = ({ url, contentType, size = 0 }: RssMedia): Xml =>
  xml`<enclosure url="${url}" length="${size}" type="${contentType}"/>
`;

function renderMedia({ url, contentType, size, medium, isSensitive, description, thumbnail }: RssMedia): Xml {
  const fileSize = size !== undefined && xml` fileSize="${size}"`;
  return xml`<media:content url="${url}" type="${contentType}"${fileSize} medium="${medium}">
<media:rating scheme="urn:simple">${isSensitive ? 'adult' : 'nonadult'}</media:rating>
${description !== '' && xml`<media:description type="plain">${description}</media:description>\n`}${thumbnail !== undefined && xml`<media:thumbnail url="${thumbnail}"/>\n`}</media:content>
`;
}
