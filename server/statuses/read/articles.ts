import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { asciiJson } from '../../platform/http/http-response.ts';
import type { StatusId } from '../../platform/ids.ts';
import { limitHtml } from '../../text/index.ts';
import type { RemoteArticle } from '../remote/remote-status.ts';

/** A remote article as the row of its status has it: without its content. */
export type ArticleRow = Pick<RemoteArticle, 'type' | 'title' | 'summary' | 'event'> & {
  /** Characters. */
  readonly length: number;
};

/** Returns `fieldfare` of a status without its closing brace, before which the content of the article may follow. */
export function renderArticle({ type, title, summary, length, event }: ArticleRow): string {
  const shown = {
    type,
    title: title || null,
    summary: limitHtml(summary),
    article_length: length,
    event: event && {
      starts_at: event.startsAt,
      ends_at: event.endsAt,
      place: event.place,
      cancelled: event.cancelled,
    },
  };
  return asciiJson(shown).slice(0, -1);
}

const articleContents = preparedQuery<{ status_id: StatusId; content: string }>()((db, { ids }: { ids: StatusId[] }) =>
  db
    .selectFrom('status_articles')
    .select(['status_id', 'content'])
    .where(sql<boolean>`status_id = any(${ids}::bigint[])`),
);

/** Returns the articles of statuses as members of JSON, by status. No query without ids. */
export async function loadArticles(app: App, ids: StatusId[]): Promise<ReadonlyMap<StatusId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await articleContents(app, { ids });
  return new Map(rows.map((row) => [row.status_id, `,${asciiJson({ article: limitHtml(row.content) }).slice(1, -1)}`]));
}
