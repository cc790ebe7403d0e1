import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { gathered } from '../platform/database/gathered.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { keepVisible } from '../statuses/index.ts';
import { fillPage, type FilledPage } from './fill-page.ts';
import { endOfTime } from './follow-graph.ts';

/** Which public posts are asked for. */
export interface PublicChoice {
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
  return gathered<{ id: StatusId }>()<{ bound: StatusId }>(
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

function statementOf(variant: Variant): ReturnType<typeof statement> {
  const key = Object.values(variant).join(' ');
  const known = statements.get(key) ?? statement(variant);
  statements.set(key, known);
  return known;
}

/** Rows are read in one of two numbers, so that there are few texts. */
const counts = { few: 20, many: 40 };

/** A page of the public posts of this server and those it knows of: no reblogs, no replies to others, nobody silenced. */
export function publicPage(
  app: App,
  viewerId: AccountId | undefined,
  choice: PublicChoice,
  page: Page,
): Promise<FilledPage<StatusId>> {
  const count = page.limit <= counts.few ? counts.few : counts.many;
  const origin = choice.local ? 'local' : choice.remote ? 'remote' : 'all';
  return fillPage<StatusId>(
    page,
    async (from, ascending) => {
      const bound = from ?? (ascending ? ('0' as StatusId) : endOfTime);
      const read = statementOf({ ascending, origin, onlyMedia: choice.onlyMedia ?? false, count });
      // Both are found by an index, but each by its own: few may be both.
      const alone = origin !== 'all' && choice.onlyMedia === true;
      const ids = (await read(app, { bound }, { alone })).map(({ id }) => id);
      return { ids, next: ids.length === count ? ids.at(-1) : undefined };
    },
    (ids) => keepVisible(app, viewerId, ids, 'public'),
  );
}
