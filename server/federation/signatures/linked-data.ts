import { sign } from 'node:crypto';
import { loadJsonLdContext } from '../documents/load-json-ld-context.ts';
import { isoTimestamp } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { sha256Hex } from './digests.ts';
import type { Signer } from './sign-request.ts';

/**
 * Returns the linked data signature of a document (RsaSignature2017), which authenticates forwarded copies. It does not
 * cover properties that no context defines, as verifiers drop them as well.
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
    documentLoader: loadJsonLdContext,
  });
  const created = isoTimestamp(now);
  const signed = sha256Hex(canonicalOptions(keyId, created)) + sha256Hex(text);
  const signatureValue = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64');
  return { type: 'RsaSignature2017', creator: keyId, created, signatureValue };
}

/** Returns the canonical form of the signature options: always these two statements. */
function canonicalOptions(creator: string, created: string): string {
  return (
    `_:c14n0 <http://purl.org/dc/terms/created> "${created}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n` +
    `_:c14n0 <http://purl.org/dc/terms/creator> <${creator}> .\n`
  );
}
