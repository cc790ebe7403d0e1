import { sql } from 'kysely';
import { countDailyUses } from '../../hashtags/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { addDays, firstIdOf, startOfDay, type Day } from '../days.ts';
import { replaceCounts } from './replace-counts.ts';

/** Counts the rows of a day again. Ids contain the time, so each statement reads a range of a primary key. */
export async function countDay(app: App, day: Day): Promise<void> {
  await transaction(app, (tx) => countStatuses(tx, day));
  const isOver = app.clock.now() >= startOfDay(addDays(day, 1));
  await transaction(app, (tx) => countDailyUses(tx, { day, ...rangeOf(day), isOver }));
  await transaction(app, (tx) => countInteractions(tx, day));
  await transaction(app, (tx) => countDomains(tx, day));
  await transaction(app, (tx) => countReports(tx, day));
}

const rangeOf = (day: Day) => ({ from: firstIdOf(day), to: firstIdOf(addDays(day, 1)) });

/** Statuses with reblogs by domain, and without them by domain and language. */
async function countStatuses(tx: Transaction, day: Day): Promise<void> {
  const { from, to } = rangeOf(day);
  await replaceCounts(
    tx,
    { kinds: ['statuses', 'status_languages'], day },
    sql`
      select part.kind, coalesce(account.domain, ''), ${day}::date, part.name, count(*)
      from statuses status
      join accounts account on account.id = status.account_id
      cross join lateral (values
        ('statuses', '', true),
        ('status_languages', coalesce(status.language, 'und'), status.reblog_of_id is null)
      ) part(kind, name, is_counted)
      where status.id >= ${from}::bigint and status.id < ${to}::bigint and status.deleted_at is null and part.is_counted
      group by 1, 2, 4`,
  );
}

/** Favourites, boosts, replies to others, votes and follows of local accounts. */
async function countInteractions(tx: Transaction, day: Day): Promise<void> {
  const { from, to } = rangeOf(day);
  await replaceCounts(
    tx,
    { kinds: ['interactions'], day },
    sql`
      select 'interactions', '', ${day}::date, '', sum(number)
      from (
        select count(*) from statuses
        where id >= ${from}::bigint and id < ${to}::bigint and local and deleted_at is null
          and (reblog_of_id is not null or in_reply_to_account_id <> account_id)
        union all
        select count(*) from favourites join accounts account on account.id = favourites.account_id
        where favourites.id >= ${from}::bigint and favourites.id < ${to}::bigint and account.domain is null
        union all
        select count(distinct (poll_id, account_id))
        from poll_votes join accounts account on account.id = poll_votes.account_id
        where poll_votes.id >= ${from}::bigint and poll_votes.id < ${to}::bigint and account.domain is null
        union all
        select count(*) from follows join accounts account on account.id = follows.account_id
        where follows.id >= ${from}::bigint and follows.id < ${to}::bigint and account.domain is null
      ) counts(number)`,
  );
}

/** Accounts, follows and bytes of media by domain. */
async function countDomains(tx: Transaction, day: Day): Promise<void> {
  const { from, to } = rangeOf(day);
  await replaceCounts(
    tx,
    { kinds: ['accounts', 'follows', 'followers', 'media_bytes'], day },
    sql`
      select 'accounts', coalesce(domain, ''), ${day}::date, '', count(*)
      from accounts where id >= ${from}::bigint and id < ${to}::bigint and deleted_at is null
      group by 2
      union all
      select side.kind, coalesce(side.domain, ''), ${day}::date, '', count(*)
      from follows
      join accounts follower on follower.id = follows.account_id
      join accounts target on target.id = follows.target_account_id
      cross join lateral (values ('followers', follower.domain), ('follows', target.domain)) side(kind, domain)
      where follows.id >= ${from}::bigint and follows.id < ${to}::bigint
      group by 1, 2
      union all
      select 'media_bytes', coalesce(account.domain, ''), ${day}::date, '', sum(media.file_size)
      from media_attachments media left join accounts account on account.id = media.account_id
      where media.id >= ${from}::bigint and media.id < ${to}::bigint and media.file_size > 0
      group by 2`,
  );
}

/** Reports by the domain of the reported account, and resolved ones by the day of the decision. */
async function countReports(tx: Transaction, day: Day): Promise<void> {
  const { from, to } = rangeOf(day);
  const [start, end] = [startOfDay(day), startOfDay(addDays(day, 1))];
  await replaceCounts(
    tx,
    { kinds: ['reports', 'resolved_reports'], day },
    sql`
      select 'reports', coalesce(account.domain, ''), ${day}::date, '', count(*)
      from reports join accounts account on account.id = reports.target_account_id
      where reports.id >= ${from}::bigint and reports.id < ${to}::bigint
      group by 2
      union all
      select 'resolved_reports', '', ${day}::date, '', count(*)
      from reports where action_taken_at >= ${start} and action_taken_at < ${end}`,
  );
}
