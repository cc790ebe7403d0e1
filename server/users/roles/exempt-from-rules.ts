import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { permitsSql } from './permits-sql.ts';

/**
 * Returns a condition: moderation rules do not apply to the posts and follows of an account, because its user decides about
 * held posts (docs/moderation-rules.md).
 */
export const isExemptFromRulesSql = (account: RawBuilder<unknown>): RawBuilder<boolean> =>
  permitsSql(account, 'manage_reports');

/** Returns whether moderation rules do not apply to the posts and follows of an account. */
export async function isExemptFromRules({ db }: App, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ exempt: boolean }>`
    select ${isExemptFromRulesSql(sql`${accountId}::bigint`)} as exempt`.execute(db);
  return rows[0]?.exempt === true;
}
