import type { Transaction } from '../platform/write/transaction.ts';
import { nextCursor, type Check, type Db } from './checks.ts';

/** A row with its counters as they should be. */
interface CountedRow {
  readonly isWrong: boolean;
}

interface CounterCheckParts<Id extends string, Row extends CountedRow> extends Pick<Check, 'name' | 'description'> {
  readonly table: 'accounts' | 'statuses';
  readonly pageSize: number;
  readonly idOf: (row: Row) => Id;
  /** Counts for these ids, in one statement. */
  readonly count: (db: Db, ids: readonly string[]) => Promise<Row[]>;
  /** Locks the counters, so that whoever changes one waits, and then adds to the new number. Returns the created ones. */
  readonly lock: (tx: Transaction, ids: readonly Id[]) => Promise<readonly Id[]>;
  readonly store: (tx: Transaction, rows: readonly Row[]) => Promise<void>;
}

/** Creates a check of the counters of all rows of a table. */
export function checkCounters<Id extends string, Row extends CountedRow>(parts: CounterCheckParts<Id, Row>): Check {
  const { name, description, table, pageSize, idOf, count, lock, store } = parts;
  const findWrong = async (db: Db, ids: readonly string[]): Promise<Row[]> =>
    (await count(db, ids)).filter(({ isWrong }) => isWrong);
  return {
    name,
    description,
    async examine({ db }, after) {
      const rows = await db
        .selectFrom(table)
        .select('id')
        .where('id', '>', after as never)
        .orderBy('id')
        .limit(pageSize)
        .execute();
      const ids = rows.map(({ id }) => id);
      return { wrong: (await findWrong(db, ids)).map(idOf), next: nextCursor(ids, pageSize) };
    },
    async repair(tx, ids) {
      const created = await lock(tx, ids as readonly Id[]);
      const wrong = await findWrong(tx.db, ids);
      await store(tx, wrong);
      return new Set([...created, ...wrong.map(idOf)]).size;
    },
  };
}
