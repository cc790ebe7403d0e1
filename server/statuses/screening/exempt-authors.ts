import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { permitsSql } from '../../users/roles/index.ts';

/**
 * Returns a condition: moderation rules do not apply to the posts of an account, because its user decides about held posts
 * (docs/decisions/0115-moderation-rules.md).
 */
export const isExemptSql = (account: RawBuilder<unknown>): RawBuilder<boolean> => permitsSql(account, 'manage_reports');

/** Whether moderation rules do not apply to the posts of an account. */
export async function isExempt({ db }: App, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ exempt: boolean }>`
    select ${isExemptSql(sql`${accountId}::bigint`)} as exempt`.execute(db);
  return rows[0]?.exempt === true;
}
