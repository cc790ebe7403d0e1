import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { isStorageKey } from '../../platform/storage/storage-keys.ts';

interface Row {
  readonly is_public: boolean;
}

const selectAttachmentByKey = preparedQuery<Row>()((db, { key }: { key: string }) => ({
  compile: () =>
    sql<Row>`select coalesce(status.visibility in ('public', 'unlisted') and status.deleted_at is null, false) as is_public
      from media_attachments attachment
      left join statuses status on status.id = attachment.status_id
      left join accounts author on author.id = attachment.account_id
      where (attachment.file_key = ${key} or attachment.preview_key = ${key}) and author.suspended_at is null
      limit 1`.compile(db),
}));

/**
 * Returns who may read a stored file. `public`: everyone. `private`: whoever has its address, which cannot be guessed (its
 * post is not public or unlisted, or not posted yet). `none`: its post was deleted or its author suspended.
 */
export async function findFileAccess(app: App, key: string): Promise<'public' | 'private' | 'none'> {
  if (!isStorageKey(key)) return 'none';
  // Avatars, headers, emojis and images of the site are public. Mastodon's attachments are in folders of other names.
  if (!/^(?:attachments|media_attachments|cache\/media_attachments)\//.test(key)) return 'public';
  const [row] = await selectAttachmentByKey(app, { key });
  if (row === undefined) return 'none';
  return row.is_public ? 'public' : 'private';
}
