import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';

const generateKeyPairAsync = promisify(generateKeyPair);

let generate = (): Promise<KeyPairKeyObjectResult> => generateKeyPairAsync('rsa', { modulusLength: 2048 });

/** Returns a new RSA key pair of 2048 bits. */
export function generateRsaKeyPair(): Promise<KeyPairKeyObjectResult> {
  return generate();
}

/** Makes `take` the source of the RSA key pairs of this process. Throws outside of tests. */
export function useRsaKeyPairs(take: () => KeyPairKeyObjectResult): void {
  if (process.env['NODE_ENV'] !== 'test') throw new Error('key pairs that are not generated are for tests only');
  generate = async () => take();
}
