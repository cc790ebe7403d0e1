import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { addRemotePin, removeRemotePin } from '../../statuses/index.ts';
import { featureTag, findTag, unfeatureTag } from '../../tags/index.ts';
import { idOf } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { parseHashtagName, resolvePinnedStatus } from '../fetch/refresh-featured.ts';
import { receiveCollectionAdd, receiveCollectionRemove } from './receive-collections.ts';
import type { ReceivedActivity } from './received-activity.ts';

/** Somebody puts a post of its own, a hashtag or a collection on its profile, or an account into a collection. */
export async function receiveAdd(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  if (!isFeaturedTarget(actor, activity['target'])) return receiveCollectionAdd(app, received);
  const tag = parseHashtagName(activity['object']);
  if (tag !== undefined) {
    await featureTag(app, actor.id, tag);
    return;
  }
  // What it sends along is not looked at: as for every post that is not its news, its server is asked.
  const statusId = await resolvePinnedStatus(app, actor, idOf(activity['object']));
  if (statusId !== undefined) await addRemotePin(app, actor.id, statusId);
}

/** It takes it off again. */
export async function receiveRemove(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  if (!isFeaturedTarget(actor, activity['target'])) return receiveCollectionRemove(app, received);
  const name = parseHashtagName(activity['object']);
  if (name !== undefined) {
    const tag = await findTag(app, name);
    if (tag !== undefined) await unfeatureTag(app, actor.id, { tagId: tag.id });
    return;
  }
  const uri = idOf(activity['object']);
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  if (status !== undefined) await removeRemotePin(app, actor.id, status.id);
}

/** Hashtags are said to go into the collection of posts, too: so it is done since there are any. */
function isFeaturedTarget(actor: AccountRow, target: unknown): boolean {
  const uri = idOf(target);
  return uri !== undefined && (uri === actor.featured_url || uri === actor.featured_tags_url);
}
