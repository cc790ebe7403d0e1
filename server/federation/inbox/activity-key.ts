import type { AccountId } from '../../platform/ids.ts';
import { sha256 } from '../signatures/digests.ts';
import { idOf, idsOf, isObject, isSameHost, typeOf, typesOf, type Json } from '../documents/values.ts';
import type { RemoteKey } from '../keys/find-key.ts';

/** Properties that distinguish activities with the same id. */
export interface RequestParts {
  /** Owner of the personal inbox; undefined for the shared inbox. */
  readonly inboxAccountId: AccountId | undefined;
  readonly body: Buffer;
  /** Value of the Signature header. */
  readonly signature: string;
}

/**
 * Types that some servers send with the same id and different content: every Update of a post has the same id on
 * GoToSocial and Friendica. The key of these includes the content.
 */
const reusedIdTypes: ReadonlySet<string | undefined> = new Set(['Update', 'Accept', 'Reject']);

/**
 * Types that may be repeated with the same id after the first was processed: a Follow that was ended or whose answer
 * was lost, and a second Undo. Processing them twice is harmless.
 */
const repeatableTypes: ReadonlySet<string | undefined> = new Set(['Follow', 'Undo']);

/**
 * Returns the key that marks an activity as received. Returns undefined if its id and its actor are on different hosts,
 * because it could block the key of another activity. Forwarded activities have separate keys for the same reason.
 */
export function activityKey(
  activity: Json,
  { actorUri, signer, ...request }: RequestParts & { readonly actorUri: string; readonly signer: RemoteKey },
): string | undefined {
  const id = idOf(activity);
  if (id !== undefined && !isSameHost(id, actorUri)) return undefined;
  const name = baseKey(activity, actorUri, request);
  return signer.actorUri === actorUri ? name : `${signer.domain} forwards ${name}`;
}

/** Returns the key of an activity that may be dropped unverified if it was received before; undefined for any other. */
export function finalKey(activity: Json, actorUri: string, request: RequestParts): string | undefined {
  const isFinal = idOf(activity) !== undefined && !repeatableTypes.has(typeOf(activity));
  return isFinal ? baseKey(activity, actorUri, request) : undefined;
}

/** Returns the key to delete when a repeatable activity that its actor signed is processed; undefined for any other. */
export function repeatableKey(activity: Json): string | undefined {
  return repeatableTypes.has(typeOf(activity)) ? idOf(activity) : undefined;
}

/** Returns the key of the activity that an Undo undoes; undefined for any other activity. */
export function undoneKey(activity: Json, actorUri: string): string | undefined {
  if (!typesOf(activity).includes('Undo')) return undefined;
  const id = idOf(activity['object']);
  return id !== undefined && isSameHost(id, actorUri) ? id : undefined;
}

/** Whether neither the activity nor its post has an addressee. The owner of a personal inbox is then the recipient. */
export function isUnaddressed(activity: Json): boolean {
  const { object } = activity;
  if (!isObject(object)) return false;
  return [activity, object].every(({ to, cc }) => idsOf(to).length === 0 && idsOf(cc).length === 0);
}

function baseKey(activity: Json, actorUri: string, { inboxAccountId, body, signature }: RequestParts): string {
  const id = idOf(activity);
  // Requests without an id or content each count as new.
  const asRequest = () => sha256(Buffer.concat([body, Buffer.from(signature)]));
  if (id === undefined) return `${actorUri} ${asRequest()}`;
  // Each copy has its own recipient: the owner of the inbox.
  if (inboxAccountId !== undefined && typeOf(activity) === 'Create' && isUnaddressed(activity))
    return `${id} for ${inboxAccountId}`;
  if (!reusedIdTypes.has(typeOf(activity))) return id;
  return `${id} ${isObject(activity['object']) ? contentDigest(activity) : asRequest()}`;
}

/** Excludes signatures, the only difference between copies of an activity. */
function contentDigest(activity: Json): string {
  const { signature: _signature, proof: _proof, ...content } = activity;
  return sha256(JSON.stringify(content));
}
