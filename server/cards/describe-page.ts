import { readHandle } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { readLanguage } from '../text/index.ts';
import { normalizeLink } from './link-url.ts';
import { decodedText, plainText } from './plain-text.ts';
import { pixels, playerAt, playerIn, type Player } from './player-frame.ts';
import { readJsonLd, type StructuredData } from './read-json-ld.ts';
import type { Markup } from './read-markup.ts';
import type { Oembed } from './read-oembed.ts';
import type { CardType, LinkType } from './tables.ts';

/** A page as its card shows it: checked, bounded, plain. */
export interface PageFacts {
  readonly type: CardType;
  readonly link_type: LinkType;
  readonly title: string;
  readonly description: string;
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly html: string;
  readonly embed_url: string;
  readonly width: number;
  readonly height: number;
  readonly image_url: string | null;
  readonly image_description: string;
  readonly language: string | null;
  readonly published_at: Date | null;
  readonly creator: string | null;
}

const longest = { title: 300, description: 1_000, name: 150, alternative: 1_500, url: 2_692 };

interface Page {
  readonly app: App;
  /** Address that relative ones are read against. */
  readonly url: string;
  readonly meta: (...names: readonly string[]) => string;
  readonly data: StructuredData | undefined;
  readonly oembed: Oembed | undefined;
}

/** Makes one description of all that a page says; undefined when it has no title or picture to show. */
export function describePage(
  app: App,
  url: string,
  { markup, oembed }: { markup: Markup; oembed: Oembed | undefined },
): PageFacts | undefined {
  const data = readJsonLd(markup.jsonLd);
  const meta = (...names: readonly string[]) => names.map((name) => markup.meta.get(name) ?? '').find(Boolean) ?? '';
  const page: Page = { app, url, meta, data, oembed };
  const shape = shapeOf(page);
  const title = firstText(
    longest.title,
    oembed?.title,
    data?.headline,
    meta('og:title', 'twitter:title'),
    markup.title,
  );
  if (title === '') return undefined;
  return {
    ...shape,
    ...creditsOf(page),
    title,
    description: firstText(
      longest.description,
      meta('og:description', 'twitter:description', 'description'),
      data?.description,
    ),
    link_type: data?.isArticle === true || meta('og:type').toLowerCase() === 'article' ? 'article' : 'unknown',
    image_url: imageOf(page),
    image_description: plainText(meta('og:image:alt', 'twitter:image:alt'), longest.alternative),
    language: readLanguage(data?.language || meta('og:locale') || markup.language || '') ?? null,
    published_at: dateOf(app, data?.datePublished || meta('article:published_time', 'og:article:published_time')),
    creator: creatorOf(app, meta('fediverse:creator')),
  };
}

type Shape = Pick<PageFacts, 'type' | 'html' | 'embed_url' | 'width' | 'height'>;

/** What can be shown in place of a link: a photo, a player, or just the picture beside it. */
function shapeOf(page: Page): Shape {
  const { app, meta, oembed } = page;
  const size = { width: pixels(oembed?.width), height: pixels(oembed?.height) };
  if (oembed?.type === 'photo') {
    const embed_url = addressOf(page, oembed.url);
    if (embed_url !== '') return { type: 'photo', html: '', embed_url, ...size };
  }
  if (oembed?.type === 'video' || oembed?.type === 'rich') {
    const player = playerIn(app, oembed.html, size);
    if (player !== undefined) return shapeOfPlayer(oembed.type, player);
  }
  const offered = { width: pixels(meta('twitter:player:width')), height: pixels(meta('twitter:player:height')) };
  const player = playerAt(app, meta('twitter:player'), offered);
  if (player !== undefined) return shapeOfPlayer('video', player);
  const image = { width: pixels(meta('og:image:width')), height: pixels(meta('og:image:height')) };
  return { type: 'link', html: '', embed_url: '', ...image };
}

const shapeOfPlayer = (type: 'video' | 'rich', { html, src, width, height }: Player): Shape => ({
  type,
  html,
  embed_url: src,
  width,
  height,
});

type Credits = Pick<PageFacts, 'author_name' | 'author_url' | 'provider_name' | 'provider_url'>;

function creditsOf(page: Page): Credits {
  const { meta, data, oembed } = page;
  const author = meta('article:author', 'og:author', 'og:author:username', 'author');
  const authorIsAddress = URL.canParse(author);
  return {
    author_name: firstText(longest.name, oembed?.authorName, data?.authorName, authorIsAddress ? '' : author),
    author_url: firstAddress(page, oembed?.authorUrl, data?.authorUrl, authorIsAddress ? author : ''),
    provider_name: firstText(longest.name, oembed?.providerName, data?.publisherName, meta('og:site_name')),
    provider_url: firstAddress(page, oembed?.providerUrl),
  };
}

/** Pictures are read by browsers of people here: never another scheme, never without encryption. */
function imageOf(page: Page): string | null {
  const { meta, oembed } = page;
  const photo = oembed?.type === 'photo' ? oembed.url : '';
  const pageImage = meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src');
  const image = firstAddress(page, oembed?.thumbnailUrl, photo, pageImage);
  return image.startsWith('https:') ? image : null;
}

const firstText = (most: number, ...texts: readonly (string | undefined)[]): string =>
  texts.map((text) => decodedText(text ?? '', most)).find(Boolean) ?? '';

const firstAddress = (page: Page, ...hrefs: readonly (string | undefined)[]): string =>
  hrefs.map((href) => addressOf(page, href ?? '')).find(Boolean) ?? '';

/** An absolute http(s) address without credentials; empty for every other. */
function addressOf({ app, url }: Page, href: string): string {
  if (href.trim() === '' || href.length > longest.url || !URL.canParse(href.trim(), url)) return '';
  return normalizeLink(app, new URL(href.trim(), url).href) ?? '';
}

/** A date that a page may well have been published at; pages also say 0000-00-00 and the year 3000. */
function dateOf(app: App, text: string): Date | null {
  const time = Date.parse(text);
  const latest = app.clock.now().getTime() + 86_400_000;
  return Number.isNaN(time) || time < 0 || time > latest ? null : new Date(time);
}

/** The handle that a page names as its author, `name@domain` in lower case. */
function creatorOf(app: App, text: string): string | null {
  if (text.length > 300) return null;
  const handle = readHandle(app, text);
  return handle === undefined ? null : `${handle.username}@${handle.domain ?? app.config.domain}`.toLowerCase();
}
