import { sql, type RawBuilder } from 'kysely';
import { addDailyUses, countDailyUses } from '../../hashtags/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { addDays, firstIdOf, startOfDay, type Day } from '../days.ts';
import { countSignUps } from './count-users.ts';
import { addCounts, replaceCounts } from './replace-counts.ts';

/**
 * Rows of a day by their ids, which contain the time: each statement reads a range of a primary key. The ids are literals,
 * because a generic plan expects thousands of rows and reads all accounts for them.
 */
export interface IdRange {
  readonly day: Day;
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** Counts the rows of a day again, those with ids before `to`. */
export async function countDay(app: App, day: Day, to: string = firstIdOf(addDays(day, 1))): Promise<void> {
  const range: IdRange = { day, from: firstIdOf(day), to };
  const replace = ({ kinds, select }: Count): Promise<void> =>
    transaction(app, (tx) => replaceCounts(tx, { kinds, day }, select(range)));
  await replace(statuses);
  const isOver = app.clock.now() >= startOfDay(addDays(day, 1));
  await transaction(app, (tx) => countDailyUses(tx, { ...range, isOver }));
  for (const count of [interactions, domains, reports]) await replace(count);
}

/** Adds rows that were not counted to the counts of their day. Reports and sign-ups are counted again. */
export async function addRows(tx: Transaction, range: IdRange): Promise<void> {
  for (const { select } of [statuses, interactions, domains]) await addCounts(tx, select(range));
  await addDailyUses(tx, range);
  await countSignUps(tx, range.day);
  await replaceCounts(tx, { kinds: reports.kinds, day: range.day }, reports.select(range));
}

interface Count {
  readonly kinds: Parameters<typeof replaceCounts>[1]['kinds'];
  /** Selects kind, key, day, part and value. */
  select(range: IdRange): RawBuilder<unknown>;
}

/** Statuses with reblogs by domain, and without them by domain and language. */
const statuses: Count = {
  kinds: ['statuses', 'status_languages'],
  select: ({ day, from, to }) => sql`
    select part.kind, coalesce(account.domain, ''), ${day}::date, part.name, count(*)
    from statuses status
    join accounts account on account.id = status.account_id
    cross join lateral (values
      ('statuses', '', true),
      ('status_languages', coalesce(status.language, 'und'), status.reblog_of_id is null)
    ) part(kind, name, is_counted)
    where status.id >= ${sql.lit(from)}::bigint and status.id < ${sql.lit(to)}::bigint and status.deleted_at is null and part.is_counted
    group by 1, 2, 4`,
};

/** Favourites, boosts, replies to others, votes and follows of local accounts. */
const interactions: Count = {
  kinds: ['interactions'],
  select: ({ day, from, to }) => sql`
    select 'interactions', '', ${day}::date, '', sum(number)
    from (
      select count(*) from statuses
      where id >= ${sql.lit(from)}::bigint and id < ${sql.lit(to)}::bigint and local and deleted_at is null
        and (reblog_of_id is not null or in_reply_to_account_id <> account_id)
      union all
      select count(*) from favourites join accounts account on account.id = favourites.account_id
      where favourites.id >= ${sql.lit(from)}::bigint and favourites.id < ${sql.lit(to)}::bigint and account.domain is null
      union all
      select count(distinct (poll_id, account_id))
      from poll_votes join accounts account on account.id = poll_votes.account_id
      where poll_votes.id >= ${sql.lit(from)}::bigint and poll_votes.id < ${sql.lit(to)}::bigint and account.domain is null
      union all
      select count(*) from follows join accounts account on account.id = follows.account_id
      where follows.id >= ${sql.lit(from)}::bigint and follows.id < ${sql.lit(to)}::bigint and account.domain is null
    ) counts(number)`,
};

/** Accounts, follows and bytes of media by domain. */
const domains: Count = {
  kinds: ['accounts', 'follows', 'followers', 'media_bytes'],
  select: ({ day, from, to }) => sql`
    select 'accounts', coalesce(domain, ''), ${day}::date, '', count(*)
    from accounts where id >= ${sql.lit(from)}::bigint and id < ${sql.lit(to)}::bigint and deleted_at is null
    group by 2
    union all
    select side.kind, coalesce(side.domain, ''), ${day}::date, '', count(*)
    from follows
    join accounts follower on follower.id = follows.account_id
    join accounts target on target.id = follows.target_account_id
    cross join lateral (values ('followers', follower.domain), ('follows', target.domain)) side(kind, domain)
    where follows.id >= ${sql.lit(from)}::bigint and follows.id < ${sql.lit(to)}::bigint
    group by 1, 2
    union all
    select 'media_bytes', coalesce(account.domain, ''), ${day}::date, '', sum(media.file_size)
    from media_attachments media left join accounts account on account.id = media.account_id
    where media.id >= ${sql.lit(from)}::bigint and media.id < ${sql.lit(to)}::bigint and media.file_size > 0
    group by 2`,
};

/** Reports by the domain of the reported account, and resolved ones by the day of the decision. */
const reports: Count = {
  kinds: ['reports', 'resolved_reports'],
  select({ day }) {
    const next = addDays(day, 1);
    return sql`
      select 'reports', coalesce(account.domain, ''), ${day}::date, '', count(*)
      from reports join accounts account on account.id = reports.target_account_id
      where reports.id >= ${firstIdOf(day)}::bigint and reports.id < ${firstIdOf(next)}::bigint
      group by 2
      union all
      select 'resolved_reports', '', ${day}::date, '', count(*)
      from reports where action_taken_at >= ${startOfDay(day)} and action_taken_at < ${startOfDay(next)}`;
  },
};
