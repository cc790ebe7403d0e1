import pg from 'pg';

/** A statement that was sent to the database. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs `run` and returns the statements that all servers of this process sent meanwhile, in order. */
export async function recordStatements(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function spy(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [{ text?: string; values?: unknown } | string, unknown];
    const { text = '', values } = typeof first === 'string' ? { text: first, values: second } : first;
    sent.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(query, this, args) as unknown;
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}
