import { parseHandle } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { findLanguage } from '../text/languages/index.ts';
import { normalizeLink } from './normalize-link.ts';
import { decodeToPlainText, toPlainText } from './plain-text.ts';
import { parsePixels, buildPlayer, parsePlayer, type Player } from './player-frame.ts';
import { parseJsonLd, type StructuredData } from './parse-json-ld.ts';
import type { Markup } from './parse-markup.ts';
import type { Oembed } from './parse-oembed.ts';
import type { CardType, LinkType } from './tables.ts';

/** The metadata of a page for its card, validated and limited in length. */
export interface PageMetadata {
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

const maxLengths = { title: 300, description: 1_000, name: 150, alternative: 1_500, url: 2_692 };

interface PageSources {
  readonly app: App;
  /** Base address of relative links. */
  readonly url: string;
  readonly meta: (...names: readonly string[]) => string;
  readonly data: StructuredData | undefined;
  readonly oembed: Oembed | undefined;
}

/** Combines all metadata of a page. Returns undefined if it has no title. */
export function buildPageMetadata(
  app: App,
  url: string,
  { markup, oembed }: { markup: Markup; oembed: Oembed | undefined },
): PageMetadata | undefined {
  const data = parseJsonLd(markup.jsonLd);
  const meta = (...names: readonly string[]) => names.map((name) => markup.meta.get(name) ?? '').find(Boolean) ?? '';
  const page: PageSources = { app, url, meta, data, oembed };
  const shape = findEmbed(page);
  const title = firstText(
    maxLengths.title,
    oembed?.title,
    data?.headline,
    meta('og:title', 'twitter:title'),
    markup.title,
  );
  if (title === '') return undefined;
  return {
    ...shape,
    ...findCredits(page),
    title,
    description: firstText(
      maxLengths.description,
      meta('og:description', 'twitter:description', 'description'),
      data?.description,
    ),
    link_type: data?.isArticle === true || meta('og:type').toLowerCase() === 'article' ? 'article' : 'unknown',
    image_url: findImageUrl(page),
    image_description: toPlainText(meta('og:image:alt', 'twitter:image:alt'), maxLengths.alternative),
    language: findLanguage(data?.language || meta('og:locale') || markup.language || '') ?? null,
    published_at: parsePublishedAt(
      app,
      data?.datePublished || meta('article:published_time', 'og:article:published_time'),
    ),
    creator: parseCreator(app, meta('fediverse:creator')),
  };
}

type EmbedFields = Pick<PageMetadata, 'type' | 'html' | 'embed_url' | 'width' | 'height'>;

/** Returns what is embedded: a photo, a player, or just an image beside the link. */
function findEmbed(page: PageSources): EmbedFields {
  const { app, meta, oembed } = page;
  const size = { width: parsePixels(oembed?.width), height: parsePixels(oembed?.height) };
  if (oembed?.type === 'photo') {
    const embed_url = resolveHttpUrl(page, oembed.url);
    if (embed_url !== '') return { type: 'photo', html: '', embed_url, ...size };
  }
  if (oembed?.type === 'video' || oembed?.type === 'rich') {
    const player = parsePlayer(app, oembed.html, size);
    if (player !== undefined) return buildPlayerEmbed(oembed.type, player);
  }
  const offered = {
    width: parsePixels(meta('twitter:player:width')),
    height: parsePixels(meta('twitter:player:height')),
  };
  const player = buildPlayer(app, meta('twitter:player'), offered);
  if (player !== undefined) return buildPlayerEmbed('video', player);
  const image = { width: parsePixels(meta('og:image:width')), height: parsePixels(meta('og:image:height')) };
  return { type: 'link', html: '', embed_url: '', ...image };
}

const buildPlayerEmbed = (type: 'video' | 'rich', { html, src, width, height }: Player): EmbedFields => ({
  type,
  html,
  embed_url: src,
  width,
  height,
});

type Credits = Pick<PageMetadata, 'author_name' | 'author_url' | 'provider_name' | 'provider_url'>;

function findCredits(page: PageSources): Credits {
  const { meta, data, oembed } = page;
  const author = meta('article:author', 'og:author', 'og:author:username', 'author');
  const authorIsAddress = URL.canParse(author);
  return {
    author_name: firstText(maxLengths.name, oembed?.authorName, data?.authorName, authorIsAddress ? '' : author),
    author_url: firstUrl(page, oembed?.authorUrl, data?.authorUrl, authorIsAddress ? author : ''),
    provider_name: firstText(maxLengths.name, oembed?.providerName, data?.publisherName, meta('og:site_name')),
    provider_url: firstUrl(page, oembed?.providerUrl),
  };
}

/** Returns the image of a page. Browsers load it, so only https is allowed. */
function findImageUrl(page: PageSources): string | null {
  const { meta, oembed } = page;
  const photo = oembed?.type === 'photo' ? oembed.url : '';
  const pageImage = meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src');
  const image = firstUrl(page, oembed?.thumbnailUrl, photo, pageImage);
  return image.startsWith('https:') ? image : null;
}

const firstText = (maxLength: number, ...texts: readonly (string | undefined)[]): string =>
  texts.map((text) => decodeToPlainText(text ?? '', maxLength)).find(Boolean) ?? '';

const firstUrl = (page: PageSources, ...hrefs: readonly (string | undefined)[]): string =>
  hrefs.map((href) => resolveHttpUrl(page, href ?? '')).find(Boolean) ?? '';

/** Returns an absolute http(s) address without credentials, or an empty text. */
function resolveHttpUrl({ app, url }: PageSources, href: string): string {
  if (href.trim() === '' || href.length > maxLengths.url || !URL.canParse(href.trim(), url)) return '';
  return normalizeLink(app, new URL(href.trim(), url).href) ?? '';
}

/** Parses a date of publication. Returns null if it is implausible: pages contain 0000-00-00 and the year 3000. */
function parsePublishedAt(app: App, text: string): Date | null {
  const time = Date.parse(text);
  const latest = app.clock.now().getTime() + 86_400_000;
  return Number.isNaN(time) || time < 0 || time > latest ? null : new Date(time);
}

/** Parses the handle of the page's author. Returns `name@domain` in lower case. */
function parseCreator(app: App, text: string): string | null {
  if (text.length > 300) return null;
  const handle = parseHandle(app, text);
  return handle === undefined ? null : `${handle.username}@${handle.domain ?? app.config.domain}`.toLowerCase();
}
