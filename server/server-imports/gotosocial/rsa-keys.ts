import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isRow, type ImportedRow } from '../table-import.ts';

/** A key pair in PEM: SPKI and PKCS #8. */
export interface KeyPair {
  readonly publicKeyPem: string;
  readonly privateKeyPem: string | null;
}

/**
 * Returns the pair of a private key, or of a public key alone, from the JSON that Go writes: integers as numbers with all their
 * digits. Undefined if it is none.
 */
export function parseGoKey(json: string): KeyPair | undefined {
  try {
    const key = parseIntegers(json);
    const { N: n, E: e, D: d } = key;
    const numbers = { kty: 'RSA', n: base64Of(n), e: base64Of(e) };
    const publicKey = createPublicKey({ key: numbers, format: 'jwk' });
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    if (typeof d !== 'bigint') return { publicKeyPem, privateKeyPem: null };
    const privateKey = createPrivateKey({ key: { ...numbers, ...privateNumbers(d, key['Primes']) }, format: 'jwk' });
    return { publicKeyPem, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  } catch {
    return undefined;
  }
}

/** Returns the integers of a key by their names, and arrays of them. */
function parseIntegers(json: string): ImportedRow {
  const parsed: unknown = JSON.parse(json, (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? BigInt(context.source) : value,
  );
  return isRow(parsed) ? parsed : {};
}

/** A JWK also has what follows from the primes. */
function privateNumbers(d: bigint, primes: unknown): Record<string, string> {
  const [p, q]: readonly unknown[] = Array.isArray(primes) ? primes : [];
  if (typeof p !== 'bigint' || typeof q !== 'bigint') throw new Error('a key needs two primes');
  const numbers = { d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: invert(q, p) };
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64Of(value)]));
}

function base64Of(value: unknown): string {
  if (typeof value !== 'bigint' || value <= 0n) throw new Error('a key consists of positive integers');
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** Returns the inverse of a number modulo a prime, by the extended Euclidean algorithm. */
function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b > 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a % b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}
