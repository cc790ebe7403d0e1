import { loadSigningKeys } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { withContext } from '../documents/activities.ts';
import { publicCollection } from '../documents/contexts.ts';
import { idsOf, isObject, typeOf, type Json } from '../documents/values.ts';
import { requiresSignedFetch } from '../domain-policy.ts';
import { createIntegrityProof } from '../signatures/integrity-proof.ts';
import { createLinkedDataSignature } from '../signatures/linked-data.ts';

const securityContext = 'https://w3id.org/security/v1';
const proofContext = 'https://w3id.org/security/data-integrity/v2';

/** An activity with the JSON-LD context that it is sent with. */
export interface ActivityWithContext {
  readonly activity: Json;
  readonly context: readonly unknown[];
}

/**
 * Adds what authenticates copies of a public activity that others forward or relay: an integrity proof (FEP-8b32), and a
 * linked data signature for servers that know only those. Returns other activities unchanged. The signature takes
 * milliseconds, and loads the JSON-LD library the first time, so callers skip activities without recipients.
 */
export async function signForForwarding(
  app: App,
  senderId: AccountId,
  unsigned: ActivityWithContext,
  isRelayed = false,
): Promise<ActivityWithContext> {
  if (requiresSignedFetch(app) || !isPublic(unsigned.activity)) return unsigned;
  const { rsa, ed25519 } = await loadSigningKeys(app, senderId);
  const isSigned = isForwardable(app, unsigned, isRelayed);
  const [first, ...rest] = unsigned.context;
  // The proof covers the context as well.
  const context = [first, ...(isSigned ? [securityContext] : []), proofContext, ...rest];
  const now = app.clock.now();
  const proof =
    ed25519 === undefined ? {} : { proof: createIntegrityProof(withContext(unsigned.activity, context), ed25519, now) };
  const activity = { ...unsigned.activity, ...proof };
  if (!isSigned) return { activity, context };
  const signature = await createLinkedDataSignature(withContext(activity, context), rsa, now);
  return { activity: { ...activity, signature }, context };
}

/**
 * Whether other servers may forward an activity: a reply, which the server of the parent's author forwards to that
 * author's followers, or the deletion of a post or account. Only public activities, and none if documents require signed requests,
 * because anybody could show the signed copy forever. `isRelayed`: relays forward every public activity.
 */
export function isForwardable(app: App, { activity }: ActivityWithContext, isRelayed = false): boolean {
  return !requiresSignedFetch(app) && isPublic(activity) && (isRelayed || isForwardableType(activity));
}

const isPublic = (activity: Json): boolean =>
  [...idsOf(activity['to']), ...idsOf(activity['cc'])].includes(publicCollection);

function isForwardableType({ type, actor, object }: Json): boolean {
  if (type === 'Delete') return typeOf(object) === 'Tombstone' || object === actor;
  return (type === 'Create' || type === 'Update') && isObject(object) && typeof object['inReplyTo'] === 'string';
}
