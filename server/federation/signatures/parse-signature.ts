import { verify, type KeyObject } from 'node:crypto';
import { parseCavageSignature } from './cavage.ts';
import { parseRfc9421Signature } from './rfc9421.ts';
import { digestNames, SignatureError, type ParsedSignature, type SignedRequest } from './signed-request.ts';

/** Whether a request has a signature. */
export function isSigned(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['signature'] !== undefined;
}

/**
 * Parses the signature of a request in either dialect, and checks everything that needs no key. Throws a
 * SignatureError.
 */
export function parseSignature(request: SignedRequest): ParsedSignature {
  const field = request.headers['signature'];
  if (field === undefined) throw new SignatureError('Request not signed');
  const input = request.headers['signature-input'];
  return input === undefined ? parseCavageSignature(request, field) : parseRfc9421Signature(request, input, field);
}

/** Whether a signature was made with this key. The type of the key decides about the algorithm, never the signature. */
export function isSignedBy({ keyType, signingStrings, signature }: ParsedSignature, key: KeyObject): boolean {
  const type = key.asymmetricKeyType;
  if ((type !== 'rsa' && type !== 'ed25519') || (keyType !== undefined && keyType !== type)) return false;
  return signingStrings.some((text) => verify(digestNames[type], Buffer.from(text), key, signature));
}
