import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const pairs: KeyPairKeyObjectResult[] = [];
let takenCount = 0;

/** Returns a key pair that nothing else in the test file has. Earlier files of this process may have had it. */
export function takeRsaKeyPair(): KeyPairKeyObjectResult {
  const pair = pairs[takenCount] ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  pairs[takenCount] = pair;
  takenCount += 1;
  return pair;
}

/** Lets the next test file take the key pairs that this one had. */
export function returnRsaKeyPairs(): void {
  takenCount = 0;
}
