import type { App } from '../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../platform/outgoing.ts';
import { decodePage } from './decode-page.ts';
import { describePage, type PageFacts } from './describe-page.ts';
import { normalizeLink } from './link-url.ts';
import { readMarkup } from './read-markup.ts';
import { readOembed, type Oembed } from './read-oembed.ts';

/** What came of reading a page: its card, `nothing` to show, or no answer (`unanswered`): worth another try. */
export type PageReading =
  | { readonly url: string; readonly facts: PageFacts }
  | 'nothing'
  | 'unanswered'
  | 'over-budget';

/** Decompressed; of longer pages nothing is shown. Those of big video sites have about two megabytes. */
const largestPage = 6 * 1_048_576;
const largestOembed = 262_144;
const oembedTimeout = 6_000;

/**
 * Reads the page at a normalised link, with its oEmbed document if it names one: two requests at most. Only HTML is
 * looked at. To be called from jobs only.
 */
export async function fetchPage(app: App, link: string): Promise<PageReading> {
  const answer = await ask(app, secure(app, link), { accept: 'text/html, application/xhtml+xml', most: largestPage });
  if (typeof answer === 'string') return answer;
  const contentType = answer.headers['content-type'] ?? '';
  if (!/^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return 'nothing';
  // A redirect may lead anywhere, to ourselves too.
  const url = normalizeLink(app, answer.url);
  if (url === undefined) return 'nothing';
  const markup = readMarkup(decodePage(answer.body, contentType));
  const oembed = await fetchOembed(app, url, markup.oembed);
  const facts = describePage(app, url, { markup, oembed });
  return facts === undefined ? 'nothing' : { url, facts };
}

async function fetchOembed(app: App, page: string, href: string): Promise<Oembed | undefined> {
  if (href === '' || !URL.canParse(href, page)) return undefined;
  const url = normalizeLink(app, new URL(href, page).href);
  if (url === undefined) return undefined;
  const options = { accept: 'application/json', most: largestOembed, timeout: oembedTimeout };
  const answer = await ask(app, secure(app, url), options);
  // The page says enough for a card without it.
  if (typeof answer === 'string') return undefined;
  return readOembed(answer.body.toString('utf8'));
}

interface Asking {
  readonly accept: string;
  readonly most: number;
  readonly timeout?: number;
}

async function ask(
  app: App,
  url: string,
  { accept, most, timeout }: Asking,
): Promise<OutgoingResponse | Exclude<PageReading, object>> {
  try {
    const answer = await app.outgoing.request(url, {
      headers: { accept },
      maxBytes: most,
      ...(timeout !== undefined && { timeout }),
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
const secure = ({ config }: App, url: string): string =>
  config.ALLOW_PRIVATE_ADDRESSES ? url : url.replace(/^http:/, 'https:');
