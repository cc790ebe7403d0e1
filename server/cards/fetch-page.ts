import type { App } from '../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../platform/outgoing/outgoing.ts';
import { decodePage } from './decode-page.ts';
import { buildPageMetadata, type PageMetadata } from './build-page-metadata.ts';
import { normalizeLink } from './normalize-link.ts';
import { parseMarkup, type Markup } from './parse-markup.ts';
import { parseOembed, type Oembed } from './parse-oembed.ts';

/** `nothing`: not a page with metadata; `unanswered`: no response, so retry later. */
export type PageFetchFailure = 'nothing' | 'unanswered' | 'over-budget';

export type PageFetchResult = { readonly url: string; readonly facts: PageMetadata } | PageFetchFailure;

/** Maximum size after decompression. Pages of big video sites have about two megabytes. */
const maxPageBytes = 6 * 1_048_576;
const maxOembedBytes = 262_144;
const oembedTimeoutMs = 6_000;

/** Fetches the metadata of the page behind a normalised link: two requests at most. Call it from jobs only. */
export async function fetchPage(app: App, link: string): Promise<PageFetchResult> {
  const page = await fetchPageSources(app, link);
  if (typeof page === 'string') return page;
  const facts = buildPageMetadata(app, page.url, page);
  return facts === undefined ? 'nothing' : { url: page.url, facts };
}

/** A page as fetched, not validated. */
export interface PageSources {
  /** The final address, after redirects. */
  readonly url: string;
  readonly markup: Markup;
  readonly oembed: Oembed | undefined;
}

/**
 * Fetches the HTML page of a normalised link, and its oEmbed document if there is one. Takes as long as two requests, and
 * parses up to `maxPageBytes`, so limit how often a client can cause it.
 */
export async function fetchPageSources(app: App, link: string): Promise<PageSources | PageFetchFailure> {
  const response = await fetchDocument(app, toHttps(app, link), {
    accept: 'text/html, application/xhtml+xml',
    maxBytes: maxPageBytes,
  });
  if (typeof response === 'string') return response;
  const contentType = response.headers['content-type'] ?? '';
  if (!/^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return 'nothing';
  // A redirect may lead anywhere, even to this instance.
  const url = normalizeLink(app, response.url);
  if (url === undefined) return 'nothing';
  const markup = parseMarkup(decodePage(response.body, contentType));
  const oembed = await fetchOembed(app, url, markup.oembed);
  return { url, markup, oembed };
}

async function fetchOembed(app: App, page: string, href: string): Promise<Oembed | undefined> {
  if (href === '' || !URL.canParse(href, page)) return undefined;
  const url = normalizeLink(app, new URL(href, page).href);
  if (url === undefined) return undefined;
  const options = { accept: 'application/json', maxBytes: maxOembedBytes, timeout: oembedTimeoutMs };
  const response = await fetchDocument(app, toHttps(app, url), options);
  // The page suffices for a card.
  if (typeof response === 'string') return undefined;
  return parseOembed(response.body.toString('utf8'));
}

interface FetchOptions {
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeout?: number;
}

async function fetchDocument(
  app: App,
  url: string,
  { accept, maxBytes, timeout }: FetchOptions,
): Promise<OutgoingResponse | PageFetchFailure> {
  try {
    const response = await app.outgoing.request(url, {
      headers: { accept },
      maxBytes,
      ...(timeout !== undefined && { timeoutMs: timeout }),
    });
    if (response.status === 200) return response;
    return response.status === 429 || response.status >= 500 ? 'unanswered' : 'nothing';
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    app.log.debug({ url, reason: error.message }, 'cannot fetch a link preview');
    if (error.reason === 'over-budget') return 'over-budget';
    return error.reason === 'timeout' || error.reason === 'unreachable' ? 'unanswered' : 'nothing';
  }
}

/** Requests use https only: nearly every page has an https version at the same address. */
const toHttps = ({ config }: App, url: string): string =>
  config.ALLOW_PRIVATE_ADDRESSES ? url : url.replace(/^http:/, 'https:');
