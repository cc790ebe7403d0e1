import { loadSigningKey } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { withContext } from '../documents/activities.ts';
import { publicCollection } from '../documents/contexts.ts';
import { idsOf, isObject, typeOf, type Json } from '../documents/values.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { createLinkedDataSignature } from '../signatures/linked-data.ts';

const securityContext = 'https://w3id.org/security/v1';

/** An activity with the context that it goes out with. */
export interface ActivityWithContext {
  readonly activity: Json;
  readonly context: readonly unknown[];
}

/**
 * Signs an activity itself, where others may have to pass it on; else gives it as it is. The first time loads what makes
 * canonical forms, and each takes milliseconds: not to be asked for what goes nowhere.
 */
export async function signForForwarding(
  app: App,
  senderId: AccountId,
  unsigned: ActivityWithContext,
): Promise<ActivityWithContext> {
  if (!isForwardable(app, unsigned)) return unsigned;
  const { activity, context } = unsigned;
  const [first, ...rest] = context;
  const extended = [first, securityContext, ...rest];
  const key = await loadSigningKey(app, senderId);
  const signature = await createLinkedDataSignature(withContext(activity, extended), key, app.clock.now());
  return { activity: { ...activity, signature }, context: extended };
}

/**
 * Says whether others may have to pass an activity on: an answer, which the server of the one who is answered sends to
 * that one's followers, and the end of a post. Only what everybody may read, and not where documents are given to signers
 * only: it could be shown to anybody, for ever.
 */
export function isForwardable(app: App, { activity }: ActivityWithContext): boolean {
  return !requiresSignedFetch(app) && isPublic(activity) && isForwardableType(activity);
}

const isPublic = (activity: Json): boolean =>
  [...idsOf(activity['to']), ...idsOf(activity['cc'])].includes(publicCollection);

function isForwardableType({ type, object }: Json): boolean {
  if (type === 'Delete') return typeOf(object) === 'Tombstone';
  return (type === 'Create' || type === 'Update') && isObject(object) && typeof object['inReplyTo'] === 'string';
}
