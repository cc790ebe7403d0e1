import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { defineCache, evict, evictAll } from '../platform/caching/define-cache.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { webhooksChanged } from './events.ts';
import type { WebhookEvent } from './schema.ts';
import type { WebhookId } from './tables.ts';

type Db = App['db'] | Transaction['db'];

/** A webhook that is enabled. */
export interface WebhookTarget {
  readonly id: WebhookId;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEvent>;
}

/** Whether any account has webhooks: most servers have none, and are spared all other queries. */
const usageCache = defineCache<'any', boolean>({
  name: 'webhooks.usages',
  maxSize: 1,
  ttlMs: 600_000,
  load: (app) => queryUsage(app.db),
  evictOn: [evictAll(webhooksChanged)],
});

/** The enabled webhooks of accounts, most of which have none. */
const targetCache = defineCache<AccountId, readonly WebhookTarget[]>({
  name: 'webhooks.targets',
  maxSize: 50_000,
  ttlMs: 600_000,
  loadMany: (app, ids) => queryTargets(app.db, ids),
  evictOn: [
    evict(webhooksChanged, ({ accountId }) => [accountId]),
    evict(accountDeleted, ({ accountId }) => [accountId]),
  ],
});

/** Loads the webhooks of accounts into the caches, which `findTargets` does not do. */
export async function cacheTargets(
  app: App,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, readonly WebhookTarget[]>> {
  return (await isUsed(app)) ? targetCache.getMany(app, ids) : new Map();
}

/** Whether any account has webhooks. */
export const isUsed = (app: App): Promise<boolean> => usageCache.get(app, 'any');

/** Finds the webhooks of accounts in a transaction. Reads the database only for what is not cached. */
export async function findTargets(
  { db }: Transaction,
  app: App,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, readonly WebhookTarget[]>> {
  const found = new Map<AccountId, readonly WebhookTarget[]>();
  if (!(usageCache.peek(app, 'any') ?? (await queryUsage(db)))) return found;
  const missing: AccountId[] = [];
  for (const id of new Set(ids)) {
    const targets = targetCache.peek(app, id);
    if (targets === undefined) missing.push(id);
    else found.set(id, targets);
  }
  return missing.length === 0 ? found : new Map([...found, ...(await queryTargets(db, missing))]);
}

async function queryUsage(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select exists (select from webhooks) as used`.execute(db);
  return rows[0]?.used === true;
}

async function queryTargets(db: Db, ids: readonly AccountId[]): Promise<Map<AccountId, readonly WebhookTarget[]>> {
  const { rows } = await sql<{ id: WebhookId; account_id: AccountId; url: string; events: WebhookEvent[] }>`
    select id, account_id, url, events from webhooks
    where account_id = any(${[...ids]}::bigint[]) and disabled_at is null`.execute(db);
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map(
    ids.map((accountId) => [
      accountId,
      (byAccount.get(accountId) ?? []).map(({ id, url, events }) => ({ id, url, events: new Set(events) })),
    ]),
  );
}
