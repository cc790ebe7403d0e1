import { sql, type RawBuilder } from 'kysely';
import { belongsInHome } from './belongs-in-home.ts';

/**
 * Selects the members `f` of lists whose statuses a list shows, once per list: those that its owner follows, and the owner
 * itself. `where` filters the memberships `m`.
 */
export const visibleListMembers = (where: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select m.list_id, l.replies_policy, f.account_id, f.target_account_id, f.show_reblogs, f.languages
  from list_accounts m join lists l on l.id = m.list_id
    join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id
  where ${where}
  union all
  select m.list_id, l.replies_policy, m.owner_id, m.owner_id, true, null
  from list_accounts m join lists l on l.id = m.list_id
  where ${where} and m.account_id = m.owner_id`;

/**
 * Whether a list shows the status `s` of its member `f`: what belongs in the owner's home, except direct statuses and the
 * replies that the replies policy of the list leaves out.
 */
export function belongsInList(now: Date, unwanted?: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`(
    s.visibility <> 'direct'
    and (not s.is_reply or s.in_reply_to_account_id = f.account_id or case f.replies_policy
      when 'followed' then true
      when 'list' then exists (
        select 1 from list_accounts x where x.list_id = f.list_id and x.account_id = s.in_reply_to_account_id)
      else false end)
    and ${belongsInHome(now, unwanted)})`;
}
