import type { Insertable } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type MediaId, type StatusId } from '../../platform/ids.ts';
import { truncateText } from '../../text/index.ts';
import { isBlurhash } from './blurhash.ts';
import type { MediaMeta } from '../schema.ts';
import { writable, type MediaTables, type MediaType } from '../tables.ts';

/** A remote attachment as its post describes it. Untrusted until it is checked here. */
export interface RemoteMedia {
  /** Derived from the content type if undefined. */
  readonly type?: MediaType | undefined;
  readonly url: string;
  readonly previewUrl?: string | null | undefined;
  /** Alternative text. */
  readonly description?: string | null | undefined;
  readonly blurhash?: string | null | undefined;
  /** From -1 to 1, y upwards. */
  readonly focus?: { readonly x: number; readonly y: number } | null | undefined;
  /** Pixels. */
  readonly width?: number | null | undefined;
  readonly height?: number | null | undefined;
  /** Seconds. */
  readonly duration?: number | null | undefined;
  readonly contentType?: string | null | undefined;
}

const maxRemoteAttachments = 16;
const maxDescriptionLength = 10_000;
const maxUrlLength = 2_048;
const maxSidePixels = 100_000;

/** A checked attachment with its id, ready to be stored. */
export type PreparedRemoteMedia = Insertable<MediaTables['media_attachments']> & { readonly id: MediaId };

/**
 * Checks the attachments of a remote post (`statusId`) of `accountId` and returns them in order, without their files.
 * Returns at most 16, ignores those without an http(s) URL, and truncates descriptions to 10,000 characters.
 */
export function prepareRemoteMedia(
  app: App,
  accountId: AccountId,
  attachments: readonly RemoteMedia[],
  statusId: StatusId | null,
): PreparedRemoteMedia[] {
  const now = app.clock.now();
  return attachments
    .filter(({ url }) => isHttpUrl(url))
    .slice(0, maxRemoteAttachments)
    .map((media) => {
      const type = media.type ?? mediaTypeOf(media.contentType);
      const meta = buildMeta(media, type);
      return {
        id: newId<'media'>(now),
        account_id: accountId,
        status_id: statusId,
        type,
        content_type: normalizeContentType(media.contentType),
        remote_url: media.url,
        remote_preview_url: isHttpUrl(media.previewUrl) ? media.previewUrl : null,
        description: normalizeDescription(media.description),
        blurhash: typeof media.blurhash === 'string' && isBlurhash(media.blurhash) ? media.blurhash : null,
        meta: meta === undefined ? null : JSON.stringify(meta),
        created_at: now,
      };
    });
}

/** Stores attachments in one statement. Their posts may be stored later in the same transaction. */
export async function insertRemoteMedia({ db }: Transaction, media: readonly PreparedRemoteMedia[]): Promise<void> {
  if (media.length > 0) await writable(db).insertInto('media_attachments').values(media).execute();
}

/** Returns the kind of attachment for a content type; `unknown` if clients can only link to it. */
export function mediaTypeOf(contentType: string | null | undefined): MediaType {
  const [kind] = (contentType ?? '').toLowerCase().split('/', 1);
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'unknown';
}

function isHttpUrl(url: string | null | undefined): url is string {
  if (typeof url !== 'string' || url.length > maxUrlLength || !URL.canParse(url)) return false;
  return ['http:', 'https:'].includes(new URL(url).protocol);
}

function normalizeContentType(contentType: string | null | undefined): string | null {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';', 1);
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/.test(type.trim()) ? type.trim() : null;
}

const normalizeDescription = (text: string | null | undefined): string | null =>
  truncateText((text ?? '').replaceAll('\0', '').trim(), maxDescriptionLength) || null;

function buildMeta({ width, height, duration, focus }: RemoteMedia, type: MediaType): MediaMeta | undefined {
  const meta: MediaMeta = {};
  if (isSide(width) && isSide(height)) {
    const size = { width, height, size: `${width}x${height}`, aspect: width / height };
    meta.original = type === 'image' ? size : { width, height };
    if (type === 'image') meta.small = size;
  }
  if (isNumberBetween(duration, 0, 1e7)) meta.original = { ...meta.original, duration };
  if (isNumberBetween(focus?.x, -1, 1) && isNumberBetween(focus?.y, -1, 1)) meta.focus = { x: focus.x, y: focus.y };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

function isSide(pixels: number | null | undefined): pixels is number {
  return Number.isInteger(pixels) && isNumberBetween(pixels, 1, maxSidePixels);
}

function isNumberBetween(value: number | null | undefined, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}
