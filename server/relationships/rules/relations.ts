import { relationsChanged } from '../events.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { defineCache, evict } from '../../platform/caching/define-cache.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId } from '../../platform/ids.ts';

/** The blocks, mutes and domain blocks of an account. */
export interface Relations {
  readonly blocking: ReadonlySet<AccountId>;
  readonly blockedBy: ReadonlySet<AccountId>;
  /** Without expired mutes. */
  readonly muting: ReadonlySet<AccountId>;
  /** Muted accounts whose notifications are hidden too. */
  readonly mutingNotifications: ReadonlySet<AccountId>;
  readonly blockedDomains: ReadonlySet<string>;
}

interface LoadedRelations {
  readonly relations: Relations;
  /** When the next mute expires, in milliseconds since the epoch. */
  readonly validUntil: number;
}

const ttlMs = 60_000;
const evictOn = [evict(relationsChanged, ({ accountId }) => [accountId])];

const relationsCache = defineCache<AccountId, LoadedRelations>({
  name: 'relationships.relations',
  maxSize: 5_000,
  ttlMs,
  load: queryRelations,
  evictOn,
});

const followedCache = defineCache<AccountId, ReadonlySet<AccountId>>({
  name: 'relationships.followed',
  maxSize: 1_000,
  ttlMs,
  load: async (app, id) => new Set((await selectFollowed(app, { id })).map((row) => row.id)),
  evictOn,
});

/** Returns the account's blocks (both ways), mutes and domain blocks, cached. */
export async function loadAccountRelations(app: App, accountId: AccountId): Promise<Relations> {
  const loaded = await relationsCache.get(app, accountId);
  if (app.clock.now().getTime() < loaded.validUntil) return loaded.relations;
  relationsCache.evict(app, accountId);
  return (await relationsCache.get(app, accountId)).relations;
}

/** Returns the ids of the accounts that the account follows, cached. */
export function loadFollowedIds(app: App, accountId: AccountId): Promise<ReadonlySet<AccountId>> {
  return followedCache.get(app, accountId);
}

/** Whether one account follows the other. A request does not count. */
export async function isFollowing(app: App, accountId: AccountId, targetId: AccountId): Promise<boolean> {
  const followed = followedCache.peek(app, accountId);
  if (followed !== undefined) return followed.has(targetId);
  return (await selectFollow(app, { accountId, targetId })).length > 0;
}

const selectFollow = preparedQuery<{ id: string }>()((db, args: { accountId: AccountId; targetId: AccountId }) =>
  db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', args.accountId)
    .where('target_account_id', '=', args.targetId),
);

const selectFollowed = preparedQuery<{ id: AccountId }>()((db, { id }: { id: AccountId }) =>
  db.selectFrom('follows').select('target_account_id as id').where('account_id', '=', id),
);

interface RelationRow {
  readonly kind: 'blocking' | 'blocked by' | 'muting' | 'domain';
  readonly value: string;
  readonly hide_notifications: boolean | null;
  readonly expires_at: Date | null;
}

const selectRelationRows = preparedQuery<RelationRow>()((db, { id, now }: { id: AccountId; now: Date }) =>
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

async function queryRelations(app: App, id: AccountId): Promise<LoadedRelations> {
  const rows = await selectRelationRows(app, { id, now: app.clock.now() });
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
    validUntil: Math.min(...muting.map(({ expires_at }) => expires_at?.getTime() ?? Infinity), Infinity),
  };
}
