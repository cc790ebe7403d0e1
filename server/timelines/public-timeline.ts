import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/index.ts';
import { fillPage, type FilledPage } from './fill-page.ts';
import { maxId } from './follow-graph.ts';

/** Which public posts are asked for. */
export interface PublicTimelineFilter {
  /** Of accounts of this server only. */
  readonly local?: boolean;
  /** Of accounts of other servers only. */
  readonly remote?: boolean;
  readonly onlyMedia?: boolean;
}

type Origin = 'all' | 'local' | 'remote';

/** One of the texts that a page is read with. */
interface Variant {
  readonly ascending: boolean;
  readonly origin: Origin;
  readonly onlyMedia: boolean;
  readonly count: number;
}

/**
 * Each variant has a text of its own: the planner sees the condition of a partial index and a small limit, and keeps one
 * plan. With parameters in their place it would plan every time anew, which costs more than the reading.
 */
const statements = new Map<string, ReturnType<typeof statement>>();

function statement({ ascending, origin, onlyMedia, count }: Variant) {
  return batchedQuery<{ id: StatusId }>()<{ bound: StatusId }>(
    { bound: 'bigint' },
    ({ bound }) => sql`
      select id from statuses
      where id ${ascending ? sql`>` : sql`<`} ${bound}
        and visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null
        ${conditions[origin]}
        ${onlyMedia ? sql`and has_media` : sql``}
      order by id ${ascending ? sql`asc` : sql`desc`} limit ${sql.lit(count)}`,
  );
}

const conditions = { all: sql``, local: sql`and local`, remote: sql`and not local` };

function findOrCreateStatement(variant: Variant): ReturnType<typeof statement> {
  const key = Object.values(variant).join(' ');
  const existing = statements.get(key) ?? statement(variant);
  statements.set(key, existing);
  return existing;
}

/** Rows are read in one of two numbers, so that there are few texts. */
const batchSizes = { few: 20, many: 40 };

/** A page of the public posts of this server and those it knows of: no reblogs, no replies to others, nobody silenced. */
export function loadPublicTimeline(
  app: App,
  viewerId: AccountId | undefined,
  choice: PublicTimelineFilter,
  page: Page,
): Promise<FilledPage<StatusId>> {
  const count = page.limit <= batchSizes.few ? batchSizes.few : batchSizes.many;
  const origin = choice.local ? 'local' : choice.remote ? 'remote' : 'all';
  return fillPage<StatusId>(
    page,
    async (from, ascending) => {
      const bound = from ?? (ascending ? ('0' as StatusId) : maxId);
      const read = findOrCreateStatement({ ascending, origin, onlyMedia: choice.onlyMedia ?? false, count });
      // Both are found by an index, but each by its own: few may be both.
      const alone = origin !== 'all' && choice.onlyMedia === true;
      const ids = (await read(app, { bound }, { unbatched: alone })).map(({ id }) => id);
      return { ids, next: ids.length === count ? ids.at(-1) : undefined };
    },
    (ids) => filterVisibleStatuses(app, viewerId, ids, 'public'),
  );
}
