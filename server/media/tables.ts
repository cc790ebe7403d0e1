import type { Generated, JSONColumnType, Selectable } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, MediaId, StatusId } from '../platform/ids.ts';
import type { MediaMeta } from './schema.ts';

export type MediaType = 'image' | 'gifv' | 'video' | 'audio' | 'unknown';

/**
 * Whether a local file can be shown: `waiting` is being processed, `failed` could not be processed. Remote ones are
 * `ready`.
 */
export type MediaState = 'waiting' | 'ready' | 'failed';

export interface MediaTables {
  media_attachments: {
    id: MediaId;
    account_id: AccountId | null;
    status_id: StatusId | null;
    type: MediaType;
    content_type: string | null;
    file_key: string | null;
    preview_key: string | null;
    remote_url: string | null;
    remote_preview_url: string | null;
    description: string | null;
    blurhash: string | null;
    /** original, small, focus, colors, as in MediaAttachment.meta. */
    meta: JSONColumnType<MediaMeta, string, string> | null;
    created_at: Date;
    state: Generated<MediaState>;
    /** Storage key of the uploaded file; only while it is `waiting`. */
    source_key: string | null;
    /** The scheduled status that reserved it. */
    scheduled_id: string | null;
    /** The draft that holds it: it is not cleaned up, but may still be changed and posted elsewhere. */
    draft_id: string | null;
    /** When its status released it; null if it was never posted. */
    released_at: Date | null;
    /** Size of a local file in bytes; null if unknown. */
    file_size: Generated<string | null>;
    /** SHA-256 of a local file as it was uploaded; null if unknown. */
    upload_hash: Generated<Buffer | null>;
    /** Secret part of its URLs at the proxy; remote files only. */
    proxy_token: Generated<string>;
  };
  /** Short codes of attachments in the addresses of their pages, from Mastodon. */
  media_shortcodes: { shortcode: string; media_id: MediaId };
  /** Progress of the clean-up of a storage folder. Without a row it starts from the beginning. */
  storage_sweeps: { folder: string; after: string };
}

export type MediaRow = Selectable<MediaTables['media_attachments']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<MediaTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends MediaTables {}
}
