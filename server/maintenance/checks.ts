import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';

/** Statements run on either: a check reads, its repair writes in a transaction. */
export type Db = App['db'] | Transaction['db'];

/** A page of rows that a check has examined. */
export interface ExaminedBatch {
  /** Ids of the rows that are wrong. */
  readonly wrong: readonly string[];
  /** What could not be examined in time. */
  readonly skipped?: readonly string[];
  /** Cursor of the next page; undefined after the last one. */
  readonly next: string | undefined;
}

/** Finds rows that contradict others, in pages, and repairs them if it can. */
export interface Check {
  readonly name: string;
  readonly description: string;
  /** Examines the rows after a cursor in one statement. */
  examine(app: App, after: string): Promise<ExaminedBatch>;
  /** Examines these rows again and repairs them. Returns how many it changed. */
  readonly repair?: (tx: Transaction, ids: readonly string[]) => Promise<number>;
  /** Repairs one thing without the transaction of others. Returns whether it is right now. */
  readonly repairOne?: (app: App, id: string) => Promise<boolean>;
  /** `repairOne` takes long, and runs only with the option `reindex`. */
  readonly isReindex?: boolean;
}

/** The cursor before the first row. Ids of special accounts are negative. */
export const firstCursor = '-9223372036854775808';

/** Returns the cursor after a page, if it was full. */
export const nextCursor = (ids: readonly string[], pageSize: number): string | undefined =>
  ids.length < pageSize ? undefined : ids.at(-1);
