import type { App } from '../../platform/app.ts';
import { favouriteStatus } from '../../statuses/react/index.ts';
import { admitInteraction } from './admit-interaction.ts';
import { idOf, isSameHost } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { receiveReaction } from './receive-reaction.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Favourites a local status for the actor, or stores the emoji of the Like as a reaction, or rejects the Like if its
 * author does not permit it. Likes of remote statuses are ignored.
 */
export async function receiveLike(app: App, received: ReceivedActivity): Promise<void> {
  if (await receiveReaction(app, received)) return;
  const { activity, actor, requestUri } = received;
  const uri = idOf(activity['object']);
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  if (status?.local !== true) return;
  const id = idOf(activity);
  const like = { uri: id !== undefined && isSameHost(id, actor.uri) ? id : undefined, requestUri };
  const interaction = { interaction: 'favourite', statusId: status.id, ...like } as const;
  if (await admitInteraction(app, actor, interaction)) await favouriteStatus(app, actor.id, status.id, like);
}
