import type { App } from '../../platform/app.ts';
import { isActor } from '../documents/parse-actor.ts';
import { isFeaturedCollection } from '../documents/parse-featured-collection.ts';
import { authorOf, isNote, parseNote } from '../documents/parse-note.ts';
import { dateOf, idOf, isObject, isSameHost, type Json } from '../documents/values.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { storeActor } from '../fetch/store-actor.ts';
import { updateNote } from '../fetch/store-note.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { receiveCollectionUpdate } from './receive-collections.ts';
import { receiveCreate } from './receive-create.ts';
import type { ReceivedActivity } from './received-activity.ts';

const maxUnknownAgeMs = 86_400_000;

/**
 * Updates the profile, a collection or a post of the actor. An unknown post less than a day old is stored as new.
 * Ignores posts of others.
 */
export async function receiveUpdate(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  const { object } = activity;
  if (idOf(object) === actor.uri) {
    await (isActor(object) && isCompleteActor(object)
      ? storeActor(app, object, { isUpdate: true })
      : fetchActor(app, actor.uri, { fresh: true, isUpdate: true }));
    return;
  }
  if (isFeaturedCollection(object)) return receiveCollectionUpdate(app, received);
  const uri = idOf(object);
  const existing = uri === undefined ? undefined : await findStatusByUri(app, uri);
  if (uri !== undefined && existing !== undefined) {
    if (existing.account_id !== actor.id || existing.reblog_of_id !== null) return;
    const isAuthentic = isNote(object) && isSameHost(uri, actor.uri) && authorOf(object) === actor.uri;
    return updateNote(app, parseNote(isAuthentic ? object : await fetchObject(app, uri)));
  }
  if (!isNote(object)) return;
  const published = dateOf(object['published']);
  if (published !== undefined && app.clock.now().getTime() - published.getTime() > maxUnknownAgeMs) return;
  await receiveCreate(app, received);
}

function isCompleteActor(object: Json): boolean {
  return object['inbox'] !== undefined && isObject(object['publicKey'] ?? {});
}
