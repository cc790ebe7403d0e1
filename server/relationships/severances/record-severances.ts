import { sql, type RawBuilder } from 'kysely';
import { domainSuspended } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { newId, type AccountId, type RowId } from '../../platform/ids.ts';
import { relationshipsSevered } from '../events.ts';
import { writable } from '../tables.ts';
import type { RelationshipSeveranceEvent, SeveranceId } from './schema.ts';

/** What cut the follows. */
export interface SeveranceCause {
  /** The block or the event: a cause counts once for each account. */
  readonly id: RowId;
  readonly type: RelationshipSeveranceEvent['type'];
  /** The domain, or the address of the account. */
  readonly targetName: string;
}

/** The number of follows that an account lost. */
interface LostCounts {
  readonly accountId: AccountId;
  readonly followers: number;
  readonly following: number;
}

/** A follow that is lost. */
export interface LostFollow {
  readonly account_id: AccountId;
  readonly target_account_id: AccountId;
  readonly show_reblogs: boolean;
  readonly notify: boolean;
  readonly languages: string[] | null;
}

/** Adds follows that an account lost by a cause. `emitSeverance` follows when nothing more is added. */
export async function addLostFollows(
  { db }: Transaction,
  { id, type, targetName }: SeveranceCause,
  { accountId, follows }: { readonly accountId: AccountId; readonly follows: readonly LostFollow[] },
  now: Date,
): Promise<void> {
  if (follows.length === 0) return;
  const following = follows.filter((follow) => follow.account_id === accountId).length;
  const severance = await writable(db)
    .insertInto('relationship_severances')
    .values({
      id: newId<'severance'>(now),
      account_id: accountId,
      type,
      target_name: targetName,
      cause_id: id,
      followers_count: follows.length - following,
      following_count: following,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'cause_id']).doUpdateSet({
        followers_count: sql`relationship_severances.followers_count + excluded.followers_count`,
        following_count: sql`relationship_severances.following_count + excluded.following_count`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await writable(db)
    .insertInto('severed_follows')
    .values(
      follows.map(({ account_id, target_account_id, show_reblogs, notify, languages }) => ({
        severance_id: severance.id,
        account_id: account_id === accountId ? target_account_id : account_id,
        is_follower: account_id !== accountId,
        show_reblogs,
        notify,
        languages,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Emits `relationshipsSevered` for what an account lost by a cause, if it lost anything. */
export async function emitSeverance(app: App, accountId: AccountId, causeId: RowId): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    const severance = await db
      .selectFrom('relationship_severances')
      .select('id')
      .where('account_id', '=', accountId)
      .where('cause_id', '=', causeId)
      .executeTakeFirst();
    if (severance !== undefined) emit(relationshipsSevered({ severanceId: severance.id, accountId }));
  });
}

/** Accounts in one transaction. */
const batchSize = 500;

/**
 * Records what local accounts lost when staff suspended a domain. Their follows stay stored, without effect, and return
 * if the suspension is lifted.
 */
export const recordSeverances = later('background', [domainSuspended], {
  name: 'relationship.record_severances',
  run: async (app, { id, domain }) => {
    const isSuspended = sql<boolean>`suspended.domain = ${domain} and suspended.suspension_origin = 'domain'`;
    await insertAllSeverances(app, { id, type: 'domain_block', targetName: domain }, isSuspended);
  },
});

/** Records what each local account lost. `isSuspended`: condition for the accounts `suspended`. */
export async function insertAllSeverances(
  app: App,
  cause: SeveranceCause,
  isSuspended: RawBuilder<boolean>,
): Promise<void> {
  const lost = await countLostFollows(app, isSuspended);
  for (let start = 0; start < lost.length; start += batchSize)
    await insertSeverances(app, cause, isSuspended, lost.slice(start, start + batchSize));
}

/** Counts the follows between each local account and the suspended ones. */
async function countLostFollows(app: App, isSuspended: RawBuilder<boolean>): Promise<LostCounts[]> {
  const { rows } = await sql<LostCounts>`
    select follow.account_id as "accountId", sum(follow.followers)::int as followers,
      sum(follow.following)::int as following
    from accounts suspended cross join lateral (
      select f.account_id, 0 as followers, 1 as following from follows f where f.target_account_id = suspended.id
      union all
      select f.target_account_id, 1, 0 from follows f where f.account_id = suspended.id
    ) follow join accounts local on local.id = follow.account_id
    where ${isSuspended} and local.domain is null and local.deleted_at is null
    group by follow.account_id order by follow.account_id`.execute(app.db);
  return rows;
}

async function insertSeverances(
  app: App,
  cause: SeveranceCause,
  isSuspended: RawBuilder<boolean>,
  lost: readonly LostCounts[],
): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db, emit }) => {
    const { rows } = await sql<{ id: SeveranceId; account_id: AccountId }>`
      insert into relationship_severances
        (id, account_id, type, target_name, cause_id, followers_count, following_count, created_at)
      select id, account_id, ${cause.type}, ${cause.targetName}, ${cause.id}::bigint, followers, following,
        ${now}::timestamptz
      from unnest(
        ${lost.map(() => newId<'severance'>(now))}::bigint[], ${lost.map(({ accountId }) => accountId)}::bigint[],
        ${lost.map(({ followers }) => followers)}::int[], ${lost.map(({ following }) => following)}::int[]
      ) as lost (id, account_id, followers, following)
      on conflict (account_id, cause_id) do nothing
      returning id, account_id`.execute(db);
    await insertLostFollows(db, isSuspended, rows);
    for (const { id, account_id } of rows) emit(relationshipsSevered({ severanceId: id, accountId: account_id }));
  });
}

/** Copies the follows between these accounts and the suspended ones. */
async function insertLostFollows(
  db: Transaction['db'],
  isSuspended: RawBuilder<boolean>,
  severances: readonly { readonly id: SeveranceId; readonly account_id: AccountId }[],
): Promise<void> {
  if (severances.length === 0) return;
  await sql`
    insert into severed_follows (severance_id, account_id, is_follower, show_reblogs, notify, languages)
    select severance.id, suspended.id, follow.is_follower, follow.show_reblogs, follow.notify, follow.languages
    from unnest(
      ${severances.map(({ id }) => id)}::bigint[], ${severances.map(({ account_id: id }) => id)}::bigint[]
    ) as severance (id, account_id) cross join lateral (
      select target_account_id as other_id, false as is_follower, show_reblogs, notify, languages
      from follows where account_id = severance.account_id
      union all
      select account_id, true, show_reblogs, notify, languages
      from follows where target_account_id = severance.account_id
    ) follow join accounts suspended on suspended.id = follow.other_id
    where ${isSuspended}
    on conflict do nothing`.execute(db);
}
