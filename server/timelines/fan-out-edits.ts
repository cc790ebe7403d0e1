import type { App } from '../platform/app.ts';
import type { StatusId } from '../platform/ids.ts';
import { reconcileEditedStatuses } from './reconcile-feed.ts';
import { fanOutEditsToLists } from './fan-out-to-lists.ts';
import { fanOutToTagFollowers } from './followed-tags.ts';

/**
 * Edits change hashtags: a status leaves the homes that only a hashtag brought it to, and comes to those of its new ones.
 * They change languages and names: it leaves lists, and comes to others.
 */
export async function fanOutEdits(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  await reconcileEditedStatuses(
    app,
    edited.map(({ statusId }) => statusId),
  );
  await fanOutToTagFollowers(app, edited);
  await fanOutEditsToLists(app, edited);
}
