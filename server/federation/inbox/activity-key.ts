import type { AccountId } from '../../platform/ids.ts';
import { sha256 } from '../signatures/digests.ts';
import { idOf, idsOf, isObject, isSameHost, typeOf, typesOf, type Json } from '../documents/values.ts';
import type { RemoteKey } from '../keys/find-key.ts';

/** What distinguishes an activity from others of the same id. */
export interface RequestParts {
  /** The local account in whose inbox it came; undefined for the shared one. */
  readonly inboxAccountId: AccountId | undefined;
  readonly body: Buffer;
  /** Value of the Signature header. */
  readonly signature: string;
}

/**
 * Types that some servers send under one id while the content changes: every Update of a post has the same id on
 * GoToSocial and Friendica. Id and content together identify them.
 */
const reusedIdTypes: ReadonlySet<string | undefined> = new Set(['Update', 'Accept', 'Reject']);

/**
 * Types that count again under the same id once the earlier activity was handled: a Follow that we ended or whose answer
 * was lost, and the Undo of what was done again. Handling them twice is harmless.
 */
const repeatableTypes: ReadonlySet<string | undefined> = new Set(['Follow', 'Undo']);

/**
 * Returns the key under which an activity counts as received. Undefined if its id and its actor are on different hosts:
 * it could take the place of an activity that is still to come. Forwarded activities have keys of their own for the same
 * reason.
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

/** Returns the key of an activity that can be dropped unverified if it was received before; undefined for any other. */
export function finalKey(activity: Json, actorUri: string, request: RequestParts): string | undefined {
  const isFinal = idOf(activity) !== undefined && !repeatableTypes.has(typeOf(activity));
  return isFinal ? baseKey(activity, actorUri, request) : undefined;
}

/** Returns the key to release when an activity that its actor signed is handled; undefined if it counts once. */
export function repeatableKey(activity: Json): string | undefined {
  return repeatableTypes.has(typeOf(activity)) ? idOf(activity) : undefined;
}

/** Returns the key of the activity that an Undo undoes; undefined for any other activity. */
export function undoneKey(activity: Json, actorUri: string): string | undefined {
  if (!typesOf(activity).includes('Undo')) return undefined;
  const id = idOf(activity['object']);
  return id !== undefined && isSameHost(id, actorUri) ? id : undefined;
}

/** Returns whether a post and its activity name no addressee: whoever gets it in a personal inbox is meant. */
export function isUnaddressed(activity: Json): boolean {
  const { object } = activity;
  if (!isObject(object)) return false;
  return [activity, object].every(({ to, cc }) => idsOf(to).length === 0 && idsOf(cc).length === 0);
}

function baseKey(activity: Json, actorUri: string, { inboxAccountId, body, signature }: RequestParts): string {
  const id = idOf(activity);
  // Without an id, or without content, every request counts: the same may be said again later.
  const asRequest = () => sha256(Buffer.concat([body, Buffer.from(signature)]));
  if (id === undefined) return `${actorUri} ${asRequest()}`;
  // Each copy is for the owner of the inbox that it came to.
  if (inboxAccountId !== undefined && typeOf(activity) === 'Create' && isUnaddressed(activity))
    return `${id} for ${inboxAccountId}`;
  if (!reusedIdTypes.has(typeOf(activity))) return id;
  return `${id} ${isObject(activity['object']) ? contentDigest(activity) : asRequest()}`;
}

/** Copies of one activity differ at most in their signatures. */
function contentDigest(activity: Json): string {
  const { signature: _signature, proof: _proof, ...content } = activity;
  return sha256(JSON.stringify(content));
}
