import { sql } from 'kysely';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { splitList, joinList } from '../../platform/database/batched-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, StatusId, TagId } from '../../platform/ids.ts';
import { isFollowing, loadAccountRelations } from '../../relationships/rules/index.ts';
import { findTag } from '../../tags/index.ts';
import { pageEnds, batchedPagedQuery, type PageEnds } from '../../platform/database/paged-query.ts';
import { filterVisibleStatuses } from './filter-visible-statuses.ts';
import { presentStatuses, type Viewer } from './present-statuses.ts';
import type { Status } from '../schema.ts';
import type { Visibility } from '../tables.ts';
import { isInAudienceSql } from '../visibility/visibility-sql.ts';
import { isImported, listReadableVisibilities } from '../visibility/visibility.ts';

/** Which statuses of an account to list (ACC-09). */
export interface AccountStatusesQuery {
  readonly accountId: AccountId;
  readonly onlyMedia: boolean;
  /** Leaves out replies to others. */
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly excludeDirect: boolean;
  readonly tagged: string | undefined;
  /** Whether to leave out imported statuses, or all others. */
  readonly imported?: 'exclude' | 'only' | undefined;
}

/** Statuses with their ids, in the same order. */
interface ListedStatuses {
  readonly ids: StatusId[];
  readonly statuses: JsonText<Status>[];
}

/**
 * Returns a page of the statuses of an account that the viewer may see, newest first, with the cursors of the Link header.
 * Hidden statuses are not replaced, so a page may be short. Empty for a suspended account, or one that blocks the viewer;
 * throws 404 for an unknown one.
 */
export async function listAccountStatuses(
  app: App,
  viewer: Viewer,
  page: Page,
  query: AccountStatusesQuery,
): Promise<ListedStatuses & { readonly ends: PageEnds }> {
  const rows = await listStatusRows(app, viewer?.accountId, page, query);
  const found = rows.map(({ id }) => id);
  const ids = await filterVisibleStatuses(app, viewer?.accountId, found, 'account');
  return { ids, statuses: await presentStatuses(app, viewer, ids), ends: pageEnds(page, rows) };
}

/** Returns the pinned statuses of an account that the viewer may see, last pinned first. */
export async function listPinnedStatuses(
  app: App,
  viewer: Viewer,
  accountId: AccountId,
  limit: number,
): Promise<ListedStatuses> {
  const pinned = await listPinnedIds(app, viewer?.accountId, accountId, limit);
  const ids = await filterVisibleStatuses(app, viewer?.accountId, pinned, 'account');
  return { ids, statuses: await presentStatuses(app, viewer, ids) };
}

/**
 * Selects by the audience of a status alone. `filterVisibleStatuses` decides the rest, for the reblogged status too.
 */
async function listStatusRows(
  app: App,
  viewerId: AccountId | undefined,
  page: Page,
  query: AccountStatusesQuery,
): Promise<Row[]> {
  const { accountId, onlyMedia, excludeReplies, excludeReblogs, excludeDirect } = query;
  const readable = await loadReadableVisibilities(app, viewerId, accountId);
  const visibilities =
    query.imported === undefined
      ? readable
      : readable.filter((visibility) => isImported(visibility) === (query.imported === 'only'));
  const tag = query.tagged === undefined ? undefined : await findTag(app, query.tagged);
  if (visibilities.length === 0 || (query.tagged !== undefined && tag === undefined)) return [];
  const loadRows =
    accountStatusesQueries[tag === undefined ? (onlyMedia ? 'media' : 'all') : onlyMedia ? 'taggedMedia' : 'tagged'];
  // Few matches among many statuses may take long to find.
  const unbatched =
    tag !== undefined || excludeReplies || excludeReblogs || excludeDirect || query.imported !== undefined;
  const args = {
    accountId,
    viewerId: viewerId ?? '0',
    visibilities: joinList(visibilities),
    excludeReplies,
    excludeReblogs,
    excludeDirect,
    onlyImported: query.imported === 'only',
    tagId: tag?.id,
  };
  return loadRows(app, page, args, { unbatched });
}

interface Row {
  readonly id: StatusId;
}

interface AccountStatusesArgs {
  readonly accountId: AccountId;
  /** 0 for anonymous viewers. */
  readonly viewerId: string;
  /** As `joinList` joins them. */
  readonly visibilities: string;
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly excludeDirect: boolean;
  readonly onlyImported: boolean;
  readonly tagId: TagId | undefined;
}

const types = {
  accountId: 'bigint',
  viewerId: 'bigint',
  visibilities: 'text',
  excludeReplies: 'boolean',
  excludeReblogs: 'boolean',
  excludeDirect: 'boolean',
  onlyImported: 'boolean',
  tagId: 'bigint',
} as const;

/** A filter with an index of its own (media, a hashtag) is part of the statement; the others are parameters. */
const accountStatusesQuery = (onlyMedia: boolean, tagged: boolean) =>
  batchedPagedQuery<Row>()<AccountStatusesArgs>(
    types,
    (args, order) => sql`
      select s.id from statuses s
      where s.account_id = ${args.accountId} and s.deleted_at is null and s.id < ${args.below} and s.id > ${args.above}
        and ${isInAudienceSql(splitList(args.visibilities, 'text'), args.viewerId)}
        and not (${args.excludeReplies} and s.is_reply)
        and not (${args.excludeReblogs} and s.reblog_of_id is not null)
        and not (${args.excludeDirect} and s.visibility in ('direct', 'imported_direct'))
        and not (${args.onlyImported} and s.visibility not like 'imported%')
        ${onlyMedia ? sql`and s.has_media` : sql``}
        ${tagged ? sql`and exists (select 1 from status_tags t where t.tag_id = ${args.tagId} and t.status_id = s.id)` : sql``}
      order by s.id ${order} limit ${args.limit}`,
  );

const accountStatusesQueries = {
  all: accountStatusesQuery(false, false),
  media: accountStatusesQuery(true, false),
  tagged: accountStatusesQuery(false, true),
  taggedMedia: accountStatusesQuery(true, true),
};

const pinnedRows = preparedQuery<{ status_id: StatusId }>()(
  (db, { accountId, limit }: { accountId: AccountId; limit: number }) =>
    db
      .selectFrom('status_pins')
      .select('status_id')
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .limit(sql<number>`${limit}`),
);

async function listPinnedIds(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  limit: number,
): Promise<StatusId[]> {
  if ((await loadReadableVisibilities(app, viewerId, accountId)).length === 0) return [];
  return (await pinnedRows(app, { accountId, limit })).map(({ status_id }) => status_id);
}

/** Returns the visibilities that the viewer may read without being mentioned. Throws 404 for an unknown account. */
async function loadReadableVisibilities(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
): Promise<Visibility[]> {
  const author = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (author?.activated !== true) await requireAccount(app, accountId);
  const authorUnavailable = author === undefined || author.suspended;
  if (authorUnavailable || viewerId === undefined) return listReadableVisibilities({ authorUnavailable });
  if (viewerId === accountId) return listReadableVisibilities({ isAuthor: true });
  const [{ blockedBy }, isFollower] = await Promise.all([
    loadAccountRelations(app, viewerId),
    isFollowing(app, viewerId, accountId),
  ]);
  return listReadableVisibilities({ isOfThisServer: true, isFollower, blockedByAuthor: blockedBy.has(accountId) });
}
