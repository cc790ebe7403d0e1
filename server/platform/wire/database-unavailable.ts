import pg from 'pg';
import { UserFacingError } from '../user-facing-error.ts';

/**
 * Thrown if PostgreSQL cannot be reached, is starting or stopping, or lacks resources. The same statement may succeed
 * later.
 */
export class DatabaseUnavailable extends UserFacingError {
  override name = 'DatabaseUnavailable';
  /** SQLSTATE or the system's error code, if there is one. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(causeMessage(cause), { cause });
    this.code = (cause as { code?: string }).code;
  }
}

/** Thrown if the connection broke after a commit was sent: it may have taken effect. */
export class CommitUnknown extends DatabaseUnavailable {}

/** SQLSTATE of a statement that exceeded `lock_timeout`. */
export const lockNotAvailable = '55P03';

/** SQLSTATEs of connection errors, lack of resources (including a full disk), startup, shutdown, and lock timeouts. */
const transientSqlStates = new RegExp(`^(?:08|53|57P0|${lockNotAvailable})`);

/** Messages of the errors with which a connection is closed whose peer does not answer, or is no primary. */
export const silentConnection = 'The connection to the database is silent';
export const standbyConnection = 'The connection leads to a standby of the database';

/** Messages of `pg` for connections that broke, never opened or did not answer in time. These errors have no code. */
const brokenConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (?:was closed|has encountered a connection error)|Cannot use a pool after calling end)/;

/** SQLSTATE and function of PostgreSQL with which a standby refuses to begin a transaction that writes, and the rest. */
const standbyRefusals: ReadonlySet<string> = new Set([
  '0A000 call_bool_check_hook',
  '25006 PreventCommandDuringRecovery',
]);

/**
 * Whether a standby refused a statement, which only a primary runs. Reads that the role may not write fail with 25006, too,
 * but in another function.
 */
export const isRefusedByStandby = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && standbyRefusals.has(`${error.code} ${error.routine}`);

/** Converts the error of statements that were sent with a commit: PostgreSQL refused one of them, or the connection broke. */
export function toCommitError(error: unknown): unknown {
  const isUnknown = error instanceof DatabaseUnavailable && !/^5[35]/.test(error.code ?? '');
  return isUnknown ? new CommitUnknown(error.cause) : error;
}

/** Converts an error of `pg` that means so to a DatabaseUnavailable. Returns any other error unchanged. */
export function toDatabaseUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isTransient =
    error instanceof pg.DatabaseError
      ? transientSqlStates.test(code ?? '') || isRefusedByStandby(error)
      : syscall !== undefined || error.message === silentConnection || brokenConnection.test(error.message);
  return isTransient ? new DatabaseUnavailable(error) : error;
}

function causeMessage(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map((error) => (error as Error).message).join('; ');
  return (cause as Error).message;
}
