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

/** Stored for a user who has no password, and signs in with a provider. No password matches it. */
export const noPassword = '!';

/** Hashes a password with argon2id to a PHC string, in the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await derive(password, { nonce, ...cost, parallelism, tagLength });
  return `${phcPrefix()}${unpadded(nonce)}$${unpadded(key)}`;
}

/**
 * Returns whether a password matches a stored hash: argon2id in PHC form, or bcrypt as Mastodon stores it. False for
 * undefined, after the work for an argon2id hash. With `hidesAlgorithm`, also after that for a bcrypt hash, so that the
 * duration reveals neither whether a user exists nor which kind of hash there is.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  { hidesAlgorithm = false } = {},
): Promise<boolean> {
  const isBcrypt = bcryptPattern.test(stored ?? '');
  const results = await Promise.all([
    isBcrypt && !hidesAlgorithm ? false : verifyArgon2(password, isBcrypt ? undefined : stored),
    isBcrypt || hidesAlgorithm ? verifyBcrypt(password, isBcrypt ? stored : undefined) : false,
  ]);
  return results.includes(true);
}

/** Returns whether a hash has other parameters than new ones, so that it is to be replaced when its password is known. */
export const isOutdatedHash = (stored: string): boolean => !stored.startsWith(phcPrefix());

async function verifyArgon2(password: string, stored: string | undefined): Promise<boolean> {
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

/** In the thread pool, like argon2. The password as typed: Mastodon does not normalise it. */
export async function verifyBcrypt(password: string, stored: string | undefined): Promise<boolean> {
  const { verify } = await import('@node-rs/bcrypt');
  return (await verify(password, stored ?? unknownBcrypt)) && stored !== undefined;
}

const bcryptPattern = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;
/** A hash with the cost of Mastodon's. */
const unknownBcrypt = `$2a$10$${'.'.repeat(53)}`;

/** The start of a new hash: the algorithm with its parameters. */
const phcPrefix = (): string => `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${parallelism}$`;

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The same password may be typed as different code points on different keyboards.
function derive(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return deriveKey('argon2id', { message: password.normalize('NFKC'), ...parameters });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
