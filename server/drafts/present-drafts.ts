import { buildCachedMedia, type CachedAttachment } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { JsonText } from '../platform/http/http-response.ts';
import type { ThreadPost } from '../statuses/thread/index.ts';
import type { DraftRow } from './find-drafts.ts';
import type { Draft } from './schema.ts';
import type { DraftId } from './tables.ts';

/** Returns drafts as their author sees them, in order, in one query. */
export async function presentDrafts(app: App, rows: readonly DraftRow[]): Promise<JsonText<Draft>[]> {
  const attachments = await loadDraftMedia(
    app,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentRow(row, attachments));
}

/** Returns a draft as its author sees it. */
export async function presentDraft(app: App, row: DraftRow): Promise<JsonText<Draft>> {
  return presentRow(row, await loadDraftMedia(app, [row.id]));
}

type AttachmentsById = ReadonlyMap<string, CachedAttachment>;

/** Returns the files that the drafts hold, by their ids. */
async function loadDraftMedia(app: App, draftIds: readonly DraftId[]): Promise<AttachmentsById> {
  if (draftIds.length === 0) return new Map();
  const rows = await app.db.selectFrom('media_attachments').selectAll().where('draft_id', 'in', draftIds).execute();
  return new Map((await buildCachedMedia(app, rows)).map((attachment) => [attachment.id, attachment]));
}

function presentRow(row: DraftRow, attachments: AttachmentsById): JsonText<Draft> {
  return new JsonText<Draft>(
    JSON.stringify({
      id: row.id,
      version: row.version,
      posts: row.posts.map((post) => presentPost(post, attachments)),
      in_reply_to_id: row.in_reply_to_id,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }),
  );
}

function presentPost(post: ThreadPost, attachments: AttachmentsById) {
  const media = (post.media_ids ?? []).flatMap((id) => attachments.get(id) ?? []);
  return { ...post, media_ids: media.map(({ id }) => id), media_attachments: media };
}
