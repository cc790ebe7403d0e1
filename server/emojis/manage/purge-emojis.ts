import { sql } from 'kysely';
import { deleteStoredFiles } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import type { EmojiRow } from '../find-emojis.ts';
import { emitEmojiChanged } from './lock-emoji.ts';

/** Emojis per transaction. */
const batchSize = 500;

export interface EmojiPurge {
  /** `local`, `remote` (of all domains), or one domain. */
  readonly of: 'local' | 'remote' | { readonly domain: string };
  /** Only counts. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Deletes all local custom emojis with their images, or remote ones, in batches; a remote emoji comes back with
 * the next post or profile that uses it. Returns how many.
 */
export async function purgeEmojis(app: App, staff: Staff, { of, dryRun = false }: EmojiPurge): Promise<number> {
  const meant = conditionOf(of);
  if (dryRun) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from custom_emojis where ${meant}`.execute(app.db);
    return rows[0]?.count ?? 0;
  }
  const label = typeof of === 'string' ? of : of.domain;
  await transaction(app, async (tx) => recordStaffAction(tx, staff, { target: 'custom_emoji', verb: 'purge', label }));
  let total = 0;
  for (let deleted = batchSize; deleted === batchSize; total += deleted) {
    const rows = await transaction(app, async (tx) => {
      const gone = await sql<EmojiRow>`
        delete from custom_emojis where id in (
          select id from custom_emojis where ${meant} order by id limit ${batchSize})
        returning *`.execute(tx.db);
      for (const row of gone.rows) emitEmojiChanged(tx, row);
      return gone.rows;
    });
    await deleteStoredFiles(
      app,
      rows.flatMap((row) => [row.image_key, row.static_key]),
    );
    deleted = rows.length;
  }
  return total;
}

function conditionOf(of: EmojiPurge['of']) {
  if (of === 'local') return sql`domain is null`;
  return of === 'remote' ? sql`domain is not null` : sql`domain = ${of.domain}`;
}
