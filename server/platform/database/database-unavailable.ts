import pg from 'pg';

/** Thrown when PostgreSQL cannot be reached, starts or stops, or has no room: the same statement may succeed later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** SQLSTATE or the system's error code, when there is one. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(causeMessage(cause), { cause });
    this.code = (cause as { code?: string }).code;
  }
}

/** SQLSTATE of a statement that waited for a lock longer than `lock_timeout`. */
export const lockNotAvailable = '55P03';

/** Connection errors, lack of resources (a full disk too), the server stopping or starting, a lock that is held too long. */
const transientSqlStates = new RegExp(`^(?:08|53|57P0|${lockNotAvailable})`);

/** How `pg` reports that a connection broke, never opened or fell silent; these errors have no code. */
const brokenConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (?:was closed|has encountered a connection error)|Cannot use a pool after calling end)/;

/** Returns a DatabaseUnavailable in place of an error of `pg` that says so; any other error stays as it is. */
export function toDatabaseUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isTransient =
    error instanceof pg.DatabaseError
      ? transientSqlStates.test(code ?? '')
      : syscall !== undefined || brokenConnection.test(error.message);
  return isTransient ? new DatabaseUnavailable(error) : error;
}

function causeMessage(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map((error) => (error as Error).message).join('; ');
  return (cause as Error).message;
}
