import { sql } from 'kysely';
import { releaseReservedMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { conflict } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import type { HeldPostRow } from './find-held-posts.ts';

/**
 * Marks a held post as approved, in the transaction that publishes it as `statusId`, so that it is published once. Moves
 * its idempotency key to the status. Throws 409 if it was decided or withdrawn meanwhile.
 */
export async function claimHeldPost({ db }: Transaction, app: App, id: StatusId, statusId: StatusId): Promise<void> {
  await writable(db)
    .updateTable('held_posts')
    .set({ state: 'approved', status_id: statusId, decided_at: app.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirstOrThrow(() => conflict('heldPosts.decided'));
  await sql`update idempotency_keys set status_id = ${statusId}
    where status_id = ${id} and account_id = (select account_id from held_posts where id = ${id})`.execute(db);
}

/** Like `claimHeldPost` for all posts of a thread. */
export async function claimHeldThread(
  { db }: Transaction,
  app: App,
  accountId: AccountId,
  posts: readonly { readonly heldId: StatusId; readonly statusId: StatusId }[],
): Promise<void> {
  const heldIds = posts.map(({ heldId }) => heldId);
  const statusIds = posts.map(({ statusId }) => statusId);
  await db.selectFrom('held_posts').select('id').where('id', 'in', heldIds).orderBy('id').forUpdate().execute();
  const { rows } = await sql`
    update held_posts set state = 'approved', status_id = published.status_id, decided_at = ${app.clock.now()}
    from unnest(${heldIds}::bigint[], ${statusIds}::bigint[]) as published(held_id, status_id)
    where held_posts.id = published.held_id and held_posts.state = 'pending'
    returning held_posts.id`.execute(db);
  if (rows.length < posts.length) throw conflict('heldPosts.decided');
  await sql`update idempotency_keys set status_id = ${statusIds[0]}, thread_ids = ${statusIds}::bigint[]
    where account_id = ${accountId} and thread_ids && ${heldIds}::bigint[]`.execute(db);
}

/**
 * Marks a held post, or all pending posts of its thread, as rejected and returns them. Their files can be posted for
 * another day. Throws 409 if it was decided meanwhile.
 */
export async function rejectHeldPosts(
  tx: Transaction,
  app: App,
  { id, thread_id: threadId }: HeldPostRow,
): Promise<HeldPostRow[]> {
  const rows = await tx.db
    .selectFrom('held_posts')
    .selectAll()
    .where(threadId === null ? 'id' : 'thread_id', '=', threadId ?? id)
    .where('state', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!rows.some((row) => row.id === id)) throw conflict('heldPosts.decided');
  const ids = rows.map((row) => row.id);
  await writable(tx.db)
    .updateTable('held_posts')
    .set({ state: 'rejected', decided_at: app.clock.now() })
    .where('id', 'in', ids)
    .execute();
  await releaseReservedMedia(tx, app, ...ids);
  return rows;
}
