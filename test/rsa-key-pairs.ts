import { createPrivateKey, createPublicKey, generatePrimeSync, type KeyPairKeyObjectResult } from 'node:crypto';

const exponent = 65_537n;
const pairs: KeyPairKeyObjectResult[] = [];
const unused: KeyPairKeyObjectResult[] = [];
const primes: bigint[] = [];
let takenCount = 0;

/** Returns a key pair that nothing else in the test file has. Earlier files of this process may have had it. */
export function takeRsaKeyPair(): KeyPairKeyObjectResult {
  const pair = pairs[takenCount] ?? createPair();
  pairs[takenCount] = pair;
  takenCount += 1;
  return pair;
}

/** Lets the next test file take the key pairs that this one had. */
export function returnRsaKeyPairs(): void {
  takenCount = 0;
}

/**
 * Returns a new key pair of 2048 bits. Each new prime makes one with each earlier prime: to find a prime takes nearly all of
 * the time. Keys that share a prime are as good as others, except that they are not secret.
 */
function createPair(): KeyPairKeyObjectResult {
  while (unused.length === 0) {
    const prime = findPrime();
    unused.push(...primes.map((other) => composePair(prime, other)));
    primes.push(prime);
  }
  return unused.pop() as KeyPairKeyObjectResult;
}

/** Returns a new prime of 1024 bits, the upper two of which are set, so that the product of two has 2048. */
function findPrime(): bigint {
  for (;;) {
    const prime = generatePrimeSync(1_024, { bigint: true });
    if (prime >> 1_022n === 3n && prime % exponent !== 1n && !primes.includes(prime)) return prime;
  }
}

/** Composes a key pair of two primes (RFC 8017, section 3.2). */
function composePair(p: bigint, q: bigint): KeyPairKeyObjectResult {
  const key = {
    kty: 'RSA',
    n: encode(p * q),
    e: encode(exponent),
    d: encode(invert(exponent, (p - 1n) * (q - 1n))),
    p: encode(p),
    q: encode(q),
    dp: encode(invert(exponent, p - 1n)),
    dq: encode(invert(exponent, q - 1n)),
    qi: encode(invert(q, p)),
  };
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Returns the inverse of a number by a modulus, by the extended Euclidean algorithm. */
function invert(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value % modulus];
  let [inverse, nextInverse] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [inverse, nextInverse] = [nextInverse, inverse - quotient * nextInverse];
  }
  return inverse < 0n ? inverse + modulus : inverse;
}

const encode = (value: bigint): string => {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};
