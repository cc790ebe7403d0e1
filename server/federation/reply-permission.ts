import { loadInteractionPermission, remoteInteractionPermission } from '../interactions/policy/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { loadCachedStatuses } from '../statuses/read/index.ts';
import type { Note } from './documents/parse-note.ts';
import { findStatusByUri } from './find-status-by-uri.ts';

/** Returns whether the author of the parent permits a remote post; true if the post is no reply to a known one. */
export async function isReplyPermitted(
  app: App,
  { inReplyTo }: Pick<Note, 'inReplyTo'>,
  authorId: AccountId,
): Promise<boolean> {
  const found = inReplyTo === undefined ? undefined : await findStatusByUri(app, inReplyTo);
  const parent = found && (await loadCachedStatuses(app, [found.id])).get(found.id);
  if (parent === undefined || parent.interactionPolicy === null) return true;
  if (!parent.local) return remoteInteractionPermission(authorId, parent, 'reply') !== 'denied';
  return (await loadInteractionPermission(app, authorId, parent, 'reply')) === 'automatic';
}
