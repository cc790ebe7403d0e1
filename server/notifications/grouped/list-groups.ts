import { sql, type RawBuilder } from 'kysely';
import { accountSuspended, accountUnsuspended } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict, evictAll } from '../../platform/caching/cache-reactions.ts';
import { batchedQuery, joinList, splitList, type Columns } from '../../platform/database/batched-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Page } from '../../platform/http/pages.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, NotificationId } from '../../platform/ids.ts';
import { domainBlocked, domainUnblocked } from '../../relationships/index.ts';
import { blocksDomainOfSql, blocksDomainSql } from '../../relationships/rules/index.ts';
import { findLastReadId, type FilledPage } from '../../timelines/index.ts';
import { deleteMatching } from '../delete-matching.ts';
import {
  buildStatements,
  evictOfRecipient,
  frequentTypes,
  fillNotificationPage,
  filterVisibleNotifications,
  matchesFilterSql,
  newestArgs,
  notificationArgumentTypes,
  notificationColumns,
  requireNotification,
  toFilterArgs,
  type NotificationArgs,
  type NotificationFilter,
  type NotificationPage,
  type NotificationRow,
  type Source,
} from '../list-notifications.ts';

/** Selects notifications of an account, and the types to group. */
export interface GroupFilter extends NotificationFilter {
  /** Undefined: every type that has groups. */
  readonly groupedTypes: readonly string[] | undefined;
}

/** Notifications that are shown as one. */
export interface NotificationGroupRow {
  /** The newest one. */
  readonly newest: NotificationRow;
  readonly key: string;
  readonly count: number;
  readonly oldestId: NotificationId;
  /** The newest senders, newest first. */
  readonly senderIds: readonly AccountId[];
}

/** Accounts in a sample of a group (reference/limits.tsv). */
const maxSampleSize = 8;
const ungroupedPrefix = 'ungrouped-';

interface GroupArgs extends NotificationArgs {
  /** Joined by `joinList`; null: every type. */
  readonly groupedTypes: string | null;
}

/**
 * Joins `accounts f` as the sender of a notification. Suspended senders, and those on a domain that the account blocks, do
 * not count. Those that the account blocks or mutes have no notifications.
 */
const countsAsSenderSql = (notification: RawBuilder<unknown>) => sql<boolean>`
  f.id = ${notification}.from_account_id and f.suspended_at is null
  and not ${blocksDomainSql(sql`${notification}.account_id`, sql.ref('f.domain'))}`;

/**
 * A group stands where its newest notification stands, so that a group that grows moves to the top as a whole: pages
 * neither repeat nor split it.
 */
const isNewestOfGroupSql = (args: Columns<GroupArgs>) => sql<boolean>`(
  n.group_key is null
  or not (${args.groupedTypes} is null or n.type = any(${splitList(args.groupedTypes, 'text')}))
  or not exists (
    select 1 from notifications newer join accounts f on ${countsAsSenderSql(sql.ref('newer'))}
    where newer.account_id = n.account_id and newer.group_key collate "C" = n.group_key and newer.id > n.id
      and (${args.fromAccountId} is null or newer.from_account_id = ${args.fromAccountId})))`;

const selectNewestOfGroups = (source: Source, ascending: boolean) =>
  batchedQuery<NotificationRow>()<GroupArgs>(
    { ...notificationArgumentTypes, groupedTypes: 'text' },
    (args) => sql`
      select ${sql.join(notificationColumns.map((name) => sql.ref(name)))} from notifications n
      where ${matchesFilterSql(args, source, ascending)} and ${isNewestOfGroupSql(args)}
      order by id ${ascending ? sql`asc` : sql`desc`} limit ${args.count}`,
  );

const statements = buildStatements(selectNewestOfGroups);

function toGroupArgs(accountId: AccountId, { groupedTypes, ...filter }: GroupFilter) {
  const { args, ...choice } = toFilterArgs(accountId, filter);
  const types = groupedTypes?.filter((type) => !type.includes(','));
  return { args: { ...args, groupedTypes: types === undefined ? null : joinList(types) }, ...choice };
}

/** The newest groups of accounts, of every type that has groups. */
export const newestGroups = new LoadingCache<AccountId, readonly NotificationGroupRow[]>({
  name: 'notifications.newest_groups',
  maxSize: 500,
  ttlMs: 60_000,
  load: async (app, accountId) => {
    const newest = await statements.all.desc(app, { ...newestArgs(accountId), groupedTypes: null });
    return loadGroups(app, accountId, newest, { groupedTypes: undefined, fromAccountId: undefined });
  },
  evictOn: [
    ...evictOfRecipient,
    // These decide which senders count.
    evict(domainBlocked, ({ accountId }) => [accountId]),
    evict(domainUnblocked, ({ accountId }) => [accountId]),
    evictAll(accountSuspended, accountUnsuspended),
  ],
});

/** Returns a page of an account's notifications in groups, newest first by the newest notification of each. */
export async function listGroups(
  app: App,
  accountId: AccountId,
  filter: GroupFilter,
  page: Page,
): Promise<FilledPage<NotificationId> & { readonly groups: NotificationGroupRow[] }> {
  const { args, source, mayBeSlow, isNewest } = toGroupArgs(accountId, filter);
  // Clients that group name at least these. Whether others have groups is seen in the cached ones.
  const groupsUsually = frequentTypes.every((type) => groupsType(filter, type));
  const cached = new Map<NotificationId, NotificationGroupRow>();
  const { rows, ...filled } = await fillNotificationPage(app, accountId, page, async (cursor, count) => {
    const groups = groupsUsually && isNewest(cursor, count) ? await newestGroups.get(app, accountId) : undefined;
    if (groups === undefined || groups.some((group) => isGroup(group) && !groupsType(filter, group.newest.type)))
      return statements[source][cursor.direction](
        app,
        { ...args, bound: cursor.bound, count },
        { unbatched: mayBeSlow },
      );
    for (const group of groups) cached.set(group.newest.id, group);
    return groups.slice(0, count).map(({ newest }) => newest);
  });
  const others = rows.filter(({ id }) => !cached.has(id));
  for (const group of await loadGroups(app, accountId, others, filter)) cached.set(group.newest.id, group);
  return { ...filled, groups: rows.flatMap(({ id }) => cached.get(id) ?? []) };
}

const isGroup = ({ key }: NotificationGroupRow): boolean => !key.startsWith(ungroupedPrefix);

const groupsType = ({ groupedTypes }: Pick<GroupFilter, 'groupedTypes'>, type: string): boolean =>
  groupedTypes === undefined || groupedTypes.includes(type);

interface GroupFacts {
  readonly group_key: string;
  readonly count: number;
  readonly oldest_id: NotificationId;
  readonly sender_ids: AccountId[];
}

interface GroupFactsArgs {
  readonly accountId: AccountId;
  /** Parallel arrays: one entry per group. */
  readonly keys: readonly string[];
  readonly newestIds: readonly NotificationId[];
  readonly fromAccountId: AccountId | null;
}

/**
 * The condition of `countsAsSenderSql`, for very large groups: looks for the sender among the few suspended accounts, and
 * for its domain only if the account blocks any.
 */
const hasCountedSenderSql = (accountId: RawBuilder<unknown>) => sql<boolean>`not exists (
    select from accounts f where f.id = n.from_account_id and f.suspended_at is not null)
  and (not exists (select from account_domain_blocks b where b.account_id = ${accountId})
    or not ${blocksDomainOfSql(accountId, sql.ref('n.from_account_id'))})`;

/** Selects what groups consist of, without what arrived after their newest notification was found. */
const selectGroupFacts = preparedQuery<GroupFacts>()((db, args: GroupFactsArgs) => {
  const membersSql = sql`
    from notifications n
    where n.account_id = ${args.accountId}::bigint and n.group_key collate "C" = groups.key and n.id <= groups.newest_id
      and ${hasCountedSenderSql(sql`${args.accountId}::bigint`)}
      and (${args.fromAccountId}::bigint is null or n.from_account_id = ${args.fromAccountId}::bigint)`;
  return {
    compile: () =>
      sql<GroupFacts>`
        select groups.key as group_key, totals.count, totals.oldest_id,
          array(select n.from_account_id ${membersSql} order by n.id desc limit ${sql.lit(maxSampleSize)}) as sender_ids
        from unnest(${args.keys}::text[], ${args.newestIds}::bigint[]) as groups(key, newest_id)
        cross join lateral (select count(*)::int as count, min(n.id) as oldest_id ${membersSql}) totals`.compile(db),
  };
});

/** Returns the groups whose newest notifications these are, in their order. */
async function loadGroups(
  app: App,
  accountId: AccountId,
  newest: readonly NotificationRow[],
  filter: Pick<GroupFilter, 'groupedTypes' | 'fromAccountId'>,
): Promise<NotificationGroupRow[]> {
  const isGrouped = ({ group_key: key, type }: NotificationRow) => key !== null && groupsType(filter, type);
  const grouped = newest.filter(isGrouped);
  const facts = await (grouped.length === 0
    ? []
    : selectGroupFacts(app, {
        accountId,
        keys: grouped.map(({ group_key: key }) => key ?? ''),
        newestIds: grouped.map(({ id }) => id),
        fromAccountId: filter.fromAccountId ?? null,
      }));
  const factsByKey = new Map(facts.map((group) => [group.group_key, group]));
  return newest.map((row) => {
    const group = isGrouped(row) ? factsByKey.get(row.group_key ?? '') : undefined;
    if (group === undefined || group.count === 0) return toSingleGroup(row);
    const { group_key: key, count, oldest_id: oldestId, sender_ids: senderIds } = group;
    return { newest: row, key, count, oldestId, senderIds };
  });
}

const toSingleGroup = (row: NotificationRow): NotificationGroupRow => ({
  newest: row,
  key: `${ungroupedPrefix}${row.id}`,
  count: 1,
  oldestId: row.id,
  senderIds: [row.from_account_id],
});

/** Returns the id in the key of a notification without a group; undefined for the key of a group. */
function parseUngroupedKey(key: string): NotificationId | undefined {
  const [, id] = /^ungrouped-(\d{1,19})$/.exec(key) ?? [];
  return id as NotificationId | undefined;
}

interface MemberArgs {
  readonly accountId: AccountId;
  readonly key: string;
  /** Members older than this one. */
  readonly bound: NotificationId;
  readonly count: number;
}

const selectMembers = preparedQuery<NotificationRow>()((db, args: MemberArgs) => ({
  compile: () =>
    sql<NotificationRow>`
      select ${sql.join(notificationColumns.map((name) => sql.ref(`n.${name}`)))}
      from notifications n
      where n.account_id = ${args.accountId}::bigint and n.group_key collate "C" = ${args.key}
        and n.id < ${args.bound}::bigint and ${hasCountedSenderSql(sql`${args.accountId}::bigint`)}
      order by n.id desc limit ${args.count}::int`.compile(db),
}));

const selectNotification = preparedQuery<NotificationRow>()(
  (db, { accountId, id, bound }: { accountId: AccountId; id: NotificationId; bound: NotificationId }) =>
    db
      .selectFrom('notifications')
      .select(notificationColumns)
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('id', '<', bound),
);

/** A page with the newest item only. */
const newestOnly: Page = { limit: 1, maxId: undefined, sinceId: undefined, minId: undefined };

/** Returns one group. Throws 404 if the account has no such group, or may not see it. */
export async function requireGroup(app: App, accountId: AccountId, key: string): Promise<NotificationGroupRow> {
  const id = parseUngroupedKey(key);
  if (id !== undefined) return toSingleGroup(await requireNotification(app, accountId, id));
  const { rows: newest } = await listGroupMembers(app, accountId, key, newestOnly);
  const [group] = await loadGroups(app, accountId, newest, { groupedTypes: undefined, fromAccountId: undefined });
  if (group === undefined) throw notFound();
  return group;
}

/** Returns a page of the notifications of a group, one per sender, newest first. An unknown group has none. */
export function listGroupMembers(app: App, accountId: AccountId, key: string, page: Page): Promise<NotificationPage> {
  const id = parseUngroupedKey(key);
  return fillNotificationPage(app, accountId, page, ({ bound }, count) =>
    id === undefined
      ? selectMembers(app, { accountId, key, bound, count })
      : selectNotification(app, { accountId, id, bound }),
  );
}

/** Deletes the notifications of a group. No-op if there are none. */
export async function dismissGroup(app: App, accountId: AccountId, key: string): Promise<void> {
  const id = parseUngroupedKey(key);
  const isMember = id === undefined ? sql`group_key collate "C" = ${key}` : sql`id = ${id}::bigint`;
  await transaction(app, (tx) => deleteMatching(tx, sql<boolean>`account_id = ${accountId}::bigint and ${isMember}`));
}

/** Counts the groups with a notification above the read marker, up to `limit`. */
export async function countUnreadGroups(
  app: App,
  accountId: AccountId,
  filter: GroupFilter,
  limit: number,
): Promise<number> {
  const { args, source, mayBeSlow } = toGroupArgs(accountId, filter);
  const bound = (await findLastReadId(app, accountId, 'notifications')) ?? '0';
  const rows = await statements[source].asc(app, { ...args, bound, count: limit }, { unbatched: mayBeSlow });
  return (await filterVisibleNotifications(app, accountId, rows)).length;
}
