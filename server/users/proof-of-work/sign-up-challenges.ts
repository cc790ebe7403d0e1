import type { App } from '../../platform/app.ts';
import { invalidFieldsError, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { loadSigner, siteSettings } from '../../site/index.ts';
import { useChallenge } from '../used-challenges.ts';
import { checkSolution, createChallenge, type ChallengeContext, type SolvedChallenge } from './challenge.ts';
import type { SignUpChallenge } from './schema.ts';

/** Returns a new challenge for a sign-up; undefined while staff ask for no proof of work. */
export async function createSignUpChallenge(app: App): Promise<SignUpChallenge | undefined> {
  const context = await loadContext(app);
  return context && createChallenge(context);
}

/** Whether a sign-up comes with a proof of work. */
export interface ProofOfWork {
  /** Staff ask for one, and the sign-up has none. */
  readonly isMissing: boolean;
  /** To be used up by the sign-up. */
  readonly solved?: SolvedChallenge;
  /** Why the proof is not accepted: it is wrong, or has expired. */
  readonly errors: readonly FieldError[];
}

/** Of a sign-up that needs no proof. */
export const noProof: ProofOfWork = { isMissing: false, errors: [] };

/** Checks the proof of work of a sign-up. Returns `noProof` while staff ask for none. */
export async function checkProofOfWork(app: App, solution: string | undefined): Promise<ProofOfWork> {
  const context = await loadContext(app);
  if (context === undefined) return noProof;
  if (solution === undefined || solution === '') return { ...noProof, isMissing: true };
  const checked = checkSolution(solution, context);
  if (checked === 'expired') return { ...noProof, errors: [expiredError] };
  return checked === 'invalid' ? { ...noProof, errors: [invalidError] } : { ...noProof, solved: checked };
}

/** Uses up a solved challenge with the sign-up that is stored. Throws 422 if another one did. */
export async function useSolvedChallenge(tx: Transaction, { nonce, expiresAt }: SolvedChallenge): Promise<void> {
  if (!(await useChallenge(tx, `sign-up ${nonce}`, expiresAt))) throw invalidFieldsError([usedError]);
}

async function loadContext(app: App): Promise<ChallengeContext | undefined> {
  const { signUpProofOfWork: difficulty } = await siteSettings(app);
  if (difficulty === 'off') return undefined;
  return { sign: await loadSigner(app, 'sign-up challenge'), now: app.clock.now(), difficulty };
}

const field = 'proof_of_work';
const invalidError: FieldError = { field, error: 'ERR_INVALID', description: message('problems.invalid') };
const expiredError: FieldError = { field, error: 'ERR_INVALID', description: message('problems.challengeExpired') };
const usedError: FieldError = { field, error: 'ERR_TAKEN', description: message('problems.challengeUsed') };
