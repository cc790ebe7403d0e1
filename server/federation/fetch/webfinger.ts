import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing/outgoing.ts';
import { parseJson } from '../../text/index.ts';
import { normalizeDomain, type Handle } from '../../accounts/find/index.ts';
import { hostOf, isHttpUrl, isObject, listOf, type Json } from '../documents/values.ts';
import { isUsername } from '../documents/parse-actor.ts';
import { isActivityType } from '../documents/media-type.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { FetchError, toFetchError } from './fetch-document.ts';
import { hostMetaTypes, parseLrddTemplate, maxHostMetaBytes } from './host-meta.ts';

/** The answer of a server about one of its handles. */
export interface WebfingerResult {
  /** The handle as the server itself spells it. */
  readonly subject: RemoteHandle;
  /** Id of the actor. */
  readonly actorUri: string;
}

export type RemoteHandle = Handle & { readonly domain: string };

/** Parses `name@domain`, with an optional `acct:` or `@` prefix. Returns undefined if it is no handle of a remote account. */
export function parseRemoteHandle(text: string): RemoteHandle | undefined {
  const [username = '', domain = '', ...rest] = text
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '')
    .split('@');
  const ascii = normalizeDomain(domain);
  if (!isUsername(username) || rest.length > 0 || ascii === undefined) return undefined;
  return { username, domain: ascii };
}

/**
 * Returns the actor of a handle according to its domain (RFC 7033). Throws a FetchError if the domain does not know it.
 */
export async function fetchWebfinger(app: App, handle: RemoteHandle): Promise<WebfingerResult> {
  if (await isBlockedDomain(app, handle.domain)) throw new FetchError(`${handle.domain} is blocked`);
  const resource = `acct:${handle.username}@${handle.domain}`;
  return parseWebfinger(await fetchJrd(app, handle.domain, resource), resource);
}

/** Parses the answer about a handle. Throws a FetchError if it names no actor. */
export function parseWebfinger(document: Json, resource: string): WebfingerResult {
  const subject = typeof document['subject'] === 'string' ? parseRemoteHandle(document['subject']) : undefined;
  const self = listOf(document['links'])
    .filter(isObject)
    .find((link) => link['rel'] === 'self' && isActivityType(String(link['type'])) && isHttpUrl(link['href']));
  if (subject === undefined || self === undefined) throw new FetchError(`${resource} is not an actor`);
  return { subject, actorUri: self['href'] as string };
}

/**
 * Returns the confirmed handle of an actor: the claimed domain names this actor for it. If WebFinger returns a
 * different subject, that subject is looked up in turn and must name the actor as well. Throws a FetchError.
 */
export async function confirmHandle(app: App, actorUri: string, claimed: RemoteHandle): Promise<RemoteHandle> {
  const first = await fetchWebfinger(app, claimed);
  const confirmed = isSameHandle(first.subject, claimed) ? first : await fetchWebfinger(app, first.subject);
  if (confirmed.actorUri !== actorUri || !isSameHandle(confirmed.subject, first.subject)) {
    throw new FetchError(`${claimed.username}@${claimed.domain} does not belong to ${actorUri}`);
  }
  const { domain, webDomain } = app.config;
  if (confirmed.subject.domain === domain || confirmed.subject.domain === webDomain)
    throw new FetchError(`${actorUri} claims a local handle`);
  return confirmed.subject;
}

export function isSameHandle(a: RemoteHandle, b: RemoteHandle): boolean {
  return a.username.toLowerCase() === b.username.toLowerCase() && a.domain === b.domain;
}

/**
 * Requests the usual URL first. If the domain answers 404, its host-meta document may name another URL (RFC 6415). Any
 * other answer is final.
 */
async function fetchJrd(app: App, domain: string, resource: string): Promise<Json> {
  const query = encodeURIComponent(resource);
  const first = await getFromDomain(app, domain, `/.well-known/webfinger?resource=${query}`);
  const document = parseJrd(first);
  if (document !== undefined) return document;
  const failure = statusError(first, `${domain} for ${resource}`);
  if (!failure.missing) throw failure;
  const url = (await findLrddTemplate(app, domain))?.replace('{uri}', () => query);
  if (url === undefined || url === first.url) throw failure;
  await assertFetchableTemplate(app, url);
  const second = await sendRequest(app, url, jrdTypes).catch((error: unknown) => {
    throw toFetchError(url, error);
  });
  const found = parseJrd(second);
  if (found === undefined) throw statusError(second, `${url} for ${resource}`);
  return found;
}

/** The templates of domains; an empty one if a domain has none, which then is not asked again for every handle. */
export const lrddTemplates = new Cache<string, string>({
  name: 'federation.lrdd_templates',
  maxSize: 5_000,
  ttlMs: 600_000,
});

async function findLrddTemplate(app: App, domain: string): Promise<string | undefined> {
  const template = lrddTemplates.peek(app, domain) ?? (await fetchLrddTemplate(app, domain)) ?? '';
  lrddTemplates.set(app, domain, template);
  return template === '' ? undefined : template;
}

/** Requests the JSON only from a domain that has no other host-meta document. */
async function fetchLrddTemplate(app: App, domain: string): Promise<string | undefined> {
  const { status, body } = await getFromDomain(app, domain, '/.well-known/host-meta', hostMetaTypes);
  if (status === 200) return parseLrddTemplate(body);
  if (status !== 404) return undefined;
  const json = await getFromDomain(app, domain, '/.well-known/host-meta.json', 'application/json');
  return json.status === 200 ? parseLrddTemplate(json.body) : undefined;
}

/** A domain may delegate its handles to any other host that may be fetched. */
async function assertFetchableTemplate(app: App, url: string): Promise<void> {
  const host = hostOf(url);
  const isEncrypted = url.startsWith('https:') || app.config.ALLOW_PRIVATE_ADDRESSES;
  if (host === undefined || !isEncrypted || host === app.config.webDomain || host === app.config.domain)
    throw new FetchError(`${url} is not an address for WebFinger requests`);
  if (await isBlockedDomain(app, host)) throw new FetchError(`${host} is blocked`);
}

function parseJrd({ status, body }: OutgoingResponse): Json | undefined {
  if (status !== 200) return undefined;
  try {
    const value: unknown = parseJson(body.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function statusError({ status }: OutgoingResponse, subject: string): FetchError {
  if (status === 200) return new FetchError(`${subject}: the answer is not a JRD`);
  return new FetchError(`${subject}: the answer is ${status}`, {
    gone: status === 410,
    missing: status === 404,
    temporary: status >= 500 || status === 408 || status === 429,
  });
}

const jrdTypes = 'application/jrd+json, application/json';

/** Sends a GET to a domain. */
async function getFromDomain(app: App, domain: string, path: string, accept = jrdTypes): Promise<OutgoingResponse> {
  try {
    return await sendRequest(app, `https://${domain}${path}`, accept).catch((error: unknown) => {
      // Closed networks may lack certificates.
      if (!app.config.ALLOW_PRIVATE_ADDRESSES || !(error instanceof OutgoingError)) throw error;
      return sendRequest(app, `http://${domain}${path}`, accept);
    });
  } catch (error) {
    throw toFetchError(domain, error);
  }
}

function sendRequest(app: App, url: string, accept: string): Promise<OutgoingResponse> {
  const maxBytes = accept === jrdTypes ? undefined : maxHostMetaBytes;
  return app.outgoing.request(url, { headers: { accept }, ...(maxBytes !== undefined && { maxBytes }) });
}
