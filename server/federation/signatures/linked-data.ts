import { sign } from 'node:crypto';
import { loadContext } from '../documents/load-context.ts';
import { isoTimestamp } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { sha256Hex } from './digests.ts';
import type { Signer } from './sign-request.ts';

/**
 * Signs a document for those to whom somebody else passes it on (RsaSignature2017): its member `signature`. What none of
 * its contexts defines is not signed, as those who verify it leave it out as well.
 */
export async function createLinkedDataSignature(
  document: Json,
  { keyId, privateKey }: Signer,
  now: Date,
): Promise<Json> {
  const { default: jsonld } = await import('jsonld');
  const text = await jsonld.canonize(document, {
    algorithm: 'URDNA2015',
    format: 'application/n-quads',
    safe: false,
    documentLoader: loadContext,
  });
  const created = isoTimestamp(now);
  const signed = sha256Hex(canonicalOptions(keyId, created)) + sha256Hex(text);
  const signatureValue = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64');
  return { type: 'RsaSignature2017', creator: keyId, created, signatureValue };
}

/** What the options of a signature are in canonical form: always these two statements. */
function canonicalOptions(creator: string, created: string): string {
  return (
    `_:c14n0 <http://purl.org/dc/terms/created> "${created}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n` +
    `_:c14n0 <http://purl.org/dc/terms/creator> <${creator}> .\n`
  );
}
