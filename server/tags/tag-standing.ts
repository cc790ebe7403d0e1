import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, TagId } from '../platform/ids.ts';

/** The hashtags that an account follows, and those that its profile shows. */
export interface TagStanding {
  readonly following: ReadonlySet<TagId>;
  readonly featuring: ReadonlySet<TagId>;
}

/** Bus channel: an account follows or features other hashtags now. Message: its id. */
export const standingChanged = 'tags:standing-changed';

const cache = perApp((app) => {
  const standings = new LoadingCache<AccountId, TagStanding>({
    size: 5_000,
    ttl: 60_000,
    load: (accountId) => load(app, accountId),
  });
  app.bus.subscribe(standingChanged, (message) => standings.delete(message as AccountId));
  return standings;
});

/** What an account follows and features, cached. */
export function tagStandingOf(app: App, accountId: AccountId): Promise<TagStanding> {
  return cache(app).get(accountId);
}

/** The hashtags that an account follows, cached. */
export async function followedTagIds(app: App, accountId: AccountId): Promise<ReadonlySet<TagId>> {
  return (await tagStandingOf(app, accountId)).following;
}

/** Makes every process read the account's hashtags anew once the transaction is through. */
export function dropStandingAfter(write: Write, app: App, accountId: AccountId): void {
  write.afterCommit(() => app.bus.publish(standingChanged, accountId));
}

const rowsOf = prepared<{ tag_id: TagId; followed: boolean }>()((db, { accountId }: { accountId: AccountId }) =>
  db
    .selectFrom('tag_follows')
    .select(['tag_id', sql<boolean>`true`.as('followed')])
    .where('account_id', '=', accountId)
    .unionAll(
      db
        .selectFrom('featured_tags')
        .select(['tag_id', sql<boolean>`false`.as('followed')])
        .where('account_id', '=', accountId),
    ),
);

async function load(app: App, accountId: AccountId): Promise<TagStanding> {
  const rows = await rowsOf(app, { accountId });
  const ids = (followed: boolean) => new Set(rows.filter((row) => row.followed === followed).map((row) => row.tag_id));
  return { following: ids(true), featuring: ids(false) };
}
