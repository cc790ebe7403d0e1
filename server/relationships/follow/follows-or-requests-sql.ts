import { sql, type RawBuilder } from 'kysely';
import { followsSql, type AccountSql } from '../rules/relation-rules.ts';

/** Whether the account follows the target, or asked to. */
export const followsOrRequestsSql = (account: AccountSql, target: AccountSql): RawBuilder<boolean> => sql<boolean>`(
  ${followsSql(account, target)} or exists (
    select from follow_requests rule where rule.account_id = ${account} and rule.target_account_id = ${target}))`;
