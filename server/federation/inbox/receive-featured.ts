import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { addRemotePin, removeRemotePin } from '../../statuses/index.ts';
import { featureTag, findTag, unfeatureTag } from '../../tags/index.ts';
import { idOf } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { hashtagOf, pinnedStatus } from '../fetch/refresh-featured.ts';
import { receiveCollectionAdd, receiveCollectionRemove } from './receive-collections.ts';
import type { Received } from './received.ts';

/** Somebody puts a post of its own, a hashtag or a collection on its profile, or an account into a collection. */
export async function receiveAdd(app: App, received: Received): Promise<void> {
  const { activity, actor } = received;
  if (!isFeatured(actor, activity['target'])) return receiveCollectionAdd(app, received);
  const tag = hashtagOf(activity['object']);
  if (tag !== undefined) {
    await featureTag(app, actor.id, tag);
    return;
  }
  // What it sends along is not looked at: as for every post that is not its news, its server is asked.
  const statusId = await pinnedStatus(app, actor, idOf(activity['object']));
  if (statusId !== undefined) await addRemotePin(app, actor.id, statusId);
}

/** It takes it off again. */
export async function receiveRemove(app: App, received: Received): Promise<void> {
  const { activity, actor } = received;
  if (!isFeatured(actor, activity['target'])) return receiveCollectionRemove(app, received);
  const name = hashtagOf(activity['object']);
  if (name !== undefined) {
    const tag = await findTag(app, name);
    if (tag !== undefined) await unfeatureTag(app, actor.id, { tagId: tag.id });
    return;
  }
  const uri = idOf(activity['object']);
  const status = uri === undefined ? undefined : await findKnownStatus(app, uri);
  if (status !== undefined) await removeRemotePin(app, actor.id, status.id);
}

/** Hashtags are said to go into the collection of posts, too: so it is done since there are any. */
function isFeatured(actor: AccountRow, target: unknown): boolean {
  const uri = idOf(target);
  return uri !== undefined && (uri === actor.featured_url || uri === actor.featured_tags_url);
}
