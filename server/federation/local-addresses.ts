import { instanceActorName } from '../accounts/index.ts';
import { parseHandle, type Handle } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { type AccountId, type AnyId, isId, type StatusId } from '../platform/ids.ts';
import { hostOf } from './documents/values.ts';

/** A status that a local address names. */
interface StatusAddress {
  readonly id: StatusId;
  /** Of the author, as the address has it; undefined if it has the id of the author. */
  readonly username: string | undefined;
  /** Whether the address is that of a local status; otherwise it is the page of a remote one in the web client. */
  readonly local: boolean;
}

/** A local account by the id in its address, or an account by its handle. */
type AccountAddress = Handle | { readonly id: AccountId };

/**
 * Returns the account that a local address names: the id of an actor (`/users/name`, or `/ap/users/1` as in Mastodon), a
 * profile page (`/@name`), or the page of a remote account in the web client (`/@name@host`). Ignores the scheme, the query,
 * the fragment, percent-encoding and slashes at the end.
 */
export function parseAccountAddress(app: App, uri: string): AccountAddress | undefined {
  const path = localPath(app, uri);
  if (path === '/actor') return { username: instanceActorName(app), domain: null };
  const [, id] = /^\/ap\/users\/(\d+)$/.exec(path ?? '') ?? [];
  if (id !== undefined) return isId(id) ? { id } : undefined;
  const [, actorName, acct] = /^\/(?:users\/([\w.-]+)|@([^/\s]+))$/.exec(path ?? '') ?? [];
  if (actorName !== undefined) return { username: actorName, domain: null };
  return acct === undefined ? undefined : pageHandle(app, acct);
}

/** Returns whether an address is one of a local actor, as in `parseAccountAddress`. The account may not exist. */
export function isLocalActorAddress(app: App, uri: string): boolean {
  const address = parseAccountAddress(app, uri);
  return address !== undefined && ('id' in address || address.domain === null);
}

/**
 * Returns the status that a local address names: its id (`/users/name/statuses/1` or `/ap/users/1/statuses/1`, also with
 * `/activity`), its page (`/@name/1`), a part of that page, or the page of a remote status in the web client (`/@name@host/1`).
 */
export function parseStatusAddress(app: App, uri: string): StatusAddress | undefined {
  const path = localPath(app, uri) ?? '';
  const [, actorName, activityId] =
    /^\/(?:users\/([\w.-]+)|ap\/users\/\d+)\/statuses\/(\d+)(?:\/activity)?$/.exec(path) ?? [];
  if (activityId !== undefined)
    return isId(activityId) ? { id: activityId, username: actorName, local: true } : undefined;
  const [, acct, id] = statusPage.exec(path) ?? [];
  const handle = acct === undefined ? undefined : pageHandle(app, acct);
  if (handle === undefined || id === undefined || !isId(id)) return undefined;
  return { id: id, username: handle.username, local: handle.domain === null };
}

/**
 * Returns the ActivityPub id of a status that was posted when the server was a GoToSocial, by its id or page
 * (`/@name/statuses/ULID`); undefined for any other address.
 */
export function parseUlidAddress(app: App, uri: string): string | undefined {
  const [, name, ulid] =
    /^\/(?:users\/|@)([\w.-]+)\/statuses\/([0-9A-HJKMNP-TV-Z]{26})$/.exec(localPath(app, uri) ?? '') ?? [];
  return ulid === undefined ? undefined : `${app.config.baseUrl}/users/${name}/statuses/${ulid}`;
}

/** Returns the row id in the id of a local activity of this kind, such as `…#follows/123`. */
export function localActivityId(app: App, uri: string, kind: string): AnyId | undefined {
  if (!isLocalActorAddress(app, uri)) return undefined;
  const [, found, id] = /#([a-z_]+)\/(\d+)$/.exec(uri) ?? [];
  return found === kind && id !== undefined && isId(id) ? id : undefined;
}

/** Returns a local address without the parts that make no difference; undefined for any other address. */
export function canonicalAddress(app: App, uri: string): string | undefined {
  const path = localPath(app, uri);
  return path === undefined ? undefined : `${app.config.baseUrl}${path}`;
}

/** The page of a post, with the parts that the web client and the frame for other sites add. */
const statusPage = /^\/@([^/\s]+)\/(\d+)(?:\/(?:activity|embed|favourites|reblogs|quotes|history))?$/;

/** Returns the account of `/@name` or `/@name@host`. */
function pageHandle(app: App, acct: string): Handle | undefined {
  const handle = parseHandle(app, acct);
  return handle !== undefined && /^[\w.-]+$/.test(handle.username) ? handle : undefined;
}

/** Returns the decoded path of a local address without slashes at the end. */
function localPath(app: App, uri: string): string | undefined {
  if (hostOf(uri) !== app.config.webDomain) return undefined;
  try {
    return decodeURIComponent(new URL(uri).pathname)
      .replaceAll(/\/{2,}/g, '/')
      .replace(/\/$/, '');
  } catch {
    return undefined;
  }
}
