import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { webhooksChanged } from './events.ts';
import type { WebhookEvent } from './schema.ts';
import type { StaffEvent } from './staff/schema.ts';
import type { WebhookId } from './tables.ts';

/** A webhook that is enabled. */
export interface WebhookTarget {
  readonly id: WebhookId;
  readonly accountId: AccountId;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** The accounts with enabled webhooks, which are few: events of all others, local and remote, cost no query. */
export const accountCache = new LoadingCache<'accounts', ReadonlySet<AccountId>>({
  name: 'webhooks.accounts',
  maxSize: 1,
  ttlMs: 600_000,
  async load({ db }) {
    const { rows } = await sql<{ id: AccountId }>`
      select distinct account_id as id from webhooks where account_id is not null and disabled_at is null`.execute(db);
    return new Set(rows.map(({ id }) => id));
  },
  evictOn: [evictAll(webhooksChanged)],
});

/** The events that enabled webhooks of staff want: all others cost no query. */
export const staffEventCache = new LoadingCache<'events', ReadonlySet<string>>({
  name: 'webhooks.staff_events',
  maxSize: 1,
  ttlMs: 600_000,
  async load({ db }) {
    const { rows } = await sql<{ event: string }>`
      select distinct unnest(events) as event from webhooks where account_id is null and disabled_at is null`.execute(
      db,
    );
    return new Set(rows.map(({ event }) => event));
  },
  evictOn: [evictAll(webhooksChanged)],
});

/** Loads the accounts with webhooks into the cache, which `findTargets` does not do. */
export const cacheAccounts = (app: App): Promise<ReadonlySet<AccountId>> => accountCache.get(app, 'accounts');

/** Loads the events of webhooks of staff into the cache, which `findStaffTargets` does not do. */
export const cacheStaffEvents = (app: App): Promise<ReadonlySet<string>> => staffEventCache.get(app, 'events');

/** Finds the enabled webhooks of accounts in a transaction. */
export async function findTargets(
  { db }: Transaction,
  app: App,
  ids: readonly AccountId[],
): Promise<readonly WebhookTarget[]> {
  const accounts = accountCache.peek(app, 'accounts');
  const candidates = [...new Set(ids)].filter((id) => accounts === undefined || accounts.has(id));
  if (candidates.length === 0) return [];
  const { rows } = await sql<WebhookTarget>`
    select id, account_id as "accountId", url, events from webhooks
    where account_id = any(${candidates}::bigint[]) and disabled_at is null`.execute(db);
  return rows;
}

/** Finds the enabled webhooks of staff that want an event, in a transaction. */
export async function findStaffTargets(
  { db }: Transaction,
  app: App,
  event: StaffEvent,
): Promise<readonly Pick<WebhookTarget, 'id' | 'url'>[]> {
  const events = staffEventCache.peek(app, 'events');
  if (events !== undefined && !events.has(event)) return [];
  const { rows } = await sql<Pick<WebhookTarget, 'id' | 'url'>>`
    select id, url from webhooks
    where account_id is null and disabled_at is null and events @> array[${event}::text]`.execute(db);
  return rows;
}
