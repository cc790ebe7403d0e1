import { relationsChanged } from '../events.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
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

const noValues: ReadonlySet<never> = new Set();

const noRelations: Relations = {
  blocking: noValues,
  blockedBy: noValues,
  muting: noValues,
  mutingNotifications: noValues,
  blockedDomains: noValues,
};

const ttlMs = 60_000;
const evictOn = [evict(relationsChanged, ({ accountId }) => [accountId])];

export const relationsCache = new BatchLoadingCache<AccountId, LoadedRelations>({
  name: 'relationships.relations',
  // Streams ask for the relations of every receiver of a post.
  maxSize: 20_000,
  ttlMs,
  loadMany: queryRelations,
  evictOn,
});

export const followedCache = new BatchLoadingCache<AccountId, ReadonlySet<AccountId>>({
  name: 'relationships.followed',
  maxSize: 1_000,
  ttlMs,
  loadMany: queryFollowed,
  evictOn,
});

/** Returns the account's blocks (both ways), mutes and domain blocks, cached. */
export async function loadAccountRelations(app: App, accountId: AccountId): Promise<Relations> {
  const cached = relationsCache.peek(app, accountId);
  if (cached !== undefined && app.clock.now().getTime() < cached.validUntil) return cached.relations;
  return (await loadRelationsOf(app, [accountId]))(accountId);
}

/** Loads the blocks (both ways), mutes and domain blocks of many accounts, cached. Returns a function to look them up. */
export async function loadRelationsOf(
  app: App,
  accountIds: readonly AccountId[],
): Promise<(accountId: AccountId) => Relations> {
  const now = app.clock.now().getTime();
  const loaded = await relationsCache.getMany(app, accountIds);
  const expired = accountIds.filter((id) => now >= (loaded.get(id)?.validUntil ?? Infinity));
  for (const id of expired) relationsCache.evict(app, id);
  const reloaded = expired.length === 0 ? undefined : await relationsCache.getMany(app, expired);
  return (id) => (reloaded?.get(id) ?? loaded.get(id))?.relations ?? noRelations;
}

/** Returns the ids of the accounts that the account follows, cached. */
export async function loadFollowedIds(app: App, accountId: AccountId): Promise<ReadonlySet<AccountId>> {
  const cached = followedCache.peek(app, accountId);
  return cached ?? (await followedCache.getMany(app, [accountId])).get(accountId) ?? noValues;
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

interface FollowedRow {
  readonly accountId: AccountId;
  readonly id: AccountId;
}

const selectFollowed = preparedQuery<FollowedRow>()((db, { ids }: { ids: readonly AccountId[] }) =>
  db
    .selectFrom('follows')
    .select(['account_id as accountId', 'target_account_id as id'])
    .where(sql<boolean>`account_id = any(${ids}::bigint[])`),
);

async function queryFollowed(app: App, ids: readonly AccountId[]): Promise<Map<AccountId, ReadonlySet<AccountId>>> {
  const rows = Map.groupBy(await selectFollowed(app, { ids }), ({ accountId }) => accountId);
  return new Map(ids.map((id) => [id, new Set(rows.get(id)?.map((row) => row.id))]));
}

interface RelationRow {
  readonly id: AccountId;
  readonly kind: 'blocking' | 'blocked by' | 'muting' | 'domain';
  readonly value: string;
  readonly hide_notifications: boolean | null;
  readonly expires_at: Date | null;
}

const selectRelationRows = preparedQuery<RelationRow>()((db, { ids, now }: { ids: readonly AccountId[]; now: Date }) =>
  db
    .selectFrom(
      sql<RelationRow>`(
        select account_id as id, 'blocking' as kind, target_account_id::text as value,
            null::boolean as hide_notifications, null::timestamptz as expires_at
          from blocks where account_id = any(${ids}::bigint[])
        union all select target_account_id, 'blocked by', account_id::text, null, null
          from blocks where target_account_id = any(${ids}::bigint[])
        union all select account_id, 'muting', target_account_id::text, hide_notifications, expires_at
          from mutes where account_id = any(${ids}::bigint[]) and (expires_at is null or expires_at > ${now}::timestamptz)
        union all select account_id, 'domain', domain, null, null
          from account_domain_blocks where account_id = any(${ids}::bigint[])
      )`.as('relation'),
    )
    .selectAll(),
);

async function queryRelations(app: App, ids: readonly AccountId[]): Promise<Map<AccountId, LoadedRelations>> {
  const rows = Map.groupBy(await selectRelationRows(app, { ids, now: app.clock.now() }), ({ id }) => id);
  return new Map(ids.map((id) => [id, toRelations(rows.get(id))]));
}

/** Shared by the many accounts without relations. */
const noneLoaded: LoadedRelations = { relations: noRelations, validUntil: Infinity };

function toRelations(rows: readonly RelationRow[] | undefined): LoadedRelations {
  if (rows === undefined) return noneLoaded;
  const of = (kind: RelationRow['kind']) => rows.filter((row) => row.kind === kind);
  const values = <Value extends string>(list: readonly RelationRow[]): ReadonlySet<Value> =>
    list.length === 0 ? noValues : new Set(list.map(({ value }) => value as Value));
  const muting = of('muting');
  return {
    relations: {
      blocking: values(of('blocking')),
      blockedBy: values(of('blocked by')),
      muting: values(muting),
      mutingNotifications: values(muting.filter((row) => row.hide_notifications === true)),
      blockedDomains: values(of('domain')),
    },
    validUntil: Math.min(...muting.map(({ expires_at }) => expires_at?.getTime() ?? Infinity), Infinity),
  };
}

const selectFollows = preparedQuery<{ account_id: AccountId; target_account_id: AccountId }>()(
  (db, args: { accountIds: readonly AccountId[]; targetIds: readonly AccountId[] }) =>
    db
      .selectFrom('follows')
      .select(['account_id', 'target_account_id'])
      .where(sql<boolean>`account_id = any(${args.accountIds}::bigint[])`)
      .where(sql<boolean>`target_account_id = any(${args.targetIds}::bigint[])`),
);

/** Returns the follows from any of `accountIds` to any of `targetIds`: the followers by followed account. */
export async function loadFollowersAmong(
  app: App,
  accountIds: readonly AccountId[],
  targetIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, ReadonlySet<AccountId>>> {
  if (accountIds.length === 0 || targetIds.length === 0) return new Map();
  const rows = Map.groupBy(await selectFollows(app, { accountIds, targetIds }), (row) => row.target_account_id);
  return new Map([...rows].map(([target, follows]) => [target, new Set(follows.map((row) => row.account_id))]));
}
