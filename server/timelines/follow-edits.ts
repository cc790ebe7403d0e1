import type { App } from '../platform/app.ts';
import type { StatusId } from '../platform/ids.ts';
import { alignEdited } from './align-feed.ts';
import { fanOutEditsToLists } from './fan-out-to-lists.ts';
import { fanOutByTags } from './followed-tags.ts';

/**
 * Edits change hashtags: a status leaves the homes that only a hashtag brought it to, and comes to those of its new ones.
 * They change languages and names: it leaves lists, and comes to others.
 */
export async function followEdits(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  await alignEdited(
    app,
    edited.map(({ statusId }) => statusId),
  );
  await fanOutByTags(app, edited);
  await fanOutEditsToLists(app, edited);
}
