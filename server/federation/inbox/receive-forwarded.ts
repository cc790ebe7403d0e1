import type { App } from '../../platform/app.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { findAccount, findAccountByUri } from '../../accounts/find/index.ts';
import { deleteAccount } from '../../accounts/lifecycle/index.ts';
import { authorOf, isNote, parseNote } from '../documents/parse-note.ts';
import { idOf, idsOf, isObject, isPublic, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri, type FederatedStatus } from '../find-status-by-uri.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { isGoneAtOrigin } from '../fetch/is-gone-at-origin.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { resolveStatus, storeFetchedStatus } from '../fetch/resolve-status.ts';
import { updateNote } from '../fetch/store-note.ts';
import { findProofKey } from '../keys/find-proof-key.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { hasTombstone, storeReceivedTombstone, tombstoneKey } from '../tombstones.ts';
import { receiveForwardedRevocation } from './forward-revocation.ts';
import { storeRelevantNote } from './receive-create.ts';

/**
 * Processes an activity that its actor did not sign. Accepts a public post or a deletion if the actor proved it a moment
 * ago (FEP-8b32). Otherwise fetches a post from its origin, and deletes it or revokes an authorization only if the origin
 * confirms. Does the same with the profile of a stored actor. `isRelayed`: a subscribed relay sent it, so a post is stored even if it concerns no local account.
 */
export async function receiveForwarded(
  app: App,
  activity: Json,
  { isRelayed = false }: { readonly isRelayed?: boolean } = {},
): Promise<void> {
  const uri = idOf(activity['object']);
  if (uri === undefined) return;
  if (uri === idOf(activity['actor'])) return receiveForwardedProfile(app, activity, uri);
  const existing = await findStatusByUri(app, uri);
  switch (typeOf(activity)) {
    case 'Create':
      if (existing === undefined) await storeNew(app, { activity, uri, isRelayed });
      return;
    case 'Update':
      if (existing === undefined) await storeNew(app, { activity, uri, isRelayed });
      else if (!existing.local) await updateForwarded(app, { activity, uri, existing });
      return;
    case 'Delete':
      if (existing === undefined) await receiveForwardedRevocation(app, activity);
      else if (!existing.local) await deleteForwarded(app, { activity, uri, existing });
      return;
    default:
  }
}

/**
 * Processes the Update or Delete of an actor that is stored: fetches it from its origin, and deletes it if it proved that or
 * the origin no longer has it.
 */
async function receiveForwardedProfile(app: App, activity: Json, uri: string): Promise<void> {
  const account = await findAccountByUri(app, uri);
  if (account === undefined || account.domain === null) return;
  if (typeOf(activity) === 'Update') await fetchActor(app, uri, { fresh: true });
  if (typeOf(activity) !== 'Delete') return;
  const isProven = (await findProofKey(app, activity))?.accountId === account.id;
  if (isProven || (await isGoneAtOrigin(app, uri, { acceptsMissing: false }))) await deleteAccount(app, account.id);
}

interface Forwarded {
  readonly activity: Json;
  /** Id of the object. */
  readonly uri: string;
}

interface ForwardedOfExisting extends Forwarded {
  readonly existing: FederatedStatus;
}

/** A post, and the key that proves it. */
interface ProvenNote {
  readonly note: Json;
  readonly key: RemoteKey;
}

/** Returns the public post in an activity if its author proved the activity. */
async function findProvenNote(app: App, { activity, uri }: Forwarded): Promise<ProvenNote | undefined> {
  const note = activity['object'];
  if (!isObject(note) || !isNote(note) || ![...idsOf(note['to']), ...idsOf(note['cc'])].some(isPublic))
    return undefined;
  const key = await findProofKey(app, activity);
  if (key === undefined || authorOf(note) !== key.actorUri || !isSameHost(uri, key.actorUri)) return undefined;
  return { note, key };
}

async function storeNew(app: App, forwarded: Forwarded & { readonly isRelayed: boolean }): Promise<void> {
  const { uri, isRelayed } = forwarded;
  const proven = await findProvenNote(app, forwarded);
  if (proven !== undefined && (await hasTombstone(app, proven.key.actorUri, uri))) return;
  if (proven !== undefined && isRelayed) await storeFetchedStatus(app, proven.note);
  else if (isRelayed) await resolveStatus(app, uri);
  else await storeRelevantNote(app, proven?.note ?? (await fetchObject(app, uri)));
}

async function updateForwarded(app: App, forwarded: ForwardedOfExisting): Promise<void> {
  const { uri, existing } = forwarded;
  const proven = await findProvenNote(app, forwarded);
  const isByAuthor = proven?.key.accountId === existing.account_id;
  await updateNote(app, parseNote(proven !== undefined && isByAuthor ? proven.note : await fetchObject(app, uri)));
}

async function deleteForwarded(app: App, { activity, uri, existing }: ForwardedOfExisting): Promise<void> {
  const key = await findProofKey(app, activity);
  const isProven = key !== undefined && key.accountId === existing.account_id && existing.reblog_of_id === null;
  if (!isProven && !(await isGoneAtOrigin(app, uri, { acceptsMissing: mayBeMissing(existing) }))) return;
  const author = await findAccount(app, existing.account_id);
  // A proof of the Create may still hold.
  if (author !== undefined) await storeReceivedTombstone(app, tombstoneKey(author.uri, uri));
  await deleteStatus(app, existing.id);
}

/** A 404 counts for public and unlisted posts only, because origins also hide private posts and reblogs behind it. */
const mayBeMissing = ({ visibility, reblog_of_id: reblogOfId }: FederatedStatus): boolean =>
  reblogOfId === null && isPublicOrUnlisted(visibility);
