import { loadCachedAccounts, toAccountText } from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { isId, type AccountId, type MediaId } from '../../platform/ids.ts';
import { isLocalOnly, plainVisibility } from '../visibility/visibility.ts';
import { loadAttachments } from '../read/load-attachments.ts';
import type { HeldPostRow } from './find-held-posts.ts';
import type { HeldPost } from './schema.ts';

/** Returns held posts as their author and staff see them, in order. Leaves out those of deleted accounts. */
export async function presentHeldPosts(
  app: App,
  viewerId: AccountId,
  rows: readonly HeldPostRow[],
): Promise<JsonText<HeldPost>[]> {
  const [accounts, attachments] = await Promise.all([
    loadCachedAccounts(
      app,
      rows.map(({ account_id: id }) => id),
    ),
    loadAttachments(app, rows.flatMap(mediaIdsOf)),
  ]);
  return rows.flatMap((row) => {
    const account = accounts.get(row.account_id);
    if (account === undefined) return [];
    const { preview } = row;
    const head = asciiJson({
      id: row.id,
      state: row.state,
      thread_id: row.thread_id,
      status_id: row.status_id,
      created_at: row.created_at.toISOString(),
      decided_at: row.decided_at?.toISOString() ?? null,
      uri: row.uri,
      text: preview.text,
      content: preview.content,
      spoiler_text: preview.spoilerText,
      sensitive: preview.sensitive,
      visibility: plainVisibility(preview.visibility),
      local_only: isLocalOnly(preview.visibility),
      language: preview.language,
      in_reply_to_id: preview.inReplyToId,
      media_attachments: mediaIdsOf(row).flatMap((id) => attachments.get(id) ?? []),
      remote_media: preview.media,
      poll_options: preview.poll?.options ?? [],
    });
    const accountText = toAccountText(account, mediaViewerOf({ accountId: viewerId })).text;
    return [new JsonText<HeldPost>(`${head.slice(0, -1)},"account":${accountText}}`)];
  });
}

/** Like `presentHeldPosts` for one post. Throws 404 if its author was deleted. */
export async function presentHeldPost(app: App, viewerId: AccountId, row: HeldPostRow): Promise<JsonText<HeldPost>> {
  const [post] = await presentHeldPosts(app, viewerId, [row]);
  if (post === undefined) throw notFound();
  return post;
}

export const mediaIdsOf = ({ preview }: HeldPostRow): MediaId[] => preview.mediaIds.filter(isId);
