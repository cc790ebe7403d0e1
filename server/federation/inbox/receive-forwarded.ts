import type { App } from '../../platform/app.ts';
import { deleteStatus } from '../../statuses/index.ts';
import { readNote } from '../documents/read-note.ts';
import { idOf, typeOf, type Json } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { FetchError, fetchObject } from '../fetch/fetch-document.ts';
import { updateNote } from '../fetch/store-note.ts';
import { keepRelevant } from './receive-create.ts';

/**
 * Somebody passed on what another did. Nothing in it is believed: a post is fetched from its origin, and is deleted only
 * when its origin no longer has it.
 */
export async function receiveForwarded(app: App, activity: Json): Promise<void> {
  const uri = idOf(activity['object']);
  if (uri === undefined) return;
  const known = await findKnownStatus(app, uri);
  switch (typeOf(activity)) {
    case 'Create':
      if (known === undefined) await keepRelevant(app, await fetchObject(app, uri));
      return;
    case 'Update':
      if (known === undefined) await keepRelevant(app, await fetchObject(app, uri));
      else if (!known.local) await updateNote(app, readNote(await fetchObject(app, uri)));
      return;
    case 'Delete':
      if (known !== undefined && !known.local && (await isGone(app, uri))) await deleteStatus(app, known.id);
      return;
    default:
  }
}

async function isGone(app: App, uri: string): Promise<boolean> {
  try {
    return typeOf(await fetchObject(app, uri)) === 'Tombstone';
  } catch (error) {
    if (error instanceof FetchError) return error.gone;
    throw error;
  }
}
