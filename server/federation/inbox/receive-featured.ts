import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { addRemotePin, removeRemotePin } from '../../statuses/remote/index.ts';
import { featureTag, unfeatureTag } from '../../hashtags/index.ts';
import { findTag } from '../../tags/index.ts';
import { idOf } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { parseHashtagName, resolveListedStatus } from '../fetch/refresh-featured.ts';
import { receiveCollectionAdd, receiveCollectionRemove } from './receive-collections.ts';
import type { ReceivedActivity } from './received-activity.ts';

/** Features a post, hashtag or collection of the actor, or adds an account to a collection. */
export async function receiveAdd(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  if (!isFeaturedTarget(actor, activity['target'])) return receiveCollectionAdd(app, received);
  const tag = parseHashtagName(activity['object']);
  if (tag !== undefined) {
    await featureTag(app, actor.id, tag);
    return;
  }
  // An embedded post is ignored: posts from other activities than Create and Update are fetched from their origin.
  const statusId = await resolveListedStatus(app, actor, idOf(activity['object']));
  if (statusId !== undefined) await addRemotePin(app, actor.id, statusId);
}

/** Removes a featured item again. */
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

/** Mastodon also uses the collection of featured posts as the target for hashtags. */
function isFeaturedTarget(actor: AccountRow, target: unknown): boolean {
  const uri = idOf(target);
  return uri !== undefined && (uri === actor.featured_url || uri === actor.featured_tags_url);
}
