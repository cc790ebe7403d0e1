import { sql } from 'kysely';
import { markDeleted } from '../../accounts/lifecycle/index.ts';
import { deleteRemoteEmojis } from '../../emojis/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, noId, type StatusId } from '../../platform/ids.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { purgeRemoteStatuses } from '../../statuses/remote/index.ts';
import { deleteFeedEntries } from '../../timelines/index.ts';
import { writable } from '../tables.ts';

/** Statuses per job. */
const statusBatchSize = 500;
/** Deliveries and received activities per job. */
const queueBatchSize = 1_000;
/** Accounts per job. */
const accountBatchSize = 10;

interface PurgeData {
  readonly domain: string;
  readonly untilId: AccountId;
  readonly fromId?: AccountId;
}

/** Deletes one batch. Returns where the next batch starts; undefined after the last one. */
export type PurgeStep = (app: App, data: PurgeData) => Promise<AccountId | undefined>;

/** Deletes some statuses of one account: the first one, by id, that still has statuses. */
export const purgeStatuses: PurgeStep = async (app, { domain, untilId, fromId = noId }) => {
  const { rows } = await sql<{ id: StatusId; account_id: AccountId }>`
    select status.id, status.account_id
    from (
      select id from accounts where domain = ${domain} and id >= ${fromId}::bigint and id <= ${untilId}::bigint
        and exists (select from statuses where account_id = accounts.id and deleted_at is null)
      order by id limit 1
    ) account join statuses status on status.account_id = account.id and status.deleted_at is null
    order by status.id limit ${statusBatchSize}`.execute(app.db);
  const [first] = rows;
  if (first === undefined) return undefined;
  const ids = rows.map(({ id }) => id);
  const shared = await findSharedStatuses(app, ids);
  for (const id of shared) await deleteStatus(app, id);
  await transaction(app, async (tx) => {
    const { rows: locked } = await sql<{ id: StatusId }>`
      select id from statuses where id = any(${ids.filter((id) => !shared.has(id))}::bigint[]) and not local
      order by id for update`.execute(tx.db);
    await deleteFeedEntries(
      tx,
      await purgeRemoteStatuses(
        tx,
        locked.map(({ id }) => id),
      ),
    );
  });
  return first.account_id;
};

/**
 * Returns the statuses that are part of local data: direct ones are in conversations, and others were reblogged or quoted by
 * local users. Their deletion is announced to clients and servers like any other.
 */
async function findSharedStatuses({ db }: App, ids: readonly StatusId[]): Promise<ReadonlySet<StatusId>> {
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses status where id = any(${ids}::bigint[]) and (visibility = 'direct'
      or exists (select from statuses reblog where reblog.reblog_of_id = status.id and reblog.local)
      or exists (select from quotes join statuses quoting on quoting.id = quotes.status_id
        where quotes.quoted_status_id = status.id and quoting.local))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Deletes a batch of accounts; jobs delete their follows, media and other data. */
export const purgeAccounts: PurgeStep = async (app, { domain, untilId }) => {
  const accounts = await app.db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', domain)
    .where('id', '<=', untilId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(accountBatchSize)
    .execute();
  for (const { id } of accounts) await transaction(app, (tx) => markDeleted(tx, app, id));
  return accounts.length < accountBatchSize ? undefined : accounts.at(-1)?.id;
};

/** Deletes a batch of the custom emojis of a domain and of the activities that wait for it, and what is known about it. */
export const purgeEmojisAndQueues: PurgeStep = (app, { domain, untilId }) =>
  transaction(app, async (tx) => {
    const { numAffectedRows: deliveries = 0n } = await sql`
      delete from deliveries where id in (select id from deliveries where host = ${domain} and leased_until is null
        limit ${queueBatchSize} for update skip locked)`.execute(tx.db);
    const { numAffectedRows: received = 0n } = await sql`
      delete from inbox_activities where id in (
        select id from inbox_activities where signer_host = ${domain} and leased_until is null
        limit ${queueBatchSize} for update skip locked)`.execute(tx.db);
    const hasMoreEmojis = await deleteRemoteEmojis(tx, domain);
    if (hasMoreEmojis || deliveries === BigInt(queueBatchSize) || received === BigInt(queueBatchSize)) return untilId;
    await writable(tx.db).deleteFrom('hosts').where('domain', '=', domain).execute();
    return undefined;
  });
