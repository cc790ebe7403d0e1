import { sha256 } from '../signatures/digests.ts';
import { idOf, sameHost, type Json } from '../documents/values.ts';
import type { KnownKey } from '../keys/find-key.ts';

/**
 * Under which name an activity counts as received: its id, or its content and signature when it has none, because what
 * has no id may be said again later. Undefined when its id is of another server than its actor: nobody may take the name
 * of an activity that others have still to send. What somebody passes on has a name of its own for the same reason.
 */
export function activityKey(
  activity: Json,
  { actorUri, signer, body, signature }: { actorUri: string; signer: KnownKey; body: Buffer; signature: string },
): string | undefined {
  const id = idOf(activity);
  if (id !== undefined && !sameHost(id, actorUri)) return undefined;
  const name = id ?? `${actorUri} ${sha256(Buffer.concat([body, Buffer.from(signature)]))}`;
  return signer.actorUri === actorUri ? name : `${signer.domain} forwards ${name}`;
}
