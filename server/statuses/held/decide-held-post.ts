import { sql } from 'kysely';
import { releaseReservedMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { conflict } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';

/**
 * Marks a held post as approved, in the transaction that publishes it as `statusId`, so that it is published once. Moves
 * its idempotency key to the status. Throws 409 if it was decided or withdrawn meanwhile.
 */
export async function claimHeldPost(tx: Transaction, app: App, id: StatusId, statusId: StatusId): Promise<void> {
  await decide(tx, app, id, { state: 'approved', statusId });
  await sql`update idempotency_keys set status_id = ${statusId}
    where status_id = ${id} and account_id = (select account_id from held_posts where id = ${id})`.execute(tx.db);
}

/** Marks a held post as rejected. Its files can be posted for another day. Throws 409 if it was decided meanwhile. */
export async function rejectHeldPost(tx: Transaction, app: App, id: StatusId): Promise<void> {
  await decide(tx, app, id, { state: 'rejected', statusId: null });
  await releaseReservedMedia(tx, app, id);
}

async function decide(
  { db }: Transaction,
  app: App,
  id: StatusId,
  { state, statusId }: { readonly state: 'approved' | 'rejected'; readonly statusId: StatusId | null },
): Promise<void> {
  const row = await db
    .updateTable('held_posts')
    .set({ state, status_id: statusId, decided_at: app.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw conflict('heldPosts.decided');
}
