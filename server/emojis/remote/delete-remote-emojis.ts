import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { remoteEmojiChanged } from '../events.ts';

/** Emojis per call. */
const batchSize = 500;

/** Deletes a batch of the emojis of a domain. Returns whether there may be more. */
export async function deleteRemoteEmojis({ db, emit }: Transaction, domain: string): Promise<boolean> {
  const { rows } = await sql<{ shortcode: string }>`
    delete from custom_emojis where id in (
      select id from custom_emojis where domain = ${domain} order by id limit ${batchSize})
    returning shortcode`.execute(db);
  for (const { shortcode } of rows) emit(remoteEmojiChanged({ domain, shortcode }));
  return rows.length === batchSize;
}
