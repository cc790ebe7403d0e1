import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery, type PageBounds, type PageEnds } from '../platform/database/paged-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import type { BookmarkFolderId } from './tables.ts';

/** Which bookmarks of an account are wanted. */
export interface BookmarkSearch {
  readonly accountId: AccountId;
  /** A folder, `unfiled` for bookmarks in no folder, or undefined for all. */
  readonly within: BookmarkFolderId | 'unfiled' | undefined;
  readonly authorId: AccountId | undefined;
  /** See `parseSearch`. */
  readonly patterns: readonly string[];
}

/** Maximum number of bookmarks that a filtered page examines, so that a rare word does not read a whole library. */
export const maxExaminedBookmarks = 2_000;
/** The same for a page without conditions, which only leaves out deleted statuses. */
const maxExaminedOfListing = 200;

interface FoundRow {
  readonly id: RowId;
  /** Null: the row is the last one that was examined, if there may be more. */
  readonly status_id: StatusId | null;
}

interface FoundArgs {
  readonly accountId: AccountId;
  readonly folderId: BookmarkFolderId | undefined;
  readonly authorId: AccountId | undefined;
  readonly patterns: readonly string[];
  readonly maxExamined: number;
}

/** Sanitized HTML as text. It has no other entities. */
const contentText = sql`replace(replace(replace(
  regexp_replace(regexp_replace(s.content, '</(?:p|li|blockquote|pre)>|<br */?>', ' ', 'g'), '<[^>]*>', '', 'g'),
  '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;

/** The text of a status: content warning, content and descriptions of files, in lower case. */
const searchedText = sql`lower(concat_ws(' ', s.spoiler_text,
  case when s.local then s.text else ${contentText} end,
  (select string_agg(m.description, ' ') from media_attachments m where m.id = any(s.media_ids))))`;

type SelectExamined = (args: FoundArgs & PageBounds, order: RawBuilder<unknown>) => RawBuilder<unknown>;

const selectAll: SelectExamined = ({ accountId, below, above, maxExamined }, order) => sql`
  select b.id, b.status_id from bookmarks b where b.account_id = ${accountId} and b.id < ${below} and b.id > ${above}
  order by b.id ${order} limit ${maxExamined}`;

const selectFolder: SelectExamined = ({ folderId, below, above, maxExamined }, order) => sql`
  select item.bookmark_id as id, b.status_id
  from bookmark_folder_items item join bookmarks b on b.id = item.bookmark_id
  where item.folder_id = ${folderId} and item.bookmark_id < ${below} and item.bookmark_id > ${above}
  order by item.bookmark_id ${order} limit ${maxExamined}`;

const isUnfiled = sql`not exists (select from bookmark_folder_items item where item.bookmark_id = examined.id)`;

const findQuery = (selectExamined: SelectExamined, condition: RawBuilder<unknown> = sql`true`) =>
  pagedQuery<FoundRow>()<FoundArgs>((db, args, order) => ({
    compile: () =>
      sql<FoundRow>`
        with examined as materialized (${selectExamined(args, order)}), found as (
          select examined.id, examined.status_id from examined join statuses s on s.id = examined.status_id
          where s.deleted_at is null and ${condition}
            and (${args.authorId}::bigint is null or s.account_id = ${args.authorId}::bigint)
            and (cardinality(${args.patterns}::text[]) = 0 or ${searchedText} like all(${args.patterns}::text[]))
          order by examined.id ${order} limit ${args.limit}
        ), last_examined as (
          select id from examined where (select count(*) from examined) = ${args.maxExamined}
            and (select count(*) from found) < ${args.limit}
          order by id ${order} offset greatest(${args.maxExamined}::int - 1, 0) limit 1
        )
        select id, status_id from found union all select id, null from last_examined
        order by id ${order}`.compile(db),
  }));

const queries = {
  all: findQuery(selectAll),
  unfiled: findQuery(selectAll, isUnfiled),
  folder: findQuery(selectFolder),
};

/**
 * Returns a page of bookmarks, latest first, by the ids of the bookmarks. A page may have fewer items than its limit, or
 * none, although more follow: `more` tells.
 */
export async function findBookmarks(
  app: App,
  page: Page,
  { accountId, within, authorId, patterns }: BookmarkSearch,
): Promise<{ statusIds: StatusId[] } & PageEnds> {
  const isFiltered = within === 'unfiled' || authorId !== undefined || patterns.length > 0;
  const query = queries[within === undefined ? 'all' : within === 'unfiled' ? 'unfiled' : 'folder'];
  const rows = await query(app, page, {
    accountId,
    folderId: within === 'unfiled' ? undefined : within,
    authorId,
    patterns,
    maxExamined: isFiltered ? maxExaminedBookmarks : maxExaminedOfListing,
  });
  const found = rows.filter((row) => row.status_id !== null);
  const bound = rows.find((row) => row.status_id === null);
  const statusIds = found.flatMap((row) => row.status_id ?? []);
  if (page.minId !== undefined)
    return { statusIds, first: (bound ?? found[0])?.id, last: found.at(-1)?.id, more: rows.length > 0 };
  return {
    statusIds,
    first: found[0]?.id,
    last: (bound ?? found.at(-1))?.id,
    more: bound !== undefined || found.length === page.limit,
  };
}
