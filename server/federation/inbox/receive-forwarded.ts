import type { App } from '../../platform/app.ts';
import { deleteStatus, isForEverybody } from '../../statuses/index.ts';
import { readNote } from '../documents/read-note.ts';
import { idOf, typeOf, type Json } from '../documents/values.ts';
import { findKnownStatus, type KnownStatus } from '../find-status.ts';
import { FetchError, fetchObject } from '../fetch/fetch-document.ts';
import { updateNote } from '../fetch/store-note.ts';
import { keepRelevant } from './receive-create.ts';

/**
 * Handles an activity that its actor did not sign. Nothing in it is believed: a post is fetched from its origin, and is
 * deleted only if the origin proves that it is gone.
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
      if (known !== undefined && !known.local && (await isGone(app, known))) await deleteStatus(app, known.id);
      return;
    default:
  }
}

/**
 * Returns whether the origin of a status no longer has it: it answers 410 or serves a Tombstone under the same id. A 404
 * counts for public and unlisted posts only, since origins also hide private posts and reblogs behind it. Throws a
 * temporary FetchError if the origin cannot be asked now.
 */
async function isGone(app: App, { uri, visibility, reblog_of_id: reblogOfId }: KnownStatus): Promise<boolean> {
  try {
    const document = await fetchObject(app, uri);
    return typeOf(document) === 'Tombstone' && idOf(document) === uri;
  } catch (error) {
    if (!(error instanceof FetchError) || error.temporary) throw error;
    return error.gone || (error.missing && reblogOfId === null && isForEverybody(visibility));
  }
}
