import type { App } from '../../platform/app.ts';
import { OutgoingError } from '../../platform/outgoing.ts';
import { normalizeDomain, type Handle } from '../../accounts/index.ts';
import { isHttpUrl, isObject, listOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { FetchError, isActivityType } from './fetch-document.ts';

/** What a server says of one of its handles. */
export interface Finger {
  /** The handle as the server itself writes it. */
  readonly subject: RemoteHandle;
  /** Id of the actor. */
  readonly actorUri: string;
}

export type RemoteHandle = Handle & { readonly domain: string };

/** Reads `name@domain`, perhaps with `acct:` or `@` in front; undefined when it is no handle of another server. */
export function readRemoteHandle(text: string): RemoteHandle | undefined {
  const [username = '', domain = '', ...rest] = text
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '')
    .split('@');
  const ascii = normalizeDomain(domain);
  if (username === '' || rest.length > 0 || ascii === undefined || username.length > 2048) return undefined;
  return { username, domain: ascii };
}

/** Asks the domain of a handle who it stands for (RFC 7033); throws a FetchError when it does not say. */
export async function webfinger(app: App, handle: RemoteHandle): Promise<Finger> {
  if (await isBlockedDomain(app, handle.domain)) throw new FetchError(`${handle.domain} is blocked`);
  const resource = `acct:${handle.username}@${handle.domain}`;
  const document = await fetchFinger(app, handle.domain, resource);
  const subject = typeof document['subject'] === 'string' ? readRemoteHandle(document['subject']) : undefined;
  const self = listOf(document['links'])
    .filter(isObject)
    .find((link) => link['rel'] === 'self' && isActivityType(String(link['type'])) && isHttpUrl(link['href']));
  if (subject === undefined || self === undefined) throw new FetchError(`${resource} is no actor`);
  return { subject, actorUri: self['href'] as string };
}

/**
 * The handle of an actor, confirmed both ways: the actor's server, or the domain that the actor claims, names this very
 * actor for it. A subject that differs from what was asked for is asked about in turn, and must then stand.
 */
export async function confirmHandle(app: App, actorUri: string, claimed: RemoteHandle): Promise<RemoteHandle> {
  const first = await webfinger(app, claimed);
  const finger = sameHandle(first.subject, claimed) ? first : await webfinger(app, first.subject);
  if (finger.actorUri !== actorUri || !sameHandle(finger.subject, first.subject)) {
    throw new FetchError(`${claimed.username}@${claimed.domain} does not stand for ${actorUri}`);
  }
  const { domain, webDomain } = app.config;
  if (finger.subject.domain === domain || finger.subject.domain === webDomain)
    throw new FetchError(`${actorUri} claims a handle of ours`);
  return finger.subject;
}

export function sameHandle(a: RemoteHandle, b: RemoteHandle): boolean {
  return a.username.toLowerCase() === b.username.toLowerCase() && a.domain === b.domain;
}

async function fetchFinger(app: App, domain: string, resource: string): Promise<Json> {
  const path = `://${domain}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
  const response = await request(app, `https${path}`)
    .catch((error: unknown) => {
      // Closed networks have no certificates.
      if (app.config.ALLOW_PRIVATE_ADDRESSES && error instanceof OutgoingError) return request(app, `http${path}`);
      throw error;
    })
    .catch((error: unknown) => {
      if (error instanceof OutgoingError)
        throw new FetchError(`${domain}: ${error.message}`, { temporary: error.reason !== 'refused' });
      throw error;
    });
  if (response.status !== 200) {
    throw new FetchError(`${domain} answered ${response.status} for ${resource}`, {
      gone: response.status === 410,
      missing: response.status === 404,
      temporary: response.status >= 500,
    });
  }
  try {
    const value: unknown = JSON.parse(response.body.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // Falls through to the same refusal as any other answer that is no JRD.
  }
  throw new FetchError(`${domain} does not answer with a JRD`);
}

function request(app: App, url: string) {
  return app.outgoing.request(url, { headers: { accept: 'application/jrd+json, application/json' } });
}
