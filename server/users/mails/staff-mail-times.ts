import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StaffMailKind } from '../tables.ts';

/** Returns whether staff may be mailed: not about this kind within the interval. If so, the interval begins again. */
export async function claimStaffMail(
  { db }: Transaction,
  app: App,
  kind: StaffMailKind,
  intervalMs: number,
): Promise<boolean> {
  const now = app.clock.now();
  const { rows } = await sql`
    insert into staff_mail_times as last (kind, mailed_at) values (${kind}, ${now})
    on conflict (kind) do update set mailed_at = excluded.mailed_at
      where last.mailed_at <= ${new Date(now.getTime() - intervalMs)}
    returning kind`.execute(db);
  return rows.length > 0;
}
