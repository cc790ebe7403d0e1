import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { evict } from '../platform/caching/cache-reactions.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId, PushSubscriptionId } from '../platform/ids.ts';
import { pushSubscriptionChanged } from './events.ts';
import type { PushAlerts } from './schema.ts';

/** What decides whether a notification is worth a job. */
export interface PushTarget {
  readonly id: PushSubscriptionId;
  /** Host of the push service, with its port. */
  readonly host: string;
  /** Types of notifications that are pushed. */
  readonly types: ReadonlySet<string>;
}

interface TargetRow {
  readonly id: PushSubscriptionId;
  readonly account_id: AccountId;
  readonly endpoint: string;
  readonly alerts: PushAlerts;
}

/** The targets of accounts, most of which have none. */
export const targetCache = new BatchLoadingCache<AccountId, readonly PushTarget[]>({
  name: 'push.targets',
  maxSize: 50_000,
  ttlMs: 600_000,
  loadMany: (app, ids) => queryTargets(app.db, ids),
  evictOn: [
    evict(pushSubscriptionChanged, ({ accountId }) => [accountId]),
    evict(accountDeleted, ({ accountId }) => [accountId]),
  ],
});

/** Finds the push subscriptions of accounts in a transaction that does not write any. */
export const findTargets = (
  { db }: Transaction,
  app: App,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, readonly PushTarget[]>> =>
  targetCache.getManyBy(app, ids, (missing) => queryTargets(db, missing));

async function queryTargets(
  db: App['db'] | Transaction['db'],
  ids: readonly AccountId[],
): Promise<Map<AccountId, readonly PushTarget[]>> {
  const { rows } = await sql<TargetRow>`
    select id, account_id, endpoint, alerts from push_subscriptions
    where account_id = any(${[...ids]}::bigint[]) and policy <> 'none'`.execute(db);
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map(ids.map((id) => [id, (byAccount.get(id) ?? []).map(toTarget)]));
}

const toTarget = ({ id, endpoint, alerts }: TargetRow): PushTarget => ({
  id,
  host: new URL(endpoint).host,
  types: new Set(Object.entries(alerts).flatMap(([type, isOn]) => (isOn ? [type] : []))),
});
