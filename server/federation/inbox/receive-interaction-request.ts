import type { App } from '../../platform/app.ts';
import { idOf, isObject, isSameHost, typeOf } from '../documents/values.ts';
import { receiveAnnounce } from './receive-announce.ts';
import { receiveCreate } from './receive-create.ts';
import { receiveLike } from './receive-like.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Receives the Like, Announce or reply that a request (GoToSocial) contains, and answers the request. Ignores one for an
 * interaction of another actor, or with another post than the request names.
 */
export async function receiveInteractionRequest(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  const { instrument, object } = activity;
  const requestUri = idOf(activity);
  if (requestUri === undefined || !isSameHost(requestUri, actor.uri) || !isObject(instrument)) return;
  const target = idOf(object);
  if (typeOf(activity) === 'ReplyRequest') {
    if (idOf(instrument['inReplyTo']) !== target) return;
    const create = { type: 'Create', actor: actor.uri, object: instrument };
    return receiveCreate(app, { ...received, activity: create, requestUri });
  }
  const interactionActor = idOf(instrument['actor']);
  if (idOf(instrument['object']) !== target || interactionActor !== actor.uri) return;
  const requested = { ...received, activity: instrument, requestUri };
  return typeOf(activity) === 'LikeRequest' ? receiveLike(app, requested) : receiveAnnounce(app, requested);
}
