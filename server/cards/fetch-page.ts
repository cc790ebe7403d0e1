import type { App } from '../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../platform/outgoing.ts';
import { decodePage } from './decode-page.ts';
import { buildPageMetadata, type PageMetadata } from './build-page-metadata.ts';
import { normalizeLink } from './normalize-link.ts';
import { parseMarkup } from './parse-markup.ts';
import { parseOembed, type Oembed } from './parse-oembed.ts';

/** What came of reading a page: its card, `nothing` to show, or no answer (`unanswered`): worth another try. */
export type PageFetchResult =
  | { readonly url: string; readonly facts: PageMetadata }
  | 'nothing'
  | 'unanswered'
  | 'over-budget';

/** Decompressed; of longer pages nothing is shown. Those of big video sites have about two megabytes. */
const maxPageBytes = 6 * 1_048_576;
const maxOembedBytes = 262_144;
const oembedTimeoutMs = 6_000;

/**
 * Reads the page at a normalised link, with its oEmbed document if it names one: two requests at most. Only HTML is
 * looked at. To be called from jobs only.
 */
export async function fetchPage(app: App, link: string): Promise<PageFetchResult> {
  const answer = await fetchDocument(app, toHttps(app, link), {
    accept: 'text/html, application/xhtml+xml',
    maxBytes: maxPageBytes,
  });
  if (typeof answer === 'string') return answer;
  const contentType = answer.headers['content-type'] ?? '';
  if (!/^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return 'nothing';
  // A redirect may lead anywhere, to ourselves too.
  const url = normalizeLink(app, answer.url);
  if (url === undefined) return 'nothing';
  const markup = parseMarkup(decodePage(answer.body, contentType));
  const oembed = await fetchOembed(app, url, markup.oembed);
  const facts = buildPageMetadata(app, url, { markup, oembed });
  return facts === undefined ? 'nothing' : { url, facts };
}

async function fetchOembed(app: App, page: string, href: string): Promise<Oembed | undefined> {
  if (href === '' || !URL.canParse(href, page)) return undefined;
  const url = normalizeLink(app, new URL(href, page).href);
  if (url === undefined) return undefined;
  const options = { accept: 'application/json', maxBytes: maxOembedBytes, timeout: oembedTimeoutMs };
  const answer = await fetchDocument(app, toHttps(app, url), options);
  // The page says enough for a card without it.
  if (typeof answer === 'string') return undefined;
  return parseOembed(answer.body.toString('utf8'));
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
    const answer = await app.outgoing.request(url, {
      headers: { accept },
      maxBytes,
      ...(timeout !== undefined && { timeoutMs: timeout }),
    });
    if (answer.status === 200) return answer;
    return answer.status === 429 || answer.status >= 500 ? 'unanswered' : 'nothing';
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    app.log.debug({ url, reason: error.message }, 'no preview card for a link');
    if (error.reason === 'over-budget') return 'over-budget';
    return error.reason === 'timeout' || error.reason === 'unreachable' ? 'unanswered' : 'nothing';
  }
}

/** Nearly every page has an encrypted version at the same address, and without encryption nobody is asked. */
const toHttps = ({ config }: App, url: string): string =>
  config.ALLOW_PRIVATE_ADDRESSES ? url : url.replace(/^http:/, 'https:');
