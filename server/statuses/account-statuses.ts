import { sql } from 'kysely';
import { accountBodies, requireAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { arrayOf, listOf } from '../platform/database/gathered.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId, TagId } from '../platform/ids.ts';
import { follows, relationsOf } from '../relationships/index.ts';
import { findTag } from '../tags/index.ts';
import { ends, gatheredPages, type Ends } from '../platform/database/paged-rows.ts';
import type { Visibility } from './tables.ts';

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

interface Args {
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
const shape = (onlyMedia: boolean, tagged: boolean) =>
  gatheredPages<Row>()<Args>(
    types,
    (args, order) => sql`
      select s.id from statuses s
      where s.account_id = ${args.accountId} and s.deleted_at is null and s.id < ${args.below} and s.id > ${args.above}
        and (s.visibility = any(${arrayOf(args.visibilities, 'text')}) or exists (
          select 1 from mentions m where m.status_id = s.id and m.account_id = ${args.viewerId}))
        and not (${args.excludeReplies} and s.is_reply)
        and not (${args.excludeReblogs} and s.reblog_of_id is not null)
        and not (${args.excludeDirect} and s.visibility = 'direct')
        ${onlyMedia ? sql`and s.has_media` : sql``}
        ${tagged ? sql`and exists (select 1 from status_tags t where t.tag_id = ${args.tagId} and t.status_id = s.id)` : sql``}
      order by s.id ${order} limit ${args.limit}`,
  );

const shapes = {
  all: shape(false, false),
  media: shape(true, false),
  tagged: shape(false, true),
  taggedMedia: shape(true, true),
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
): Promise<{ ids: StatusId[] } & Ends> {
  const { accountId } = query;
  const visibilities = await visibleKinds(app, viewerId, accountId);
  const tag = query.tagged === undefined ? undefined : await findTag(app, query.tagged);
  if (visibilities.length === 0 || (query.tagged !== undefined && tag === undefined)) {
    return { ids: [], ...ends(page, []) };
  }
  const { onlyMedia, excludeReplies, excludeReblogs, excludeDirect } = query;
  const list = shapes[tag === undefined ? (onlyMedia ? 'media' : 'all') : onlyMedia ? 'taggedMedia' : 'tagged'];
  // To find few posts among many may take long.
  const alone = tag !== undefined || excludeReplies || excludeReblogs || excludeDirect;
  const args = {
    accountId,
    viewerId: viewerId ?? '0',
    visibilities: listOf(visibilities),
    excludeReplies,
    excludeReblogs,
    excludeDirect,
    tagId: tag?.id,
  };
  const rows = await list(app, page, args, { alone });
  return { ids: rows.map(({ id }) => id), ...ends(page, rows) };
}

const pins = prepared<{ status_id: StatusId }>()((db, { accountId, limit }: { accountId: AccountId; limit: number }) =>
  db
    .selectFrom('status_pins')
    .select('status_id')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(sql<number>`${limit}`),
);

/** What an account has pinned, latest pin first; empty where `listAccountStatuses` is. */
export async function listPinned(
  app: App,
  viewerId: AccountId | undefined,
  accountId: AccountId,
  limit: number,
): Promise<StatusId[]> {
  if ((await visibleKinds(app, viewerId, accountId)).length === 0) return [];
  return (await pins(app, { accountId, limit })).map(({ status_id }) => status_id);
}

/** The visibilities of an account's statuses that the viewer may see without being named in them; 404 for no account. */
async function visibleKinds(app: App, viewerId: AccountId | undefined, accountId: AccountId): Promise<Visibility[]> {
  const author = (await accountBodies(app, [accountId])).get(accountId);
  if (author?.activated !== true) await requireAccount(app, accountId);
  if (author === undefined || author.suspended) return [];
  if (viewerId === undefined) return ['public', 'unlisted'];
  if (viewerId === accountId) return ['public', 'unlisted', 'private', 'direct'];
  const { blockedBy } = await relationsOf(app, viewerId);
  if (blockedBy.has(accountId)) return [];
  return (await follows(app, viewerId, accountId)) ? ['public', 'unlisted', 'private'] : ['public', 'unlisted'];
}
