import { sql } from 'kysely';
import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId, CollectionId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { collectionsViewed } from '../events.ts';

/** Page parameters of a list, newest first. */
export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
  /** Cursor: only older collections. `offset` is ignored with it. */
  readonly maxId: CollectionId | undefined;
}

interface Args {
  readonly accountId: AccountId;
  readonly all: boolean;
  readonly maxId: CollectionId | null;
  readonly offset: number;
  readonly limit: number;
}

const selectByOwner = preparedQuery<{ id: CollectionId }>()((db, args: Args) =>
  db
    .selectFrom('collections')
    .select('id')
    .where('account_id', '=', args.accountId)
    .where(sql<boolean>`(discoverable or ${args.all}::boolean)`)
    .where(sql<boolean>`(${args.maxId}::bigint is null or id < ${args.maxId}::bigint)`)
    .orderBy('id', 'desc')
    .offset(sql<number>`${args.offset}::int`)
    .limit(sql<number>`${args.limit}::int`),
);

const selectByMember = preparedQuery<{ id: CollectionId }>()((db, args: Args & { hidden: AccountId[] }) =>
  db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as owner', 'owner.id', 'collections.account_id')
    .select('collections.id')
    .where('item.account_id', '=', args.accountId)
    .where('item.state', '=', 'accepted')
    .where('owner.suspended_at', 'is', null)
    .where('owner.deleted_at', 'is', null)
    .where(sql<boolean>`owner.id <> all(${args.hidden}::bigint[])`)
    .where(sql<boolean>`(${args.maxId}::bigint is null or item.collection_id < ${args.maxId}::bigint)`)
    .orderBy('item.collection_id', 'desc')
    .offset(sql<number>`${args.offset}::int`)
    .limit(sql<number>`${args.limit}::int`),
);

/**
 * Lists the collections of an account, newest first: all for the owner, discoverable ones for others, none for accounts
 * that the owner blocks. Queues a refresh for a remote account. Throws 404 for an unknown account.
 */
export async function listCollections(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  { limit, offset, maxId }: OffsetPage,
): Promise<CollectionId[]> {
  const account = await requireAccount(app, accountId);
  if (account.suspended_at !== null) return [];
  if (viewerId !== undefined && (await loadAccountRelations(app, viewerId)).blockedBy.has(accountId)) return [];
  if (viewerId !== undefined && account.featured_collections_url !== null) await recordView(app, accountId);
  const from = maxId === undefined ? offset : 0;
  const rows = await selectByOwner(app, {
    accountId,
    all: viewerId === accountId,
    maxId: maxId ?? null,
    offset: from,
    limit,
  });
  return rows.map(({ id }) => id);
}

const viewIntervalMs = 3_600_000;
/** Time of the last recorded view, in milliseconds since the epoch. */
export const recentViews = new Cache<AccountId, number>({
  name: 'collections.recent_views',
  maxSize: 20_000,
  ttlMs: viewIntervalMs,
});

/** Emits that the collections of an account were viewed, at most once an hour. */
async function recordView(app: App, accountId: AccountId): Promise<void> {
  const now = app.clock.now().getTime();
  if (now - (recentViews.peek(app, accountId) ?? 0) < viewIntervalMs) return;
  recentViews.set(app, accountId, now);
  await transaction(app, async ({ emit }) => emit(collectionsViewed({ accountId })));
}

/** Lists the collections that contain an account, newest first. Throws 403 for other viewers, 404 for an unknown account. */
export async function listCollectionsFeaturing(
  app: App,
  viewerId: AccountId,
  accountId: AccountId,
  { limit, offset, maxId }: OffsetPage,
): Promise<CollectionId[]> {
  await requireAccount(app, accountId);
  if (viewerId !== accountId) throw forbidden();
  const { blockedBy, blocking } = await loadAccountRelations(app, viewerId);
  const from = maxId === undefined ? offset : 0;
  const hidden = [...blockedBy, ...blocking];
  const rows = await selectByMember(app, { accountId, all: true, maxId: maxId ?? null, offset: from, limit, hidden });
  return rows.map(({ id }) => id);
}
