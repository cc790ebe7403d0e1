import { pbkdf2, randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { isEqualInConstantTime } from '../../platform/equal-in-constant-time.ts';
import type { SignUpChallenge } from './schema.ts';

/** How much work a proof takes. */
export type Difficulty = 'easy' | 'medium' | 'hard';

/** How many keys a browser derives at most; on average three quarters of them. */
const maxCounters: Readonly<Record<Difficulty, number>> = { easy: 1_000, medium: 4_000, hard: 16_000 };
/** Iterations for each key: enough that the browser's own code does nearly all of the work, not a script. */
const iterations = 2_000;
const keyBytes = 32;
/** Nobody finds another key with this prefix. */
const prefixBytes = 16;
const ttlSeconds = 2 * 3_600;

/** What challenges are made and checked with. */
export interface ChallengeContext {
  /** Signs with a key of this instance and this purpose. */
  readonly sign: (text: string) => string;
  readonly now: Date;
  readonly difficulty: Difficulty;
}

/** A solution that counts once, until it expires. */
export interface SolvedChallenge {
  readonly nonce: string;
  readonly expiresAt: Date;
}

type Parameters = SignUpChallenge['parameters'];

/**
 * Returns a challenge: to find the counter whose key begins with `keyPrefix`. The key is
 * PBKDF2(nonce followed by the counter as 4 bytes, big-endian; salt; `cost` iterations). It is derived here once, so that
 * a solution is checked by its signature. Nothing is stored.
 */
export async function createChallenge({ sign, now, difficulty }: ChallengeContext): Promise<SignUpChallenge> {
  const maxCounter = maxCounters[difficulty];
  const [nonce, salt] = [randomBytes(16), randomBytes(16)];
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(randomInt(maxCounter / 2, maxCounter + 1));
  const key = await derive(Buffer.concat([nonce, counter]), salt, iterations, keyBytes, 'sha256');
  const parameters: Parameters = {
    algorithm: 'PBKDF2/SHA-256',
    cost: iterations,
    data: { maxCounter },
    expiresAt: Math.floor(now.getTime() / 1_000) + ttlSeconds,
    keyLength: keyBytes,
    keyPrefix: key.toString('hex', 0, prefixBytes),
    keySignature: signKey(sign, nonce.toString('hex'), key.toString('hex')),
    nonce: nonce.toString('hex'),
    salt: salt.toString('hex'),
  };
  return { parameters, signature: signParameters(sign, parameters) };
}

/**
 * Checks a solution: base64 of JSON with the challenge and the derived key, as widgets of ALTCHA send it. `expired` if the
 * challenge has expired, or asked for less work than is required now; `invalid` if it is wrong or of another instance.
 */
export function checkSolution(
  text: string,
  { sign, now, difficulty }: ChallengeContext,
): SolvedChallenge | 'expired' | 'invalid' {
  const { challenge, solution } = membersOf(parsePayload(text));
  const { parameters, signature } = membersOf(challenge);
  const { derivedKey } = membersOf(solution);
  if (typeof signature !== 'string' || typeof derivedKey !== 'string') return 'invalid';
  const given = membersOf(parameters);
  if (!isEqualInConstantTime(signature, signParameters(sign, given))) return 'invalid';
  // Signed here, so the parameters are those of `createChallenge`.
  const { nonce, keySignature, expiresAt, data } = given as Parameters;
  if (!isEqualInConstantTime(keySignature, signKey(sign, nonce, derivedKey))) return 'invalid';
  const expiry = new Date(expiresAt * 1_000);
  if (expiry <= now || data.maxCounter < maxCounters[difficulty]) return 'expired';
  return { nonce, expiresAt: expiry };
}

/** A payload has about 700 characters. */
const maxPayloadLength = 4_096;

function parsePayload(text: string): unknown {
  if (text.length > maxPayloadLength) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString());
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The names of all parameters in one order: other programs may send them back in another one. */
const signedNames = [
  'algorithm',
  'cost',
  'data',
  'expiresAt',
  'keyLength',
  'keyPrefix',
  'keySignature',
  'maxCounter',
  'nonce',
  'salt',
];

const signParameters = (sign: ChallengeContext['sign'], parameters: object): string =>
  sign(`challenge ${JSON.stringify(parameters, signedNames)}`);

const signKey = (sign: ChallengeContext['sign'], nonce: string, key: string): string => sign(`key ${nonce} ${key}`);

const derive = promisify(pbkdf2);
