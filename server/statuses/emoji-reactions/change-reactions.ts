import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../../platform/ids.ts';
import { statusChanged } from '../events.ts';
import { writable } from '../tables.ts';
import { statusReacted, statusUnreacted } from './events.ts';

/** Reactions of one account to one status, as in glitch-soc. */
export const maxReactions = 8;
/** Different emojis per status, so that other servers cannot add any number. */
const maxEmojis = 100;

/** A Unicode emoji, or the shortcode of a custom one of this domain; '': local. */
export interface ReactionEmoji {
  readonly name: string;
  readonly domain: string;
}

export interface NewReaction extends ReactionEmoji {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  /** ActivityPub id of a remote one. */
  readonly uri: string | null;
}

/** Stores and counts a reaction. No-op if it exists. Throws 404 for a deleted status, 422 beyond the limits. */
export function insertReaction(app: App, reaction: NewReaction): Promise<void> {
  const { accountId, statusId, name, domain, uri } = reaction;
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const statusLocal = await lockStatus(tx, statusId);
    if (!(await assertRoom(tx, reaction))) return;
    const id = newId<'row'>(now);
    const row = { status_id: statusId, name, domain };
    await writable(tx.db)
      .insertInto('status_reactions')
      .values({ ...row, id, account_id: accountId, uri, created_at: now })
      .execute();
    await writable(tx.db)
      .insertInto('status_reaction_counts')
      .values({ ...row, count: 1, created_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['status_id', 'name', 'domain'])
          .doUpdateSet((eb) => ({ count: eb('status_reaction_counts.count', '+', 1) })),
      )
      .execute();
    tx.emit(statusChanged({ statusId }));
    tx.emit(statusReacted({ reactionId: id, statusId, accountId, statusLocal, name }));
  });
}

/** Locks a status, so that its counts are stable, and returns whether it is local. */
async function lockStatus({ db }: Transaction, id: StatusId): Promise<boolean> {
  const status = await db
    .selectFrom('statuses')
    .select('local')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound());
  return status.local;
}

/** Returns false if the reaction exists. Throws 422 beyond the limits. */
async function assertRoom({ db }: Transaction, { accountId, statusId, name, domain }: NewReaction): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean; own: number; emojis: number; known: boolean }>`
    select coalesce(bool_or(r.name = ${name} and r.domain = ${domain}), false) as exists, count(*)::int as own,
      (select count(*)::int from status_reaction_counts c where c.status_id = ${statusId}) as emojis,
      exists (select from status_reaction_counts c
        where c.status_id = ${statusId} and c.name = ${name} and c.domain = ${domain}) as known
    from status_reactions r where r.status_id = ${statusId} and r.account_id = ${accountId}`.execute(db);
  const [{ exists, own, emojis, known } = { exists: false, own: 0, emojis: 0, known: false }] = rows;
  if (exists) return false;
  if (own >= maxReactions) throw validationFailed('statuses.tooManyReactions', { max: maxReactions });
  if (!known && emojis >= maxEmojis) throw validationFailed('statuses.tooManyReactions', { max: maxEmojis });
  return true;
}

interface DeletedReaction {
  readonly id: RowId;
  readonly status_id: StatusId;
  readonly name: string;
  readonly domain: string;
  readonly local: boolean;
}

/** Deletes a reaction. Returns false if there is none. */
export function deleteReaction(
  app: App,
  { accountId, statusId, name, domain }: Omit<NewReaction, 'uri'>,
): Promise<boolean> {
  return deleteReactions(app, accountId, {
    limit: 1,
    matching: sql`status_id = ${statusId} and name = ${name} and domain = ${domain}`,
  });
}

/** Deletes the reaction of a remote account with this ActivityPub id. Returns false if there is none. */
export async function deleteReactionByUri(app: App, accountId: AccountId, uri: string): Promise<boolean> {
  // Nearly all undone Likes are favourites.
  if ((await selectByUri(app, { uri, accountId })).length === 0) return false;
  return deleteReactions(app, accountId, { limit: 1, matching: sql`uri = ${uri}` });
}

const selectByUri = batchedQuery<{ found: true }>()<{ uri: string; accountId: AccountId }>(
  { uri: 'text', accountId: 'bigint' },
  ({ uri, accountId }) =>
    sql`select true as found from status_reactions where account_id = ${accountId} and uri = ${uri} limit 1`,
  { batchSize: 128 },
);

/** Deletes up to `limit` reactions of an account. Returns whether there may be more. */
export const deleteAccountReactions = (app: App, accountId: AccountId, limit: number): Promise<boolean> =>
  deleteReactions(app, accountId, { limit, matching: sql`true` });

/** Returns whether `limit` reactions were deleted. */
function deleteReactions(
  app: App,
  accountId: AccountId,
  { limit, matching }: { readonly limit: number; readonly matching: ReturnType<typeof sql> },
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<DeletedReaction>`
      with deleted as (
        delete from status_reactions where id in (
          select id from status_reactions where account_id = ${accountId}::bigint and ${matching} limit ${limit})
        returning id, status_id, name, domain
      ), counted as (
        update status_reaction_counts as c set count = c.count - 1 from deleted d
        where c.status_id = d.status_id and c.name = d.name and c.domain = d.domain
      )
      select d.id, d.status_id, d.name, d.domain, s.local from deleted d join statuses s on s.id = d.status_id
      order by d.status_id`.execute(tx.db);
    if (rows.length === 0) return false;
    await writable(tx.db)
      .deleteFrom('status_reaction_counts')
      .where(sql<boolean>`status_id = any(${rows.map((row) => row.status_id)}::bigint[])`)
      .where('count', '<=', 0)
      .execute();
    for (const { id: reactionId, status_id: statusId, name, local: statusLocal } of rows) {
      tx.emit(statusChanged({ statusId }));
      tx.emit(statusUnreacted({ reactionId, statusId, accountId, statusLocal, name }));
    }
    return rows.length === limit;
  });
}
