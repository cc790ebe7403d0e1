/** How a transaction begins. */
export interface StartOptions {
  /** For each lock, in milliseconds. Default: that of the connection. */
  readonly lockTimeoutMs?: number;
  /**
   * Reads no table as a whole if it has an index. For tables whose rows are soon deleted: PostgreSQL expects few rows there,
   * and would read the whole table with all deleted ones.
   */
  readonly withIndexes?: boolean;
  /** Other numbers of PostgreSQL's configuration. */
  readonly settings?: Readonly<Record<string, number>>;
}

/** Returns the statements that begin a transaction. */
export function transactionStart(
  mode: 'read write' | 'read only',
  { lockTimeoutMs, withIndexes = false, settings = {} }: StartOptions,
): string {
  const all = {
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    ...(withIndexes && { enable_seqscan: 'off' }),
    ...settings,
  };
  return [`begin ${mode}`, ...Object.entries(all).map(([name, value]) => `set local ${name} = ${value}`)].join('; ');
}
