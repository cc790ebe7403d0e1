import { loadSigningKeys } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { withContext } from '../documents/activities.ts';
import { publicCollection } from '../documents/contexts.ts';
import { idsOf, isObject, typeOf, type Json } from '../documents/values.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { createLinkedDataSignature } from '../signatures/linked-data.ts';

const securityContext = 'https://w3id.org/security/v1';

/** An activity with the JSON-LD context that it is sent with. */
export interface ActivityWithContext {
  readonly activity: Json;
  readonly context: readonly unknown[];
}

/**
 * Adds a linked data signature to an activity that other servers may forward; returns others unchanged. Takes
 * milliseconds, and loads the JSON-LD library the first time, so callers skip it for activities without recipients.
 */
export async function signForForwarding(
  app: App,
  senderId: AccountId,
  unsigned: ActivityWithContext,
  isRelayed = false,
): Promise<ActivityWithContext> {
  if (!isForwardable(app, unsigned, isRelayed)) return unsigned;
  const { activity, context } = unsigned;
  const [first, ...rest] = context;
  const extended = [first, securityContext, ...rest];
  const { rsa } = await loadSigningKeys(app, senderId);
  const signature = await createLinkedDataSignature(withContext(activity, extended), rsa, app.clock.now());
  return { activity: { ...activity, signature }, context: extended };
}

/**
 * Whether other servers may forward an activity: a reply, which the server of the parent's author forwards to that
 * author's followers, or the deletion of a post. Only public activities, and none if documents require signed requests,
 * because anybody could show the signed copy forever. `isRelayed`: relays forward every public activity.
 */
export function isForwardable(app: App, { activity }: ActivityWithContext, isRelayed = false): boolean {
  return !requiresSignedFetch(app) && isPublic(activity) && (isRelayed || isForwardableType(activity));
}

const isPublic = (activity: Json): boolean =>
  [...idsOf(activity['to']), ...idsOf(activity['cc'])].includes(publicCollection);

function isForwardableType({ type, object }: Json): boolean {
  if (type === 'Delete') return typeOf(object) === 'Tombstone';
  return (type === 'Create' || type === 'Update') && isObject(object) && typeof object['inReplyTo'] === 'string';
}
