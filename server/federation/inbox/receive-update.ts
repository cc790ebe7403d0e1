import type { App } from '../../platform/app.ts';
import { isActor } from '../documents/read-actor.ts';
import { isNote } from '../documents/read-note.ts';
import { dateOf, idOf, isObject, type Json } from '../documents/values.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { storeActor } from '../fetch/store-actor.ts';
import { receiveCreate } from './receive-create.ts';
import type { Received } from './received.ts';

const oldestUnknown = 86_400_000;

/** Somebody changed its profile, or a post: one that is not known here counts as new when it is less than a day old. */
export async function receiveUpdate(app: App, received: Received): Promise<void> {
  const { activity, actor } = received;
  const { object } = activity;
  if (idOf(object) === actor.uri) {
    await (isActor(object) && isWhole(object) ? storeActor(app, object) : fetchActor(app, actor.uri, true));
    return;
  }
  if (!isNote(object)) return;
  const published = dateOf(object['published']);
  if (published !== undefined && app.clock.now().getTime() - published.getTime() > oldestUnknown) return;
  await receiveCreate(app, received);
}

function isWhole(object: Json): boolean {
  return object['inbox'] !== undefined && isObject(object['publicKey'] ?? {});
}
