import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { normalizeDomain } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type RowId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { emitFollowDeleted, deleteFollows, type FollowPair } from '../follow/delete-follows.ts';
import { domainBlocked, domainUnblocked, relationsChanged } from '../events.ts';
import { addLostFollows, emitSeverance, type LostFollow } from '../severances/record-severances.ts';
import { blocksDomainSql } from '../rules/relation-rules.ts';
import { writable } from '../tables.ts';

/** Follows deleted in one transaction. */
const batchSize = 100;

/** Returns the domain as stored (lower case, punycode). Throws 422 for an invalid domain and for the local one. */
export function parseBlockableDomain(app: App, domain: string): string {
  const normalized = normalizeDomain(domain.trim());
  if (normalized === undefined) throw invalidField('domain', 'problems.notDomain');
  if (normalized === app.config.domain || normalized === app.config.webDomain) {
    throw invalidField('domain', 'problems.yourServer');
  }
  return normalized;
}

/**
 * Blocks a domain for an account (UDB-01). A job ends the follows in both directions. Idempotent. Throws as
 * `parseBlockableDomain`.
 */
export async function blockDomain(app: App, accountId: AccountId, domainName: string): Promise<void> {
  const domain = parseBlockableDomain(app, domainName);
  await transaction(app, async (tx) => {
    const now = app.clock.now();
    const block = await writable(tx.db)
      .insertInto('account_domain_blocks')
      .values({ id: newId<'row'>(now), account_id: accountId, domain, created_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'domain']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (block === undefined) return;
    tx.emit(domainBlocked({ accountId, domain }));
    tx.enqueue(deleteFollowsWithDomain({ accountId, domain, blockId: block.id }));
    tx.emit(relationsChanged({ accountId }));
  });
}

/** Removes a domain block. No-op if there is none. Does not restore follows. */
export async function unblockDomain(app: App, accountId: AccountId, domainName: string): Promise<void> {
  const domain = parseBlockableDomain(app, domainName);
  await transaction(app, async (tx) => {
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('account_domain_blocks')
      .where('account_id', '=', accountId)
      .where('domain', '=', domain)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    tx.emit(domainUnblocked({ accountId, domain }));
    tx.emit(relationsChanged({ accountId }));
  });
}

/**
 * Deletes follows and requests between an account and a domain that it blocks, in batches. Records the lost follows;
 * jobs of earlier versions have no `blockId`.
 */
export const deleteFollowsWithDomain = defineJob(
  'relationship.delete_follows_with_domain',
  Type.Object({ accountId: idSchema<'account'>(), domain: Type.String(), blockId: Type.Optional(idSchema<'row'>()) }),
  async (app, block) => {
    while (await transaction(app, (tx) => deleteFollowsBatch(tx, app, block)));
    if (block.blockId !== undefined) await emitSeverance(app, block.accountId, block.blockId);
  },
  'background',
);

async function deleteFollowsBatch(
  tx: Transaction,
  app: App,
  { accountId, domain, blockId }: { accountId: AccountId; domain: string; blockId?: RowId },
): Promise<boolean> {
  const { rows } = await sql<FollowPair & { blocked: boolean }>`
    select f.account_id as "accountId", f.target_account_id as "targetId",
      ${blocksDomainSql(sql`${accountId}::bigint`, sql`${domain}`)} as blocked
    from (
      (select account_id, target_account_id, target_account_id as other from follows where account_id = ${accountId}::bigint)
      union all
      (select account_id, target_account_id, account_id from follows where target_account_id = ${accountId}::bigint)
      union all
      (select account_id, target_account_id, target_account_id from follow_requests where account_id = ${accountId}::bigint)
      union all
      (select account_id, target_account_id, account_id from follow_requests where target_account_id = ${accountId}::bigint)
    ) f join accounts on accounts.id = f.other
    where accounts.domain = ${domain}
    limit ${batchSize}`.execute(tx.db);
  // The account may have unblocked the domain since.
  if (rows.length === 0 || rows.some(({ blocked }) => !blocked)) return false;
  const follows = blockId === undefined ? [] : await loadFollows(tx, rows);
  const deleted = await deleteFollows(tx, rows);
  for (const ended of deleted) emitFollowDeleted(tx, accountId, ended);
  if (blockId !== undefined) {
    const ids = new Set(deleted.map(({ id }) => id));
    const cause = { id: blockId, type: 'user_domain_block', targetName: domain } as const;
    const lost = { accountId, follows: follows.filter(({ id }) => ids.has(id)) };
    await addLostFollows(tx, cause, lost, app.clock.now());
  }
  return true;
}

async function loadFollows({ db }: Transaction, pairs: readonly FollowPair[]): Promise<(LostFollow & { id: RowId })[]> {
  return db
    .selectFrom('follows')
    .select(['id', 'account_id', 'target_account_id', 'show_reblogs', 'notify', 'languages'])
    .where(
      sql<boolean>`(account_id, target_account_id) in (select * from unnest(
        ${pairs.map(({ accountId }) => accountId)}::bigint[], ${pairs.map(({ targetId }) => targetId)}::bigint[]))`,
    )
    .execute();
}
