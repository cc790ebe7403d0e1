import { createHmac, timingSafeEqual } from 'node:crypto';
import { perApp, type App } from '../../platform/app.ts';
import type { AccountId, MediaId } from '../../platform/ids.ts';
import { vapidKeys } from '../../site/index.ts';
import type { MediaRow } from '../tables.ts';

/** The files of an attachment that the proxy serves. */
export type MediaVersion = 'original' | 'small';

/**
 * Returns a function that makes the proxy's addresses of remote attachments, as they appear in JSON that is the same for
 * every viewer. They serve attachments of public and unlisted posts only; `grantViewer` makes them serve others. They
 * carry the permission to fetch the file, which `withoutFetching` removes for visitors who are not signed in.
 */
export async function createAttachmentProxy(app: App): Promise<(row: MediaRow, version: MediaVersion) => string> {
  const { baseUrl } = app.config;
  const sign = await loadSigner(app);
  return ({ id, proxy_token }, version) =>
    `${baseUrl}/media_proxy/${id}/${version}/${sign('attachment', id)}?fetch=${proxy_token}`;
}

const weekMs = 7 * 86_400_000;

/**
 * Returns a function that rewrites the addresses of `attachmentProxy` in JSON for one viewer. The new addresses name the
 * viewer, so that each request checks what it may see, and expire after one to two weeks. They change once a week, so
 * that apps can cache what is behind them.
 */
export async function signForViewer(app: App, viewerId: AccountId): Promise<(json: string) => string> {
  const sign = await loadSigner(app);
  const expires = (Math.floor(app.clock.now().getTime() / weekMs) + 2) * (weekMs / 1000);
  return (json) =>
    json.replaceAll(
      attachmentUrlPattern(app),
      (_match, address: string, id: string) =>
        `"${address}/${viewerId}-${expires}-${sign('viewer', `${id} ${viewerId} ${expires}`)}"`,
    );
}

/** Whole JSON strings only: what people write stays as it is. */
const attachmentUrlPattern = perApp(
  (app) =>
    new RegExp(String.raw`"(${escapedBaseUrl(app)}/media_proxy/(\d+)/(?:original|small))/[\w-]+\?fetch=[\w-]+"`, 'g'),
);

/** The audience of an address: everyone, or one viewer until it expires. Undefined if this instance did not issue it. */
export async function verifyGrant(
  app: App,
  id: MediaId,
  grant: string,
): Promise<'everybody' | { readonly viewerId: AccountId } | undefined> {
  const sign = await loadSigner(app);
  if (isEqualInConstantTime(grant, sign('attachment', id))) return 'everybody';
  const [, viewerId, expires, signature] = /^(\d{1,20})-(\d{1,12})-([\w-]+)$/.exec(grant) ?? [];
  if (viewerId === undefined || expires === undefined || signature === undefined) return undefined;
  if (!isEqualInConstantTime(signature, sign('viewer', `${id} ${viewerId} ${expires}`))) return undefined;
  return Number(expires) * 1000 > app.clock.now().getTime() ? { viewerId: viewerId as AccountId } : undefined;
}

/**
 * Address of any other picture of another server (an avatar, a header) at the proxy of this server; the address itself
 * when nothing is kept here. Carries the permission to fetch it, like those of `attachmentProxy`.
 */
export async function buildProxyUrl(app: App, url: string): Promise<string> {
  return (await createImageProxy(app))(url);
}

/** `proxiedUrl` for many pictures, with what it takes to sign at hand. */
export async function createImageProxy(app: App): Promise<(url: string) => string> {
  const { baseUrl, MEDIA_CACHE_SIZE } = app.config;
  const sign = await loadSigner(app);
  return (url) => {
    if (MEDIA_CACHE_SIZE === 0 || url.length > maxUrlLength || !/^https?:\/\//i.test(url)) return url;
    const encoded = Buffer.from(url).toString('base64url');
    return `${baseUrl}/media_proxy/url/${sign('shown', url)}/${encoded}?fetch=${sign('fetched', url)}`;
  };
}

/** Longer ones do not fit into a path. */
const maxUrlLength = 1_400;

/** What an address made by `proxiedUrl` says. */
export interface SignedUrl {
  readonly url: string;
  readonly canFetch: boolean;
}

/** Reads the parts of an address made by `proxiedUrl`; undefined when this server has not made it. */
export async function verifySignedUrl(
  app: App,
  parts: { shown: string; encoded: string; fetched: string | undefined },
): Promise<SignedUrl | undefined> {
  const url = Buffer.from(parts.encoded, 'base64url').toString();
  const sign = await loadSigner(app);
  if (!isEqualInConstantTime(parts.shown, sign('shown', url))) return undefined;
  return { url, canFetch: parts.fetched !== undefined && isEqualInConstantTime(parts.fetched, sign('fetched', url)) };
}

/** Compares secrets in a time that tells nothing of where they differ. */
export function isEqualInConstantTime(given: string, known: string): boolean {
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
const permissions = perApp(
  (app) => new RegExp(String.raw`("${escapedBaseUrl(app)}/media_proxy/[\w/-]+)\?fetch=[\w-]+"`, 'g'),
);

const escapedBaseUrl = ({ config }: App): string => config.baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The signed text: proves that this instance issued the address, for which viewer, and whether its file may be fetched. */
type Purpose = 'attachment' | 'viewer' | 'shown' | 'fetched';
type Sign = (purpose: Purpose, text: string) => string;

const secretCache = perApp(() => ({ secret: undefined as Promise<Buffer> | undefined }));

async function loadSigner(app: App): Promise<Sign> {
  const known = secretCache(app);
  // One secret of the server is enough: another purpose gives another key.
  known.secret ??= vapidKeys(app).then(({ privateKey }) =>
    createHmac('sha256', privateKey).update('media proxy').digest(),
  );
  const secret = await known.secret.catch((error: unknown) => {
    known.secret = undefined;
    throw error;
  });
  return (purpose, text) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest().subarray(0, 18).toString('base64url');
}
