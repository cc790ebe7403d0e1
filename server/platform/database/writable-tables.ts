import type {
  DeleteQueryBuilder,
  DeleteResult,
  InsertQueryBuilder,
  InsertResult,
  Transaction as KyselyTransaction,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Tables } from './tables.ts';

/** The database of an open transaction. It reads every table; `writableTables` adds the methods that write. */
export type TransactionDatabase = Pick<
  KyselyTransaction<Tables>,
  'selectFrom' | 'selectNoFrom' | 'getExecutor' | 'isTransaction'
>;

/** The methods of a transaction that write, for the tables named by `Name`. */
export interface WritableTables<Name extends keyof Tables> {
  insertInto<Table extends Name>(table: Table): InsertQueryBuilder<Tables, Table, InsertResult>;
  updateTable<Table extends Name>(table: Table): UpdateQueryBuilder<Tables, Table, Table, UpdateResult>;
  deleteFrom<Table extends Name>(table: Table): DeleteQueryBuilder<Tables, Table, DeleteResult>;
}

/**
 * Declares how a domain writes its tables: `writable(tx.db).updateTable('polls')`. Only the `tables.ts` of a domain calls
 * it, and only its domain imports the result, so that no other domain writes these tables.
 */
export const writableTables = <Owned>() => write<keyof Owned & keyof Tables>;

/** Every transaction has these methods; only its type does not. */
const write = <Name extends keyof Tables>(db: TransactionDatabase): WritableTables<Name> =>
  db as unknown as WritableTables<Name>;
