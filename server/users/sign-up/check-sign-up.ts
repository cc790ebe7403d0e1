import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { FieldError } from '../../platform/http/http-errors.ts';
import { message, type Message } from '../../platform/i18n/message.ts';
import { exceedsLimit } from '../../text/index.ts';
import { checkUsername } from '../username-blocks/find-username-blocks.ts';
import { emailSpellings } from './email-address.ts';

const maxUsernameLength = 30;
const maxEmailLength = 320;
const minPasswordLength = 8;
/** Clients check this limit themselves (reference/limits.tsv). */
const maxPasswordLength = 72;
const maxReasonLength = 420;

/** A sign-up to check. */
export interface SignUp {
  readonly username: string;
  readonly email: string;
  /** Absent: the user signs in with a provider. */
  readonly password?: string | undefined;
  /** False: the rules were not accepted. Absent if the command line creates the user. */
  readonly agreement?: boolean | undefined;
  readonly reason?: string | null | undefined;
  readonly needsReason?: boolean;
  readonly allowReserved?: boolean | undefined;
  /** Whether the username may be that of an account. */
  readonly mayBeTaken?: boolean | undefined;
}

/** Returns all errors of a sign-up by field; empty if it is valid. */
export async function checkSignUp(app: App, signUp: SignUp): Promise<FieldError[]> {
  const errors = [
    ...(signUp.mayBeTaken === true ? [] : await usernameErrors(app, signUp.username, { ...signUp, mayWait: true })),
    ...emailErrors(signUp.email),
    ...(signUp.password === undefined ? [] : passwordErrors(signUp.password)),
    ...reasonErrors(signUp.reason ?? '', signUp.needsReason === true),
  ];
  if (signUp.agreement === false)
    errors.push(fieldError('agreement', 'ERR_ACCEPTED', message('problems.mustBeAccepted')));
  const invalidFields = new Set(errors.map(({ field }) => field));
  if (!invalidFields.has('email') && (await isEmailTaken(app, signUp.email))) errors.push(emailTakenError);
  return errors;
}

const fieldError = (field: string, error: string, description: Message): FieldError => ({ field, error, description });
const blankError = (field: string): FieldError => fieldError(field, 'ERR_BLANK', message('problems.blank'));
const tooLongError = (field: string, maxLength: number): FieldError =>
  fieldError(field, 'ERR_TOO_LONG', message('problems.tooLong', { max: maxLength }));

export const usernameTakenError = fieldError('username', 'ERR_TAKEN', message('problems.alreadyTaken'));
export const emailTakenError = fieldError('email', 'ERR_TAKEN', message('problems.alreadyTaken'));

interface UsernameRules {
  /** Names that are reserved or blocked are allowed, too. */
  readonly allowReserved?: boolean | undefined;
  /** Staff may approve the account before it is visible, so a block with approval does not refuse it. */
  readonly mayWait?: boolean;
}

/** Returns the errors of the name of a new local account. */
export async function usernameErrors(
  app: App,
  username: string,
  { allowReserved = false, mayWait = false }: UsernameRules = {},
): Promise<FieldError[]> {
  const errors = syntaxErrors(username);
  if (errors.length > 0) return errors;
  const verdict = allowReserved ? 'allowed' : await checkUsername(app, username);
  if (verdict !== 'allowed' && !(verdict === 'needs_approval' && mayWait))
    return [fieldError('username', 'ERR_RESERVED', message('problems.reserved'))];
  return (await isUsernameTaken(app, username)) ? [usernameTakenError] : [];
}

function syntaxErrors(username: string): FieldError[] {
  if (username === '') return [blankError('username')];
  if (username.length > maxUsernameLength) return [tooLongError('username', maxUsernameLength)];
  if (!/^[a-z0-9_]+$/i.test(username)) {
    return [fieldError('username', 'ERR_INVALID', message('problems.badUsername'))];
  }
  return [];
}

const emailLocalPartPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~\u0080-\uffff-]{1,64}$/iu;
const emailHostPattern =
  /^(?=.{1,255}$)(?:[a-z0-9\u0080-\uffff](?:[a-z0-9\u0080-\uffff-]{0,61}[a-z0-9\u0080-\uffff])?\.)+[a-z\u0080-\uffff][a-z0-9\u0080-\uffff-]{0,62}$/iu;

/** Returns the errors in the syntax of a normalised e-mail address. Its domain has a dot. */
export function emailErrors(email: string): FieldError[] {
  if (email === '') return [blankError('email')];
  if (email.length > maxEmailLength) return [tooLongError('email', maxEmailLength)];
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const isAddress = at > 0 && emailLocalPartPattern.test(email.slice(0, at)) && emailHostPattern.test(domain);
  return isAddress ? [] : [fieldError('email', 'ERR_INVALID', message('problems.notValidEmail'))];
}

/** Returns the errors of a new password. */
export function passwordErrors(password: string): FieldError[] {
  const length = [...password].length;
  if (length === 0) return [blankError('password')];
  if (length < minPasswordLength) {
    return [fieldError('password', 'ERR_TOO_SHORT', message('problems.tooShort', { min: minPasswordLength }))];
  }
  return length > maxPasswordLength ? [tooLongError('password', maxPasswordLength)] : [];
}

function reasonErrors(reason: string, required: boolean): FieldError[] {
  if (required && reason.trim() === '') return [blankError('reason')];
  return exceedsLimit(reason, maxReasonLength) ? [tooLongError('reason', maxReasonLength)] : [];
}

// The names of deleted accounts stay taken: a new owner would receive what others address to the old one.
async function isUsernameTaken(app: App, username: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('accounts')
    .select('id')
    .where(sql<boolean>`lower(username) = ${username.toLowerCase()} and coalesce(domain, '') = ''`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether a user has this mailbox, in any spelling. */
export async function isEmailTaken(app: App, email: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(email) = any(${emailSpellings(email)}::text[])`)
    .executeTakeFirst();
  return row !== undefined;
}
