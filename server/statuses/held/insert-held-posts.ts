import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { writable, type HeldParams, type HeldPreview } from '../tables.ts';
import { statusHeld } from './events.ts';

/** Pending posts of one account, and of one remote domain. */
const maxOfAccount = 100;
const maxOfDomain = 1_000;

/** A post to hold, as it is stored. */
export interface NewHeldPost {
  readonly id: StatusId;
  readonly accountId: AccountId;
  /** Null: local. */
  readonly domain: string | null;
  /** Of a remote post. */
  readonly uri: string | null;
  /** The first post of the thread that is decided as a whole. */
  readonly threadId?: StatusId | undefined;
  readonly params: HeldParams;
  readonly preview: HeldPreview;
}

/** Whether a number of further posts may wait. Locks the account. */
export async function hasRoom(
  { db }: Transaction,
  { accountId, domain, posts = 1 }: { readonly accountId: AccountId; readonly domain: string | null; posts?: number },
): Promise<boolean> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ fits: boolean }>`
    select (select count(*) from (
        select from held_posts where account_id = ${accountId} and state = 'pending' limit ${maxOfAccount}) own)
        + ${posts} <= ${maxOfAccount}
      and (select count(*) from (
        select from held_posts where domain = ${domain}::text and state = 'pending' limit ${maxOfDomain}) others)
        < ${maxOfDomain} as fits`.execute(db);
  return rows[0]?.fits === true;
}

/**
 * Stores held posts of one author and returns the ids of those that were not held before. A later version of a remote
 * post replaces one that still waits.
 */
export async function insertHeldPosts(
  { db, emit }: Transaction,
  app: App,
  posts: readonly NewHeldPost[],
): Promise<readonly StatusId[]> {
  const rows = await writable(db)
    .insertInto('held_posts')
    .values(
      posts.map(({ id, accountId, domain, uri, threadId, params, preview }) => ({
        id,
        account_id: accountId,
        domain,
        uri,
        thread_id: threadId ?? null,
        state: 'pending' as const,
        params: JSON.stringify(params),
        preview: JSON.stringify(preview),
        status_id: null,
        created_at: app.clock.now(),
        decided_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('uri')
        .where('uri', 'is not', null)
        .doUpdateSet(({ ref }) => ({ params: ref('excluded.params'), preview: ref('excluded.preview') }))
        .where('held_posts.state', '=', 'pending')
        .whereRef('held_posts.account_id', '=', 'excluded.account_id')
        .where(sql<boolean>`excluded.params -> 'remote' ? 'updatedAt'`),
    )
    .returning('id')
    .execute();
  const stored = new Set(rows.map(({ id }) => id));
  const isNew = posts.filter(({ id }) => stored.has(id));
  for (const { id: heldId, accountId } of isNew) emit(statusHeld({ heldId, accountId }));
  return isNew.map(({ id }) => id);
}
