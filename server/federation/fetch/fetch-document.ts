import { instanceActorId, loadSigningKey } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing.ts';
import { DocumentError, usesPlainTerms, parseDocument } from '../documents/parse-document.ts';
import { hostOf, idOf, isSameHost, type Json } from '../documents/values.ts';
import { isActivityType } from '../documents/media-type.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { compactDocument } from '../documents/compact-document.ts';
import { signRequest } from '../signatures/sign-request.ts';

/** What we ask other servers for. */
export const acceptedTypes =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

const maxRedirects = 3;

type FetchErrorFlags = Readonly<Record<'gone' | 'missing' | 'temporary' | 'overBudget', boolean>>;

/** Why a document of another server could not be had. */
export class FetchError extends Error {
  override name = 'FetchError';
  /** The origin answered 410: the object was deleted. */
  readonly gone: boolean;
  /** The origin answered 404. It proves nothing about private objects: origins answer strangers the same. */
  readonly missing: boolean;
  /** Asking again later may help. */
  readonly temporary: boolean;
  /** The server was not asked, because the work in hand has used up its fetch budget. Says nothing about the server. */
  readonly overBudget: boolean;

  constructor(
    message: string,
    { gone = false, missing = false, temporary = false, overBudget = false }: Partial<FetchErrorFlags> = {},
  ) {
    super(message);
    this.gone = gone;
    this.missing = missing;
    this.temporary = temporary;
    this.overBudget = overBudget;
  }
}

/** A document and the address that gave it, after redirects. */
export interface FetchedDocument {
  readonly document: Json;
  readonly url: string;
}

/** Fetches a document that may or may not have an id; throws a FetchError or DocumentError. */
export async function fetchDocument(app: App, uri: string): Promise<FetchedDocument> {
  const response = await signedGet(app, uri, acceptedTypes);
  if (!isActivityType(response.headers['content-type'])) throw new FetchError(`${uri} is no ActivityStreams document`);
  return { document: await parseAndCompact(response.body), url: response.url };
}

/** Parses a document, through JSON-LD when its names cannot be taken at their word. */
export async function parseAndCompact(body: Buffer | string): Promise<Json> {
  const document = parseDocument(body);
  return usesPlainTerms(document) ? document : compactDocument(document);
}

/**
 * Fetches an object from its origin. What comes back was served by the host that its id names, under that id: when the
 * answer calls itself otherwise, it is fetched once more under its own name.
 */
export async function fetchObject(app: App, uri: string): Promise<Json> {
  const first = await fetchDocument(app, uri);
  const id = idOf(first.document);
  if (id === undefined || !isSameHost(id, first.url))
    throw new DocumentError(`${uri} gave an object of another server`);
  if (id === uri || withoutFragment(id) === withoutFragment(first.url)) return first.document;
  const second = await fetchDocument(app, id);
  if (idOf(second.document) !== id || !isSameHost(id, second.url))
    throw new DocumentError(`${uri} does not agree with its id`);
  return second.document;
}

/** A GET signed by the server's own actor; each redirect is checked and signed anew. Throws a FetchError unless it is a 200. */
export async function signedGet(app: App, uri: string, accept: string): Promise<OutgoingResponse> {
  let url = withoutFragment(uri);
  for (let left = maxRedirects; left >= 0; left -= 1) {
    await assertFetchable(app, url);
    const response = await getSigned(app, url, accept);
    const location = response.headers['location'];
    if (response.status === 200) return response;
    if (response.status < 301 || response.status > 308 || location === undefined || !URL.canParse(location, url)) {
      throw statusError(url, response.status, uri);
    }
    url = withoutFragment(new URL(location, url).href);
  }
  throw new FetchError(`${uri} redirects too often`);
}

async function getSigned(app: App, url: string, accept: string): Promise<OutgoingResponse> {
  const key = await loadSigningKey(app, instanceActorId);
  const headers = { accept, ...signRequest('cavage', { method: 'GET', url, now: app.clock.now() }, key) };
  try {
    return await app.outgoing.request(url, { headers, maxRedirects: 0 });
  } catch (error) {
    throw toFetchError(url, error);
  }
}

/** An OutgoingError as a FetchError; anything else unchanged. */
export function toFetchError(url: string, error: unknown): unknown {
  if (!(error instanceof OutgoingError)) return error;
  const { reason, message } = error;
  return new FetchError(`${url}: ${message}`, {
    temporary: reason === 'timeout' || reason === 'unreachable',
    overBudget: reason === 'over-budget',
  });
}

async function assertFetchable(app: App, url: string): Promise<void> {
  const host = hostOf(url);
  if (host === undefined) throw new FetchError(`${url} is no address that is fetched`);
  if (new URL(url).protocol !== 'https:' && !app.config.ALLOW_PRIVATE_ADDRESSES)
    throw new FetchError(`${url} is not encrypted`);
  if (host === app.config.webDomain || host === app.config.domain) throw new FetchError(`${url} is our own`);
  if (await isBlockedDomain(app, host)) throw new FetchError(`${host} is blocked`);
}

/** `uri`: what was asked for first. A host that it redirects to cannot say that it does not exist. */
function statusError(url: string, status: number, uri: string): FetchError {
  const isOrigin = isSameHost(url, uri);
  return new FetchError(`${url} answered ${status}`, {
    gone: isOrigin && status === 410,
    missing: isOrigin && status === 404,
    temporary: status >= 500 || status === 408 || status === 429,
  });
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url;
}
