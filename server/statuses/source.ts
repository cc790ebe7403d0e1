import { presentAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import type { StatusId } from '../platform/ids.ts';
import { htmlToText } from '../text/index.ts';
import { statusRows } from './load-statuses.ts';
import { mediaOf } from './media-of-statuses.ts';
import type { StatusEdit, StatusSource } from './schema.ts';

const texts = prepared<{ text: string; content: string; spoiler_text: string; local: boolean }>()(
  (db, { id }: { id: StatusId }) =>
    db
      .selectFrom('statuses')
      .select(['text', 'content', 'spoiler_text', 'local'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
);

/** A status as it was typed; of one from another server, its HTML as text. Does not decide who may see it. */
export async function sourceOf(app: App, id: StatusId): Promise<StatusSource> {
  const [row] = await texts(app, { id });
  if (row === undefined) throw notFound();
  return { id, text: row.local ? row.text : htmlToText(row.content), spoiler_text: row.spoiler_text };
}

/** The versions of a status, oldest first. Does not decide who may see it. */
export async function historyOf(app: App, id: StatusId): Promise<JsonText<StatusEdit[]>> {
  const rows = await statusRows(app, { ids: [id] });
  const [row] = rows;
  if (row === undefined) throw notFound();
  const media = await mediaOf(app, rows);
  const account = await presentAccount(app, row.account_id);
  const version = JSON.stringify({
    content: row.content,
    spoiler_text: row.spoiler_text,
    sensitive: row.sensitive,
    created_at: row.created_at.toISOString(),
    media_attachments: media.get(row.id) ?? [],
    emojis: [],
  });
  return new JsonText(`[${version.slice(0, -1)},"account":${account.text}}]`);
}
