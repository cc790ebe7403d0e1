import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../platform/app.ts';
import type { MediaRow } from '../tables.ts';

/** Returns the SHA-256 of a file. */
export async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}

/** Returns the newest description that the owner of a file wrote for another upload of the same file. */
export async function findEarlierDescription(
  { db }: Pick<App, 'db'>,
  { id, account_id: accountId, upload_hash: hash }: MediaRow,
): Promise<string | null> {
  if (hash === null || accountId === null) return null;
  const earlier = await db
    .selectFrom('media_attachments')
    .select('description')
    .where('account_id', '=', accountId)
    .where('upload_hash', '=', hash)
    .where('id', '!=', id)
    .where('description', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return earlier?.description ?? null;
}
