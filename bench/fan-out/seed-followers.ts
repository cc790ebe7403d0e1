import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { newId, type AccountId } from '../../server/platform/ids.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { networkDomain } from '../federation/peers.ts';

export interface FollowerCount {
  readonly followers: number;
  /** Each with a shared inbox and as many of the followers. */
  readonly hosts: number;
}

/** Followers of one statement, whose time is limited. */
const batchSize = 50_000;

/** Stores remote followers of a local account on the hosts of a network, as if their servers had sent a Follow. */
export async function seedFollowers(
  app: App,
  accountId: AccountId,
  { followers, hosts, port }: FollowerCount & { readonly port: number },
): Promise<void> {
  const now = app.clock.now();
  const firstId = newId<'account'>(now);
  for (let first = 1; first <= followers; first += batchSize) {
    const last = Math.min(first + batchSize - 1, followers);
    await transaction(app, async ({ db }) => {
      await sql`
      with follower as (
        insert into accounts (id, username, domain, uri, inbox_url, shared_inbox_url, created_at, updated_at, fetched_at)
        select ${firstId}::bigint + n, 'fan' || n, host, origin || '/users/fan' || n, origin || '/users/fan' || n || '/inbox',
          origin || '/inbox', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from generate_series(${first}::int, ${last}::int) n
          cross join lateral (select 'h' || n % ${hosts}::int || ${`.${networkDomain}:${port}`}::text as host) as place
          cross join lateral (select 'https://' || host as origin) as address
        returning id
      ), stats as (
        insert into account_stats (account_id, following_count) select id, 1 from follower
      )
      insert into follows (id, account_id, target_account_id, created_at)
      select id, id, ${accountId}::bigint, ${now}::timestamptz from follower`.execute(db);
    });
  }
  await transaction(app, async ({ db }) => {
    await sql`
      update account_stats set followers_count = followers_count + ${followers}::int, version = version + 1
      where account_id = ${accountId}::bigint`.execute(db);
  });
}
