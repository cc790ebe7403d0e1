import type { App } from '../../platform/app.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { isPublicOrUnlisted } from '../../statuses/read/index.ts';
import { parseNote } from '../documents/parse-note.ts';
import { idOf, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri, type FederatedStatus } from '../find-status-by-uri.ts';
import { FetchError, fetchObject } from '../fetch/fetch-document.ts';
import { resolveStatus } from '../fetch/resolve-status.ts';
import { updateNote } from '../fetch/store-note.ts';
import { storeRelevantNote } from './receive-create.ts';

/**
 * Processes an activity that its actor did not sign. Trusts nothing in it: fetches a post from its origin, and deletes
 * it only if the origin confirms. `isRelayed`: a subscribed relay sent it, so a post is stored even if it concerns no local
 * account.
 */
export async function receiveForwarded(
  app: App,
  activity: Json,
  { isRelayed = false }: { readonly isRelayed?: boolean } = {},
): Promise<void> {
  const uri = idOf(activity['object']);
  if (uri === undefined) return;
  const existing = await findStatusByUri(app, uri);
  switch (typeOf(activity)) {
    case 'Create':
      if (existing === undefined) await storeNew(app, uri, isRelayed);
      return;
    case 'Update':
      if (existing === undefined) await storeNew(app, uri, isRelayed);
      else if (!existing.local) await updateNote(app, parseNote(await fetchObject(app, uri)));
      return;
    case 'Delete':
      if (existing !== undefined && !existing.local && (await isGoneAtOrigin(app, existing)))
        await deleteStatus(app, existing.id);
      return;
    default:
  }
}

async function storeNew(app: App, uri: string, isRelayed: boolean): Promise<void> {
  if (isRelayed) await resolveStatus(app, uri);
  else await storeRelevantNote(app, await fetchObject(app, uri));
}

/**
 * Returns whether the origin of a status no longer has it: it answers 410 or serves a Tombstone with the same id. A 404
 * counts for public and unlisted posts only, because origins also hide private posts and reblogs behind it. Throws a
 * temporary FetchError if the origin does not answer.
 */
async function isGoneAtOrigin(
  app: App,
  { uri, visibility, reblog_of_id: reblogOfId }: FederatedStatus,
): Promise<boolean> {
  try {
    const document = await fetchObject(app, uri);
    return typeOf(document) === 'Tombstone' && idOf(document) === uri;
  } catch (error) {
    if (!(error instanceof FetchError) || error.temporary) throw error;
    return error.gone || (error.missing && reblogOfId === null && isPublicOrUnlisted(visibility));
  }
}
