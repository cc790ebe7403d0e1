import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify(argon2);

/** Parameters of new hashes: 19 MiB and two passes, which take about 25 ms. */
let cost: Pick<Argon2Parameters, 'memory' | 'passes'> = { memory: 19_456, passes: 2 };
const parallelism = 1;
const tagLength = 32;

/** Makes all hashes of this process as cheap as argon2id permits. Throws outside of tests. */
export function useCheapHashes(): void {
  if (process.env['NODE_ENV'] !== 'test') throw new Error('cheap password hashes are for tests only');
  cost = { memory: 8 * parallelism, passes: 1 };
}

/** Hashes a password with argon2id to a PHC string, in the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await derive(password, { nonce, ...cost, parallelism, tagLength });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`;
}

/**
 * Returns whether a password matches a PHC string. False for undefined, after the same work, so that the duration does
 * not reveal whether a user exists.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const match = phcPattern.exec(stored ?? '');
  if (match === null) {
    await derive(password, { nonce: Buffer.alloc(16), ...cost, parallelism, tagLength });
    return false;
  }
  const [, m, t, p, salt = '', hash = ''] = match;
  const expected = Buffer.from(hash, 'base64');
  const key = await derive(password, {
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  });
  return timingSafeEqual(key, expected);
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The same password may be typed as different code points on different keyboards.
function derive(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return deriveKey('argon2id', { message: password.normalize('NFKC'), ...parameters });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
