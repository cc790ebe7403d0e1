import type { App } from '../../platform/app.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { isPublicOrUnlisted } from '../../statuses/read/index.ts';
import { parseNote } from '../documents/parse-note.ts';
import { idOf, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri, type FederatedStatus } from '../find-status-by-uri.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { isGoneAtOrigin } from '../fetch/is-gone-at-origin.ts';
import { resolveStatus } from '../fetch/resolve-status.ts';
import { updateNote } from '../fetch/store-note.ts';
import { receiveForwardedRevocation } from './forward-revocation.ts';
import { storeRelevantNote } from './receive-create.ts';

/**
 * Processes an activity that its actor did not sign. Trusts nothing in it: fetches a post from its origin, and deletes it
 * or revokes an authorization only if the origin confirms. `isRelayed`: a subscribed relay sent it, so a post is stored
 * even if it concerns no local account.
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
      if (existing === undefined) await receiveForwardedRevocation(app, activity);
      else if (!existing.local && (await isGoneAtOrigin(app, uri, { acceptsMissing: mayBeMissing(existing) })))
        await deleteStatus(app, existing.id);
      return;
    default:
  }
}

async function storeNew(app: App, uri: string, isRelayed: boolean): Promise<void> {
  if (isRelayed) await resolveStatus(app, uri);
  else await storeRelevantNote(app, await fetchObject(app, uri));
}

/** A 404 counts for public and unlisted posts only, because origins also hide private posts and reblogs behind it. */
const mayBeMissing = ({ visibility, reblog_of_id: reblogOfId }: FederatedStatus): boolean =>
  reblogOfId === null && isPublicOrUnlisted(visibility);
