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

interface Args {
  readonly bound: StatusId;
  readonly count: number;
}

type Variant = `${'asc' | 'desc'} ${'all' | 'local' | 'remote'} ${'any' | 'media'}`;

// Each has a text of its own, so that the planner sees the condition of a partial index and not a parameter.
const statements = new Map<string, ReturnType<typeof statement>>();

function statement(ascending: boolean, origin: 'all' | 'local' | 'remote', onlyMedia: boolean) {
  return prepared<{ id: StatusId }>()((db, { bound, count }: Args) =>
    db
      .selectFrom('statuses')
      .select('id')
      .where('id', ascending ? '>' : '<', bound)
      .where(sql<boolean>`visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null`)
      .$if(origin === 'local', (query) => query.where(sql<boolean>`local`))
      .$if(origin === 'remote', (query) => query.where(sql<boolean>`not local`))
      .$if(onlyMedia, (query) => query.where(sql<boolean>`has_media`))
      .orderBy('id', ascending ? 'asc' : 'desc')
      .limit(count),
  );
}

function statementFor(ascending: boolean, { local, remote, onlyMedia = false }: PublicChoice) {
  const origin = local ? 'local' : remote ? 'remote' : 'all';
  const variant: Variant = `${ascending ? 'asc' : 'desc'} ${origin} ${onlyMedia ? 'media' : 'any'}`;
  const known = statements.get(variant) ?? statement(ascending, origin, onlyMedia);
  statements.set(variant, known);
  return known;
}

/** A page of the public posts of this server and those it knows of: no reblogs, no replies to others, nobody silenced. */
export function publicPage(
  app: App,
  viewerId: AccountId | undefined,
  choice: PublicChoice,
  page: Page,
): Promise<FilledPage<StatusId>> {
  return fillPage<StatusId>(
    page,
    async (from, ascending) => {
      const bound = from ?? (ascending ? ('0' as StatusId) : endOfTime);
      const rows = await statementFor(ascending, choice)(app, { bound, count: page.limit });
      const ids = rows.map(({ id }) => id);
      return { ids, next: ids.length === page.limit ? ids.at(-1) : undefined };
    },
    (ids) => keepVisible(app, viewerId, ids, 'public'),
  );
}
