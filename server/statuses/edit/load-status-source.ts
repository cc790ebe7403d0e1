import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { htmlToText } from '../../text/index.ts';
import { contentTypeOf, type StoredContentType } from '../post/content-type.ts';
import type { StatusSource } from '../schema.ts';

const statusSourceRows = preparedQuery<{
  text: string;
  content_type: StoredContentType;
  content: string;
  spoiler_text: string;
  local: boolean;
}>()((db, { id }: { id: StatusId }) =>
  db
    .selectFrom('statuses')
    .select(['text', 'content_type', 'content', 'spoiler_text', 'local'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
);

/**
 * Returns a status as it was typed, or the HTML of a remote one as text. Throws 404 if it was deleted. Checks no
 * visibility.
 */
export async function loadStatusSource(app: App, id: StatusId): Promise<StatusSource> {
  const [row] = await statusSourceRows(app, { id });
  if (row === undefined) throw notFound();
  const text = row.local ? row.text : htmlToText(row.content);
  return { id, text, spoiler_text: row.spoiler_text, content_type: contentTypeOf(row) };
}
