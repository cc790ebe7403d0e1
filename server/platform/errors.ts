import { inspect } from 'node:util';

/** An error with what Node.js, PostgreSQL and HTTP libraries add to theirs. */
interface KnownError extends Error {
  /** As `ENOENT`, or a SQLSTATE. */
  readonly code?: string;
  /** The system call that failed. */
  readonly syscall?: string;
  /** The constraint of the database that was violated. */
  readonly constraint?: string;
  /** Of an HTTP response. */
  readonly status?: number;
  readonly statusCode?: number;
}

/** Returns what was thrown as an error. A text becomes the message of one, anything else is shown in it. */
export const toError = (thrown: unknown): KnownError =>
  thrown instanceof Error ? thrown : new Error(typeof thrown === 'string' ? thrown : inspect(thrown));
