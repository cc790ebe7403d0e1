import type { App } from '../../platform/app.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, isSameHost, type Json } from '../documents/values.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import { isProvenBy, parseIntegrityProof } from '../signatures/integrity-proof.ts';
import { findOrFetchKey, refetchKey, type RemoteKey } from './find-key.ts';

/**
 * Returns the key of the actor that made the integrity proof of its activity (FEP-8b32). Fetches an unknown key. Returns
 * undefined if the activity is not proven, or if its actor is suspended.
 */
export async function findProofKey(app: App, activity: Json): Promise<RemoteKey | undefined> {
  const proof = parseIntegrityProof(activity, app.clock.now());
  const actorUri = idOf(activity['actor']);
  if (proof === undefined || !isSameHost(proof.keyId, actorUri) || !isSameHost(idOf(activity), actorUri))
    return undefined;
  try {
    const key = await findOrFetchKey(app, proof.keyId);
    if (key.actorUri !== actorUri || key.suspended) return undefined;
    if (isProvenBy(proof, key.key)) return key;
    const newKey = await refetchKey(app, key);
    return newKey !== undefined && isProvenBy(proof, newKey.key) ? newKey : undefined;
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
