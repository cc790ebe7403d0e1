import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { htmlToText } from '../../text/index.ts';
import type { RemoteArticle } from './remote-status.ts';

/**
 * Stores the article of a remote status in place of an earlier one; undefined: it has none. Returns whether that changes
 * anything.
 */
export async function storeArticle(
  { db }: Transaction,
  statusId: StatusId,
  article: RemoteArticle | undefined,
): Promise<boolean> {
  if (article === undefined) {
    const { numAffectedRows = 0n } = await sql`delete from status_articles where status_id = ${statusId}`.execute(db);
    return numAffectedRows > 0n;
  }
  const { type, title, summary, content } = article;
  const event = article.event === null ? null : JSON.stringify(article.event);
  const { numAffectedRows = 0n } = await sql`
    insert into status_articles as stored (status_id, type, title, summary, content, length, event)
    values (${statusId}, ${type}, ${title}, ${summary}, ${content}, ${htmlToText(content).length}, ${event}::jsonb)
    on conflict (status_id) do update set type = excluded.type, title = excluded.title, summary = excluded.summary,
      content = excluded.content, length = excluded.length, event = excluded.event
    where (stored.type, stored.title, stored.summary, stored.content, stored.event)
      is distinct from (excluded.type, excluded.title, excluded.summary, excluded.content, excluded.event)`.execute(db);
  return numAffectedRows > 0n;
}
