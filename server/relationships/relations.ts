import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';

/** What hides others from an account, or the account from others. */
export interface Relations {
  readonly blocking: ReadonlySet<AccountId>;
  readonly blockedBy: ReadonlySet<AccountId>;
  /** Mutes that have ended are not in it. */
  readonly muting: ReadonlySet<AccountId>;
  /** The muted whose notifications are hidden as well. */
  readonly mutingNotifications: ReadonlySet<AccountId>;
  readonly blockedDomains: ReadonlySet<string>;
}

interface Loaded {
  readonly relations: Relations;
  /** When the first of the mutes ends, in milliseconds since the epoch. */
  readonly goodUntil: number;
}

/** Bus channel: follows, blocks, mutes or domain blocks of these accounts changed. Message: their ids. */
const relationsChanged = 'relationships:changed';

const lifetime = 60_000;

const caches = perApp((app) => {
  const relations = new LoadingCache<AccountId, Loaded>({
    size: 5_000,
    ttl: lifetime,
    load: (id) => loadRelations(app, id),
  });
  const followed = new LoadingCache<AccountId, ReadonlySet<AccountId>>({
    size: 1_000,
    ttl: lifetime,
    load: async (id) => new Set((await loadFollowed(app, { id })).map((row) => row.id)),
  });
  app.bus.subscribe(relationsChanged, (message) => {
    for (const id of message as AccountId[]) {
      relations.delete(id);
      followed.delete(id);
    }
  });
  app.bus.onGap(() => {
    relations.clear();
    followed.clear();
  });
  return { relations, followed };
});

/** The account's blocks (both ways), mutes and domain blocks, cached; at most a moment behind what other processes do. */
export async function relationsOf(app: App, accountId: AccountId): Promise<Relations> {
  const { relations } = caches(app);
  const loaded = await relations.get(accountId);
  if (app.clock.now().getTime() < loaded.goodUntil) return loaded.relations;
  relations.delete(accountId);
  return (await relations.get(accountId)).relations;
}

/** Whom the account follows, cached. */
export function followedIds(app: App, accountId: AccountId): Promise<ReadonlySet<AccountId>> {
  return caches(app).followed.get(accountId);
}

/** Whether the one follows the other: a request does not count. */
export async function follows(app: App, accountId: AccountId, targetId: AccountId): Promise<boolean> {
  const known = caches(app).followed.peek(accountId);
  if (known !== undefined) return known.has(targetId);
  return (await loadFollow(app, { accountId, targetId })).length > 0;
}

/** Makes every process read the relations of these accounts anew once the transaction is through. */
export function dropRelationsAfter(write: Write, app: App, ids: readonly AccountId[]): void {
  write.afterCommit(() => app.bus.publish(relationsChanged, ids));
}

/** Hears of every account whose relations changed, in this process or another. */
export function onRelationsChanged(app: App, receive: (id: AccountId) => void): void {
  app.bus.subscribe(relationsChanged, (message) => {
    for (const id of message as AccountId[]) receive(id);
  });
}

const loadFollow = prepared<{ id: string }>()((db, args: { accountId: AccountId; targetId: AccountId }) =>
  db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', args.accountId)
    .where('target_account_id', '=', args.targetId),
);

const loadFollowed = prepared<{ id: AccountId }>()((db, { id }: { id: AccountId }) =>
  db.selectFrom('follows').select('target_account_id as id').where('account_id', '=', id),
);

interface RelationRow {
  readonly kind: 'blocking' | 'blocked by' | 'muting' | 'domain';
  readonly value: string;
  readonly hide_notifications: boolean | null;
  readonly expires_at: Date | null;
}

const loadRows = prepared<RelationRow>()((db, { id, now }: { id: AccountId; now: Date }) =>
  db
    .selectFrom(
      sql<RelationRow>`(
        select 'blocking' as kind, target_account_id::text as value, null::boolean as hide_notifications, null::timestamptz as expires_at
          from blocks where account_id = ${id}::bigint
        union all select 'blocked by', account_id::text, null, null from blocks where target_account_id = ${id}::bigint
        union all select 'muting', target_account_id::text, hide_notifications, expires_at
          from mutes where account_id = ${id}::bigint and (expires_at is null or expires_at > ${now}::timestamptz)
        union all select 'domain', domain, null, null from account_domain_blocks where account_id = ${id}::bigint
      )`.as('relation'),
    )
    .selectAll(),
);

async function loadRelations(app: App, id: AccountId): Promise<Loaded> {
  const rows = await loadRows(app, { id, now: app.clock.now() });
  const of = (kind: RelationRow['kind']) => rows.filter((row) => row.kind === kind);
  const ids = (list: readonly RelationRow[]) => new Set(list.map(({ value }) => value as AccountId));
  const muting = of('muting');
  return {
    relations: {
      blocking: ids(of('blocking')),
      blockedBy: ids(of('blocked by')),
      muting: ids(muting),
      mutingNotifications: ids(muting.filter((row) => row.hide_notifications === true)),
      blockedDomains: new Set(of('domain').map(({ value }) => value)),
    },
    goodUntil: Math.min(...muting.map(({ expires_at }) => expires_at?.getTime() ?? Infinity), Infinity),
  };
}
