import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { siteSettings, siteSettingsChanged } from '../site/index.ts';
import { takesEmailSubscribers } from '../users/access/index.ts';
import { roleChanged, userAccessChanged } from '../users/index.ts';
import { userSettingsChanged } from '../users/settings/index.ts';

const takesSubscribers = sql<boolean>`account.domain is null and account.activated and account.suspended_at is null
  and account.deleted_at is null and ${takesEmailSubscribers(sql`account.id`)}`;

/**
 * Returns whether strangers may subscribe to an account by e-mail: the server, the role and the user must permit it.
 * Throws 404 for an unknown account.
 */
export async function isSubscribable(app: App, accountId: AccountId): Promise<boolean> {
  if (!(await siteSettings(app)).emailSubscriptions) return false;
  const { rows } = await sql<{ isOpen: boolean }>`
    select ${takesSubscribers} as "isOpen" from accounts account where account.id = ${accountId}::bigint`.execute(
    app.db,
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return row.isOpen;
}

/** The accounts that take subscribers, which are few. Empty while the server does not permit it. */
export const authorCache = new LoadingCache<'authors', ReadonlySet<AccountId>>({
  name: 'email_subscriptions.authors',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => ((await siteSettings(app)).emailSubscriptions ? queryAuthors(app.db) : new Set()),
  evictOn: [evictAll(siteSettingsChanged, userSettingsChanged, userAccessChanged, roleChanged)],
});

/** Loads the authors into the cache, which `findAuthors` does not do. */
export const cacheAuthors = (app: App): Promise<ReadonlySet<AccountId>> => authorCache.get(app, 'authors');

/**
 * Returns the accounts that take subscribers, in a transaction. Reads the database only if they are not cached; then it
 * does not look at the settings of the server, which are checked before a mail is sent.
 */
export const findAuthors = async ({ db }: Transaction, app: App): Promise<ReadonlySet<AccountId>> =>
  authorCache.peek(app, 'authors') ?? (await queryAuthors(db));

async function queryAuthors(db: App['db'] | Transaction['db']): Promise<ReadonlySet<AccountId>> {
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from users join accounts account on account.id = users.account_id
    where (users.settings ->> 'email_subscriptions')::boolean and ${takesSubscribers}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
