import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evict, type CacheReaction } from '../platform/caching/cache-reactions.ts';
import { splitList, batchedQuery, joinList, type Columns } from '../platform/database/batched-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { Page } from '../platform/http/pages.ts';
import { notFound } from '../platform/http/http-errors.ts';
import {
  maxId,
  type AccountId,
  type AnyId,
  type CollectionId,
  type NotificationId,
  type StatusId,
} from '../platform/ids.ts';
import { collectionDeleted } from '../collections/index.ts';
import { hidesNotifications, loadAccountRelations } from '../relationships/rules/index.ts';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import { filterVisibleStatuses } from '../statuses/read/index.ts';
import { deleteMatching } from './delete-matching.ts';
import { notificationCreated, notificationsChanged } from './events.ts';
import { findLastReadId, PageFiller, type Cursor, type FilledPage } from '../timelines/index.ts';
import { writable } from './tables.ts';

export interface NotificationRow {
  readonly id: NotificationId;
  readonly type: string;
  readonly from_account_id: AccountId;
  readonly status_id: StatusId | null;
  readonly collection_id: CollectionId | null;
  readonly subject_id: AnyId | null;
  readonly group_key: string | null;
  /** Filtered notifications are listed only on request. */
  readonly filtered: boolean;
  readonly created_at: Date;
}

/** Selects notifications of an account. */
export interface NotificationFilter {
  /** Only these types. Unknown types match nothing. */
  readonly types: readonly string[] | undefined;
  readonly excludeTypes: readonly string[];
  /** Only from this account. */
  readonly fromAccountId: AccountId | undefined;
  /** Includes filtered ones. Implied by `fromAccountId`. */
  readonly includeFiltered: boolean;
}

export interface NotificationArgs {
  readonly accountId: AccountId;
  /** Joined by `joinList`. */
  readonly types: string | null;
  readonly excludeTypes: string;
  readonly fromAccountId: AccountId | null;
  readonly includeFiltered: boolean;
  readonly bound: string;
  readonly count: number;
}

/** The columns of a `NotificationRow`. */
export const notificationColumns = [
  'id',
  'type',
  'from_account_id',
  'status_id',
  'collection_id',
  'subject_id',
  'group_key',
  'filtered',
  'created_at',
] as const;

/** PostgreSQL types of `NotificationArgs`. */
export const notificationArgumentTypes = {
  accountId: 'bigint',
  types: 'text',
  excludeTypes: 'text',
  fromAccountId: 'bigint',
  includeFiltered: 'boolean',
  bound: 'bigint',
  count: 'int',
} as const;

/** Types that most notifications have. */
export const frequentTypes = ['favourite', 'reblog', 'follow'] as const;

/**
 * The notifications that a statement reads: all of the account, those from one sender, or those without the frequent
 * types. Each has an index, so that few are found quickly among very many.
 */
export type Source = 'all' | 'sender' | 'infrequent';

const sourceSql: Record<Source, (args: Columns<NotificationArgs>) => RawBuilder<boolean>> = {
  all: () => sql<boolean>`true`,
  sender: (args) => sql<boolean>`from_account_id = ${args.fromAccountId}`,
  infrequent: () => sql<boolean>`type not in (${sql.join(frequentTypes.map((type) => sql.lit(type)))})`,
};

/** Builds a statement for each source and direction. */
export function buildStatements<Statement>(build: (source: Source, ascending: boolean) => Statement) {
  const both = (source: Source) => ({ asc: build(source, true), desc: build(source, false) });
  return { all: both('all'), sender: both('sender'), infrequent: both('infrequent') };
}

/** Condition on `notifications`: it matches the filter, past the bound in this direction. */
export const matchesFilterSql = (args: Columns<NotificationArgs>, source: Source, ascending: boolean) => sql<boolean>`
  account_id = ${args.accountId} and id ${ascending ? sql`>` : sql`<`} ${args.bound}
  and (not filtered or ${args.includeFiltered})
  and (${args.types} is null or type = any(${splitList(args.types, 'text')}))
  and type <> all(${splitList(args.excludeTypes, 'text')})
  and ${sourceSql[source](args)}`;

const selectNotifications = (source: Source, ascending: boolean) =>
  batchedQuery<NotificationRow>()<NotificationArgs>(
    notificationArgumentTypes,
    (args) => sql`
      select ${sql.join(notificationColumns.map((name) => sql.ref(name)))} from notifications
      where ${matchesFilterSql(args, source, ascending)}
      order by id ${ascending ? sql`asc` : sql`desc`} limit ${args.count}`,
  );

const statements = buildStatements(selectNotifications);

/** Rows of `newestNotifications`: a page of most clients. */
const newestCount = 40;

/** Selects the newest notifications of an account, without filtered ones. */
export const newestArgs = (accountId: AccountId): NotificationArgs => ({
  accountId,
  types: null,
  excludeTypes: '',
  fromAccountId: null,
  includeFiltered: false,
  bound: maxId,
  count: newestCount,
});

/** Evicts what is cached about the notifications of an account. Who changes notifications announces it. */
export const evictOfRecipient: readonly CacheReaction<AccountId, object>[] = [
  evict(notificationCreated, ({ accountId }) => [accountId]),
  evict(notificationsChanged, ({ accountIds }) => accountIds),
  // The database deletes the notifications about it.
  evict(collectionDeleted, ({ memberIds }) => memberIds),
];

/** What `newestArgs` selects. */
export const newestNotifications = new LoadingCache<AccountId, readonly NotificationRow[]>({
  name: 'notifications.newest',
  maxSize: 500,
  ttlMs: 60_000,
  load: (app, accountId) => statements.all.desc(app, newestArgs(accountId)),
  evictOn: evictOfRecipient,
});

/** No type has a comma, which separates the types in SQL. */
const isTypeName = (type: string): boolean => !type.includes(',');

/** Returns the arguments of a filter, its source, whether its statement may be slow, and whether it selects `newestArgs`. */
export function toFilterArgs(accountId: AccountId, choice: NotificationFilter) {
  const { types, excludeTypes, fromAccountId = null } = choice;
  const includeFiltered = choice.includeFiltered || fromAccountId !== null;
  const mayBeSlow = types !== undefined || excludeTypes.length > 0 || fromAccountId !== null;
  const mayMatch = (type: string) => (types === undefined || types.includes(type)) && !excludeTypes.includes(type);
  const source: Source = fromAccountId !== null ? 'sender' : frequentTypes.some(mayMatch) ? 'all' : 'infrequent';
  return {
    source,
    args: {
      accountId,
      types: types === undefined ? null : joinList(types.filter(isTypeName)),
      excludeTypes: joinList(excludeTypes.filter(isTypeName)),
      fromAccountId,
      includeFiltered,
    },
    mayBeSlow,
    isNewest: ({ direction, bound }: Cursor<NotificationId>, count: number) =>
      !mayBeSlow && !includeFiltered && direction === 'desc' && bound === maxId && count <= newestCount,
  };
}

/** Lists the candidates of a page, past the cursor in its direction. */
type ListCandidates = (cursor: Cursor<NotificationId>, limit: number) => Promise<NotificationRow[]>;

export type NotificationPage = FilledPage<NotificationId> & { readonly rows: NotificationRow[] };

/** Returns a page of an account's notifications, with their rows. */
export async function listNotifications(
  app: App,
  accountId: AccountId,
  choice: NotificationFilter,
  page: Page,
): Promise<NotificationPage> {
  const { args, source, mayBeSlow, isNewest } = toFilterArgs(accountId, choice);
  return fillNotificationPage(app, accountId, page, async (cursor, count) =>
    isNewest(cursor, count)
      ? (await newestNotifications.get(app, accountId)).slice(0, count)
      : statements[source][cursor.direction](app, { ...args, bound: cursor.bound, count }, { unbatched: mayBeSlow }),
  );
}

/** Fills a page with the candidates that the account may see. */
export async function fillNotificationPage(
  app: App,
  accountId: AccountId,
  page: Page,
  listCandidates: ListCandidates,
): Promise<NotificationPage> {
  const rowsById = new Map<NotificationId, NotificationRow>();
  const filler = new PageFiller<NotificationId>(page);
  while (filler.needsMore) {
    const rows = await listCandidates(filler.cursor, page.limit);
    for (const row of rows) rowsById.set(row.id, row);
    const candidates = filler.withinPage(rows.map(({ id }) => id)).flatMap((id) => rowsById.get(id) ?? []);
    const visible = await filterVisibleNotifications(app, accountId, candidates);
    filler.add(
      visible.map(({ id }) => id),
      rows.length === page.limit ? rows.at(-1)?.id : undefined,
    );
  }
  const filled = filler.result();
  return { ...filled, rows: filled.ids.flatMap((id) => rowsById.get(id) ?? []) };
}

/** Filters out notifications from accounts that are now blocked or muted, and about statuses that are no longer visible. */
export async function filterVisibleNotifications<Row extends Pick<NotificationRow, 'from_account_id' | 'status_id'>>(
  app: App,
  accountId: AccountId,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))];
  const [relations, senders, visible] = await Promise.all([
    loadAccountRelations(app, accountId),
    loadCachedAccounts(app, [...new Set(rows.map((row) => row.from_account_id))]),
    filterVisibleStatuses(app, accountId, statusIds, 'notifications'),
  ]);
  const shown = new Set(visible);
  return rows.filter(({ from_account_id: from, status_id: statusId }) => {
    const sender = senders.get(from);
    if (sender === undefined || sender.suspended || hidesNotifications(relations, sender)) return false;
    return statusId === null || shown.has(statusId);
  });
}

/** Returns a notification of the account. Throws 404 if it is another account's or no longer visible. */
export async function requireNotification(
  app: App,
  accountId: AccountId,
  id: NotificationId,
): Promise<NotificationRow> {
  const row = await findNotification(app, accountId, id);
  if (row === undefined) throw notFound();
  return row;
}

/** Returns a notification of the account; undefined if it is another account's or no longer visible. */
export async function findNotification(
  app: App,
  accountId: AccountId,
  id: NotificationId,
): Promise<NotificationRow | undefined> {
  const row = await app.db
    .selectFrom('notifications')
    .select(notificationColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [visible] = row === undefined ? [] : await filterVisibleNotifications(app, accountId, [row]);
  return visible;
}

/** Counts the notifications above the read marker, up to `limit`. */
export async function countUnread(
  app: App,
  accountId: AccountId,
  choice: NotificationFilter,
  limit: number,
): Promise<number> {
  const bound = (await findLastReadId(app, accountId, 'notifications')) ?? '0';
  const { args, source, mayBeSlow } = toFilterArgs(accountId, choice);
  const rows = await statements[source].asc(app, { ...args, bound, count: limit }, { unbatched: mayBeSlow });
  return (await filterVisibleNotifications(app, accountId, rows)).length;
}

/** Deletes a notification. Throws 404 if it is not the account's. */
export async function dismissNotification(app: App, accountId: AccountId, id: NotificationId): Promise<void> {
  const deletedCount = await transaction(app, (tx) =>
    deleteMatching(tx, sql<boolean>`account_id = ${accountId}::bigint and id = ${id}::bigint`),
  );
  if (deletedCount === 0) throw notFound();
}

/** Deletes all notifications of an account, also the filtered ones with their requests. */
export async function deleteAllNotifications(app: App, accountId: AccountId): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    await writable(db).deleteFrom('notification_requests').where('account_id', '=', accountId).execute();
    await writable(db).deleteFrom('notifications').where('account_id', '=', accountId).execute();
    emit(notificationsChanged({ accountIds: [accountId] }));
  });
}
