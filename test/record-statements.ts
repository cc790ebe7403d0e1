import pg from 'pg';
import { SentStatement as ClientStatement } from '../server/platform/wire/sent-statement.ts';

/** A statement that was sent to the database. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs `run` and returns the statements that all servers of this process sent meanwhile, in order. */
export async function recordStatements(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  using _interception = interceptStatements((statement) => void sent.push(statement));
  await run();
  return sent;
}

/** Fails the matching statements of all servers of this process with an SQLSTATE, until it is disposed. */
export const failStatements = (code: string, matches: (text: string) => boolean): Disposable =>
  interceptStatements(({ text }) =>
    matches(text) ? Object.assign(new pg.DatabaseError(`failed with ${code}`, 0, 'error'), { code }) : undefined,
  );

/** Calls `intercept` with each statement, which is not sent if this returns an error. */
function interceptStatements(intercept: (statement: SentStatement) => Error | undefined): Disposable {
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function spy(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [{ text?: string; values?: unknown } | string, unknown];
    const { text = '', values } = typeof first === 'string' ? { text: first, values: second } : first;
    const error = intercept({ text, values: Array.isArray(values) ? values : [] });
    if (error === undefined) return Reflect.apply(query, this, args) as unknown;
    if (first instanceof ClientStatement) {
      queueMicrotask(() => first.handleError(error));
      return first;
    }
    const callback = args.at(-1);
    if (typeof callback !== 'function') return Promise.reject(error);
    return queueMicrotask(() => Reflect.apply(callback, undefined, [error]));
  } as typeof query;
  return {
    [Symbol.dispose]: () => {
      pg.Client.prototype.query = query;
    },
  };
}
