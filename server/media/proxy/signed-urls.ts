import type { App } from '../../platform/app.ts';
import { isEqualInConstantTime } from '../../platform/equal-in-constant-time.ts';
import { JsonSlot } from '../../platform/http/json-template.ts';
import type { AccountId, MediaId } from '../../platform/ids.ts';
import { loadSigner } from '../../site/index.ts';
import type { MediaRow } from '../tables.ts';

/** The files of an attachment that the proxy serves. */
export type MediaVersion = 'original' | 'small';

/** What a viewer may do with the files behind addresses of the media proxy. */
export interface MediaViewer {
  /** Whether the server fetches a file for the viewer that it does not have yet. */
  readonly canFetch: boolean;
  /** Returns what makes the address of an attachment of a restricted post work for the viewer. */
  readonly grantFor?: (id: MediaId) => string;
}

/** Without a token of a user, nothing is fetched. */
export const anonymousMediaViewer: MediaViewer = { canFetch: false };

/** For images and for attachments of posts that everyone may see. */
export const mediaViewerOf = (viewer: object | undefined): MediaViewer =>
  viewer ? fetchingViewer : anonymousMediaViewer;

const fetchingViewer: MediaViewer = { canFetch: true };

const weekMs = 7 * 86_400_000;

/**
 * Returns what a viewer may do, also with attachments of restricted posts. Their addresses name the viewer, so that each
 * request checks what it may see, and expire after one to two weeks. They change once a week, so that apps can cache what
 * is behind them.
 */
export async function loadMediaViewer(app: App, viewerId: AccountId | undefined): Promise<MediaViewer> {
  if (viewerId === undefined) return anonymousMediaViewer;
  const sign = await loadUrlSigner(app);
  const expires = (Math.floor(app.clock.now().getTime() / weekMs) + 2) * (weekMs / 1000);
  return {
    canFetch: true,
    grantFor: (id) => `${viewerId}-${expires}-${sign('viewer', `${id} ${viewerId} ${expires}`)}`,
  };
}

/** An address of the media proxy. Without a viewer who may fetch the file, it has no permission to do so. */
class ProxyUrl extends JsonSlot<MediaViewer> {
  readonly #plain: string;
  readonly #withPermission: string;

  constructor(url: string, permission: string) {
    super();
    this.#plain = url;
    this.#withPermission = JSON.stringify(`${url}?fetch=${permission}`);
  }

  override render({ canFetch }: MediaViewer): string | undefined {
    return canFetch ? this.#withPermission : undefined;
  }

  override toJSON(): string {
    return this.#plain;
  }
}

/** An address of an attachment of a restricted post: it works for one viewer. */
class RestrictedUrl extends JsonSlot<MediaViewer> {
  readonly #id: MediaId;
  readonly #base: string;

  constructor(id: MediaId, base: string) {
    super();
    this.#id = id;
    this.#base = base;
  }

  override render({ grantFor }: MediaViewer): string | undefined {
    return grantFor && JSON.stringify(`${this.#base}/${grantFor(this.#id)}`);
  }

  /** Without a grant the address leads nowhere, because the post is restricted. */
  override toJSON(): string {
    return this.#base;
  }
}

/** An address as cached: finished, or one of the proxy that depends on the viewer. */
export type MediaUrl = string | JsonSlot<MediaViewer>;

/** Returns an address as a viewer gets it. */
export function urlFor(url: MediaUrl, viewer: MediaViewer): string {
  return JSON.parse((url instanceof JsonSlot ? url.render(viewer) : undefined) ?? JSON.stringify(url));
}

/** Returns a function that makes the addresses of remote attachments. `isRestricted`: not everyone may see the post. */
export async function createAttachmentProxy(
  app: App,
): Promise<(row: MediaRow, version: MediaVersion, isRestricted: boolean) => MediaUrl> {
  const { baseUrl } = app.config;
  const sign = await loadUrlSigner(app);
  return ({ id, proxy_token }, version, isRestricted) => {
    const base = `${baseUrl}/media_proxy/${id}/${version}`;
    if (isRestricted) return new RestrictedUrl(id, base);
    return new ProxyUrl(`${base}/${sign('attachment', id)}`, proxy_token);
  };
}

/** The audience of an address: everyone, or one viewer until it expires. Undefined if this instance did not issue it. */
export async function verifyGrant(
  app: App,
  id: MediaId,
  grant: string,
): Promise<'everyone' | { readonly viewerId: AccountId } | undefined> {
  const sign = await loadUrlSigner(app);
  if (isEqualInConstantTime(grant, sign('attachment', id))) return 'everyone';
  const [, viewerId, expires, signature] = /^(\d{1,20})-(\d{1,12})-([\w-]+)$/.exec(grant) ?? [];
  if (viewerId === undefined || expires === undefined || signature === undefined) return undefined;
  if (!isEqualInConstantTime(signature, sign('viewer', `${id} ${viewerId} ${expires}`))) return undefined;
  return Number(expires) * 1000 > app.clock.now().getTime() ? { viewerId: viewerId as AccountId } : undefined;
}

/** Returns the proxy address of a remote image (avatar, header, emoji, card); its own address if nothing is proxied. */
export async function buildProxyUrl(app: App, url: string): Promise<MediaUrl> {
  return (await createImageProxy(app))(url);
}

/** Returns `buildProxyUrl` for many images. */
export async function createImageProxy(app: App): Promise<(url: string) => MediaUrl> {
  const { baseUrl, MEDIA_CACHE_SIZE } = app.config;
  const sign = await loadUrlSigner(app);
  return (url) => {
    if (MEDIA_CACHE_SIZE === 0 || url.length > maxUrlLength || !/^https?:\/\//i.test(url)) return url;
    const encoded = Buffer.from(url).toString('base64url');
    return new ProxyUrl(`${baseUrl}/media_proxy/url/${sign('shown', url)}/${encoded}`, sign('fetched', url));
  };
}

/** Longer URLs do not fit into a path. */
const maxUrlLength = 1_400;

/** A verified address of `createImageProxy`. */
export interface SignedUrl {
  readonly url: string;
  readonly canFetch: boolean;
}

/** Verifies the parts of an address of `createImageProxy`. Returns undefined if this instance did not issue it. */
export async function verifySignedUrl(
  app: App,
  parts: { shown: string; encoded: string; fetched: string | undefined },
): Promise<SignedUrl | undefined> {
  const url = Buffer.from(parts.encoded, 'base64url').toString();
  const sign = await loadUrlSigner(app);
  if (!isEqualInConstantTime(parts.shown, sign('shown', url))) return undefined;
  return { url, canFetch: parts.fetched !== undefined && isEqualInConstantTime(parts.fetched, sign('fetched', url)) };
}

/** The signed text: proves that this instance issued the address, for which viewer, and whether its file may be fetched. */
type Purpose = 'attachment' | 'viewer' | 'shown' | 'fetched';
type Sign = (purpose: Purpose, text: string) => string;

async function loadUrlSigner(app: App): Promise<Sign> {
  const sign = await loadSigner(app, 'media proxy');
  return (purpose, text) => sign(`${purpose}\n${text}`);
}
