import { sql } from 'kysely';
import { loadCachedAccounts, requireAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { splitList, joinList } from '../platform/database/batched-query.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId, TagId } from '../platform/ids.ts';
import { isFollowing, loadAccountRelations } from '../relationships/index.ts';
import { findTag } from '../tags/index.ts';
import { pageEnds, batchedPagedQuery, type PageEnds } from '../platform/database/paged-query.ts';
import type { Visibility } from './tables.ts';
import { isInAudienceSql } from './visibility-sql.ts';
import { listReadableVisibilities } from './visibility.ts';

/** Which of an account's statuses are wanted (ACC-09). */
export interface AccountStatusesQuery {
  readonly accountId: AccountId;
  readonly onlyMedia: boolean;
  /** Leaves out replies to others; those to oneself stay. */
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly excludeDirect: boolean;
  readonly tagged: string | undefined;
}

interface Row {
  readonly id: StatusId;
}

interface AccountStatusesArgs {
  readonly accountId: AccountId;
  /** 0 for the anonymous. */
  readonly viewerId: string;
  /** A list (`listOf`). */
  readonly visibilities: string;
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly excludeDirect: boolean;
  readonly tagId: TagId | undefined;
}

const types = {
  accountId: 'bigint',
  viewerId: 'bigint',
  visibilities: 'text',
  excludeReplies: 'boolean',
  excludeReblogs: 'boolean',
  excludeDirect: 'boolean',
  tagId: 'bigint',
} as const;

/** What is looked for by an index of its own (media, a hashtag) is part of the statement, the rest are conditions. */
const accountStatusesQuery = (onlyMedia: boolean, tagged: boolean) =>
  batchedPagedQuery<Row>()<AccountStatusesArgs>(
    types,
    (args, order) => sql`
      select s.id from statuses s
      where s.account_id = ${args.accountId} and s.deleted_at is null and s.id < ${args.below} and s.id > ${args.above}
        and ${isInAudienceSql(splitList(args.visibilities, 'text'), args.viewerId)}
        and not (${args.excludeReplies} and s.is_reply)
        and not (${args.excludeReblogs} and s.reblog_of_id is not null)
        and not (${args.excludeDirect} and s.visibility = 'direct')
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

/**
 * A page of an account's statuses that the viewer (undefined: anonymous) may see by their visibility, newest first, and
 * what the Link header says of it. Nothing of a suspended account, or of one that blocks the viewer. Leaves it to
 * `keepVisible` to drop reblogs of what the viewer may not see.
 */
export async function listAccountStatuses(
  app: App,
  viewerId: AccountId | undefined,
  page: Page,
  query: AccountStatusesQuery,
): Promise<{ ids: StatusId[] } & PageEnds> {
  const { accountId } = query;
  const visibilities = await loadReadableVisibilities(app, viewerId, accountId);
  const tag = query.tagged === undefined ? undefined : await findTag(app, query.tagged);
  if (visibilities.length === 0 || (query.tagged !== undefined && tag === undefined)) {
    return { ids: [], ...pageEnds(page, []) };
  }
  const { onlyMedia, excludeReplies, excludeReblogs, excludeDirect } = query;
  const list =
    accountStatusesQueries[tag === undefined ? (onlyMedia ? 'media' : 'all') : onlyMedia ? 'taggedMedia' : 'tagged'];
  // To find few posts among many may take long.
  const alone = tag !== undefined || excludeReplies || excludeReblogs || excludeDirect;
  const args = {
    accountId,
    viewerId: viewerId ?? '0',
    visibilities: joinList(visibilities),
    excludeReplies,
    excludeReblogs,
    excludeDirect,
    tagId: tag?.id,
  };
  const rows = await list(app, page, args, { unbatched: alone });
  return { ids: rows.map(({ id }) => id), ...pageEnds(page, rows) };
}

const pinnedRows = preparedQuery<{ status_id: StatusId }>()(
  (db, { accountId, limit }: { accountId: AccountId; limit: number }) =>
    db
      .selectFrom('status_pins')
      .select('status_id')
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .limit(sql<number>`${limit}`),
);

/** What an account has pinned, latest pin first; empty where `listAccountStatuses` is. */
export async function listPinnedStatuses(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  limit: number,
): Promise<StatusId[]> {
  if ((await loadReadableVisibilities(app, viewerId, accountId)).length === 0) return [];
  return (await pinnedRows(app, { accountId, limit })).map(({ status_id }) => status_id);
}

/** Returns the visibilities of an account's statuses that the viewer may see without a mention. 404 if there is no account. */
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
  return listReadableVisibilities({ isFollower, blockedByAuthor: blockedBy.has(accountId) });
}
