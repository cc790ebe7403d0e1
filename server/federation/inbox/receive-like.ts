import type { App } from '../../platform/app.ts';
import { favouriteStatus } from '../../statuses/react/index.ts';
import { admitInteraction } from './admit-interaction.ts';
import { idOf } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Favourites a local status for the actor, or rejects the Like if its author does not permit it. Likes of remote statuses
 * are ignored.
 */
export async function receiveLike(app: App, { activity, actor, requestUri }: ReceivedActivity): Promise<void> {
  const uri = idOf(activity['object']);
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  if (status?.local !== true) return;
  const like = { uri: idOf(activity), requestUri };
  const received = { interaction: 'favourite', statusId: status.id, ...like } as const;
  if (await admitInteraction(app, actor, received)) await favouriteStatus(app, actor.id, status.id, like);
}
