import type { App } from '../../platform/app.ts';
import { buildPageMetadata, type PageMetadata } from '../build-page-metadata.ts';
import { fetchPageSources } from '../fetch-page.ts';
import { normalizeLink } from '../normalize-link.ts';
import { parseMastodonEmbed, parsePixels } from '../player-frame.ts';

/** How another page can embed a page. */
export interface Embed extends Pick<
  PageMetadata,
  'title' | 'author_name' | 'author_url' | 'provider_name' | 'provider_url' | 'width' | 'height'
> {
  /** A sandboxed iframe with a remote https URL. */
  readonly html: string;
}

/**
 * Fetches how a remote page can be embedded by its oEmbed document: two requests at most. Returns undefined if it cannot,
 * `unanswered` if its host does not respond.
 */
export async function fetchEmbed(app: App, address: string): Promise<Embed | 'unanswered' | undefined> {
  const link = normalizeLink(app, address);
  if (link === undefined) return undefined;
  const page = await fetchPageSources(app, link);
  if (page === 'nothing') return undefined;
  if (typeof page === 'string') return 'unanswered';
  const facts = buildPageMetadata(app, page.url, page);
  if (facts === undefined || page.oembed === undefined) return undefined;
  const { title, author_name, author_url, provider_name, provider_url } = facts;
  const credits = { title, author_name, author_url, provider_name, provider_url };
  if (facts.html !== '') return { ...credits, html: facts.html, width: facts.width, height: facts.height };
  const { html, width, height } = page.oembed;
  const frame = parseMastodonEmbed(app, html, { width: parsePixels(width), height: parsePixels(height) });
  return frame && { ...credits, html: frame.html, width: frame.width, height: frame.height };
}
