import { verify, type KeyObject } from 'node:crypto';
import { readCavage } from './cavage.ts';
import { readRfc9421 } from './rfc9421.ts';
import { SignatureError, type SignatureClaim, type SignedRequest } from './signed-request.ts';

/** Says whether a request carries a signature at all. */
export function isSigned(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['signature'] !== undefined;
}

/**
 * What the signature of a request claims, in either dialect, with everything checked that needs no key. Throws a
 * SignatureError when there is none or it does not hold.
 */
export function readSignature(request: SignedRequest): SignatureClaim {
  const field = request.headers['signature'];
  if (field === undefined) throw new SignatureError('Request not signed');
  const input = request.headers['signature-input'];
  return input === undefined ? readCavage(request, field) : readRfc9421(request, input, field);
}

/** Says whether the owner of `key` made the signature (RSA PKCS#1 v1.5 with SHA-256). */
export function isSignatureOf(claim: SignatureClaim, key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return false;
  return claim.texts.some((text) => verify('RSA-SHA256', Buffer.from(text), key, claim.signature));
}
