import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { FieldError } from '../platform/http/problems.ts';
import { exceedsLimit } from '../text/index.ts';
import { isReservedUsername } from './reserved-usernames.ts';

const longestUsername = 30;
const longestEmail = 320;
const shortestPassword = 8;
/** Kept for clients that check it themselves (reference/limits.tsv). */
const longestPassword = 72;
const longestReason = 420;

/** What a sign-up says of itself. */
export interface SignUp {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** False: the rules were not agreed to. Left out where nobody is asked (the command line). */
  readonly agreement?: boolean | undefined;
  readonly reason?: string | null | undefined;
  readonly needsReason?: boolean;
  readonly evenReserved?: boolean | undefined;
}

/** All that is wrong with a sign-up, field by field; empty when nothing is. */
export async function checkSignUp(app: App, signUp: SignUp): Promise<FieldError[]> {
  const errors = [
    ...usernameErrors(signUp.username, signUp.evenReserved === true),
    ...emailErrors(signUp.email),
    ...passwordErrors(signUp.password),
    ...reasonErrors(signUp.reason ?? '', signUp.needsReason === true),
  ];
  if (signUp.agreement === false) errors.push(fieldError('agreement', 'ERR_ACCEPTED', 'must be accepted'));
  const wrong = new Set(errors.map(({ field }) => field));
  if (!wrong.has('username') && (await isUsernameTaken(app, signUp.username))) errors.push(takenUsername);
  if (!wrong.has('email') && (await isEmailTaken(app, signUp.email))) errors.push(takenEmail);
  return errors;
}

const fieldError = (field: string, error: string, description: string): FieldError => ({ field, error, description });
const blank = (field: string): FieldError => fieldError(field, 'ERR_BLANK', "can't be blank");
const tooLong = (field: string, most: number): FieldError =>
  fieldError(field, 'ERR_TOO_LONG', `is too long (maximum is ${most} characters)`);

export const takenUsername = fieldError('username', 'ERR_TAKEN', 'has already been taken');
export const takenEmail = fieldError('email', 'ERR_TAKEN', 'has already been taken');

function usernameErrors(username: string, evenReserved: boolean): FieldError[] {
  if (username === '') return [blank('username')];
  if (username.length > longestUsername) return [tooLong('username', longestUsername)];
  if (!/^[a-z0-9_]+$/i.test(username)) {
    return [fieldError('username', 'ERR_INVALID', 'must contain only letters, numbers and underscores')];
  }
  if (!evenReserved && isReservedUsername(username)) return [fieldError('username', 'ERR_RESERVED', 'is reserved')];
  return [];
}

const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~\u0080-\uffff-]{1,64}$/iu;
const host =
  /^(?=.{1,255}$)(?:[a-z0-9\u0080-\uffff](?:[a-z0-9\u0080-\uffff-]{0,61}[a-z0-9\u0080-\uffff])?\.)+[a-z\u0080-\uffff][a-z0-9\u0080-\uffff-]{0,62}$/iu;

/** What is wrong with an e-mail address by its form. */
export function emailErrors(email: string): FieldError[] {
  if (email === '') return [blank('email')];
  if (email.length > longestEmail) return [tooLong('email', longestEmail)];
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const isAddress = at > 0 && localPart.test(email.slice(0, at)) && (host.test(domain) || domain === 'localhost');
  return isAddress ? [] : [fieldError('email', 'ERR_INVALID', 'is not a valid e-mail address')];
}

/** What is wrong with a new password. */
export function passwordErrors(password: string): FieldError[] {
  const length = [...password].length;
  if (length === 0) return [blank('password')];
  if (length < shortestPassword) {
    return [fieldError('password', 'ERR_TOO_SHORT', `is too short (minimum is ${shortestPassword} characters)`)];
  }
  return length > longestPassword ? [tooLong('password', longestPassword)] : [];
}

function reasonErrors(reason: string, needed: boolean): FieldError[] {
  if (needed && reason.trim() === '') return [blank('reason')];
  return exceedsLimit(reason, longestReason) ? [tooLong('reason', longestReason)] : [];
}

// The names of deleted accounts stay taken: whoever got one would inherit what was addressed to its first owner.
async function isUsernameTaken(app: App, username: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('accounts')
    .select('id')
    .where(sql<boolean>`lower(username) = ${username.toLowerCase()} and coalesce(domain, '') = ''`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Says whether another user has this e-mail address, whatever its case. */
export async function isEmailTaken(app: App, email: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .executeTakeFirst();
  return row !== undefined;
}
