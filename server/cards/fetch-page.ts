import type { App } from '../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../platform/outgoing/outgoing.ts';
import { decodePage } from './decode-page.ts';
import { buildPageMetadata, type PageMetadata } from './build-page-metadata.ts';
import { normalizeLink } from './normalize-link.ts';
import { parseMarkup } from './parse-markup.ts';
import { parseOembed, type Oembed } from './parse-oembed.ts';

/** The metadata of a page; `nothing`: none; `unanswered`: no response, so retry later. */
export type PageFetchResult =
  | { readonly url: string; readonly facts: PageMetadata }
  | 'nothing'
  | 'unanswered'
  | 'over-budget';

/** Maximum size after decompression. Pages of big video sites have about two megabytes. */
const maxPageBytes = 6 * 1_048_576;
const maxOembedBytes = 262_144;
const oembedTimeoutMs = 6_000;

/**
 * Fetches the HTML page of a normalised link, and its oEmbed document if there is one: two requests at most. Call it from
 * jobs only.
 */
export async function fetchPage(app: App, link: string): Promise<PageFetchResult> {
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
  const facts = buildPageMetadata(app, url, { markup, oembed });
  return facts === undefined ? 'nothing' : { url, facts };
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
): Promise<OutgoingResponse | Exclude<PageFetchResult, object>> {
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
