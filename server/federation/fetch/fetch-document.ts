import { instanceActorId } from '../../accounts/index.ts';
import { loadSigningKeys } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing/outgoing.ts';
import { DocumentError, usesPlainTerms, parseDocument } from '../documents/parse-document.ts';
import { hostOf, idOf, isSameHost, type Json } from '../documents/values.ts';
import { hasBareJsonLdType, isActivityType } from '../documents/media-type.ts';
import { recordHostReached } from '../host-health.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { compactDocument } from '../documents/compact-document.ts';
import { signRequest } from '../signatures/sign-request.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import { UserFacingError } from '../../platform/user-facing-error.ts';

const plainType = 'application/activity+json';
/** Accept header of requests for ActivityStreams documents. */
export const acceptedTypes =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

/**
 * Hosts that answer `acceptedTypes` with a JSON-LD type without the profile, and `application/activity+json` alone
 * correctly, as Epicyon does.
 */
export const plainHosts = new Cache<string, true>({
  name: 'federation.plain_hosts',
  maxSize: 5_000,
  ttlMs: 86_400_000,
});

/** Hosts that refused a request signed by draft-cavage, and answered the same one signed by RFC 9421. */
export const rfc9421Hosts = new Cache<string, true>({
  name: 'federation.rfc9421_hosts',
  maxSize: 5_000,
  ttlMs: 86_400_000,
});

const maxRedirects = 3;

type FetchErrorFlags = Readonly<Record<'gone' | 'missing' | 'temporary' | 'overBudget', boolean>>;

/** A remote document could not be fetched. */
export class FetchError extends UserFacingError {
  override name = 'FetchError';
  /** The origin answered 410: the object was deleted. */
  readonly gone: boolean;
  /** The origin answered 404. This proves nothing about private objects: origins answer the same to strangers. */
  readonly missing: boolean;
  /** A later attempt may succeed. */
  readonly temporary: boolean;
  /** No request was sent, because the fetch budget is used up. */
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

/** A document and its URL after redirects. */
export interface FetchedDocument {
  readonly document: Json;
  readonly url: string;
}

/**
 * Fetches a document with or without an id. `signerId`: the local account that signs, by default the instance actor.
 * Throws a FetchError or DocumentError.
 */
export async function fetchDocument(app: App, uri: string, signerId?: AccountId): Promise<FetchedDocument> {
  const response = await getActivity(app, uri, signerId);
  return { document: await parseAndCompact(response.body), url: response.url };
}

async function getActivity(app: App, uri: string, signerId: AccountId | undefined): Promise<OutgoingResponse> {
  const host = hostOf(uri) ?? '';
  const isPlain = plainHosts.peek(app, host) !== undefined;
  const first = await signedGet(app, uri, isPlain ? plainType : acceptedTypes, signerId);
  const type = first.headers['content-type'];
  if (isActivityType(type)) return first;
  // The type proves nothing: anyone could have uploaded the file.
  if (!isPlain && hasBareJsonLdType(type)) {
    const second = await signedGet(app, uri, plainType, signerId);
    if (isActivityType(second.headers['content-type'])) {
      plainHosts.set(app, host, true);
      return second;
    }
  }
  throw new FetchError(`${uri} is not an ActivityStreams document`);
}

/** Parses a document. Compacts it with JSON-LD unless it uses the plain ActivityStreams terms. */
export async function parseAndCompact(body: Buffer | string): Promise<Json> {
  const document = parseDocument(body);
  return usesPlainTerms(document) ? document : compactDocument(document);
}

/**
 * Fetches an object from its origin. The host of the returned object's id served it under that id: if the first
 * response has another id, the object is fetched again by that id. `signerId`: as in `fetchDocument`.
 */
export async function fetchObject(app: App, uri: string, signerId?: AccountId): Promise<Json> {
  const first = await fetchDocument(app, uri, signerId);
  const id = idOf(first.document);
  if (id === undefined || !isSameHost(id, first.url))
    throw new DocumentError(`${uri} returned an object of another server`);
  if (id === uri || withoutFragment(id) === withoutFragment(first.url)) return first.document;
  const second = await fetchDocument(app, id, signerId);
  if (idOf(second.document) !== id || !isSameHost(id, second.url))
    throw new DocumentError(`${uri} does not agree with its id`);
  return second.document;
}

/**
 * Sends a GET signed by a local account. Checks and signs each redirect as well. Throws a FetchError unless the answer
 * is 200.
 */
export async function signedGet(
  app: App,
  uri: string,
  accept: string,
  signerId: AccountId = instanceActorId,
): Promise<OutgoingResponse> {
  let url = withoutFragment(uri);
  for (let left = maxRedirects; left >= 0; left -= 1) {
    await assertFetchable(app, url);
    const response = await getSigned(app, url, { accept, signerId });
    const location = response.headers['location'];
    if (response.status === 200) {
      await recordHostReached(app, hostOf(url) ?? '');
      return response;
    }
    if (response.status < 301 || response.status > 308 || location === undefined || !URL.canParse(location, url)) {
      throw statusError(url, response.status, uri);
    }
    url = withoutFragment(new URL(location, url).href);
  }
  throw new FetchError(`${uri} redirects too often`);
}

interface SignedGet {
  readonly accept: string;
  readonly signerId: AccountId;
}

/** Retries once in the other signature dialect if the host refuses the first, as deliveries do. */
async function getSigned(app: App, url: string, options: SignedGet): Promise<OutgoingResponse> {
  const host = hostOf(url) ?? '';
  const [dialect, other]: readonly [Dialect, Dialect] =
    rfc9421Hosts.peek(app, host) === undefined ? ['cavage', 'rfc9421'] : ['rfc9421', 'cavage'];
  const first = await getInDialect(app, url, { ...options, dialect });
  if (first.status !== 401 && first.status !== 400) return first;
  const second = await getInDialect(app, url, { ...options, dialect: other });
  if (second.status >= 400) return first;
  if (other === 'rfc9421') rfc9421Hosts.set(app, host, true);
  else rfc9421Hosts.evict(app, host);
  return second;
}

async function getInDialect(
  app: App,
  url: string,
  { accept, signerId, dialect }: SignedGet & { readonly dialect: Dialect },
): Promise<OutgoingResponse> {
  const { rsa } = await loadSigningKeys(app, signerId);
  const headers = { accept, ...signRequest(dialect, { method: 'GET', url, now: app.clock.now() }, rsa) };
  try {
    return await app.outgoing.request(url, { headers, maxRedirects: 0 });
  } catch (error) {
    throw toFetchError(url, error);
  }
}

/** Converts an OutgoingError to a FetchError. Returns other errors unchanged. */
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
  if (host === undefined) throw new FetchError(`${url} is not an address that can be fetched`);
  if (new URL(url).protocol !== 'https:' && !app.config.ALLOW_PRIVATE_ADDRESSES)
    throw new FetchError(`${url} is not encrypted`);
  if (host === app.config.webDomain || host === app.config.domain) throw new FetchError(`${url} is local`);
  if (await isBlockedDomain(app, host)) throw new FetchError(`${host} is blocked`);
}

/** `uri`: of the first request. The target of a redirect cannot prove that the object is missing. */
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
