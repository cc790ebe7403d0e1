import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { SignUpChallenge } from '../server/users/proof-of-work/index.ts';

/** Solves a challenge as an app does, with a library of ALTCHA. Returns `proof_of_work` of the sign-up. */
export async function solveSignUpChallenge(challenge: SignUpChallenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return encodeProof(challenge, solution);
}

export const encodeProof = (challenge: unknown, solution: unknown): string =>
  Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
