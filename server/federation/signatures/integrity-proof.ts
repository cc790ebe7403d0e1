import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { isoTimestamp } from '../documents/activities.ts';
import { decodeMultibase, encodeMultibase } from '../documents/base58.ts';
import { canonicalJson } from '../documents/canonical-json.ts';
import { dateOf, isHttpUrl, isObject, listOf, type Json } from '../documents/values.ts';
import type { Signer } from './sign-request.ts';
import { SignatureError } from './signed-request.ts';
import { assertTimeWindow } from './time-window.ts';

const proofType = 'DataIntegrityProof';
const cryptosuite = 'eddsa-jcs-2022';
const proofPurpose = 'assertionMethod';
const signatureBytes = 64;

/** A proof that is valid except for the key. */
interface IntegrityProof {
  readonly keyId: string;
  /** What may be signed: the options of the proof with the context of the document as they are, or with it added. */
  readonly hashes: readonly Buffer[];
  readonly signature: Buffer;
}

/** Returns the integrity proof (FEP-8b32) of a document with its context, made with an Ed25519 key. */
export function createIntegrityProof(document: Json, { keyId, privateKey }: Signer, now: Date): Json {
  const options = {
    '@context': document['@context'],
    type: proofType,
    cryptosuite,
    verificationMethod: keyId,
    proofPurpose,
    created: isoTimestamp(now),
  };
  return { ...options, proofValue: encodeMultibase(sign(null, hashOf(options, document), privateKey)) };
}

/**
 * Parses the integrity proof of a document and checks everything but the key. It holds as long as a signature of a
 * request. Returns undefined without a proof of the supported kind, or if there are several.
 */
export function parseIntegrityProof(document: Json, now: Date): IntegrityProof | undefined {
  // A linked data signature is added after the proof.
  const { proof: proofs, signature: _, ...signed } = document;
  const [proof, ...others] = listOf(proofs);
  if (!isObject(proof) || others.length > 0) return undefined;
  const { proofValue, ...options } = proof;
  const signature = decodeMultibase(proofValue);
  const keyId = options['verificationMethod'];
  if (options['type'] !== proofType || options['cryptosuite'] !== cryptosuite) return undefined;
  if (options['proofPurpose'] !== proofPurpose || !isHttpUrl(keyId)) return undefined;
  if (signature?.length !== signatureBytes || !isCurrent(options, now)) return undefined;
  const context = signed['@context'];
  const withContext = { ...options, '@context': context };
  if (options['@context'] === undefined)
    return { keyId, signature, hashes: [hashOf(options, signed), hashOf(withContext, signed)] };
  // A context that was added later could change what the document says.
  const hasSameContext = canonicalJson(options['@context']) === canonicalJson(context);
  return hasSameContext ? { keyId, signature, hashes: [hashOf(options, signed)] } : undefined;
}

/** Whether a proof was made with this key. */
export function isProvenBy({ hashes, signature }: IntegrityProof, key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ed25519' && hashes.some((hash) => verify(null, hash, key, signature));
}

function isCurrent({ created, expires }: Json, now: Date): boolean {
  const secondsOf = (value: unknown): number => (dateOf(value)?.getTime() ?? NaN) / 1000;
  if (expires !== undefined && !(secondsOf(expires) > now.getTime() / 1000)) return false;
  try {
    assertTimeWindow(now, secondsOf(created), expires === undefined ? undefined : secondsOf(expires));
    return true;
  } catch (error) {
    if (error instanceof SignatureError) return false;
    throw error;
  }
}

const hashOf = (options: Json, document: Json): Buffer => Buffer.concat([options, document].map(sha256OfCanonical));

const sha256OfCanonical = (value: Json): Buffer => createHash('sha256').update(canonicalJson(value)).digest();
