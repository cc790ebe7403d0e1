import { UserFacingError } from '../platform/user-facing-error.ts';
import { toError } from '../platform/errors.ts';

/** An error that the person at the keyboard can fix. Printed without a stack; the exit code is 1. */
export class CliError extends UserFacingError {
  override name = 'CliError';
}

/** Ends a command with an exit code, after it printed why. */
export class ExitError extends Error {
  override name = 'ExitError';
  readonly code: number;

  constructor(code: number) {
    super(`The exit code is ${code}`);
    this.code = code;
  }
}

/** Whether a use case says that something does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof UserFacingError && 'status' in error && error.status === 404;

/** SQLSTATEs of statements that the user or the state of the database does not allow. */
const refusedByDatabase = new Set(['42501', '25006']);

/** Returns the message to print for an error; undefined for a bug, which is printed with its stack. */
export function userFacingMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UserFacingError) return error.message;
  const { code, syscall } = toError(error);
  // A file, disk or address of this machine: the message names it.
  if (syscall !== undefined) return error.message;
  if (refusedByDatabase.has(code ?? ''))
    return `The database refuses it: ${error.message}. Check the user of DATABASE_URL.`;
  return undefined;
}
