import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { isStorageKey } from '../platform/storage-keys.ts';

interface Row {
  readonly is_public: boolean;
}

const attachmentsOf = prepared<Row>()((db, { key }: { key: string }) => ({
  compile: () =>
    sql<Row>`select coalesce(status.visibility in ('public', 'unlisted') and status.deleted_at is null, false) as is_public
      from media_attachments attachment
      left join statuses status on status.id = attachment.status_id
      left join accounts author on author.id = attachment.account_id
      where (attachment.file_key = ${key} or attachment.preview_key = ${key}) and author.suspended_at is null
      limit 1`.compile(db),
}));

/**
 * The audience of a stored file: `everybody`; `holder`, whoever has its address, which cannot be guessed (files of posts
 * that not everybody may see, or that are not posted yet); or `nobody` (its post was deleted, its author suspended).
 */
export async function accessTo(app: App, key: string): Promise<'everybody' | 'holder' | 'nobody'> {
  if (!isStorageKey(key)) return 'nobody';
  // Pictures of people and emojis are shown to everybody.
  if (!key.startsWith('attachments/')) return 'everybody';
  const [row] = await attachmentsOf(app, { key });
  if (row === undefined) return 'nobody';
  return row.is_public ? 'everybody' : 'holder';
}
