import { escapeHtml, htmlToText, sanitizeArticle, sanitizeHtml, truncateText } from '../../text/index.ts';
import { formatMarkdown, formatText } from '../../text/format/index.ts';
import { maxVideoBytes } from '../../media/index.ts';
import type { RemoteArticle } from '../../statuses/remote/index.ts';
import {
  dateOf,
  durationOf,
  isHttpUrl,
  isObject,
  listOf,
  numberOf,
  textOf,
  typesOf,
  urlOf,
  type Json,
} from './values.ts';

/** Types that are shown as a title with a link, and whose content is an article. */
export const articleTypes = ['Article', 'Page', 'Event', 'Video', 'Audio', 'Image'] as const;

type ArticleType = (typeof articleTypes)[number];

const maxTitleLength = 1_000;
const maxSummaryBytes = 8_192;
const maxPlaceLength = 500;
const maxTextLength = 1_000_000;

/** A file as an attachment of a post. */
export interface ArticleFile {
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly previewUrl: string | undefined;
  readonly description: string;
  readonly blurhash: undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  readonly focus: undefined;
}

/** What an object of one of these types has in addition to a post. */
interface ParsedArticle {
  readonly article: RemoteArticle;
  readonly files: ArticleFiles;
}

/** Files that are not among the attachments. */
export interface ArticleFiles {
  /** The video, audio or image that the object is about, or the cover of an article. */
  readonly main: ArticleFile | undefined;
  /** Images of the text. */
  readonly images: readonly ArticleFile[];
}

/** Returns the type by which an object is an article; undefined if it is none. */
export const articleTypeOf = (object: Json): ArticleType | undefined =>
  articleTypes.find((type) => typesOf(object).includes(type));

/** Parses the article of an object. `url`: its page. `attachments`: the URLs of its attachments. */
export function parseArticle(
  object: Json,
  {
    type,
    url,
    attachments,
  }: { readonly type: ArticleType; readonly url: string; readonly attachments: readonly string[] },
): ParsedArticle {
  const { html, images } = sanitizeArticle(htmlOf(object, url), url);
  const file = type === 'Video' || type === 'Audio' || type === 'Image' ? mainFile(object, type) : imageOf(object);
  const known = new Set([...attachments, file?.url]);
  return {
    article: {
      type,
      title: truncateText((textOf(object, 'name', 2 * maxTitleLength) ?? '').trim(), maxTitleLength),
      summary: sanitizeHtml(summaryOf(object), maxSummaryBytes),
      content: htmlToText(html) === '' ? '' : html,
      event: type === 'Event' ? parseEvent(object) : null,
    },
    files: {
      main: file === undefined || attachments.includes(file.url) ? undefined : file,
      images: images
        .filter((image) => !known.has(image.url))
        .map((image) => ({ ...emptyFile, ...image, mediaType: imageTypeOf(image.url) })),
    },
  };
}

/** Returns the text of an article in timelines (federation.tsv, Create of converted types): title, summary and link. */
export function describeArticle(object: Json, url: string): string {
  const title = textOf(object, 'name', maxTitleLength);
  const summary = summaryOf(object);
  const link = escapeHtml(url);
  return [
    title && `<h2>${escapeHtml(title)}</h2>`,
    summary && wrapInParagraph(summary),
    `<p><a href="${link}">${link}</a></p>`,
  ]
    .filter((part) => part)
    .join('');
}

const summaryOf = (object: Json): string => textOf(object, 'summary', 5000) ?? '';

/** Wraps HTML without paragraphs and lists in a paragraph. */
const wrapInParagraph = (html: string): string =>
  /<(?:p|div|h[1-6]|ul|ol|blockquote|pre)\b/i.test(html) ? html : `<p>${html}</p>`;

/** Returns the content as unsafe HTML. PeerTube writes Markdown. */
function htmlOf(object: Json, url: string): string {
  const text = textOf(object, 'content', maxTextLength) ?? '';
  const mediaType = object['mediaType'];
  const options = { mentions: new Map<string, never>(), hashtagUrl: () => url };
  if (mediaType === 'text/markdown') return formatMarkdown(text, options) + linksOf(object, text);
  return (mediaType === 'text/plain' ? formatText(text, options) : text) + linksOf(object, text);
}

/** Returns the links that a Page of Lemmy is about, or where an event takes place, unless its text has them. */
const linksOf = (object: Json, text: string): string =>
  listOf(object['attachment'])
    .filter((item) => typesOf(item).includes('Link'))
    .flatMap((item) => urlOf(item) ?? [])
    .filter((href) => !text.includes(href))
    .map((href) => `<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>`)
    .join('');

function parseEvent(object: Json): RemoteArticle['event'] {
  const status = textOf(object, 'ical:status', 20) ?? textOf(object, 'status', 20);
  return {
    startsAt: dateOf(object['startTime'])?.toISOString() ?? null,
    endsAt: dateOf(object['endTime'])?.toISOString() ?? null,
    place: placeOf(listOf(object['location'])[0]),
    cancelled: status?.toUpperCase() === 'CANCELLED',
  };
}

/** Returns the name and address of a Place, or the address of an online meeting; null if there is none. */
function placeOf(location: unknown): string | null {
  if (typeof location === 'string') return truncateText(location.trim(), maxPlaceLength) || null;
  if (!isObject(location)) return null;
  const address = location['address'];
  const lines = isObject(address)
    ? ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'].map((name) => address[name])
    : [address];
  const parts = [
    location['name'],
    ...lines,
    typesOf(location).includes('VirtualLocation') ? location['url'] : undefined,
  ]
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return truncateText([...new Set(parts)].join(', '), maxPlaceLength) || null;
}

const emptyFile: Omit<ArticleFile, 'url'> = {
  mediaType: undefined,
  previewUrl: undefined,
  description: '',
  blurhash: undefined,
  width: undefined,
  height: undefined,
  duration: undefined,
  focus: undefined,
};

interface FileLink {
  readonly url: string;
  readonly mediaType: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Bytes; 0: not declared. */
  readonly size: number;
}

/**
 * Returns the file that a Video, Audio or Image is about: the largest that can be played here. A video without one is
 * shown by its image.
 */
function mainFile(object: Json, type: 'Video' | 'Audio' | 'Image'): ArticleFile | undefined {
  const links = fileLinks(object['url'], `${type.toLowerCase()}/`);
  const [best] = links.filter(({ size }) => size <= maxVideoBytes).toSorted((one, other) => rank(other) - rank(one));
  const preview = imageOf(object);
  if (best === undefined) return type === 'Image' ? undefined : preview;
  const { url, mediaType, width, height } = best;
  return {
    ...emptyFile,
    url,
    mediaType,
    previewUrl: preview?.url,
    width: width ?? (height === undefined ? undefined : Math.round((height * 16) / 9)),
    height,
    duration: durationOf(object['duration']),
    // A video is shown with its title.
    description: type === 'Image' ? (textOf(object, 'name', maxTitleLength) ?? '') : '',
  };
}

/** Up to 1080 lines the more the better; what is larger costs more than it shows. */
const rank = ({ height = 0, size }: FileLink): number => (height > 1080 ? -height : height + Math.min(size, 1) / 2);

/** Returns the files with this kind of media type, also those that a playlist names in its `tag`. */
function fileLinks(value: unknown, kind: string): FileLink[] {
  return listOf(value)
    .filter(isObject)
    .flatMap((link) => [link, ...listOf(link['tag']).filter(isObject)])
    .flatMap((link) => {
      const url = link['href'] ?? link['url'];
      const mediaType = link['mediaType'];
      if (!isHttpUrl(url) || typeof mediaType !== 'string' || !mediaType.startsWith(kind) || isSilent(link)) return [];
      return [
        {
          url,
          mediaType,
          width: numberOf(link['width']),
          height: numberOf(link['height']),
          size: numberOf(link['size']) ?? 0,
        },
      ];
    });
}

/** PeerTube names the streams of a file; a video may have its sound in another one. */
function isSilent(link: Json): boolean {
  const streams = listOf(link['attachment'])
    .filter(isObject)
    .filter((property) => property['name'] === 'ffprobe_codec_type')
    .map((property) => property['value']);
  return streams.length > 0 && !streams.includes('audio');
}

/** Returns the image or, without one, the largest icon of an object. */
function imageOf(object: Json): ArticleFile | undefined {
  const images = [...listOf(object['image']), ...listOf(object['icon'])].flatMap((image) => {
    const url = isObject(image) ? urlOf(image['url'] ?? image['href']) : urlOf(image);
    if (!isHttpUrl(url)) return [];
    const facts = isObject(image) ? image : {};
    const mediaType = textOf(facts, 'mediaType', 255) ?? imageTypeOf(url);
    const description = textOf(facts, 'summary', 20_000) ?? textOf(facts, 'name', 20_000) ?? '';
    return [
      { ...emptyFile, url, mediaType, description, width: numberOf(facts['width']), height: numberOf(facts['height']) },
    ];
  });
  return images.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0];
}

/** Images that a page shows have a type that browsers find out by themselves. */
function imageTypeOf(url: string): string {
  const extension = /\.(png|gif|webp|avif|svg)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  return extension === undefined ? 'image/jpeg' : `image/${extension === 'svg' ? 'svg+xml' : extension}`;
}
