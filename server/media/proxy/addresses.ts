import { createHmac, timingSafeEqual } from 'node:crypto';
import { perApp, type App } from '../../platform/app.ts';
import { vapidKeys } from '../../site/index.ts';
import type { MediaRow } from '../tables.ts';

/**
 * Address of a remote attachment at the proxy of this server. It carries the permission to fetch the file; take it away
 * with `withoutFetching` before somebody gets it who is not signed in.
 */
export function attachmentUrl(app: App, { id, proxy_token }: MediaRow, version: 'original' | 'small'): string {
  return `${app.config.baseUrl}/media_proxy/${id}/${version}?fetch=${proxy_token}`;
}

/**
 * Address of any other picture of another server (an avatar, a header) at the proxy of this server; the address itself
 * when nothing is kept here. Carries the permission to fetch it, like `attachmentUrl`.
 */
export async function proxiedUrl(app: App, url: string): Promise<string> {
  return (await pictureProxy(app))(url);
}

/** `proxiedUrl` for many pictures, with what it takes to sign at hand. */
export async function pictureProxy(app: App): Promise<(url: string) => string> {
  const { baseUrl, MEDIA_CACHE_SIZE } = app.config;
  const sign = await signer(app);
  return (url) => {
    if (MEDIA_CACHE_SIZE === 0 || url.length > longestUrl || !/^https?:\/\//i.test(url)) return url;
    const encoded = Buffer.from(url).toString('base64url');
    return `${baseUrl}/media_proxy/url/${sign('shown', url)}/${encoded}?fetch=${sign('fetched', url)}`;
  };
}

/** Longer ones do not fit into a path. */
const longestUrl = 1_400;

/** What an address made by `proxiedUrl` says. */
export interface SignedAddress {
  readonly url: string;
  readonly mayFetch: boolean;
}

/** Reads the parts of an address made by `proxiedUrl`; undefined when this server has not made it. */
export async function readSignedAddress(
  app: App,
  parts: { shown: string; encoded: string; fetched: string | undefined },
): Promise<SignedAddress | undefined> {
  const url = Buffer.from(parts.encoded, 'base64url').toString();
  const sign = await signer(app);
  if (!isSame(parts.shown, sign('shown', url))) return undefined;
  return { url, mayFetch: parts.fetched !== undefined && isSame(parts.fetched, sign('fetched', url)) };
}

/** Compares secrets in a time that tells nothing of where they differ. */
export function isSame(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * JSON or HTML for visitors who are not signed in: the addresses of the proxy in it show what is kept here, and otherwise
 * lead to the other server, but have nothing fetched.
 */
export function withoutFetching(app: App, json: string): string {
  return json.includes('/media_proxy/') ? json.replaceAll(permissions(app), '$1"') : json;
}

/** Only a whole JSON string or attribute is an address; what people write stays as it is. */
const permissions = perApp(({ config }) => {
  const base = config.baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`("${base}/media_proxy/[\w/-]+)\?fetch=[\w-]+"`, 'g');
});

type Sign = (purpose: 'shown' | 'fetched', url: string) => string;

const keys = perApp(() => ({ secret: undefined as Promise<Buffer> | undefined }));

async function signer(app: App): Promise<Sign> {
  const known = keys(app);
  // One secret of the server is enough: another purpose gives another key.
  known.secret ??= vapidKeys(app).then(({ privateKey }) =>
    createHmac('sha256', privateKey).update('media proxy').digest(),
  );
  const secret = await known.secret.catch((error: unknown) => {
    known.secret = undefined;
    throw error;
  });
  return (purpose, url) =>
    createHmac('sha256', secret).update(`${purpose}\n${url}`).digest().subarray(0, 18).toString('base64url');
}
