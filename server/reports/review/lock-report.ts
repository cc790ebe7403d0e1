import type { Selectable } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { ReportId, ReportTables } from '../tables.ts';

export type ReportRow = Selectable<ReportTables['reports']>;

/** Locks a report until the transaction ends. Throws 404 if there is none with this id. */
export function lockReport({ db }: Transaction, id: ReportId): Promise<ReportRow> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}
