import type { JSONColumnType } from 'kysely';
import type { AccountId, MediaId, StatusId } from '../platform/ids.ts';

export type MediaType = 'image' | 'gifv' | 'video' | 'audio' | 'unknown';

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
    /** original, small, focus, colors, as MediaAttachment.meta of the client interface. */
    meta: JSONColumnType<Record<string, unknown>, string, string> | null;
    created_at: Date;
  };
}
