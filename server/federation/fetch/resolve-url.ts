import { parse as parseMediaType } from 'content-type';
import { Parser } from 'htmlparser2';
import { findCollectionByUri } from '../../collections/read/index.ts';
import type { App } from '../../platform/app.ts';
import { remoteUnavailable } from '../../platform/http/http-errors.ts';
import type { AccountId, CollectionId, StatusId } from '../../platform/ids.ts';
import { isActivityType } from '../documents/media-type.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor } from '../documents/parse-actor.ts';
import { isFeaturedCollection } from '../documents/parse-featured-collection.ts';
import { hostOf, idOf, isHttpUrl, isSameHost, type Json } from '../documents/values.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { findStatusAt } from '../find-status-by-uri.ts';
import { canonicalAddress, parseAccountAddress } from '../local-addresses.ts';
import { acceptedTypes, FetchError, fetchObject, parseAndCompact, signedGet } from './fetch-document.ts';
import { resolveAccount } from './resolve-account.ts';
import { storeFetchedStatus } from './resolve-status.ts';
import { findStoredPage } from './find-stored-page.ts';
import { storeActor } from './store-actor.ts';
import { storeFeaturedCollection } from './store-featured-collection.ts';

/** The object at a URL. */
export type ResolvedUrl =
  | { readonly accountId: AccountId }
  | { readonly statusId: StatusId }
  | { readonly collectionId: CollectionId };

/**
 * Returns the account, status or collection at a URL, local or remote: the id of an object or its page. What cannot be
 * fetched is looked for among the stored objects, because a page of a private post opens for nobody else; callers check
 * who may see it. A profile page without a document is resolved by the handle in its address. Returns undefined if there is none. Throws 503 if its server does not answer. Sends requests, so only
 * signed-in users may call it.
 */
export async function resolveUrl(app: App, url: string): Promise<ResolvedUrl | undefined> {
  if (!isHttpUrl(url)) return undefined;
  const local = await resolveLocally(app, url);
  if (local !== undefined || hostOf(url) === app.config.webDomain) return local;
  try {
    return (await fetchAndStore(app, url)) ?? (await findStoredPage(app, url));
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
    app.log.debug({ err: error, url }, 'an address could not be resolved');
    const found = (await findStoredPage(app, url)) ?? (await resolvePageHandle(app, url, error));
    if (found === undefined && error instanceof FetchError && error.temporary) throw remoteUnavailable();
    return found;
  }
}

/**
 * Resolves the handle in the address of a profile page (`/@name`, or `/@name@domain` in the web client of another server)
 * that leads to no document itself.
 */
async function resolvePageHandle(app: App, url: string, error: unknown): Promise<ResolvedUrl | undefined> {
  const { host, pathname } = new URL(url);
  const [, username, domain = host] = /^\/(?:@|%40)([\w.-]+)(?:(?:@|%40)([^/@]+))?\/?$/i.exec(pathname) ?? [];
  // A host that does not answer knows no handle, either.
  const isDown = error instanceof FetchError && error.temporary && domain === host;
  if (username === undefined || isDown) return undefined;
  const accountId = await resolveAccount(app, `${username}@${domain}`);
  return accountId === undefined ? undefined : { accountId };
}

async function resolveLocally(app: App, url: string): Promise<ResolvedUrl | undefined> {
  const account = parseAccountAddress(app, url) && (await findAccountByAddress(app, url));
  if (account !== undefined) return { accountId: account.id };
  const status = await findStatusAt(app, url);
  if (status !== undefined) return { statusId: status.id };
  const collection = await findCollectionByUri(app, canonicalAddress(app, url) ?? url);
  return collection && { collectionId: collection.id };
}

async function fetchAndStore(app: App, url: string): Promise<ResolvedUrl | undefined> {
  const document = await fetchFromPage(app, url);
  if (isActor(document)) {
    const id = idOf(document);
    const existing = id === undefined ? undefined : await resolveAccount(app, id);
    return { accountId: existing ?? (await storeActor(app, document)) };
  }
  if (isFeaturedCollection(document)) {
    const collectionId = await storeFeaturedCollection(app, document);
    return collectionId === undefined ? undefined : { collectionId };
  }
  const statusId = await storeFetchedStatus(app, document);
  return statusId === undefined ? undefined : { statusId };
}

/** Fetches the object at a URL, or the object that the page there links to as an alternate. */
async function fetchFromPage(app: App, url: string): Promise<Json> {
  const response = await signedGet(app, url, `${acceptedTypes}, text/html;q=0.1`);
  if (isActivityType(response.headers['content-type'])) {
    const document = await parseAndCompact(response.body);
    const id = idOf(document);
    if (id === undefined) throw new DocumentError(`${url} returned an object without an id`);
    // Only the origin of the id is authoritative.
    return id === response.url && isSameHost(id, response.url) ? document : fetchObject(app, id);
  }
  const alternate = findLinkHeaderAlternate(response.headers['link']) ?? findHtmlAlternate(response);
  if (alternate === undefined || !URL.canParse(alternate, response.url))
    throw new FetchError(`${url} is not the page of an object`);
  return fetchObject(app, new URL(alternate, response.url).href);
}

function findLinkHeaderAlternate(field: string | undefined): string | undefined {
  const links = (field ?? '').matchAll(/<([^<>]*)>((?:\s*;\s*\w+=(?:"[^"]*"|[^\s;,"]+))*)/g);
  for (const [, href, list = ''] of links) {
    const { parameters } = parseMediaType(list);
    const relations = parameters['rel']?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes('alternate') && isActivityType(parameters['type'])) return href;
  }
  return undefined;
}

function findHtmlAlternate({
  headers,
  body,
}: {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}): string | undefined {
  if (!/^text\/html\b/i.test(headers['content-type'] ?? '')) return undefined;
  let found: string | undefined;
  const parser = new Parser({
    onopentag(name, { rel = '', type = '', href }) {
      if (found !== undefined || name !== 'link' || href === undefined) return;
      if (rel.toLowerCase().split(/\s+/).includes('alternate') && isActivityType(type)) found = href;
    },
  });
  parser.end(body.toString('utf8'));
  return found;
}
