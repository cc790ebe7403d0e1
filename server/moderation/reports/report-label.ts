import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { ReportRow } from '../../reports/review/index.ts';

/** Returns what the audit log calls a report: the name of its account. */
export async function labelOf({ db }: Transaction, { target_account_id: id }: ReportRow): Promise<string> {
  const { rows } = await sql<{ acct: string }>`
    select username || coalesce('@' || domain, '') as acct from accounts where id = ${id}`.execute(db);
  return rows[0]?.acct ?? id;
}
