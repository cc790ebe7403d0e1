import { sql, type RawBuilder } from 'kysely';

/**
 * The tables that the rules below speak of, for the status `s`: what it reblogs (`o`) and everybody it involves (`p`):
 * its author, the reblogged author, those whom they answer, all who are named.
 */
export const involvedAccounts: RawBuilder<unknown> = sql`
  left join statuses o on o.id = s.reblog_of_id
  cross join lateral (
    select array(select m.account_id from mentions m where m.status_id in (s.id, s.reblog_of_id) and not m.silent)
      || s.account_id || s.in_reply_to_account_id || o.account_id || o.in_reply_to_account_id as people
  ) p`;

/**
 * Whether the status `s` belongs in the home feed of `f.account_id`, who follows its author by `f` (or is the author).
 * Replies to others only when these are followed too or are the reader; direct posts only when they name the reader; in
 * the languages of the follow; no reblogs where the follow hides them, nor of those who block the reader or whose server
 * the reader blocks; nothing that involves someone the reader blocks or mutes. The same rule as Mastodon's. Whom the
 * reader keeps in an exclusive list is asked by `isExcluded`.
 */
export function belongsInHome(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(f.target_account_id = f.account_id or (
    case
      when s.reblog_of_id is not null then f.show_reblogs and o.id is not null and o.deleted_at is null
      when s.in_reply_to_account_id is null then not s.is_reply
      else s.in_reply_to_account_id in (f.account_id, s.account_id) or exists (
        select 1 from follows r where r.account_id = f.account_id and r.target_account_id = s.in_reply_to_account_id)
    end
    and (f.languages is null or s.language is null or s.language = any(f.languages))
    and (s.visibility <> 'direct' or exists (
      select 1 from mentions m where m.status_id = s.id and m.account_id = f.account_id))
    and ${hasNoBlockedOrMuted(now)}
    and (s.reblog_of_id is null or o.account_id = f.account_id or not exists (
      select 1 from blocks b where b.account_id = o.account_id and b.target_account_id = f.account_id))
    and (s.reblog_of_id is null or not exists (
      select 1 from account_domain_blocks d join accounts a on a.domain = d.domain
      where d.account_id = f.account_id and a.id = o.account_id))
  ))`;
}

/** Whether `f.account_id` blocks and mutes nobody whom the status `s` involves. */
export function hasNoBlockedOrMuted(now: Date): RawBuilder<boolean> {
  return sql<boolean>`not exists (
      select 1 from blocks b where b.account_id = f.account_id and b.target_account_id = any(p.people))
    and not exists (
      select 1 from mutes m where m.account_id = f.account_id and m.target_account_id = any(p.people)
        and (m.expires_at is null or m.expires_at > ${now}::timestamptz))`;
}

/** Whether `author` stands in an exclusive list of `f.account_id`, whose home is without the author's posts then (LST-02). */
export const isInExclusiveList = (author: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from list_accounts x where x.owner_id = f.account_id and x.account_id = ${author} and x.exclusive)`;
