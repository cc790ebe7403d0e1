import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
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
  return prepared<{ id: StatusId }>()((db, { bound }: { bound: StatusId }) =>
    db
      .selectFrom('statuses')
      .select('id')
      .where('id', ascending ? '>' : '<', bound)
      .where(sql<boolean>`visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null`)
      .$if(origin === 'local', (query) => query.where(sql<boolean>`local`))
      .$if(origin === 'remote', (query) => query.where(sql<boolean>`not local`))
      .$if(onlyMedia, (query) => query.where(sql<boolean>`has_media`))
      .orderBy('id', ascending ? 'asc' : 'desc')
      .limit(sql.lit(count)),
  );
}

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
      const ids = (await read(app, { bound })).map(({ id }) => id);
      return { ids, next: ids.length === count ? ids.at(-1) : undefined };
    },
    (ids) => keepVisible(app, viewerId, ids, 'public'),
  );
}
